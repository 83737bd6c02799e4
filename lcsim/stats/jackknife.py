"""Errors of statistics that have no formula of their own: leave out one slice after another."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import TypeVar

from lcsim.stats.estimate import Estimate

Sums = TypeVar("Sums")
MIN_SLICES = 4
"""Slices below which no error is given: it would be mostly chance itself."""


def jackknife(slices: Sequence[Sums], statistic: Callable[[Sums], float | None]) -> Estimate | None:
    """Return a statistic of the sum of all slices, and its delete-one jackknife standard error.

    Slices are sums over disjoint deals that can be added. The error is that of Tukey (1958); `n` of
    the result is the number of slices. None where the statistic is None for all of them; without
    error where it is None for some, or with fewer than MIN_SLICES slices.
    """
    if not slices:
        return None
    value = statistic(_add(slices))
    if value is None:
        return None
    n = len(slices)
    if n < MIN_SLICES:
        return Estimate(value, None, n)
    left = [statistic(_add([*slices[:i], *slices[i + 1 :]])) for i in range(n)]
    known = [one for one in left if one is not None]
    if len(known) < n:
        return Estimate(value, None, n)
    centre = math.fsum(known) / n
    square = math.fsum((one - centre) ** 2 for one in known)
    return Estimate(value, math.sqrt(square * (n - 1) / n), n)


def _add(slices: Sequence[Sums]) -> Sums:
    add: Callable[[Sums, Sums], Sums] = operator.add
    return functools.reduce(add, slices)
