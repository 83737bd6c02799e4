"""Guests: strategies that play inside another one's head, compiled and reached by address.

    class Planner(Strategy):
        rollout = Guest("tuned", help="who plays on in the rounds that are tried")

In a spec a guest is given like a parameter, `planner:rollout=balanced` or `rollout=mine.py`: the
name or the file of a strategy of the same game, with its own defaults and no guests itself.
"""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lcsim.rules import get_game
from lcsim.rules.game import PARAMS_DTYPE
from lcsim.rules.guest import build_guest_record
from lcsim.rules.kernel import write_params
from lcsim.rules.pointers import find_address

if TYPE_CHECKING:
    from lcsim.strategy.load import LoadedStrategy


class CompiledGuest:
    """A strategy ready to play in simulations, those of plain Python and of compiled strategies.

    Whoever uses its address keeps it.
    """

    def __init__(self, loaded: "LoadedStrategy") -> None:
        self.loaded = loaded
        self.compiled: Any = None

    def compile(self, *, notify: Callable[[str], None] | None = None) -> None:
        """Compile the strategy and its game's simulation; `notify` hears what takes time."""
        from lcsim.strategy.compile import compile_strategy

        if self.compiled is None:
            get_game(self.loaded.kind).find_tools(notify)
            self.compiled = compile_strategy(self.loaded, notify=notify)

    @property
    def address(self) -> int:
        """The address of its record."""
        return int(self._record.ctypes.data)

    def watch(self) -> None:
        """Have compiled code leave word of each decision, for `decision`; one thread may play."""
        self._record["is_watched"] = 1

    @property
    def decision(self) -> str:
        """The decision that it was asked for last, by its name, since `watch`."""
        return get_game(self.loaded.kind).author.decisions[int(self._record["asked"][0])]

    @cached_property
    def _record(self) -> npt.NDArray[Any]:
        """What compiled code knows of it, GUEST_DTYPE (1,)."""
        self.compile()
        game = get_game(self.loaded.kind)
        params = np.zeros(1, PARAMS_DTYPE)
        write_params(params[0], self.compiled)
        decisions = [find_address(hook, game.author.signature) for hook in self.compiled.hooks]
        return build_guest_record(
            decisions, game.find_tools(), params, uses_rng=self.compiled.uses_rng
        )
