"""Several panels in the place of one axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

COLUMNS = 3
"""Small panels beside each other."""

NARROW = 5.2
"""Inches up to which a figure is wholly seen, and can be read, on a phone."""


def split_axes(ax: Any, heights: Sequence[float], *, gap: float = 0.08) -> list[Any]:
    """Return axes under each other in the place of `ax`, as high as `heights` to each other.

    `gap` is the space between two, in parts of their mean height.
    """
    ax.set_axis_off()
    grid = ax.get_subplotspec().subgridspec(
        len(heights), 1, height_ratios=list(heights), hspace=gap
    )
    return [ax.figure.add_subplot(grid[place]) for place in range(len(heights))]


def split_grid(ax: Any, n: int, *, columns: int = COLUMNS) -> list[Any]:
    """Return `n` axes in rows of `columns`, in the place of `ax`."""
    ax.set_axis_off()
    rows = -(-n // columns)
    grid = ax.get_subplotspec().subgridspec(rows, columns)
    return [ax.figure.add_subplot(grid[divmod(place, columns)]) for place in range(n)]


def size_grid(n: int, *, columns: int = COLUMNS) -> tuple[float, float]:
    """Return the width and height in inches that a grid of `n` small panels needs."""
    return NARROW, 0.3 + 1.15 * -(-n // columns)
