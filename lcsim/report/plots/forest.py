"""Effects, one a row: each with its 95 % interval, beside the line of no effect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import pandas as pd

from lcsim.report.palette import INK, MUTED, PAPER, pick_color, pick_marker
from lcsim.report.plots.text import shorten
from lcsim.report.rows import list_rows, read_number
from lcsim.stats.rounding import format_count, format_estimate, format_percent

LONGEST_TITLE = 60
WIDTH = 7.4


@dataclass(frozen=True, slots=True)
class Row:
    """An effect, its interval where there is one, and the texts at its right.

    An effect that is not paired is drawn hollow.
    """

    label: str
    place: int
    effect: float
    interval: tuple[float, float] | None
    text: str
    n_text: str
    is_paired: bool


@dataclass(frozen=True, slots=True)
class Info:
    """Rows under a title each, in the order of the frame, and what the axis measures."""

    groups: tuple[tuple[str, tuple[Row, ...]], ...]
    axis: str

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows in order."""
        return tuple(row for _, rows in self.groups for row in rows)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches that the rows need."""
        return WIDTH, 1.0 + 0.3 * (len(self.rows) + 1.2 * len(self.groups))


def prepare(
    frame: pd.DataFrame, colors: Mapping[str, int], *, name: str, axis: str, is_share: bool
) -> Info:
    """Read effects from a frame with a row each, under the same title where neighbours share it.

    Columns: `group` (the title), `strategy`, `n_deals`, `is_paired`, and NAME, NAME_se,
    NAME_ci95_lo, NAME_ci95_hi. Shares, from 0 to 1, are shown in percent. Rows without an effect
    are left out.
    """
    groups = []
    for title, entries in groupby(list_rows(frame), key=lambda entry: str(entry["group"])):
        rows = [row for entry in entries if (row := _read(entry, colors, name, is_share))]
        if rows:
            groups.append((title, tuple(rows)))
    return Info(tuple(groups), axis)


def _read(
    entry: Mapping[str, Any], colors: Mapping[str, int], name: str, is_share: bool
) -> Row | None:
    effect, se = read_number(entry[name]), read_number(entry[f"{name}_se"])
    if effect is None:
        return None
    low = read_number(entry[f"{name}_ci95_lo"])
    high = read_number(entry[f"{name}_ci95_hi"])
    scale = 100 if is_share else 1
    write = format_percent if is_share else format_estimate
    label = str(entry["strategy"])
    return Row(
        label,
        colors[label],
        scale * effect,
        None if low is None or high is None else (scale * low, scale * high),
        write(effect, se, signed=True),
        format_count(int(entry["n_deals"])),
        bool(entry["is_paired"]),
    )


def draw(info: Info, ax: Any) -> None:
    """Draw a mark and its interval a row; right of the line is a gain."""
    ax.axvline(0, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    ends = [abs(end) for row in info.rows for end in (row.interval or (row.effect, row.effect))]
    reach = 1.15 * max(ends, default=0.0) or 1.0
    across = ax.get_yaxis_transform()
    heights, names = [], []
    height = 0.0
    _write_beside(ax, -0.75, ("effect", "deals"), MUTED)
    for title, rows in info.groups:
        ax.text(
            0.0,
            height,
            shorten(title, LONGEST_TITLE),
            transform=across,
            va="center",
            color=MUTED,
            fontweight="bold",
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.5},
            zorder=4,
        )
        for row in rows:
            height += 1
            _draw_row(row, height, ax)
            heights.append(height)
            names.append(shorten(row.label))
        height += 1.2
    ax.set_yticks(heights, names)
    ax.set_ylim(height - 0.5, -1.2)
    ax.set_xlim(-reach, reach)
    ax.set_xlabel(info.axis)
    ax.grid(axis="x")


def _draw_row(row: Row, height: float, ax: Any) -> None:
    color = pick_color(row.place)
    if row.interval:
        ax.plot(row.interval, [height, height], color=color, linewidth=1.8, zorder=2)
    ax.plot(
        row.effect,
        height,
        pick_marker(row.place),
        color=color,
        markerfacecolor=color if row.is_paired else PAPER,
        markeredgewidth=1.4,
        markersize=5.5,
        zorder=3,
    )
    _write_beside(ax, height, (row.text, row.n_text), INK)


def _write_beside(ax: Any, height: float, texts: tuple[str, str], color: str) -> None:
    """Write an effect and its number of deals at the right of the axes."""
    for text, at in zip(texts, (10, 108), strict=True):
        ax.annotate(
            text,
            (1, height),
            xycoords=ax.get_yaxis_transform(),
            xytext=(at, 0),
            textcoords="offset points",
            va="center",
            color=color,
        )
