"""`lcsim bench units`: what cutting a run into units and keeping them costs, by their size."""

import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from lcsim.cli.options import Json, Seed, count_option, examples
from lcsim.cli.output import print_json, render_table, say

if TYPE_CHECKING:
    from lcsim.experiment import Plan
    from lcsim.strategy import CompiledStrategy

EPILOG = examples(
    "lcsim bench units", "lcsim bench units --deals 40000 --repeats 7", "lcsim bench units --json"
)
STRATEGIES = ("balanced", "random-legal")  # one that thinks, and the fastest there is
SIZES = (64, 256, 1024, 4096, 8192, 16384)

Deals = Annotated[
    int,
    count_option("--deals", "Deals of a measurement.", high=1_000_000),
]
Repeats = Annotated[
    int,
    count_option("--repeats", "Measure N times and take the median."),
]


def bench_units(
    deals: Deals = 16_384,
    seed: Seed = 2026,
    repeats: Repeats = 5,
    as_json: Json = False,
) -> None:
    """Measure what units and parts cost beside the games.

    The same deals are played by the kernel in one piece and, right after, as a run of units, which
    are played, measured and written as Parquet. Both count processor time, on one job; the overhead
    is their ratio less one, the median of several such pairs.
    """
    from lcsim.rules import GAMES

    results = [
        measure_units(kind, name, deals=deals, seed=seed, repeats=repeats)
        for name in STRATEGIES
        for kind in GAMES
    ]
    if as_json:
        print_json({"deals": deals, "timing": results})
        return
    header = ("deals a unit", *(f"{one['strategy']}, {one['ruleset']}" for one in results))
    rows = [
        (f"{size:,}", *(f"{100 * one['overhead'][number]:.1f} %" for one in results))
        for number, size in enumerate(SIZES)
    ]
    chosen = [f"{one['default_deals']:,}" for one in results]
    rows.append(("by default, in a long run", *chosen))
    print(render_table(header, rows, right=range(1, len(header))))


def measure_units(kind: str, name: str, *, deals: int, seed: int, repeats: int) -> dict[str, Any]:
    """Return the overhead of units of each of SIZES, for a strategy against itself."""
    from lcsim.rules import get_game
    from lcsim.strategy import compile_strategy, load_strategy

    get_game(kind).load_kernel(say)
    compiled = compile_strategy(load_strategy(name, kind=kind), notify=say)
    plans = {size: _plan(kind, name, deals, seed, size) for size in SIZES}
    _time_run(_plan(kind, name, 1, seed, 1))  # what the first run of a process loads is no unit's
    ratios: dict[int, list[float]] = {size: [] for size in SIZES}
    for _ in range(repeats):
        for size, plan in plans.items():
            alone = _time_kernel(plan, compiled)
            ratios[size].append(_time_run(plan) / alone)
    longest = _plan(kind, name, 10**6, seed, None)
    return {
        "strategy": name,
        "ruleset": kind,
        "sizes": list(SIZES),
        "overhead": [round(statistics.median(ratios[size]) - 1, 4) for size in SIZES],
        "default_deals": longest.units[0].n_deals,
    }


def _plan(kind: str, name: str, deals: int, seed: int, unit_deals: int | None) -> "Plan":
    from lcsim.experiment import build_match_experiment, build_plan

    experiment = build_match_experiment(
        [name, name], kind, games=2 * deals, seed=seed, unit_deals=unit_deals
    )
    return build_plan(experiment)


def _time_kernel(plan: "Plan", compiled: "CompiledStrategy") -> float:
    from lcsim.rules import get_game

    matchup = plan.matchups[0]
    begin = time.process_time()
    get_game(plan.kind).play_deals(
        matchup.ruleset,
        seed=plan.experiment.seed,
        first_deal=0,
        n_deals=matchup.n_deals,
        strategies=[compiled] * 2,
    )
    return time.process_time() - begin


def _time_run(plan: "Plan") -> float:
    from lcsim.runner import run_plan

    with tempfile.TemporaryDirectory(prefix="lcsim-bench-") as folder:
        begin = time.process_time()
        run_plan(plan, Path(folder) / "run", jobs=1)
        return time.process_time() - begin
