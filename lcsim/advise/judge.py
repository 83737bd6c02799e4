"""What a margin of points is worth in games won, where more rounds may follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lcsim.stats.estimate import Estimate

LATER_DEALS = 2**42
"""Deals from here on tell how later rounds may go."""
LATER_ROUNDS, FEWEST_LATER = 40_000, 1000

Margins = npt.NDArray[np.int64]
Shares = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """A lead before the round, and what the rounds after it may add: `later`, sorted, float64 (n,).

    `later` comes of `n_deals` independent deals; it is one 0 and `n_deals` is 0 in the last round.
    """

    lead: int
    later: Shares
    n_deals: int

    def find_shares(self, margins: Margins) -> Shares:
        """Return the chance to win the game after each margin of this round, (n,); draws half."""
        need = -(self.lead + margins)
        below = np.searchsorted(self.later, need, side="left")
        at_most = np.searchsorted(self.later, need, side="right")
        return 1.0 - (below + at_most) / (2.0 * len(self.later))

    def widen(self, share: Estimate) -> Estimate:
        """Return a share, or a difference of two, with the error of the later rounds added.

        That of a share p of n independent deals; what both sides of each deal have in common makes
        it smaller, which is left out.
        """
        if not self.n_deals or share.se is None:
            return share
        size = min(abs(share.mean), 1.0)
        return Estimate(
            share.mean,
            float(np.hypot(share.se, (size * (1 - size) / self.n_deals) ** 0.5)),
            share.n,
        )


def judge_last_round(lead: int) -> Judge:
    """Return the judge of a round after which the game is decided."""
    return Judge(lead, np.zeros(1), 0)
