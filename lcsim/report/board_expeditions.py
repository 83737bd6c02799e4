"""The board game's expeditions: what one brings, and by how many were opened in the round."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lcsim.report import board_frames, tables
from lcsim.report.document import Answer, Section
from lcsim.report.expedition_pieces import (
    RATIO,
    build_by_opened,
    list_value_columns,
    mark,
    say_reach,
    show_points,
)
from lcsim.stats.rounding import format_percent

if TYPE_CHECKING:
    from lcsim.report.board_tally import BoardTally
    from lcsim.report.sections import Chapter

WORTH = "What is an expedition worth?"

_COUNTED = "The points of its pawn, the leader's factor counted; tiles are not."
_DESCRIPTIVE = (
    "Descriptive: rounds in which much was opened differ in more than that, so the difference "
    "between two rows is not what one expedition more would bring."
)


def build_board_worth_answers(chapter: Chapter) -> list[Answer]:
    """Answer what an expedition brings, and how often more than 0."""
    tally = cast("BoardTally", chapter.collected.extra)
    found = [
        (label, sums) for label in chapter.order if (sums := tally.read(label)).total("opened")
    ]
    if not found:
        sentence = "Nobody opened one in these games."
        return [Answer(WORTH, "none was opened", sentence, None, chapter.ruleset)]
    label, sums = found[0]
    score, profit = sums.ratio("brought", "opened"), sums.ratio("profits", "opened")
    assert score is not None
    assert profit is not None
    shown = show_points(score)
    sentence = (
        f"The pawn of an expedition of {label} brings {shown} points on average, and "
        f"{format_percent(profit.mean, profit.se)} of them bring more than 0"
    )
    if len(found) > 1:
        others = [(one.ratio("brought", "opened"), name) for name, one in found]
        ranked = sorted((one.mean, show_points(one), name) for one, name in others if one)
        (_, low, worst), (_, high, best) = ranked[0], ranked[-1]
        sentence += f"; {say_reach((low, worst), (high, best))}"
    return [Answer(WORTH, f"{shown} points", sentence + ".", None, chapter.ruleset)]


def build_board_expedition_sections(chapter: Chapter) -> list[Section]:
    """Return the section on what expeditions bring."""
    tally = cast("BoardTally", chapter.collected.extra)
    columns = [tables.column_strategy(), *list_value_columns()]
    total = tables.build_table(
        "board_expeditions",
        mark(board_frames.summarise_expeditions(tally, chapter.order), chapter),
        columns,
        title="All expeditions",
        caption=f"{_COUNTED} {RATIO}",
    )
    frame = mark(board_frames.summarise_by_opened(tally, chapter.order), chapter)
    by_opened = build_by_opened(
        chapter, frame, name="board_expeditions_by_opened", note=_DESCRIPTIVE
    )
    items = (total, *by_opened)
    anchor = chapter.name("expeditions")
    return [Section(anchor, "Expeditions", _COUNTED, items, chapter.ruleset)]
