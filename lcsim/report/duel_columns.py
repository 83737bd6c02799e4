"""How the duel's expeditions are sorted, and the column in which each kind's sums stand.

A kind is a number of wagers, of cards, or of both; the turn at which it was opened, in bands; the
points of its color in hand then, in bands; the expeditions that the player opened in that round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lcsim.rules.duel.cards import MAX_COLORS
from lcsim.rules.duel.scoring import build_score_table

N_WAGERS = 4
N_CARDS = 13
N_OPENED = MAX_COLORS


@dataclass(frozen=True, slots=True)
class Bands:
    """Whole numbers in bands, each by its lowest; the last is open above."""

    lows: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.lows)

    def list_names(self) -> list[str]:
        """Return the bands as they are shown: "0", "1–3", "34+"."""
        return [self.name(band, band) for band in range(len(self))]

    def name(self, first: int, last: int) -> str:
        """Return several neighbouring bands as they are shown."""
        low = self.lows[first]
        if last == len(self) - 1:
            return f"{low}+"
        high = self.lows[last + 1] - 1
        return str(low) if low == high else f"{low}–{high}"

    def build_table(self) -> NDArray[np.intp]:
        """Return the band of each number up to the last one's lowest, which stands for more."""
        numbers = np.arange(self.lows[-1] + 1)
        return np.maximum(np.searchsorted(self.lows, numbers, side="right") - 1, 0)


TURNS = Bands(tuple(range(1, 46, 4)))
"""Turns of a round, of both seats, from 1."""

HELD = Bands((0, *range(1, 35, 3)))
"""Points of a color in hand: the sum of the ranks. With 0 there are wagers only."""

CELLS = tuple(
    (wagers, cards)
    for wagers in range(N_WAGERS)
    for cards in range(max(1, wagers), N_CARDS - (N_WAGERS - 1 - wagers))
)
"""The numbers of wagers and of cards that go together on an expedition."""

# The counted columns, the margins of the first of them, and a round's expeditions.
BY_TURN = len(CELLS)
BY_HELD = BY_TURN + len(TURNS)
BY_OPENED = BY_HELD + len(HELD)
BY_WAGERS = BY_OPENED + N_OPENED
BY_CARDS = BY_WAGERS + N_WAGERS
ALL = BY_CARDS + N_CARDS
PER_ROUND = ALL + 1
N_COLUMNS = PER_ROUND + 1

MARGINS = np.array(
    [
        *([one == wagers for one, _ in CELLS] for wagers in range(N_WAGERS)),
        *([one == cards for _, one in CELLS] for cards in range(N_CARDS)),
        [True] * len(CELLS),
    ],
    dtype=np.float64,
)
"""Which cells the columns BY_WAGERS to ALL are the sums of."""


def column_of(*, wagers: int | None = None, cards: int | None = None) -> int:
    """Return the column of the expeditions with that many wagers, cards, or both."""
    if wagers is None and cards is None:
        return ALL
    if cards is None:
        return BY_WAGERS + (wagers or 0)
    return BY_CARDS + cards if wagers is None else CELLS.index((wagers, cards))


@dataclass(frozen=True, slots=True)
class MaskTable:
    """The 4096 possible expeditions: points, whether it made a profit, and its place in CELLS."""

    points: NDArray[np.float64]
    profit: NDArray[np.float64]
    cell: NDArray[np.intp]


def build_mask_table(ruleset: Any) -> MaskTable:
    """Return the table of a duel ruleset."""
    points = build_score_table(ruleset).astype(np.float64)
    bits = np.arange(len(points))[:, None] >> np.arange(12) & 1
    places = {cell: place for place, cell in enumerate(CELLS)}
    kinds = zip(bits[:, :3].sum(axis=1), bits.sum(axis=1), strict=True)
    cell = np.array([places.get((int(w), int(c)), 0) for w, c in kinds], dtype=np.intp)
    return MaskTable(points, (points > 0).astype(np.float64), cell)
