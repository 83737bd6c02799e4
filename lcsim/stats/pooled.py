"""Means over several matchups that were played on the same deals.

A strategy meets its opponents on the same cards, so its results against two of them go up and
down together. A mean over matchups, or a difference of two such means, takes its error from the
covariances between matchups deal by deal, whichever deals each of them has played.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lcsim.stats.estimate import Estimate, Moments, Weight


@dataclass(frozen=True, slots=True)
class Layers:
    """Moments of the same variables, apart for deals that were not played by the same matchups.

    A deal of more matchups, or of fewer players, brings other sums; that is the plan of the run and
    no luck, so errors are taken within layers. No deal is in two layers.
    """

    parts: tuple[Moments, ...]

    @property
    def n(self) -> int:
        """The number of deals."""
        return sum(part.n for part in self.parts)

    def total(self, name: str) -> int:
        """Return the sum of one variable over all deals."""
        return sum(part.total(name) for part in self.parts)

    def join(self) -> Moments:
        """Return the moments of all deals together; differences between layers count as luck."""
        first, *others = self.parts
        return sum(others, first)

    def ratio(self, numerator: str, denominator: str) -> Estimate | None:
        """Return sum over sum of two variables with its linearised error within layers.

        The combined ratio estimate (Cochran, Sampling Techniques, 3rd ed., section 6.11). A layer
        of a single deal is joined to the largest. None where the denominator sums to nothing; no
        error where there are fewer than two deals.
        """
        total = self.total(denominator)
        if total == 0:
            return None
        ratio = Fraction(self.total(numerator), total)
        if self.n < 2:
            return Estimate(float(ratio), None, self.n)
        parts = [part.select((numerator, denominator)) for part in self.parts]
        square = sum((_vary_residuals(part, ratio) for part in _collapse(parts)), Fraction(0))
        return Estimate(float(ratio), math.sqrt(square) / abs(total), self.n)


def _collapse(parts: Iterable[Moments]) -> list[Moments]:
    """Return the parts with those of a single deal joined to the largest."""
    first, *others = sorted(parts, key=lambda part: -part.n)
    kept = [part for part in others if part.n > 1]
    for part in others:
        if part.n == 1:
            first += part
    return [first, *kept]


def _vary_residuals(part: Moments, ratio: Fraction) -> Fraction:
    """Return n times the variance of numerator less `ratio` times denominator, over n deals."""
    (y, x), ((yy, yx), (_, xx)) = part.sums, part.products
    centre = y - ratio * x
    square = yy - 2 * ratio * yx + ratio * ratio * xx - centre * centre / part.n
    return square * part.n / (part.n - 1)


def combine_layers(layers: Sequence[Moments], weights: Mapping[str, Weight]) -> Estimate:
    """Return a weighted sum of the means of variables, and its standard error.

    Each layer holds the moments of those variables whose matchups all played the layer's deals; no
    deal is in two layers. With n_a groups for variable a and n_ab common to a and b, the covariance
    of two means is cov_ab n_ab / (n_a n_b). `n` of the result is the smallest n_a. Raises
    ValueError where a variable is in no layer.
    """
    counts = {name: sum(m.n for m in layers if name in m.names) for name in weights}
    missing = [name for name, n in counts.items() if n == 0]
    if missing:
        raise ValueError(f"no deal group has {', '.join(missing)}")
    parts = {name: Fraction(weight) for name, weight in weights.items()}
    mean = sum((w * _total(layers, name) / counts[name] for name, w in parts.items()), Fraction(0))
    n = min(counts.values())
    variance = _vary(layers, parts, counts)
    if variance is None:
        return Estimate(float(mean), None, n)
    # With unequal deals the estimate of a tiny variance can fall below 0.
    return Estimate(float(mean), math.sqrt(max(variance, Fraction(0))), n)


def _vary(
    layers: Sequence[Moments], weights: Mapping[str, Fraction], counts: Mapping[str, int]
) -> Fraction | None:
    names = tuple(weights)
    total = Fraction(0)
    for i, a in enumerate(names):
        for b in names[i:]:
            common = _common(layers, a, b)
            if common is None:
                continue
            covariance = common.covariance(common.names[0], common.names[-1])
            if covariance is None:
                if a == b:
                    return None
                continue
            share = covariance * common.n / (counts[a] * counts[b])
            total += weights[a] * weights[b] * share * (1 if a == b else 2)
    return total


def _common(layers: Sequence[Moments], a: str, b: str) -> Moments | None:
    names = (a,) if a == b else (a, b)
    found = [m.select(names) for m in layers if a in m.names and b in m.names]
    if not found:
        return None
    total = found[0]
    for moments in found[1:]:
        total += moments
    return total


def _total(layers: Sequence[Moments], name: str) -> int:
    return sum(m.total(name) for m in layers if name in m.names)
