"""Intervals that go on beyond the picture: an arrow at its edge, and the words for it.

The picture spans the means, so that one rare kind, whose interval is wide, flattens no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Interval = tuple[float, float]


def find_span(means: Iterable[float]) -> Interval:
    """Return the range of the means and of 0, with some air."""
    values = [0.0, *means]
    low, high = min(values), max(values)
    air = 0.12 * (high - low) or 1.0
    return low - air, high + air


def is_cut_off(intervals: Iterable[Interval | None], span: Interval) -> bool:
    """Tell whether any of the intervals leaves the picture."""
    return any(one is not None and (one[0] < span[0] or one[1] > span[1]) for one in intervals)


def note_cut(is_cut: bool) -> str:
    """Return what a caption says of the arrows, after "bars 95 % intervals"."""
    return " (an arrow: the interval goes on beyond the picture)" if is_cut else ""


def draw_arrows(
    ax: Any,
    places: Sequence[float],
    intervals: Sequence[Interval | None],
    span: Interval,
    color: str,
) -> None:
    """Draw an arrow at the edge for each end of an interval that lies beyond it."""
    for place, interval in zip(places, intervals, strict=True):
        if interval is None:
            continue
        for edge, marker, is_beyond in (
            (span[0], "v", interval[0] < span[0]),
            (span[1], "^", interval[1] > span[1]),
        ):
            if is_beyond:
                ax.plot(
                    [place],
                    [edge],
                    marker,
                    color=color,
                    markersize=6,
                    markeredgewidth=0,
                    clip_on=False,
                    zorder=5,
                )
