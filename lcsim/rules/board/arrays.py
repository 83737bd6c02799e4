"""Moves and cards of many views at once, for batch strategies: arrays in, arrays out."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from lcsim.rules.board.cards import HIGHEST_RANK, MAX_COLORS, RANK_MASK, SECOND, make_card
from lcsim.rules.board.legal import DISCARD, DRAW_DECK, LEADER, NO_STEP
from lcsim.rules.board.ruleset import NO_TILE

_N_RANKS = HIGHEST_RANK + 1
_COLORS = np.arange(MAX_COLORS)
_CARDS = np.array([make_card(color, r) for color in range(MAX_COLORS) for r in range(_N_RANKS)])

PLAYS: npt.NDArray[np.int64] = np.concatenate([_CARDS, LEADER + _CARDS, DISCARD + _CARDS])
"""Every play by number, int64 (165,): lays, lays that start with the leader, discards.

Each 55 go color by color, cards rising.
"""

DRAWS: npt.NDArray[np.int64] = np.array([DRAW_DECK, *range(MAX_COLORS)])
"""Every draw by number, int64 (6,): the draw pile, then the discard piles by color."""

STEPS: npt.NDArray[np.int64] = np.array([NO_STEP, *range(MAX_COLORS)])
"""Every step by number, int64 (6,): to move no pawn, then the pawns by color."""

_BITS = (np.arange(RANK_MASK + 1)[:, None] >> np.arange(_N_RANKS) & 1).astype(np.bool_)
_ONES = _BITS.astype(np.int32)
for _fixed in (PLAYS, DRAWS, STEPS, _BITS, _ONES):
    _fixed.flags.writeable = False


def unpack_cards(masks: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """Return how many cards of each rank are in sets of any shape, int32 (…, 11): 0, 1 or 2.

    A set of ranks, such as those that a row accepts, has each of them once.
    """
    counts: npt.NDArray[np.int32] = _ONES.take(masks & RANK_MASK, axis=0) + _ONES.take(
        masks >> SECOND, axis=0
    )
    return counts


def legal_plays(views: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return which of PLAYS are legal in each of n views, bool (n, 165).

    A card that starts a path can be laid twice: with an explorer, and with the leader.
    """
    playable, starts = _BITS.take(views["playable"], axis=0), (views["mine"] == 0)[:, :, None]
    has_explorer = (views["explorers"] > 0)[:, None, None]
    offered = np.empty((len(views), 3, MAX_COLORS, _N_RANKS), np.bool_)
    offered[:, 0] = playable & (has_explorer | ~starts)
    offered[:, 1] = playable & ((views["may_lead"] > 0)[:, None, None] & starts)
    offered[:, 2] = _BITS.take(views["hand"] & RANK_MASK, axis=0)
    return offered.reshape(len(views), len(PLAYS))


def legal_draws(views: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return which of DRAWS are open in each of n views, bool (n, 6)."""
    return _offer(views["drawable"])


def legal_steps(views: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return which of STEPS may be taken in each of n views, bool (n, 6)."""
    return _offer(views["movable"])


def _offer(masks: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return the colors of masks (n,), behind what is always legal, bool (n, 6)."""
    offered = np.ones((len(masks), 1 + MAX_COLORS), np.bool_)
    offered[:, 1:] = masks[:, None] >> _COLORS & 1
    return offered


def space_gains(views: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return what the next space of each path is worth above my pawn's, in points, int64 (n, 5).

    As `space_gain` of each color: 0 at the end of a path, the leader's factor in it.
    """
    points = views["space_points"]
    first, flat = _number_rows(points), points.reshape(-1)
    gains = flat.take(first + _next_spaces(views)) - flat.take(first + views["spaces"])
    leads = views["leader"][:, None] == _COLORS
    told: npt.NDArray[np.int64] = gains * np.where(leads, views["leader_factor"][:, None], 1)
    return told


def next_tiles(views: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return the tile after each of my pawns, int64 (n, 5): NO_TILE, ARTEFACT, STEP or VP."""
    after = _next_spaces(views)
    tiles = views["tiles"]
    first = _number_rows(tiles) + tiles.shape[2] * _COLORS
    tiles = tiles.reshape(-1).take(first + after)
    told: npt.NDArray[np.int64] = np.where(after > views["spaces"], tiles, NO_TILE)
    return told


def _next_spaces(views: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the space after each of my pawns, (n, 5); where they stand at the end of a path."""
    after: npt.NDArray[Any] = np.minimum(views["spaces"] + 1, views["last_space"][:, None])
    return after


def _number_rows(table: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return where the entries of each view begin in a flat copy of a table by view, (n, 1).

    Taking from that is twice as fast as an index with two arrays.
    """
    first: npt.NDArray[np.int64] = math.prod(table.shape[1:]) * np.arange(len(table))[:, None]
    return first
