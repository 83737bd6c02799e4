"""Where one number a strategy misleads, and the sentences that say so."""

from itertools import combinations, permutations

import numpy as np
import pytest
from ratings import count, draw_results, play

from lcsim.stats import rating_fit
from lcsim.stats.fit_check import (
    explain_limits,
    find_cycles,
    find_misfit,
    is_misfit,
    list_tested,
    warn_of_misfit,
)
from lcsim.stats.rating import rate_strategies


@pytest.fixture(autouse=True)
def few_samples(monkeypatch):
    monkeypatch.setattr(rating_fit, "REPLICATES", 400)


def rate_cycle(wins, games=100):
    pairs = [("a", "b"), ("b", "c"), ("c", "a")]
    return rate_strategies([count(pair, wins, games - wins) for pair in pairs])


def test_a_clear_cycle_is_found_and_told():
    ratings = rate_cycle(70)
    (cycle,) = find_cycles(ratings)
    assert sorted(cycle.labels) == ["a", "b", "c"]
    assert cycle.labels in {("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")}
    assert [rate.mean for rate in cycle.rates] == pytest.approx([0.7] * 3)
    assert cycle.weakest == pytest.approx(0.2)
    assert [one.mean for one in ratings.ratings] == pytest.approx([0, 0, 0], abs=1e-6)
    said = warn_of_misfit(ratings)
    assert said.startswith("One number a strategy is misleading here: ")
    assert "(70 ± 5 % of their games)" in said
    assert "and yet" in said


def test_a_cycle_of_wins_alone_is_one():
    ratings = rate_cycle(20, games=20)
    assert [rate.mean for rate in find_cycles(ratings)[0].rates] == [1, 1, 1]
    assert "100 ± 0 %" in warn_of_misfit(ratings)


def test_a_cycle_within_the_error_is_none():
    assert find_cycles(rate_cycle(55)) == []
    assert find_cycles(rate_cycle(4, games=4)) == []


def test_the_clearest_of_several_cycles_is_told():
    beats = {("a", "b"): 75, ("b", "c"): 70, ("c", "a"): 80, ("b", "d"): 90, ("d", "a"): 90}
    results = [count(pair, wins, 100 - wins) for pair, wins in beats.items()]
    ratings = rate_strategies([*results, count(("c", "d"), 50, 50)])
    found = [(set(cycle.labels), round(cycle.weakest, 2)) for cycle in find_cycles(ratings)]
    assert found == [(set("abd"), 0.25), (set("abc"), 0.2)]
    assert "(1 more such cycle)" in warn_of_misfit(ratings)


def test_the_pair_that_fits_worst_is_told():
    # a and b are even with each other; c beats a by far and b by little.
    results = [count(("a", "b"), 300, 300), count(("c", "a"), 540, 60), count(("c", "b"), 330, 270)]
    ratings = rate_strategies(results)
    worst = find_misfit(ratings)
    assert len(list_tested(ratings)) == 3
    # The fit meets the score of each strategy, so the residuals of its two pairs cancel out.
    sizes = [abs(one.residual.mean) for one in ratings.contests]
    assert sizes == pytest.approx([abs(worst.residual.mean)] * 3)
    assert sizes[0] > 0.1
    assert is_misfit(worst, 3)
    said = warn_of_misfit(ratings)
    assert "and the ratings predict" in said
    assert "which is off by" in said


def test_results_of_the_model_fit():
    ratings = rate_strategies(
        draw_results(
            np.random.default_rng(1), [1, 0.5, 0, -1], 400, pairs=list(combinations(range(4), 2))
        )
    )
    assert warn_of_misfit(ratings) == ""
    assert not is_misfit(find_misfit(ratings), 6)


def test_a_chain_has_nothing_to_check():
    ratings = rate_strategies([count(("a", "b"), 60, 40), count(("b", "c"), 90, 10)])
    assert find_misfit(ratings) is None
    assert warn_of_misfit(ratings) == ""


def test_a_difference_below_two_points_is_not_told():
    results = [
        play(names, (["a"] * wins + ["b"] * (200 - wins)) * 100)
        for names, wins in ((("a", "b"), 103), (("b", "c"), 103), (("a", "c"), 100))
    ]
    ratings = rate_strategies(results)
    worst = find_misfit(ratings)
    assert 0.005 < abs(worst.residual.mean) < 0.02
    assert abs(worst.residual.mean) > 3 * worst.residual.se
    assert not is_misfit(worst, 3)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_order_of_matchups_changes_no_sentence(order):
    results = [count(("z", "x"), 30, 0), count(("x", "y"), 20, 10), count(("z", "y"), 30, 0)]
    said = explain_limits(rate_strategies([results[i] for i in order]))
    assert said == explain_limits(rate_strategies(results))
    assert said.startswith("z won every game against the rated ones, so its rating has no upper")


def test_one_that_cannot_be_placed():
    # d beats only z, who wins against all others: nothing says where d stands among those.
    results = [count(("z", "x"), 30, 0), count(("x", "y"), 20, 10), count(("z", "d"), 30, 0)]
    ratings = rate_strategies(results)
    assert {one.label: one.place for one in ratings.ratings} == {
        "z": "above",
        "x": "rated",
        "y": "rated",
        "d": "apart",
    }
    assert ratings.find("x", "d").superiority is None
    assert "d cannot be placed" in explain_limits(ratings)


def test_one_placed_by_games_of_others_alone():
    results = [count(("z", "x"), 30, 0), count(("x", "y"), 20, 10), count(("w", "z"), 30, 0)]
    ratings = rate_strategies(results)
    assert [one.label for one in ratings.ratings] == ["w", "z", "x", "y"]
    assert "w stands above the rated ones by games of others alone" in explain_limits(ratings)
