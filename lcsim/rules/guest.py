"""A strategy that plays inside another one's head, as compiled code reaches it.

The host's parameters hold the address of a record of GUEST_DTYPE: the addresses of the guest's
decisions and of the tools of its game's simulation (see lcsim.rules.simulate), and its
parameters. So neither is compiled into the host, and any strategy can be a guest.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from lcsim.rules.game import PARAMS_DTYPE
from lcsim.rules.pointers import build_record_reader

MAX_DECISIONS = 3
MAX_TOOLS = 4
LAY_OUT, DEAL_WORLD, TRY_MOVE, ASK_GUEST = range(4)  # the tools, in every game

GUEST_DTYPE = np.dtype(
    [
        ("decisions", "u8", (MAX_DECISIONS,)),
        ("tools", "u8", (MAX_TOOLS,)),
        ("uses_rng", "u8"),
        ("is_watched", "u8"),  # 1 where plain Python wants to know which decision is asked
        ("asked", "i8"),  # the number of that decision
        ("params", PARAMS_DTYPE),
    ]
)

read_guest = build_record_reader(GUEST_DTYPE)


class GuestPlayer(Protocol):
    """A guest as plain Python hands it to a simulation; its record is there as long as it is."""

    @property
    def address(self) -> int:
        """The address of its record."""


def build_guest_record(
    decisions: Sequence[int], tools: Sequence[int], params: Any, *, uses_rng: bool
) -> npt.NDArray[Any]:
    """Return a guest's record, GUEST_DTYPE (1,), from addresses and a record of its parameters."""
    record = np.zeros(1, GUEST_DTYPE)
    record["decisions"][0, : len(decisions)] = decisions
    record["tools"][0, : len(tools)] = tools
    record["uses_rng"] = uses_rng
    record["params"] = params
    return record
