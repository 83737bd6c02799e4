"""What a ruleset is: a preset with any field overridden, written `duel:bonus_points=0,rounds=1`.

A game declares its ruleset as a frozen dataclass whose fields are made by `rule`; this file parses
overrides, checks values and prints the canonical text, the same for every game.
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


def rule(
    default: Any,
    *,
    help: str,  # noqa: A002  the word a reader of `lcsim rules show` expects
    low: int = 0,
    high: int = 0,
    choices: tuple[str, ...] = (),
) -> Any:
    """Declare a field of a ruleset: an integer of low .. high, one of `choices`, or a flag."""
    bounds = {"help": help, "low": low, "high": high, "choices": choices}
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
        values[name] = (
            _parse_value(preset.preset, fields[name], value) if isinstance(value, str) else value
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
                hint=f"Write it as {name}:name=value,name=value.",
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


def _parse_value(preset: str, field: dataclasses.Field[Any], text: str) -> Any:
    kind: type = type(field.default)
    if kind is bool:
        words = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}
        if text.lower() not in words:
            raise RulesetError(f"{preset}: {field.name}={text} is neither yes nor no")
        return words[text.lower()]
    if kind is int:
        try:
            return int(text)
        except ValueError:
            raise RulesetError(
                f"{preset}: {field.name}={text} is not a whole number",
                hint=f"{field.name} is {_allowed(field)}.",
            ) from None
    return text


def _check_value(preset: str, field: dataclasses.Field[Any], value: Any) -> None:
    kind: type = type(field.default)
    allowed = _allowed(field)
    fits = type(value) is kind
    if fits and kind is int:
        fits = field.metadata["low"] <= value <= field.metadata["high"]
    if fits and field.metadata["choices"]:
        fits = value in field.metadata["choices"]
    if not fits:
        raise RulesetError(
            f"{preset}: {field.name}={write_value(value)} is not possible",
            hint=f"{field.name} ({field.metadata['help']}) is {allowed}.",
        )


def _allowed(field: dataclasses.Field[Any]) -> str:
    if field.metadata["choices"]:
        return "one of " + ", ".join(field.metadata["choices"])
    if isinstance(field.default, bool):
        return "yes or no"
    return f"a whole number from {field.metadata['low']} to {field.metadata['high']}"
