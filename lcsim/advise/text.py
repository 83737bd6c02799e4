"""Positions read from TOML, and written to it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from lcsim.advise.games import ROOMS
from lcsim.advise.position import Position, Room, fail, render_toml
from lcsim.errors import ExperimentError, LcsimError, PositionError, UnknownNameError
from lcsim.experiment.complain import list_problems
from lcsim.experiment.toml import parse_toml, read_text
from lcsim.rules import Ruleset, parse_ruleset
from lcsim.wording import pluralise

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
        kind = _guess_kind(values)
        ruleset = _read_ruleset(values.get("ruleset", _DEFAULT))
        kind = ruleset.kind
        room = find_room(kind)
        return room.build(room.model.model_validate(values), ruleset)
    except ValidationError as error:
        said = "; ".join(list_problems(error, ROOMS[kind].model))
        assumed = "" if "ruleset" in values else f'There is no ruleset, so "{_DEFAULT}" is taken. '
        raise PositionError(f"{where}: {said}", hint=assumed + _show_example(kind)) from None
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


def _guess_kind(values: Mapping[str, object]) -> str:
    """Return the kind whose ruleset is taken where none is given.

    Raises PositionError where the entries are more like those of another kind.
    """
    known = {kind: values.keys() & set(room.model.model_fields) for kind, room in ROOMS.items()}
    likely = max(known, key=lambda kind: (len(known[kind]), kind == _DEFAULT))
    if "ruleset" not in values and likely != _DEFAULT:
        of = sorted(known[likely] - known[_DEFAULT])
        raise PositionError(
            f"ruleset: is missing, and {', '.join(of)} {pluralise(len(of), 'is', 'are')} of the "
            f"{likely} game",
            hint=f'Write ruleset = "{likely}", or another of its presets.',
        )
    return _DEFAULT


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
