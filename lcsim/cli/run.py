"""`lcsim run`: an experiment file, from its question to its report."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lcsim.cli.guard import repeat_command
from lcsim.cli.limit import limit_decisions
from lcsim.cli.options import (
    Backend,
    DecisionLimit,
    Scheduler,
    StrategyFolders,
    UnitDeals,
    Workers,
    examples,
    resolve_folders,
)
from lcsim.cli.output import render_table, render_timing, say, say_what_hides
from lcsim.cli.workers import Choice, play_plan
from lcsim.errors import UnknownNameError
from lcsim.shipped import find_shipped

if TYPE_CHECKING:
    from lcsim.experiment import Plan
    from lcsim.runner import RunResult

EPILOG = examples(
    "lcsim run experiments/quickstart.toml",
    "lcsim run experiments/quickstart.toml --dry-run",
    "lcsim run mine.toml --out reports/mine --jobs 2",
    "lcsim run mine.toml --out /shared/mine --backend dask --scheduler tcp://host:8786",
)
NO_EXIT = 1
_PAIRS = ("draws", "a draw counts half")


File = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="The experiment: a TOML file, or a shipped one's name."),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="The folder of the run and its report.",
        show_default="reports/NAME",
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would be played, and play nothing.")
]


def run(
    ctx: typer.Context,
    path: File,
    *,
    out: Out = None,
    dry_run: DryRun = False,
    jobs: Workers = None,
    backend: Backend = None,
    scheduler: Scheduler = None,
    folders: StrategyFolders = None,
    unit_deals: UnitDeals = None,
    decision_limit: DecisionLimit = None,
) -> None:
    """Play an experiment and write its report.

    Started again, it plays what is missing and nothing twice. Exit code 1 if an `expect` of the
    experiment does not hold.
    """
    from dataclasses import replace

    from lcsim.experiment import build_plan, load_experiment

    experiment = load_experiment(_find_experiment(path))
    if unit_deals is not None:
        experiment = replace(experiment, unit_deals=unit_deals)
    target = out or Path("reports") / path.stem
    with limit_decisions(decision_limit, folders=folders):
        plan = build_plan(experiment, resolve_folders(folders))
        say_what_hides(plan.strategies, folders)
    if dry_run:
        print(_render_plan(plan, target))
        return

    from lcsim.report.write import write_report
    from lcsim.runner import build_progress, is_answered_no

    command, progress = repeat_command(ctx), build_progress()
    chosen = Choice(backend, scheduler, jobs)
    with limit_decisions(decision_limit, folders=folders, out=target, progress=progress):
        result = play_plan(plan, target, chosen, progress=progress, command=command)
    files = write_report(target)
    _print_end(result, target, files, command)
    say(render_timing(result.timing))
    if is_answered_no(result):
        raise typer.Exit(NO_EXIT)


def _print_end(result: "RunResult", target: Path, files: Sequence[Path], command: str) -> None:
    """Print what came out, where things are, and the command that does it again."""
    print(_render_result(result))
    print()
    print(_read_answers(target))
    print()
    print(f"Files: {target / 'run.json'} and the games in {target / 'parts'}.")
    print(f"Report: {', '.join(str(file) for file in files if file.parent == target)}")
    print(f"Again: {command}")


def _find_experiment(path: Path) -> Path:
    """Return the file itself, or the shipped experiment of that name."""
    if path.exists():
        return path
    shipped = {file.stem: file for file in find_shipped("experiments").glob("*.toml")}
    is_name = path.parent in (Path(), Path("experiments")) and path.suffix in ("", ".toml")
    if is_name and path.stem in shipped:
        say(f"taking the experiment that comes with lcsim: {shipped[path.stem]}")
        return shipped[path.stem]
    if not path.suffix:
        hint = "Give the path of a TOML file, or the name of an experiment that comes with lcsim."
        raise UnknownNameError("experiment", str(path), shipped, hint=hint)
    return path


def _render_plan(plan: "Plan", target: Path) -> str:
    from lcsim.stats.rounding import format_count

    rows = [
        (
            matchup.label,
            matchup.ruleset.spec,
            format_count(matchup.n_games),
            format_count(sum(unit.matchup == number for unit in plan.units)),
        )
        for number, matchup in enumerate(plan.matchups)
    ]
    head = [f"Question: {plan.experiment.question}"]
    if plan.experiment.cost:
        head.append(f"Cost: {plan.experiment.cost}")
    most = "at most " if plan.experiment.has_stop_rule else ""
    total = (
        f"{format_count(len(plan.matchups), 'matchup')}, {most}"
        f"{format_count(plan.n_games, 'game')} in {format_count(len(plan.units), 'unit')}; "
        f"seed {plan.experiment.seed}; into {target}"
    )
    table = render_table(("matchup", "ruleset", "games", "units"), rows, right=(2, 3))
    if plan.fork_units:
        total += (
            f"\nThe moves of the first {format_count(plan.experiment.fork_games, 'game')} of each "
            f"matchup are forked, in {format_count(len(plan.fork_units), 'more unit')}."
        )
    return "\n".join([*head, "", table, "", total, "Nothing was played (--dry-run)."])


def _read_answers(target: Path) -> str:
    """Return the report's sentences, one a question."""
    answers = json.loads((target / "report.json").read_text(encoding="utf-8"))["answers"]
    several = len({answer["ruleset"] for answer in answers}) > 1
    return "\n".join(
        f"{answer['ruleset']}: {answer['question']} {answer['answer']}"
        if several
        else f"{answer['question']} {answer['answer']}"
        for answer in answers
    )


def _render_result(result: "RunResult") -> str:
    from lcsim.runner import evaluate_expectations
    from lcsim.stats.estimate import estimate_draw_rate, estimate_win_rate
    from lcsim.stats.paired import compare_scores
    from lcsim.stats.rounding import format_count, format_estimate, format_percent

    rows = []
    for played in result.matchups:
        rate = estimate_win_rate(played.games, 0)
        draws = estimate_draw_rate(played.games)
        points = compare_scores(played.games, 0, 1)
        rows.append(
            (
                played.matchup.label,
                played.matchup.ruleset.spec,
                format_count(played.n_games),
                format_percent(rate.mean, rate.se),
                format_percent(draws.mean, draws.se),
                format_estimate(points.mean, points.se, signed=True),
            )
        )
    has_crowd = any(len(played.matchup.labels) > 2 for played in result.matchups)
    shared, count = ("shared", "a shared win counts its part") if has_crowd else _PAIRS
    header = ("matchup", "ruleset", "games", "first wins", shared, "first − second, points")
    lines = [
        f"Question: {result.plan.experiment.question}",
        "",
        render_table(header, rows, right=(2, 3, 4, 5)),
        "",
        f"Each ± is a standard error between deal groups; {count}.",
    ]
    lines += [played.stop.sentence for played in result.matchups if played.stop.sentence]
    lines += [f"Expected: {outcome.sentence}" for outcome in evaluate_expectations(result)]
    return "\n".join(lines)
