"""Games side by side are the kernel's games: the same rows, turns and forks, for any batch."""

from types import SimpleNamespace

import numpy as np
import pytest
from duel_playing import GAME, assert_same_games, load
from hypothesis import given, settings
from hypothesis import strategies as st

from lcsim.rules import build_ruleset, parse_ruleset
from lcsim.rules.duel.arrays import DRAWS, PLAYS, legal_draws, legal_plays, unpack_cards
from lcsim.rules.duel.choice import distinct_cards
from lcsim.rules.duel.kernel import TURN_DTYPE
from lcsim.rules.duel.restrict import narrow_view
from lcsim.rules.duel.view import BATCH_DTYPE, View
from lcsim.strategy import compile_strategy, load_strategy

DICE = '''
class Dice(Strategy):
    """Draws lots among the legal moves."""
    def choose_play(self, view, rng):
        n = 0
        for color in range(view.colors):
            n += count_bits(distinct_cards(view.hand[color] & view.playable[color]))
            n += count_bits(distinct_cards(view.hand[color]))
        lot = random_below(rng, n)
        for way in range(2):
            for color in range(view.colors):
                cards = view.hand[color] if way else view.hand[color] & view.playable[color]
                cards = distinct_cards(cards)
                while cards:
                    if lot == 0:
                        return DISCARD * way + make_card(color, lowest_bit(cards))
                    lot -= 1
                    cards &= cards - 1
        return -1

    def choose_draw(self, view, rng):
        if view.drawable == 0:
            return DRAW_DECK
        lot = random_below(rng, 1 + count_bits(view.drawable))
        piles = view.drawable
        while lot > 1:
            piles &= piles - 1
            lot -= 1
        return lowest_bit(piles) if lot else DRAW_DECK
'''
DICE_BATCH = '''
class DiceBatch(BatchStrategy):
    """Draws the same lots for many views."""
    def choose_play(self, views, rngs):
        return PLAYS[pick(legal_plays(views), rngs)]

    def choose_draw(self, views, rngs):
        piles = np.full(len(views), DRAW_DECK)
        some = views["drawable"] > 0
        piles[some] = DRAWS[pick(legal_draws(views[some]), rngs[some])]
        return piles

def pick(legal, rngs):
    lot = random_below(rngs, legal.sum(axis=1))
    return ((legal.cumsum(axis=1) == lot[:, None] + 1) & legal).argmax(axis=1)
'''


@pytest.fixture(scope="module")
def dice(tmp_path_factory):
    """Return one strategy that uses chance, compiled and as a batch strategy."""
    path = tmp_path_factory.mktemp("dice") / "dice.py"
    path.write_text(f"import numpy as np\nfrom lcsim.duel import *\n{DICE}\n{DICE_BATCH}")
    return [
        compile_strategy(load_strategy(f"{path}:{name}", kind="duel"))
        for name in ("Dice", "DiceBatch")
    ]


def play(ruleset, strategies, **options):
    """Return the rows and the turns of some deals."""
    address = {"seed": 5, "first_deal": 2, "n_deals": 6, **options}
    trace = np.zeros(2 * address["n_deals"] * ruleset.rounds * ruleset.turn_limit, TURN_DTYPE)
    rows = GAME.play_deals(ruleset, strategies=strategies, trace=trace, **address)
    return rows, trace


def assert_equal_games(ruleset, strategies, others, **options):
    rows, trace = play(ruleset, strategies)
    again, traced = play(ruleset, others, **options)
    assert again.tobytes() == rows.tobytes()
    assert traced.tobytes() == trace.tobytes()


@pytest.mark.parametrize("preset", sorted(GAME.presets))
@pytest.mark.parametrize("batch", [1, 5, 1024])
def test_both_forms_of_a_strategy_play_the_same_games(preset, batch):
    ruleset = parse_ruleset(preset)
    compiled, batched, rival = (load(name)[1] for name in ("ladder", "ladder-numpy", "balanced"))
    assert_equal_games(ruleset, [compiled] * 2, [batched] * 2, batch=batch)
    assert_equal_games(ruleset, [compiled, rival], [batched, rival], batch=batch)
    assert_equal_games(ruleset, [rival, compiled], [rival, batched], batch=batch)


@pytest.mark.parametrize("batch", [1, 7, 1024])
def test_random_numbers_do_not_depend_on_the_batch(dice, batch):
    ruleset = parse_ruleset("duel:rounds=2")
    assert_equal_games(ruleset, [dice[0]] * 2, [dice[1]] * 2, batch=batch)
    assert_equal_games(ruleset, [dice[0]] * 2, [dice[1], dice[0]], batch=batch)


RESTRICTIONS = st.sampled_from(
    ["", "@no-wagers", "@no-discard-draws", "@max-expeditions=1:0.5+no-wagers", "@no-lay=R5:1.3"]
)


@settings(max_examples=60, deadline=None)
@given(
    changes=st.fixed_dictionaries(
        {"hand_size": st.integers(1, 8), "rounds": st.integers(1, 3)},
        optional={
            "colors": st.integers(2, 6),
            "wagers_per_color": st.integers(0, 3),
            "redraw_own_discard": st.booleans(),
            "direction": st.sampled_from(["ascending", "either"]),
            "next_starter": st.sampled_from(["alternate", "leader"]),
            "turn_limit": st.integers(1, 120),
        },
    ),
    restrictions=st.tuples(RESTRICTIONS, RESTRICTIONS),
    swapped=st.booleans(),
    batch=st.integers(1, 20),
)
def test_any_rules_and_restrictions_are_those_of_the_kernel(changes, restrictions, swapped, batch):
    ruleset = build_ruleset("duel", changes)
    sides = []
    for name in ("ladder", "ladder-numpy"):
        specs = [name + restrictions[0], "denier" + restrictions[1]]
        one, other = (load(spec)[1] for spec in specs)
        sides.append([other, one] if swapped else [one, other])
    assert_equal_games(ruleset, *sides, batch=batch)


def test_the_referee_plays_batches_of_one():
    ruleset = parse_ruleset("duel-long:rounds=2")
    names = ("ladder-numpy@no-wagers", "cautious-opener")
    assert assert_same_games(ruleset, names, seed=3, first_deal=5, n_deals=4) == 8


class Listener:
    """Answers what a batch strategy does, and keeps what it was shown, view by view."""

    def __init__(self, player):
        self.player, self.views = player, []

    def choose_play(self, views, rngs):
        self.views += views.copy().tolist()
        return self.player.choose_play(views, rngs)

    def choose_draw(self, views, rngs):
        self.views += views.copy().tolist()
        return self.player.choose_draw(views, rngs)


@pytest.mark.parametrize("restriction", ["", "@no-wagers+no-discard-draws:1.4"])
def test_it_is_shown_what_the_referee_shows(restriction):
    ruleset = parse_ruleset("duel:rounds=2,direction=either,redraw_own_discard=true")
    loaded, compiled = load(f"ladder-numpy{restriction}")
    rival, listener = load("balanced"), Listener(loaded.instance)
    player = SimpleNamespace(**{**vars(compiled), "batch": listener, "decider": loaded.decider})
    strategies = [player, rival[1]]
    GAME.play_deals(ruleset, seed=2, first_deal=4, n_deals=1, n_rotations=1, strategies=strategies)
    shown = []

    def watch(table, seat, decider, rng, decision):
        if decider is loaded.decider:
            view = table.view(seat)
            if restriction:
                view = narrow_view(view, decider.restriction, decision)
            shown.append(tuple(view))

    deciders = [loaded.decider, rival[0].decider]
    GAME.replay(ruleset, seed=2, deal=4, rotation=0, strategies=deciders, watch=watch)
    seen = [
        tuple(tuple(x.tolist()) if hasattr(x, "tolist") else x for x in v) for v in listener.views
    ]
    assert len(shown) > 80
    assert seen == shown


def test_forks_are_those_of_the_compiled_form():
    ruleset, address = parse_ruleset("duel"), {"seed": 4, "first_deal": 9, "n_deals": 12}
    rival = load("wager-lover")[1]
    forks = [
        GAME.play_forks(ruleset, strategies=[load(name)[1], rival], **address)
        for name in ("ladder", "ladder-numpy")
    ]
    assert forks[0].size > 50
    assert forks[0].tobytes() == forks[1].tobytes()


def test_units_of_any_size_give_the_same_rows():
    ruleset, both = parse_ruleset("duel"), [load("ladder-numpy")[1], load("denier")[1]]
    whole, _ = play(ruleset, both, n_deals=9)
    parts = [play(ruleset, both, first_deal=f, n_deals=n)[0] for f, n in ((2, 1), (3, 6), (9, 2))]
    assert np.concatenate(parts).tobytes() == whole.tobytes()


def test_legal_moves_of_arrays_are_those_of_each_view():
    plain = View(*[0] * 2, *[(0,) * 6] * 8, *[0] * (len(View._fields) - 10))
    plain = plain._replace(
        hand=(0b1011, 0, 0b110, 0, 0, 1 << 11),
        playable=(0b1001, 0, 0b110, 0, 0, 0),
        drawable=0b100010,
    )
    views = np.array([tuple(plain), tuple(plain._replace(hand=(0,) * 6, drawable=0))], BATCH_DTYPE)
    assert PLAYS[legal_plays(views)[0]].tolist() == [
        *(0, 3, 33),
        *(256, 259, 256 + 33, 256 + 91),
    ]
    assert not legal_plays(views)[1].any()
    assert [DRAWS[one].tolist() for one in legal_draws(views)] == [[-1, 1, 5], [-1]]
    assert unpack_cards(views["hand"]).sum(axis=2)[0].tolist() == [3, 0, 2, 0, 0, 1]
    assert distinct_cards(0b1011) == 0b1001
