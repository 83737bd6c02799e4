"""From ratings to decisions: the best legal move by a strategy's own judgement.

A rating strategy says how good a move is; these functions ask it about every legal move and take
the best, the first in canonical order among equals: lays before discards, colors R G W B Y P, cards
rising; the draw pile, worth 0, before the discard piles. Of equal wagers only one is offered.
"""

import math

from numba.extending import register_jitable

from lcsim.rules.bits import lowest_bit
from lcsim.rules.duel.cards import WAGER_MASK, make_card
from lcsim.rules.duel.legal import DISCARD, DRAW_DECK


@register_jitable
def distinct_cards(mask: int) -> int:
    """Return `mask` with its lowest wager only."""
    wagers = mask & WAGER_MASK
    return (mask & ~WAGER_MASK) | (wagers & -wagers)


@register_jitable
def check_rating(rating: float) -> float:
    """Return `rating`; raises ValueError where it is not a number."""
    if math.isnan(rating):
        raise ValueError("a rating is not a number (NaN)")
    return rating


# Templates of the decisions. The author's methods (`lay`, `choose_play`, …) and `build_self`, which
# makes their `self`, are free names: the compiler binds compiled functions to them, the referee the
# plain ones (see lcsim.strategy).


def choose_play_by_rating(view, rng, params):
    """Return the legal play that the strategy's `lay` or `discard` rates highest."""
    me = build_self(params)  # type: ignore[name-defined]  # noqa: F821
    move, best = -1, 0.0
    for color in range(view.colors):
        cards = distinct_cards(view.hand[color] & view.playable[color])
        while cards:
            card = make_card(color, lowest_bit(cards))
            cards &= cards - 1
            rating = check_rating(float(lay(me, view, card)))  # type: ignore[name-defined]  # noqa: F821
            if move < 0 or rating > best:
                move, best = card, rating
    for color in range(view.colors):
        cards = distinct_cards(view.hand[color])
        while cards:
            card = make_card(color, lowest_bit(cards))
            cards &= cards - 1
            rating = check_rating(float(discard(me, view, card)))  # type: ignore[name-defined]  # noqa: F821
            if move < 0 or rating > best:
                move, best = card + DISCARD, rating
    return move


def choose_draw_by_rating(view, rng, params):
    """Return the color of the discard pile that `draw` rates highest above 0, or DRAW_DECK."""
    me = build_self(params)  # type: ignore[name-defined]  # noqa: F821
    move, best = DRAW_DECK, 0.0
    piles = view.drawable
    while piles:
        color = lowest_bit(piles)
        piles &= piles - 1
        rating = check_rating(float(draw(me, view, view.discard_top[color])))  # type: ignore[name-defined]  # noqa: F821
        if rating > best:
            move, best = color, rating
    return move


def choose_play_by_rule(view, rng, params):
    """Return the strategy's own choice of a play."""
    return choose_play(build_self(params), view, rng)  # type: ignore[name-defined]  # noqa: F821


def choose_draw_by_rule(view, rng, params):
    """Return the strategy's own choice of a draw."""
    return choose_draw(build_self(params), view, rng)  # type: ignore[name-defined]  # noqa: F821
