"""From ratings to decisions: the best legal move by a strategy's own judgement.

A rating strategy says how good a move is; these functions ask it about every legal move and take
the best, the first in canonical order among equals: lays before discards, colors R G W B Y P, cards
rising; the draw pile, worth 0, before the discard piles. Of equal wagers only one is offered.
"""

from numba.extending import register_jitable

from lcsim.rules.bits import lowest_bit
from lcsim.rules.choice import check_rating
from lcsim.rules.duel.cards import WAGER_MASK, make_card
from lcsim.rules.duel.legal import DISCARD


@register_jitable
def distinct_cards(mask: int) -> int:
    """Return `mask` with its lowest wager only."""
    wagers = mask & WAGER_MASK
    return (mask & ~WAGER_MASK) | (wagers & -wagers)


def choose_play_by_rating(view, rng, params):
    """Return the legal play that the strategy's `lay` or `discard` rates highest."""
    me = build_self(params)  # type: ignore[name-defined]  # noqa: F821
    move, best = -1, 0.0
    for color in range(view.colors):
        cards = distinct_cards(view.hand[color] & view.playable[color])
        while cards:
            card = make_card(color, lowest_bit(cards))
            cards &= cards - 1
            rating = check_rating(1.0 * lay(me, view, card))  # type: ignore[name-defined]  # noqa: F821
            if move < 0 or rating > best:
                move, best = card, rating
    for color in range(view.colors):
        cards = distinct_cards(view.hand[color])
        while cards:
            card = make_card(color, lowest_bit(cards))
            cards &= cards - 1
            rating = check_rating(1.0 * discard(me, view, card))  # type: ignore[name-defined]  # noqa: F821
            if move < 0 or rating > best:
                move, best = card + DISCARD, rating
    return move
