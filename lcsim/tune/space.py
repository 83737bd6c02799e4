"""The parameters of a strategy as a box to search in, each scaled to 0 .. 1."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lcsim.errors import SpecError, UnknownNameError
from lcsim.strategy import LoadedStrategy, Param
from lcsim.strategy.base import list_params
from lcsim.strategy.load import set_params

DIGITS = 3  # a tuned value is written with so many: finer differences cannot be measured


@dataclass(frozen=True, slots=True)
class Space:
    """The tuned parameters of a strategy; points are vectors in the unit cube, in this order."""

    strategy: LoadedStrategy
    params: Mapping[str, Param]

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters' names."""
        return tuple(self.params)

    @property
    def steps(self) -> npt.NDArray[np.float64]:
        """The distance between a parameter's values, float64 (n,); 0 for one without steps."""
        return np.array(
            [1 / (p.high - p.low) if p.is_integer else 0.0 for p in self.params.values()]
        )

    def find_start(self) -> npt.NDArray[np.float64]:
        """Return the point of the strategy's own values."""
        values = self.strategy.params
        return np.array(
            [(values[name] - p.low) / (p.high - p.low) for name, p in self.params.items()]
        )

    def read_point(self, point: Sequence[float]) -> dict[str, float]:
        """Return the values at a point, whole numbers rounded and all within their bounds."""
        values: dict[str, float] = {}
        for (name, param), share in zip(self.params.items(), point, strict=True):
            value = param.low + min(max(float(share), 0.0), 1.0) * (param.high - param.low)
            values[name] = round(value) if param.is_integer else value
        return values

    def round_values(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return values as they are written in a spec: as fine as a thousandth of their range."""
        return {
            name: _round(value, self.params[name]) if name in self.params else value
            for name, value in values.items()
        }

    def build_strategy(self, values: Mapping[str, float]) -> LoadedStrategy:
        """Return the strategy with these values."""
        return set_params(self.strategy, values)


def build_space(strategy: LoadedStrategy, names: Sequence[str] = ()) -> Space:
    """Return the space of a strategy's parameters, or of those named; raises SpecError."""
    params = list_params(strategy.cls)
    for name in names:
        if name not in params:
            raise UnknownNameError(f"parameter of {strategy.name}", name, params)
    chosen = {
        name: param
        for name, param in params.items()
        if param.high > param.low and (not names or name in names)
    }
    if not chosen:
        raise SpecError(
            f"{strategy.name} has no parameter to tune",
            hint="Give it one: `open_at = Param(15.0, low=0, high=54, help=...)`.",
        )
    return Space(strategy, chosen)


def _round(value: float, param: Param) -> float:
    if param.is_integer:
        return round(value)
    digits = DIGITS - int(np.ceil(np.log10(param.high - param.low)))
    return min(max(round(value, digits), param.low), param.high)
