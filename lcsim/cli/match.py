"""`lcsim match`: a few strategies against each other, answered at once."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lcsim.cli.guard import repeat_command
from lcsim.cli.limit import limit_decisions
from lcsim.cli.options import (
    Backend,
    DecisionLimit,
    Json,
    Ruleset,
    Scheduler,
    Seed,
    Specs,
    StrategyFolders,
    UnitDeals,
    Workers,
    count_option,
    examples,
    parse_interval,
    parse_width,
    resolve_folders,
)
from lcsim.cli.output import print_json, render_timing, say, say_what_hides
from lcsim.cli.workers import Choice, play_plan

if TYPE_CHECKING:
    from lcsim.runner import RunResult

EPILOG = examples(
    "lcsim match balanced cautious-opener",
    "lcsim match balanced ladder --ruleset duel:rounds=1 --games 1000000 --seed 7 --jobs 2",
    "lcsim match balanced cautious-opener:open_at=18 --precision 0.1",
    "lcsim match mine.py balanced --sprt 0,1 --out reports/mine --json",
    "lcsim match balanced steady racer --ruleset board --games 30000",
)
DEFAULT_GAMES = 100_000
MOST_GAMES = 10_000_000
NO_EXIT = 1


Games = Annotated[
    int | None,
    count_option(
        "--games",
        "Games to play, whole deal groups; with a stopping rule, the most.",
        show_default=f"{DEFAULT_GAMES}; {MOST_GAMES} with a stopping rule",
    ),
]
Precision = Annotated[
    float | None,
    typer.Option(
        "--precision",
        metavar="X",
        parser=parse_width,
        help="Stop once each difference is known to ± X points a game (95 %).",
        show_default=False,
    ),
]
Sprt = Annotated[
    str | None,
    typer.Option(
        "--sprt",
        metavar="D0,D1",
        help="Stop once a test tells a difference of D1 points or more from D0 or less.",
        show_default=False,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="DIR", help="Keep the games and run.json there.", show_default=False
    ),
]


def match(
    ctx: typer.Context,
    specs: Specs,
    *,
    ruleset: Ruleset = "duel",
    games: Games = None,
    seed: Seed = 42,
    jobs: Workers = None,
    backend: Backend = None,
    scheduler: Scheduler = None,
    precision: Precision = None,
    sprt: Sprt = None,
    out: Out = None,
    folders: StrategyFolders = None,
    unit_deals: UnitDeals = None,
    decision_limit: DecisionLimit = None,
    as_json: Json = False,
) -> None:
    """Play strategies against each other.

    Two in a duel, two to four on the board. Every deal is played once per seat rotation, so that
    the cards favour nobody. Exit code 1 if a sequential test says no.
    """
    from lcsim.experiment import build_match_experiment, build_plan
    from lcsim.runner import build_progress, is_answered_no

    has_rule = precision is not None or sprt is not None
    experiment = build_match_experiment(
        specs,
        ruleset,
        games=games or (MOST_GAMES if has_rule else DEFAULT_GAMES),
        seed=seed,
        unit_deals=unit_deals,
        precision=precision,
        sprt=None if sprt is None else parse_interval(sprt),
    )
    command, progress = repeat_command(ctx), build_progress()
    with limit_decisions(decision_limit, folders=folders, out=out, progress=progress):
        plan = build_plan(experiment, resolve_folders(folders))
        say_what_hides(plan.strategies, folders)
        workers = Choice(backend, scheduler, jobs)
        result = play_plan(plan, out, workers, progress=progress, command=command)
    summary = _summarise(result, out, command)
    if as_json:
        print_json(summary)
    else:
        _print_answer(summary, out)
        say(render_timing(result.timing))
    if is_answered_no(result):
        raise typer.Exit(NO_EXIT)


def _summarise(result: "RunResult", out: Path | None, command: str) -> dict[str, Any]:
    from lcsim.cli.verdict import list_assumptions, summarise_games
    from lcsim.rules import get_game

    played = result.matchups[0]
    specs = [result.plan.strategies[number].spec for number in played.matchup.strategies]
    summary = {
        "ruleset": played.matchup.ruleset.spec,
        "seed": result.plan.experiment.seed,
        "n_games": played.n_games,
        "n_deals": played.n_deals,
        "n_rounds": played.n_rounds,
    }
    summary |= summarise_games(played.games, specs, played.matchup.labels)
    return summary | {
        "stop": {
            "reason": played.stop.reason,
            "decision": played.stop.decision,
            "sentence": played.stop.sentence,
        },
        "tie_breaker": get_game(played.matchup.ruleset.kind).tie_breaker or None,
        "assumed": list_assumptions(played.matchup.ruleset),
        "command": command,
        "files": {} if out is None else {"run": str(out / "run.json"), "parts": str(out / "parts")},
        "timing": {
            "seconds": round(result.timing.seconds, 3),
            "jobs": result.timing.jobs,
            "rounds_played": result.timing.rounds_played,
            "rounds_per_s": round(result.timing.rounds_per_second),
        },
    }


def _print_answer(summary: dict[str, Any], out: Path | None) -> None:
    from lcsim.cli.verdict import render_match

    print(render_match(summary))
    print()
    if out is None:
        print("Files: none are kept; --out DIR keeps the games for `lcsim report DIR`.")
    else:
        print(f"Files: {out / 'run.json'} and the games in {out / 'parts'}.")
        print(f"Report: lcsim report {out}")
    print(f"Again: {summary['command']}")
