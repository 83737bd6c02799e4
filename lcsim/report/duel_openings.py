"""When the duel's expeditions are opened, and holding what: what comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from lcsim.report import duel_frames, tables
from lcsim.report.answers import is_clear
from lcsim.report.document import Answer, Cell, Figure, Header, Section, Table
from lcsim.report.duel_columns import HELD
from lcsim.report.expedition_pieces import (
    RATIO,
    build_by_opened,
    build_figures,
    column_band,
    list_value_columns,
    mark,
    say_reach,
    show_points,
)
from lcsim.report.rows import list_rows, read_number
from lcsim.stats.rounding import DASH, format_interval, format_value

if TYPE_CHECKING:
    import pandas as pd

    from lcsim.report.duel_tally import ExpeditionTally
    from lcsim.report.sections import Chapter
    from lcsim.stats.crossing import Block, Crossing, Verdict

OPENING = "How many points should I hold before I open?"

DESCRIPTIVE = (
    "Descriptive: the hands behind two rows differ, so the difference between them is not what "
    "waiting for more would bring."
)
_REST: dict[Verdict, tuple[str, str]] = {
    "always": ("gains from the fewest points on", "gain from the fewest points on"),
    "never": ("loses even with the most", "lose even with the most"),
    "unclear": ("leaves it open", "leave it open"),
}
_HELD = (
    "Points held are the sum of the ranks of its color in hand when it was opened, the card laid "
    "included; wagers count 0."
)


def build_opening_answers(chapter: Chapter) -> list[Answer]:
    """Answer from how many points in hand on an opened expedition gains."""
    tally = cast("ExpeditionTally", chapter.collected.extra)
    found = [
        (label, crossing)
        for label in chapter.order
        if (crossing := tally.find_break_even(label)) is not None
    ]
    if not found:
        sentence = "Nobody opened an expedition in these games."
        return [Answer(OPENING, "none was opened", sentence, None, chapter.ruleset)]
    headline, sentence = _say(*found[0])
    sentence += _compare(found) + ". Descriptive: the hands differ in more than their points."
    return [Answer(OPENING, headline, sentence, None, chapter.ruleset)]


def build_opening_sections(chapter: Chapter) -> list[Section]:
    """Return the section on points held, turn, and number of expeditions opened."""
    tally = cast("ExpeditionTally", chapter.collected.extra)
    frame = mark(duel_frames.summarise_openings(tally, chapter.order), chapter)
    opened = mark(duel_frames.summarise_by_opened(tally, chapter.order), chapter)
    items = (
        *_build_by_held(chapter, tally, frame),
        _build_table(frame),
        *_build_by_turn(chapter, tally),
        *build_by_opened(chapter, opened, name="expeditions_by_opened", note=DESCRIPTIVE),
    )
    anchor = chapter.name("openings")
    return [Section(anchor, "When to open", DESCRIPTIVE, items, chapter.ruleset)]


def _say(label: str, crossing: Crossing) -> tuple[str, str]:
    """Return the headline and the sentence of one strategy, without its full stop."""
    if crossing.verdict == "unclear":
        return _say_unclear(label, crossing.clear_below, crossing.clear_above)
    if crossing.at is not None:
        value = _show_place(crossing.at, crossing.clear_below, crossing.clear_above)
        interval = _show_ends(crossing.clear_below, crossing.clear_above)
        return (
            f"about {value} points",
            f"Opening pays {label} from about {value} points of the color in hand (95 % interval "
            f"{interval}): with fewer an expedition loses on average, with more it gains",
        )
    lowest, highest = crossing.lowest, crossing.highest
    if crossing.verdict == "always":
        verb = "pays" if is_clear(lowest.mean) else "is not seen to lose for"
        return (
            f"already at {_name(lowest)}",
            f"Opening {verb} {label} already with the fewest points it opens with: those with "
            f"{_name(lowest)} in hand bring {show_points(lowest.mean, signed=True)} points",
        )
    verb = "never pays" if is_clear(highest.mean) else "is not seen to pay"
    return (
        "never",
        f"Opening {verb} {label}: even the expeditions with {_name(highest)} points in hand bring "
        f"{show_points(highest.mean, signed=True)} points",
    )


def _say_unclear(label: str, below: float | None, above: float | None) -> tuple[str, str]:
    if below is None and above is None:
        sentence = f"There are too few games to tell from how many points on opening pays {label}"
        return "cannot be said", sentence
    if above is not None:
        value = format_value(above, None)
        return (
            f"with {value} points or more",
            f"Opening pays {label} with {value} points of the color in hand or more; with fewer "
            "it opened too seldom to tell",
        )
    value = format_value(below, None)
    return (
        f"not with {value} points or fewer",
        f"Opening does not pay {label} with {value} points of the color in hand or fewer; with "
        "more it opened too seldom to tell",
    )


def _compare(found: Sequence[tuple[str, Crossing]]) -> str:
    """Return what is to say of several strategies: the range of break-evens, and the others."""
    if len(found) == 1:
        return ""
    crossed = [(one.at, label, one) for label, one in found if one.at is not None]
    parts = []
    if len(crossed) > 1:
        ends = (min(crossed, key=lambda one: one[0]), max(crossed, key=lambda one: one[0]))
        shown = [
            (_show_place(at, one.clear_below, one.clear_above), label) for at, label, one in ends
        ]
        parts.append(say_reach(*shown))
    counts = Counter(one.verdict for _, one in found)
    rest = [
        f"{counts[verdict]} {words[counts[verdict] > 1]}"
        for verdict, words in _REST.items()
        if counts[verdict]
    ]
    if rest:
        parts.append(f"of {len(found)} strategies, {', '.join(rest)}")
    return "".join(f"; {part}" for part in parts)


def _show_place(at: float, low: float | None, high: float | None) -> str:
    """Return a break-even with the digits that its interval allows."""
    return format_value(at, None if low is None or high is None else (high - low) / 4)


def _show_ends(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return format_interval((low, high))
    if low is not None:
        return f"{format_value(low, None)} or more"
    return DASH if high is None else f"{format_value(high, None)} or fewer"


def _name(block: Block) -> str:
    return HELD.name(block.first, block.last)


def _build_table(frame: pd.DataFrame) -> Table:
    columns = [
        tables.column_strategy(),
        tables.column_estimate("turn", "opened at turn", help_text="of both seats, mean"),
        tables.column_estimate("held", "points held", help_text="when it was opened, mean"),
        _column_break_even(),
        _column_interval(),
        tables.column_count("n_expeditions", "expeditions"),
    ]
    return tables.build_table(
        "openings",
        frame,
        columns,
        title="Openings",
        caption=f"{_HELD} Break-even is where the mean score comes to 0, on a straight line "
        "between two bands; its interval goes from the most points that clearly lose to the "
        f"fewest that clearly gain. ± is one standard error, over deals. {DESCRIPTIVE}",
    )


def _column_break_even() -> tables.Column:
    words = {"always": "always gains", "never": "never gains", "unclear": "unclear"}

    def read(row: tables.Row) -> Cell:
        at = read_number(row["break_even"])
        if at is None:
            return Cell(words.get(row["pays"], DASH))
        return Cell(_show_place(at, *_read_ends(row)), at)

    return Header("break-even", True, "points held from which an expedition gains"), read


def _column_interval() -> tables.Column:
    return Header("95 % interval"), lambda row: Cell(_show_ends(*_read_ends(row)))


def _read_ends(row: tables.Row) -> tuple[float | None, float | None]:
    low, high = row["break_even_ci95_lo"], row["break_even_ci95_hi"]
    return read_number(low), read_number(high)


def _build_by_held(
    chapter: Chapter, tally: ExpeditionTally, openings: pd.DataFrame
) -> list[Figure | Table]:
    frame = mark(duel_frames.summarise_by_held(tally, chapter.order), chapter)
    places = {
        row["strategy"]: at
        for row in list_rows(openings)
        if (at := read_number(row["break_even"])) is not None
    }
    figures = build_figures(
        chapter,
        frame,
        "held",
        "What an expedition brings, by the points held when it was opened",
        "A ring marks the points from which a strategy's expeditions gain on average.",
        break_evens=places,
    )
    table = _tabulate(frame, "held", column_band("held", "points held"), "points held", _HELD)
    return [*figures, table]


def _build_by_turn(chapter: Chapter, tally: ExpeditionTally) -> list[Figure | Table]:
    frame = mark(duel_frames.summarise_by_turn(tally, chapter.order), chapter)
    figures = build_figures(
        chapter,
        frame,
        "turn",
        "What an expedition brings, by the turn at which it was opened",
        "Left are the first turns of a round. What is opened late has few turns left, and was "
        "opened on another hand.",
    )
    note = "Turns of the round count those of both seats, from 1."
    return [*figures, _tabulate(frame, "turn", column_band("turn", "turn"), "turn", note)]


def _tabulate(frame: pd.DataFrame, key: str, column: tables.Column, words: str, note: str) -> Table:
    return tables.build_table(
        f"expeditions_by_{key}",
        frame[frame["n_expeditions"] > 0],
        [tables.column_strategy(), column, *list_value_columns()],
        title=f"Expeditions by {words}",
        caption=f"{note} {DESCRIPTIVE} {RATIO}",
    )
