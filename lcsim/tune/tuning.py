"""A tuning from its start, or from where it stopped, to its end: searched, judged, written down."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lcsim.errors import InterruptedRunError, RunDirError
from lcsim.experiment.identity import describe_files, list_sources, name_source
from lcsim.runner.backends import Backend
from lcsim.stats.estimate import Estimate
from lcsim.store.tune_dir import TUNED, TuneDir, claim_tuning
from lcsim.strategy import LoadedStrategy, compile_strategy, load_engines
from lcsim.tune.fitness import Pool, build_pool, compare_goals, estimate_goal, score_settings
from lcsim.tune.search import Generation, Search, run_search
from lcsim.tune.settings import Tuning

VALIDATION_DEALS = 2**40  # deals from here on judge, and are never searched on
SENSITIVITY_DEALS = 2**41
SHARES = (-0.2, -0.1, -0.05, 0.05, 0.1, 0.2)  # of a parameter's range, off the optimum

Watch = Callable[[Generation, int], None]


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


def run_tuning(
    tuning: Tuning,
    out: Path,
    backend: Backend,
    *,
    watch: Watch | None = None,
    notify: Callable[[str], None] | None = None,
    command: str = "",
) -> Outcome:
    """Search, judge and write down; a tuning that stopped in `out` goes on where it was.

    Raises:
        RunDirError: `out` holds something else, another tuning, or is in use.
        CountError: the budget pays for no generation.
        InterruptedRunError: KeyboardInterrupt; the generations played are kept.
    """
    pool, search = _prepare_search(tuning, notify)
    games_each = pool.count_games(tuning.settings.deals) * (search.size + 1)
    n_generations = tuning.count_generations(games_each)
    with claim_tuning(out) as folder:
        played = _begin(tuning, folder)
        try:
            for generation in run_search(search, played[:n_generations], n_generations, backend):
                folder.add_generation(_write_generation(generation))
                played.append(generation)
                if watch:
                    watch(generation, n_generations)
            outcome = judge(tuning, pool, search, played, backend)
        except KeyboardInterrupt:
            raise InterruptedRunError(
                f"interrupted after {search.number} of {n_generations} generations, which are "
                f"kept in {out}",
                hint=f"go on with: {command}" if command else "give the same command again",
            ) from None
        folder.write_text(TUNED, _write_result(tuning, outcome))
        folder.write_manifest(
            {**_describe(tuning), "status": "finished", "result": asdict(outcome)}
        )
    return outcome


def _prepare_search(tuning: Tuning, notify: Callable[[str], None] | None) -> tuple[Pool, Search]:
    """Compile who plays, and return the pool and a search that has played nothing yet."""
    settings = tuning.settings
    load_engines(tuning.ruleset.kind, _list_strategies(tuning), notify=notify)
    compile_strategy(tuning.space.strategy, notify=notify)
    pool = build_pool(
        [compile_strategy(one, notify=notify) if one else None for one in tuning.opponents],
        tuning.ruleset,
        n_players=settings.players,
        goal=settings.goal,
        folders=tuning.folders,
    )
    if settings.population:  # told before anything of that size is made
        tuning.count_generations(pool.count_games(settings.deals) * (settings.population + 1))
    search = Search(
        tuning.space,
        pool,
        seed=settings.seed,
        n_deals=settings.deals,
        size=settings.population,
        spread=settings.spread,
    )
    return pool, search


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


def _begin(tuning: Tuning, folder: TuneDir) -> list[Generation]:
    """Write the manifest of a new tuning, or return the generations of one that stopped."""
    described = _describe(tuning)
    if not folder.is_begun:
        folder.write_manifest({**described, "status": "searching"})
        for one in _list_strategies(tuning):
            for name, data in list_sources(one).items():
                folder.write_source(name, data)
        return []
    kept = folder.read_manifest()
    if kept.get("digest") != tuning.digest:
        old, new = kept.get("settings", {}), json.loads(json.dumps(described["settings"]))
        differ = [name for name in new if old.get(name) != new[name] and name != "question"]
        what = ", ".join(differ) or "the strategies, the rules or the machine"
        raise RunDirError(
            f"{folder.path} holds another tuning: {what} differ",
            hint="give another folder with --out, or remove that one",
        )
    records = folder.read_generations()
    folder.write_generations(records)
    return [_read_generation(record) for record in records]


def _describe(tuning: Tuning) -> dict[str, Any]:
    params = {
        name: {"low": p.low, "high": p.high, "default": p.default, "help": p.help}
        for name, p in tuning.space.params.items()
    }
    return {
        "digest": tuning.digest,
        "settings": asdict(tuning.settings),
        "kind": tuning.ruleset.kind,
        "strategy": tuning.space.strategy.name,
        "params": params,
        "strategies": [
            {
                "label": one.label,
                "spec": one.spec,
                "source": name_source(one.name, one.digest),
                **describe_files(one),
            }
            for one in _list_strategies(tuning)
        ],
    }


def _list_strategies(tuning: Tuning) -> list[LoadedStrategy]:
    """Return who takes part, each once: the strategy as it was, then its opponents."""
    everyone = [tuning.space.strategy, *(one for one in tuning.opponents if one)]
    return list({one.digest: one for one in everyone}.values())


def _write_generation(generation: Generation) -> dict[str, Any]:
    return asdict(generation)


def _read_generation(record: Mapping[str, Any]) -> Generation:
    return Generation(
        record["number"],
        record["values"],
        Estimate(**record["estimate"]),
        record["spread"],
        tuple(record["goals"]),
    )


def _write_result(tuning: Tuning, outcome: Outcome) -> str:
    """Return the TOML that asks for the same tuning, with what came out as its comment."""
    goal = "points ahead a game" if tuning.settings.goal == "margin" else "of games won"
    return (
        f"# {outcome.spec}\n#\n"
        f"# came of this tuning after {outcome.n_generations} generations: "
        f"{outcome.tuned.mean:.4g} {goal} on deals that the search did not see, "
        f"{outcome.gain.mean:+.3g} on {tuning.settings.strategy}.\n\n"
        + tuning.settings.write_toml()
    )
