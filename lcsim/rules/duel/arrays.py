"""Moves and cards of many views at once, for batch strategies: arrays in, arrays out."""

from typing import Any

import numpy as np
import numpy.typing as npt

from lcsim.rules.duel.cards import CARDS_PER_COLOR, MAX_COLORS, make_card
from lcsim.rules.duel.choice import distinct_cards
from lcsim.rules.duel.legal import DISCARD, DRAW_DECK

_N_MASKS = 1 << CARDS_PER_COLOR
_CARDS = [make_card(color, i) for color in range(MAX_COLORS) for i in range(CARDS_PER_COLOR)]

PLAYS: npt.NDArray[np.int64] = np.array([*_CARDS, *(DISCARD + card for card in _CARDS)])
"""Every play by number, int64 (144,): lays, then discards, color by color, cards rising."""

DRAWS: npt.NDArray[np.int64] = np.array([DRAW_DECK, *range(MAX_COLORS)])
"""Every draw by number, int64 (7,): the draw pile, then the discard piles by color."""

_BITS = (np.arange(_N_MASKS)[:, None] >> np.arange(CARDS_PER_COLOR) & 1).astype(np.bool_)
_OFFERED = _BITS[[distinct_cards(mask) for mask in range(_N_MASKS)]]
for _fixed in (PLAYS, DRAWS, _BITS, _OFFERED):
    _fixed.flags.writeable = False


def unpack_cards(masks: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return which cards are in masks of any shape, bool (…, 12)."""
    bits: npt.NDArray[np.bool_] = _BITS[masks]
    return bits


def legal_plays(views: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return which of PLAYS are offered in each of n views, bool (n, 144).

    Of equal wagers it is the lowest. The first best of what is offered, by `argmax`, is the move
    that a rating strategy of the same judgement makes.
    """
    hand = views["hand"]
    offered = np.empty((len(views), 2, MAX_COLORS, CARDS_PER_COLOR), np.bool_)
    offered[:, 0] = _OFFERED[hand & views["playable"]]
    offered[:, 1] = _OFFERED[hand]
    return offered.reshape(len(views), len(PLAYS))


def legal_draws(views: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return which of DRAWS are open in each of n views, bool (n, 7)."""
    offered = np.ones((len(views), len(DRAWS)), np.bool_)
    offered[:, 1:] = views["drawable"][:, None] >> np.arange(MAX_COLORS) & 1
    return offered
