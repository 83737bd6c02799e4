"""The catalogue of strategies that `lcsim strategies list` shows, with their parameters."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lcsim.errors import LcsimError
from lcsim.rules import get_game
from lcsim.strategy.base import find_form, list_guests, list_params
from lcsim.strategy.load import load_class
from lcsim.strategy.params import Guest
from lcsim.strategy.registry import Found, scan_strategies


@dataclass(frozen=True, slots=True)
class ParamInfo:
    """A declared parameter as it is listed."""

    name: str
    default: float
    low: float
    high: float
    help: str
    type: str


@dataclass(frozen=True, slots=True)
class StrategyEntry:
    """One strategy as it is listed; a broken one has its error and little else."""

    name: str
    kind: str
    form: str
    params: tuple[ParamInfo, ...]
    guests: Mapping[str, Guest]
    status: str
    source: str
    path: Path
    class_name: str
    summary: str
    doc: str
    error: str


def find_strategies(
    *, kind: str | None = None, folders: Sequence[Path] = ()
) -> list[StrategyEntry]:
    """Return every strategy that can be found, of one kind or of all, nearest first.

    Of two with one name and kind the nearer is found by that name; both are listed.
    """
    return [
        describe_strategy(found)
        for found in scan_strategies(folders=folders)
        if kind is None or found.kind in (kind, "")
    ]


def describe_strategy(found: Found) -> StrategyEntry:
    """Import one strategy and describe it."""
    params: tuple[ParamInfo, ...] = ()
    guests: Mapping[str, Guest] = {}
    form, doc, error = "", "", found.error
    if not error:
        try:
            cls = load_class(found.path, found.class_name)
            form = find_form(cls, dict(get_game(cls.kind).author.methods))[0] or ""
            doc = inspect.getdoc(cls) or ""
            guests = list_guests(cls)
            params = tuple(
                ParamInfo(
                    name, p.default, p.low, p.high, p.help, "int" if p.is_integer else "float"
                )
                for name, p in list_params(cls).items()
            )
        except LcsimError as failure:
            error = failure.message
    return StrategyEntry(
        name=found.name,
        kind=found.kind,
        form=form,
        params=params,
        guests=guests,
        status="broken" if error else "ok",
        source=found.source,
        path=found.path,
        class_name=found.class_name,
        summary=doc.partition("\n")[0],
        doc=doc,
        error=error,
    )
