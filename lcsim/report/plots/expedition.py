"""What expeditions score on average, and how many make a profit, from one kind to the next.

Kinds are numbers of wagers or of cards, bands of turns or of points held when it was opened, or how
many expeditions the player opened in the round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from lcsim.report.palette import MUTED, PAPER, pick_color, pick_marker
from lcsim.report.plots import cut
from lcsim.report.plots.panels import split_axes
from lcsim.report.plots.text import shorten
from lcsim.report.rows import list_rows, read_number

Key = Literal["wagers", "cards", "turn", "held", "opened"]

_SPREAD = 0.6
_AXIS = {
    "wagers": "wagers on the expedition",
    "cards": "cards on the expedition, wagers counted",
    "turn": "turn of the round at which it was opened, of both seats",
    "held": "points of its color in hand when it was opened",
    "opened": "expeditions that the player opened in the round",
}


@dataclass(frozen=True, slots=True)
class Value:
    """A mean and its interval, where it has one."""

    mean: float
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Point:
    """The expeditions of the kind at `place` on the axis: mean points, and % with a profit."""

    place: int
    score: Value
    profit: Value
    n_expeditions: int


@dataclass(frozen=True, slots=True)
class Line:
    """One strategy's points, where it has any expedition of the kind.

    `break_even` is where on the axis its mean comes to 0, if that is asked and known.
    """

    label: str
    color: int
    points: tuple[Point, ...]
    break_even: float | None = None


@dataclass(frozen=True, slots=True)
class Info:
    """A line a strategy over the kinds, `names` in their order on the axis."""

    key: Key
    names: tuple[str, ...]
    lines: tuple[Line, ...]
    n_expeditions: int

    @property
    def span(self) -> tuple[float, float]:
        """The range of points that the picture has."""
        return cut.find_span(point.score.mean for line in self.lines for point in line.points)

    @property
    def is_cut_off(self) -> bool:
        """Tell whether the interval of any mean score leaves the picture."""
        every = (point.score.interval for line in self.lines for point in line.points)
        return cut.is_cut_off(every, self.span)


def prepare(
    frame: pd.DataFrame,
    key: Key,
    colors: Mapping[str, int],
    *,
    break_evens: Mapping[str, float] | None = None,
) -> Info:
    """Read a table of expeditions by `key`; what never occurred is left out.

    `break_evens` has points held by strategy, for the key "held".
    """
    seen = frame[frame["n_expeditions"] > 0]
    met = set(seen[key])
    names = [name for name in dict.fromkeys(frame[key]) if name in met]
    lines = []
    for label in dict.fromkeys(seen["strategy"]):
        own = list_rows(seen[seen["strategy"] == label])
        points = [_read_point(entry, names.index(entry[key])) for entry in own]
        break_even = (break_evens or {}).get(label)
        place = None
        if break_even is not None:
            means = [entry["held_mean"] for entry in own]
            place = float(np.interp(break_even, means, [point.place for point in points]))
        lines.append(Line(label, colors[label], tuple(points), place))
    return Info(key, tuple(map(str, names)), tuple(lines), int(frame["n_expeditions"].sum()))


def _read_point(entry: Mapping[str, Any], place: int) -> Point:
    low, high = read_number(entry["profit_ci95_lo"]), read_number(entry["profit_ci95_hi"])
    share = None if low is None or high is None else (100 * max(low, 0.0), 100 * min(high, 1.0))
    low, high = read_number(entry["score_ci95_lo"]), read_number(entry["score_ci95_hi"])
    interval = None if low is None or high is None else (low, high)
    return Point(
        place,
        Value(float(entry["score"]), interval),
        Value(100 * float(entry["profit"]), share),
        int(entry["n_expeditions"]),
    )


def draw(info: Info, ax: Any) -> None:
    """Draw mean points above and chances of profit below, lines side by side on one axis."""
    above, below = split_axes(ax, (1.7, 1.0))
    above.axhline(0, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    step = _SPREAD / max(len(info.lines), 2)
    for number, line in enumerate(info.lines):
        shift = (number - (len(info.lines) - 1) / 2) * step
        _draw_line(above, line, [point.score for point in line.points], shift)
        _draw_line(below, line, [point.profit for point in line.points], shift)
        cut.draw_arrows(
            above,
            [point.place + shift for point in line.points],
            [point.score.interval for point in line.points],
            info.span,
            pick_color(line.color),
        )
        if line.break_even is not None:
            above.plot(
                line.break_even + shift,
                0,
                "o",
                color=pick_color(line.color),
                markerfacecolor=PAPER,
                markersize=8,
                markeredgewidth=1.6,
                zorder=4,
            )
    above.set_ylim(*info.span)
    above.set_ylabel("mean points an expedition")
    below.set_ylim(-4, 104)
    below.set_yticks(range(0, 101, 25))
    below.set_ylabel("% with a profit")
    below.set_xlabel(_AXIS[info.key])
    for panel, names in ((above, [""] * len(info.names)), (below, info.names)):
        panel.set_xticks(range(len(info.names)), names)
        panel.set_xlim(-0.5, max(len(info.names), 1) - 0.5)
        panel.grid(axis="y")
    if info.lines:
        columns = min(4, len(info.lines))
        above.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=columns)


def _draw_line(panel: Any, line: Line, values: Sequence[Value], shift: float) -> None:
    color = pick_color(line.color)
    places = [point.place + shift for point in line.points]
    known = [
        (place, *value.interval)
        for place, value in zip(places, values, strict=True)
        if value.interval
    ]
    if known:
        panel.vlines(*zip(*known, strict=True), color=color, linewidth=1.6, zorder=2)
    panel.plot(
        places,
        [value.mean for value in values],
        marker=pick_marker(line.color),
        color=color,
        markersize=4.8,
        linewidth=0.8,
        alpha=0.9,
        label=shorten(line.label),
        zorder=3,
    )
