"""What a ruleset does to each strategy: its win rate less that under another ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from lcsim.report.palette import INK, MUTED, pick_color, pick_marker
from lcsim.report.plots.text import shorten
from lcsim.report.rows import list_rows, read_number
from lcsim.stats.rounding import format_percent


@dataclass(frozen=True, slots=True)
class Row:
    """A strategy's gain in points of a percent, its interval where there is one, and the text."""

    label: str
    place: int
    gain: float
    interval: tuple[float, float] | None
    text: str


@dataclass(frozen=True, slots=True)
class Info:
    """A row a strategy, in the order of the table."""

    rows: tuple[Row, ...]


def prepare(frame: pd.DataFrame, colors: Mapping[str, int]) -> Info:
    """Read `summarise_strategies` of lcsim.report.variants."""
    rows = []
    for entry in list_rows(frame):
        gain, se = read_number(entry["win_rate_diff"]), read_number(entry["win_rate_diff_se"])
        low = read_number(entry["win_rate_diff_ci95_lo"])
        high = read_number(entry["win_rate_diff_ci95_hi"])
        if gain is None:
            continue
        interval = None if low is None or high is None else (100 * low, 100 * high)
        label = entry["strategy"]
        text = format_percent(gain, se, signed=True)
        rows.append(Row(label, colors[label], 100 * gain, interval, text))
    return Info(tuple(rows))


def draw(info: Info, ax: Any) -> None:
    """Draw a dot and its interval a row; right of the line is a gain."""
    ax.axvline(0, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    ends = [abs(end) for row in info.rows for end in (row.interval or (row.gain, row.gain))]
    reach = 1.15 * max([*ends, 0.5])
    for height, row in enumerate(info.rows):
        color = pick_color(row.place)
        if row.interval:
            ax.plot(row.interval, [height, height], color=color, linewidth=1.8, zorder=2)
        ax.plot(row.gain, height, pick_marker(row.place), color=color, markersize=6, zorder=3)
        ax.text(1.02, height, row.text, transform=ax.get_yaxis_transform(), va="center", color=INK)
    ax.set_yticks(range(len(info.rows)), [shorten(row.label) for row in info.rows])
    ax.set_ylim(len(info.rows) - 0.4, -0.6)
    ax.set_xlim(-reach, reach)
    ax.set_xlabel("difference of win rates, % of games")
    ax.grid(axis="x")
