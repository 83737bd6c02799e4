"""Positions read from TOML, and written to it."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from lcsim.advise.games import ROOMS
from lcsim.advise.position import Position, Room, fail, render_toml
from lcsim.errors import ExperimentError, LcsimError, PositionError, UnknownNameError
from lcsim.experiment.complain import list_problems
from lcsim.experiment.toml import parse_toml, read_text
from lcsim.rules import Ruleset, parse_ruleset

_DEFAULT = "duel"


def load_position(path: Path) -> Position:
    """Read a position from a TOML file; raises PositionError, which names file and entry."""
    try:
        text = read_text(path, "the position", hint=_show_example(_DEFAULT))
    except ExperimentError as error:
        raise PositionError(error.message, hint=error.hint) from None
    return parse_position(text, where=str(path))


def parse_position(text: str, *, where: str = "this position") -> Position:
    """Return the position that a TOML text tells; raises PositionError, which names the entry."""
    kind = _DEFAULT
    try:
        values = parse_toml(text, where)
        ruleset = _read_ruleset(values.get("ruleset", _DEFAULT))
        kind = ruleset.kind
        room = find_room(kind)
        return room.build(room.model.model_validate(values), ruleset)
    except ValidationError as error:
        said = "; ".join(list_problems(error, ROOMS[kind].model))
        raise PositionError(f"{where}: {said}", hint=_show_example(kind)) from None
    except PositionError as error:
        hint = error.hint or _show_example(kind)
        raise PositionError(f"{where}: {error.message}", hint=hint) from None
    except ExperimentError as error:
        raise PositionError(error.message, hint=_show_example(kind)) from None


def write_position(position: Position) -> str:
    """Return the TOML text of a position; read again, it is the same position."""
    return render_toml(find_room(position.ruleset.kind).list_entries(position))


def find_room(kind: str) -> Room:
    """Return what advice knows of a kind of game; raises UnknownNameError."""
    if kind not in ROOMS:
        raise UnknownNameError("kind of game with positions", kind, ROOMS)
    return ROOMS[kind]


def _read_ruleset(value: object) -> Ruleset:
    if not isinstance(value, str):
        raise fail("ruleset", f"must be a text in quotes, not {value}")
    try:
        ruleset: Ruleset = parse_ruleset(value)
    except LcsimError as error:
        raise fail("ruleset", error.message, hint=error.hint) from None
    return ruleset


def _show_example(kind: str) -> str:
    return f"`lcsim advise --example {kind}` shows how a position is written."
