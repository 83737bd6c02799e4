"""The report as Markdown, with its figures beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lcsim.report.document import Figure, Report, Section, Table

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&])")


def escape_markdown(text: str) -> str:
    """Return text in which no character of it is taken for Markdown or HTML."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def render_markdown(report: Report, *, figures: str = "figures") -> str:
    """Return the report; `figures` is the folder its pictures lie in, seen from the file."""
    return "\n".join(_render(report, figures)) + "\n"


def _render(report: Report, figures: str) -> Iterator[str]:
    yield f"# {escape_markdown(report.title)}"
    yield ""
    yield f"{escape_markdown(report.game)}. {escape_markdown(report.subtitle)}"
    for note in report.notes:
        yield ""
        yield f"> {escape_markdown(note)}"
    yield ""
    for answer in report.answers:
        under = f" ({answer.ruleset})" if answer.ruleset else ""
        question = escape_markdown(answer.question + under)
        yield f"- **{question}** {escape_markdown(answer.sentence)}"
    for section in report.sections:
        yield from _render_section(section, figures)
    yield from _render_method(report)


def _render_section(section: Section, figures: str) -> Iterator[str]:
    under = f" ({section.ruleset})" if section.ruleset else ""
    yield ""
    yield f"## {escape_markdown(section.title + under)}"
    yield ""
    yield escape_markdown(section.lead)
    for item in section.items:
        if isinstance(item, Figure):
            yield ""
            yield f"![{escape_markdown(item.title)}]({figures}/{item.name}.svg)"
            yield ""
            yield f"*{escape_markdown(item.caption)}*"
        elif item.headers:
            yield from _render_table(item)


def _render_table(table: Table) -> Iterator[str]:
    yield ""
    yield f"### {escape_markdown(table.title)}"
    yield ""
    yield _row(header.title for header in table.headers)
    yield "|" + "|".join("---:" if header.is_number else "---" for header in table.headers) + "|"
    for row in table.rows:
        yield _row(cell.text for cell in row)
    yield ""
    yield escape_markdown(table.caption)


def _render_method(report: Report) -> Iterator[str]:
    yield ""
    yield "## Method"
    yield ""
    for term, text in report.method.facts:
        yield f"- {escape_markdown(term)}: {escape_markdown(text)}"
    yield f"- To do it again: `{report.method.command.replace('`', '')}`"
    yield ""
    for label, spec, source in report.method.sources:
        yield f"- {escape_markdown(f'{label}: {spec}, as in {source}')}"
    for spec, notes in report.method.rulesets:
        yield ""
        yield f"### Ruleset {escape_markdown(spec)}"
        yield ""
        yield _row(("field", "value", "meaning", "source"))
        yield "|---|---|---|---|"
        for note in notes:
            mark = "assumed: " if note.assumed and "assumed" not in note.source else ""
            yield _row((note.name, note.text, note.help, mark + note.source))


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(escape_markdown(cell) for cell in cells) + " |"
