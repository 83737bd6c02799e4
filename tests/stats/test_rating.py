"""Ratings by hand, against an error worked out another way, and where there is little to rate."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ratings import count, draw_results, play

from lcsim.stats import rating_fit
from lcsim.stats.bradley_terry import ELO, predict_rates
from lcsim.stats.buckets import BUCKETS, PairSums
from lcsim.stats.fit_check import explain_limits, warn_of_misfit
from lcsim.stats.rating import rate_strategies

ROUND = list(combinations(range(4), 2))
STRENGTHS = np.array([0.6, 0.2, -0.2, -0.6])


def read(ratings):
    return {one.label: one for one in ratings.ratings}


def test_two_of_whom_one_wins_three_of_four():
    ratings = rate_strategies([count(("x", "y"), 75, 25)])
    x, y = ratings.ratings
    assert (x.label, y.label) == ("x", "y")
    assert x.mean - y.mean == pytest.approx(190.848, abs=1e-3)
    assert x.mean + y.mean == pytest.approx(0)
    # The error of log odds from 75 and 25 independent games: sqrt(1 / 75 + 1 / 25) = 0.2309.
    (contest,) = ratings.contests
    assert contest.diff.se == pytest.approx(ELO * math.sqrt(1 / 75 + 1 / 25), rel=0.08)
    assert contest.rate.mean == 0.75
    assert contest.predicted == pytest.approx(0.75)
    assert contest.residual.mean == pytest.approx(0, abs=1e-9)
    assert contest.rate.se == pytest.approx(math.sqrt(0.75 * 0.25 / 99), rel=0.05)
    assert contest.superiority == pytest.approx(1, abs=1e-3)


def test_a_draw_is_half_a_win_to_each():
    drawn = rate_strategies([count(("x", "y"), 50, 0, draws=50)])
    won = rate_strategies([count(("x", "y"), 75, 25)])
    assert read(drawn)["x"].mean == pytest.approx(read(won)["x"].mean)
    assert read(drawn)["x"].se < read(won)["x"].se


def test_a_chain_and_an_anchor():
    results = [count(("x", "y"), 60, 30), count(("y", "z"), 60, 20)]
    ratings = read(rate_strategies(results, anchor="y"))
    assert (ratings["y"].mean, ratings["y"].se) == (0, 0)
    assert ratings["x"].mean == pytest.approx(400 * math.log10(2))
    assert ratings["z"].mean == pytest.approx(-400 * math.log10(3))
    free = read(rate_strategies(results))
    assert sum(one.mean for one in free.values()) == pytest.approx(0, abs=1e-6)
    assert free["x"].mean - free["z"].mean == pytest.approx(400 * math.log10(6))


def test_errors_are_those_of_the_sandwich():
    """Another way to the same errors: scores of each deal, and the curvature of the likelihood."""
    rng = np.random.default_rng(3)
    n_deals = 700
    luck = rng.normal(0, 1, n_deals)[:, None]
    results, won = [], np.zeros((n_deals, 4, 4))
    for a, b in ROUND:
        # The luck of the deal falls to the lower number in every matchup.
        chance = 1 / (1 + np.exp(STRENGTHS[b] - STRENGTHS[a] - luck))
        first = 12 * (rng.random((n_deals, 2)) < chance)
        sums = PairSums(2)
        games = np.stack([first, 12 - first], axis=2)
        sums.add(np.arange(n_deals), games, games)
        results.append(((f"s{a}", f"s{b}"), sums))
        won[:, a, b] = first.sum(axis=1) / 12
        won[:, b, a] = 2 - won[:, a, b]
    ratings = read(rate_strategies(results))
    strengths = np.array([ratings[f"s{i}"].mean for i in range(4)]) / ELO
    rates = predict_rates(strengths)
    played = 2 * (1 - np.eye(4))
    scores = (won - played * rates).sum(axis=2)
    weights = n_deals * played * rates * (1 - rates)
    curve = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.pinv(curve)
    wanted = np.sqrt(np.diag(inverse @ scores.T @ scores @ inverse))
    found = np.array([ratings[f"s{i}"].se for i in range(4)]) / ELO
    assert found == pytest.approx(wanted, rel=0.06)
    # Games as if on cards of their own would seem to tell another story.
    assert not np.allclose(found, np.sqrt(np.diag(inverse)), rtol=0.15)


def test_groups_of_deals_give_the_errors_of_deals(monkeypatch):
    def rate(n_buckets):
        monkeypatch.setattr("lcsim.stats.buckets.BUCKETS", n_buckets)
        monkeypatch.setattr(rating_fit, "BUCKETS", n_buckets)
        results = draw_results(np.random.default_rng(4), STRENGTHS, 4000, pairs=ROUND)
        return rate_strategies(results)

    deals, groups = rate(4000), rate(500)
    assert (deals.n_draws, groups.n_draws) == (4000, 500)
    for one, other in zip(deals.ratings, groups.ratings, strict=True):
        assert one.mean == pytest.approx(other.mean)
        assert one.se == pytest.approx(other.se, rel=0.12)
    assert BUCKETS == 1024


def test_a_strategy_better_on_the_same_deals_is_told_with_fewer_games():
    rng = np.random.default_rng(6)
    luck = rng.normal(0, 3, (300, 2))
    results = []
    for name, edge in (("p", 0.0), ("q", 0.7)):
        won = 12 * (luck + edge > 0)
        sums = PairSums(2)
        games = np.stack([won, 12 - won], axis=2)
        sums.add(np.arange(300), games, games)
        results.append(((name, "base"), sums))
    ratings = rate_strategies(results)
    contest = ratings.find("q", "p")
    each = [read(ratings)[name].se for name in "pq"]
    assert contest.diff.se < math.hypot(*each)
    assert contest.superiority > 0.99
    assert contest.n_games == 0
    assert contest.rate is contest.residual is None


def test_three_at_a_table_follow_lucess_choice():
    rng = np.random.default_rng(9)
    strengths = np.array([0.8, 0.0, -0.8])
    points = strengths + rng.gumbel(0, 1, (6000, 3, 3))
    order = points.argsort(axis=2).argsort(axis=2)
    sums = PairSums(3)
    sums.add(np.arange(6000), order, 12 * (order == 2))
    ratings = rate_strategies([(("a", "b", "c"), sums)])
    for one, true in zip(ratings.ratings, ELO * strengths, strict=True):
        assert abs(one.mean - true) < 4 * one.se
        assert 0 < one.se < 3
    assert warn_of_misfit(ratings) == ""


def test_the_same_results_give_the_same_numbers():
    results = draw_results(np.random.default_rng(2), STRENGTHS, 50, pairs=ROUND)
    assert rate_strategies(results) == rate_strategies(results)


@given(st.integers(0, 2**32), st.permutations(range(4)))
@settings(max_examples=10, deadline=None)
def test_other_names_and_another_order_permute_and_change_nothing_else(seed, order):
    results = draw_results(np.random.default_rng(seed), STRENGTHS, 40, pairs=ROUND)
    names = {f"s{i}": f"t{order[i]}" for i in range(4)}
    turned = []
    for (a, b), sums in results:
        other = PairSums(2)
        other.n_deals, other.games = sums.n_deals, sums.games
        other.halves = 2 * sums.games[:, None] - sums.halves
        turned.append(((names[b], names[a]), other))
    there = rate_strategies(results)
    back = rate_strategies([turned[i] for i in np.random.default_rng(seed).permutation(6)])
    found = read(back)
    for label, one in read(there).items():
        twin = found[names[label]]
        for name in ("mean", "se", "ci95_lo", "ci95_hi"):
            assert getattr(twin, name) == pytest.approx(getattr(one, name), abs=1e-6), name
        assert twin.n_games == one.n_games
    for one in there.contests:
        twin = back.find(names[one.a], names[one.b])
        assert twin.diff.mean == pytest.approx(one.diff.mean, abs=1e-6)
        assert twin.superiority == pytest.approx(one.superiority, abs=1e-3)


@given(st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_wins_turned_into_losses_change_the_sign_alone(seed):
    results = draw_results(np.random.default_rng(seed), STRENGTHS, 40, pairs=ROUND)
    there = rate_strategies(results)
    for _, sums in results:
        sums.halves = 2 * sums.games[:, None] - sums.halves
    back = read(rate_strategies(results))
    for one in there.ratings:
        assert back[one.label].mean == pytest.approx(-one.mean, abs=1e-6)
        assert back[one.label].se == pytest.approx(one.se, abs=1e-6)
        assert back[one.label].ci95_lo == pytest.approx(-one.ci95_hi, abs=1e-6)


def test_one_that_wins_every_game_has_a_bound():
    results = [count(("x", "y"), 60, 40), count(("z", "x"), 100, 0), count(("y", "z"), 0, 100)]
    ratings = rate_strategies(results)
    z, x, y = ratings.ratings
    assert (z.label, z.mean, z.se, z.ci95_hi, z.place) == ("z", None, None, None, "above")
    # The others are rated by their own games.
    assert x.mean - y.mean == pytest.approx(400 * math.log10(1.5))
    assert x.mean + y.mean == pytest.approx(0)
    # With a share of 1 - 0.05^(1/100), some 3 in 100, lost to two strategies near 0.
    share = 1 - 0.05**0.01
    assert z.ci95_lo == pytest.approx(400 * math.log10((1 - share) / share), abs=5)
    assert ratings.find("z", "y").superiority > 0.9999
    assert ratings.find("z", "y").diff is None
    said = explain_limits(ratings)
    assert "z won every game against the rated ones" in said
    assert "above +610" in said
    lost = rate_strategies([(names[::-1], sums) for names, sums in results])
    assert lost.ratings[-1].ci95_hi == pytest.approx(-z.ci95_lo)
    assert lost.ratings[-1].place == "below"


def test_few_deals_do_not_tell_much_of_one_that_wins_all():
    for results in ([count(("z", "x"), 2, 0)], [count(("x", "z"), 0, 2)]):
        ratings = rate_strategies(results)
        z, x = ratings.ratings
        assert (z.label, z.place, z.mean, x.place, x.mean) == ("z", "rated", 0, "below", None)
        # Up to 1 - sqrt(0.05) = 78 % of deals might be lost the other way, for all that we know.
        assert x.ci95_hi == pytest.approx(400 * math.log10(0.7764 / 0.2236), abs=0.1)
        assert ratings.contests[0].superiority == 0.875


def test_one_loss_in_many_leaves_the_upper_end_open():
    results = [count(("x", "y"), 60, 40), count(("z", "x"), 99, 1), count(("z", "y"), 100, 0)]
    ratings = rate_strategies(results)
    z, x, y = ratings.ratings
    assert z.mean > z.ci95_lo > 300
    assert (z.se, z.ci95_hi, z.place, z.is_open) == (None, None, "rated", True)
    # The mean of those that are bounded is 0, so the open one does not blur them.
    assert x.mean + y.mean == pytest.approx(0)
    assert x.se < 25
    assert "z lost so few games that its rating has no upper end" in explain_limits(ratings)


def test_a_rank_order_without_any_return():
    results = [count(pair, 50, 0) for pair in combinations("xyz", 2)]
    ratings = rate_strategies(results)
    assert [one.label for one in ratings.ratings] == ["x", "y", "z"]
    assert [one.place for one in ratings.ratings] == ["rated", "below", "below"]
    assert ratings.find("y", "z").superiority > 0.999
    assert "y lost every game against x" in explain_limits(ratings)


def test_no_common_scale():
    ratings = rate_strategies([count(("a", "b"), 3, 3), count(("c", "d"), 3, 3)])
    assert ratings.groups == (("a", "b"), ("c", "d"))
    assert ratings.ratings == ratings.contests == ()
    assert "no common scale" in explain_limits(ratings)
    assert "a, b; c, d" in explain_limits(ratings)


def test_one_deal_gives_no_error():
    ratings = rate_strategies([play(("x", "y"), ["aab"]), play(("y", "z"), ["aab"])])
    assert all((one.se, one.ci95_lo, one.ci95_hi) == (None,) * 3 for one in ratings.ratings)
    assert read(ratings)["y"].mean == 0
    assert all(one.superiority is None for one in ratings.contests)
    assert all(one.diff.se is None for one in ratings.contests)
    assert "One deal gives no error" in explain_limits(ratings)
    assert warn_of_misfit(ratings) == ""


def test_all_games_drawn():
    ratings = rate_strategies([count(pair, 0, 0, draws=30) for pair in combinations("xyz", 2)])
    assert [(one.mean, one.se, one.ci95_hi) for one in ratings.ratings] == [(0, 0, 0)] * 3
    assert [one.superiority for one in ratings.contests] == [0.5] * 3
    assert "even on every deal" in explain_limits(ratings)


def test_what_cannot_be_rated_is_refused():
    with pytest.raises(ValueError, match="two strategies"):
        rate_strategies([])
    with pytest.raises(ValueError, match="two strategies"):
        rate_strategies([(("x", "y"), PairSums(2))])
    with pytest.raises(ValueError, match="'w' has no finite rating"):
        rate_strategies([count(("x", "y"), 3, 1)], anchor="w")


@given(st.lists(st.lists(st.sampled_from("ab="), min_size=2, max_size=5), min_size=6, max_size=6))
@settings(max_examples=60, deadline=None)
def test_whatever_happens_numbers_are_numbers(games):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rating_fit, "REPLICATES", 100)
        results = [
            play((f"s{a}", f"s{b}"), outcome) for (a, b), outcome in zip(ROUND, games, strict=True)
        ]
        ratings = rate_strategies(results)
    values = [
        value
        for one in ratings.ratings
        for value in (one.mean, one.se, one.ci95_lo, one.ci95_hi)
        if value is not None
    ]
    for one in ratings.contests:
        values += [est.mean for est in (one.rate, one.diff, one.residual) if est is not None]
        assert one.superiority is None or 0 < one.superiority < 1
        assert one.diff is None or one.superiority is not None
    assert all(math.isfinite(value) for value in values)
    assert len(ratings.ratings) == 4
    said = explain_limits(ratings) + warn_of_misfit(ratings)
    assert not any(word in said for word in ("nan", "inf", "None"))
