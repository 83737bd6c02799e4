import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcsim.stats.buckets import BUCKETS, PairSums, count_pair_wins, list_pairs


def share(points):
    best = points == points.max(axis=2, keepdims=True)
    return best * (12 // best.sum(axis=2, keepdims=True))


def test_two_count_as_they_win():
    points = np.array([[[10, 0], [5, 7]], [[3, 3], [1, 2]]])
    # One win and one loss; half a win and a loss: 2 and 1 halves of 4.
    assert count_pair_wins(points, share(points)).tolist() == [[2], [1]]


def test_three_count_as_three_pairs():
    points = np.array([[[9, 9, 4], [6, 0, 3]]])
    wins = np.array([[[12, 0, 0], [12, 0, 0]]])
    assert list_pairs(3) == [(0, 1), (0, 2), (1, 2)]
    # The tie-break gives the first game to 0, who is then above 1; the second goes 0, 2, 1.
    assert count_pair_wins(points, wins).tolist() == [[4, 4, 2]]


def test_four_equals_share_every_pair():
    points = np.full((1, 4, 4), 7)
    assert count_pair_wins(points, share(points)).tolist() == [[4] * 6]


def test_a_deal_has_its_bucket_whatever_comes_before_it():
    points = np.array([[[1, 0], [1, 0]]])
    sums = PairSums(2)
    for deal in (5, BUCKETS + 5, 6):
        sums.add([deal], points, share(points))
    assert sums.n_deals == 3
    assert np.flatnonzero(sums.games).tolist() == [5, 6]
    assert (sums.games[5], sums.halves[5, 0], sums.games[6]) == (4, 8, 2)


@given(st.data())
def test_parts_of_any_size_in_any_order_are_identical(data):
    n_deals = data.draw(st.integers(1, 3000))
    points = np.random.default_rng(n_deals).integers(0, 4, (n_deals, 3, 3))
    deals = np.arange(n_deals)
    whole = PairSums(3)
    whole.add(deals, points, share(points))
    cuts = sorted(data.draw(st.sets(st.integers(0, n_deals), max_size=4)))
    merged = PairSums(3)
    for part in data.draw(st.permutations(np.split(deals, cuts))):
        one = PairSums(3)
        one.add(part, points[part], share(points[part]))
        merged.merge(one)
    assert merged.n_deals == whole.n_deals
    assert np.array_equal(merged.games, whole.games)
    assert np.array_equal(merged.halves, whole.halves)
    assert whole.halves.sum() == pytest.approx(count_pair_wins(points, share(points)).sum())
