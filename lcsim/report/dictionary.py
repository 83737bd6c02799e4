"""The data dictionary: what each column of the exported tables holds, read from columns.toml."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

_FILE = Path(__file__).with_name("columns.toml")
_ERRORS = {
    "_se": "standard error of {}",
    "_ci95_lo": "lower end of the 95 % interval of {}",
    "_ci95_hi": "upper end of the 95 % interval of {}",
}
_SIDES = {
    "_base": "{}; under the ruleset it is held against",
    "_other": "{}; under the ruleset",
    "_diff": "{}; the difference, other less base",
    "_free": "{}; of the free twin",
    "_restricted": "{}; of the restricted strategy",
    "_variance_left": "{}; variance of the difference by that on different deals",
}
_KINDS = {"b": "true or false", "i": "whole number", "u": "whole number", "f": "number"}


def explain_table(table: str) -> str:
    """Return what a row of the table is; empty where nothing is known."""
    return str(_read()["tables"].get(table, {}).get("rows", ""))


def explain_column(table: str, column: str) -> str:
    """Return what a column of the table holds; empty where nothing is known."""
    known: Mapping[str, Any] = _read()
    text: str | None = known["tables"].get(table, {}).get(column) or known["columns"].get(column)
    if text:
        return text
    for suffix, phrase in _ERRORS.items():
        stem = column.removesuffix(suffix)
        if stem != column and explain_column(table, stem):
            return phrase.format(stem)
    for suffix, phrase in _SIDES.items():
        stem = column.removesuffix(suffix)
        if stem != column and stem in known["columns"]:
            return phrase.format(known["columns"][stem])
    return ""


def describe_columns(frames: Mapping[str, pd.DataFrame]) -> dict[str, dict[str, str]]:
    """Return the meaning of each column by table and column, in the order of the files."""
    return {
        name: {str(column): explain_column(name, str(column)) for column in frame.columns}
        for name, frame in frames.items()
    }


def render_dictionary(frames: Mapping[str, pd.DataFrame]) -> str:
    """Return the dictionary of these tables as Markdown."""
    lines = [
        "# The columns of the tables",
        "",
        "One CSV file a table, at full precision; what does not exist is an empty field. `_se` is "
        "a standard error over deals, `_ci95_lo` and `_ci95_hi` are the ends of a 95 % interval.",
    ]
    for name, frame in frames.items():
        lines += ["", f"## {name}.csv", ""]
        lines += [explain_table(name), "", "| column | holds | meaning |", "|---|---|---|"]
        lines += [
            f"| `{column}` | {_name_kind(frame[column])} | {_escape(meaning)} |"
            for column, meaning in describe_columns({name: frame})[name].items()
        ]
    return "\n".join(lines) + "\n"


def _name_kind(values: pd.Series[Any]) -> str:
    if values.dtype.kind in _KINDS:
        return _KINDS[values.dtype.kind]
    numbers = [value for value in values if isinstance(value, (int, float))]
    return "whole number" if numbers else "text"


def _escape(text: str) -> str:
    return re.sub(r"([|<>*])", r"\\\1", text)


@functools.cache
def _read() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
