"""What a seat sees: nothing of what is hidden, and nothing that it may write into."""

import textwrap
from collections import Counter

import pytest
from playing import GAME, NAMES, load

from lcsim.errors import StrategyBrokeError
from lcsim.rules import parse_ruleset
from lcsim.rules.board.cards import list_cards
from lcsim.rules.streams import Stream
from lcsim.strategy import compile_strategy, load_strategy


def list_hidden(table, seat):
    """Return the cards that a seat cannot see."""
    others = [one for number, one in enumerate(table.seats) if number != seat]
    hands = [card for one in others for c in range(5) for card in list_cards(c, one.hand[c])]
    known = [card for one in others for c in range(5) for card in list_cards(c, one.known[c])]
    return Counter(hands) - Counter(known) + Counter(table.draw_pile) + Counter(table.removed)


@pytest.mark.parametrize("n_players", GAME.player_counts)
def test_hidden_cards_dealt_anew_change_no_view(n_players):
    seen = []

    def watch(table, seat, decider, rng, decision):
        other = GAME.shuffle_hidden(table, seat, Stream(5, table.turn, seat, 99))
        assert other.view(seat) == table.view(seat)
        assert list_hidden(other, seat) == list_hidden(table, seat)
        sizes = [[sum(map(int.bit_count, one.hand)) for one in t.seats] for t in (table, other)]
        assert sizes[0] == sizes[1]
        assert len(other.draw_pile) == len(table.draw_pile)
        seen.append(other.draw_pile != table.draw_pile)

    names = [NAMES[i % len(NAMES)] for i in range(n_players)]
    GAME.replay(
        parse_ruleset("board-short"),
        seed=3,
        deal=1,
        rotation=0,
        strategies=[load(name)[0].decider for name in names],
        watch=watch,
    )
    assert sum(seen) > len(seen) // 2


WRITER = """
    from lcsim.board import DISCARD, DRAW_DECK, NO_STEP, RANK_MASK, Strategy, lowest_bit


    def scribble(sheet):
        {scribble}


    class Writer(Strategy):
        \"\"\"Writes into its view.\"\"\"

        def choose_play(self, view, rng):
            \"\"\"Discard the lowest card of the first color.\"\"\"
            scribble(view)
            color = 0
            while view.hand[color] == 0:
                color += 1
            return DISCARD + 16 * color + lowest_bit(view.hand[color] & RANK_MASK)

        def choose_draw(self, view, rng):
            \"\"\"Draw from the draw pile.\"\"\"
            return DRAW_DECK

        def choose_step(self, view, rng):
            \"\"\"Stay.\"\"\"
            return NO_STEP
"""


@pytest.mark.parametrize(
    "scribble", ["sheet.my_points = 7", "sheet.tiles[1][9] = 50", "sheet.artefact_points[31] = 9"]
)
def test_writing_into_a_view_is_found(tmp_path, scribble):
    path = tmp_path / "writer.py"
    path.write_text(textwrap.dedent(WRITER).format(scribble=scribble))
    compiled = compile_strategy(load_strategy(str(path), kind="board"))
    with pytest.raises(StrategyBrokeError) as caught:
        GAME.play_deals(
            parse_ruleset("board"),
            seed=1,
            first_deal=0,
            n_deals=1,
            strategies=[load("steady")[1], compiled],
        )
    assert caught.value.strategy == 1


def test_too_many_cards_are_refused_before_the_kernel():
    from lcsim.errors import RulesetError

    steady = load("steady")
    for play in (GAME.play_deals, GAME.replay):
        form = steady[1] if play is GAME.play_deals else steady[0].decider
        where = (
            {"first_deal": 0, "n_deals": 1}
            if play is GAME.play_deals
            else {"deal": 0, "rotation": 0}
        )
        with pytest.raises(RulesetError, match="no draw pile"):
            play(parse_ruleset("board:removed_cards=94"), seed=1, strategies=[form] * 2, **where)
