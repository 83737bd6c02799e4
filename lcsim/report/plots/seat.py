"""What going first is worth, matchup by matchup: the starting seat's win rate above its share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from lcsim.report.palette import HIGH, INK, MUTED
from lcsim.report.plots.text import shorten
from lcsim.report.rows import list_rows, read_number
from lcsim.stats.estimate import Estimate
from lcsim.stats.rounding import format_percent


@dataclass(frozen=True, slots=True)
class Row:
    """The starter's win rate above its fair share, in points of a percent, with its interval."""

    label: str
    gain: float
    interval: tuple[float, float] | None
    text: str


@dataclass(frozen=True, slots=True)
class Info:
    """A row a matchup, and the mean over all of them last where there are several."""

    rows: tuple[Row, ...]
    has_total: bool
    n_games: int


def prepare(seats: pd.DataFrame, total: Estimate) -> Info:
    """Read `summarise_seats` and the first of `estimate_seat`."""
    rows = []
    for entry in list_rows(seats):
        gain = entry["starter_win_rate"] - entry["fair_share"]
        se = read_number(entry["starter_win_rate_se"])
        low = read_number(entry["starter_win_rate_ci95_lo"])
        high = read_number(entry["starter_win_rate_ci95_hi"])
        interval = None
        if low is not None and high is not None:
            interval = (100 * (low - entry["fair_share"]), 100 * (high - entry["fair_share"]))
        text = format_percent(gain, se, signed=True)
        rows.append(Row(entry["matchup"], 100 * gain, interval, text))
    has_total = len(rows) > 1
    if has_total:
        ends = total.ci95()
        interval = None if ends is None else (100 * ends[0], 100 * ends[1])
        text = format_percent(total.mean, total.se, signed=True)
        rows.append(Row("all matchups", 100 * total.mean, interval, text))
    return Info(tuple(rows), has_total, int(seats["n_games"].sum()))


def draw(info: Info, ax: Any) -> None:
    """Draw a dot and its interval a row; right of the line, going first helps."""
    ax.axvline(0, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    ends = [abs(end) for row in info.rows for end in (row.interval or (row.gain, row.gain))]
    reach = 1.15 * max([*ends, 0.5])
    for height, row in enumerate(info.rows):
        is_total = info.has_total and height == len(info.rows) - 1
        color = INK if is_total else HIGH
        if row.interval:
            ax.plot(row.interval, [height, height], color=color, linewidth=1.8, zorder=2)
        ax.plot(row.gain, height, "D" if is_total else "o", color=color, markersize=6, zorder=3)
        ax.text(1.02, height, row.text, transform=ax.get_yaxis_transform(), va="center", color=INK)
    ax.set_yticks(range(len(info.rows)), [shorten(row.label, 44) for row in info.rows])
    ax.set_ylim(len(info.rows) - 0.4, -0.6)
    ax.set_xlim(-reach, reach)
    ax.set_xlabel("win rate of the starting seat above its fair share, % of games")
    ax.grid(axis="x")
