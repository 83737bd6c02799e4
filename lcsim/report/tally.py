"""What is counted while the parts go by: games by matchup, and scores by strategy.

Everything is an exact integer sum over deals, and two tallies of different deals add up to the
tally of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lcsim.stats.estimate import Estimate, Moments, ratio_of_sums, sum_products
from lcsim.stats.pooled import Layers

Matchups = frozenset[int]
"""The numbers of the matchups that played a deal."""

BIN_POINTS = 10
"""Width in points of the bins of a score distribution."""

_SAFE = 2**61


@dataclass(frozen=True, slots=True)
class Play:
    """One matchup's games on the deals of a segment.

    `rows` has the shape (n_deals, n_rotations, n_rounds); `points` and `win_twelfths` have
    (n_deals, n_rotations, n_strategies).
    """

    matchup: int
    labels: tuple[str, ...]
    rows: NDArray[Any]
    points: NDArray[np.int64]
    win_twelfths: NDArray[np.int64]


class ExtraTally(Protocol):
    """What a game counts beside scores and wins; see lcsim.report.games."""

    def add(self, play: Play) -> None:
        """Count the games of one matchup on the deals of the open segment."""

    def close_segment(self) -> None:
        """Sum up the deals of the segment: all its matchups have been added."""

    def merge(self, other: Any) -> None:
        """Add the tally of other deals."""


class SumTable:
    """Sums and sums of products of named integers over deals, for Moments."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.n = 0
        self.sums: NDArray[Any] = np.zeros(len(names), dtype=np.int64)
        self.products: NDArray[Any] = np.zeros((len(names), len(names)), dtype=np.int64)

    def add(self, values: NDArray[np.int64]) -> None:
        """Add deals: integers of shape (n_deals, len(names))."""
        self.n += len(values)
        self.sums = add_exactly(self.sums, values.sum(axis=0))
        self.products = add_exactly(self.products, sum_products(values, values))

    def merge(self, other: SumTable) -> None:
        """Add the sums of other deals."""
        self.n += other.n
        self.sums = add_exactly(self.sums, other.sums)
        self.products = add_exactly(self.products, other.products)

    def freeze(self) -> Moments:
        """Return the sums as Moments, in Python's integers."""
        rows = tuple(tuple(int(x) for x in row) for row in self.products)
        return Moments(self.n, self.names, tuple(int(x) for x in self.sums), rows)


class Histogram:
    """Counts by whole number, in columns, over a range that grows as it must."""

    def __init__(self, n_columns: int = 1) -> None:
        self.first = 0
        self.counts: NDArray[np.int64] = np.zeros((0, n_columns), dtype=np.int64)

    def add(self, first: int, counts: NDArray[np.int64]) -> None:
        """Add counts, int64 (n, n_columns), of the numbers first .. first + n."""
        if len(counts) == 0:
            return
        if len(self.counts) == 0:
            self.first, self.counts = first, counts.astype(np.int64)
            return
        low = min(self.first, first)
        high = max(self.first + len(self.counts), first + len(counts))
        if (low, high) != (self.first, self.first + len(self.counts)):
            wider = np.zeros((high - low, counts.shape[1]), dtype=np.int64)
            wider[self.first - low : self.first - low + len(self.counts)] = self.counts
            self.first, self.counts = low, wider
        self.counts[first - low : first - low + len(counts)] += counts

    def list_values(self) -> Iterator[tuple[int, list[int]]]:
        """Yield the numbers that were counted at all, rising, each with its counts."""
        for offset in np.flatnonzero(self.counts[:, 0]):
            yield self.first + int(offset), [int(count) for count in self.counts[offset]]


class ScoreTally:
    """How often a strategy ended a game with how many points, over all its matchups."""

    def __init__(self) -> None:
        self._values = Histogram()
        # By bin: games in it, the sum over deals of their square, and of games times all games.
        self._bins = Histogram(3)
        self.games = (0, 0)
        self.n = 0

    @property
    def values(self) -> dict[int, int]:
        """The games by score, rising."""
        return {value: count for value, (count,) in self._values.list_values()}

    @property
    def bins(self) -> list[int]:
        """The numbers of the bins that hold a game, rising."""
        return [number for number, _ in self._bins.list_values()]

    def add(self, points: NDArray[np.int64]) -> None:
        """Add deals: the points of every game of the strategy on each, (n_deals, n_games)."""
        n_deals, n_games = points.shape
        self.n += n_deals
        self.games = (self.games[0] + points.size, self.games[1] + n_deals * n_games**2)
        lowest = int(points.min())
        self._values.add(lowest, np.bincount((points - lowest).ravel())[:, None])
        which = points // BIN_POINTS
        first = int(which.min())
        which -= first
        width = int(which.max()) + 1
        which += np.arange(n_deals)[:, None] * width
        grid = np.bincount(which.ravel(), minlength=n_deals * width).reshape(n_deals, width)
        seen = grid.sum(axis=0)
        squares = np.einsum("ij,ij->j", grid, grid)
        self._bins.add(first, np.stack([seen, squares, n_games * seen], axis=1))

    def merge(self, other: ScoreTally) -> None:
        """Add the counts of other deals."""
        self.n += other.n
        self.games = (self.games[0] + other.games[0], self.games[1] + other.games[1])
        self._values.add(other._values.first, other._values.counts)
        self._bins.add(other._bins.first, other._bins.counts)

    def count(self, number: int) -> int:
        """Return how many games lie in bin `number`."""
        return self._read(number)[0]

    def share(self, number: int) -> Estimate | None:
        """Return the share of games in bin `number` with its error over deals."""
        seen, square, cross = self._read(number)
        return ratio_of_sums(self.n, (seen, self.games[0]), (square, cross, self.games[1]))

    def quantile(self, share: float) -> int:
        """Return the lowest score that at least `share` of the games reach at most."""
        wanted = share * self.games[0]
        passed = 0
        for value, count in self.values.items():
            passed += count
            if passed >= wanted:
                return value
        return max(self.values)

    def _read(self, number: int) -> tuple[int, int, int]:
        place = number - self._bins.first
        if not 0 <= place < len(self._bins.counts):
            return 0, 0, 0
        seen, square, cross = (int(count) for count in self._bins.counts[place])
        return seen, square, cross


def add_exactly(left: NDArray[Any], right: NDArray[Any]) -> NDArray[Any]:
    """Return left + right of whole numbers, in Python's integers where 64 bits may not hold it."""
    largest = max(int(np.abs(side).max(initial=0)) for side in (left, right))
    exact: NDArray[Any] = left if largest < _SAFE else left.astype(object)
    total: NDArray[Any] = exact + right
    return total


def merge_named(into: dict[Any, Any], other: Mapping[Any, Any]) -> None:
    """Merge tallies key by key; a key that is new brings its tally along."""
    for key, tally in other.items():
        if key in into:
            into[key].merge(tally)
        else:
            into[key] = tally


def freeze_layers(tables: Mapping[tuple[Any, Matchups], SumTable], key: Any) -> Layers:
    """Return the moments under a key, apart for deals of different matchups, in a fixed order."""
    found = {matchups: table for (one, matchups), table in tables.items() if one == key}
    return Layers(tuple(found[matchups].freeze() for matchups in sorted(found, key=sorted)))


def stack_games(plays: Iterable[Play]) -> dict[str, NDArray[np.int64]]:
    """Return each strategy's points in every game of the segment, (n_deals, n_games), by label."""
    found: dict[str, list[NDArray[np.int64]]] = {}
    for play in plays:
        for number, label in enumerate(play.labels):
            found.setdefault(label, []).append(play.points[:, :, number])
    return {label: np.concatenate(blocks, axis=1) for label, blocks in found.items()}
