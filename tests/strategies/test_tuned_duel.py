"""What tuned makes of the draw pile's end, on positions set by hand."""

import pytest

from lcsim.duel import DISCARD, DRAW_DECK, View, make_card
from lcsim.rules.duel.legal import accepts_after
from lcsim.rules.streams import Stream
from lcsim.strategy import load_strategy

FULL = 0xFFF
RED, GREEN = 0, 1


def masks(**colors):
    """Return masks by color of cards given as ranks: masks(R=[5, 6])."""
    return tuple(sum(1 << (rank + 1) for rank in colors.get(color, ())) for color in "RGWBYP")


def accept(laid):
    return tuple(
        accepts_after(mask, mask.bit_length() - 1, FULL, 0) if mask else FULL for mask in laid
    )


def see(*, hand, mine, theirs, discarded, deck_left, drawable=None):
    """Return the view of a seat late in a round, its opponent with all of yellow laid."""
    tops = tuple(
        make_card(color, mask.bit_length() - 1) if mask else -1
        for color, mask in enumerate(discarded)
    )
    piles = sum(1 << color for color, mask in enumerate(discarded) if mask)
    return View(
        **dict.fromkeys(View._fields, 0)
        | {
            "hand": hand,
            "mine": mine,
            "theirs": theirs,
            "playable": accept(mine),
            "their_playable": accept(theirs),
            "discarded": discarded,
            "known_theirs": (0,) * 6,
            "discard_top": tops,
            "drawable": piles if drawable is None else drawable,
            "deck_left": deck_left,
            "turn": 44 - deck_left,
            "rounds": 1,
            "colors": 5,
            "hand_size": 8,
            "color_mask": FULL,
            "expedition_cost": 20,
            "bonus_cards": 8,
            "bonus_points": 20,
            "turn_limit": 400,
        }
    )


@pytest.fixture(scope="module")
def tuned():
    return load_strategy("tuned", kind="duel").decider


def draw(tuned, hand, deck_left):
    """Return the draw with red open to 5 and only a useless green 2 to take."""
    view = see(
        hand=masks(R=hand, W=[2, 3, 4, 5][: 7 - len(hand)]),
        mine=masks(R=[2, 3, 4, 5], G=[6, 7, 8]),
        theirs=masks(Y=[2, 3, 4, 5], G=[3, 9]),
        discarded=masks(G=[2]),
        deck_left=deck_left,
    )
    return tuned.choose_draw(view, Stream(1, 0, 0, 16))


def test_a_useless_card_is_taken_where_that_gives_the_play_which_is_missing(tuned):
    # Two cards: from the draw pile there is no play left, from the discards there is one.
    assert draw(tuned, [9, 10], 2) == GREEN
    assert draw(tuned, [8, 9, 10], 4) == GREEN


def test_it_is_left_where_nothing_waits_or_only_the_opponent_gains_a_play(tuned):
    assert draw(tuned, [], 2) == DRAW_DECK
    assert draw(tuned, [10], 1 + 2 * 3) == DRAW_DECK
    assert draw(tuned, [9, 10], 12) == DRAW_DECK


def test_the_best_card_is_laid_with_one_play_left(tuned):
    view = see(
        hand=masks(R=[6, 10], W=[2, 3, 4], B=[2, 3, 4]),
        mine=masks(R=[2, 3, 4, 5]),
        theirs=masks(Y=[2, 3, 4, 5]),
        discarded=masks(),
        deck_left=1,
    )
    assert tuned.choose_play(view, Stream(1, 0, 0, 16)) == make_card(RED, 11)


def test_what_the_opponent_needs_is_not_thrown_away(tuned):
    view = see(
        hand=masks(Y=[10], W=[2], B=[2], G=[2]),
        mine=masks(R=[2, 3, 4, 5], G=[5]),
        theirs=masks(Y=[2, 3, 4, 5]),
        discarded=masks(),
        deck_left=10,
    )
    assert tuned.choose_play(view, Stream(1, 0, 0, 16)) != make_card(4, 11) + DISCARD
