"""What a round and a game come to: the row stored for a round, and who won."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lcsim.rules.duel.cards import COLORS
from lcsim.rules.duel.kernel import RESULT_DTYPE
from lcsim.rules.duel.ruleset import SEATS
from lcsim.rules.game import Settled, share_wins

ENDINGS = ("deck", "turn_limit")

ROW_DTYPE = np.dtype(
    [
        ("deal", "i8"),
        ("rotation", "i1"),
        ("starter", "i1"),  # number of the strategy that started the round
        ("round", "i2"),
        ("turns", "i2"),  # of both seats together
        ("ended_by", "i2"),  # index into ENDINGS
        *((f"score_{strategy}", "i4") for strategy in range(SEATS)),
        # of each strategy and color: the expedition as a mask of cards, the turn of the round at
        # which it was opened, from 1 (0: never), and the sum of the ranks then in hand
        *(
            (f"{name}_{strategy}_{color}", kind)
            for name, kind in (("exp", "u2"), ("opened", "i2"), ("held", "i2"))
            for strategy in range(SEATS)
            for color in COLORS
        ),
    ]
)
assert ROW_DTYPE.itemsize == RESULT_DTYPE.itemsize


def settle_games(rows: npt.NDArray[Any]) -> Settled:
    """Add up rounds and find the winners; `rows` is ROW_DTYPE (n_deals, n_rotations, n_rounds)."""
    points = np.stack(
        [rows[f"score_{strategy}"].sum(axis=2, dtype=np.int64) for strategy in range(SEATS)], axis=2
    )
    return Settled(points, share_wins(points))


def find_winners(totals: Sequence[int]) -> list[int]:
    """Return the seats with most points."""
    return [seat for seat, points in enumerate(totals) if points == max(totals)]
