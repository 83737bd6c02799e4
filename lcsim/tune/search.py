"""The search: CMA-ES over generations of settings, each played on deals of its own.

Within a generation every setting meets the same opponents on the same deals; the next one gets
fresh deals, so that no setting is rewarded for fitting some. The algorithm is that of the package
`cmaes` (Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772), with margin for whole
numbers (Hamano et al., 2022). A search is a function of its settings: what it has played before
can be told to it again, and it goes on as if it had not stopped.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lcsim.runner.backends import Backend
from lcsim.stats.estimate import Estimate
from lcsim.tune.fitness import Pool, estimate_goal, score_settings
from lcsim.tune.space import Space


@dataclass(frozen=True, slots=True)
class Generation:
    """One generation: where its mean stood, how good that was, and what each setting got.

    `goals` are the settings' exact sums over deal groups, what the search is told; `spread` is how
    far they lie from the mean, as a share of the parameters' ranges (root mean square).
    """

    number: int
    values: Mapping[str, float]
    estimate: Estimate
    spread: float
    goals: tuple[int, ...]


class Search:
    """A search under way; `step` plays one generation, `repeat` takes one that was played."""

    def __init__(
        self, space: Space, pool: Pool, *, seed: int, n_deals: int, size: int, spread: float
    ) -> None:
        """`spread` is the first generation's, as a share of each parameter's range."""
        import cmaes

        self._space, self._pool = space, pool
        self._seed, self._n_deals = seed, n_deals
        bounds = np.tile([0.0, 1.0], (len(space.names), 1))
        options: dict[str, Any] = {
            "mean": np.clip(space.find_start(), 0.02, 0.98),
            "sigma": spread,
            "bounds": bounds,
            "seed": seed & 0xFFFFFFFF,
            "population_size": size or None,
        }
        steps = space.steps
        self._whole = bool(steps.any())
        self._cma: Any = (
            cmaes.CMAwM(**options, steps=steps) if self._whole else cmaes.CMA(**options)
        )
        self.number = 0

    @property
    def size(self) -> int:
        """The settings of a generation, its mean not counted."""
        return int(self._cma.population_size)

    @property
    def values(self) -> dict[str, float]:
        """The values of the mean: what the search holds for best now."""
        return self._space.read_point(self._cma.mean)

    @property
    def is_settled(self) -> bool:
        """Whether the settings of a generation hardly differ any more."""
        return bool(self._cma.should_stop())

    def step(self, backend: Backend) -> Generation:
        """Play a generation and learn from it."""
        asked = [self._ask() for _ in range(self.size)]
        values = self.values
        mean = self._space.build_strategy(values)
        settings = [self._space.build_strategy(self._space.read_point(at)) for at, _ in asked]
        first = self.number * self._n_deals
        scores = score_settings(
            self._pool,
            [mean, *settings],
            mean,
            seed=self._seed,
            deals=range(first, first + self._n_deals),
            backend=backend,
        )
        goals = tuple(int(total) for total in scores[1:].sum(axis=(1, 2)))
        estimate = estimate_goal(self._pool, scores[0])
        return self._learn(asked, goals, values, estimate)

    def repeat(self, played: Generation) -> None:
        """Take a generation that was played before instead of playing it."""
        asked = [self._ask() for _ in range(self.size)]
        self._learn(asked, played.goals, self.values, played.estimate)

    def _ask(self) -> tuple[Any, Any]:
        answer = self._cma.ask()
        return answer if self._whole else (answer, answer)

    def _learn(
        self,
        asked: Sequence[tuple[Any, Any]],
        goals: tuple[int, ...],
        values: Mapping[str, float],
        estimate: Estimate,
    ) -> Generation:
        points = np.array([point for point, _ in asked])
        spread = float(np.sqrt(((points - self._cma.mean) ** 2).mean()))
        told = zip(asked, goals, strict=True)
        self._cma.tell([(point, -float(goal)) for (_, point), goal in told])
        generation = Generation(self.number, values, estimate, spread, goals)
        self.number += 1
        return generation


def run_search(
    search: Search, played: Sequence[Generation], n_generations: int, backend: Backend
) -> Iterator[Generation]:
    """Yield the generations that are still to be played, after those that were.

    The search ends at `n_generations`, or before where it has settled.
    """
    for generation in played:
        search.repeat(generation)
    while search.number < n_generations and not search.is_settled:
        yield search.step(backend)
