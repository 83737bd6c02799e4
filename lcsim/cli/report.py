"""`lcsim report`: from the stored games of a run, or a tuning, to its answers."""

from pathlib import Path
from typing import Annotated

import typer

from lcsim.cli.options import examples, parse_choice
from lcsim.cli.output import say

EPILOG = examples(
    "lcsim report reports/quickstart",
    "lcsim report reports/quickstart --format html",
    "lcsim report reports/quickstart --format json > answers.json",
    "lcsim report reports/quickstart --out ~/for-a-friend",
    "lcsim report reports/tune-balanced",
)


FORMATS = ("html", "md", "json", "csv")
PRINTED = ("md", "json")


def report(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="What `lcsim run`, `match --out` or `tune` wrote."),
    ],
    *,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="<html|md|json|csv>",
            parser=parse_choice("--format", FORMATS),
            help="Only this form; md and json are printed too.",
            show_default="all of them",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="The folder to write into; links to sources lead from there to the run.",
            show_default="the run's",
        ),
    ] = None,
) -> None:
    """Write the report of a run or of a tuning.

    Reads what was played and plays nothing. With --format md or json the text goes to stdout and
    the file's place to stderr. tables/columns.md says what each column of a CSV file holds.
    """
    from lcsim.report.write import write_report

    files = write_report(folder, formats=FORMATS if form is None else (form,), out=out)
    if form in PRINTED:
        main = next(file for file in files if file.name == f"report.{form}")
        print(main.read_text(encoding="utf-8"), end="")
        say(f"wrote {main}")
        return
    for file in files:
        print(file)
