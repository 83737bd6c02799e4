"""Who beats whom: the win rate of each strategy against each other, as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from lcsim.report.palette import HIGH, INK, LOW, MUTED, PAPER
from lcsim.report.plots.text import shorten
from lcsim.report.rows import list_rows, read_number
from lcsim.stats.rounding import format_error, format_value

ROOM_FOR_ERRORS = 9
"""Strategies up to which a cell has room for its error; more, and the table has it."""


@dataclass(frozen=True, slots=True)
class Square:
    """The row strategy's win rate in percent against the column's, with the error as text."""

    row: int
    column: int
    rate: float
    value: str
    error: str


@dataclass(frozen=True, slots=True)
class Info:
    """The strategies in ranking order, and a square for each pair that met."""

    labels: tuple[str, ...]
    squares: tuple[Square, ...]
    n_games: int


def prepare(matchups: pd.DataFrame, order: Sequence[str]) -> Info:
    """Read the pairs (`summarise_matchups`); each gives a square and its mirror image."""
    labels = tuple(order)
    squares = []
    for entry in list_rows(matchups):
        for row, column, name in (("a", "b", "win_rate_a"), ("b", "a", "win_rate_b")):
            rate, se = entry[name], read_number(entry[f"{name}_se"])
            value = format_value(100 * rate, None if se is None else 100 * se)
            error = f"± {format_error(None if se is None else 100 * se)}"
            at = labels.index(entry[row]), labels.index(entry[column])
            squares.append(Square(*at, 100 * rate, value, error))
    return Info(labels, tuple(squares), int(matchups["n_games"].sum()))


def draw(info: Info, ax: Any) -> None:
    """Draw the squares: the stronger the colour, the further from even."""
    from matplotlib.patches import Rectangle

    n = len(info.labels)
    for square in info.squares:
        edge = abs(square.rate - 50) / 50
        color = HIGH if square.rate >= 50 else LOW
        corner = (square.column - 0.5, square.row - 0.5)
        strength = 0.06 + 0.86 * edge
        ax.add_patch(
            Rectangle(corner, 1, 1, facecolor=color, alpha=strength, edgecolor=PAPER, linewidth=1.5)
        )
        ink = "#ffffff" if strength > 0.85 else INK
        with_error = n <= ROOM_FOR_ERRORS
        lift = 0.12 if with_error else 0
        ax.text(square.column, square.row - lift, square.value, ha="center", va="center", color=ink)
        if with_error:
            ax.text(
                square.column,
                square.row + 0.2,
                square.error,
                ha="center",
                va="center",
                fontsize=6.8,
                color=ink,
            )
    for place in range(n):
        ax.text(place, place, "·", ha="center", va="center", color=MUTED)
    names = [shorten(label, 20) for label in info.labels]
    ax.set_xticks(range(n), names, rotation=35, ha="left", rotation_mode="anchor", color=INK)
    ax.xaxis.tick_top()
    ax.set_yticks(range(n), names)
    ax.set_xlim(-0.5, n - 0.5)
    ax.set_ylim(n - 0.5, -0.5)
    ax.spines["bottom"].set_visible(False)
