"""The command `lcsim`: its sub-commands, one a file.

Nothing heavy is imported before a command runs: numpy, numba, polars and the rest are imported
inside the functions that need them, so that `lcsim --help` stays instant.
"""

import signal
from typing import Annotated

import typer

from lcsim import __version__
from lcsim.cli import advise, bench, match, replay, report, rules, run, strategies, tune, verify
from lcsim.cli.guard import GuardedGroup, open_missing_streams
from lcsim.cli.options import examples

app = typer.Typer(
    name="lcsim",
    cls=GuardedGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"lcsim {__version__}")
        raise typer.Exit


@app.callback(
    epilog=examples(
        "lcsim match balanced cautious-opener --games 100000",
        "lcsim run experiments/quickstart.toml",
        "lcsim strategies list",
        "lcsim rules show duel",
        "lcsim replay balanced ladder --deal 7",
    )
)
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Play Lost Cities millions of times and say what came out, with its error.

    Results go to stdout, progress and warnings to stderr. Exit codes: 0 done; 1 done, but an
    expectation or a sequential test says no; 2 usage or configuration; 3 a strategy broke; 4 stored
    data unusable; 5 workers lost; 70 a fault inside lcsim; 130 interrupted.
    """


app.command("match", epilog=match.EPILOG)(match.match)
app.command("run", epilog=run.EPILOG)(run.run)
app.command("report", epilog=report.EPILOG)(report.report)
app.command("replay", epilog=replay.EPILOG)(replay.replay)
app.command("verify", epilog=verify.EPILOG)(verify.verify)
app.command("advise", epilog=advise.EPILOG)(advise.advise)
app.command("tune", epilog=tune.EPILOG)(tune.tune)
app.add_typer(strategies.app, name="strategies")
app.add_typer(rules.app, name="rules")
app.add_typer(bench.app, name="bench")


def main() -> None:
    """Run the command line; this is what the `lcsim` script calls."""
    open_missing_streams()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    app(prog_name="lcsim")


if __name__ == "__main__":
    main()
