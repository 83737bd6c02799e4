"""Win rates with their 95 % intervals, best first: who wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from lcsim.report.palette import MUTED, RULE, pick_color, pick_marker
from lcsim.report.plots.text import shorten, write_behind
from lcsim.report.rows import list_rows, read_number
from lcsim.stats.rounding import format_percent

_AXIS = "win rate, % of games (a draw counts half)"
_AXIS_OF_CROWDS = "share of the wins, % of games (a shared win counts its part)"


@dataclass(frozen=True, slots=True)
class Row:
    """A strategy's win rate in percent, its interval where there is one, and the text beside it."""

    label: str
    place: int
    rate: float
    interval: tuple[float, float] | None
    text: str


@dataclass(frozen=True, slots=True)
class Info:
    """Strategies from best to worst; `even` is the win rate of equals, in percent."""

    rows: tuple[Row, ...]
    even: float
    n_games: int
    axis: str = _AXIS


def prepare(
    ranking: pd.DataFrame, colors: Mapping[str, int], *, even: float, has_crowds: bool = False
) -> Info:
    """Read the ranking (`summarise_ranking`); `even` is a share between 0 and 1."""
    rows = []
    for entry in list_rows(ranking):
        rate, se = entry["win_rate"], read_number(entry["win_rate_se"])
        low = read_number(entry["win_rate_ci95_lo"])
        high = read_number(entry["win_rate_ci95_hi"])
        interval = None if low is None or high is None else (_percent(low), _percent(high))
        label = entry["strategy"]
        rows.append(Row(label, colors[label], 100 * rate, interval, format_percent(rate, se)))
    axis = _AXIS_OF_CROWDS if has_crowds else _AXIS
    return Info(tuple(rows), 100 * even, int(ranking["n_games"].sum()), axis)


def draw(info: Info, ax: Any) -> None:
    """Draw one dot a strategy, its interval as a bar, and the line where equals would stand."""
    ax.axvline(info.even, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    for height, row in enumerate(info.rows):
        color = pick_color(row.place)
        ax.plot([0, row.rate], [height, height], color=RULE, linewidth=1.2, zorder=1)
        if row.interval:
            ax.plot(
                row.interval, [height, height], color=color, linewidth=4.5, alpha=0.45, zorder=2
            )
        ax.plot(row.rate, height, pick_marker(row.place), color=color, markersize=7, zorder=3)
        end = row.interval[1] if row.interval else 0
        write_behind(ax, row.text, max(row.rate, end), height)
    ax.set_yticks(range(len(info.rows)), [shorten(row.label) for row in info.rows])
    ax.set_ylim(len(info.rows) - 0.4, -0.6)
    ax.set_xlim(0, 118)
    ax.spines["bottom"].set_bounds(0, 100)
    ax.set_xticks(range(0, 101, 20))
    ax.set_xlabel(info.axis)
    ax.grid(axis="x")


def _percent(share: float) -> float:
    return 100 * min(max(share, 0.0), 1.0)
