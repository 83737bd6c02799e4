"""What a wager brings, one line a strategy, over the bands of what it was laid on or when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from lcsim.report.palette import MUTED, pick_color, pick_marker
from lcsim.report.plots import cut
from lcsim.report.plots.text import shorten
from lcsim.report.rows import list_rows, read_number

MIN_DEALS = 10
"""Deals that must have a wager of a band for its point to be drawn: fewer say next to nothing."""

MAX_LINES = 8
"""Strategies drawn, the first of the frame: as many as there are colours."""

_SPREAD = 0.6


@dataclass(frozen=True, slots=True)
class Point:
    """The mean points of the wagers of a band, and the interval where there is one."""

    band: int
    points: float
    interval: tuple[float, float] | None
    n_wagers: int


@dataclass(frozen=True, slots=True)
class Line:
    """One strategy's points, where it laid any wager of the band."""

    label: str
    place: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Info:
    """A line a strategy over the `bands`, whose names stand on the axis; `is_cut` if not all."""

    axis: str
    bands: tuple[str, ...]
    lines: tuple[Line, ...]
    n_wagers: int
    is_cut: bool

    @property
    def span(self) -> tuple[float, float]:
        """The range of points that the picture has."""
        return cut.find_span(point.points for line in self.lines for point in line.points)

    @property
    def is_cut_off(self) -> bool:
        """Tell whether the interval of any point leaves the picture."""
        every = (point.interval for line in self.lines for point in line.points)
        return cut.is_cut_off(every, self.span)


def prepare(frame: pd.DataFrame, key: str, axis: str, colors: Mapping[str, int]) -> Info:
    """Read `summarise_sorted` of lcsim.report.duel_wager_frames; `key` is the column of names.

    Bands seen in fewer than MIN_DEALS deals are left out, and so are the sum over all strategies
    and what comes after MAX_LINES of them.
    """
    bands = {int(entry["band"]): str(entry[key]) for entry in list_rows(frame)}
    lines: dict[str, list[Point]] = {}
    for entry in list_rows(frame):
        label = entry["strategy"]
        if not isinstance(label, str) or entry["n_deals"] < MIN_DEALS:
            continue
        low, high = (read_number(entry[f"points_ci95_{end}"]) for end in ("lo", "hi"))
        interval = None if low is None or high is None else (low, high)
        point = Point(int(entry["band"]), entry["points"], interval, int(entry["n_wagers"]))
        lines.setdefault(label, []).append(point)
    drawn = [Line(label, colors[label], tuple(points)) for label, points in lines.items()]
    return Info(
        axis,
        tuple(bands[number] for number in sorted(bands)),
        tuple(drawn[:MAX_LINES]),
        sum(point.n_wagers for line in drawn[:MAX_LINES] for point in line.points),
        is_cut=len(drawn) > MAX_LINES,
    )


def draw(info: Info, ax: Any) -> None:
    """Draw the lines side by side, so that no interval hides another."""
    ax.axhline(0, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    step = _SPREAD / max(len(info.lines), 2)
    for number, line in enumerate(info.lines):
        shift = (number - (len(info.lines) - 1) / 2) * step
        color = pick_color(line.place)
        known = [(point.band + shift, *point.interval) for point in line.points if point.interval]
        if known:
            ax.vlines(*zip(*known, strict=True), color=color, linewidth=1.6, zorder=2)
        ax.plot(
            [point.band + shift for point in line.points],
            [point.points for point in line.points],
            marker=pick_marker(line.place),
            color=color,
            markersize=4.8,
            linewidth=0.8,
            alpha=0.9,
            label=shorten(line.label),
            zorder=3,
        )
        places = [point.band + shift for point in line.points]
        cut.draw_arrows(ax, places, [one.interval for one in line.points], info.span, color)
    ax.set_ylim(*info.span)
    ax.set_xticks(range(len(info.bands)), info.bands)
    ax.set_xlim(-0.6, len(info.bands) - 0.4)
    ax.set_xlabel(info.axis)
    ax.set_ylabel("mean points a wager")
    ax.grid(axis="y")
    if info.lines:
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=min(4, len(info.lines)))
