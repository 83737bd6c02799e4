"""Differences between strategies that met on the same deals, each with its own error.

The error of a difference is taken from the difference in each deal group, never from the errors of
the two means: what the cards give to both cancels out.
"""

from fractions import Fraction

from lcsim.stats.estimate import TWELFTHS, Estimate, Moments, count_rotations


def compare_scores(games: Moments, a: int, b: int) -> Estimate:
    """Return mean score of strategy a minus that of b, in points a game.

    `games` comes from `measure_games`; swapping a and b changes the sign and nothing else.
    """
    each = Fraction(1, count_rotations(games))
    return _difference(games, f"points_{a}", f"points_{b}", each)


def compare_win_rates(games: Moments, a: int, b: int) -> Estimate:
    """Return win rate of strategy a minus that of b, in games; a draw counts half to both."""
    each = Fraction(1, TWELFTHS * count_rotations(games))
    return _difference(games, f"wins_{a}", f"wins_{b}", each)


def compare_ratios(
    moments: Moments, first: tuple[str, str], second: tuple[str, str]
) -> Estimate | None:
    """Return one ratio of sums minus another over the same deal groups, error by the delta method.

    Each pair names (numerator, denominator). The error is that of the sum of the linearised
    residuals (y - r x) / sum x of both, so what they have in common cancels out. None where a
    denominator sums to nothing.
    """
    totals = [moments.total(pair[1]) for pair in (first, second)]
    if moments.n == 0 or 0 in totals:
        return None
    weights: dict[str, Fraction] = {}
    ratios = []
    for (numerator, denominator), total, sign in zip((first, second), totals, (1, -1), strict=True):
        ratio = Fraction(moments.total(numerator), total)
        ratios.append(ratio)
        for name, weight in (
            (numerator, Fraction(sign, total)),
            (denominator, -sign * ratio / total),
        ):
            weights[name] = weights.get(name, Fraction(0)) + weight
    difference = float(ratios[0] - ratios[1])
    residual = moments.combination(weights)
    if residual.se is None:
        return Estimate(difference, None, moments.n)
    return Estimate(difference, residual.se * moments.n, moments.n)


def _difference(games: Moments, first: str, second: str, each: Fraction) -> Estimate:
    if first == second:
        return games.combination({first: 0})
    return games.combination({first: each, second: -each})
