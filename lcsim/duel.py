"""The door for authors of strategies for the card game: everything a strategy may import.

A rating strategy defines `lay`, `discard` and `draw`; each returns how good that move is, and the
draw pile is worth 0. A deciding strategy defines `choose_play(self, view, rng)`, which returns a
card to lay it or `DISCARD + card`, and `choose_draw(self, view, rng)`, which returns the color of a
discard pile or DRAW_DECK. Both run in plain Python and compiled, and must do the same in both.

A batch strategy (BatchStrategy) has `choose_play(self, views, rngs)` and `choose_draw`, for n views
at once: `views` is a structured array (n,) with the fields of View, those by color (n, 6), `rngs`
has one random stream a view, and the answer is an array of n moves. It is plain NumPy, and may keep
Weights in a file beside its own.

Cards are small integers; sets of cards of one color are bit masks (bits 0-2 wagers, 3-11 ranks
2-10).
"""

from numba.extending import register_jitable

from lcsim.rules.bits import count_bits, highest_bit, lowest_bit
from lcsim.rules.duel.arrays import DRAWS, PLAYS, legal_draws, legal_plays, unpack_cards
from lcsim.rules.duel.cards import (
    MAX_COLORS,
    NUMBER_MASK,
    WAGER_MASK,
    color_of,
    index_of,
    is_wager,
    make_card,
    rank_of,
)
from lcsim.rules.duel.choice import distinct_cards
from lcsim.rules.duel.legal import DISCARD, DRAW_DECK, accepts_after
from lcsim.rules.duel.ruleset import KIND
from lcsim.rules.duel.scoring import score_mask
from lcsim.rules.duel.simulate import lay_out, weigh_card
from lcsim.rules.duel.view import View
from lcsim.rules.search import pick_move
from lcsim.rules.simulate import ask_guest, deal_world, try_move
from lcsim.rules.streams import random_below, random_float
from lcsim.strategy.base import StrategyBase
from lcsim.strategy.params import Guest, Param
from lcsim.strategy.weights import Weights

__all__ = [
    "DISCARD",
    "DRAWS",
    "DRAW_DECK",
    "MAX_COLORS",
    "NUMBER_MASK",
    "PLAYS",
    "WAGER_MASK",
    "BatchStrategy",
    "Guest",
    "Param",
    "Strategy",
    "View",
    "Weights",
    "accepts_after",
    "ask_guest",
    "can_follow",
    "color_of",
    "count_bits",
    "count_wagers",
    "deal_world",
    "distinct_cards",
    "hand_points",
    "highest_bit",
    "index_of",
    "is_wager",
    "lay_out",
    "legal_draws",
    "legal_plays",
    "lowest_bit",
    "make_card",
    "mask_points",
    "pick_move",
    "plays_left",
    "random_below",
    "random_float",
    "rank_of",
    "score_mask",
    "score_with",
    "skipped_cards",
    "try_move",
    "unpack_cards",
    "unseen_cards",
    "weigh_card",
]


class Strategy(StrategyBase):
    """The base of every compiled strategy for the card game."""

    kind = KIND


class BatchStrategy(StrategyBase):
    """The base of every strategy for the card game that decides for many views at once."""

    kind = KIND
    is_batch = True


@register_jitable
def mask_points(mask: int) -> int:
    """Return the sum of the numbers on the cards of a mask; wagers count nothing."""
    numbers = mask & NUMBER_MASK
    # The sum of the bits' indices, digit by binary digit, less one for each: ranks are index - 1.
    return (
        count_bits(numbers & 0xAAA)
        + 2 * count_bits(numbers & 0xCCC)
        + 4 * count_bits(numbers & 0x0F0)
        + 8 * count_bits(numbers & 0xF00)
        - count_bits(numbers)
    )


@register_jitable
def count_wagers(mask: int) -> int:
    """Return the number of wagers in a mask."""
    return count_bits(mask & WAGER_MASK)


@register_jitable
def hand_points(view, color):  # type: ignore[no-untyped-def]
    """Return the sum of the numbers in hand that my expedition of `color` still accepts."""
    return mask_points(view.hand[color] & view.playable[color])


@register_jitable
def score_with(view, mask):  # type: ignore[no-untyped-def]
    """Return the points of an expedition that holds `mask`, under the view's ruleset."""
    return score_mask(mask, view.expedition_cost, view.bonus_cards, view.bonus_points)


@register_jitable
def can_follow(accepts: int, card: int) -> bool:
    """Tell whether an expedition that accepts the cards of `accepts` accepts `card`."""
    return accepts >> (card & 15) & 1 == 1


@register_jitable
def plays_left(view):  # type: ignore[no-untyped-def]
    """Return how many plays I have left, this one included, if nobody draws a discard."""
    return (min(view.deck_left, view.turn_limit - view.turn) + 1) // 2


@register_jitable
def unseen_cards(view, color):  # type: ignore[no-untyped-def]
    """Return the cards of `color` that lie in the draw pile or, unknown to me, in their hand."""
    seen = view.hand[color] | view.mine[color] | view.theirs[color]
    return view.color_mask & ~(seen | view.discarded[color] | view.known_theirs[color])


@register_jitable
def skipped_cards(view, card):  # type: ignore[no-untyped-def]
    """Return the mask of the other cards that I can no longer lay once `card` is laid."""
    color, index = card >> 4, card & 15
    after = accepts_after(view.mine[color], index, view.color_mask, view.either)
    return view.playable[color] & ~after & ~(1 << index)
