"""What a move is worth: cases worked by hand, signs, merging, and groups that have no move."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lcsim.stats.estimate import TWELFTHS
from lcsim.stats.marginal import VALUES, MarginalSums, tabulate_moves, value_moves

STRATEGY = np.array([0, 1, 0])
CHOSEN = np.array([[50, 40], [10, 30], [20, 20]])
OTHER = np.array([[35, 45], [10, 5], [20, 26]])
GROUPS = np.array([0, 0, 2])  # the second of three deal groups has no move


def sum_up(groups, values, n_groups, cells=None):
    sums = MarginalSums(1 if cells is None else int(cells.max(initial=0)) + 1)
    cells = np.zeros(len(groups), dtype=np.int64) if cells is None else cells
    shape = (n_groups, sums._sums.shape[1])
    sums.add(tabulate_moves(groups, [cells], values, shape=shape))
    return sums


def test_values_by_hand():
    # Move 1 is strategy 0's: 50 instead of 35 points; its lead is 10 instead of -10; a win instead
    # of a loss. Move 2 is strategy 1's: 30 instead of 5; leads 20 instead of -5. Move 3 changes no
    # point of strategy 0's, but the other has 20 instead of 26: a draw instead of a loss.
    assert VALUES == ("points", "margin", "wins", "paid")
    assert value_moves(STRATEGY, CHOSEN, OTHER).tolist() == [
        [15, 20, 12, 1],
        [25, 25, 12, 1],
        [0, 6, 6, 0],
    ]


def test_estimates_by_hand():
    # Groups hold (moves, points): (2, 40), (0, 0), (1, 0). Mean 40 / 3. Residuals y - r x:
    # 40 - 80/3 = 40/3, 0, -40/3; squares add up to 3200/9.
    # se = sqrt(3 / 2 * 3200 / 9) / 3 = sqrt(1600 / 3) / 3.
    sums = sum_up(GROUPS, value_moves(STRATEGY, CHOSEN, OTHER), 3)
    points = sums.estimate(0, "points")
    assert points.mean == pytest.approx(40 / 3)
    assert points.se == pytest.approx(math.sqrt(1600 / 3) / 3)
    assert (points.n, sums.n, sums.count(0), sums.count_groups(0)) == (2, 3, 3, 2)
    # Wins: groups hold 2, 0 and 1/2 in 2, 0 and 1 moves: 2.5 / 3; residuals 1/3, 0, -1/3.
    wins = sums.estimate(0, "wins")
    assert wins.mean == pytest.approx(2.5 / 3)
    assert wins.se == pytest.approx(math.sqrt(3 / 2 * 2 / 9) / 3)
    assert sums.estimate(0, "paid").mean == pytest.approx(2 / 3)
    assert sums.estimate(0, "margin").mean == pytest.approx(51 / 3)


def test_cells_are_kept_apart():
    values = value_moves(STRATEGY, CHOSEN, OTHER)
    sums = sum_up(GROUPS, values, 3, cells=np.array([0, 1, 1]))
    assert [sums.count(cell) for cell in (0, 1)] == [1, 2]
    assert sums.estimate(0, "points").mean == 15
    assert sums.estimate(1, "points").mean == 12.5


def test_moves_may_be_sorted_in_several_ways_at_once():
    values = value_moves(STRATEGY, CHOSEN, OTHER)
    ways = [np.zeros(3, dtype=np.int64), np.array([1, 2, 2])]
    sums = MarginalSums(3)
    sums.add(tabulate_moves(GROUPS, ways, values, shape=(3, 3)))
    assert [sums.count(cell) for cell in range(3)] == [3, 1, 2]
    assert sums.estimate(0, "points").mean == pytest.approx(40 / 3)


def test_no_move_has_no_value():
    nothing = np.zeros((0, len(VALUES)), dtype=np.int64)
    sums = sum_up(np.zeros(0, dtype=np.int64), nothing, 5)
    assert sums.n == 5
    assert all(sums.estimate(0, value) is None for value in VALUES)


def test_one_group_gives_no_error_even_beside_groups_without_moves():
    values = value_moves(STRATEGY, CHOSEN, OTHER)
    for n_groups in (1, 50):
        alone = sum_up(np.zeros(3, dtype=np.int64), values, n_groups).estimate(0, "points")
        assert alone.mean == pytest.approx(40 / 3)
        assert alone.se is None
        assert alone.ci95() is None


def test_moves_that_change_nothing_are_worth_exactly_nothing():
    sums = sum_up(GROUPS, value_moves(STRATEGY, CHOSEN, CHOSEN), 3)
    for value in VALUES:
        estimate = sums.estimate(0, value)
        assert (estimate.mean, estimate.se) == (0, 0)


@st.composite
def forks(draw):
    n = draw(st.integers(1, 30))
    totals = arrays(np.int64, (n, 2), elements=st.integers(-200, 400))
    return (
        draw(arrays(np.int64, n, elements=st.integers(0, 1))),
        draw(totals),
        draw(totals),
        draw(arrays(np.int64, n, elements=st.integers(0, 6))),
    )


@given(forks())
def test_swapping_the_two_games_swaps_the_signs(case):
    strategy, chosen, other, groups = case
    values, swapped = (value_moves(strategy, *pair) for pair in ((chosen, other), (other, chosen)))
    assert (values[:, :3] == -swapped[:, :3]).all()
    assert np.abs(values[:, 2]).max() <= TWELFTHS
    for value in VALUES[:3]:
        one = sum_up(groups, values, 7).estimate(0, value)
        back = sum_up(groups, swapped, 7).estimate(0, value)
        assert back.mean == -one.mean
        assert back.se == one.se


@given(forks())
def test_naming_the_strategies_the_other_way_round_changes_nothing(case):
    strategy, chosen, other, _ = case
    renamed = value_moves(1 - strategy, chosen[:, ::-1], other[:, ::-1])
    assert (renamed == value_moves(strategy, chosen, other)).all()


@given(forks(), st.permutations(range(7)), st.integers(0, 7))
def test_groups_merge_in_any_order(case, order, cut):
    strategy, chosen, other, groups = case
    table = tabulate_moves(
        groups,
        [np.zeros(len(groups), dtype=np.int64)],
        value_moves(strategy, chosen, other),
        shape=(7, 1),
    )
    whole, left, right = (MarginalSums(1) for _ in range(3))
    whole.add(table)
    left.add(table[:, order[:cut]])
    right.add(table[:, order[cut:]])
    right.merge(left)
    assert right.n == whole.n
    for value in VALUES:
        assert right.estimate(0, value) == whole.estimate(0, value)


def test_the_error_is_that_of_plain_resampling():
    rng = np.random.default_rng(5)
    counts = rng.poisson(1.5, 400)
    groups = np.repeat(np.arange(400), counts)
    luck = rng.normal(0, 20, 400)
    chosen = np.rint(rng.normal(10, 30, (len(groups), 2)) + luck[groups, None]).astype(np.int64)
    values = value_moves(np.zeros(len(groups), dtype=np.int64), chosen, np.zeros_like(chosen))
    estimate = sum_up(groups, values, 400).estimate(0, "points")
    totals = np.bincount(groups, weights=values[:, 0], minlength=400)
    picks = rng.integers(0, 400, (4000, 400))
    means = totals[picks].sum(axis=1) / counts[picks].sum(axis=1)
    assert estimate.se == pytest.approx(means.std(), rel=0.06)
