"""The search itself, told goals that nobody played."""

import numpy as np
import pytest

from lcsim.rules import parse_ruleset
from lcsim.strategy import load_strategy
from lcsim.tune.fitness import build_pool
from lcsim.tune.search import Search
from lcsim.tune.settings import LEAST_POPULATION
from lcsim.tune.space import build_space


@pytest.mark.parametrize("size", [0, LEAST_POPULATION, 5])
@pytest.mark.parametrize(
    ("spec", "ruleset", "names"),
    [
        ("cautious-opener", "duel", ("leap",)),
        ("cautious-opener", "duel", ()),
        ("tuned", "duel", ()),
        ("steady", "board", ()),
    ],
    ids=["one", "three", "many", "whole"],
)
def test_the_smallest_population_learns_without_a_warning(spec, ruleset, names, size):
    rules = parse_ruleset(ruleset)
    space = build_space(load_strategy(spec, kind=rules.kind), names)
    pool = build_pool([None], rules, n_players=2, goal="margin")
    with np.errstate(all="raise"):
        search = Search(space, pool, seed=1, n_deals=2, size=size, spread=0.2)
        assert search.size == size or (size == 0 and search.size >= LEAST_POPULATION)
        for _ in range(3):
            asked = [search._ask() for _ in range(search.size)]
            goals = tuple(range(search.size))
            search._learn(asked, goals, search.values, None)
    assert np.isfinite(list(search.values.values())).all()
