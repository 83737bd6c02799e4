"""Words in plots: names short enough to stand beside an axis, numbers beside their marks."""

from typing import Any

from lcsim.report.palette import INK, PAPER

LONGEST = 26


def shorten(label: str, longest: int = LONGEST) -> str:
    """Return the label, its middle left out where it is longer than `longest` characters."""
    if len(label) <= longest:
        return label
    head = (longest - 1) * 2 // 3
    return f"{label[:head]}…{label[len(label) - (longest - 1 - head) :]}"


def shorten_count(count: int) -> str:
    """Return a whole number in a few signs: "1234", "12k", "1.2M", "12M"."""
    if count < 10_000:
        return str(count)
    if count < 1_000_000:
        return f"{count // 1000}k"
    return f"{count / 1e6:.1f}M" if count < 10_000_000 else f"{count // 1_000_000}M"


def write_behind(ax: Any, text: str, x: float, y: float) -> None:
    """Write a row's number to the right of its mark, over the lines of the grid."""
    ax.annotate(
        text,
        (x, y),
        xytext=(9, 0),
        textcoords="offset points",
        va="center",
        color=INK,
        bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.0},
        zorder=2.5,
    )
