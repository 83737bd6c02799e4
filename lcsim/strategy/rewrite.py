"""A class's methods as plain functions that Numba can compile, line numbers kept."""

import ast
import copy
import functools
import inspect
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numba

from lcsim.compiled import CompilationUnit, rebase_code
from lcsim.errors import StrategyCompileError, did_you_mean
from lcsim.rules import get_game
from lcsim.strategy.base import StrategyBase, list_guests, list_params
from lcsim.strategy.calls import (
    Call,
    Node,
    describe_circle,
    find_circle,
    list_function_calls,
    list_global_calls,
)
from lcsim.strategy.scan import list_cells

_METHOD = "{}__method"
_CONSTANT = "{}__constant"


@dataclass
class Rewritten:
    """Compiled methods by name, the globals they share, and whether they use random numbers."""

    methods: dict[str, Any] = field(default_factory=dict)
    namespace: dict[str, Any] = field(default_factory=dict)
    uses_rng: bool = False


def rewrite_methods(
    cls: type[StrategyBase], wanted: tuple[str, ...], unit: CompilationUnit
) -> Rewritten:
    """Rewrite the methods `wanted` and what they call; raises StrategyCompileError."""
    methods = read_methods(cls, wanted)
    rewritten = Rewritten()
    rewritten.namespace.update(_prepare_globals(inspect.getmodule(cls), unit))
    for name, method in methods.items():
        for constant in method.constants:
            rewritten.namespace[_CONSTANT.format(constant)] = inspect.getattr_static(cls, constant)
        scope = rewritten.namespace
        if method.module is not inspect.getmodule(cls):
            scope = {**_prepare_globals(method.module, unit), **scope}
        exec(compile(method.tree, str(unit.path), "exec"), scope)
        function = scope[_METHOD.format(name)]
        function.__qualname__ = f"{cls.__qualname__}.{function.__name__}"  # compiled code's name
        compiled = numba.njit(function, forceinline=True)
        rewritten.methods[name] = rewritten.namespace[_METHOD.format(name)] = compiled
        rewritten.uses_rng |= method.uses_rng
    return rewritten


def read_methods(cls: type[StrategyBase], wanted: tuple[str, ...]) -> dict[str, "_Method"]:
    """Return the methods `wanted` and those they call, rewritten but not yet compiled.

    Raises:
        StrategyCompileError: reading them is enough to see that they cannot be compiled.
    """
    methods: dict[str, _Method] = {}
    pending = list(wanted)
    while pending:
        name = pending.pop()
        if name not in methods:
            methods[name] = _Method(cls, name)
            pending += [str(call.called) for call in methods[name].calls]
    _refuse_circles(cls, methods, wanted)
    return methods


def _refuse_circles(
    cls: type[StrategyBase], methods: Mapping[str, "_Method"], wanted: tuple[str, ...]
) -> None:
    """Raise StrategyCompileError for a method or function that calls itself, round about or not."""

    def list_calls(node: Node) -> Iterable[Call]:
        if isinstance(node, str):
            method = methods[node]
            code, scope = method.function.__code__, method.function.__globals__
            return [*method.calls, *list_global_calls(code, scope)]
        return list_function_calls(node)

    circle = find_circle(wanted, list_calls)
    if circle is None:
        return
    path, line = Path(inspect.getfile(cls)), circle[-1].line
    raise StrategyCompileError(
        f"{path}, line {line}: {cls.__name__} cannot be compiled: {describe_circle(circle)}",
        path=path,
        line=line,
        hint="Write it as a loop: compiled code has no recursion.",
    )


class _Method(ast.NodeTransformer):
    """One method of a class, on its way from `self.x` to globals; `tree` is a module with it."""

    def __init__(self, cls: type[StrategyBase], name: str) -> None:
        self.cls, self.name = cls, name
        self.is_static = isinstance(inspect.getattr_static(cls, name), staticmethod)
        function = inspect.unwrap(getattr(cls, name))
        code = getattr(function, "__code__", None)
        if not isinstance(function, types.FunctionType) or function.__closure__:
            line = code.co_firstlineno if code else inspect.getsourcelines(cls)[1]
            raise self._error(
                line,
                f"{name} is no plain method",
                hint="Define it in the class with def, without a decorator other than "
                "staticmethod.",
            )
        self.function = function
        self.module = inspect.getmodule(function)
        self.node = _find_function(function)
        arguments = [argument.arg for argument in self.node.args.args]
        self.me = "" if self.is_static or not arguments else arguments[0]
        self.views = {name for name in arguments if name == "view"}
        self.rngs = {name for name in arguments if name == "rng"}
        self.params = {*list_params(cls), *list_guests(cls)}
        self.calls: list[Call] = []
        self.constants: list[str] = []
        self.uses_rng = False
        self.tree = self._rewrite()

    def _rewrite(self) -> ast.Module:
        node = self.node
        node.name = _METHOD.format(self.name)
        node.decorator_list, node.returns = [], None
        for argument in [*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs]:
            argument.annotation = None
        node.body = [self.visit(statement) for statement in node.body]
        return ast.fix_missing_locations(ast.Module([node], type_ignores=[]))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """self.helper(x) becomes helper__method(self, x)."""
        called = node.func
        if not self._is_self(called) or not callable(getattr(self.cls, called.attr, None)):  # type: ignore[attr-defined]
            return self.generic_visit(node)
        name = called.attr  # type: ignore[attr-defined]
        self.calls.append(Call(node.lineno, name))
        is_static = isinstance(inspect.getattr_static(self.cls, name), staticmethod)
        me = [] if is_static else [ast.Name(self.me, ast.Load())]
        node.func = ast.copy_location(ast.Name(_METHOD.format(name), ast.Load()), called)
        node.args = [*me, *(self.visit(argument) for argument in node.args)]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """self.CONSTANT becomes a global; self.param stays, an entry of the named tuple."""
        if isinstance(node.ctx, ast.Store | ast.Del):
            self._refuse_writing(node)
        if isinstance(node.value, ast.Name) and node.value.id in self.views:
            self._check_field(node)
        if not self._is_self(node) or node.attr in self.params:
            return self.generic_visit(node)
        if not hasattr(self.cls, node.attr):
            raise self._error(
                node.lineno, f"self.{node.attr} is no parameter, method or constant of the class"
            )
        self.constants.append(node.attr)
        return ast.copy_location(ast.Name(_CONSTANT.format(node.attr), ast.Load()), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Only what is not the view's may be written into."""
        if isinstance(node.ctx, ast.Store | ast.Del):
            self._refuse_writing(node)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Note a use of the seat's random numbers."""
        self.uses_rng |= node.id in self.rngs
        return node

    def _is_self(self, node: ast.AST) -> bool:
        return (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and bool(self.me)
            and node.value.id == self.me
        )

    def _check_field(self, node: ast.Attribute) -> None:
        fields = get_game(self.cls.kind).author.view_fields
        if node.attr not in fields:
            near = did_you_mean(node.attr, fields)
            raise self._error(
                node.lineno, f"a view has no {node.attr!r}: {near}it has {', '.join(fields)}"
            )

    def _refuse_writing(self, node: ast.Attribute | ast.Subscript) -> None:
        root: ast.expr = node
        while isinstance(root, ast.Attribute | ast.Subscript):
            root = root.value
        if isinstance(root, ast.Name) and root.id in self.views:
            raise self._error(node.lineno, "the view may only be read")
        if isinstance(root, ast.Name) and self.me and root.id == self.me:
            raise self._error(node.lineno, "a strategy keeps no state: self cannot be set")

    def _error(self, line: int, what: str, *, hint: str = "") -> StrategyCompileError:
        path = Path(inspect.getfile(self.cls))
        return StrategyCompileError(
            f"{path}, line {line}: {self.cls.__name__}.{self.name}: {what}",
            path=path,
            line=line,
            hint=hint
            or "A strategy is a function of what it sees: Params and constants, no memory.",
        )


def _find_function(function: types.FunctionType) -> ast.FunctionDef:
    """Return a fresh tree of a method, with the line numbers of its file."""
    path = Path(function.__code__.co_filename)
    first = function.__code__.co_firstlineno
    for node in _list_functions(path.read_text(encoding="utf-8-sig")):
        lines = [node.lineno, *(decorator.lineno for decorator in node.decorator_list)]
        if node.name == function.__name__ and min(lines) == first:
            return copy.deepcopy(node)
    raise StrategyCompileError(
        f"{path}, line {first}: {function.__name__} cannot be found in its file",
        hint="Define the method with def, in a file.",
        path=path,
        line=first,
    )


@functools.lru_cache(maxsize=32)
def _list_functions(text: str) -> tuple[ast.FunctionDef, ...]:
    return tuple(node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))


def _prepare_globals(module: types.ModuleType | None, unit: CompilationUnit) -> dict[str, Any]:
    """Return a module's globals, its plain functions compiled, helpers of lcsim as they are."""
    scope = dict(vars(module)) if module else {}
    for name, value in list(scope.items()):
        if isinstance(value, types.FunctionType) and not value.__module__.startswith("lcsim."):
            if module and value.__module__ == module.__name__:
                scope[name] = _prepare_function(value, name, scope, unit, ())
            else:
                scope[name] = numba.njit(value, forceinline=True)
    return scope


def _prepare_function(
    function: types.FunctionType,
    name: str,
    scope: dict[str, Any],
    unit: CompilationUnit,
    around: tuple[types.FunctionType, ...],
) -> Any:
    """Return a module's function ready to be compiled, and those it keeps (see `list_cells`).

    Compiled code is linked by name, and several functions made in one place have one there: each
    gets a name from where it is found. `around` are the functions that keep this one.
    """
    cells = []
    for free, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        kept = dict(list_cells(function)).get(free)
        if isinstance(kept, types.FunctionType) and kept.__module__ == function.__module__:
            if kept in (*around, function):
                return function  # a circle, which nothing calls that is compiled
            inner = _prepare_function(kept, f"{name}.{free}", scope, unit, (*around, function))
            cell = types.CellType(inner)
        cells.append(cell)
    code = rebase_code(function.__code__, str(unit.path))
    made = types.FunctionType(
        code, scope, name.rpartition(".")[2], function.__defaults__, tuple(cells)
    )
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__ = name
    return numba.njit(made, forceinline=True)
