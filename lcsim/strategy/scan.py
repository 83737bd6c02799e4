"""What a strategy's file may not use: read before any of it is run, wherever it is to be played.

A strategy is a function of what its seat sees. So it imports nothing that leads elsewhere, draws no
random numbers of its own, and keeps nothing from one move to the next. This finds what a person
writes without thinking of that; `lcsim strategies check` plays the strategy to find the rest.
"""

import ast
import dis
import functools
import typing
from collections.abc import Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from lcsim.rules import GAMES
from lcsim.strategy.registry import read_kinds

ALLOWED_IMPORTS = {"__future__", "math", "numpy", "typing"}
# Ways out of the view: to the process, the disk, memory, or what differs between two processes.
FORBIDDEN_NAMES = {
    *("breakpoint", "compile", "delattr", "eval", "exec", "getattr", "globals", "hash", "id"),
    *("input", "locals", "object", "open", "print", "setattr", "vars"),
}
# What ends a thread, a process or a run instead of a decision.
FORBIDDEN_ENDS = {
    *("BaseException", "BaseExceptionGroup", "GeneratorExit", "KeyboardInterrupt", "SystemExit"),
    *("exit", "quit"),
}
FORBIDDEN_ATTRIBUTES = {
    *("DataSource", "as_strided", "core", "ctypeslib", "dump", "dumps", "f2py", "frombuffer"),
    *("fromfile", "fromregex", "genfromtxt", "lib", "load", "loadtxt", "memmap", "save"),
    *("savetxt", "savez", "savez_compressed", "stride_tricks", "testing", "tofile"),
}
# Settings of NumPy that hold for the whole process.
FORBIDDEN_SETTINGS = {
    *("set_default_printstyle", "set_numeric_ops", "set_printoptions", "set_string_function"),
    *("setbufsize", "seterr", "seterrcall", "seterrobj"),
}
_PLAIN_DUNDERS = {"__doc__", "__name__"}
_RANDOM = {"random", "secrets", "time", "datetime", "uuid"}
_CHANGING = {  # methods that change what they are called on
    *("add", "append", "appendleft", "clear", "discard", "extend", "fill", "insert", "itemset"),
    *("pop", "popitem", "popleft", "put", "remove", "resize", "reverse", "setdefault"),
    *("setfield", "setflags", "sort", "update"),
}
_LAYOUT = {"dtype", "shape", "strides"}
_NAMING = (ast.MatchAs, ast.MatchStar, ast.ExceptHandler, ast.FunctionDef, ast.ClassDef)
NO_MEMORY = "A strategy is a function of what it sees: Params and constants, no memory."
_CONSTANTS = (
    *(type(None), bool, int, float, complex, str, bytes, range, np.generic),
    *(type, FunctionType, ModuleType),
)


class Fault(NamedTuple):
    """One thing that a strategy may not do: in which line, what, and what to do about it."""

    line: int
    what: str
    todo: str


@functools.lru_cache(maxsize=256)
def scan_source(text: str, kind: str = "") -> tuple[Fault, ...]:
    """Return what a strategy may not use in a file's text, by line; nothing of it is run.

    `kind` is the game that it is wanted for, where the file itself names none. A text that cannot
    be parsed has no faults here: importing it says more.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    reader = _Reader(tree, read_kinds(text) or ({kind} if kind else set(GAMES)))
    reader.visit(tree)
    return tuple(sorted(reader.faults, key=lambda fault: fault.line))


def find_memory(module: ModuleType) -> Fault | None:
    """Return where a function of an imported file remembers what can change, if one does."""
    for function in _list_functions(module):
        name, code = function.__name__, function.__code__
        defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
        if not all(map(_is_constant, defaults)):
            what = f"{name} has a default value that can change from call to call"
            return Fault(code.co_firstlineno, what, NO_MEMORY)
        if not code.co_freevars:
            continue
        written = {i.argval for i in dis.get_instructions(code) if i.opname == "STORE_DEREF"}
        for free, value in list_cells(function):
            if free in written or not _is_constant(value):
                what = f"{name} remembers {free} from call to call, which can change"
                return Fault(code.co_firstlineno, what, NO_MEMORY)
    return None


def list_cells(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the names and values that a function keeps of the function it was made in."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # nothing is in it yet
            continue


class _Reader(ast.NodeVisitor):
    """Reads a file's tree; `own` are the names of the outermost function it is in, if any."""

    def __init__(self, tree: ast.Module, kinds: Iterable[str]) -> None:
        doors = [f"lcsim.{kind}" for kind in kinds]
        self.door = doors[0] if len(doors) == 1 else "the door of its game"
        self.allowed = ALLOWED_IMPORTS | set(doors)
        self.modules = _name_modules(tree)
        self.faults: list[Fault] = []
        self.own: set[str] | None = None
        self.me = ""
        self.in_class = self.in_batch = False
        self.batches = {"BatchStrategy"}  # and the classes of the file that inherit from it

    def visit_Import(self, node: ast.Import) -> None:
        """import numpy."""
        for alias in node.names:
            self._judge_module(alias.name, node.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """from numpy import sqrt."""
        module = "." * node.level + (node.module or "")
        if module == "lcsim":
            for alias in node.names:
                self._judge_module(f"lcsim.{alias.name}", node.lineno)
            return
        self._judge_module(module, node.lineno)
        for alias in node.names:
            if alias.name != "*" or module == "numpy":  # it has too much for all of it
                self._judge_member(f"{module}.{alias.name}", alias.name, node.lineno)

    def visit_Name(self, node: ast.Name) -> None:
        """A name that leads out."""
        is_read = isinstance(node.ctx, ast.Load)
        if node.id in FORBIDDEN_ENDS and is_read:
            self._add(
                node.lineno,
                f"{node.id} is out of bounds for a strategy",
                "A strategy that cannot go on raises ValueError, which is told with its line.",
            )
        elif node.id in FORBIDDEN_NAMES or (is_read and _is_hidden(node.id)):
            self._refuse(node.id, node.lineno)
        elif node.id == "super":
            self._add(
                node.lineno,
                "super is out of bounds for a batch strategy"
                if self.in_batch
                else "super cannot be compiled",
                "Give the base's method a name of its own, and call it as self.name(…).",
            )

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """np.random; a write into an attribute."""
        if not (isinstance(node.value, ast.Name) and node.value.id == self.me):
            self._judge_member(self._name_in_full(node), node.attr, node.lineno)
        if isinstance(node.ctx, ast.Store | ast.Del):
            self._judge_change(node, node.value, ast.unparse(node))
            is_layout = node.attr in _LAYOUT  # which read-only arrays let anybody set
            is_made = isinstance(node.value, ast.Call)  # as in type(self).n
            if self.own is not None and (is_layout or is_made):
                self._refuse_memory(ast.unparse(node), node.lineno)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """seen[0] = 1."""
        if isinstance(node.ctx, ast.Store | ast.Del):
            self._judge_change(node, node.value, ast.unparse(node))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """seen.append(1)."""
        called = node.func
        if isinstance(called, ast.Attribute) and called.attr in _CHANGING:
            owner = called.value
            is_method = isinstance(owner, ast.Name) and owner.id in {self.me, *self.modules}
            if self.own is not None and not is_method:
                self._judge_change(called, owner, ast.unparse(owner))
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        """global seen."""
        self._refuse_memory(node.names[0], node.lineno)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """The functions of a class are methods."""
        before = self.in_class, self.in_batch
        names = {
            base.attr if isinstance(base, ast.Attribute) else ast.unparse(base)
            for base in node.bases
        }
        self.in_class, self.in_batch = True, not names.isdisjoint(self.batches)
        if self.in_batch:
            self.batches.add(node.name)
        self.generic_visit(node)
        self.in_class, self.in_batch = before

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        if self.own is not None:
            self.generic_visit(node)
            return
        self.own = set(_list_bound(node))
        arguments = [*node.args.posonlyargs, *node.args.args]
        self.me = arguments[0].arg if self.in_class and arguments else ""
        self.own -= _list_aliases(node, self.own - {self.me})
        self.generic_visit(node)
        self.own, self.me = None, ""

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _visit_function  # noqa: N815

    def _judge_module(self, name: str, line: int) -> None:
        if name.partition(".")[0] in _RANDOM or name.startswith("numpy.random"):
            self._refuse_random(name, line)
        elif name not in self.allowed:
            self._refuse(name, line)

    def _judge_member(self, full: str, name: str, line: int) -> None:
        """Judge what is taken from a module or a value: `full` is its name from the module on."""
        module = full.rpartition(".")[0]
        is_foreign = module == "typing" and name not in typing.__all__
        if name == "at" and module != "lcsim":
            self._add(
                line,
                f"{full or name} is out of bounds: it writes into what may only be read",
                "For sums by index use np.bincount, or np.add.reduceat on what is sorted.",
            )
        elif full == "numpy.random":
            self._refuse_random(full, line)
        elif full == "numpy.*" or is_foreign or (module == "lcsim" and full not in self.allowed):
            self._refuse(full, line)
        elif name in FORBIDDEN_SETTINGS:
            self._refuse_memory(full or name, line)
        elif name in FORBIDDEN_ATTRIBUTES or _is_hidden(name):
            self._refuse(name, line)

    def _name_in_full(self, node: ast.Attribute) -> str:
        """Return `numpy.linalg.norm` for np.linalg.norm; nothing for what is no module's."""
        parts = []
        at: ast.expr = node
        while isinstance(at, ast.Attribute):
            parts.append(at.attr)
            at = at.value
        if not isinstance(at, ast.Name) or at.id not in self.modules:
            return ""
        return ".".join([self.modules[at.id], *reversed(parts)])

    def _judge_change(self, node: ast.expr, root: ast.expr, what: str) -> None:
        """Refuse to change what is there before a function is called and after it has ended."""
        is_direct = isinstance(root, ast.Name)
        while isinstance(root, ast.Attribute | ast.Subscript):
            root = root.value
        if not isinstance(root, ast.Name):
            return
        name = root.id
        if self.own is None:  # a file may make its constants step by step
            is_kept = name in self.modules
        elif name == self.me:  # self.x = 1 raises by itself
            is_kept = not is_direct
        else:
            is_kept = name not in self.own
        if is_kept:
            self._refuse_memory(what, node.lineno)

    def _refuse(self, name: str, line: int) -> None:
        todo = f"Use only {self.door}, numpy and math: all that a seat may know is in its view."
        self._add(line, f"{name} is out of bounds for a strategy", todo)

    def _refuse_random(self, name: str, line: int) -> None:
        self._add(
            line,
            f"{name} makes its play differ from run to run",
            "Use the seat's own stream: a deciding strategy gets `rng` for "
            f"random_below(rng, n) and random_float(rng) of {self.door}.",
        )

    def _refuse_memory(self, name: str, line: int) -> None:
        self._add(line, f"{name} is changed, and outlives the move: no state", NO_MEMORY)

    def _add(self, line: int, what: str, todo: str) -> None:
        self.faults.append(Fault(line, what, todo))


def _name_modules(tree: ast.Module) -> dict[str, str]:
    """Return the modules that a file imports, by the names it gives them."""
    modules = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                modules[alias.asname or first] = alias.name if alias.asname else first
    return modules


def _list_bound(function: ast.AST) -> Iterator[str]:
    """Yield the names that are a function's own: its arguments, and whatever it assigns."""
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, _NAMING) and node.name:
            yield node.name


def _list_aliases(function: ast.AST, own: set[str]) -> set[str]:
    """Return the names that a function gives to nothing but what is there before it is called."""
    given: dict[str, int] = {}
    for name in _list_bound(function):
        given[name] = given.get(name, 0) + 1
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            root, name = node.value, node.targets[0].id
            while isinstance(root, ast.Attribute | ast.Subscript):
                root = root.value
            if isinstance(root, ast.Name) and root.id not in own and len(node.targets) == 1:
                given[name] -= 1
    return {name for name, others in given.items() if not others}


def _list_functions(module: ModuleType) -> Iterator[FunctionType]:
    """Yield the functions that a file has made: its own, its classes', and those they keep."""
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__
    ]
    pending = [*vars(module).values(), *(item for cls in classes for item in vars(cls).values())]
    seen = set()
    while pending:
        value = pending.pop()
        value = getattr(value, "__func__", value)
        if not isinstance(value, FunctionType) or value.__module__ != module.__name__:
            continue
        if value not in seen:
            seen.add(value)
            pending += [kept for _, kept in list_cells(value)]
            yield value


def _is_constant(value: Any) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(map(_is_constant, value))
    return isinstance(value, _CONSTANTS)


def _is_hidden(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in _PLAIN_DUNDERS
