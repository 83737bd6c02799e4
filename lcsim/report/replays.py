"""The section on games worth seeing, each with the command that replays it turn by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from lcsim.experiment.command import write_replay_command
from lcsim.report import tables
from lcsim.report.document import Cell, Header, Section
from lcsim.report.frames import build_frame
from lcsim.stats.rounding import format_count

if TYPE_CHECKING:
    from lcsim.report.sections import Chapter


def build_replay_sections(chapter: Chapter) -> list[Section]:
    """Return the section on the games that stand out."""
    columns = [
        tables.column_text("title", "what"),
        (Header("how much"), _show_value),
        tables.column_strategy("strategy", "of"),
        tables.column_text("matchup", "matchup"),
        (Header("deal"), lambda row: Cell(str(row["deal"]), int(row["deal"]))),
        tables.column_number("rotation", "rotation"),
        tables.column_command("command", "to see it"),
    ]
    table = tables.build_table(
        "extremes",
        summarise_extremes(chapter),
        columns,
        title="Games that stand out",
        caption="One game each, of equals the first: an anecdote, not an estimate, so without "
        "error. The command tells that game turn by turn, as long as the strategies are as they "
        "were; their sources are kept with the run.",
    )
    return [
        Section(
            chapter.name("games"),
            "Games to replay",
            "The extremes of all games played, and how to see them.",
            (table,),
            chapter.ruleset,
        )
    ]


def summarise_extremes(chapter: Chapter) -> pd.DataFrame:
    """Return one row a kind of extreme: its value, where it is, and the command that shows it.

    `round` counts from 0 and is missing where the whole game is meant, `strategy` where no one is
    meant.
    """
    specs = {entrant.label: entrant.spec for entrant in chapter.source.entrants}
    matchups = {matchup.number: matchup for matchup in chapter.collected.matchups}
    rows = []
    for kind, extreme in chapter.collected.extremes.list_extremes():
        place = extreme.place
        matchup = matchups[place.matchup]
        value = kind.sign * extreme.measured
        row: dict[str, Any] = {"ruleset": chapter.collected.ruleset, "extreme": kind.name}
        row |= {"title": kind.title, "value": value, "unit": kind.unit}
        has_strategy = kind.names_strategy and not (kind.is_lead and value == 0)
        row |= {"strategy": matchup.labels[place.index] if has_strategy else None}
        row |= {"matchup": matchup.label, "deal": place.deal, "rotation": place.rotation}
        row |= {"round": place.index if kind.names_round else None}
        row["command"] = write_replay_command(
            [specs[label] for label in matchup.labels],
            ruleset=matchup.ruleset,
            seed=chapter.source.seed,
            deal=place.deal,
            rotation=place.rotation,
            folders=chapter.source.folders,
        )
        rows.append(row)
    frame = build_frame(rows)
    frame["round"] = pd.Series([row["round"] for row in rows], dtype=object)
    return frame


def _show_value(row: tables.Row) -> Cell:
    value = int(row["value"])
    return Cell(format_count(value, row["unit"].removesuffix("s")), value)
