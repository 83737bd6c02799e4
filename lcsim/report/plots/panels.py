"""Several panels in the place of one axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def split_axes(ax: Any, heights: Sequence[float], *, gap: float = 0.08) -> list[Any]:
    """Return axes under each other in the place of `ax`, as high as `heights` to each other.

    `gap` is the space between two, in parts of their mean height.
    """
    ax.set_axis_off()
    grid = ax.get_subplotspec().subgridspec(
        len(heights), 1, height_ratios=list(heights), hspace=gap
    )
    return [ax.figure.add_subplot(grid[place]) for place in range(len(heights))]
