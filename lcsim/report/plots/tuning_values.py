"""Parameters over the generations of a search: one small panel each, as high as its range."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from lcsim.report.palette import HIGH, INK, MUTED
from lcsim.report.plots.panels import size_grid, split_grid
from lcsim.report.plots.text import shorten
from lcsim.report.rows import list_rows
from lcsim.strategy.params import write_number

LONGEST_NAME = 16


@dataclass(frozen=True, slots=True)
class Panel:
    """A parameter's range, where its search began, its values by generation, and what was found."""

    name: str
    low: float
    high: float
    begun: float
    found: float
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Info:
    """A panel a parameter, in the strategy's order, over the generations counted from 1."""

    panels: tuple[Panel, ...]
    generations: tuple[int, ...]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches that the panels need."""
        return size_grid(len(self.panels))


def prepare(values: pd.DataFrame, parameters: pd.DataFrame) -> Info:
    """Read `summarise_values` and `summarise_parameters`."""
    by_name: dict[str, list[float]] = {}
    for row in list_rows(values):
        by_name.setdefault(str(row["parameter"]), []).append(float(row["value"]))
    panels = tuple(
        Panel(
            str(row["parameter"]),
            float(row["low"]),
            float(row["high"]),
            float(row["begun"]),
            float(row["found"]),
            tuple(by_name[str(row["parameter"])]),
        )
        for row in list_rows(parameters)
    )
    return Info(panels, tuple(sorted({int(number) for number in values["generation"]})))


def draw(info: Info, ax: Any) -> None:
    """Draw each parameter's way from where the search began (dashed) to what it found."""
    for panel, axes in zip(info.panels, split_grid(ax, len(info.panels)), strict=True):
        axes.axhline(panel.begun, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)))
        axes.plot(info.generations, panel.values, color=HIGH, linewidth=1.3)
        axes.plot(info.generations[-1], panel.found, "o", color=INK, markersize=4, clip_on=False)
        margin = 0.04 * (panel.high - panel.low)
        axes.set_ylim(panel.low - margin, panel.high + margin)
        axes.set_yticks([panel.low, panel.high], [f"{panel.low:g}", f"{panel.high:g}"])
        axes.set_xlim(info.generations[0], max(info.generations[-1], 2))
        axes.set_xticks([info.generations[0], max(info.generations[-1], 2)])
        axes.set_title(
            f"{shorten(panel.name, LONGEST_NAME)} = {write_number(panel.found)}",
            fontsize=8,
            color=INK,
            loc="left",
        )
        axes.tick_params(labelsize=7.5)
