"""Real games in large numbers, for the tests that hold errors against what happens again."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lcsim.experiment import build_match_experiment, build_plan
from lcsim.rules import get_game
from lcsim.strategy import compile_strategy

TWIN = Path(__file__).with_name("twin.py")
QUICK = "duel:rounds=1"

APART = 10**9
"""Deal d of seed s is deal d - 1 of seed s + 1, so fresh deals need seeds further apart than that.
"""


class Games(NamedTuple):
    """Points and win shares of every game, (n_deals, n_rotations, n_strategies)."""

    points: np.ndarray
    win_twelfths: np.ndarray


@cache
def prepare(specs, ruleset=QUICK):
    """Return the game, the ruleset and the compiled strategies of a matchup."""
    experiment = build_match_experiment(specs, ruleset, games=2 * len(specs), seed=0)
    plan = build_plan(experiment, ())
    compiled = [compile_strategy(strategy) for strategy in plan.strategies]
    (matchup,) = plan.matchups
    game = get_game(plan.kind)
    game.load_kernel(None)
    return game, matchup.ruleset, [compiled[number] for number in matchup.strategies]


def play(specs, *, seed, n_deals, first_deal=0, ruleset=QUICK):
    """Play deals of one seed, each from every seat."""
    game, rules, strategies = prepare(tuple(specs), ruleset)
    rows = game.play_deals(
        rules, seed=seed, first_deal=first_deal, n_deals=n_deals, strategies=strategies
    )
    return Games(*game.settle_games(rules, rows))


def covers(interval, truth):
    """Tell whether an interval holds the truth; an end that is None holds everything."""
    low, high = interval
    return (low is None or low <= truth) and (high is None or truth <= high)
