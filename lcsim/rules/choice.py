"""From ratings to decisions, as far as the games share it: the draw, and the deciding form.

The templates are the decisions that a kernel and a referee ask for. The author's methods (`draw`,
`choose_play`, …) and `build_self`, which makes their `self`, are free names in them: the compiler
binds compiled functions to them, the referee the plain ones (see lcsim.strategy).
"""

import math

from numba.extending import register_jitable

from lcsim.rules.bits import lowest_bit
from lcsim.rules.legal import DRAW_DECK


@register_jitable
def check_rating(rating: float) -> float:
    """Return `rating`; raises ValueError where it is not a number."""
    if math.isnan(rating):
        raise ValueError("a rating is not a number (NaN)")
    return rating


def choose_draw_by_rating(view, rng, params):
    """Return the color of the discard pile that `draw` rates highest above 0, or DRAW_DECK."""
    me = build_self(params)  # type: ignore[name-defined]  # noqa: F821
    move, best = DRAW_DECK, 0.0
    piles = view.drawable
    while piles:
        color = lowest_bit(piles)
        piles &= piles - 1
        rating = check_rating(1.0 * draw(me, view, view.discard_top[color]))  # type: ignore[name-defined]  # noqa: F821
        if rating > best:
            move, best = color, rating
    return move


def choose_play_by_rule(view, rng, params):
    """Return the strategy's own choice of a play."""
    return choose_play(build_self(params), view, rng)  # type: ignore[name-defined]  # noqa: F821


def choose_draw_by_rule(view, rng, params):
    """Return the strategy's own choice of a draw."""
    return choose_draw(build_self(params), view, rng)  # type: ignore[name-defined]  # noqa: F821


def wait_for_batch(view, rng, params):
    """Stand in for a batch strategy's decision: its games wait before it would be called."""
    return -1
