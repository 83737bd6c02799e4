"""A report before it has a form: answers, sections of tables and figures, and how it was made.

HTML, Markdown and JSON are written from this alone. Numbers are text here, formatted once; a table
also carries its frame, which the CSV and JSON files keep at full precision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from lcsim.rules.ruleset import FieldNote


@dataclass(frozen=True, slots=True)
class Header:
    """A column's title, whether it holds numbers, and what it means (shown on hovering)."""

    title: str
    is_number: bool = True
    help: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a table shows: text, a key to sort by, a strategy's label to colour, a share to draw.

    A label may lead to the strategy's source; a text that is a command is shown to be copied.
    """

    text: str
    key: float | str | None = None
    label: str | None = None
    bar: float | None = None
    has_link: bool = False
    is_command: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is shown, and its frame; `name` is the file that the frame is exported to."""

    name: str
    title: str
    caption: str
    headers: tuple[Header, ...]
    rows: tuple[tuple[Cell, ...], ...]
    frame: pd.DataFrame


@dataclass(frozen=True, slots=True)
class Figure:
    """A plot ready to draw: what it shows, what to see in it, and its size in inches."""

    name: str
    title: str
    caption: str
    info: Any
    draw: Callable[[Any, Any], None]
    size: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, its answer in one sentence, and the few words of it to set large."""

    question: str
    headline: str
    sentence: str
    label: str | None = None
    ruleset: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, what stands under it, and the figures and tables in the order they are read."""

    anchor: str
    title: str
    lead: str
    items: tuple[Figure | Table, ...]
    ruleset: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """What stands together: everything about one ruleset, or about what rulesets change.

    `title` and `lead` are empty where the report is one group. `front` are the answers that stand
    at the top of the report, `answers` those at the head of the group.
    """

    title: str
    lead: str
    front: tuple[Answer, ...]
    answers: tuple[Answer, ...]
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Method:
    """How the numbers came about: facts as (term, text), and each ruleset's fields."""

    facts: tuple[tuple[str, str], ...]
    command: str
    rulesets: tuple[tuple[str, tuple[FieldNote, ...]], ...]
    sources: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The whole report; `colors` gives each strategy its place in the palette.

    `has_parts` tells whether Parquet parts of games lie beside it.
    """

    title: str
    subtitle: str
    kind: str
    game: str
    groups: tuple[Group, ...]
    method: Method
    colors: Mapping[str, int]
    notes: tuple[str, ...] = ()
    has_parts: bool = True

    @property
    def front(self) -> list[Answer]:
        """The answers at the top."""
        return [answer for group in self.groups for answer in group.front]

    @property
    def answers(self) -> list[Answer]:
        """All answers: those at the top, then those at the head of each group."""
        return [*self.front, *(answer for group in self.groups for answer in group.answers)]

    @property
    def sections(self) -> list[Section]:
        """All sections in order."""
        return [section for group in self.groups for section in group.sections]

    @property
    def links(self) -> Mapping[str, str]:
        """The kept source of each strategy by its label, relative to the run's folder."""
        return {label: source for label, _, source in self.method.sources}

    def list_tables(self) -> list[Table]:
        """Return all tables in order."""
        return [item for s in self.sections for item in s.items if isinstance(item, Table)]

    def list_figures(self) -> list[Figure]:
        """Return all figures in order."""
        return [item for s in self.sections for item in s.items if isinstance(item, Figure)]
