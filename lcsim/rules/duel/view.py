"""What a seat may see of a duel: its hand, and what is public. Nothing else reaches a strategy.

The kernel keeps one record of VIEW_DTYPE a seat; the referee builds a `View`, which has the same
fields as plain integers and tuples. Masks are over a color's cards (bits 0-2 wagers, 3-11 ranks
2-10); fields of six entries are by color, those of colors that are not in the deck empty.
"""

from typing import NamedTuple

import numpy as np

from lcsim.rules.duel.cards import COLOR_SLOTS, MAX_COLORS

Colors = tuple[int, ...]


class View(NamedTuple):
    """What a seat sees at one of its decisions."""

    my_points: int  # of the rounds already finished
    their_points: int
    hand: Colors  # masks: my cards
    mine: Colors  # masks: cards on my expeditions
    theirs: Colors  # masks: cards on the opponent's expeditions
    playable: Colors  # masks: cards that my expeditions still accept, in my hand or not
    their_playable: Colors  # masks: cards that the opponent's expeditions still accept
    discarded: Colors  # masks: cards on the discard piles
    known_theirs: Colors  # masks: cards I have seen the opponent draw, and still hold
    discard_top: Colors  # codes: top card of each discard pile, -1 for none
    drawable: int  # mask over colors: discard piles that may be drawn from now
    deck_left: int  # cards in the draw pile
    turn: int  # turns of this round before this one, of both seats
    round: int
    rounds: int
    colors: int  # the ruleset, from here on
    hand_size: int
    color_mask: int  # mask: cards that each color has
    expedition_cost: int
    bonus_cards: int
    bonus_points: int
    either: int  # 1 where expeditions may rise or fall
    turn_limit: int
    redraw_own_discard: int  # 1 where the card just discarded may be drawn


_WIDE = {"my_points", "their_points"}

VIEW_DTYPE = np.dtype(
    [
        (name, "i4")
        if name in _WIDE
        else (name, "i2", (COLOR_SLOTS,))
        if kind == Colors
        else (name, "i2")
        for name, kind in View.__annotations__.items()
    ]
    + [("unused", "i2", (2,))]  # to whole words
)
VIEW_WORDS = VIEW_DTYPE.itemsize // 8

# A view as batch strategies get it: the fields of `View`, wide enough to reckon with.
BATCH_DTYPE = np.dtype(
    [
        (name, "i4", (MAX_COLORS,)) if kind == Colors else (name, "i4")
        for name, kind in View.__annotations__.items()
    ]
)
