"""What the kernels share: how one is compiled, where it is while it plays, and what broke it."""

import functools
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
from numba.extending import register_jitable

from lcsim.compiled import CompilationUnit
from lcsim.errors import StrategyBrokeError
from lcsim.rules.game import PARAMS_DTYPE, Compiled, blame, seat_of
from lcsim.rules.restriction import LIMITS_DTYPE
from lcsim.rules.streams import RNG_DTYPE
from lcsim.rules.underway import Decision, OverrunError, sign_in

DONE, BAD_PLAY, BAD_DRAW, WROTE_VIEW, BAD_STEP = 0, 1, 2, 3, 4

# Where a kernel is, for whoever has to explain a strategy's exception.
# AT_CALLS rises with every decision asked for, and its lowest two bits say which.
AT_DEAL, AT_ROTATION, AT_STRATEGY, AT_MOVE, AT_TURN, AT_CALLS = 0, 1, 2, 3, 4, 5
AT_SIZE = 6
CALL_BITS = 3
PLAY_CALL, DRAW_CALL, STEP_CALL = 0, 1, 2

_CACHE_LINES = 128  # bytes that two cores may pass between them as one

FAULTS: Mapping[int, str] = {
    BAD_PLAY: "chose {move}, which is not a legal play",
    BAD_DRAW: "chose {move}, which is not a legal draw",
    BAD_STEP: "chose {move}, which is not a legal step",
    WROTE_VIEW: "wrote into its view, which it may only read",
}


def load_kernel(
    module: ModuleType, *, title: str, notify: Callable[[str], None] | None = None
) -> Any:
    """Return a game's kernel, from the user's cache or compiled now; `notify` hears of the latter.

    `module` has the function that is its ENTRY and the SIGNATURE of that; `title` is what the user
    calls it.
    """
    unit = _open_unit(module)
    if notify and not unit.is_compiled(module.ENTRY.__name__):
        notify(f"compiling {title}, once for this version of lcsim; the games begin after that")
    return _compile_kernel(module)


@functools.cache
def _open_unit(module: ModuleType) -> CompilationUnit:
    source = Path(str(module.__file__))
    return CompilationUnit(source, source.read_text(encoding="utf-8"))


@functools.cache
def _compile_kernel(module: ModuleType) -> Any:
    return _open_unit(module).compile(module.ENTRY, module.SIGNATURE, {})


@register_jitable
def note_call(at, which):
    """Write down that a strategy is asked: for its play, its draw or its steps."""
    at[AT_CALLS] = (at[AT_CALLS] | CALL_BITS) + 1 + which


def load_tools(
    module: ModuleType, *, title: str, notify: Callable[[str], None] | None = None
) -> tuple[Any, ...]:
    """Return the functions that a module's SIGNATURES name, as `load_kernel` does a kernel."""
    unit = _open_unit(module)
    if notify and not all(map(unit.is_compiled, module.SIGNATURES)):
        notify(f"compiling {title}, once for this version of lcsim")
    return _compile_tools(module)


@functools.cache
def _compile_tools(module: ModuleType) -> tuple[Any, ...]:
    unit = _open_unit(module)
    return tuple(
        unit.compile(getattr(module, name), signature, {})
        for name, signature in module.SIGNATURES.items()
    )


def write_view(view: Any, dtype: np.dtype[Any]) -> Any:
    """Return a referee's view as the record of `dtype` that compiled code reads."""
    record = np.zeros(1, dtype)[0]
    for name, value in view._asdict().items():
        record[name] = value if np.ndim(value) == 0 else _pad(value, record[name].shape)
    return record


def _pad(value: Any, shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """Return an array with zeros behind what is there."""
    array = np.asarray(value, np.int64)
    return np.pad(array, [(0, size - n) for size, n in zip(shape, array.shape, strict=True)])


def set_apart(n: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return zeros, (n,) of `dtype`, that share no cache line with what another thread writes."""
    size = n * np.dtype(dtype).itemsize
    room = np.zeros(size + 2 * _CACHE_LINES, np.uint8)
    start = -room.ctypes.data % _CACHE_LINES
    return room[start : start + size].view(dtype)


def seat_strategies(strategies: Sequence[Compiled]) -> tuple[npt.NDArray[Any], ...]:
    """Return the strategies' parameters, random streams and limits, by number."""
    streams = set_apart(len(strategies), RNG_DTYPE)
    streams[:] = [((0,) * 4, int(strategy.uses_rng)) for strategy in strategies]
    limits = set_apart(len(strategies), LIMITS_DTYPE)
    for record, strategy in zip(limits, strategies, strict=True):
        strategy.decider.restriction.write_record(record)
    params = np.zeros(len(strategies), PARAMS_DTYPE)
    for record, strategy in zip(params, strategies, strict=True):
        write_params(record, strategy)
    return params, streams, limits


def write_params(record: Any, strategy: Compiled) -> None:
    """Write a strategy's parameters and the addresses of its guests into a PARAMS_DTYPE record."""
    record["value"] = strategy.params
    record["guest"][: len(strategy.guests)] = strategy.guests


def show_place(
    ruleset: Any,
    strategies: Sequence[Compiled],
    views: Any,
    *,
    seed: int,
    at: npt.NDArray[np.int64],
) -> AbstractContextManager[None]:
    """Let a watcher see where a kernel is while the body runs.

    `views[seat]` has the round and the turn; `at` is what the kernel writes.
    """
    deciders = [strategy.decider for strategy in strategies]

    def blame_strategy(overrun: OverrunError) -> StrategyBrokeError:
        number, rotation = int(at[AT_STRATEGY]), int(at[AT_ROTATION])
        view = views[seat_of(number, rotation, len(deciders))]
        decider = deciders[number]
        return blame(
            decider,
            list(decider.lines)[int(at[AT_CALLS]) & CALL_BITS],
            overrun,
            place=f"round {view['round']}, turn {view['turn']}",
            where={"deal": int(at[AT_DEAL]), "rotation": rotation, "strategy": number},
        )

    game = (ruleset, seed, [decider.spec for decider in deciders])
    return sign_in(Decision(blame_strategy, lambda: int(at[AT_CALLS]), game))


def explain_break(
    play_game: Callable[..., Any],
    ruleset: Any,
    strategies: Sequence[Compiled],
    *,
    seed: int,
    at: npt.NDArray[np.int64],
    fault: str,
) -> StrategyBrokeError:
    """Return the referee's account of the game that broke, or the kernel's where it has none.

    `at` is where the kernel was; `fault` may name the move with `{move}`.
    """
    deal, rotation = int(at[AT_DEAL]), int(at[AT_ROTATION])
    deciders = [strategy.decider for strategy in strategies]
    try:
        play_game(ruleset, seed=seed, deal=deal, rotation=rotation, strategies=deciders)
    except StrategyBrokeError as broke:
        return broke
    number = int(at[AT_STRATEGY])
    return StrategyBrokeError(
        f"{deciders[number].name} broke (deal {deal}, rotation {rotation}): {fault}",
        deal=deal,
        rotation=rotation,
        strategy=number,
    )
