"""`lcsim tune`: good parameters for a strategy, found by play and judged on fresh deals."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lcsim.cli.guard import is_typed, repeat_command
from lcsim.cli.limit import limit_decisions
from lcsim.cli.options import (
    DecisionLimit,
    Jobs,
    Json,
    Ruleset,
    Seed,
    StrategyFolders,
    count_option,
    examples,
    parse_choice,
    parse_share,
    resolve_folders,
)
from lcsim.cli.output import print_json, render_table, say
from lcsim.errors import UsageError

if TYPE_CHECKING:
    from lcsim.report.tuning_verdict import Verdict
    from lcsim.tune.judge import Outcome
    from lcsim.tune.search import Generation
    from lcsim.tune.settings import Settings

EPILOG = examples(
    "lcsim tune cautious-opener --against eager-opener --ruleset duel:rounds=1 --budget 300000",
    "lcsim tune mine.py --against balanced --against self --params open_at,wager_at",
    "lcsim tune steady --against balanced --ruleset board --players 3 --goal wins",
    "lcsim tune experiments/tunings/tuned-duel.toml --out reports/tuned-duel",
)

_IN_THE_FILE = (
    *("against", "ruleset", "players", "goal", "budget", "deals", "population", "spread"),
    *("params", "validation", "sensitivity", "seed"),
)
"""The options that the file of a tuning has as keys."""

Target = Annotated[
    str,
    typer.Argument(metavar="SPEC", help="The strategy to tune, or the TOML file of a tuning."),
]
Against = Annotated[
    list[str] | None,
    typer.Option(
        "--against",
        metavar="SPEC",
        help="An opponent, or `self`; may be given again.",
        show_default=False,
    ),
]
Budget = Annotated[
    int,
    count_option("--budget", "Games of the search."),
]
Deals = Annotated[
    int,
    count_option("--deals", "Deals of a generation, the same for all its settings.", low=2),
]
Population = Annotated[
    int,
    count_option(
        "--population",
        "Settings of a generation, 4 or more; 0 lets their number follow from the parameters'.",
        low=0,
    ),
]
Spread = Annotated[
    float,
    typer.Option(
        "--spread",
        metavar="X",
        parser=parse_share("--spread"),
        help="How far the first settings lie apart, as a share of each parameter's range.",
    ),
]
Players = Annotated[
    int | None,
    count_option(
        "--players", "Players at a table.", low=2, show_default="the fewest the game takes"
    ),
]
Goal = Annotated[
    str,
    typer.Option(
        "--goal",
        metavar="GOAL",
        parser=parse_choice("--goal", ("margin", "wins")),
        help="margin (points ahead) or wins.",
    ),
]
Params = Annotated[
    str | None,
    typer.Option("--params", metavar="NAMES", help="Tune these alone: a,b,c.", show_default="all"),
]
Validation = Annotated[
    int,
    count_option("--validation", "Games of each of the two settings compared at the end."),
]
Sensitivity = Annotated[
    int,
    count_option(
        "--sensitivity", "Games of each neighbour of the optimum at the end; 0 for none.", low=0
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="DIR", help="The folder of the tuning.", show_default="reports/tune-NAME"
    ),
]


def tune(
    ctx: typer.Context,
    target: Target,
    *,
    against: Against = None,
    ruleset: Ruleset = "duel",
    players: Players = None,
    goal: Goal = "margin",
    budget: Budget = 2_000_000,
    deals: Deals = 200,
    population: Population = 0,
    spread: Spread = 0.2,
    params: Params = None,
    validation: Validation = 40_000,
    sensitivity: Sensitivity = 4_000,
    seed: Seed = 42,
    jobs: Jobs = None,
    out: Out = None,
    folders: StrategyFolders = None,
    decision_limit: DecisionLimit = None,
    as_json: Json = False,
) -> None:
    """Find good parameters for a strategy.

    CMA-ES searches; every generation is played on fresh deals, all its settings on the same ones.
    What it finds is then held against the strategy as it was, on deals the search never saw.
    Started again, a tuning goes on. The same seed gives the same parameters for any --jobs.
    """
    from lcsim.runner.backends import ThreadBackend, check_jobs
    from lcsim.tune.result import judge_outcome
    from lcsim.tune.settings import prepare_tuning
    from lcsim.tune.tuning import run_tuning

    given = {
        **{"ruleset": ruleset, "players": players or _count_fewest(ruleset), "goal": goal},
        **{"seed": seed, "budget": budget, "deals": deals, "population": population},
        **{"spread": spread, "validation": validation, "sensitivity": sensitivity},
        "params": [name.strip() for name in params.split(",")] if params else [],
    }
    settings, command = _choose_settings(ctx, target, against, given), repeat_command(ctx)
    backend = ThreadBackend(check_jobs(jobs))
    with limit_decisions(decision_limit, folders=folders):
        tuning = prepare_tuning(settings, resolve_folders(folders))
        folder = out or Path("reports") / f"tune-{tuning.space.strategy.name}"
        outcome = run_tuning(tuning, folder, backend, watch=_watch, notify=say, command=command)
    verdict = judge_outcome(settings, tuning.space.strategy.name, outcome)
    if as_json:
        print_json(_summarise(settings, outcome, verdict, folder, command))
        return
    print(f"{_render(settings, outcome, verdict, folder)}\nAgain: {command}")


def _choose_settings(
    ctx: typer.Context, target: str, against: list[str] | None, given: dict[str, Any]
) -> "Settings":
    """Return the settings of a file, or of the words."""
    from lcsim.tune.settings import build_settings, check_population, load_settings

    if target.endswith(".toml"):
        typed = [name for name in _IN_THE_FILE if is_typed(ctx, name)]
        if typed:
            options = ", ".join(f"--{name}" for name in typed)
            raise UsageError(
                f"{target} says itself what it asks for: {options} cannot change it",
                hint=f"Leave {options} out, or write it into the file.",
            )
        return load_settings(Path(target))
    check_population(given["population"], "--population")
    if not against:
        raise UsageError(
            "a tuning needs opponents", hint="Name one or more: --against balanced --against self."
        )
    return build_settings({"strategy": target, "against": against, **given})


def _count_fewest(ruleset: str) -> int:
    from lcsim.rules import get_game, parse_ruleset

    return get_game(parse_ruleset(ruleset).kind).player_counts[0]


def _watch(generation: "Generation", n_generations: int) -> None:
    from lcsim.stats.rounding import format_estimate

    value = generation.estimate
    say(
        f"generation {generation.number + 1} of {n_generations}: "
        f"{format_estimate(value.mean, value.se)}, spread {generation.spread:.3f}"
    )


def _summarise(
    settings: "Settings", outcome: "Outcome", verdict: "Verdict", folder: Path, command: str
) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "settings": asdict(settings),
        **asdict(outcome),
        "gap": asdict(outcome.gap),
        "verdict": verdict.outcome,
        "sentence": verdict.sentence,
        "command": command,
        "files": {"tuned": str(folder / "tuned.toml"), "tuning": str(folder / "tune.json")},
    }


def _render(settings: "Settings", outcome: "Outcome", verdict: "Verdict", folder: Path) -> str:
    from lcsim.stats.rounding import format_count, format_estimate

    what = "points ahead a game" if settings.goal == "margin" else "of games won"
    rows = [
        ("the search's last generation", outcome.searched),
        ("tuned, on fresh deals", outcome.tuned),
        ("as it was, on the same deals", outcome.start),
        ("gain, paired", outcome.gain),
        ("gap: searched less fresh", outcome.gap),
    ]
    table = render_table(
        ("", what), [(name, format_estimate(one.mean, one.se)) for name, one in rows], right=(1,)
    )
    told = "\n".join(filter(None, (verdict.sentence, verdict.advice)))
    kept = f"       {folder / 'tune.json'} has the loss at each neighbour of the optimum.\n"
    found = "Tuned" if verdict.is_better else "What the search found all the same,"
    return (
        f"{table}\n\n{told}\n\n{found} in {format_count(outcome.n_generations, 'generation')}:\n"
        f"{outcome.spec}\n\n"
        f"Files: {folder / 'tuned.toml'} asks for this tuning again.\n"
        f"{kept if settings.sensitivity else ''}"
        f"Report: {shlex.join(['lcsim', 'report', str(folder)])}"
    )
