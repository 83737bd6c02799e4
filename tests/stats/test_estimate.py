import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcsim.stats.estimate import (
    Estimate,
    Moments,
    count_rotations,
    count_strategies,
    estimate_draw_rate,
    estimate_rank,
    estimate_score,
    estimate_starter_score,
    estimate_starter_win_rate,
    estimate_win_rate,
    measure_games,
    quantile_975,
    rank_games,
    sum_products,
)

# Two deals, two rotations: strategy 0 sits in seat 0 in rotation 0, in seat 1 in rotation 1.
POINTS = np.array([[[10, 0], [5, 7]], [[3, 3], [1, 2]]])
WINS = np.array([[[12, 0], [0, 12]], [[6, 6], [0, 12]]])


def test_hand_worked_duel():
    games = measure_games(POINTS, WINS)
    assert (games.n, count_strategies(games), count_rotations(games)) == (2, 2, 2)
    # Group means of strategy 0: 7.5 and 2, so the mean is 4.75 and the error 5.5 / 2.
    assert estimate_score(games, 0) == Estimate(4.75, 2.75, 2)
    assert estimate_score(games, 1) == Estimate(3.0, 0.5, 2)
    # Wins of strategy 0: 1 of 2, then half of 2.
    assert estimate_win_rate(games, 0) == Estimate(0.375, 0.125, 2)
    assert estimate_draw_rate(games) == Estimate(0.25, 0.25, 2)
    # Seat 0 leads by 10 and 2, then by 0 and 1: group means 6 and 0.5.
    assert estimate_starter_score(games) == Estimate(3.25, 2.75, 2)
    assert estimate_starter_win_rate(games) == Estimate(0.875, 0.125, 2)


def test_three_strategies_share_a_win():
    points = np.array([[[9, 9, 9], [6, 0, 3], [0, 0, 3]]])
    wins = np.array([[[4, 4, 4], [12, 0, 0], [0, 0, 12]]])
    games = measure_games(points, wins)
    assert estimate_win_rate(games, 0).mean == pytest.approx(16 / 36)
    assert estimate_draw_rate(games).mean == pytest.approx(1 / 3)
    # Seat 0 holds strategy 0, then 2, then 1; less the mean of the others: 0, 0 and -1.5.
    assert estimate_starter_score(games).mean == pytest.approx(-0.5)
    assert estimate_starter_score(games).se is None
    assert estimate_starter_score(games).ci95() is None


def test_ranks_of_three_and_four():
    points = np.array([[[9, 9, 9], [6, 0, 3], [5, 5, 1]]])
    # In the last game strategy 1 has as many points as strategy 0, and wins by the tie-break.
    wins = np.array([[[4, 4, 4], [12, 0, 0], [0, 12, 0]]])
    assert rank_games(points, wins).tolist() == [[[4, 4, 4], [2, 6, 4], [4, 2, 6]]]
    games = measure_games(points, wins)
    ranks = [estimate_rank(games, number).mean for number in range(3)]
    assert ranks == pytest.approx([5 / 3, 2, 7 / 3])
    last = rank_games(np.array([[[7, 0, 0, 5]]]), np.array([[[12, 0, 0, 0]]]))
    assert last.tolist() == [[[2, 7, 7, 4]]]


def test_the_error_of_a_mean_rank_is_between_deals():
    points = np.array([[[3, 2, 1]] * 3, [[1, 2, 3]] * 3])
    wins = np.where(points == 3, 12, 0)
    games = measure_games(points, wins)
    assert estimate_rank(games, 0) == Estimate(2.0, 1.0, 2)
    assert estimate_rank(games, 1) == Estimate(2.0, 0.0, 2)


def test_of_two_the_rank_is_two_less_the_win_rate():
    games = measure_games(POINTS, WINS)
    assert estimate_rank(games, 0) == Estimate(2 - 0.375, 0.125, 2)
    assert "ranks_0" not in games.names


@given(
    st.lists(st.tuples(st.integers(-(10**6), 10**6), st.integers(0, 24)), min_size=2, max_size=40),
    st.data(),
)
def test_merging_in_any_order_and_size_is_identical(rows, data):
    values = np.array(rows, dtype=np.int64)
    whole = Moments.of(("a", "b"), values)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(rows)), max_size=5)))
    parts = [Moments.of(("a", "b"), part) for part in np.split(values, cuts)]
    merged = Moments.empty(("a", "b"))
    for part in data.draw(st.permutations(parts)):
        merged += part
    assert merged == whole
    assert merged.combination({"a": 1, "b": -2}) == whole.combination({"a": 1, "b": -2})


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=50))
def test_combination_is_the_sample_mean_and_its_error(values):
    array = np.array(values, dtype=np.int64)[:, None]
    found = Moments.of(("a",), array).combination({"a": 0.5})
    assert found.mean == pytest.approx(0.5 * array.mean())
    error = 0.5 * array.std(ddof=1) / math.sqrt(len(values))
    assert found.se == pytest.approx(error, abs=1e-12)


def test_products_beyond_floats_stay_exact():
    big = 2**40 + 1
    values = np.array([[big, 1], [big, -1]], dtype=np.int64)
    assert sum_products(values, values).tolist() == [[2 * big * big, 0], [0, 2]]
    assert Moments.of(("a", "b"), values).products[0][0] == 2 * big * big


def test_equal_groups_have_an_error_of_nothing():
    found = Moments.of(("a",), np.full((5, 1), 7)).combination({"a": 0.1})
    assert found.se == 0
    assert found.ci95() == (found.mean, found.mean)


def test_hand_worked_ratio():
    # Groups (y, x): (4, 1), (2, 2); the ratio is 2, residuals 2 and -2.
    moments = Moments.of(("y", "x"), np.array([[4, 1], [2, 2]]))
    found = moments.ratio("y", "x")
    assert found.mean == 2
    assert found.se == pytest.approx(math.sqrt(8 * 2 / 1) / 3)


def test_a_ratio_of_nothing_is_none():
    assert Moments.of(("y", "x"), np.zeros((3, 2), dtype=int)).ratio("y", "x") is None
    assert Moments.empty(("y", "x")).ratio("y", "x") is None
    assert Moments.of(("y", "x"), np.array([[3, 2]])).ratio("y", "x") == Estimate(1.5, None, 1)


def test_select_and_covariance():
    values = np.array([[1, 5], [2, 3], [6, 1]])
    moments = Moments.of(("a", "b"), values)
    assert moments.select(["b"]) == Moments.of(("b",), values[:, 1:])
    assert float(moments.covariance("a", "b")) == pytest.approx(np.cov(values.T)[0, 1])
    assert Moments.of(("a",), np.array([[1]])).covariance("a", "a") is None


def test_moments_refuse_what_does_not_fit():
    with pytest.raises(ValueError, match="do not fit"):
        Moments.of(("a",), np.zeros((2, 2), dtype=int))
    with pytest.raises(ValueError, match="differ"):
        Moments.of(("a", "a"), np.zeros((2, 2), dtype=int))
    with pytest.raises(ValueError, match="different variables"):
        Moments.empty(("a",)) + Moments.empty(("b",))
    with pytest.raises(ValueError, match="no deal group"):
        Moments.empty(("a",)).combination({"a": 1})


@pytest.mark.parametrize(
    ("degrees", "wanted"),
    [
        (1, 12.7062),
        (2, 4.3027),
        (4, 2.7764),
        (5, 2.5706),
        (10, 2.2281),
        (30, 2.0423),
        (1000, 1.9623),
    ],
)
def test_students_t(degrees, wanted):
    assert quantile_975(degrees) == pytest.approx(wanted, rel=2e-3)


def test_students_t_needs_a_degree():
    with pytest.raises(ValueError, match="at least one"):
        quantile_975(0)


def test_scaled():
    assert Estimate(2.0, 0.5, 9).scaled(-2) == Estimate(-4.0, 1.0, 9)
    assert Estimate(2.0, None, 1).scaled(3) == Estimate(6.0, None, 1)
