"""What is legal in the board game, decided here for the referee and the kernel alike.

A row accepts a mask of ranks: every rank before its first card, then what `accepts_after` gives
after each card laid. `playable_ranks` says which cards of a hand may be laid: those that the row
accepts, and for a row not yet begun those that may open it, as long as a pawn is free to start on
the path. Any hand card may be discarded; a draw from a discard pile is legal unless it is the pile
just discarded to (`redraw_own_discard` lifts that). A step moves a pawn that is on its path and not
at its end.
"""

from numba.extending import register_jitable

from lcsim.rules.bits import highest_bit
from lcsim.rules.board.cards import RANK_MASK
from lcsim.rules.legal import DISCARD, DRAW_DECK, drawable_piles

__all__ = [
    "DISCARD",
    "DRAW_DECK",
    "LEADER",
    "NO_STEP",
    "accepts_after",
    "can_lay",
    "can_open",
    "can_step",
    "drawable_piles",
    "opening_ranks",
    "playable_ranks",
]

LEADER = 512  # a play is a card's code, plus this to start the expedition with the leader
NO_STEP = -1


@register_jitable
def accepts_after(laid: int, rank: int, color_ranks: int, either: int) -> int:
    """Return the ranks a row accepts after a card of `rank` is laid on the cards of `laid`.

    Ascending: the same rank and all above. With `either`, all ranks until two that differ lie
    there; those fix the direction. `color_ranks` is the mask of the ranks that a color has.
    """
    above = color_ranks & ~((1 << rank) - 1)
    if either:
        before = laid & RANK_MASK & ~(1 << rank)
        if before == 0:
            return color_ranks
        if before >> rank:
            return color_ranks & ((2 << rank) - 1)
    return above


@register_jitable
def opening_ranks(hand: int, either: int, open_any: int) -> int:
    """Return the ranks of a hand's cards of one color that may be the first of a row.

    The lowest, or with `either` the lowest and the highest; with `open_any` all of them.
    """
    ranks = hand & RANK_MASK
    if open_any or ranks == 0:
        return ranks
    lowest = ranks & -ranks
    return lowest | 1 << highest_bit(ranks) if either else lowest


@register_jitable
def playable_ranks(  # noqa: PLR0917
    hand: int, laid: int, accepts: int, has_pawn: int, either: int, open_any: int
) -> int:
    """Return the ranks of a hand's cards of one color that may be laid on the row of `laid`."""
    if laid:
        return hand & accepts
    return opening_ranks(hand, either, open_any) if has_pawn else 0


@register_jitable
def can_lay(playable: int, rank: int) -> bool:
    """Tell whether a card of `rank` is among the ranks that may be laid."""
    return playable >> rank & 1 == 1


@register_jitable
def can_open(with_leader: int, leader: int, explorers: int) -> bool:
    """Tell whether an expedition may start with the leader, or else with an explorer.

    `leader` is the color the leader is on, -1 while it is free; `explorers` are those still free.
    """
    return leader < 0 if with_leader else explorers > 0


@register_jitable
def can_step(space: int, last_space: int) -> bool:
    """Tell whether a step may move the pawn on `space`; 0 is beside the path."""
    return 0 < space < last_space
