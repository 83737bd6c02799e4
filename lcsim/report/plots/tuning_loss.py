"""What a parameter off its optimum costs: one small panel each, on its own scale of loss."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

import pandas as pd

from lcsim.report.palette import HIGH, INK, MUTED
from lcsim.report.plots.panels import size_grid, split_grid
from lcsim.report.plots.text import shorten
from lcsim.report.plots.tuning_values import LONGEST_NAME
from lcsim.report.rows import list_rows, read_number


@dataclass(frozen=True, slots=True)
class Panel:
    """A parameter: what was found, and other values with their losses and 95 % intervals."""

    name: str
    found: float
    values: tuple[float, ...]
    losses: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]

    @property
    def worst(self) -> float:
        """The largest loss."""
        return max(self.losses)

    @property
    def span(self) -> tuple[float, float]:
        """Where its scale of loss begins and ends: around all intervals and 0."""
        ends = [0.0, *(end for pair in self.intervals for end in pair)]
        margin = 0.08 * (max(ends) - min(ends)) or 1.0
        return min(ends) - margin, max(ends) + margin


@dataclass(frozen=True, slots=True)
class Info:
    """A panel a parameter, the costliest first."""

    panels: tuple[Panel, ...]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches that the panels need."""
        return size_grid(len(self.panels))


def prepare(frame: pd.DataFrame, *, is_share: bool) -> Info:
    """Read `summarise_neighbors`; a share is shown in percent."""
    scale = 100.0 if is_share else 1.0
    panels = []
    for name, entries in groupby(list_rows(frame), key=lambda row: str(row["parameter"])):
        rows = list(entries)
        losses = tuple(scale * float(row["loss"]) for row in rows)
        panels.append(
            Panel(
                name,
                float(rows[0]["found"]),
                tuple(float(row["value"]) for row in rows),
                losses,
                tuple(map(_read_interval, rows, losses, [scale] * len(rows))),
            )
        )
    return Info(tuple(panels))


def _read_interval(row: dict[str, Any], loss: float, scale: float) -> tuple[float, float]:
    low, high = read_number(row["loss_ci95_lo"]), read_number(row["loss_ci95_hi"])
    return (loss, loss) if low is None or high is None else (scale * low, scale * high)


def draw(info: Info, ax: Any) -> None:
    """Draw the losses around what was found, which is the ring at no loss."""
    for panel, axes in zip(info.panels, split_grid(ax, len(info.panels)), strict=True):
        axes.axhline(0, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
        axes.vlines(
            panel.values,
            [low for low, _ in panel.intervals],
            [high for _, high in panel.intervals],
            color=HIGH,
            linewidth=1.5,
            zorder=2,
        )
        axes.plot(panel.values, panel.losses, "o", color=HIGH, markersize=3.5, zorder=3)
        axes.plot(panel.found, 0, "o", color=INK, markerfacecolor="none", markersize=5.5, zorder=4)
        axes.set_ylim(*panel.span)
        axes.margins(x=0.12)
        title = f"{shorten(panel.name, LONGEST_NAME)}: {panel.worst:.2g}"
        axes.set_title(title, fontsize=8, color=INK, loc="left")
        axes.tick_params(labelsize=7.5)
        axes.locator_params(nbins=3)
        axes.grid(axis="y")
