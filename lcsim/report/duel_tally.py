"""Counts the duel's expeditions while the parts go by, for each strategy.

A round's row keeps each expedition as a 12-bit mask, the turn at which it was opened and the points
of its color in hand then; lcsim.report.duel_columns says how they are sorted. What is kept are sums
over deals (all rounds, rotations and matchups of a strategy on one deal together), and of their
products, from which ratio estimates and their errors come.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lcsim.report import duel_columns as at
from lcsim.report.tally import (
    Matchups,
    Play,
    SumTable,
    add_exactly,
    freeze_layers,
    merge_named,
)
from lcsim.rules.duel.cards import COLORS
from lcsim.stats.crossing import Band, Crossing, find_crossing
from lcsim.stats.estimate import Estimate, Moments
from lcsim.stats.paired import compare_ratios
from lcsim.stats.pooled import Layers

Key = tuple[str, Matchups]
"""A strategy, and the matchups that played a deal: errors are taken within deals of the same."""

_CONTRAST = ("points_with", "with", "points_without", "without")
_OPENINGS = (
    "openings",
    "turns",
    "held",
    *(f"{name}_{band}" for name in ("points", "openings", "held") for band in range(len(at.HELD))),
)


@dataclass(frozen=True, slots=True)
class CellSums:
    """The sums of one column: y points, x expeditions, p expeditions with a profit.

    `seen` is the number of deals that have such an expedition.
    """

    layers: Layers
    seen: int

    @property
    def x(self) -> int:
        """The number of expeditions."""
        return self.layers.total("x")

    def estimate_score(self) -> Estimate | None:
        """Return the mean points of an expedition of the column; None where there is none."""
        return self._limit(self.layers.ratio("y", "x"))

    def estimate_profit(self) -> Estimate | None:
        """Return the share of the column's expeditions that score above 0; None where none is."""
        return self._limit(self.layers.ratio("p", "x"))

    def _limit(self, value: Estimate | None) -> Estimate | None:
        """Count the deals that say something: one alone gives no error, and a few a wide one."""
        if value is None:
            return None
        return Estimate(value.mean, value.se if self.seen > 1 else None, self.seen)


@dataclass(frozen=True, slots=True)
class _Found:
    """Expeditions one by one: deal of the segment, mask, turn, points held, opened that round."""

    deal: NDArray[np.intp]
    mask: NDArray[Any]
    turn: NDArray[Any]
    held: NDArray[Any]
    opened: NDArray[np.intp]


class ExpeditionTally:
    """Sums over deals of every strategy's expeditions under one ruleset."""

    def __init__(self, ruleset: Any) -> None:
        self.table = at.build_mask_table(ruleset)
        self._most_points = max(float(np.abs(self.table.points).max()), 1.0)
        self.n: dict[Key, int] = {}
        self.sums: dict[Key, NDArray[Any]] = {}
        self.contrasts: dict[Key, SumTable] = {}
        self.openings: dict[Key, SumTable] = {}
        self.n_colors = int(ruleset.colors)
        self._turn_bands = at.TURNS.build_table()
        self._held_bands = at.HELD.build_table()
        self._open: dict[str, list[_Found]] = {}
        self._rounds: dict[str, int] = {}
        self._matchups: set[int] = set()
        self._n_deals = 0

    def add(self, play: Play) -> None:
        """Count the expeditions of one matchup on the deals of the open segment."""
        self._n_deals = len(play.rows)
        self._matchups.add(play.matchup)
        for number, label in enumerate(play.labels):
            self._open.setdefault(label, []).append(_find(play.rows, number, self.n_colors))
            self._rounds[label] = self._rounds.get(label, 0) + play.rows[0].size

    def close_segment(self) -> None:
        """Turn the open segment's expeditions into sums over deals."""
        matchups = frozenset(self._matchups)
        for label, listed in self._open.items():
            key, found = (label, matchups), _join(listed)
            y, x, p = self._count(found, self._rounds[label])
            pairs = ((y, y), (y, x), (x, x), (p, p), (p, x))
            totals = [values.sum(axis=1) for values in (y, x, p)]
            totals += [np.einsum("kg,kg->k", a, b) for a, b in pairs]
            totals.append(np.count_nonzero(x, axis=1))
            self._close_contrast(key, y, x)
            self._close_openings(key, found, y, x)
            self._sum(key, y.shape[1], np.stack(totals).astype(np.int64))
        self._open.clear()
        self._rounds.clear()
        self._matchups.clear()

    def merge(self, other: ExpeditionTally) -> None:
        """Add the sums of other deals."""
        for key, sums in other.sums.items():
            self._sum(key, other.n[key], sums)
        merge_named(self.contrasts, other.contrasts)
        merge_named(self.openings, other.openings)

    def compare_wagers(self, label: str) -> Estimate | None:
        """Return the mean points of expeditions with wagers less that of those without.

        None where one of the two kinds never occurred. Descriptive: it is not a wager's value.
        """
        moments = freeze_layers(self.contrasts, label).join()
        return compare_ratios(moments, ("points_with", "with"), ("points_without", "without"))

    def read_wagered(self, label: str, *, wagered: bool) -> Estimate | None:
        """Return the mean points of the expeditions with at least one wager, or with none."""
        kind = "with" if wagered else "without"
        return freeze_layers(self.contrasts, label).ratio(f"points_{kind}", kind)

    def read(self, label: str, column: int) -> CellSums:
        """Return the sums of one column of lcsim.report.duel_columns."""
        parts, seen = [], 0
        for key in sorted((key for key in self.sums if key[0] == label), key=_order):
            *values, met = (int(total) for total in self.sums[key][:, column])
            parts.append(_build_moments(self.n[key], values))
            seen += met
        return CellSums(Layers(tuple(parts)), seen)

    def estimate_opening(self, label: str, name: str) -> Estimate | None:
        """Return the mean "turns" at which an expedition is opened, or points "held" then."""
        return freeze_layers(self.openings, label).ratio(name, "openings")

    def find_mean_held(self, label: str, band: int) -> float | None:
        """Return the mean points held within a band of HELD; None where it has no expedition."""
        tables = [table for (one, _), table in self.openings.items() if one == label]
        sums = [dict(zip(table.names, table.sums, strict=True)) for table in tables]
        openings = sum(int(one[f"openings_{band}"]) for one in sums)
        return sum(int(one[f"held_{band}"]) for one in sums) / openings if openings else None

    def find_break_even(self, label: str) -> Crossing | None:
        """Return the points in hand from which an opened expedition brings 0 or more on average.

        Bands are those of HELD; None where nothing was opened.
        """
        bands = [
            Band(f"points_{band}", f"openings_{band}", f"held_{band}", cell.seen)
            for band in range(len(at.HELD))
            for cell in [self.read(label, at.BY_HELD + band)]
        ]
        return find_crossing(freeze_layers(self.openings, label).join(), bands)

    def _close_contrast(self, key: Key, y: NDArray[Any], x: NDArray[Any]) -> None:
        columns = [values[at.ALL] - values[at.BY_WAGERS] for values in (y, x)]
        columns += [values[at.BY_WAGERS] for values in (y, x)]
        table = self.contrasts.setdefault(key, SumTable(_CONTRAST))
        table.add(np.stack(columns, axis=1).astype(np.int64))

    def _close_openings(self, key: Key, found: _Found, y: NDArray[Any], x: NDArray[Any]) -> None:
        n = self._n_deals
        turns = np.bincount(found.deal, found.turn, n)
        keys = self._held_bands.take(found.held, mode="clip") * n + found.deal
        held = np.bincount(keys, found.held, len(at.HELD) * n).reshape(-1, n)
        bands = slice(at.BY_HELD, at.BY_HELD + len(at.HELD))
        columns = np.concatenate(
            [x[at.ALL][None], turns[None], held.sum(axis=0)[None], y[bands], x[bands], held]
        )
        table = self.openings.setdefault(key, SumTable(_OPENINGS))
        table.add(columns.T.astype(np.int64))

    def _sum(self, key: Key, n_deals: int, sums: NDArray[Any]) -> None:
        self.n[key] = self.n.get(key, 0) + n_deals
        old = self.sums.get(key)
        self.sums[key] = sums if old is None else add_exactly(old, sums)

    def _count(self, found: _Found, n_rounds: int) -> NDArray[Any]:
        """Return points, expeditions and profits by column and deal, (3, N_COLUMNS, n_deals).

        Floats hold them, whole numbers far below 2**53, so nothing is rounded; where they could
        not hold the squares, integers do.
        """
        n_deals = self._n_deals
        points, profit = self.table.points[found.mask], self.table.profit[found.mask]
        grid = np.empty((3, at.N_COLUMNS, n_deals))
        for first, end, kind in (
            (0, at.BY_TURN, self.table.cell[found.mask]),
            (at.BY_TURN, at.BY_HELD, self._turn_bands.take(found.turn, mode="clip")),
            (at.BY_HELD, at.BY_OPENED, self._held_bands.take(found.held, mode="clip")),
            (at.BY_OPENED, at.BY_WAGERS, found.opened - 1),
        ):
            keys = kind * n_deals
            keys += found.deal
            for place, weights in enumerate((points, None, profit)):
                counted = np.bincount(keys, weights, (end - first) * n_deals)
                grid[place, first:end] = counted.reshape(-1, n_deals)
        cells, margins = grid[:, : at.BY_TURN], grid[:, at.BY_WAGERS : at.PER_ROUND]
        np.matmul(at.MARGINS, cells, out=margins)
        grid[:, at.PER_ROUND] = grid[1, at.ALL], np.full(n_deals, n_rounds), np.zeros(n_deals)
        most = max(float(grid[1, at.ALL].max()) * self._most_points, n_rounds)
        return grid if most**2 * n_deals < 2.0**53 else grid.astype(np.int64)


def count_expeditions(ruleset: Any, play: Play) -> dict[str, NDArray[np.int64]]:
    """Return `opened`: each strategy's expeditions, summed over a deal's rounds and rotations."""
    names = play.rows.dtype.names or ()
    opened = np.zeros((len(play.rows), len(play.labels)), dtype=np.int64)
    for number in range(len(play.labels)):
        for name in [n for n in names if n.startswith(f"exp_{number}_")][: int(ruleset.colors)]:
            opened[:, number] += np.count_nonzero(play.rows[name], axis=(1, 2))
    return {"opened": opened}


def _order(key: Key) -> list[int]:
    return sorted(key[1])


def _build_moments(n: int, values: list[int]) -> Moments:
    """Return the moments of y, x and p; that of y with p is not counted, and nobody asks for it."""
    y, x, p, yy, yx, xx, pp, px = values
    return Moments(n, ("y", "x", "p"), (y, x, p), ((yy, yx, 0), (yx, xx, px), (0, px, pp)))


def _find(rows: NDArray[Any], number: int, n_colors: int) -> _Found:
    """Return the expeditions of a strategy in rows (n_deals, n_rotations, n_rounds)."""
    masks, turns, held = (
        np.stack([rows[f"{field}_{number}_{color}"].ravel() for color in COLORS[:n_colors]])
        for field in ("exp", "opened", "held")
    )
    laid = np.flatnonzero(masks)
    place = laid % rows.size
    opened = (masks != 0).sum(axis=0)
    return _Found(
        place // rows[0].size,
        masks.ravel()[laid],
        turns.ravel()[laid],
        held.ravel()[laid],
        opened[place],
    )


def _join(listed: list[_Found]) -> _Found:
    fields = ("deal", "mask", "turn", "held", "opened")
    return _Found(*(np.concatenate([getattr(one, name) for one in listed]) for name in fields))
