"""What a ruleset is: a preset with any field overridden, written `duel:bonus_points=0,rounds=1`.

A game declares its ruleset as a frozen dataclass whose fields are made by `rule`; this file parses
overrides, checks values and prints the canonical text, the same for every game. A field may hold a
list of numbers, or a list of such lists: typed, they are lists; in text `/` stands inside a list
and `|` between lists, because a comma separates fields, and `none` is a list without entries.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from lcsim.errors import RulesetError, SpecError, UnknownNameError


@dataclasses.dataclass(frozen=True, slots=True)
class Source:
    """Where a preset's value comes from; `assumed` marks one that is printed on no rule sheet."""

    text: str
    assumed: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class FieldNote:
    """One field of a ruleset as a person reads it."""

    name: str
    value: Any
    text: str
    help: str
    source: str
    assumed: bool


class Ruleset(Protocol):
    """What every game's ruleset offers beside its own fields."""

    @property
    def kind(self) -> str:
        """The game, such as "duel"."""

    @property
    def preset(self) -> str:
        """The name of the preset it was made from."""

    @property
    def sources(self) -> Mapping[str, Source]:
        """Where each field's value in the preset comes from."""

    @property
    def spec(self) -> str:
        """The canonical text: the preset and the fields that differ from it."""


R = TypeVar("R", bound=Any)
Numbers = tuple[int, ...]
EMPTY = "none"  # a list without entries, as text


def rule(
    default: Any,
    *,
    help: str,  # noqa: A002  the word a reader of `lcsim rules show` expects
    low: int = 0,
    high: int = 0,
    choices: tuple[str, ...] = (),
    length: tuple[int, int] = (0, 0),
) -> Any:
    """Declare a field of a ruleset: an integer of low .. high, one of `choices`, or a flag.

    With a tuple as default it is a list of such integers, or of lists of them, each of a `length`
    of least and most entries.
    """
    bounds = {"help": help, "low": low, "high": high, "choices": choices, "length": length}
    return dataclasses.field(default=default, metadata=bounds)


def list_fields(ruleset: Any) -> list[dataclasses.Field[Any]]:
    """Return the fields that `rule` declared, in the order of their declaration."""
    return [field for field in dataclasses.fields(ruleset) if field.metadata]


def check_fields(ruleset: Any) -> None:
    """Raise RulesetError for the first field whose value is of the wrong type or out of range."""
    for field in list_fields(ruleset):
        _check_value(ruleset.preset, field, getattr(ruleset, field.name))


def override(preset: R, changes: Mapping[str, Any]) -> R:
    """Return `preset` with `changes`, values as text or typed; raises on an unknown field."""
    fields = {field.name: field for field in list_fields(preset)}
    values = {}
    for name, value in changes.items():
        if name not in fields:
            raise UnknownNameError(
                f"field of the ruleset {preset.preset}",
                name,
                fields,
                hint=f"`lcsim rules show {preset.preset}` explains each field.",
            )
        field = fields[name]
        values[name] = (
            _parse_value(preset.preset, field, value)
            if isinstance(value, str)
            else _freeze(value, _depth(field))
        )
    changed: R = dataclasses.replace(preset, **values)
    return changed


def split_spec(text: str) -> tuple[str, dict[str, str]]:
    """Split `name:field=value,field=value` into the name and the overrides as text."""
    name, _, rest = (piece.strip() for piece in text.partition(":"))
    changes: dict[str, str] = {}
    for item in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = (piece.strip() for piece in item.partition("="))
        if not equals or not key or not value:
            raise SpecError(
                f"{text!r}: {item!r} is not of the form name=value",
                hint=f"Write it as {name}:name=value,name=value"
                + (f"; an empty list is {EMPTY}." if equals and key else "."),
            )
        if key in changes:
            raise SpecError(f"{text!r}: {key!r} is given twice", hint="Give it once.")
        changes[key] = value
    return name, changes


def write_spec(ruleset: Any, preset: Any) -> str:
    """Return the canonical text of `ruleset`: the fields that differ from `preset`, in order."""
    changes = [
        f"{field.name}={write_value(getattr(ruleset, field.name))}"
        for field in list_fields(ruleset)
        if getattr(ruleset, field.name) != getattr(preset, field.name)
    ]
    return ":".join([ruleset.preset, ",".join(changes)]) if changes else str(ruleset.preset)


def write_value(value: Any) -> str:
    """Return a field's value as text that `override` reads back."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        inner = any(isinstance(item, tuple) for item in value)
        return ("|" if inner else "/").join(write_value(item) for item in value) or EMPTY
    return str(value)


def describe_fields(ruleset: Any, preset: Any) -> list[FieldNote]:
    """Return every field with its value and where that comes from.

    A field that was overridden is the user's own: it has no other source and is not assumed.
    """
    notes = []
    for field in list_fields(ruleset):
        value = getattr(ruleset, field.name)
        source = ruleset.sources.get(field.name, Source("as in every edition"))
        if value != getattr(preset, field.name):
            original = write_value(getattr(preset, field.name))
            source = Source(f"yours ({ruleset.preset} has {original})")
        text = write_value(value)
        notes.append(
            FieldNote(field.name, value, text, field.metadata["help"], source.text, source.assumed)
        )
    return notes


def _depth(field: dataclasses.Field[Any]) -> int:
    """Return 0 for a single value, 1 for a list of numbers, 2 for a list of such lists."""
    if not isinstance(field.default, tuple):
        return 0
    return 2 if any(isinstance(item, tuple) for item in field.default) else 1


def _freeze(value: Any, depth: int) -> Any:
    """Return a typed value with its lists as tuples; a single number is a list of one."""
    if depth and isinstance(value, list | tuple):
        return tuple(_freeze(item, depth - 1) for item in value)
    return (value,) if depth == 1 and type(value) is int else value


def _parse_value(preset: str, field: dataclasses.Field[Any], text: str) -> Any:
    kind: type = type(field.default)
    if kind is bool:
        words = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}
        if text.lower() not in words:
            raise RulesetError(f"{preset}: {field.name}={text} is neither yes nor no")
        return words[text.lower()]
    try:
        if kind is int:
            return int(text)
        if _depth(field) == 1:
            return _parse_numbers(text)
        if _depth(field) == 2:
            return tuple(_parse_numbers(part) for part in text.split("|"))
    except ValueError:
        what = "a whole number" if kind is int else "a list of whole numbers"
        raise RulesetError(
            f"{preset}: {field.name}={text} is not {what}",
            hint=f"{field.name} is {_allowed(field)}.",
        ) from None
    return text


def _parse_numbers(text: str) -> Numbers:
    return () if text.strip() == EMPTY else tuple(int(part) for part in text.split("/"))


def _check_value(preset: str, field: dataclasses.Field[Any], value: Any) -> None:
    if not _fits(field, value, _depth(field)):
        text = write_value(value)
        raise RulesetError(
            f"{preset}: {field.name}={text} is not possible",
            hint=f"{field.name} ({field.metadata['help']}) is {_allowed(field)}.",
        )


def _fits(field: dataclasses.Field[Any], value: Any, depth: int) -> bool:
    if depth:
        fits = type(value) is tuple and all(_fits(field, item, depth - 1) for item in value)
        least, most = field.metadata["length"]
        return fits and (depth > 1 or least <= len(value) <= most)
    if isinstance(field.default, int | tuple) and not isinstance(field.default, bool):
        return type(value) is int and field.metadata["low"] <= value <= field.metadata["high"]
    choices = field.metadata["choices"]
    return type(value) is type(field.default) and (not choices or value in choices)


def _allowed(field: dataclasses.Field[Any]) -> str:
    if field.metadata["choices"]:
        return "one of " + ", ".join(field.metadata["choices"])
    if isinstance(field.default, bool):
        return "yes or no"
    numbers = f"from {field.metadata['low']} to {field.metadata['high']}"
    if _depth(field) == 0:
        return f"a whole number {numbers}"
    least, most = field.metadata["length"]
    lists = "lists of " if _depth(field) == 2 else ""
    empty = "" if least else f", {EMPTY} for an empty list"
    shown = write_value(field.default)
    return f"{lists}{least} to {most} whole numbers {numbers}, as in {shown}{empty}"
