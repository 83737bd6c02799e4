"""What single moves are worth: the game as chosen less the same game without the move.

A fork gives two totals of each strategy: as the move was chosen, and with the best other move at
that turn. Their difference is the value of the move. The mean value over moves is a ratio of sums
over deal groups: of all values, and of all moves. Its error is taken between deal groups by the
delta method (`ratio_of_sums`), where a group without a move counts with zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lcsim.stats.estimate import TWELFTHS, Estimate, Integers, ratio_of_sums

VALUES = ("points", "margin", "wins", "paid")
"""Points of whoever made the move; those above the other strategy's; twelfths of a win; and 1 where
the move brought points, which makes the mean the share of moves that did."""


def value_moves(strategy: Integers, chosen: NDArray[Any], other: NDArray[Any]) -> NDArray[np.int64]:
    """Return what each move was worth, (n_moves, len(VALUES)), in the order of VALUES.

    `strategy` (n_moves,) tells whose move it was, 0 or 1; `chosen` and `other` (n_moves, 2) are the
    game's totals by strategy, with the move and without it. A draw is half a win to both.
    """
    moves = np.arange(len(strategy))
    own, rival = (moves, strategy), (moves, 1 - strategy)
    games = [np.asarray(totals, dtype=np.int64) for totals in (chosen, other)]
    leads = [game[own] - game[rival] for game in games]
    wins = [TWELFTHS // 2 * (1 + np.sign(lead)) for lead in leads]
    points = games[0][own] - games[1][own]
    return np.stack([points, leads[0] - leads[1], wins[0] - wins[1], points > 0], axis=1)


def tabulate_moves(
    groups: Integers, cells: Sequence[Integers], values: Integers, *, shape: tuple[int, int]
) -> NDArray[np.int64]:
    """Return the moves, then each of their values, summed by deal group and cell.

    Args:
        groups: the deal group of each move, (n_moves,).
        cells: for each way to sort the moves, the cell of each move, (n_moves,).
        values: from `value_moves`, (n_moves, n_values).
        shape: (n_groups, n_cells).

    Returns:
        int64 (1 + n_values, n_groups, n_cells).
    """
    n_groups, n_cells = shape
    table = np.zeros((1 + values.shape[1], n_groups * n_cells), dtype=np.int64)
    for cell in cells:
        keys = groups * n_cells + cell
        np.add.at(table[0], keys, 1)
        for number in range(values.shape[1]):
            np.add.at(table[1 + number], keys, values[:, number])
    return table.reshape(-1, n_groups, n_cells)


class MarginalSums:
    """Exact sums over deal groups of the values of moves, in several cells of moves.

    Sums of different deals merge in any order to the same.
    """

    def __init__(self, n_cells: int) -> None:
        self.n = 0
        self._sums: NDArray[Any] = np.zeros((len(VALUES) * 3 + 3, n_cells), dtype=object)

    def add(self, table: NDArray[np.int64]) -> None:
        """Add deal groups: a table of `tabulate_moves`, all moves of each group together."""
        moves, values = table[0], table[1:]
        self.n += len(moves)
        rows = [moves.sum(axis=0), (moves * moves).sum(axis=0), (moves > 0).sum(axis=0)]
        for value in values:
            rows += [value.sum(axis=0), (value * value).sum(axis=0), (value * moves).sum(axis=0)]
        self._sums = self._sums + np.stack(rows).astype(object)

    def merge(self, other: MarginalSums) -> None:
        """Add the sums of other deal groups."""
        self.n += other.n
        self._sums = self._sums + other._sums

    def count(self, cell: int) -> int:
        """Return the number of moves in a cell."""
        return int(self._sums[0, cell])

    def count_groups(self, cell: int) -> int:
        """Return the number of deal groups that have a move of the cell."""
        return int(self._sums[2, cell])

    def estimate(self, cell: int, value: str) -> Estimate | None:
        """Return the mean of one of VALUES over a cell's moves; None where there is no move.

        "points" and "margin" are in points, "wins" in games, "paid" in moves. `n` counts the groups
        that have such a move: a single one gives no error, and a few of them a wide interval.
        """
        x, xx, seen = (int(total) for total in self._sums[:3, cell])
        first = 3 + 3 * VALUES.index(value)
        y, yy, yx = (int(total) for total in self._sums[first : first + 3, cell])
        mean = ratio_of_sums(self.n, (y, x), (yy, yx, xx))
        if mean is None:
            return None
        mean = Estimate(mean.mean, mean.se if seen > 1 else None, seen)
        return mean.scaled(1 / TWELFTHS) if value == "wins" else mean
