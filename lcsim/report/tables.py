"""From frames to tables as they are shown: the columns a reader needs, numbers with errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from lcsim.report.document import Cell, Header, Table
from lcsim.report.rows import list_rows, read_number
from lcsim.stats.rounding import (
    DASH,
    format_count,
    format_estimate,
    format_interval,
    format_percent,
)

Row = Mapping[str, Any]
Column = tuple[Header, Callable[[Row], Cell]]


def build_table(
    name: str, frame: pd.DataFrame, columns: list[Column], *, title: str, caption: str
) -> Table:
    """Return the table whose columns are read from each row of `frame`."""
    rows = tuple(tuple(read(row) for _, read in columns) for row in list_rows(frame))
    return Table(name, title, caption, tuple(header for header, _ in columns), rows, frame)


def column_text(name: str, title: str, *, help_text: str = "") -> Column:
    """Return a column of plain text."""
    return Header(title, False, help_text), lambda row: Cell(str(row[name]), str(row[name]))


def column_strategy(
    name: str = "strategy", title: str = "strategy", *, has_link: bool = False
) -> Column:
    """Return a column of strategies, each with its colour; a dash where there is none.

    With `has_link` each leads to its source.
    """

    def read(row: Row) -> Cell:
        label = row[name]
        if not isinstance(label, str):
            return Cell(DASH)
        return Cell(label, label, label=label, has_link=has_link)

    return Header(title, False), read


def column_command(name: str, title: str, *, help_text: str = "") -> Column:
    """Return a column of commands, to be copied."""
    return (
        Header(title, False, help_text),
        lambda row: Cell(str(row[name]), str(row[name]), is_command=True),
    )


def column_count(name: str, title: str, *, help_text: str = "") -> Column:
    """Return a column of whole numbers."""
    return (
        Header(title, True, help_text),
        lambda row: Cell(format_count(int(row[name])), int(row[name])),
    )


def column_number(name: str, title: str, *, help_text: str = "") -> Column:
    """Return a column of whole numbers that may be negative: points, ranks."""
    return column_count(name, title, help_text=help_text)


def column_estimate(name: str, title: str, *, signed: bool = False, help_text: str = "") -> Column:
    """Return a column "12.3 ± 0.4" of the frame's columns `name` and `name_se`."""

    def read(row: Row) -> Cell:
        mean, se = read_number(row[name]), read_number(row[f"{name}_se"])
        return Cell(format_estimate(mean, se, signed=signed), mean)

    return Header(title, True, help_text), read


def column_percent(
    name: str, title: str, *, signed: bool = False, bar: bool = False, help_text: str = ""
) -> Column:
    """Return a column "61.3 ± 0.2 %", with a bar behind it where asked."""

    def read(row: Row) -> Cell:
        mean, se = read_number(row[name]), read_number(row[f"{name}_se"])
        return Cell(format_percent(mean, se, signed=signed), mean, bar=mean if bar else None)

    return Header(title, True, help_text), read


def column_interval(name: str, title: str = "95 % interval", *, percent: bool = False) -> Column:
    """Return a column "11.9 to 12.7" of the 95 % interval of `name`."""

    def read(row: Row) -> Cell:
        low, high = read_number(row[f"{name}_ci95_lo"]), read_number(row[f"{name}_ci95_hi"])
        if low is None or high is None:
            return Cell(DASH)
        scale = 100 if percent else 1
        text = format_interval((scale * low, scale * high), unit="%" if percent else "")
        return Cell(text, low)

    return Header(title, True, "would cover the true value in 95 of 100 such runs"), read
