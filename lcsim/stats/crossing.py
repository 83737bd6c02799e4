"""Where a mean rises through 0 as something else grows: a break-even, with its interval.

What was observed lies in bands of the thing that grows (points held, say), each with its sums over
deal groups. Between the mean places of two bands the mean outcome is taken to be a straight line.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from lcsim.stats.estimate import Estimate, Moments, quantile_975

Verdict = Literal["from", "always", "never", "unclear"]


@dataclass(frozen=True, slots=True)
class Band:
    """The variables of one band: the sums of the outcome, of how many there are, of their places.

    `seen` is the number of deal groups that have any.
    """

    outcome: str
    count: str
    place: str
    seen: int


@dataclass(frozen=True, slots=True)
class Block:
    """Bands `first` to `last` taken together, and their mean outcome."""

    first: int
    last: int
    mean: Estimate


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where the mean outcome comes to 0 from below, between the `lowest` and the `highest` block.

    `clear_below` is the highest place at which the mean is below 0 beyond its error, `clear_above`
    the lowest at which it is above 0; each is None where there is none, and both together are
    the 95 % interval of `at`. That is None without them, and where the lowest block is at 0 or
    above already, or the highest still below 0.
    """

    lowest: Block
    highest: Block
    at: float | None
    clear_below: float | None
    clear_above: float | None

    @property
    def verdict(self) -> Verdict:
        """Tell from where the mean is at 0 or above: from `at`, always, never, or unclear.

        Always and never are what the lowest and the highest block say beyond their error.
        """
        if self.lowest.mean.mean >= 0:
            return "always" if _is_beyond_error(self.lowest.mean) else "unclear"
        if self.highest.mean.mean < 0:
            return "never" if _is_beyond_error(self.highest.mean) else "unclear"
        return "unclear" if self.at is None else "from"


def _is_beyond_error(mean: Estimate) -> bool:
    return mean.se is not None and abs(mean.mean) >= quantile_975(mean.n - 1) * mean.se


@dataclass(frozen=True, slots=True)
class _Pool:
    """Neighbouring bands and their sums."""

    first: int
    last: int
    outcome: int
    count: int
    place: int

    @property
    def mean(self) -> Fraction:
        return Fraction(self.outcome, self.count)

    @property
    def centre(self) -> Fraction:
        return Fraction(self.place, self.count)

    def join(self, other: "_Pool") -> "_Pool":
        sums = (self.outcome + other.outcome, self.count + other.count, self.place + other.place)
        return _Pool(self.first, other.last, *sums)


def find_crossing(moments: Moments, bands: Sequence[Band]) -> Crossing | None:
    """Return where the mean outcome rises through 0 over bands in rising order of their places.

    Neighbours whose means fall are pooled first (isotonic regression by pooling adjacent violators,
    Barlow et al. 1972), so that chance does not make several crossings of one; `at` is where the
    line between the last losing and the first other pool meets 0. The interval needs no pooling: a
    place is clear where the line between its bands is, at 95 %. None where nothing was observed.
    """
    single = [_read(moments, band, number) for number, band in enumerate(bands)]
    pools: list[_Pool] = []
    for pool in single:
        if pool.count == 0:
            continue
        while pools and pools[-1].mean >= pool.mean:
            pool = pools.pop().join(pool)
        pools.append(pool)
    if not pools:
        return None
    seen = [pool for pool, band in zip(single, bands, strict=True) if band.seen > 1]
    below, above = _find_clear(moments, bands, seen)
    lowest, highest = (_settle(moments, bands, pools[place]) for place in (0, -1))
    at = _interpolate(pools)
    if at is not None:
        at = None if below is None or above is None else min(max(at, below), above)
    return Crossing(lowest, highest, at, below, above)


def _read(moments: Moments, band: Band, number: int) -> _Pool:
    sums = (moments.total(name) for name in (band.outcome, band.count, band.place))
    return _Pool(number, number, *sums)


def _settle(moments: Moments, bands: Sequence[Band], pool: _Pool) -> Block:
    seen = max(band.seen for band in bands[pool.first : pool.last + 1])
    se = _find_error(moments, _weigh(bands, pool)) if seen > 1 else None
    return Block(pool.first, pool.last, Estimate(float(pool.mean), se, seen))


def _interpolate(pools: Sequence[_Pool]) -> float | None:
    for low, high in pairwise(pools):
        if low.mean < 0 <= high.mean:
            share = -low.mean / (high.mean - low.mean)
            return float(low.centre + share * (high.centre - low.centre))
    return None


def _find_clear(
    moments: Moments, bands: Sequence[Band], seen: Sequence[_Pool]
) -> tuple[float | None, float | None]:
    """Return the highest place that is clearly below 0, and the lowest clearly above."""
    below: list[float] = []
    above: list[float] = []
    lines = list(pairwise(seen)) or [(pool, pool) for pool in seen]
    for low, high in lines:
        start, reach = float(low.centre), float(high.centre - low.centre)
        for first, last, is_above in _list_clear(moments, bands, low, high):
            if is_above:
                above.append(start + first * reach)
            else:
                below.append(start + last * reach)
    if below and above and max(below) > min(above):
        return min(above), max(below)
    return max(below, default=None), min(above, default=None)


def _list_clear(
    moments: Moments, bands: Sequence[Band], low: _Pool, high: _Pool
) -> list[tuple[float, float, bool]]:
    """Return the parts of the line from `low` (0) to `high` (1) that are clear of 0, and the side.

    At t the line is at a + t d, with the variance of (1 - t) times one mean and t times the other;
    it is clear where its square is above q squared times that: a quadratic in t.
    """
    a, d = float(low.mean), float(high.mean - low.mean)
    first, second = _weigh(bands, low), _weigh(bands, high)
    apart = {n: second.get(n, Fraction(0)) - first.get(n, Fraction(0)) for n in {**first, **second}}
    errors = (_find_error(moments, weights) for weights in (first, second, apart))
    at_low, at_high, between = (error**2 for error in errors)
    q = quantile_975(min(bands[low.first].seen, bands[high.first].seen) - 1) ** 2
    square = d * d - q * between
    linear = 2 * a * d - q * (at_high - at_low - between)
    constant = a * a - q * at_low
    marks = {0.0, 1.0, *_solve(square, linear, constant), *_solve(0.0, d, a)}
    return [
        (start, end, a + (start + end) / 2 * d > 0)
        for start, end in pairwise(sorted(mark for mark in marks if 0 <= mark <= 1))
        if _evaluate((start + end) / 2, square, linear, constant) > 0
    ]


def _solve(square: float, linear: float, constant: float) -> list[float]:
    """Return the real roots of a quadratic, or of a straight line."""
    if square == 0:
        return [] if linear == 0 else [-constant / linear]
    under = linear * linear - 4 * square * constant
    if under < 0:
        return []
    return [(-linear + sign * math.sqrt(under)) / (2 * square) for sign in (-1, 1)]


def _evaluate(t: float, square: float, linear: float, constant: float) -> float:
    return (square * t + linear) * t + constant


def _weigh(bands: Sequence[Band], pool: _Pool) -> dict[str, Fraction]:
    """Return the weights of the linearised residual of a pool's mean."""
    weights: dict[str, Fraction] = {}
    for band in bands[pool.first : pool.last + 1]:
        weights[band.outcome] = Fraction(1, pool.count)
        weights[band.count] = -pool.mean / pool.count
    return weights


def _find_error(moments: Moments, weights: dict[str, Fraction]) -> float:
    """Return the error of a sum over groups; only called where several groups have any."""
    residual = moments.combination(weights)
    assert residual.se is not None
    return residual.se * moments.n
