"""What the sections on expeditions share: figures and columns of what one brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lcsim.report import tables
from lcsim.report.document import Cell, Figure, Header, Table
from lcsim.report.plots import expedition
from lcsim.report.plots.cut import note_cut
from lcsim.report.sections import WIDTH, Chapter
from lcsim.stats.rounding import format_count, format_estimate

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from lcsim.stats.estimate import Estimate

MAX_LINES = 8
"""Strategies in one figure; the tables have all."""

RATIO = (
    "The mean over expeditions is a ratio of sums over deals, and ± its standard error over deals; "
    "± 0 stands where all were equal, ± ? where one deal says it all."
)


def mark(frame: pd.DataFrame, chapter: Chapter) -> pd.DataFrame:
    """Return the frame with the chapter's ruleset as its first column."""
    frame.insert(0, "ruleset", chapter.collected.ruleset)
    return frame


def show_points(value: Estimate | None, *, signed: bool = False) -> str:
    """Return an estimate in points as it is shown; a dash where there is none."""
    if value is None:
        return format_estimate(None, None)
    return format_estimate(value.mean, value.se, signed=signed)


def say_reach(low: tuple[str, str], high: tuple[str, str]) -> str:
    """Say from where to where something goes, each end a value as it is shown and whose it is."""
    if low[0] == high[0]:
        return f"the strategies are all alike in this, from {low[1]} to {high[1]}"
    return f"over the strategies it goes from {low[0]} ({low[1]}) to {high[0]} ({high[1]})"


def list_value_columns() -> list[tables.Column]:
    """Return the columns that every table of expeditions ends with."""
    return [
        tables.column_estimate("score", "mean score", signed=True, help_text="points"),
        tables.column_interval("score"),
        tables.column_percent(
            "profit", "chance of profit", bar=True, help_text="share that scores above 0"
        ),
        tables.column_count("n_expeditions", "expeditions"),
    ]


def column_band(name: str, title: str) -> tables.Column:
    """Return a column of bands, sorted by their lowest, `{name}_low`."""
    return Header(title), lambda row: Cell(str(row[name]), int(row[f"{name}_low"]))


def build_figures(
    chapter: Chapter,
    frame: pd.DataFrame,
    key: expedition.Key,
    title: str,
    see: str,
    *,
    break_evens: Mapping[str, float] | None = None,
) -> list[Figure]:
    """Return the figure of the strongest strategies by `key`, or none where nobody opened any."""
    shown = chapter.order[:MAX_LINES]
    own = frame[frame["strategy"].isin(shown)]
    info = expedition.prepare(own, key, chapter.colors, break_evens=break_evens)
    if not info.lines:
        return []
    who = f" The {MAX_LINES} strongest strategies." if len(chapter.order) > MAX_LINES else ""
    caption = (
        f"{see} Above, mean points an expedition; below, the share that scores above 0. Bars are "
        f"95 % intervals{note_cut(info.is_cut_off)}.{who} "
        f"n = {format_count(info.n_expeditions, 'expedition')}."
    )
    name = chapter.name(f"expedition-by-{key}")
    return [Figure(name, title, caption, info, expedition.draw, (WIDTH, 5.6))]


def build_by_opened(
    chapter: Chapter, frame: pd.DataFrame, *, name: str, note: str
) -> list[Figure | Table]:
    """Return figures and table of expeditions by how many their player opened in the round.

    `name` is the table's; `note` says what the difference between two rows is not.
    """
    figures = build_figures(
        chapter,
        frame,
        "opened",
        "What an expedition brings, by how many its player opened in the round",
        "Where a line falls to the right, expeditions of one round take turns from each other.",
    )
    columns = [
        tables.column_strategy(),
        tables.column_count("opened", "opened in the round"),
        tables.column_count("n_rounds", "rounds"),
    ]
    table = tables.build_table(
        name,
        frame[frame["n_expeditions"] > 0],
        [*columns, *list_value_columns()],
        title="Expeditions by how many were opened in the round",
        caption=f"Points are an expedition's, not the round's. {note} {RATIO}",
    )
    return [*figures, table]
