"""Where pawns stand when a round ends: the share of a strategy's pawns by space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from lcsim.report.palette import MUTED, pick_color, pick_marker
from lcsim.report.plots.text import shorten
from lcsim.report.rows import list_rows, read_number


@dataclass(frozen=True, slots=True)
class Point:
    """The share of pawns on a space, in percent, and its interval."""

    space: int
    share: float
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Line:
    """One strategy's shares, where it has any pawn."""

    label: str
    place: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Info:
    """A line a strategy; `spaces` have the points they are worth; the bridge lies after one."""

    spaces: tuple[tuple[int, int], ...]
    bridge_after: int
    lines: tuple[Line, ...]
    n_pawns: int


def prepare(frame: pd.DataFrame, colors: Mapping[str, int], *, bridge_after: int) -> Info:
    """Read `summarise_spaces`; a strategy without pawns is left out."""
    lines: dict[str, list[Point]] = {}
    spaces: dict[int, int] = {}
    for entry in list_rows(frame):
        spaces[entry["space"]] = entry["points"]
        share = read_number(entry["share"])
        if share is None:
            continue
        low, high = read_number(entry["share_ci95_lo"]), read_number(entry["share_ci95_hi"])
        interval = None if low is None or high is None else (100 * max(low, 0.0), 100 * high)
        point = Point(entry["space"], 100 * share, interval)
        lines.setdefault(entry["strategy"], []).append(point)
    return Info(
        tuple(spaces.items()),
        bridge_after,
        tuple(Line(label, colors[label], tuple(points)) for label, points in lines.items()),
        int(frame["n_pawns"].sum()),
    )


def draw(info: Info, ax: Any) -> None:
    """Draw a line a strategy over the spaces, and the bridge."""
    ax.axvline(info.bridge_after + 0.5, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    ax.annotate(
        "bridge",
        (info.bridge_after + 0.5, 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(3, -9),
        textcoords="offset points",
        color=MUTED,
    )
    for line in info.lines:
        color = pick_color(line.place)
        known = [(point.space, *point.interval) for point in line.points if point.interval]
        if known:
            ax.vlines(*zip(*known, strict=True), color=color, linewidth=1.6, zorder=2)
        ax.plot(
            [point.space for point in line.points],
            [point.share for point in line.points],
            marker=pick_marker(line.place),
            color=color,
            markersize=4.8,
            linewidth=0.9,
            alpha=0.9,
            label=shorten(line.label),
            zorder=3,
        )
    ax.set_ylim(bottom=0)
    names = [
        f"{space}\n{points:+d}".replace("-", "\N{MINUS SIGN}") for space, points in info.spaces
    ]
    ax.set_xticks([space for space, _ in info.spaces], names)
    ax.set_xlabel("space, and its points to an explorer")
    ax.set_ylabel("% of a strategy's pawns")
    ax.grid(axis="y")
    if info.lines:
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=_count_columns(info))


def _count_columns(info: Info) -> int:
    """Return the columns of the legend: four at most, and rows as full as they can be."""
    n_rows = -(-len(info.lines) // 4)
    return -(-len(info.lines) // n_rows)
