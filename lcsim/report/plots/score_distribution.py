"""How scores spread: one ridge a strategy, with its mean, median and middle nine tenths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from lcsim.report.palette import INK, MUTED, RULE, pick_color
from lcsim.report.plots.text import shorten
from lcsim.report.rows import list_rows, read_number

_HEIGHT = 0.82
_TAIL = 0.001


@dataclass(frozen=True, slots=True)
class Ridge:
    """A strategy's scores: bin edges in points, shares in percent and their errors, and marks."""

    label: str
    place: int
    edges: tuple[float, ...]
    shares: tuple[float, ...]
    errors: tuple[float, ...]
    low: float
    median: float
    high: float


@dataclass(frozen=True, slots=True)
class Info:
    """Ridges from best to worst, and the range of points that holds all but the rarest games."""

    ridges: tuple[Ridge, ...]
    span: tuple[float, float]
    bin_points: float
    n_games: int


def prepare(bins: pd.DataFrame, quantiles: pd.DataFrame, colors: Mapping[str, int]) -> Info:
    """Read `summarise_distributions` and `summarise_scores`."""
    ridges, ends = [], []
    width = float(bins["high"].iloc[0] - bins["low"].iloc[0] + 1)
    for entry in list_rows(quantiles):
        label = entry["strategy"]
        own = bins[bins["strategy"] == label]
        shares = [100 * share for share in own["share"]]
        errors = [100 * (read_number(se) or 0.0) for se in own["share_se"]]
        lows = [float(low) for low in own["low"]]
        marks = (float(entry["q05"]), float(entry["q50"]), float(entry["q95"]))
        edges = (*lows, lows[-1] + width)
        ridges.append(Ridge(label, colors[label], edges, tuple(shares), tuple(errors), *marks))
        common = [low for low, share in zip(lows, shares, strict=True) if share > 100 * _TAIL]
        ends += [min(common, default=lows[0]), max(common, default=lows[-1]) + width]
    return Info(tuple(ridges), (min(ends), max(ends)), width, int(quantiles["n_games"].sum()))


def draw(info: Info, ax: Any) -> None:
    """Draw each ridge above its own line; all have the same scale, so areas compare."""
    tallest = max(max(ridge.shares) for ridge in info.ridges) or 1.0
    scale = _HEIGHT / tallest
    for number, ridge in enumerate(info.ridges):
        base = len(info.ridges) - 1 - number
        color = pick_color(ridge.place)
        ax.axhline(base, color=RULE, linewidth=0.8, zorder=1)
        ax.stairs(
            [base + scale * share for share in ridge.shares],
            ridge.edges,
            baseline=base,
            fill=True,
            color=color,
            alpha=0.32,
            zorder=2,
        )
        ax.stairs(
            [base + scale * share for share in ridge.shares],
            ridge.edges,
            baseline=None,
            color=color,
            linewidth=1.3,
            zorder=3,
        )
        _draw_errors(ax, ridge, base, scale)
        ax.plot([ridge.low, ridge.high], [base, base], color=INK, linewidth=2.2, zorder=4)
        ax.plot(ridge.median, base, "o", color=INK, markersize=5, zorder=5)
    ax.axvline(0, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    ax.set_yticks(range(len(info.ridges)), [shorten(r.label) for r in reversed(info.ridges)])
    ax.set_ylim(-0.25, len(info.ridges))
    ax.set_xlim(*info.span)
    ax.set_xlabel("points a game")
    ax.grid(axis="x")


def _draw_errors(ax: Any, ridge: Ridge, base: float, scale: float) -> None:
    """Draw the 95 % interval of each bin's share as a thin line through its middle."""
    bars = list(zip(ridge.edges[:-1], ridge.edges[1:], ridge.shares, ridge.errors, strict=True))
    ax.vlines(
        [(left + right) / 2 for left, right, _, _ in bars],
        [base + scale * max(share - 1.96 * error, 0) for _, _, share, error in bars],
        [base + scale * (share + 1.96 * error) for _, _, share, error in bars],
        color=INK,
        linewidth=0.7,
        alpha=0.55,
        zorder=4,
    )
