"""The report as Markdown, with its figures beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from lcsim.report.document import Answer, Cell, Figure, Group, Report, Section, Table

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&])")


def escape_markdown(text: str) -> str:
    """Return text in which no character of it is taken for Markdown or HTML."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def quote_code(text: str) -> str:
    """Return text as code; the fence is longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    gap = " " if longest else ""
    return f"{fence}{gap}{' '.join(text.split())}{gap}{fence}"


def render_markdown(report: Report, *, figures: str = "figures", base: str = "") -> str:
    """Return the report; `figures` is the folder of its pictures, seen from the file.

    `base` leads from the file's folder to the run's, with a slash at its end where they differ.
    """
    return "\n".join(_Writer(report, figures, base).render()) + "\n"


class _Writer:
    def __init__(self, report: Report, figures: str, base: str) -> None:
        self.report = report
        self.figures = figures
        self.base = base

    def render(self) -> Iterator[str]:
        report = self.report
        yield f"# {escape_markdown(report.title)}"
        yield ""
        yield f"{escape_markdown(report.game)}. {escape_markdown(report.subtitle)}"
        for note in report.notes:
            yield ""
            yield f"> {escape_markdown(note)}"
        yield ""
        yield from _list_answers(report.front)
        for group in report.groups:
            yield from self._render_group(group)
        yield from self._render_method()

    def _render_group(self, group: Group) -> Iterator[str]:
        level = "##"
        if group.title:
            level = "###"
            yield ""
            yield f"## {escape_markdown(group.title)}"
        if group.lead:
            yield ""
            yield escape_markdown(group.lead)
        if group.answers:
            yield ""
            yield from _list_answers(group.answers)
        for section in group.sections:
            yield from self._render_section(section, level)

    def _render_section(self, section: Section, level: str) -> Iterator[str]:
        under = f" ({section.ruleset})" if section.ruleset else ""
        yield ""
        yield f"{level} {escape_markdown(section.title + under)}"
        yield ""
        yield escape_markdown(section.lead)
        for item in section.items:
            if isinstance(item, Figure):
                yield ""
                yield f"![{escape_markdown(item.title)}]({self.figures}/{item.name}.svg)"
                yield ""
                yield f"*{escape_markdown(item.caption)}*"
            elif item.headers:
                yield from self._render_table(item, level)

    def _render_table(self, table: Table, level: str) -> Iterator[str]:
        yield ""
        yield f"{level}# {escape_markdown(table.title)}"
        yield ""
        yield _row(escape_markdown(header.title) for header in table.headers)
        yield (
            "|" + "|".join("---:" if header.is_number else "---" for header in table.headers) + "|"
        )
        for row in table.rows:
            yield _row(map(self._render_cell, row))
        if table.caption:
            yield ""
            yield escape_markdown(table.caption)

    def _render_cell(self, cell: Cell) -> str:
        if cell.is_command:
            return quote_code(cell.text).replace("|", "\\|")
        source = self.report.links.get(cell.label or "") if cell.has_link else None
        if source is not None:
            return self._link(cell.text, source)
        return escape_markdown(cell.text)

    def _link(self, text: str, source: str) -> str:
        return f"[{escape_markdown(text)}]({quote(self.base + source)})"

    def _render_method(self) -> Iterator[str]:
        method = self.report.method
        yield ""
        yield "## Method"
        yield ""
        for term, text in method.facts:
            yield f"- {escape_markdown(term)}: {escape_markdown(text)}"
        yield f"- To do it again: {quote_code(method.command)}"
        yield ""
        if self.base:
            yield f"What this report was made from lies in {quote_code(self.base)} from here."
            yield ""
        yield "Strategies, and their sources as they were played:"
        yield ""
        for label, spec, source in method.sources:
            yield f"- {escape_markdown(f'{label}: {spec}')}, {self._link(source, source)}"
        for spec, notes in method.rulesets:
            yield ""
            yield f"### Ruleset {escape_markdown(spec)}"
            yield ""
            yield _row(("field", "value", "meaning", "source"))
            yield "|---|---|---|---|"
            for note in notes:
                mark = "assumed: " if note.assumed and "assumed" not in note.source else ""
                cells = (note.name, note.text, note.help, mark + note.source)
                yield _row(map(escape_markdown, cells))


def _list_answers(answers: Iterable[Answer]) -> Iterator[str]:
    for answer in answers:
        under = f" ({answer.ruleset})" if answer.ruleset else ""
        question = escape_markdown(answer.question + under)
        yield f"- **{question}** {escape_markdown(answer.sentence)}"


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
