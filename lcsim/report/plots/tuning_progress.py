"""A search over its generations: each mean's goal with its interval, and how far it spreads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from lcsim.report.palette import HIGH, INK, MUTED
from lcsim.report.plots.panels import split_axes
from lcsim.report.rows import list_rows, read_number
from lcsim.stats.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Level:
    """A value on fresh deals, drawn across all generations, and its 95 % interval."""

    label: str
    value: float
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Info:
    """`generations`, from 1, with their goals, intervals and spreads in percent of the range."""

    generations: tuple[int, ...]
    goals: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]
    spreads: tuple[float, ...]
    levels: tuple[Level, ...]
    axis: str


def prepare(frame: pd.DataFrame, levels: dict[str, Estimate], *, axis: str, is_share: bool) -> Info:
    """Read `summarise_generations`; a share is shown in percent."""
    scale = 100.0 if is_share else 1.0
    rows = list_rows(frame)

    def read_end(row: dict[str, Any], end: str) -> float:
        value = read_number(row[f"goal_ci95_{end}"])
        return scale * (row["goal"] if value is None else value)

    return Info(
        tuple(int(row["generation"]) for row in rows),
        tuple(scale * row["goal"] for row in rows),
        tuple(read_end(row, "lo") for row in rows),
        tuple(read_end(row, "hi") for row in rows),
        tuple(100 * row["spread"] for row in rows),
        tuple(_read_level(label, value.scaled(scale)) for label, value in levels.items()),
        axis,
    )


def _read_level(label: str, value: Estimate) -> Level:
    return Level(label, value.mean, value.ci95())


def draw(info: Info, ax: Any) -> None:
    """Draw goals above, spreads below, over the same generations."""
    upper, lower = split_axes(ax, (3.0, 1.0), gap=0.16)
    upper.fill_between(info.generations, info.lows, info.highs, color=HIGH, alpha=0.22, linewidth=0)
    mark = "o" if len(info.generations) < 60 else None
    upper.plot(info.generations, info.goals, color=HIGH, linewidth=1.3, marker=mark, markersize=3)
    for level, style in zip(info.levels, ("-", (0, (4, 3))), strict=False):
        if level.interval:
            upper.axhspan(*level.interval, color=INK, alpha=0.12, linewidth=0)
        upper.axhline(level.value, color=INK, linewidth=1.1, linestyle=style, label=level.label)
    upper.set_ylabel(info.axis)
    upper.tick_params(labelbottom=False)
    upper.grid(axis="y")
    if info.levels:
        upper.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=2)
    lower.plot(info.generations, info.spreads, color=MUTED, linewidth=1.3)
    lower.set_ylim(0, 1.15 * max(info.spreads, default=1.0) or 1.0)
    lower.set_ylabel("spread, %")
    lower.set_xlabel("generation")
    lower.grid(axis="y")
    last = max(info.generations[-1], 2)
    for panel in (upper, lower):
        panel.set_xlim(1 - 0.01 * last, last + 0.01 * last)
        panel.xaxis.get_major_locator().set_params(integer=True)
