"""The report for other programs, at full precision: JSON and CSV."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from lcsim.report.dictionary import describe_columns, explain_table
from lcsim.report.document import Answer, Figure, Group, Table
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


def render_json(report: Report, *, base: str = "") -> str:
    """Return everything the report says as one JSON object; what is missing is null.

    `base` leads from the file's folder to the run's, with a slash at its end where they differ.
    """
    frames = gather_frames(report)
    value: dict[str, Any] = {
        "title": report.title,
        "subtitle": report.subtitle,
        "game": report.game,
        "run": base or "./",
        "notes": list(report.notes),
        "answers": [_describe_answer(answer) for answer in report.answers],
        "groups": [_describe_group(group) for group in report.groups],
        "tables": {name: _list_rows(frame) for name, frame in frames.items()},
        "rows": {name: explain_table(name) for name in frames},
        "columns": describe_columns(frames),
        "method": _describe_method(report),
    }
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _describe_answer(answer: Answer) -> dict[str, Any]:
    return {
        "question": answer.question,
        "ruleset": answer.ruleset or None,
        "headline": answer.headline,
        "strategy": answer.label,
        "answer": answer.sentence,
    }


def _describe_group(group: Group) -> dict[str, Any]:
    return {
        "title": group.title or None,
        "lead": group.lead or None,
        "sections": [
            {
                "title": section.title,
                "ruleset": section.ruleset or None,
                "lead": section.lead,
                "items": [_describe_item(item) for item in section.items],
            }
            for section in group.sections
        ],
    }


def _describe_item(item: Figure | Table) -> dict[str, Any]:
    kind = "figure" if isinstance(item, Figure) else "table"
    return {kind: item.name, "title": item.title or None, "caption": item.caption or None}


def _describe_method(report: Report) -> dict[str, Any]:
    method = report.method
    return {
        "facts": dict(method.facts),
        "command": method.command,
        "strategies": [
            {"label": label, "spec": spec, "source": source, "color": report.colors.get(label)}
            for label, spec, source in method.sources
        ],
        "rulesets": {
            spec: {
                note.name: {"value": note.value, "source": note.source, "assumed": note.assumed}
                for note in notes
            }
            for spec, notes in method.rulesets
        },
    }


def _list_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{name: _plain(value) for name, value in row.items()} for row in list_rows(frame)]


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value.item() if hasattr(value, "item") else value
