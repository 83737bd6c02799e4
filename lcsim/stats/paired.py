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


def _difference(games: Moments, first: str, second: str, each: Fraction) -> Estimate:
    if first == second:
        return games.combination({first: 0})
    return games.combination({first: each, second: -each})
