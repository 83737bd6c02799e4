"""What both games hold legal, and how a move is written as a number."""

from numba.extending import register_jitable

DRAW_DECK = -1
DISCARD = 256  # a play is a card's code, plus this to discard the card


@register_jitable
def drawable_piles(filled: int, discarded_to: int, redraw_own_discard: int) -> int:
    """Return the mask of the colors whose discard pile a seat may draw from.

    `filled` is the mask of piles that hold a card, `discarded_to` the color this seat has just
    discarded to, or -1.
    """
    if discarded_to >= 0 and not redraw_own_discard:
        return filled & ~(1 << discarded_to)
    return filled
