"""What playing each deal from every seat saves: the variance of deal groups, and of lone games.

The games of a deal group have the cards in common. How much that cuts the variance of a mean, or
adds to it, is measured here against as many games that have nothing in common.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lcsim.report.tally import add_exactly
from lcsim.stats.estimate import PAIR, Estimate
from lcsim.stats.jackknife import jackknife

if TYPE_CHECKING:
    from lcsim.report.tally import Play

QUANTITIES = ("score", "win_rate")

# A slice's columns for each strategy and quantity, and before them its groups and games.
_GROUP, _GROUP_SQUARE, _GAME_SQUARE = range(3)
_COUNTS = 2


class GroupTally:
    """Sums of squares by game and by deal group, by matchup and slice of deals.

    The score is measured as the points above the mean of the other players.
    """

    def __init__(self) -> None:
        self.sums: dict[int, dict[int, NDArray[np.int64]]] = {}

    def add(self, play: Play, number: int) -> None:
        """Count the games of one matchup on deals of slice `number`."""
        n_deals, n_rotations, n = play.points.shape
        margins = n * play.points - play.points.sum(axis=2, keepdims=True)
        parts = [np.array([n_deals, n_deals * n_rotations], dtype=np.int64)]
        for games in (margins, play.win_twelfths):
            groups = games.sum(axis=1)
            squares = (groups * groups).sum(axis=0), (games * games).sum(axis=(0, 1))
            parts += [groups.sum(axis=0), *squares]
        self._keep(play.matchup, number, np.concatenate(parts))

    def merge(self, other: GroupTally) -> None:
        """Add the sums of other deals."""
        for matchup, slices in other.sums.items():
            for number, sums in slices.items():
                self._keep(matchup, number, sums)

    def list_strategies(self, matchup: int) -> range:
        """Return the strategies that differ: of two, one mirrors the other."""
        n = self._count_strategies(matchup)
        return range(1) if n == PAIR else range(n)

    def compare(self, matchup: int, strategy: int, quantity: str) -> Estimate | None:
        """Return the variance of a mean over deal groups by that over as many lone games.

        None where all games gave the same.
        """
        n = self._count_strategies(matchup)
        first = _COUNTS + 3 * n * QUANTITIES.index(quantity) + strategy
        at = [first + n * column for column in (_GROUP, _GROUP_SQUARE, _GAME_SQUARE)]

        def share(sums: NDArray[np.int64]) -> float | None:
            n_groups, n_games = int(sums[0]), int(sums[1])
            total, square, game_square = (int(sums[place]) for place in at)
            if n_groups < 2:
                return None
            games = n_games * game_square - total**2
            if games == 0:
                return None
            groups = (n_groups * square - total**2) / (n_groups * (n_groups - 1))
            return groups / (n_games / n_groups) / (games / (n_games * (n_games - 1)))

        slices = self.sums[matchup]
        return jackknife([slices[number] for number in sorted(slices)], share)

    def _count_strategies(self, matchup: int) -> int:
        sums = next(iter(self.sums[matchup].values()))
        return (len(sums) - _COUNTS) // (3 * len(QUANTITIES))

    def _keep(self, matchup: int, number: int, sums: NDArray[np.int64]) -> None:
        slices = self.sums.setdefault(matchup, {})
        slices[number] = add_exactly(slices[number], sums) if number in slices else sums
