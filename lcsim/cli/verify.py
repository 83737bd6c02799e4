"""`lcsim verify`: is what a run keeps what its games give?"""

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lcsim.cli.limit import limit_decisions
from lcsim.cli.options import (
    DecisionLimit,
    Jobs,
    Json,
    StrategyFolders,
    count_option,
    examples,
    parse_seed,
    resolve_folders,
)
from lcsim.cli.output import print_json, render_table, say
from lcsim.errors import UsageError

if TYPE_CHECKING:
    from lcsim.runner.verify import Verification

EPILOG = examples(
    "lcsim verify reports/quickstart",
    "lcsim verify reports/quickstart --units 40 --seed 7",
    "lcsim verify runs/theirs --all --run-sources",
)
DEFAULT_UNITS = 10

Folder = Annotated[
    Path, typer.Argument(metavar="DIR", help="What `lcsim run` or `match --out` wrote.")
]
Units = Annotated[
    int | None,
    count_option("--units", "Units to play again.", show_default=str(DEFAULT_UNITS)),
]
All = Annotated[bool, typer.Option("--all", help="Play all units again.")]
Draw = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        parser=parse_seed,
        help="Draw the same units again.",
        show_default="drawn anew, and told",
    ),
]
RunSources = Annotated[
    bool,
    typer.Option(
        "--run-sources", help="Run the kept sources of strategies that are not found here."
    ),
]


def verify(
    folder: Folder,
    *,
    units: Units = None,
    every: All = False,
    seed: Draw = None,
    run_sources: RunSources = False,
    jobs: Jobs = None,
    folders: StrategyFolders = None,
    decision_limit: DecisionLimit = None,
    as_json: Json = False,
) -> None:
    """Play units of a run again and compare the bytes.

    Every part is held to its checksum, and a sample is played again. The folder is data: it is not
    changed, and no code in it is run unless --run-sources says so. A kept source that is the same
    as a file found here, such as a shipped strategy, needs no leave. Exit code 4, and the unit is
    named, if one differs.
    """
    from lcsim.runner.backends import ThreadBackend, check_jobs
    from lcsim.runner.verify import verify_run

    if every and units is not None:
        raise UsageError("--units and --all contradict each other", hint="Leave one of them out.")
    drawn = secrets.randbelow(2**32) if seed is None else seed
    with limit_decisions(decision_limit, folders=folders):
        found = verify_run(
            folder,
            ThreadBackend(check_jobs(jobs)),
            n_units=None if every else units or DEFAULT_UNITS,
            seed=drawn,
            folders=resolve_folders(folders),
            run_sources=run_sources,
            notify=say,
        )
    if as_json:
        print_json(_summarise(folder, found, drawn))
    else:
        print(_render(folder, found, drawn))


def _summarise(folder: Path, found: "Verification", seed: int) -> dict[str, Any]:
    return {
        "run": str(folder),
        "units": {"stored": found.n_stored, "compared": found.n_played},
        "forks": {"stored": found.n_forks_stored, "compared": found.n_forks_played},
        "missing": found.n_missing,
        "strangers": found.n_strangers,
        "same_rows_in_other_bytes": found.n_rewritten,
        "same_rules_code": found.is_same_engine,
        "strategies": [{"spec": spec, "known_from": place} for spec, place in found.strategies],
        "seed": seed,
    }


def _render(folder: Path, found: "Verification", seed: int) -> str:
    from lcsim.stats.rounding import format_count

    forks = ""
    if found.n_forks_stored:
        stored = format_count(found.n_forks_stored, "unit")
        forks = f" and {format_count(found.n_forks_played)} of {stored} of forks"
    lines = [
        f"{folder}: {format_count(found.n_played)} of {format_count(found.n_stored, 'unit')}"
        f"{forks} played again: the same bytes.",
        "All parts agree with their checksums, and the manifest with itself.",
    ]
    if found.n_rewritten:
        lines.append(
            f"{format_count(found.n_rewritten)} of them have the same rows in other bytes: another "
            "version of polars wrote them."
        )
    if found.n_missing:
        lines.append(
            f"The run has not ended: {format_count(found.n_missing, 'unit')} to be played."
        )
    if found.n_strangers:
        lines.append(f"Of no unit, and not looked at: {format_count(found.n_strangers, 'part')}.")
    if not found.is_same_engine:
        lines.append("It was played by other code of the rules than this lcsim's.")
    if found.n_played < found.n_stored or found.n_forks_played < found.n_forks_stored:
        lines.append(f"The same units again: --seed {seed}; every unit: --all.")
    table = render_table(("strategy", "source known from"), found.strategies)
    return "\n".join([*lines, "", table])
