"""Exact moments over deal groups, and the means, ratios and errors read from them.

A deal group (every rotation of one deal) is the unit of every standard error. Games enter as
integers and are summed as integers, so a result is the same for any order and any size of the
parts merged.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Weight = int | float | Fraction
Integers = NDArray[np.signedinteger[Any]]

TWELFTHS = 12
"""Parts a win is cut into, so that two, three or four winners share one in whole numbers."""

PAIR = 2
"""With two strategies a rank says what the win says, so none is counted."""

_EXACT_FLOAT = 2**53
_T975_SMALL = (12.706204736, 4.302652730, 3.182446305, 2.776445105)
_Z975 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its standard error, from `n` deal groups; `se` is None where n < 2."""

    mean: float
    se: float | None
    n: int

    def ci95(self) -> tuple[float, float] | None:
        """Return the 95 % interval (Student's t with n - 1 degrees), or None without an error."""
        if self.se is None:
            return None
        half = quantile_975(self.n - 1) * self.se
        return self.mean - half, self.mean + half

    def scaled(self, factor: float) -> "Estimate":
        """Return the estimate of `factor` times the quantity."""
        se = None if self.se is None else abs(factor) * self.se
        return Estimate(self.mean * factor, se, self.n)


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums and sums of products of named integer variables over `n` deal groups, all exact.

    `products[i][j]` is the sum over groups of variable i times variable j.
    """

    n: int
    names: tuple[str, ...]
    sums: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, names: Sequence[str], values: Integers) -> "Moments":
        """Sum `values`, integers of shape (n_groups, len(names)); the names must differ."""
        if values.ndim != 2 or values.shape[1] != len(names):
            raise ValueError(f"values of shape {values.shape} do not fit {len(names)} names")
        if len(set(names)) != len(names):
            raise ValueError(f"names must differ: {names}")
        sums = tuple(int(total) for total in values.sum(axis=0, dtype=np.int64))
        rows = tuple(tuple(int(x) for x in row) for row in sum_products(values, values))
        return cls(len(values), tuple(names), sums, rows)

    @classmethod
    def empty(cls, names: Sequence[str]) -> "Moments":
        """Return the moments of no group at all: the zero of `+`."""
        k = len(names)
        return cls(0, tuple(names), (0,) * k, ((0,) * k,) * k)

    def __add__(self, other: "Moments") -> "Moments":
        if self.names != other.names:
            raise ValueError(f"moments of different variables: {self.names} and {other.names}")
        return Moments(
            self.n + other.n,
            self.names,
            tuple(a + b for a, b in zip(self.sums, other.sums, strict=True)),
            tuple(
                tuple(a + b for a, b in zip(row, other_row, strict=True))
                for row, other_row in zip(self.products, other.products, strict=True)
            ),
        )

    def select(self, names: Sequence[str]) -> "Moments":
        """Return the moments of some of the variables, in the order given."""
        at = [self.names.index(name) for name in names]
        return Moments(
            self.n,
            tuple(names),
            tuple(self.sums[i] for i in at),
            tuple(tuple(self.products[i][j] for j in at) for i in at),
        )

    def total(self, name: str) -> int:
        """Return the sum of one variable over all groups."""
        return self.sums[self.names.index(name)]

    def combination(self, weights: Mapping[str, Weight]) -> Estimate:
        """Return the mean over groups of a weighted sum of variables, and its standard error.

        Raises ValueError where there is no group.
        """
        if self.n == 0:
            raise ValueError("no deal group to take a mean of")
        parts = [(self.names.index(name), Fraction(weight)) for name, weight in weights.items()]
        total = sum((weight * self.sums[i] for i, weight in parts), Fraction(0))
        mean = float(total / self.n)
        if self.n < 2:
            return Estimate(mean, None, self.n)
        square = sum((v * w * self.products[i][j] for i, v in parts for j, w in parts), Fraction(0))
        variance = (square - total * total / self.n) / (self.n - 1)
        return Estimate(mean, math.sqrt(variance / self.n), self.n)

    def covariance(self, a: str, b: str) -> Fraction | None:
        """Return the exact covariance between groups of two variables; None where n < 2."""
        if self.n < 2:
            return None
        i, j = self.names.index(a), self.names.index(b)
        centre = Fraction(self.sums[i] * self.sums[j], self.n)
        return (self.products[i][j] - centre) / (self.n - 1)

    def ratio(self, numerator: str, denominator: str) -> Estimate | None:
        """Return sum over sum of two variables with its linearised error; see `ratio_of_sums`."""
        y, x = self.names.index(numerator), self.names.index(denominator)
        return ratio_of_sums(
            self.n,
            (self.sums[y], self.sums[x]),
            (self.products[y][y], self.products[y][x], self.products[x][x]),
        )


def ratio_of_sums(n: int, sums: tuple[int, int], products: tuple[int, int, int]) -> Estimate | None:
    """Return the ratio of two sums over n groups and its standard error by the delta method.

    `sums` are those of y and x, `products` those of yy, yx and xx. With r = sum y / sum x the error
    is sqrt(n / (n - 1) * sum (y - r x)^2) / sum x (Cochran, Sampling Techniques, 3rd ed., (6.13)).
    None where x sums to nothing; no error where n < 2.
    """
    y, x = sums
    if n == 0 or x == 0:
        return None
    ratio = Fraction(y, x)
    if n < 2:
        return Estimate(float(ratio), None, n)
    yy, yx, xx = products
    square = yy - 2 * ratio * yx + ratio * ratio * xx
    return Estimate(float(ratio), math.sqrt(square * n / (n - 1)) / abs(x), n)


def sum_products(left: Integers, right: Integers) -> Integers:
    """Return left.T @ right over groups, exactly; floats do it where they cannot round."""
    if len(left) == 0:
        return np.zeros((left.shape[1], right.shape[1]), dtype=np.int64)
    same = right is left
    largest = int(np.abs(left).max(initial=0))
    largest *= largest if same else int(np.abs(right).max(initial=0))
    if largest * len(left) < _EXACT_FLOAT:
        floats = left.astype(np.float64)
        exact = floats.T @ (floats if same else right.astype(np.float64))
        return exact.astype(np.int64)
    wide: Integers = left.astype(object).T @ right.astype(object)
    return wide


def measure_games(points: Integers, win_twelfths: Integers) -> Moments:
    """Sum games up by deal group: `tabulate_games`, as Moments."""
    return Moments.of(name_games(points.shape[2]), tabulate_games(points, win_twelfths))


def name_games(n_strategies: int) -> tuple[str, ...]:
    """Return the names of the columns of `tabulate_games`."""
    numbers = range(n_strategies)
    ranks = numbers if n_strategies > PAIR else ()
    return (
        *(f"points_{i}" for i in numbers),
        *(f"wins_{i}" for i in numbers),
        *(f"ranks_{i}" for i in ranks),
        "draws",
        "starter_points",
        "starter_wins",
        "games",
    )


def tabulate_games(points: Integers, win_twelfths: Integers) -> NDArray[np.int64]:
    """Return one row a deal group, each variable summed over the group's rotations.

    Both arrays have the shape (n_deals, n_rotations, n_strategies); in rotation r strategy i sits
    in seat (i + r) mod n_strategies and seat 0 starts. Columns: points_i; wins_i in twelfths;
    ranks_i in halves, with more than two strategies only; draws, 12 for a game whose win is shared;
    starter_points, which is n times the points of seat 0 less the points of all; starter_wins, the
    twelfths of seat 0; games.
    """
    n_deals, n_rotations, n = points.shape
    starters = [(-rotation) % n for rotation in range(n_rotations)]
    at = (slice(None), range(n_rotations), starters)
    drawn = (win_twelfths.max(axis=2) < TWELFTHS).sum(axis=1) * TWELFTHS
    table = np.empty((n_deals, len(name_games(n))), dtype=np.int64)
    table[:, :n] = points.sum(axis=1, dtype=np.int64)
    table[:, n : 2 * n] = win_twelfths.sum(axis=1, dtype=np.int64)
    if n > PAIR:
        table[:, 2 * n : 3 * n] = rank_games(points, win_twelfths).sum(axis=1)
    table[:, -4] = drawn
    table[:, -3] = n * points[at].sum(axis=1, dtype=np.int64) - table[:, :n].sum(axis=1)
    table[:, -2] = win_twelfths[at].sum(axis=1, dtype=np.int64)
    table[:, -1] = n_rotations
    return table


def rank_games(points: Integers, win_twelfths: Integers) -> NDArray[np.int64]:
    """Return each strategy's rank in each game in halves, so 2 for the first of all.

    Winners come first, then more points before fewer; equals share the mean of their ranks. Arrays
    as in `tabulate_games`.
    """
    standing = 2 * points.astype(np.int64) + (win_twelfths > 0)
    own, other = standing[..., :, None], standing[..., None, :]
    ranks: NDArray[np.int64] = 1 + 2 * (other > own).sum(axis=-1) + (other == own).sum(axis=-1)
    return ranks


def count_strategies(games: Moments) -> int:
    """Return how many strategies sat in the games that `measure_games` measured."""
    return sum(name.startswith("points_") for name in games.names)


def count_rotations(games: Moments) -> int:
    """Return how many games a deal group has, in moments from `measure_games`."""
    return games.total("games") // games.n if games.n else 0


def estimate_score(games: Moments, strategy: int) -> Estimate:
    """Return a strategy's mean score a game, in points."""
    return games.combination({f"points_{strategy}": Fraction(1, count_rotations(games))})


def estimate_win_rate(games: Moments, strategy: int) -> Estimate:
    """Return the share of games a strategy wins; a draw of two counts half."""
    return games.combination({f"wins_{strategy}": _a_game(games)})


def estimate_rank(games: Moments, strategy: int) -> Estimate:
    """Return a strategy's mean rank, 1 for the first; equals share the mean of their ranks.

    Of two strategies one wins, so the rank is 2 less the win rate.
    """
    if count_strategies(games) == PAIR:
        rate = estimate_win_rate(games, strategy)
        return Estimate(2 - rate.mean, rate.se, rate.n)
    return games.combination({f"ranks_{strategy}": Fraction(1, 2 * count_rotations(games))})


def estimate_draw_rate(games: Moments) -> Estimate:
    """Return the share of games whose win is shared."""
    return games.combination({"draws": _a_game(games)})


def estimate_starter_score(games: Moments) -> Estimate:
    """Return what the seat that starts scores above the mean of the others, in points a game."""
    others = count_strategies(games) - 1
    return games.combination(
        {"starter_points": Fraction(1, max(others, 1) * count_rotations(games))}
    )


def estimate_starter_win_rate(games: Moments) -> Estimate:
    """Return the share of games won by the seat that starts; an even game gives 1 / n."""
    return games.combination({"starter_wins": _a_game(games)})


def quantile_975(degrees: int) -> float:
    """Return the 97.5 % quantile of Student's t.

    A table up to four degrees of freedom, then the Cornish-Fisher expansion (Abramowitz and Stegun
    26.7.5), good to 0.1 % there.
    """
    if degrees < 1:
        raise ValueError("Student's t needs at least one degree of freedom")
    if degrees <= len(_T975_SMALL):
        return _T975_SMALL[degrees - 1]
    z = _Z975
    g1 = (z**3 + z) / 4
    g2 = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    g3 = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + g1 / degrees + g2 / degrees**2 + g3 / degrees**3


def _a_game(games: Moments) -> Fraction:
    return Fraction(1, TWELFTHS * count_rotations(games))
