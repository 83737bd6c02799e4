"""What is legal in the duel, decided here for the referee and the kernel alike.

The one predicate is the mask of cards that an expedition still accepts. It starts as every card of
the color; `accepts_after` gives it after each card laid. A hand card may be laid when its bit is in
that mask; any hand card may be discarded; a draw from a discard pile is legal unless it is the pile
just discarded to (`redraw_own_discard` lifts that).
"""

from numba.extending import register_jitable

from lcsim.rules.duel.cards import FIRST_NUMBER, NUMBER_MASK
from lcsim.rules.legal import DISCARD, DRAW_DECK, drawable_piles

__all__ = ["DISCARD", "DRAW_DECK", "accepts_after", "can_discard", "can_lay", "drawable_piles"]


@register_jitable
def accepts_after(laid: int, index: int, color_mask: int, either: int) -> int:
    """Return what an expedition accepts after the card at `index` is laid on the cards of `laid`.

    Ascending: a number must be higher than the last, a wager comes before every number. With
    `either`, the first two different numbers fix the direction: a number below one already laid
    means descending. The cards laid are themselves never accepted again.
    """
    above = color_mask & ~((2 << index) - 1)
    if index < FIRST_NUMBER:
        return color_mask & ~(laid | 1 << index)
    if either:
        if laid & NUMBER_MASK == 0:
            return color_mask & NUMBER_MASK & ~(1 << index)
        if laid & above:
            return color_mask & NUMBER_MASK & ((1 << index) - 1)
    return above


@register_jitable
def can_lay(hand: int, accepts: int, index: int) -> bool:
    """Tell whether the card at `index` is in the hand's mask and its expedition accepts it."""
    return (hand & accepts) >> index & 1 == 1


@register_jitable
def can_discard(hand: int, index: int) -> bool:
    """Tell whether the card at `index` is in the hand's mask."""
    return hand >> index & 1 == 1
