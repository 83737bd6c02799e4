"""A tuning from its start, or from where it stopped, to its end: searched, judged, written down."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from lcsim.errors import InterruptedRunError
from lcsim.runner.backends import Backend
from lcsim.store.tune_dir import TUNED, claim_tuning
from lcsim.strategy import compile_strategy, load_engines
from lcsim.tune.fitness import Pool, build_pool
from lcsim.tune.folder import (
    begin_tuning,
    describe_tuning,
    list_strategies,
    write_generation,
)
from lcsim.tune.judge import Outcome, judge
from lcsim.tune.result import write_result
from lcsim.tune.search import Generation, Search, run_search
from lcsim.tune.settings import Tuning

Watch = Callable[[Generation, int], None]


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

    `notify` gets a sentence when a strategy has to be compiled first, and for what is played anew
    because a file was cut short.

    Raises:
        StrategyBrokeError: a strategy broke; the hint is the command that replays the game.
        RunDirError: `out` holds something else, another tuning, or is in use.
        CountError: the budget pays for no generation.
        InterruptedRunError: KeyboardInterrupt; the generations played are kept.
    """
    pool, search = _prepare_search(tuning, notify)
    games_each = pool.count_games(tuning.settings.deals) * (search.size + 1)
    n_generations = tuning.count_generations(games_each)
    with claim_tuning(out) as folder:
        kept, played = begin_tuning(tuning, folder, notify)
        try:
            for generation in run_search(search, played[:n_generations], n_generations, backend):
                kept.add(write_generation(generation))
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
        folder.write_text(TUNED, write_result(tuning, outcome, folder.path))
        folder.write_manifest(
            {**describe_tuning(tuning), "status": "finished", "result": asdict(outcome)}
        )
    return outcome


def _prepare_search(tuning: Tuning, notify: Callable[[str], None] | None) -> tuple[Pool, Search]:
    """Compile who plays, and return the pool and a search that has played nothing yet."""
    settings = tuning.settings
    load_engines(tuning.ruleset.kind, list_strategies(tuning), notify=notify)
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
