"""Reading pandas tables row by row, with what is missing as None."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def list_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table, each by column name."""
    return [{str(name): value for name, value in r.items()} for r in frame.to_dict("records")]


def read_number(value: object) -> float | None:
    """Return a table's number, or None where it is missing."""
    if isinstance(value, (int, float)) and not math.isnan(value):
        return float(value)
    return None
