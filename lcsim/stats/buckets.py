"""Who finished above whom, summed by bucket of deals: what ratings and their bootstrap need.

A bootstrap draws deals again, so it needs each deal's results by itself; a run of ten million deals
would then need ten million numbers a pair. Deals are therefore gathered in at most `BUCKETS`
buckets. The bucket of a deal is its number modulo `BUCKETS`, so neither the order of work nor the
size of units changes what a bucket holds, and the same deal of every matchup falls into the same
bucket. Up to `BUCKETS` deals each has a bucket of its own; beyond that a bucket is a group of
deals as independent as they are, and drawing groups gives the same errors.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

BUCKETS = 1024
"""Buckets of deals: an error from that many independent groups is known to 2 %."""


def list_pairs(n_strategies: int) -> list[tuple[int, int]]:
    """Return the pairs of strategies of a matchup, in the order of `count_pair_wins`."""
    return list(combinations(range(n_strategies), 2))


def count_pair_wins(
    points: NDArray[np.signedinteger[Any]], win_twelfths: NDArray[np.signedinteger[Any]]
) -> NDArray[np.int64]:
    """Return in halves how many games of each deal the first of each pair finished above.

    Both arrays have the shape (n_deals, n_rotations, n_strategies), the result (n_deals, n_pairs).
    Winners finish above the others and more points above fewer; equals count one half to each. A
    game of two is one comparison; one of three or four is taken as all its pairs, each as a game.
    """
    standing = 2 * points.astype(np.int64) + (win_twelfths > 0)
    pairs = list_pairs(points.shape[2])
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    lead = np.sign(standing[:, :, first] - standing[:, :, second])
    halves: NDArray[np.int64] = (1 + lead).sum(axis=1)
    return halves


class PairSums:
    """The pairs of one matchup: halves won and games played, by bucket of deals.

    `halves` is int64 (BUCKETS, n_pairs), won by the first of each pair; `games` is int64
    (BUCKETS,); `n_deals` counts deal groups.
    """

    def __init__(self, n_strategies: int) -> None:
        self.n_deals = 0
        self.games = np.zeros(BUCKETS, dtype=np.int64)
        self.halves = np.zeros((BUCKETS, len(list_pairs(n_strategies))), dtype=np.int64)

    def add(
        self,
        deals: Sequence[int] | NDArray[np.integer[Any]],
        points: NDArray[np.signedinteger[Any]],
        win_twelfths: NDArray[np.signedinteger[Any]],
    ) -> None:
        """Add the deals of those numbers; the arrays are those of `count_pair_wins`."""
        buckets = np.asarray(deals, dtype=np.int64) % BUCKETS
        self.n_deals += len(buckets)
        np.add.at(self.games, buckets, points.shape[1])
        np.add.at(self.halves, buckets, count_pair_wins(points, win_twelfths))

    def merge(self, other: "PairSums") -> None:
        """Add the sums of other deals."""
        self.n_deals += other.n_deals
        self.games += other.games
        self.halves += other.halves
