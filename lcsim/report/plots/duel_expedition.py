"""What an expedition scores on average, by the wagers or by the cards on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from lcsim.report.palette import MUTED, pick_color, pick_marker
from lcsim.report.plots.text import shorten
from lcsim.report.rows import list_rows, read_number

Key = Literal["wagers", "cards"]

_SPREAD = 0.6
_AXIS = {
    "wagers": "wagers on the expedition",
    "cards": "cards on the expedition, wagers counted",
}


@dataclass(frozen=True, slots=True)
class Point:
    """The mean points of the expeditions with `x` wagers or cards, and its interval."""

    x: int
    score: float
    interval: tuple[float, float] | None
    n_expeditions: int


@dataclass(frozen=True, slots=True)
class Line:
    """One strategy's points, where it has any expedition of the kind."""

    label: str
    place: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Info:
    """A line a strategy over `xs`, what stands on the axis."""

    key: Key
    xs: tuple[int, ...]
    lines: tuple[Line, ...]
    n_expeditions: int


def prepare(frame: pd.DataFrame, key: Key, colors: Mapping[str, int]) -> Info:
    """Read `summarise_by_wagers` or `summarise_by_cards`; what never occurred is left out."""
    lines = []
    seen = frame[frame["n_expeditions"] > 0]
    for label in dict.fromkeys(seen["strategy"]):
        points = []
        for entry in list_rows(seen[seen["strategy"] == label]):
            low = read_number(entry["score_ci95_lo"])
            high = read_number(entry["score_ci95_hi"])
            interval = None if low is None or high is None else (low, high)
            points.append(Point(entry[key], entry["score"], interval, entry["n_expeditions"]))
        lines.append(Line(label, colors[label], tuple(points)))
    xs = tuple(sorted({point.x for line in lines for point in line.points}))
    return Info(key, xs, tuple(lines), int(frame["n_expeditions"].sum()))


def _span(info: Info) -> tuple[float, float]:
    """Return the range of the means with some air; the interval of a rare kind may leave it."""
    scores = [point.score for line in info.lines for point in line.points] or [0.0]
    low, high = min(*scores, 0.0), max(*scores, 0.0)
    air = 0.12 * (high - low) or 1.0
    return low - air, high + air


def draw(info: Info, ax: Any) -> None:
    """Draw the lines side by side, so that no interval hides another."""
    ax.axhline(0, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    step = _SPREAD / max(len(info.lines), 2)
    for number, line in enumerate(info.lines):
        shift = (number - (len(info.lines) - 1) / 2) * step
        color = pick_color(line.place)
        known = [(point.x + shift, *point.interval) for point in line.points if point.interval]
        if known:
            ax.vlines(*zip(*known, strict=True), color=color, linewidth=1.6, zorder=2)
        ax.plot(
            [point.x + shift for point in line.points],
            [point.score for point in line.points],
            marker=pick_marker(line.place),
            color=color,
            markersize=4.8,
            linewidth=0.8,
            alpha=0.9,
            label=shorten(line.label),
            zorder=3,
        )
    low, high = _span(info)
    ax.set_ylim(low, high)
    ax.set_xticks(info.xs)
    ax.set_xlabel(_AXIS[info.key])
    ax.set_ylabel("mean points an expedition")
    ax.grid(axis="y")
    if info.lines:
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=min(4, len(info.lines)))
