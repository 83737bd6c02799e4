"""Which strategies there are: by folder and by the entry-point group `lcsim.strategies`.

Files are read, not run, to learn the names of their classes; only the one that is wanted is
imported. An entry point names a file's module, and its file is read like any other.
"""

import ast
import functools
import importlib.metadata
import importlib.util
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lcsim.errors import SpecError, UnknownNameError, UsageError
from lcsim.rules import GAMES, get_game
from lcsim.shipped import find_shipped
from lcsim.strategy.base import name_class
from lcsim.strategy.files import check_is_file

ENTRY_POINTS = "lcsim.strategies"
LOCAL_FOLDER = Path("strategies")


@dataclass(frozen=True, slots=True)
class Found:
    """A strategy class found in a file, not yet imported; `error` where none can be read."""

    path: Path
    class_name: str
    kind: str = ""
    source: str = "file"
    error: str = ""

    @property
    def name(self) -> str:
        """The strategy's name, or the file's where no class could be read."""
        return name_class(self.class_name) if self.class_name else self.path.stem.replace("_", "-")


def find_by_name(name: str, *, kind: str | None = None, folders: Sequence[Path] = ()) -> Found:
    """Return the first strategy of that name, of one kind or of any.

    Raises:
        SpecError: only another kind of game has a strategy of that name.
        UnknownNameError: none has.
    """
    names, elsewhere = [], ""
    for found in scan_strategies(folders=folders):
        if kind is None or found.kind == kind or found.error:
            if found.name == name:
                return found
            names.append(found.name)
        elif found.name == name:
            elsewhere = found.kind
    if kind and elsewhere:
        raise explain_other_game(name, kind=kind, own=elsewhere)
    raise UnknownNameError(
        f"{kind} strategy" if kind else "strategy",
        name,
        names,
        hint="`lcsim strategies list` describes them; a file of your own is named by its path.",
    )


def explain_other_game(name: str, *, kind: str, own: str) -> SpecError:
    """Return the error for a strategy that was named for a game of `kind`, and is for `own`."""
    return SpecError(
        f"{name!r} is a strategy for {get_game(own).title}, not for {get_game(kind).title}",
        hint=f"`--ruleset {own}` plays that game; `lcsim strategies list --kind {kind}` names the "
        "strategies for this one.",
    )


def find_hidden(name: str, *, kind: str, folders: Sequence[Path] = ()) -> Found | None:
    """Return the next other strategy that a name would mean, were it not for the first."""
    found = [
        one for one in scan_strategies(folders=folders) if (one.name, one.kind) == (name, kind)
    ]
    texts = [one.path.read_bytes() for one in found]
    return next((one for one, text in zip(found, texts, strict=True) if text != texts[0]), None)


def scan_strategies(*, folders: Sequence[Path] = ()) -> Iterator[Found]:
    """Yield every strategy class, nearest first; a file met twice is yielded once."""
    seen: set[Path] = set()
    for source, path in _list_files(folders):
        resolved = path.resolve()
        if resolved not in seen:
            seen.add(resolved)
            yield from _scan_file(path, source)


def read_kind(text: str) -> str:
    """Return the kind of the strategies in a file's text; empty where it cannot be told."""
    kinds = read_kinds(text)
    return kinds.pop() if len(kinds) == 1 else ""


def read_kinds(text: str) -> set[str]:
    """Return the kinds of the strategies in a file's text."""
    try:
        return {kind for _, kind in _read_classes(text)}
    except (SyntaxError, ValueError):
        return set()


def list_classes(text: str) -> list[str]:
    """Return the names of the strategy classes in a file's text; raises SyntaxError, ValueError."""
    return [name for name, _ in _read_classes(text)]


def _list_files(folders: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(
                f"{folder} is not a folder of strategies", hint="Give an existing folder."
            )
    shipped = find_shipped("strategies")
    places = [("folder", folder) for folder in folders]
    if LOCAL_FOLDER.is_dir() and LOCAL_FOLDER.resolve() != shipped.resolve():
        places.append(("local", LOCAL_FOLDER))
    for source, folder in [*places, ("shipped", shipped)]:
        for below in (folder, *(folder / kind for kind in GAMES)):
            yield from ((source, path) for path in sorted(below.glob("[!_]*.py")))
    for entry in importlib.metadata.entry_points(group=ENTRY_POINTS):
        spec = importlib.util.find_spec(entry.module)
        if spec and spec.origin:
            yield "entry-point", Path(spec.origin)


def _scan_file(path: Path, source: str) -> list[Found]:
    try:
        check_is_file(path)
        text = path.read_text(encoding="utf-8-sig")
        if not text.strip():
            return [Found(path, "", "", source, "it is empty")]
        return [Found(path, class_name, kind, source) for class_name, kind in _read_classes(text)]
    except SyntaxError as error:
        return [Found(path, "", "", source, f"line {error.lineno}: syntax error: {error.msg}")]
    except (OSError, UnicodeDecodeError, ValueError) as error:
        return [Found(path, "", "", source, f"cannot be read: {error}")]


@functools.lru_cache(maxsize=1024)
def _read_classes(text: str) -> tuple[tuple[str, str], ...]:
    """Return (class name, kind) of the strategy classes of a file's text."""
    bases: dict[str, str] = {}
    modules: dict[str, str] = {}
    classes = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom | ast.Import):
            _read_import(node, bases, modules)
        elif isinstance(node, ast.ClassDef):
            kinds = [kind for base in node.bases if (kind := _kind_of(base, bases, modules))]
            if kinds:
                bases[node.name] = kinds[0]
                classes.append((node.name, kinds[0]))
    return tuple(classes)


def _read_import(
    node: ast.ImportFrom | ast.Import, bases: dict[str, str], modules: dict[str, str]
) -> None:
    """Note the names under which a file knows lcsim's base classes and modules."""
    origin = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
    for alias in node.names:
        name = alias.asname or alias.name
        if origin.startswith("lcsim.") and alias.name == "*":
            for base in ("Strategy", "BatchStrategy"):
                bases[base] = origin.removeprefix("lcsim.")
        elif origin.startswith("lcsim.") and alias.name.endswith("Strategy"):
            bases[name] = origin.removeprefix("lcsim.")
        elif origin == "lcsim":
            modules[name] = alias.name
        elif not origin and alias.asname and alias.name.startswith("lcsim."):
            modules[name] = alias.name.removeprefix("lcsim.")


def _kind_of(base: ast.expr, bases: dict[str, str], modules: dict[str, str]) -> str:
    if isinstance(base, ast.Name):
        return bases.get(base.id, "")
    if isinstance(base, ast.Attribute) and base.attr.endswith("Strategy"):
        if isinstance(base.value, ast.Name):
            return modules.get(base.value.id, "")
        if isinstance(base.value, ast.Attribute):
            return base.value.attr
    return ""
