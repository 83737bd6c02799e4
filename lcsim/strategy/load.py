"""From a spec to a strategy: its class, parameters and source, ready for referee or compiler."""

import functools
import importlib.util
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from lcsim.compiled import digest_text
from lcsim.errors import SpecError, StrategyLoadError, UnknownNameError
from lcsim.rules import GAMES, get_game
from lcsim.rules.lockstep import ask_one
from lcsim.rules.restriction import FREE, Restriction, parse_restriction
from lcsim.rules.underway import OverrunError, contain, decide_plainly
from lcsim.strategy.base import (
    BATCH,
    StrategyBase,
    find_form,
    list_guests,
    list_params,
    name_class,
)
from lcsim.strategy.files import check_is_file
from lcsim.strategy.forms import check_form
from lcsim.strategy.guest import CompiledGuest
from lcsim.strategy.params import resolve_guests, resolve_params, write_number
from lcsim.strategy.registry import Found, find_by_name, read_kind
from lcsim.strategy.scan import Fault, find_memory, scan_source
from lcsim.strategy.seal import find_kept, seal_module
from lcsim.strategy.spec import parse_spec, split_restriction
from lcsim.strategy.weights import digest_file, list_weights, read_arrays, read_files

__all__ = ["LoadedStrategy", "RefereeDecider", "load_class", "load_strategy"]


@dataclass(frozen=True)
class LoadedStrategy:
    """A strategy with its parameters set: a value that can be played by the referee or compiled."""

    spec: str
    name: str
    kind: str
    form: str
    cls: type[StrategyBase]
    params: Mapping[str, float]
    source: str
    path: Path
    restriction: Restriction = FREE
    guests: Mapping[str, "LoadedStrategy"] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)  # beside its source, by name

    @property
    def label(self) -> str:
        """Its name, the parameters that differ from the defaults, and what it may not do."""
        changed = _write_params(self.cls, self.params, self.guests)
        return _join(self.name, changed, self.restriction)

    @property
    def digest(self) -> str:
        """A digest of source, class, parameters and files: of all that decides its moves."""
        restriction = self.restriction.text if self.restriction else ""
        guests = {name: guest.digest for name, guest in self.guests.items()}
        return digest_strategy(
            self.source,
            self.cls.__name__,
            self.params,
            restriction,
            guests=guests,
            files=self.file_digests,
        )

    @functools.cached_property
    def players(self) -> Mapping[str, CompiledGuest]:
        """The guests as they play in simulations."""
        return {name: CompiledGuest(guest) for name, guest in self.guests.items()}

    @property
    def file_digests(self) -> dict[str, str]:
        """The digest of each file beside its source, by name."""
        return {name: digest_file(data) for name, data in sorted(self.files.items())}

    @functools.cached_property
    def instance(self) -> StrategyBase:
        """An object of its class, with its parameters, guests and weights."""
        me = self.cls(**self.params, **self.players)
        for name, weights in list_weights(self.cls).items():
            object.__setattr__(me, name, read_arrays(self.files[weights.file], weights.file))
        return me

    @functools.cached_property
    def decider(self) -> "RefereeDecider":
        """The strategy as the referee plays it."""
        return RefereeDecider(self)


def set_params(loaded: LoadedStrategy, values: Mapping[str, float]) -> LoadedStrategy:
    """Return the strategy with some parameters changed; the values must be possible ones."""
    target, _ = split_restriction(loaded.spec)
    target = target.removesuffix(f":{_write_params(loaded.cls, loaded.params, loaded.guests)}")
    params = {**loaded.params, **values}
    changed = _write_params(loaded.cls, params, loaded.guests)
    return replace(loaded, params=params, spec=_join(target, changed, loaded.restriction))


class RefereeDecider:
    """A strategy's decisions in plain Python: a function of (view, rng) for each of its game's."""

    def __init__(self, loaded: LoadedStrategy) -> None:
        self.name, self.spec, self.path = loaded.name, loaded.spec, loaded.path
        self.restriction = loaded.restriction
        self.lines: dict[str, int] = {}
        me = loaded.instance
        author = get_game(loaded.kind).author
        methods = {name: getattr(loaded.cls, name) for name in author.methods[loaded.form]}
        if loaded.form == BATCH:
            for decision in author.decisions:
                choose_one = functools.partial(ask_one, me, decision, dtype=author.batch_dtype)
                setattr(self, decision, choose_one)
                self.lines[decision] = methods[decision].__code__.co_firstlineno
            return
        scope = {"build_self": lambda _params: me, **methods}
        for decision, template in zip(author.decisions, author.templates[loaded.form], strict=True):
            plain: Any = template
            choose = FunctionType(plain.__code__, {**plain.__globals__, **scope})
            setattr(self, decision, functools.partial(_choose_plainly, choose))
            method = next(name for name in methods if name in plain.__code__.co_names)
            self.lines[decision] = methods[method].__code__.co_firstlineno


def _choose_plainly(choose: Any, view: Any, rng: Any) -> Any:
    with contain():
        return choose(view, rng, None)


def digest_strategy(
    source: str,
    class_name: str,
    params: Mapping[str, float],
    restriction: str,
    *,
    guests: Mapping[str, str],
    files: Mapping[str, str],
) -> str:
    """Return a strategy's digest: of its file, class, parameters, restriction and what it needs.

    That is its guests' digests, and those of the files beside its own, by name.
    """
    values = [f"{name}={write_number(value)}" for name, value in params.items()]
    values += [f"{name}={digest}" for name, digest in guests.items()]
    values += [f"@{restriction}"] if restriction else []
    return digest_text(source, class_name, *values, *(f"{n}:{files[n]}" for n in sorted(files)))


def load_strategy(
    text: str, *, kind: str | None = None, folders: Sequence[Path] = ()
) -> LoadedStrategy:
    """Load the strategy that a spec names, of one kind of game or of any.

    A name is looked up in `folders`, then ./strategies, the shipped strategies and the entry points
    of `lcsim.strategies`. Raises SpecError, UnknownNameError, or StrategyLoadError with file and
    line.
    """
    spec = parse_spec(text)
    found = find_strategy(text, kind=kind, folders=folders)
    source = read_source(found.path)
    cls = load_class(found.path, found.class_name, kind=kind, source=source)
    declared = list_guests(cls)
    params = resolve_params(spec.target, list_params(cls), spec.given, declared)
    guests = {
        name: _load_guest(spec.target, name, text, kind=cls.kind, folders=folders)
        for name, text in resolve_guests(declared, spec.given).items()
    }
    form, _ = find_form(cls, dict(get_game(cls.kind).author.methods))
    target = f"{spec.target}:{spec.class_name}" if spec.class_name else spec.target
    changed = _write_params(cls, params, guests)
    restriction = parse_restriction(spec.restriction, get_game(cls.kind).restrictions)
    return LoadedStrategy(
        spec=_join(target, changed, restriction),
        name=name_class(cls.__name__),
        kind=cls.kind,
        form=form or "",
        cls=cls,
        params=params,
        source=source,
        path=found.path.resolve(),
        restriction=restriction,
        guests=guests,
        files=read_files(found.path, cls),
    )


def _load_guest(
    host: str, name: str, text: str, *, kind: str, folders: Sequence[Path]
) -> LoadedStrategy:
    """Load the strategy that plays inside the host's head; `name` is that of the place for it."""
    what, spec = f"{host}: {name}", parse_spec(text)
    if spec.given or spec.class_name or spec.restriction:
        raise SpecError(
            f"{what}={text} says more than who plays: a guest takes no parameters, no class and no "
            "restriction",
            hint=f"It plays with its defaults: {name}={spec.target}.",
        )
    loaded = load_strategy(text, kind=kind, folders=folders)
    if loaded.form == BATCH:
        raise SpecError(
            f"{what}={text} is not possible: {text} is a batch strategy, which is not compiled",
            hint="Take a strategy of the rating or deciding form, such as tuned.",
        )
    if loaded.guests:
        raise SpecError(
            f"{what}={text} is not possible: {text} has guests itself",
            hint="Take a strategy that does not play others in its head, such as tuned.",
        )
    return loaded


def find_strategy(text: str, *, kind: str | None = None, folders: Sequence[Path] = ()) -> Found:
    """Return the file and class that a spec names; nothing of it is run."""
    spec = parse_spec(text)
    if spec.is_path:
        path = Path(spec.target)
        return Found(path, spec.class_name, read_kind(read_source(path)))
    return find_by_name(spec.target, kind=kind, folders=folders)


def load_class(
    path: Path, class_name: str = "", *, kind: str | None = None, source: str | None = None
) -> type[StrategyBase]:
    """Import a strategy's file and return its class; without a name the file must have one only.

    `source` is the file's text where it has been read before: it may have changed since. A file
    that uses what no strategy may is refused before anything of it is run.
    """
    source = read_source(path) if source is None else source
    for fault in scan_source(source, kind or ""):
        raise _refuse(path, fault)
    module = _import_file(path.resolve(), source)
    if memory := find_memory(module) or find_kept(module, source):
        raise _refuse(path, memory)
    classes = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, StrategyBase)
        and value.__module__ == module.__name__
    }
    if class_name and class_name not in classes:
        raise UnknownNameError(f"strategy class in {path}", class_name, classes)
    if not class_name and not classes:
        what = "has no strategy class" if source.strip() else "is empty"
        doors = " or ".join(f"lcsim.{game}" for game in ([kind] if kind else GAMES))
        raise StrategyLoadError(
            f"{path} {what}",
            hint=f"Write `class Mine(Strategy)` with Strategy from {doors}; "
            f"`lcsim strategies new mine{f' --kind {kind}' if kind else ''}` begins one.",
            path=path,
        )
    if not class_name and len(classes) > 1:
        raise StrategyLoadError(
            f"{path} has {len(classes)} strategy classes: {', '.join(classes)}",
            hint=f"Name one: {path}:{next(iter(classes))}",
        )
    cls = classes[class_name or next(iter(classes))]
    if kind and cls.kind != kind:
        raise StrategyLoadError(
            f"{path}: {cls.__name__} is a strategy for kind {cls.kind!r}, not {kind!r}",
            hint=f"Use it with a ruleset of kind {cls.kind!r}.",
        )
    check_form(path, cls)
    return cls


def read_source(path: Path) -> str:
    """Return the text of a strategy's file; raises SpecError where it cannot be read."""
    try:
        check_is_file(path)
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        if isinstance(error, UnicodeDecodeError):
            reason = "it is not UTF-8 text"
        raise SpecError(
            f"{path} cannot be read: {reason}", hint="Give the path of a strategy's Python file."
        ) from error


def _refuse(path: Path, fault: Fault) -> StrategyLoadError:
    return StrategyLoadError(
        f"{path}, line {fault.line}: {fault.what}", hint=fault.todo, path=path, line=fault.line
    )


@functools.lru_cache(maxsize=256)
def _import_file(path: Path, source: str) -> ModuleType:
    # Machine code kept on disk names this module: the name must not depend on where the file lies.
    name = f"lcsim_strategy_{path.stem}_{digest_text(source)[:16]}"
    spec = importlib.util.spec_from_loader(name, loader=None, origin=str(path))
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__file__ = str(path)
    sys.modules[name] = module
    try:
        with decide_plainly(functools.partial(_describe_import, path)), contain():
            exec(compile(source, str(path), "exec"), vars(module))
            seal_module(module)
    except Exception as error:
        del sys.modules[name]
        raise _describe_import(path, error) from error
    return module


def _describe_import(path: Path, error: BaseException) -> StrategyLoadError:
    if isinstance(error, SyntaxError):
        line, what = error.lineno, f"syntax error: {error.msg}"
    else:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == str(path)]
        line, what = (lines[-1] if lines else 1), f"{type(error).__name__}: {error}"
        if error.__cause__ and not isinstance(error.__cause__, Exception):  # it has been contained
            what = str(error)
        if isinstance(error, OverrunError):
            what = f"importing it does not end: it has taken {error.limit:g} s"
    return StrategyLoadError(
        f"{path}, line {line}: {what}",
        hint=f"Mend it, then try `lcsim strategies check {path}`.",
        path=path,
        line=line,
    )


def _join(target: str, params: str, restriction: Restriction) -> str:
    """Return the text of a strategy with its parameters and restriction."""
    text = f"{target}:{params}" if params else target
    return f"{text}@{restriction.text}" if restriction else text


def _write_params(
    cls: type[StrategyBase], values: Mapping[str, float], guests: Mapping[str, LoadedStrategy]
) -> str:
    changed = [
        f"{name}={write_number(values[name])}"
        for name, param in list_params(cls).items()
        if values[name] != param.default
    ]
    changed += [
        f"{name}={guests[name].spec}"
        for name, guest in list_guests(cls).items()
        if guests[name].spec != guest.default
    ]
    return ",".join(changed)
