import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcsim.stats.bradley_terry import (
    ELO,
    add_half_games,
    bound_strength,
    find_outside,
    find_reach,
    fit_strengths,
    pick_core,
    predict_rates,
)


def elo(wins):
    return (ELO * fit_strengths(np.array([wins], dtype=float))[0]).tolist()


def test_two_of_whom_one_wins_three_of_four():
    a, b = elo([[0, 3], [1, 0]])
    assert a - b == pytest.approx(400 * math.log10(3))
    assert a - b == pytest.approx(190.8, abs=0.05)
    assert a + b == pytest.approx(0)


def test_a_chain_adds_up():
    # a wins 2 of 3 against b, b 9 of 12 against c; a and c never met.
    a, b, c = elo([[0, 2, 0], [1, 0, 9], [0, 3, 0]])
    assert a - b == pytest.approx(400 * math.log10(2))
    assert b - c == pytest.approx(400 * math.log10(3))


def test_three_whose_results_agree():
    # Strengths 4 : 2 : 1, each pair as often as it takes to show them.
    a, b, c = elo([[0, 4, 8], [2, 0, 4], [2, 2, 0]])
    assert (a - b, b - c) == pytest.approx((400 * math.log10(2),) * 2)


def test_three_whose_results_do_not_agree():
    # By symmetry strengths are u, 1, 1 / u, and a scores u / (1 + u) + u^2 / (1 + u^2), which for
    # u = 2 is 44 / 30: 29 of 30 against b and 15 of 30 against c.
    a, b, c = elo([[0, 29, 15], [1, 0, 29], [15, 1, 0]])
    assert a == pytest.approx(400 * math.log10(2))
    assert b == pytest.approx(0, abs=1e-9)
    assert c == pytest.approx(-a)


def test_far_apart_it_does_not_overshoot():
    (a, b), (c, d) = elo([[0, 10_000_000], [0.5, 0]]), elo([[0, 0.5], [10_000_000, 0]])
    assert a - b == pytest.approx(400 * math.log10(2e7))
    assert (c, d) == pytest.approx((b, a))


def test_no_finite_fit_is_refused():
    with pytest.raises(ValueError, match="no finite strengths"):
        fit_strengths(np.array([[[0, 4], [0, 0]]], dtype=float))


@given(st.integers(0, 2**32), st.integers(2, 6))
def test_the_fit_meets_every_score(seed, n):
    """At the maximum each strategy is expected to score what it scored."""
    wins = np.random.default_rng(seed).integers(1, 50, (3, n, n)) * (1 - np.eye(n))
    strengths = fit_strengths(wins)
    games = wins + wins.transpose(0, 2, 1)
    assert (games * predict_rates(strengths)).sum(axis=2) == pytest.approx(wins.sum(axis=2))
    assert strengths.sum(axis=1) == pytest.approx(0, abs=1e-9)
    order = np.random.default_rng(seed).permutation(n)
    turned = fit_strengths(wins[:, order][:, :, order])
    assert turned == pytest.approx(strengths[:, order], abs=1e-8)
    assert fit_strengths(wins.transpose(0, 2, 1)) == pytest.approx(-strengths, abs=1e-8)


def flags(rows):
    return np.array([[[one == "x" for one in row] for row in rows]])


def test_reach_goes_over_others():
    reach = find_reach(flags([".x..", "..x.", "...x", "...."]))[0]
    assert reach.tolist() == np.triu(np.ones((4, 4), bool)).tolist()


def outside(rows):
    up, down = find_outside(find_reach(flags(rows)))
    pairs = zip(up[0].tolist(), down[0].tolist(), strict=True)
    return ["^" * is_up + "v" * is_down for is_up, is_down in pairs]


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ((".xx", "x.x", "xx."), ["", "", ""]),
        # The first wins every game, the others share theirs: it alone has no bound.
        ((".xx", "..x", ".x."), ["^", "", ""]),
        ((".x.", "x..", "xx."), ["", "", "^"]),
        (("..x", "..x", "x.."), ["", "^", ""]),
        # One of two wins all: neither is known more than the other.
        ((".x", ".."), ["^", "v"]),
        ((".xx", "..x", "..."), ["^", "^v", "v"]),
        # Two pairs, the first two above the last two.
        ((".xxx", "x.xx", "...x", "..x."), ["^", "^", "v", "v"]),
        # The last met none of the others.
        ((".xx.", "x.x.", "xx..", "...."), ["", "", "", "^v"]),
    ],
)
def test_who_is_unbounded(rows, wanted):
    assert outside(rows) == wanted


def test_the_core_is_the_largest_group():
    assert pick_core(find_reach(flags((".xx", "..x", ".x.")))[0]).tolist() == [False, True, True]
    assert pick_core(find_reach(flags((".x", "..")))[0]).tolist() == [True, False]
    assert pick_core(find_reach(flags(("..", "x.")))[0]).tolist() == [False, True]


def test_half_a_game_each_way_and_no_more():
    met = np.array([[0, 40, 40], [40, 0, 40], [40, 40, 0]], dtype=float)
    padded = add_half_games(np.zeros((1, 3, 3)), met)[0]
    assert padded.sum(axis=1) == pytest.approx(0.5)
    assert padded.sum(axis=0) == pytest.approx(0.5)


def test_a_bound_loses_its_share():
    strengths, games = np.array([-0.5, 0.5]), np.array([10.0, 30.0])
    found = bound_strength(strengths, games, 0.02)
    losses = (games / (1 + np.exp(found - strengths))).sum()
    assert losses == pytest.approx(0.8)
    alone = bound_strength(np.array([0.0]), np.array([8.0]), 0.25)
    assert ELO * alone == pytest.approx(400 * math.log10(3))
