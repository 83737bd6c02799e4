"""The options that several commands share, and the parsers of their text."""

import math
import os
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from lcsim.errors import CountError, UsageError, did_you_mean

SEED_LIMIT = 2**64
DEAL_LIMIT = 2**62
MAX_JOBS = 1024
MAX_COUNT = 10**18
_DEALS = "Give a number from 0 to 2^62 - 1, or a range such as 5:11, whose end is excluded."


def examples(*lines: str) -> str:
    """Return the closing block of a help text, kept line by line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def count_cores() -> int:
    """Return how many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def parse_count(what: str, *, low: int = 1, high: int = MAX_COUNT) -> Callable[[str], int]:
    """Return a parser of `what`, a whole number of low .. high, written 1_000_000 or 1,000,000."""

    def parse(text: str | int) -> int:
        try:
            value = int(str(text).replace(",", ""))
        except ValueError:
            raise CountError(
                f"{what} is {text!r}, which is not a whole number",
                hint=f"Give a whole number from {low} on.",
            ) from None
        if value < low:
            raise CountError(
                f"{what} is {value}, and must be {low} or more",
                hint=f"Give a whole number from {low} on.",
            )
        if value > high:
            raise CountError(
                f"{what} is {value}, and must be {high:,} or less",
                hint=f"Give a whole number from {low} to {high:,}.",
            )
        return value

    return parse


def count_option(
    flag: str,
    help: str,  # noqa: A002  typer's word
    *,
    low: int = 1,
    high: int = MAX_COUNT,
    metavar: str = "N",
    show_default: bool | str = True,
) -> Any:
    """Return the typer option of a whole number of low .. high."""
    return typer.Option(
        flag,
        metavar=metavar,
        parser=parse_count(flag, low=low, high=high),
        help=help,
        show_default=show_default,
    )


def parse_seed(text: str | int) -> int:
    """Return a seed, an unsigned 64-bit number."""
    try:
        value = int(text)
    except ValueError:
        raise CountError(
            f"the seed is {text!r}, which is not a whole number",
            hint=f"Give a whole number from 0 to {SEED_LIMIT - 1}.",
        ) from None
    if not 0 <= value < SEED_LIMIT:
        raise CountError(
            f"the seed is {value}, and must lie between 0 and 2^64 - 1",
            hint=f"Give a whole number from 0 to {SEED_LIMIT - 1}.",
        )
    return value


def refuse_idle(
    ctx: typer.Context,
    names: Collection[str] | None = None,
    *,
    but: Collection[str] = (),
    why: str,
    hint: str = "Leave it out.",
) -> None:
    """Raise UsageError for options that were typed and would do nothing.

    `names` are those of the command's parameters, all of them where None; `but` are of use.
    """
    idle = [
        param.opts[0] if param.opts[0].startswith("-") else str(param.metavar)
        for param in ctx.command.params
        if (names is None or param.name in names)
        and param.name not in but
        and getattr(ctx.get_parameter_source(str(param.name)), "name", "") == "COMMANDLINE"
    ]
    if idle:
        what = "does" if len(idle) == 1 else "do"
        raise UsageError(f"{', '.join(idle)} {what} nothing here: {why}", hint=hint)


def resolve_folders(folders: list[Path] | None) -> tuple[Path, ...]:
    """Return the folders given with --strategies; raises UsageError for one that is not there."""
    for folder in folders or ():
        if not folder.is_dir():
            what = "is a file" if folder.exists() else "does not exist"
            raise UsageError(
                f"--strategies {folder}: that {what}",
                hint="Give a folder that holds strategy files.",
            )
    return tuple(folders or ())


def parse_deals(text: str) -> range:
    """Return the deals of "7" or of "5:11", whose end is excluded."""
    first, colon, end = text.partition(":")
    try:
        start = int(first)
        deals = range(start, int(end) if colon else start + 1)
    except ValueError:
        raise CountError(f"--deal is {text!r}, which names no deal", hint=_DEALS) from None
    if start >= 0 and deals.stop > DEAL_LIMIT:
        raise CountError(f"--deal is {text!r}, and the last deal is 2^62 - 1", hint=_DEALS)
    if start < 0 or not deals:
        raise CountError(f"--deal is {text!r}, which holds no deal", hint=_DEALS)
    return deals


def parse_width(text: str) -> float:
    """Return the half-width of an interval, above 0."""
    width = _parse_number("--precision", text)
    if width <= 0:
        raise CountError(
            f"--precision is {text}, and must be above 0",
            hint="Give the half-width in points a game, such as 0.1.",
        )
    return width


def parse_interval(text: str) -> tuple[float, float]:
    """Return the two differences of an SPRT, the first below the second."""
    parts = text.split(",")
    if len(parts) != 2:
        raise CountError(
            f"--sprt is {text!r}, and needs two differences",
            hint="Give two differences in points a game with a comma between, such as 0,1.",
        )
    low, high = (_parse_number("--sprt", part) for part in parts)
    if low >= high:
        raise CountError(
            f"--sprt is {text!r}, and the first difference must be below the second",
            hint="Give them the other way round, such as 0,1.",
        )
    return low, high


def parse_share(what: str) -> Callable[[str], float]:
    """Return a parser of `what`, a number above 0 and up to 1."""

    def parse(text: str | float) -> float:
        share = _parse_number(what, str(text))
        if not 0 < share <= 1:
            raise CountError(
                f"{what} is {text}, and must be above 0 and at most 1",
                hint="Give a share of the whole, such as 0.2.",
            )
        return share

    return parse


def parse_choice(what: str, choices: Sequence[str]) -> Callable[[str], str]:
    """Return a parser of `what`, one of some words."""

    def parse(text: str) -> str:
        if text not in choices:
            raise UsageError(
                f"{what} is {text!r}, and must be one of {', '.join(choices)}",
                hint=f"{did_you_mean(text, choices).capitalize()}`--help` says what each is.",
            )
        return text

    return parse


def parse_limit(text: str | float) -> float:
    """Return a number of seconds, from a hundredth to a day."""
    seconds = _parse_number("--decision-limit", str(text))
    if not 0.01 <= seconds <= 86_400:
        raise CountError(
            f"--decision-limit is {text}, and must be 0.01 to 86400 seconds",
            hint="Give the seconds that one decision may take, such as 10.",
        )
    return seconds


def _parse_number(option: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        what = "not a number" if math.isnan(value) else "not finite"
        raise CountError(f"{option} has {text!r}, which is {what}", hint="Give one such as 0.5.")
    return value


Specs = Annotated[
    list[str],
    typer.Argument(
        metavar="SPEC", help="The strategies, in order: names, name:param=value, or files."
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help="Print JSON on stdout and nothing else.", show_default=False)
]
Ruleset = Annotated[
    str,
    typer.Option(
        "--ruleset", metavar="RULESET", help="A preset, fields overridden: duel:bonus_points=0."
    ),
]
Seed = Annotated[
    int,
    typer.Option("--seed", metavar="N", parser=parse_seed, help="The seed, 0 to 2^64 - 1."),
]
Jobs = Annotated[
    int | None,
    count_option(
        "--jobs",
        "Threads to play with; they change no result.",
        high=MAX_JOBS,
        show_default="all cores",
    ),
]
Workers = Annotated[
    int | None,
    count_option(
        "--jobs",
        "Threads or processes to play with, or units at once on a cluster; they change no result.",
        high=MAX_JOBS,
        show_default="all cores, or all of the cluster",
    ),
]
Backend = Annotated[
    str | None,
    typer.Option(
        "--backend",
        metavar="NAME",
        help="Who plays: threads, processes, dask or ray; it changes no result.",
        show_default="threads; processes for batch strategies",
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="Where the cluster's scheduler answers, such as tcp://host:8786.",
        show_default=False,
    ),
]
DecisionLimit = Annotated[
    float | None,
    typer.Option(
        "--decision-limit",
        metavar="SECONDS",
        parser=parse_limit,
        help="Computing time that a strategy may take for one decision.",
        show_default="10",
    ),
]
StrategyFolders = Annotated[
    list[Path] | None,
    typer.Option(
        "--strategies",
        metavar="DIR",
        help="Look for strategies here first; may be given again.",
        show_default=False,
    ),
]
UnitDeals = Annotated[
    int | None,
    count_option(
        "--unit-deals", "Deals a work unit; they change no result.", show_default="chosen"
    ),
]
