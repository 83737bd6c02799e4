"""Games side by side are the kernel's games: the same rows and turns, for any batch and table."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from playing import GAME, assert_same_games, load
from test_board_agreement import OVERRIDES, RESTRICTIONS, boards

from lcsim.errors import RulesetError
from lcsim.rules import build_ruleset, parse_ruleset
from lcsim.rules.board.kernel import TURN_DTYPE
from lcsim.rules.board.referee import stack_round
from lcsim.rules.board.restrict import narrow_view
from lcsim.strategy import compile_strategy, load_strategy

DICE = '''
class Dice(Strategy):
    """Draws lots among the legal moves."""
    def choose_play(self, view, rng):
        n = 0
        for way in range(3):
            for color in range(view.colors):
                n += count_bits(self.offer(view, color, way))
        lot = random_below(rng, n)
        for way in range(3):
            for color in range(view.colors):
                ranks = self.offer(view, color, way)
                while ranks:
                    if lot == 0:
                        return (0, LEADER, DISCARD)[way] + make_card(color, lowest_bit(ranks))
                    lot -= 1
                    ranks &= ranks - 1
        return -1

    @staticmethod
    def offer(view, color, way):
        """The ranks to lay, to lay with the leader, to discard."""
        if way == 2:
            return view.hand[color] & RANK_MASK
        starts = view.mine[color] == 0
        is_open = starts and view.may_lead if way else not starts or view.explorers > 0
        return view.playable[color] if is_open else 0

    def choose_draw(self, view, rng):
        return self.draw_lot(view.drawable, rng)

    def choose_step(self, view, rng):
        return self.draw_lot(view.movable, rng)

    @staticmethod
    def draw_lot(mask, rng):
        if mask == 0:
            return -1
        lot = random_below(rng, 1 + count_bits(mask))
        while lot > 1:
            mask &= mask - 1
            lot -= 1
        return lowest_bit(mask) if lot else -1
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

    def choose_step(self, views, rngs):
        return STEPS[pick(legal_steps(views), rngs)]

def pick(legal, rngs):
    lot = random_below(rngs, legal.sum(axis=1))
    return ((legal.cumsum(axis=1) == lot[:, None] + 1) & legal).argmax(axis=1)
'''


@pytest.fixture(scope="module")
def dice(tmp_path_factory):
    """Return one strategy that uses chance, compiled and as a batch strategy."""
    path = tmp_path_factory.mktemp("dice") / "dice.py"
    path.write_text(f"import numpy as np\nfrom lcsim.board import *\n{DICE}\n{DICE_BATCH}")
    return [
        compile_strategy(load_strategy(f"{path}:{name}", kind="board"))
        for name in ("Dice", "DiceBatch")
    ]


def play(ruleset, strategies, **options):
    """Return the rows and the turns of some deals."""
    address = {"seed": 5, "first_deal": 2, "n_deals": 4, **options}
    n_games = address["n_deals"] * len(strategies)
    trace = np.zeros(n_games * ruleset.rounds * ruleset.turn_limit, TURN_DTYPE)
    rows = GAME.play_deals(ruleset, strategies=strategies, trace=trace, **address)
    return rows, trace


def assert_equal_games(ruleset, strategies, others, **options):
    rows, trace = play(ruleset, strategies)
    again, traced = play(ruleset, others, **options)
    assert again.tobytes() == rows.tobytes()
    assert traced.tobytes() == trace.tobytes()


@pytest.mark.parametrize("n_players", GAME.player_counts)
@pytest.mark.parametrize("preset", sorted(GAME.presets))
@pytest.mark.parametrize("batch", [1, 5, 2048])
def test_both_forms_of_a_strategy_play_the_same_games(preset, n_players, batch):
    ruleset = parse_ruleset(preset)
    names = ("all-paths", "all-paths-numpy", "balanced", "random-legal")
    compiled, batched, *rivals = (load(name)[1] for name in names)
    rivals = (rivals * 2)[: n_players - 1]
    assert_equal_games(ruleset, [compiled] * n_players, [batched] * n_players, batch=batch)
    assert_equal_games(ruleset, [compiled, *rivals], [batched, *rivals], batch=batch)
    assert_equal_games(ruleset, [*rivals, compiled], [*rivals, batched], batch=batch)


@pytest.mark.parametrize("spec", ["late=30,lead_with=5,low=0.3", "skip=0,rank=0,tile=0,low=0"])
@pytest.mark.parametrize("preset", ["board", "board-short-updown"])
def test_its_parameters_are_those_of_the_compiled_form(preset, spec):
    one, other = (load(f"{name}:{spec}")[1] for name in ("all-paths", "all-paths-numpy"))
    assert_equal_games(parse_ruleset(preset), [one] * 2, [other] * 2)


@pytest.mark.parametrize("n_players", GAME.player_counts)
@pytest.mark.parametrize("batch", [1, 7, 2048])
def test_random_numbers_do_not_depend_on_the_batch(dice, n_players, batch):
    ruleset = parse_ruleset("board-short:turn_limit=150,step_tiles=18,artefact_tiles=0")
    compiled, batched = dice
    mixed = [batched, compiled, batched, compiled][:n_players]
    assert_equal_games(ruleset, [compiled] * n_players, [batched] * n_players, batch=batch)
    assert_equal_games(ruleset, [compiled] * n_players, mixed, batch=batch)


@settings(max_examples=80, deadline=None)
@given(
    preset=st.sampled_from(sorted(GAME.presets)),
    board=st.one_of(st.just({}), boards()),
    changes=OVERRIDES,
    rivals=st.lists(
        st.tuples(st.sampled_from(["racer", "random-legal"]), RESTRICTIONS), min_size=1, max_size=3
    ),
    limits=RESTRICTIONS,
    seat=st.integers(0, 3),
    batch=st.integers(1, 20),
)
def test_any_rules_and_restrictions_are_those_of_the_kernel(
    preset, board, changes, rivals, limits, seat, batch
):
    try:
        ruleset = build_ruleset(preset, {**changes, **board})
        GAME.check_players(ruleset, 1 + len(rivals))
    except RulesetError:
        assume(False)
    others = [load(name + limits)[1] for name, limits in rivals]
    place = seat % (1 + len(others))
    sides = [
        [*others[:place], load(name + limits)[1], *others[place:]]
        for name in ("all-paths", "all-paths-numpy")
    ]
    assert_equal_games(ruleset, *sides, batch=batch)


@pytest.mark.parametrize("n_players", GAME.player_counts)
def test_the_referee_plays_batches_of_one(n_players):
    ruleset = parse_ruleset("board-updown:rounds=2")
    names = ("all-paths-numpy@no-leader", "racer", "all-paths-numpy", "balanced")[:n_players]
    games = assert_same_games(ruleset, names, seed=3, first_deal=5, n_deals=3)
    assert games == 3 * n_players


def test_rounds_laid_out_by_hand_are_played():
    ruleset = parse_ruleset("board:rounds=2")
    stacks = [stack_round(ruleset, seed=8, deal=40, round_=r) for r in (1, 0)]
    names = ("all-paths", "all-paths-numpy")
    one, other = (play(ruleset, [load(n)[1]] * 2, n_deals=1, stacks=stacks) for n in names)
    assert one[0].tobytes() == other[0].tobytes()
    assert one[1].tobytes() == other[1].tobytes()
    assert play(ruleset, [load(names[1])[1]] * 2, n_deals=1)[0].tobytes() != one[0].tobytes()


class Listener:
    """Answers what a batch strategy does, and keeps what it was shown, view by view."""

    def __init__(self, player):
        self.player, self.shown = player, []
        for decision in GAME.author.decisions:
            setattr(self, decision, self.listen(decision))

    def listen(self, decision):
        def choose(views, rngs):
            self.shown += [(decision, *view) for view in views.copy().tolist()]
            return getattr(self.player, decision)(views, rngs)

        return choose


def tell(value):
    """Return nested arrays and lists as tuples of plain numbers."""
    if isinstance(value, np.ndarray | list | tuple):
        return tuple(map(tell, value))
    return value.item() if isinstance(value, np.generic) else value


@pytest.mark.parametrize("n_players", GAME.player_counts)
@pytest.mark.parametrize("restriction", ["", "@no-leader:1.3+no-discard-draws:1.3+no-lay=R5"])
def test_it_is_shown_what_the_referee_shows(n_players, restriction):
    ruleset = parse_ruleset("board-updown:rounds=2,redraw_own_discard=true")
    loaded, compiled = load(f"all-paths-numpy{restriction}")
    rivals, listener = [load("balanced")] * (n_players - 1), Listener(loaded.instance)
    player = SimpleNamespace(**{**vars(compiled), "batch": listener, "decider": loaded.decider})
    strategies = [player, *(rival[1] for rival in rivals)]
    GAME.play_deals(ruleset, seed=2, first_deal=4, n_deals=1, n_rotations=1, strategies=strategies)
    shown = []

    def watch(table, seat, decider, rng, decision):
        if decider is loaded.decider:
            view = table.view(seat)
            if restriction:
                view = narrow_view(view, decider.restriction, decision)
            shown.append((decision, *tell(tuple(view))))

    deciders = [loaded.decider, *(rival[0].decider for rival in rivals)]
    GAME.replay(ruleset, seed=2, deal=4, rotation=0, strategies=deciders, watch=watch)
    assert len(shown) > 60
    assert {decision for decision, *_ in shown} == set(GAME.author.decisions)
    assert [tell(one) for one in listener.shown] == shown


def test_units_of_any_size_give_the_same_rows():
    ruleset = parse_ruleset("board")
    three = [load(name)[1] for name in ("all-paths-numpy", "steady", "all-paths-numpy")]
    whole, _ = play(ruleset, three, n_deals=9)
    parts = [play(ruleset, three, first_deal=f, n_deals=n)[0] for f, n in ((2, 1), (3, 6), (9, 2))]
    assert np.concatenate(parts).tobytes() == whole.tobytes()
