"""What a forbidden thing is worth: a strategy less its restricted twin, with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from lcsim.report.palette import INK, MUTED, pick_color, pick_marker
from lcsim.report.plots.text import shorten
from lcsim.report.rows import list_rows, read_number
from lcsim.stats.rounding import format_estimate

POOLED = "all opponents"


@dataclass(frozen=True, slots=True)
class Row:
    """A difference in points a game, its interval where there is one, and the text.

    `name` stands beside the axis; a row of all opponents together begins a group.
    """

    name: str
    place: int
    is_pooled: bool
    gain: float
    interval: tuple[float, float] | None
    text: str


@dataclass(frozen=True, slots=True)
class Info:
    """The rows from top to bottom."""

    rows: tuple[Row, ...]


def prepare(pooled: pd.DataFrame, by_opponent: pd.DataFrame, colors: Mapping[str, int]) -> Info:
    """Read the tables of lcsim.report.restrictions; the opponents stand under their pooled row.

    An opponent that is the only one says what the pooled row says, and is left out.
    """
    rows: list[Row] = []
    for entry in list_rows(pooled):
        rows.append(_read(entry, shorten(str(entry["restricted"])), colors, is_pooled=True))
        if entry["n_opponents"] > 1:
            own = by_opponent[by_opponent["restricted"] == entry["restricted"]]
            rows += [
                _read(one, f"against {shorten(str(one['opponent']), 20)}", colors, is_pooled=False)
                for one in list_rows(own)
            ]
    return Info(tuple(rows))


def _read(
    entry: Mapping[str, Any], name: str, colors: Mapping[str, int], *, is_pooled: bool
) -> Row:
    gain, se = float(entry["score"]), read_number(entry["score_se"])
    low, high = read_number(entry["score_ci95_lo"]), read_number(entry["score_ci95_hi"])
    interval = None if low is None or high is None else (low, high)
    text = format_estimate(gain, se, signed=True)
    return Row(name, colors[entry["strategy"]], is_pooled, gain, interval, text)


def draw(info: Info, ax: Any) -> None:
    """Draw a dot and its interval a row; right of the line the forbidden thing was worth points."""
    ax.axvline(0, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    for height, row in enumerate(info.rows):
        color, size = pick_color(row.place), 6.5 if row.is_pooled else 4.5
        if row.interval:
            width = 2.2 if row.is_pooled else 1.4
            ax.plot(row.interval, [height, height], color=color, linewidth=width, zorder=2)
        ax.plot(row.gain, height, pick_marker(row.place), color=color, markersize=size, zorder=3)
        ax.text(1.02, height, row.text, transform=ax.get_yaxis_transform(), va="center", color=INK)
    ax.set_yticks(range(len(info.rows)), [row.name for row in info.rows])
    ax.set_ylim(len(info.rows) - 0.4, -0.6)
    ax.margins(x=0.08)
    ax.set_xlabel("difference, points a game")
    ax.grid(axis="x")
