"""What a strategy's file keeps beside its functions: constants, which nothing can change.

Reading a file finds a write into a constant by name. What goes around that, by `out=` or by a
second name, meets values that cannot be written to; what cannot be made so is refused.
"""

import ast
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from lcsim.strategy.scan import NO_MEMORY, Fault

_CHANGES = {
    list: (
        *("append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"),
        *("__delitem__", "__iadd__", "__imul__", "__setitem__"),
    ),
    dict: (
        *("clear", "pop", "popitem", "setdefault", "update"),
        *("__delitem__", "__ior__", "__setitem__"),
    ),
}


def _refuse(*_given: Any, **_more: Any) -> Any:
    raise ValueError(f"it changes what outlives the move: no state. {NO_MEMORY}")


_List, _Dict = (
    type(kind.__name__, (kind,), dict.fromkeys(names, _refuse)) for kind, names in _CHANGES.items()
)


def seal_array(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array of the same numbers, shape and order that can never be written to."""
    if not array.nbytes:
        return array
    order: Literal["C", "F"] = "C" if array.flags.c_contiguous else "F"
    if not array.flags.f_contiguous:
        order = "C"
    sealed: npt.NDArray[Any] = np.frombuffer(array.tobytes(order), array.dtype)
    return sealed.reshape(array.shape, order=order)


def find_kept(module: ModuleType, source: str) -> Fault | None:
    """Return the first value of an imported file that changes as it is used, if there is one."""
    for owner in [module, *_list_classes(module)]:
        for name, value in _list_values(owner):
            if what := _find_changing(value, module.__name__, set()):
                return Fault(
                    _find_line(source, name),
                    f"{name} keeps {what}, which can change from call to call",
                    NO_MEMORY,
                )
    return None


def seal_module(module: ModuleType) -> None:
    """Make the arrays, lists, dictionaries and sets of a batch strategy's file unchangeable.

    Those of its classes too, and those inside of others. Of other files nothing is touched: their
    constants are compiled.
    """
    if not any(getattr(cls, "is_batch", False) is True for cls in _list_classes(module)):
        return
    sealed: dict[int, Any] = {}
    for owner in [module, *_list_classes(module)]:
        for name, value in list(_list_values(owner)):
            if isinstance(value, np.ndarray | list | dict | set | tuple):
                setattr(owner, name, _seal(value, sealed))


def _seal(value: Any, sealed: dict[int, Any]) -> Any:
    """Return a value that cannot change; `sealed` has what was met before, by identity."""
    key = id(value)
    if key in sealed:
        return sealed[key]
    if type(value) is np.ndarray and not value.dtype.hasobject:  # those are refused
        sealed[key] = seal_array(value)
    elif isinstance(value, list):
        sealed[key] = made = _List()
        list.extend(made, [_seal(item, sealed) for item in value])
    elif isinstance(value, dict):
        sealed[key] = made = _Dict()
        dict.update(made, {name: _seal(item, sealed) for name, item in value.items()})
    elif isinstance(value, set):
        sealed[key] = frozenset(value)
    elif isinstance(value, tuple):
        items = [_seal(item, sealed) for item in value]
        is_same = all(new is old for new, old in zip(items, value, strict=True))
        make = getattr(type(value), "_make", tuple)
        sealed[key] = value if is_same else make(items)
    else:
        return value
    return sealed[key]


def _list_classes(module: ModuleType) -> list[type]:
    """Return the classes that a file has made, and those inside of them."""
    pending, found = [module], list[Any]()
    while pending:
        for value in vars(pending.pop()).values():
            is_own = isinstance(value, type) and value.__module__ == module.__name__
            if is_own and value not in found:
                found.append(value)
                pending.append(value)
    return found


def _list_values(owner: Any) -> Iterator[tuple[str, Any]]:
    for name, value in vars(owner).items():
        if not (name.startswith("__") and name.endswith("__")):
            yield name, value


def _find_changing(value: Any, module: str, seen: set[int]) -> str:
    """Return in words what of a value changes as it is used and cannot be sealed; else nothing."""
    if id(value) in seen:
        return ""
    seen.add(id(value))
    if isinstance(value, list | tuple | set | frozenset | dict):
        items = value.values() if isinstance(value, dict) else value
        return next(filter(None, (_find_changing(item, module, seen) for item in items)), "")
    if isinstance(value, type):
        return ""
    is_odd = isinstance(value, np.ndarray) and (
        type(value) is not np.ndarray or value.dtype.hasobject
    )
    is_own = type(value).__module__ == module
    if is_odd or is_own or isinstance(value, Iterator | bytearray | memoryview | np.void):
        kind = f"an array of {value.dtype}" if type(value) is np.ndarray else type(value).__name__
        return kind if kind.startswith("an ") else f"a {kind}"
    return ""


def _find_line(source: str, name: str) -> int:
    """Return the line of a file that first gives a value to a name."""
    stores = [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
    ]
    return min(stores, default=1)
