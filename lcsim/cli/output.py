"""What the commands print: results on stdout, everything else on stderr."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from lcsim.runner import Timing
    from lcsim.strategy import LoadedStrategy


def print_json(value: Any) -> None:
    """Print `value` as one JSON document on stdout, keys in the order they were given."""
    print(json.dumps(value, ensure_ascii=False, allow_nan=False))


def say(text: str) -> None:
    """Print a line for the user on stderr, where it disturbs no pipe."""
    print(text, file=sys.stderr, flush=True)


def say_what_hides(
    strategies: Sequence["LoadedStrategy"], folders: "Sequence[Path] | None"
) -> None:
    """Say of each strategy called by name which file that is, where another has the name, too."""
    from lcsim.strategy.registry import find_hidden

    told = set()
    for one in strategies:
        if one.spec.startswith(one.name) and one.path not in told:
            told.add(one.path)
            hidden = find_hidden(one.name, kind=one.kind, folders=folders or ())
            if hidden is not None:
                say(f"{one.name} is {one.path}, which hides {hidden.path}")


def render_timing(timing: "Timing") -> str:
    """Return how long it took; this goes to stderr, as it differs from run to run."""
    from lcsim.stats.rounding import format_count, format_seconds

    forking = f"{format_seconds(timing.seconds_forks)} of it forking moves"
    if not timing.units_played and not timing.fork_units_played:
        return "nothing had to be played: everything was there"
    if not timing.units_played:
        return f"no game had to be played, {format_seconds(timing.seconds)} in all, {forking}"
    return (
        f"{format_count(timing.rounds_played, 'round')} at "
        f"{format_count(round(timing.rounds_per_second))} a second on "
        f"{format_count(timing.jobs, 'job')}, {format_seconds(timing.seconds)} in all"
        f"{f', {forking}' if timing.fork_units_played else ''}"
    )


def render_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()
) -> str:
    """Return a plain table, columns two spaces apart; the columns numbered `right` align right."""
    table = [list(header), *[list(row) for row in rows]]
    widths = [max(len(row[column]) for row in table) for column in range(len(header))]
    lines = [_render_row(row, widths, right) for row in table]
    return "\n".join([lines[0], "  ".join("─" * width for width in widths), *lines[1:]])


def _render_row(row: Sequence[str], widths: Sequence[int], right: Sequence[int]) -> str:
    cells = [
        cell.rjust(width) if column in right else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()
