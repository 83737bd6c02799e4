"""From a strategy's class to function pointers for a kernel.

The author's methods are compiled as they stand, with one change: `self` becomes the named tuple of
the class's parameters, so `self.helper(x)` turns into a call of the compiled helper and
`self.CONSTANT` into the constant. Everything keeps its line numbers. The parameters' values are
handed over at run time: one compilation serves every setting.
"""

import dis
import functools
import inspect
import re
import threading
from collections import namedtuple
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from lcsim.compiled import CompilationUnit, digest_text
from lcsim.errors import LcsimError, StrategyCompileError
from lcsim.rules import get_game
from lcsim.rules.game import MAX_GUESTS, MAX_PARAMS
from lcsim.strategy.base import BATCH, StrategyBase, list_guests, list_params
from lcsim.strategy.load import LoadedStrategy, RefereeDecider
from lcsim.strategy.rewrite import read_methods, rewrite_methods

Notify = Callable[[str], None]
_compiling = threading.RLock()
# What Numba says, and what an author can make of it.
_IN_PLAIN_WORDS = {
    r"Unsupported use of cell variable": "a function inside it calls itself or a later one",
    r"use of yield in a closure": "it makes a generator; use a list in brackets or a loop",
    r"opcode \(IMPORT_NAME\)": "it imports something; import at the top of the file",
    r"opcode \(LOAD_BUILD_CLASS\)": "it defines a class",
    r"exception_match": "it catches an exception by name; test for the case beforehand",
    r"invalid type in signature: expected a type instance": "it passes arguments by **name",
    r"Cannot bind .* to signature '\(.*\*, ": "it calls a function with arguments after a *",
}


@dataclass(frozen=True)
class CompiledStrategy:
    """A strategy as a kernel plays it: hooks in the order of the game's decisions."""

    loaded: LoadedStrategy
    hooks: tuple[Any, ...]
    params: npt.NDArray[np.float64]
    uses_rng: bool
    guests: tuple[int, ...]  # addresses of their records, which are there as long as `loaded` is

    @property
    def batch(self) -> StrategyBase | None:
        """The object that decides for many views at once; None for a strategy that is compiled."""
        return self.loaded.instance if self.loaded.form == BATCH else None

    @property
    def decider(self) -> RefereeDecider:
        """The same strategy for the referee."""
        return self.loaded.decider


def compile_strategy(loaded: LoadedStrategy, *, notify: Notify | None = None) -> CompiledStrategy:
    """Compile a strategy, from this process's or the user's cache where it is there.

    `notify` gets a sentence when a real compilation begins. Raises StrategyCompileError.
    """
    cls: Any = loaded.cls
    with _compiling:
        for player in loaded.players.values():
            player.compile(notify=notify)
        guests = tuple(player.address for player in loaded.players.values())
        if loaded.form == BATCH:
            hooks, uses_rng = _stand_in(loaded.kind), True
        else:
            hooks, uses_rng = _compile_class(cls, loaded.form, loaded.path, loaded.source, notify)
    params = np.zeros(MAX_PARAMS)
    params[: len(loaded.params)] = list(loaded.params.values())
    return CompiledStrategy(loaded, hooks, params, uses_rng, guests)


def load_engines(
    kind: str, strategies: Sequence[LoadedStrategy], *, notify: Notify | None = None
) -> None:
    """Load a game's kernel, and the engine for batches where one of the strategies needs it.

    `notify` gets a sentence when one has to be compiled first.
    """
    game = get_game(kind)
    game.load_kernel(notify)
    if any(strategy.form == BATCH for strategy in strategies):
        game.load_lockstep(notify)


def check_code(loaded: LoadedStrategy) -> None:
    """Raise StrategyCompileError where reading a strategy tells that it cannot be compiled.

    This is quick, and for whoever plays it without compiling it: the same strategies are refused.
    Batch strategies never are.
    """
    if loaded.form == BATCH:
        return
    with _explain_surprises(loaded.cls, loaded.path):
        read_methods(loaded.cls, tuple(get_game(loaded.kind).author.methods[loaded.form]))


@functools.cache
def _stand_in(kind: str) -> tuple[Any, ...]:
    """Return compiled hooks that stand for a batch strategy's: the kernel's tuples want some."""
    author = get_game(kind).author
    template = author.templates[BATCH][0]
    source = Path(template.__code__.co_filename)
    unit = CompilationUnit(source, source.read_text(encoding="utf-8"), kind)
    return (unit.compile(template, author.signature, {}),) * len(author.decisions)


@functools.lru_cache(maxsize=256)
def _compile_class(
    cls: Any, form: str, path: Path, source: str, notify: Notify | None
) -> tuple[tuple[Any, ...], bool]:
    author = get_game(cls.kind).author
    if len(list_params(cls)) > MAX_PARAMS:
        raise StrategyCompileError(
            f"{path}: {cls.__name__} has more than {MAX_PARAMS} parameters",
            hint="Turn the ones that are never tuned into class constants.",
        )
    if len(list_guests(cls)) > MAX_GUESTS:
        raise StrategyCompileError(
            f"{path}: {cls.__name__} has more than {MAX_GUESTS} guests",
            hint="Let one guest play for several.",
        )
    unit = CompilationUnit(path, source, cls.__name__, form)
    with _explain_surprises(cls, path):
        rewritten = rewrite_methods(cls, tuple(author.methods[form]), unit)
    namespace = {**rewritten.namespace, "build_self": _make_builder(cls)}
    for method in author.methods[form]:
        namespace[method] = rewritten.methods[method]
    templates = author.templates[form]
    if notify and not all(unit.is_compiled(template.__name__) for template in templates):
        notify(f"compiling {cls.__name__} ({path.name}), once for this version of it")
    try:
        with _check_indices():
            hooks = tuple(unit.compile(t, author.signature, namespace) for t in templates)
    except LcsimError:
        raise
    except Exception as error:  # Numba raises its own, and bare ones for what it did not expect
        raise _explain(cls, form, path, rewritten.methods, error) from error
    return hooks, rewritten.uses_rng


@contextmanager
def _check_indices() -> Iterator[None]:
    """Have every index compared with what it goes into: beside a view lie other seats' cards."""
    config: Any = numba.config
    before, config.BOUNDSCHECK = config.BOUNDSCHECK, 1
    try:
        yield
    finally:
        config.BOUNDSCHECK = before


@contextmanager
def _explain_surprises(cls: Any, path: Path) -> Iterator[None]:
    """Answer for what foreign code holds that nobody thought of."""
    try:
        yield
    except LcsimError:
        raise
    except Exception as error:
        line = inspect.getsourcelines(cls)[1]
        raise _refuse(cls, path, line, f"{type(error).__name__}: {error}") from error


def _make_builder(cls: Any) -> Any:
    """Return the compiled function from the kernel's parameter record to the methods' `self`."""
    params = list_params(cls)
    fields = _make_self(cls)._fields
    values = [
        f"{'int' if name in params and params[name].is_integer else 'float'}(params.value[{i}])"
        for i, name in enumerate(params or fields[:1])
    ]
    values += [f"params.guest[{i}]" for i in range(len(fields) - len(values))]
    # Compiled code is linked by name, that of the cache with that of this process: no two classes
    # may have a function of one name.
    name = f"build_self_{digest_text(cls.__module__, cls.__qualname__)[:16]}"
    scope: dict[str, Any] = {"Self": namedtuple("Self", fields)}
    exec(f"def {name}(params):\n    return Self({', '.join(values)})", scope)
    return numba.njit(scope[name])


@functools.lru_cache(maxsize=256)
def _make_self(cls: Any) -> Any:
    """Return the named tuple of a class's parameters and guests; Numba wants one field at least."""
    return namedtuple("Self", [*(list_params(cls) or ["no_parameters"]), *list_guests(cls)])


def _explain(
    cls: Any, form: str, path: Path, methods: dict[str, Any], error: Exception
) -> StrategyCompileError:
    """Find the method that cannot be compiled, its line and the reason, in the author's terms."""
    author = get_game(cls.kind).author
    kinds = {"view": author.signature.args[0], "rng": author.signature.args[1]}
    values = [
        int(p.default) if p.is_integer else float(p.default) for p in list_params(cls).values()
    ]
    guests = [np.uint64(0) for _ in list_guests(cls)]
    me = numba.typeof(_make_self(cls)(*(values or [0.0]), *guests))  # type: ignore[no-untyped-call]
    for name, arguments in author.methods[form].items():
        line = getattr(cls, name).__code__.co_firstlineno
        signature = (me, *(kinds.get(argument, numba.int64) for argument in arguments))
        try:
            methods[name].compile(signature)
        except Exception as fault:
            text = str(fault)
            line = _find_line(path, text, methods[name].py_func) or line
            return _refuse(cls, path, line, f"{name}: {_shorten(text)}")
        returned = methods[name].overloads[signature].signature.return_type
        if not isinstance(returned, numba.types.Number | numba.types.Boolean):
            what = f"{name} must return a number in every case, not {returned}"
            return _refuse(cls, path, line, what)
    return _refuse(cls, path, inspect.getsourcelines(cls)[1], _shorten(str(error)))


def _find_line(path: Path, text: str, method: Any) -> int | None:
    """Return the line that Numba's account names, or that of a name it does not know."""
    lines = re.findall(re.escape(path.name) + r'(?:"?[,:] line | \()(\d+)', text, re.IGNORECASE)
    if lines:
        return int(lines[-1])
    unknown = re.search(r"name '(\w+)' is not defined", text)
    if unknown:
        for instruction in dis.get_instructions(method):
            if instruction.argval == unknown[1] and instruction.positions:
                return instruction.positions.lineno
    return None


def _refuse(cls: type[StrategyBase], path: Path, line: int, what: str) -> StrategyCompileError:
    return StrategyCompileError(
        f"{path}, line {line}: {cls.__name__} cannot be compiled: {what}",
        path=path,
        line=line,
        hint="Compiled strategies may use numbers, tuples, loops, the helpers of "
        f"lcsim.{cls.kind} and NumPy; no strings, no dictionaries of mixed types.",
    )


def _shorten(text: str) -> str:
    """Return the line of Numba's account that says why, or what that means."""
    for pattern, words in _IN_PLAIN_WORDS.items():
        if re.search(pattern, text):
            return words
    lines = [line.strip() for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()]
    noise = ("Failed in", "During", "File", ">>>", "<source", "- Resolution", "-")
    reasons = [line for line in lines if line and not line.startswith(noise)]
    return reasons[0] if reasons else "Numba gives no reason"
