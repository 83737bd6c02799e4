"""95 % intervals of a wager's value cover the truth in 95 of 100 experiments, with real games.

As in test_coverage_games: the truth is a run a thousand times as long as an experiment. Experiments
are neighbouring deals of one seed, since neighbouring seeds share their deals.
"""

from types import SimpleNamespace

import numpy as np
import pytest
from long_run import QUICK, covers, play, prepare

from lcsim.report.collect import name_in_layer
from lcsim.report.restrictions import Twins, measure_twins
from lcsim.report.source import Matchup
from lcsim.stats.estimate import Moments, name_games, tabulate_games
from lcsim.stats.marginal import MarginalSums, tabulate_moves, value_moves

EXPERIMENTS = 2000
N_DEALS = 200
SEED = 1
LONG = 1000 * N_DEALS
CHUNK = 10_000
WAYS = ("all", "second", "late")
VALUES = ("points", "margin", "wins", "paid")


def fork(pair, sums, *, first_deal, n_deals):
    """Add the wagers of the first strategy on some deals to the sums of WAYS."""
    game, rules, strategies = prepare(pair)
    forks = game.play_forks(
        rules, seed=SEED, first_deal=first_deal, n_deals=n_deals, strategies=strategies
    )
    forks = forks[forks["strategy"] == 0]
    values = value_moves(
        forks["strategy"].astype(np.int64),
        *(np.stack([forks[f"{of}_0"], forks[f"{of}_1"]], axis=1) for of in ("score", "other")),
    )
    groups = forks["deal"] - first_deal
    for name, picked in (
        ("all", np.ones(len(forks), dtype=bool)),
        ("second", forks["wager"] == 2),
        ("late", forks["turn"] >= 20),
    ):
        cells = [np.zeros(picked.sum(), dtype=np.int64)]
        sums[name].add(tabulate_moves(groups[picked], cells, values[picked], shape=(n_deals, 1)))


def estimate_marginal(pair, *, first_deal, n_deals):
    """Return the mean values of the first strategy's wagers, by way and value."""
    sums = {way: MarginalSums(1) for way in WAYS}
    for first in range(first_deal, first_deal + n_deals, CHUNK):
        fork(pair, sums, first_deal=first, n_deals=min(CHUNK, first_deal + n_deals - first))
    return {(way, value): sums[way].estimate(0, value) for way in WAYS for value in VALUES}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pair", "n_deals"),
    [
        (("ladder", "cautious-opener"), N_DEALS),
        (("wager-lover", "ladder"), N_DEALS),
        (("cautious-opener", "ladder"), 2 * N_DEALS),  # lays a wager in one deal of two
    ],
)
def test_marginal_values(pair, n_deals):
    truth = estimate_marginal(pair, first_deal=0, n_deals=LONG)
    hits = dict.fromkeys(truth, 0)
    for number in range(EXPERIMENTS):
        first = LONG + number * n_deals
        for name, found in estimate_marginal(pair, first_deal=first, n_deals=n_deals).items():
            hits[name] += covers(found.ci95(), truth[name].mean)
    shares = {name: count / EXPERIMENTS for name, count in hits.items()}
    print(shares)
    assert all(0.93 <= share <= 0.97 for share in shares.values()), shares


def measure_worth(free, restricted, opponents, *, first_deal, n_deals):
    """Return the differences of two strategies against the same opponents on the same deals."""
    names, tables, shared = [], [], {}
    for number, rival in enumerate(opponents):
        pair = []
        for place, label in enumerate((free, restricted)):
            matchup = Matchup(2 * number + place, "", (label, rival), QUICK, n_deals)
            games = play((label, rival), seed=SEED, first_deal=first_deal, n_deals=n_deals)
            tables.append(tabulate_games(*games))
            names += [name_in_layer(matchup.number, name) for name in name_games(2)]
            pair.append(matchup)
        shared[rival] = tuple(pair)
    layer = Moments.of(names, np.concatenate(tables, axis=1))
    twins = Twins(free, restricted, "", shared, ())
    worth = measure_twins(SimpleNamespace(layers=(layer,)), twins)
    return {name: one.diff for name, one in worth.items()}


@pytest.mark.slow
@pytest.mark.parametrize("restriction", ["no-wagers", "no-discard-draws"])
def test_what_a_restriction_costs(restriction):
    entrants = ("ladder", f"ladder@{restriction}", ("cautious-opener", "eager-opener"))
    truth = measure_worth(*entrants, first_deal=0, n_deals=LONG)
    hits = dict.fromkeys(truth, 0)
    for number in range(EXPERIMENTS):
        first = LONG + number * N_DEALS
        for name, found in measure_worth(*entrants, first_deal=first, n_deals=N_DEALS).items():
            hits[name] += covers(found.ci95(), truth[name].mean)
    shares = {name: count / EXPERIMENTS for name, count in hits.items()}
    print(shares)
    assert all(0.93 <= share <= 0.97 for share in shares.values()), shares
