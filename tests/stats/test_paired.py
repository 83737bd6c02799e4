import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lcsim.stats.estimate import Estimate, Moments, measure_games
from lcsim.stats.paired import compare_ratios, compare_scores, compare_win_rates

POINTS = np.array([[[10, 0], [5, 7]], [[3, 3], [1, 2]]])
WINS = np.array([[[12, 0], [0, 12]], [[6, 6], [0, 12]]])


def test_hand_worked():
    games = measure_games(POINTS, WINS)
    # Group means of the difference: (10 - 2) / 2 = 4 and (0 - 1) / 2 = -0.5.
    assert compare_scores(games, 0, 1) == Estimate(1.75, 2.25, 2)
    assert compare_win_rates(games, 0, 1) == Estimate(-0.25, 0.25, 2)
    assert compare_scores(games, 1, 1) == Estimate(0.0, 0.0, 2)


@given(hnp.arrays(np.int64, (6, 2, 2), elements=st.integers(-300, 300)))
def test_swapping_the_strategies_changes_the_sign_alone(points):
    best = points.max(axis=2, keepdims=True) == points
    wins = best * (12 // best.sum(axis=2, keepdims=True))
    games = measure_games(points, wins)
    for compare in (compare_scores, compare_win_rates):
        there, back = compare(games, 0, 1), compare(games, 1, 0)
        assert there.mean == -back.mean
        assert there.se == back.se
    # With the strategies' numbers exchanged, seats follow: rotation r of one is r + 1 of the other.
    other = measure_games(points[:, ::-1, ::-1], wins[:, ::-1, ::-1])
    assert compare_scores(other, 1, 0) == compare_scores(games, 0, 1)
    assert other.total("starter_points") == games.total("starter_points")


def test_pairing_takes_the_common_luck_out():
    rng = np.random.default_rng(1)
    luck = rng.integers(-100, 100, (500, 2, 1))
    points = luck + rng.integers(0, 5, (500, 2, 2))
    games = measure_games(points, np.full_like(points, 6))
    assert compare_scores(games, 0, 1).se < 0.2


def test_ratios_hand_worked():
    names = ("y", "x", "v", "u")
    # Ratios 2 and 1; residuals over sums: (4-2*1)/3 - (1-1)/4, (2-2*2)/3 - (3-3)/4.
    moments = Moments.of(names, np.array([[4, 1, 1, 1], [2, 2, 3, 3]]))
    found = compare_ratios(moments, ("y", "x"), ("v", "u"))
    assert found.mean == 1
    assert found.se == pytest.approx(np.sqrt(2 * 2 * (2 / 3) ** 2))


def test_a_ratio_less_itself_is_nothing_for_sure():
    values = np.random.default_rng(2).integers(1, 9, (20, 2))
    moments = Moments.of(("y", "x"), values)
    assert compare_ratios(moments, ("y", "x"), ("y", "x")) == Estimate(0.0, 0.0, 20)


def test_ratios_of_nothing():
    moments = Moments.of(("y", "x", "v", "u"), np.array([[4, 1, 0, 0], [2, 2, 0, 0]]))
    assert compare_ratios(moments, ("y", "x"), ("v", "u")) is None
    one = Moments.of(("y", "x", "v", "u"), np.array([[4, 2, 3, 1]]))
    assert compare_ratios(one, ("y", "x"), ("v", "u")) == Estimate(-1.0, None, 1)
