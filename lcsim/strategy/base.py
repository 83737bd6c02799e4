"""What every strategy is: a class without state, whose parameters are declared and ranged."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from lcsim.strategy.params import Guest, Param

_Declared = TypeVar("_Declared", Param, Guest)

BATCH = "batch"  # the form of strategies that decide for many views at once


class StrategyBase:
    """The common base of the games' `Strategy`; authors take that of `lcsim.duel`.

    An instance holds the values of its parameters and nothing else: the same view must always get
    the same answer, so assigning to `self` raises.
    """

    kind: ClassVar[str]
    is_batch: ClassVar[bool] = False  # whether its methods decide for many views at once

    def __init__(self, **values: Any) -> None:
        """Set parameters and guests by name, as checked by `lcsim.strategy.load_strategy`."""
        for name, param in list_params(type(self)).items():
            object.__setattr__(self, name, values.get(name, param.default))
        for name in list_guests(type(self)):
            object.__setattr__(self, name, values.get(name))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a strategy keeps no state: self.{name} cannot be set")


def list_params(cls: type[StrategyBase]) -> dict[str, Param]:
    """Return the declared parameters of a strategy class by name, in the order of declaration."""
    return _list_declared(cls, Param)


def list_guests(cls: type[StrategyBase]) -> dict[str, Guest]:
    """Return the guests that a strategy class declares by name, in the order of declaration."""
    return _list_declared(cls, Guest)


def _list_declared(cls: type[StrategyBase], kind: type[_Declared]) -> dict[str, _Declared]:
    declared: dict[str, _Declared] = {}
    for base in reversed(cls.__mro__):
        for name, value in vars(base).items():
            if isinstance(value, kind):
                declared[name] = value
            else:
                declared.pop(name, None)
    return declared


def list_forms(cls: type[StrategyBase], forms: Mapping[str, Any]) -> dict[str, Any]:
    """Return which of a game's forms are open to a class: batch strategies have their own."""
    return {form: methods for form, methods in forms.items() if (form == BATCH) == cls.is_batch}


def find_form(cls: type[StrategyBase], forms: Mapping[str, Any]) -> tuple[str | None, list[str]]:
    """Return the form whose methods `cls` defines, and the methods that are missing for it.

    A class that defines methods of several forms or of none has no form.
    """
    started = {
        form: [method for method in methods if not callable(getattr(cls, method, None))]
        for form, methods in list_forms(cls, forms).items()
        if any(callable(getattr(cls, method, None)) for method in methods)
    }
    if len(started) != 1:
        return None, []
    return next(iter(started.items()))


def name_class(class_name: str) -> str:
    """Return a strategy's name from its class's: CautiousOpener is cautious-opener."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", class_name).lower()
