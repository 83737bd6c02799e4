"""Parameters of a strategy: declared, typed, ranged and described."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lcsim.errors import SpecError, UnknownNameError


@dataclass(frozen=True, slots=True)
class Param:
    """A tunable number: `open_at = Param(15.0, low=0, high=54, help="points needed to open")`.

    With an int as default it takes whole numbers only. On an instance the name is the number.
    """

    default: float
    low: float
    high: float
    help: str = ""

    def __init__(self, default: float, *, low: float, high: float, help: str = "") -> None:  # noqa: A002
        for name, value in (("default", default), ("low", low), ("high", high)):
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(f"Param: {name}={value!r} is not a number")
            if not math.isfinite(value):
                raise ValueError(f"Param: {name}={value!r} is not finite")
        if not low <= default <= high:
            raise ValueError(
                f"Param: default={default!r} is not within low={low!r} .. high={high!r}"
            )
        object.__setattr__(self, "default", default)
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        object.__setattr__(self, "help", help)

    @property
    def is_integer(self) -> bool:
        """Whether it takes whole numbers only."""
        return isinstance(self.default, int)

    @property
    def range_text(self) -> str:
        """The values it takes, in words."""
        what = "a whole number" if self.is_integer else "a number"
        return f"{what} from {self.low:g} to {self.high:g}"


@dataclass(frozen=True, slots=True)
class Guest:
    """A strategy that plays inside this one's head: `rollout = Guest("tuned", help="...")`.

    `default` is the name of a strategy of the same game. On an instance the name is the guest, for
    the simulation's `lay_out`.
    """

    default: str
    help: str = ""


def resolve_params(
    strategy: str,
    params: Mapping[str, Param],
    given: Mapping[str, str],
    guests: Mapping[str, Guest] = MappingProxyType({}),
) -> dict[str, float]:
    """Return the value of every parameter, those of `given` parsed and checked.

    The names of guests may be given, too, and are for `resolve_guests`.
    """
    values = {name: param.default for name, param in params.items()}
    for name, text in given.items():
        if name in guests:
            continue
        if name not in params:
            raise UnknownNameError(
                f"parameter of {strategy}",
                name,
                [*params, *guests],
                hint=f"`lcsim strategies show {strategy}` explains its parameters.",
            )
        values[name] = _parse_value(strategy, name, params[name], text)
    return values


def resolve_guests(guests: Mapping[str, Guest], given: Mapping[str, str]) -> dict[str, str]:
    """Return the name or file of every guest."""
    return {name: given.get(name, guest.default) for name, guest in guests.items()}


def write_number(value: float) -> str:
    """Return a parameter's value as text that is read back as the same number."""
    text = repr(value)
    return text.removesuffix(".0")


def _parse_value(strategy: str, name: str, param: Param, text: str) -> float:
    try:
        value: float = int(text) if param.is_integer else float(text)
    except ValueError:
        value = math.nan
    if not param.low <= value <= param.high:
        raise SpecError(
            f"{strategy}: {name}={text} is not possible",
            hint=f"{name} ({param.help or 'no description'}) is {param.range_text}.",
        )
    return value
