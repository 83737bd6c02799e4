"""What expeditions score by wagers and cards together: a heat map around 0, a panel a strategy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from lcsim.report.palette import HIGH, INK, LOW, MUTED, RULE
from lcsim.report.plots.panels import split_axes
from lcsim.report.plots.text import shorten, shorten_count
from lcsim.report.rows import list_rows, read_number
from lcsim.stats.rounding import format_count, format_error, format_value

MAX_PANELS = 3
"""Strategies that are shown; the table has all."""

COMMON = 0.01
"""Share of a strategy's expeditions from which on a cell decides where the colours end."""

_FAINTEST, _STRONGEST = 0.07, 0.62


@dataclass(frozen=True, slots=True)
class Cell:
    """The expeditions with so many wagers and cards: mean points, and what is written of them.

    `value` is the mean, `notes` are its error, the chance of profit and the number of expeditions.
    """

    wagers: int
    cards: int
    score: float
    value: str
    notes: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Panel:
    """One strategy's cells; `empty` are the (wagers, cards) that go together but never occurred."""

    label: str
    cells: tuple[Cell, ...]
    empty: tuple[tuple[int, int], ...]
    n_expeditions: int


@dataclass(frozen=True, slots=True)
class Info:
    """A panel a strategy; colours are strongest at `reach` points above or below 0."""

    panels: tuple[Panel, ...]
    wagers: int
    cards: int
    reach: float

    @property
    def n_expeditions(self) -> int:
        """Expeditions shown in all panels."""
        return sum(panel.n_expeditions for panel in self.panels)


def prepare(frame: pd.DataFrame, order: Sequence[str]) -> Info:
    """Read `summarise_by_both`: the first strategies of `order` that opened any expedition."""
    seen = frame[frame["n_expeditions"] > 0]
    chosen = [label for label in order if label in set(seen["strategy"])][:MAX_PANELS]
    seen = seen[seen["strategy"].isin(chosen)]
    wagers, cards = int(seen["wagers"].max()), int(seen["cards"].max())
    shown = frame[(frame["wagers"] <= wagers) & (frame["cards"] <= cards)]
    panels, reach = [], 1.0
    for label in chosen:
        own = list_rows(shown[shown["strategy"] == label])
        total = sum(entry["n_expeditions"] for entry in own)
        cells = tuple(_read_cell(entry) for entry in own if entry["n_expeditions"])
        empty = tuple((e["wagers"], e["cards"]) for e in own if not e["n_expeditions"])
        panels.append(Panel(label, cells, empty, total))
        common = [e["score"] for e in own if e["n_expeditions"] >= COMMON * total]
        reach = max([reach, *map(abs, common)])
    return Info(tuple(panels), wagers, cards, float(reach))


def _read_cell(entry: dict[str, Any]) -> Cell:
    score, se = float(entry["score"]), read_number(entry["score_se"])
    notes = (
        f"± {format_error(se)}",
        f"{100 * entry['profit']:.0f} %",
        shorten_count(entry["n_expeditions"]),
    )
    return Cell(entry["wagers"], entry["cards"], score, format_value(score, se), notes)


def draw(info: Info, ax: Any) -> None:
    """Draw the panels under each other: blue gains, orange loses, an empty frame never occurred."""
    for panel, part in zip(info.panels, split_axes(ax, [1] * len(info.panels)), strict=True):
        _draw_panel(info, panel, part)
    part.set_xlabel("cards on the expedition, wagers counted")


def _draw_panel(info: Info, panel: Panel, ax: Any) -> None:
    from matplotlib.patches import Rectangle

    for wagers, cards in panel.empty:
        ax.add_patch(
            Rectangle((cards - 0.47, wagers - 0.46), 0.94, 0.92, fill=False, edgecolor=RULE)
        )
    for cell in panel.cells:
        share = min(abs(cell.score) / info.reach, 1.0)
        ax.add_patch(
            Rectangle(
                (cell.cards - 0.47, cell.wagers - 0.46),
                0.94,
                0.92,
                facecolor=HIGH if cell.score >= 0 else LOW,
                alpha=_FAINTEST + (_STRONGEST - _FAINTEST) * share,
                edgecolor="none",
            )
        )
        for text, lift, size in ((cell.value, -0.29, 8.0), ("\n".join(cell.notes), 0.14, 6.2)):
            place = (cell.cards, cell.wagers + lift)
            written = ax.text(*place, text, ha="center", va="center", fontsize=size, color=INK)
            written.set_in_layout(False)  # it lies within its square
    n = format_count(panel.n_expeditions, "expedition")
    ax.set_title(f"{shorten(panel.label)}, {n}", fontsize=9.0, color=INK, loc="left")
    ax.set_xticks(range(1, info.cards + 1))
    ax.set_yticks(range(info.wagers + 1))
    ax.tick_params(axis="y", labelcolor=MUTED)
    ax.set_ylabel("wagers")
    ax.set_xlim(0.5, info.cards + 0.5)
    ax.set_ylim(info.wagers + 0.5, -0.5)
    ax.spines["bottom"].set_visible(False)
