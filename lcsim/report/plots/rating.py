"""Ratings on the Elo scale with their 95 % intervals, best first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from lcsim.report.palette import MUTED, RULE, pick_color, pick_marker
from lcsim.report.plots.text import shorten, write_behind
from lcsim.report.rows import list_rows, read_number
from lcsim.stats.fit_check import format_bound
from lcsim.stats.rounding import DASH, format_estimate

_ROOM_FOR_TEXT = 0.3
"""Share of the scale that is kept free at its right for the numbers."""


@dataclass(frozen=True, slots=True)
class Row:
    """A strategy's rating in Elo points and the ends of its interval, each where there is one."""

    label: str
    place: int
    rating: float | None
    low: float | None
    high: float | None
    text: str

    @property
    def numbers(self) -> tuple[float, ...]:
        """Return what there is to draw of it."""
        return tuple(one for one in (self.low, self.rating, self.high) if one is not None)


@dataclass(frozen=True, slots=True)
class Info:
    """Strategies from best to worst; `low` and `high` are the ends of the scale in Elo points."""

    rows: tuple[Row, ...]
    low: float
    high: float
    n_games: int


def prepare(ratings: pd.DataFrame, colors: Mapping[str, int], n_games: int) -> Info:
    """Read the ratings (`summarise_ratings`)."""
    rows = []
    for entry in list_rows(ratings):
        rating, se = read_number(entry["rating"]), read_number(entry["rating_se"])
        low, high = (read_number(entry[f"rating_ci95_{end}"]) for end in ("lo", "hi"))
        text = format_rating(rating, se, low, high)
        label = entry["strategy"]
        rows.append(Row(label, colors[label], rating, low, high, text))
    values = [0.0, *(number for row in rows for number in row.numbers)]
    margin = max(0.08 * (max(values) - min(values)), 10.0)
    return Info(tuple(rows), min(values) - margin, max(values) + margin, n_games)


def format_rating(
    rating: float | None, se: float | None, low: float | None, high: float | None
) -> str:
    """Return "+120 ± 3", or "above +612" where there is no rating but one end of its interval."""
    if rating is not None:
        return format_estimate(rating, se, signed=True)
    if low is not None:
        return f"above {format_bound(low)}"
    if high is not None:
        return f"below {format_bound(high)}"
    return DASH


def draw(info: Info, ax: Any) -> None:
    """Draw one dot a strategy and its interval as a bar; an arrow goes where there is no end."""
    ax.axvline(0, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    for height, row in enumerate(info.rows):
        color = pick_color(row.place)
        ends = _find_ends(info, row)
        if ends is not None:
            ax.plot(ends, [height, height], color=color, linewidth=4.5, alpha=0.45, zorder=2)
            for end, known, marker in zip(ends, (row.low, row.high), "<>", strict=True):
                if known is None:
                    ax.plot(end, height, marker, color=color, markersize=6, zorder=3)
        if row.rating is not None:
            ax.plot([0, row.rating], [height, height], color=RULE, linewidth=1.2, zorder=1)
            ax.plot(row.rating, height, pick_marker(row.place), color=color, markersize=7, zorder=3)
        write_behind(ax, row.text, max((*row.numbers, *(ends or ()), info.low)), height)
    ax.set_yticks(range(len(info.rows)), [shorten(row.label) for row in info.rows])
    ax.set_ylim(len(info.rows) - 0.4, -0.6)
    width = info.high - info.low
    ax.set_xlim(info.low, info.high + _ROOM_FOR_TEXT * width)
    ax.spines["bottom"].set_bounds(info.low, info.high)
    ax.set_xticks([tick for tick in ax.get_xticks() if info.low <= tick <= info.high])
    ax.set_xlabel("rating, Elo points (400 are odds of 10 to 1)")
    ax.grid(axis="x")


def _find_ends(info: Info, row: Row) -> tuple[float, float] | None:
    """Return where the bar of an interval begins and ends; one without any number has none."""
    if row.low is None and row.high is None:
        return None
    return (
        info.low if row.low is None else row.low,
        info.high if row.high is None else row.high,
    )
