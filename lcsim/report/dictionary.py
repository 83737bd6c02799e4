"""The data dictionary: what each column of tables and parts holds, read from columns.toml."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lcsim.rules import get_game
from lcsim.store.schema import TEXT_COLUMNS

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
_NUMBERED = re.compile(r"_(\d)(_[A-Z])?$")
_PLACES = "N is the number of a strategy in its matchup, from 0; C the letter of a color."
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


def explain_part_column(kind: str, column: str, *, is_fork: bool = False) -> str:
    """Return what a column of a game's Parquet parts holds; empty where nothing is known."""
    known = _read()["parts"]
    texts = known["forks"] if is_fork else {**known["all"], **known[kind]}
    text = str(texts.get(_NUMBERED.sub(_write_stem, column), ""))
    if column == "ended_by" and text:
        return text + ", ".join(f"{i} {name}" for i, name in enumerate(get_game(kind).endings))
    return text


def list_part_columns(kind: str, *, is_fork: bool = False) -> list[tuple[str, str]]:
    """Return the columns of a game's parts, strategies and colors as N and C, and what each holds.

    With `is_fork` they are those of the parts under `forks/`; a game without forks has none.
    """
    game = get_game(kind)
    row_dtype = game.fork_dtype if is_fork else game.row_dtype(game.player_counts[0])
    if row_dtype is None:
        return []
    columns = {
        _NUMBERED.sub(_write_stem, column): explain_part_column(kind, column, is_fork=is_fork)
        for column in (*TEXT_COLUMNS, *(row_dtype.names or ()))
    }
    return list(columns.items())


def render_dictionary(
    frames: Mapping[str, pd.DataFrame], kind: str, *, has_parts: bool = True
) -> str:
    """Return the dictionary of these tables, and of a game's Parquet parts, as Markdown."""
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
    folders = (("parts", "round"), ("forks", "forked move")) if has_parts else ()
    for folder, row in folders:
        columns = list_part_columns(kind, is_fork=folder == "forks")
        if columns:
            lines += ["", f"## {folder}/*.parquet", "", f"One row a {row}. {_PLACES}", ""]
            lines += ["| column | meaning |", "|---|---|"]
            lines += [f"| `{column}` | {_escape(meaning)} |" for column, meaning in columns]
    return "\n".join(lines) + "\n"


def _name_kind(values: pd.Series[Any]) -> str:
    if values.dtype.kind in _KINDS:
        return _KINDS[values.dtype.kind]
    numbers = [value for value in values if isinstance(value, (int, float))]
    return "whole number" if numbers else "text"


def _write_stem(numbered: re.Match[str]) -> str:
    return "_N_C" if numbered[2] else "_N"


def _escape(text: str) -> str:
    return re.sub(r"([|<>*])", r"\\\1", text)


@functools.cache
def _read() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
