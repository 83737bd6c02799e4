"""The 95 % intervals cover a known truth about 95 times in 100."""

import numpy as np
import pytest

from lcsim.stats.estimate import Moments, estimate_score, estimate_win_rate, measure_games
from lcsim.stats.paired import compare_ratios, compare_scores
from lcsim.stats.pooled import combine_layers


def covers(interval, truth):
    return interval[0] <= truth <= interval[1]


def simulate_games(rng, n_deals):
    """Strategy 0 is 3 points better; both share the luck of the deal; skew like real scores."""
    luck = rng.normal(0, 30, (n_deals, 1, 1))
    noise = rng.gamma(2.0, 14.0, (n_deals, 2, 2))
    points = np.rint(luck + noise).astype(np.int64)
    points[:, :, 0] += 3
    best = points == points.max(axis=2, keepdims=True)
    return measure_games(points, best * (12 // best.sum(axis=2, keepdims=True)))


def simulate_expeditions(rng, n_deals):
    """Expeditions of two kinds, their number and their points tied to the luck of the deal."""
    luck = rng.normal(0, 1, n_deals)
    columns = []
    for often, points in ((3.0, 12.0), (6.0, 5.0)):
        counts = rng.poisson(often * np.exp(0.2 * luck - 0.02))
        totals = np.rint(counts * points + rng.normal(0, 20, n_deals) * np.sqrt(counts))
        columns += [totals.astype(np.int64), counts]
    return Moments.of(("y", "x", "v", "u"), np.stack(columns, axis=1))


def measure_coverage(*, repeats, n_deals, seed):
    rng = np.random.default_rng(seed)
    truth = estimate_win_rate(simulate_games(np.random.default_rng(99), 200_000), 0).mean
    hits = dict.fromkeys(("score", "win_rate", "diff", "ratio", "contrast", "pooled"), 0)
    for _ in range(repeats):
        games = simulate_games(rng, n_deals)
        hits["score"] += covers(estimate_score(games, 0).ci95(), 31)
        hits["win_rate"] += covers(estimate_win_rate(games, 0).ci95(), truth)
        hits["diff"] += covers(compare_scores(games, 0, 1).ci95(), 3)
        moments = simulate_expeditions(rng, n_deals)
        hits["ratio"] += covers(moments.ratio("y", "x").ci95(), 12)
        contrast = compare_ratios(moments, ("y", "x"), ("v", "u"))
        hits["contrast"] += covers(contrast.ci95(), 7)
        hits["pooled"] += covers(pool(rng, n_deals).ci95(), 4)
    return {name: count / repeats for name, count in hits.items()}


def pool(rng, n_deals):
    """The difference of two variables with luck in common, one of which has more deals."""
    luck = rng.normal(0, 20, 2 * n_deals)
    a = np.rint(luck + rng.normal(10, 8, 2 * n_deals)).astype(np.int64)
    b = np.rint(luck + rng.normal(6, 8, 2 * n_deals)).astype(np.int64)
    both = np.stack([a[:n_deals], b[:n_deals]], axis=1)
    layers = [Moments.of(("a", "b"), both), Moments.of(("a",), a[n_deals:, None])]
    return combine_layers(layers, {"a": 1, "b": -1})


def test_coverage_in_short():
    found = measure_coverage(repeats=400, n_deals=60, seed=11)
    assert all(0.91 <= share <= 0.98 for share in found.values()), found


@pytest.mark.slow
@pytest.mark.parametrize("n_deals", [12, 60, 400])
def test_coverage(n_deals):
    found = measure_coverage(repeats=4000, n_deals=n_deals, seed=12)
    assert all(0.93 <= share <= 0.97 for share in found.values()), found
