"""Counts the duel's expeditions while the parts go by: by wagers and by cards, for each strategy.

A round's row keeps each expedition as a 12-bit mask; a 4096-row table turns it into wagers, cards
and points. What is kept are sums over deals (all rounds, rotations and matchups of a strategy on
one deal together), and of their products, from which ratio estimates and their errors come.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lcsim.report.tally import Play, SumTable, add_exactly, merge_named
from lcsim.rules.duel.scoring import build_score_table
from lcsim.stats.estimate import Estimate, ratio_of_sums
from lcsim.stats.paired import compare_ratios

N_WAGERS = 4
N_CARDS = 13
_GRID = N_WAGERS * N_CARDS

# The columns of the sums: each cell of wagers by cards, then the margins, all, and a round's.
_BY_WAGERS = _GRID
_BY_CARDS = _BY_WAGERS + N_WAGERS
ALL = _BY_CARDS + N_CARDS
PER_ROUND = ALL + 1
_COLUMNS = PER_ROUND + 1

_CONTRAST = ("points_with", "with", "points_without", "without")


@dataclass(frozen=True, slots=True)
class MaskTable:
    """The 4096 possible expeditions: points, whether it made a profit, and its cell in the grid."""

    points: NDArray[np.float64]
    profit: NDArray[np.float64]
    cell: NDArray[np.int64]


def build_mask_table(ruleset: Any) -> MaskTable:
    """Return the table of a duel ruleset."""
    points = build_score_table(ruleset).astype(np.float64)
    bits = np.arange(len(points))[:, None] >> np.arange(12) & 1
    cell = bits[:, :3].sum(axis=1) * N_CARDS + bits.sum(axis=1)
    return MaskTable(points, (points > 0).astype(np.float64), cell)


@dataclass(frozen=True, slots=True)
class CellSums:
    """The sums of one cell over n deals: y points, x expeditions, p expeditions with a profit.

    `seen` is the number of deals that have such an expedition.
    """

    n: int
    y: int
    x: int
    p: int
    yy: int
    yx: int
    xx: int
    pp: int
    px: int
    seen: int

    def estimate_score(self) -> Estimate | None:
        """Return the mean points of an expedition of the cell; None where there is none."""
        return self._limit(ratio_of_sums(self.n, (self.y, self.x), (self.yy, self.yx, self.xx)))

    def estimate_profit(self) -> Estimate | None:
        """Return the share of the cell's expeditions that score above 0; None where none is."""
        return self._limit(ratio_of_sums(self.n, (self.p, self.x), (self.pp, self.px, self.xx)))

    def _limit(self, value: Estimate | None) -> Estimate | None:
        """Count the deals that say something: one alone gives no error, and a few a wide one."""
        if value is None:
            return None
        return Estimate(value.mean, value.se if self.seen > 1 else None, self.seen)


class ExpeditionTally:
    """Sums over deals of every strategy's expeditions under one ruleset."""

    def __init__(self, ruleset: Any) -> None:
        self.table = build_mask_table(ruleset)
        self._n_colors = int(ruleset.colors)
        self.n: dict[str, int] = {}
        self.sums: dict[str, NDArray[Any]] = {}
        self.contrasts: dict[str, SumTable] = {}
        self._open: dict[str, NDArray[np.float64]] = {}
        self._rounds: dict[str, int] = {}

    def add(self, play: Play) -> None:
        """Count the expeditions of one matchup on the deals of the open segment."""
        n_deals = len(play.rows)
        names = play.rows.dtype.names or ()
        for number, label in enumerate(play.labels):
            colors = [name for name in names if name.startswith(f"exp_{number}_")][: self._n_colors]
            masks = np.stack([play.rows[name] for name in colors], axis=-1).reshape(n_deals, -1)
            grid = self._count(masks)
            self._open[label] = self._open[label] + grid if label in self._open else grid
            self._rounds[label] = self._rounds.get(label, 0) + play.rows[0].size

    def close_segment(self) -> None:
        """Turn the open segment's counts by deal into sums over deals."""
        for label, grid in self._open.items():
            y, x, p = (_add_margins(values) for values in grid)
            x[PER_ROUND], y[PER_ROUND] = self._rounds[label], x[ALL]
            pairs = ((y, y), (y, x), (x, x), (p, p), (p, x))
            totals = [values.sum(axis=1) for values in (y, x, p)]
            totals += [np.einsum("kg,kg->k", a, b) for a, b in pairs]
            totals.append(np.count_nonzero(x, axis=1))
            self._close_contrast(label, y, x)
            self.n[label] = self.n.get(label, 0) + y.shape[1]
            self._sum(label, np.stack(totals).astype(np.int64))
        self._open.clear()
        self._rounds.clear()

    def merge(self, other: ExpeditionTally) -> None:
        """Add the sums of other deals."""
        for label, sums in other.sums.items():
            self.n[label] = self.n.get(label, 0) + other.n[label]
            self._sum(label, sums)
        merge_named(self.contrasts, other.contrasts)

    def compare_wagers(self, label: str) -> Estimate | None:
        """Return the mean points of expeditions with wagers less that of those without.

        None where one of the two kinds never occurred. Descriptive: it is not a wager's value.
        """
        moments = self.contrasts[label].freeze()
        return compare_ratios(moments, ("points_with", "with"), ("points_without", "without"))

    def read_wagered(self, label: str, *, wagered: bool) -> Estimate | None:
        """Return the mean points of the expeditions with at least one wager, or with none."""
        kind = "with" if wagered else "without"
        return self.contrasts[label].freeze().ratio(f"points_{kind}", kind)

    def read(self, label: str, column: int) -> CellSums:
        """Return the sums of one column: `column_of`, ALL or PER_ROUND."""
        values = (int(total) for total in self.sums[label][:, column])
        return CellSums(self.n[label], *values)

    def _close_contrast(self, label: str, y: NDArray[Any], x: NDArray[Any]) -> None:
        columns = [values[ALL] - values[_BY_WAGERS] for values in (y, x)]
        columns += [values[_BY_WAGERS] for values in (y, x)]
        table = self.contrasts.setdefault(label, SumTable(_CONTRAST))
        table.add(np.stack(columns, axis=1).astype(np.int64))

    def _sum(self, label: str, sums: NDArray[Any]) -> None:
        old = self.sums.get(label)
        self.sums[label] = sums if old is None else add_exactly(old, sums)

    def _count(self, masks: NDArray[Any]) -> NDArray[np.float64]:
        """Return points, expeditions and profits by cell and deal, (3, 52, n_deals).

        Floats hold them: whole numbers far below 2**53, so nothing is rounded.
        """
        n_deals, table = len(masks), self.table
        flat = masks.ravel()
        keys = (table.cell[masks] * n_deals + np.arange(n_deals)[:, None]).ravel()
        size = _GRID * n_deals
        grid = np.empty((3, _GRID, n_deals))
        grid[0] = np.bincount(keys, table.points[flat], size).reshape(_GRID, n_deals)
        grid[1] = np.bincount(keys, minlength=size).reshape(_GRID, n_deals)
        grid[2] = np.bincount(keys, table.profit[flat], size).reshape(_GRID, n_deals)
        grid[:, 0] = 0  # colours in which nothing was laid are no expeditions
        return grid


def count_expeditions(ruleset: Any, play: Play) -> dict[str, NDArray[np.int64]]:
    """Return `opened`: each strategy's expeditions, summed over a deal's rounds and rotations."""
    names = play.rows.dtype.names or ()
    opened = np.zeros((len(play.rows), len(play.labels)), dtype=np.int64)
    for number in range(len(play.labels)):
        for name in [n for n in names if n.startswith(f"exp_{number}_")][: int(ruleset.colors)]:
            opened[:, number] += np.count_nonzero(play.rows[name], axis=(1, 2))
    return {"opened": opened}


def column_of(*, wagers: int | None = None, cards: int | None = None) -> int:
    """Return the column of the expeditions with that many wagers, cards, or both."""
    if wagers is None and cards is None:
        return ALL
    if cards is None:
        return _BY_WAGERS + (wagers or 0)
    return _BY_CARDS + cards if wagers is None else wagers * N_CARDS + cards


def _add_margins(grid: NDArray[np.float64]) -> NDArray[Any]:
    """Return all columns by deal, from the cells; integers where floats could not hold squares."""
    n_deals = grid.shape[1]
    shaped = grid.reshape(N_WAGERS, N_CARDS, n_deals)
    columns = np.empty((_COLUMNS, n_deals))
    columns[:_GRID] = grid
    shaped.sum(axis=1, out=columns[_BY_WAGERS:_BY_CARDS])
    shaped.sum(axis=0, out=columns[_BY_CARDS:ALL])
    columns[_BY_WAGERS:_BY_CARDS].sum(axis=0, out=columns[ALL])
    columns[PER_ROUND] = 0
    largest = max(float(columns.max(initial=0)), -float(columns.min(initial=0)))
    return columns if largest**2 * n_deals < 2.0**53 else columns.astype(np.int64)
