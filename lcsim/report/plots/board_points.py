"""What a score of the board game is made of: explorers, leader, VP tiles and artefacts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from lcsim.report.palette import INK, MUTED, PAPER, pick_part
from lcsim.report.plots.text import shorten
from lcsim.report.rows import list_rows, read_number
from lcsim.stats.rounding import format_estimate

VISIBLE = 0.005
"""The shortest bar that can be seen, of the longest."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One part of a strategy's score, from `start` on, in points a game; it may be negative."""

    name: str
    start: float
    length: float


@dataclass(frozen=True, slots=True)
class Row:
    """A strategy's parts, what they add up to, and that in words."""

    label: str
    bars: tuple[Bar, ...]
    total: float
    text: str


@dataclass(frozen=True, slots=True)
class Info:
    """A row a strategy; `names` has the name, as it is shown, of each part that can be seen."""

    names: Mapping[str, str]
    rows: tuple[Row, ...]


def prepare(frame: pd.DataFrame, names: Mapping[str, str]) -> Info:
    """Read `summarise_parts`: gains are stacked to the right of 0, losses to the left."""
    rows = []
    for entry in list_rows(frame):
        ends = {True: 0.0, False: 0.0}
        bars = []
        for name in names:
            length = float(entry[name])
            bars.append(Bar(name, ends[length >= 0], length))
            ends[length >= 0] += length
        text = format_estimate(entry["points"], read_number(entry["points_se"]))
        rows.append(Row(entry["strategy"], tuple(bars), float(entry["points"]), text))
    longest = max((abs(bar.length) for row in rows for bar in row.bars), default=0.0)
    seen = {bar.name for row in rows for bar in row.bars if abs(bar.length) > VISIBLE * longest}
    return Info({name: title for name, title in names.items() if name in seen}, tuple(rows))


def draw(info: Info, ax: Any) -> None:
    """Draw the bars of each strategy in one row, and a mark where they add up to."""
    ax.axvline(0, color=MUTED, linewidth=0.9, zorder=1)
    for number, (name, title) in enumerate(info.names.items()):
        bars = [bar for row in info.rows for bar in row.bars if bar.name == name]
        ax.barh(
            range(len(bars)),
            [bar.length for bar in bars],
            left=[bar.start for bar in bars],
            height=0.55,
            color=pick_part(number),
            edgecolor=PAPER,
            linewidth=0.6,
            label=title,
            zorder=2,
        )
    for height, row in enumerate(info.rows):
        ax.plot(row.total, height, "D", color=INK, markersize=5, zorder=4, clip_on=False)
        ax.text(1.02, height, row.text, transform=ax.get_yaxis_transform(), va="center", color=INK)
    ax.set_yticks(range(len(info.rows)), [shorten(row.label) for row in info.rows])
    ax.set_ylim(len(info.rows) - 0.4, -0.6)
    ax.set_xlabel("points a game; the diamond is the mean score")
    ax.grid(axis="x")
    if info.names:
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=len(info.names))
