"""What a search found, judged on deals that it never saw."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lcsim.runner.backends import Backend
from lcsim.stats.estimate import Estimate
from lcsim.strategy import LoadedStrategy
from lcsim.tune.fitness import Pool, compare_goals, estimate_goal, score_settings
from lcsim.tune.search import Generation, Search
from lcsim.tune.settings import Tuning

VALIDATION_DEALS = 2**40  # deals from here on judge, and are never searched on
SENSITIVITY_DEALS = 2**41
SHARES = (-0.2, -0.1, -0.05, 0.05, 0.1, 0.2)  # of a parameter's range, off the optimum


@dataclass(frozen=True, slots=True)
class Neighbour:
    """What one parameter set to another value costs: `loss` of the goal, a paired difference."""

    param: str
    value: float
    loss: Estimate


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tuning found; all estimates but `searched` are on deals never used in the search.

    `searched` is the last generation's own estimate of its mean; `gap` is how much better that
    looks than `tuned`, of which some is luck with the cards.
    """

    spec: str
    values: Mapping[str, float]
    n_generations: int
    searched: Estimate
    tuned: Estimate
    start: Estimate
    gain: Estimate
    neighbours: tuple[Neighbour, ...]

    @property
    def gap(self) -> Estimate:
        """Return the search's last estimate less the one on fresh deals."""
        errors = (self.searched.se or 0.0, self.tuned.se or 0.0)
        se = (errors[0] ** 2 + errors[1] ** 2) ** 0.5
        return Estimate(self.searched.mean - self.tuned.mean, se, self.tuned.n)


def judge(
    tuning: Tuning, pool: Pool, search: Search, played: list[Generation], backend: Backend
) -> Outcome:
    """Hold the search's mean against the start, and against its neighbours, on fresh deals."""
    space, settings = tuning.space, tuning.settings
    values = space.round_values(search.values)
    best = space.build_strategy(values)
    n_deals = max(2, settings.validation // pool.count_games(1))

    def score(ones: list[LoadedStrategy], first: int, count: int) -> Any:
        deals = range(first, first + count)
        return score_settings(pool, ones, best, seed=settings.seed, deals=deals, backend=backend)

    scores = score([best, space.strategy], VALIDATION_DEALS, n_deals)
    around = _list_neighbours(space, values) if settings.sensitivity else []
    neighbours: list[Neighbour] = []
    if around:
        n_near = max(2, settings.sensitivity // pool.count_games(1))
        ones = [space.build_strategy({**values, name: value}) for name, value in around]
        near = score([best, *ones], SENSITIVITY_DEALS, n_near)
        neighbours = [
            Neighbour(name, value, compare_goals(pool, near[0], other))
            for (name, value), other in zip(around, near[1:], strict=True)
        ]
    return Outcome(
        spec=best.spec,
        values=values,
        n_generations=search.number,
        searched=played[-1].estimate,
        tuned=estimate_goal(pool, scores[0]),
        start=estimate_goal(pool, scores[1]),
        gain=compare_goals(pool, scores[0], scores[1]),
        neighbours=tuple(neighbours),
    )


def _list_neighbours(space: Any, values: Mapping[str, float]) -> list[tuple[str, float]]:
    around: dict[tuple[str, float], None] = {}
    for name, param in space.params.items():
        for share in SHARES:
            step = share * (param.high - param.low)
            if param.is_integer and abs(step) < 1:
                step = 1 if step > 0 else -1
            value = space.round_values({name: values[name] + step})[name]
            if param.low <= value <= param.high and value != values[name]:
                around[name, value] = None
    return list(around)
