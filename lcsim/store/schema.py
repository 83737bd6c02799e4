"""The columns of a part: two texts that say what was played, then the game's own row.

A part under `parts/` has one row a round, a part under `forks/` one row a forked move (`fork_dtype`
of the game).
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import polars as pl

SCHEMA_VERSION = 2
"""Counts the changes of what is stored; a run of another version is refused, never guessed at."""

TEXT_COLUMNS = ("matchup", "ruleset")


def build_schema(row_dtype: np.dtype[np.void]) -> dict[str, pl.DataType]:
    """Return the polars schema of a part whose rows have `row_dtype`.

    `matchup` (its label) and `ruleset` (its canonical spec) come first, as text; then every field
    of the game's row under its own name, as an integer of the same width.
    """
    import polars as pl

    schema: dict[str, pl.DataType] = {name: pl.String() for name in TEXT_COLUMNS}
    for name in row_dtype.names or ():
        schema[name] = pl.Series(np.empty(0, dtype=row_dtype[name])).dtype
    return schema


def build_row_dtype(schema: dict[str, pl.DataType]) -> np.dtype[np.void]:
    """Return the row's dtype for a part's schema: what `build_schema` was made from."""
    return _build_row_dtype(tuple(schema.items()))


@functools.lru_cache(maxsize=64)
def _build_row_dtype(columns: tuple[tuple[str, pl.DataType], ...]) -> np.dtype[np.void]:
    """Do so once a schema: the parts of a run have few."""
    import polars as pl

    return np.dtype(
        [
            (name, pl.Series([], dtype=dtype).to_numpy().dtype)
            for name, dtype in columns
            if name not in TEXT_COLUMNS
        ]
    )
