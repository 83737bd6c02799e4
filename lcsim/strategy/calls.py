"""Who calls whom among an author's functions and methods, and that nobody calls itself.

A function that calls itself, directly or around a circle, cannot be compiled into a hook of the
kernel: the linker would end the process. So circles are looked for before anything is compiled.
"""

import dis
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType

from lcsim.strategy.scan import list_cells

Node = str | FunctionType
"""A method by its name, or a function of a module."""


@dataclass(frozen=True, slots=True)
class Call:
    """A function or method that another uses, and the line where it does."""

    line: int
    called: Node


def find_circle(
    starts: Iterable[Node], list_calls: Callable[[Node], Iterable[Call]]
) -> list[Call] | None:
    """Return a circle of calls that can be reached from `starts`, its last call the closing one."""
    done: set[Node] = set()
    for start in starts:
        path = [Call(0, start)]
        open_calls = [iter(list_calls(start))]
        while path:
            call = next(open_calls[-1], None)
            if call is None:
                done.add(path.pop().called)
                open_calls.pop()
                continue
            on_path = [one.called for one in path]
            if call.called in on_path:
                return [*path[on_path.index(call.called) + 1 :], call]
            if call.called not in done:
                path.append(call)
                open_calls.append(iter(list_calls(call.called)))
    return None


def list_function_calls(function: FunctionType) -> Iterator[Call]:
    """Yield the functions of a strategy's files that a function names or keeps."""
    for _, value in list_cells(function):
        if _is_own(value):
            yield Call(function.__code__.co_firstlineno, value)
    yield from list_global_calls(function.__code__, function.__globals__)


def list_global_calls(code: CodeType, scope: Mapping[str, object]) -> Iterator[Call]:
    """Yield the functions of a strategy's files that some code names, `scope` being its globals."""
    for instruction in dis.get_instructions(code):
        value = scope.get(instruction.argval) if instruction.opname == "LOAD_GLOBAL" else None
        if isinstance(value, FunctionType) and _is_own(value):
            line = instruction.positions.lineno if instruction.positions else None
            yield Call(line or code.co_firstlineno, value)
    for item in code.co_consts:
        if isinstance(item, CodeType):
            yield from list_global_calls(item, scope)


def describe_circle(circle: Sequence[Call]) -> str:
    """Return the circle in words: `f calls g, which calls f`."""
    names = [one.called if isinstance(one.called, str) else one.called.__name__ for one in circle]
    if len(names) == 1:
        return f"{names[0]} calls itself"
    return f"{names[-1]} calls " + ", which calls ".join(names)


def _is_own(value: object) -> bool:
    return isinstance(value, FunctionType) and not value.__module__.startswith("lcsim.")
