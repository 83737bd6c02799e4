"""The report's numbers for other programs, at full precision: JSON and CSV."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from lcsim.report.rows import list_rows

if TYPE_CHECKING:
    import pandas as pd

    from lcsim.report.document import Report


def gather_frames(report: Report) -> dict[str, pd.DataFrame]:
    """Return the tables by name; those of several rulesets stand under each other in one."""
    import pandas as pd

    found: dict[str, list[pd.DataFrame]] = {}
    for table in report.list_tables():
        found.setdefault(table.name, []).append(table.frame)
    return {
        name: parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True)
        for name, parts in found.items()
    }


def render_csv(frame: pd.DataFrame) -> str:
    """Return a table as CSV; what is missing is an empty field."""
    return str(frame.to_csv(index=False, lineterminator="\n"))


def render_json(report: Report) -> str:
    """Return the report as one JSON object; what is missing is null."""
    value: dict[str, Any] = {
        "title": report.title,
        "subtitle": report.subtitle,
        "game": report.game,
        "notes": list(report.notes),
        "answers": [
            {"question": a.question, "ruleset": a.ruleset or None, "answer": a.sentence}
            for a in report.answers
        ],
        "tables": {name: _list_rows(frame) for name, frame in gather_frames(report).items()},
        "method": {
            "facts": dict(report.method.facts),
            "command": report.method.command,
            "strategies": [
                {"label": label, "spec": spec, "source": source}
                for label, spec, source in report.method.sources
            ],
            "rulesets": {
                spec: {
                    note.name: {
                        "value": note.value,
                        "source": note.source,
                        "assumed": note.assumed,
                    }
                    for note in notes
                }
                for spec, notes in report.method.rulesets
            },
        },
    }
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _list_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{name: _plain(value) for name, value in row.items()} for row in list_rows(frame)]


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value.item() if hasattr(value, "item") else value
