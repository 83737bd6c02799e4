"""The duel's own sections: what an expedition is worth, by wagers and by cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lcsim.report import duel_frames, tables
from lcsim.report.answers import is_clear
from lcsim.report.document import Answer, Figure, Section, Table
from lcsim.report.duel_tally import ALL, ExpeditionTally
from lcsim.report.plots import duel_expedition
from lcsim.report.sections import WIDTH, Chapter
from lcsim.rules import parse_ruleset
from lcsim.stats.rounding import format_count, format_estimate, format_percent

if TYPE_CHECKING:
    import pandas as pd

    from lcsim.stats.estimate import Estimate

WORTH = "What is an expedition worth?"
WAGERS = "Does wagering look good?"

_RATIO = (
    "The mean over expeditions is a ratio of sums over deals, and ± its standard error over deals; "
    "± 0 stands where all were equal, ± ? where one deal says it all."
)
_CONFOUNDED = (
    "Descriptive, and confounded: wagers are laid on the better hands, so the difference between "
    "two rows is not what a wager is worth."
)


def build_duel_answers(chapter: Chapter) -> list[Answer]:
    """Answer what an expedition is worth, and whether wagering looks good."""
    tally = cast("ExpeditionTally", chapter.collected.extra)
    return [_answer_worth(chapter, tally), _answer_wagers(chapter, tally)]


def build_duel_sections(chapter: Chapter) -> list[Section]:
    """Return the sections on expeditions: in all, by wagers, by cards."""
    tally = cast("ExpeditionTally", chapter.collected.extra)
    return [
        Section(
            chapter.name("expeditions"),
            "Expeditions",
            "What an opened expedition brings in the end.",
            (_build_totals(chapter, tally), *_build_by_cards(chapter, tally)),
            chapter.ruleset,
        ),
        Section(
            chapter.name("wagers"),
            "Wagers, described",
            _CONFOUNDED,
            tuple(_build_by_wagers(chapter, tally)),
            chapter.ruleset,
        ),
    ]


def _answer_worth(chapter: Chapter, tally: ExpeditionTally) -> Answer:
    found = [
        (label, score)
        for label in chapter.order
        if (score := tally.read(label, ALL).estimate_score()) is not None
    ]
    if not found:
        sentence = "Nobody opened one in these games."
        return Answer(WORTH, "none was opened", sentence, None, chapter.ruleset)
    label, score = found[0]
    shown = _points(score)
    profit = tally.read(label, ALL).estimate_profit()
    sentence = f"An expedition of {label} brings {shown} points on average"
    if profit is not None:
        sentence += f", and {format_percent(profit.mean, profit.se)} of them make a profit"
    others = sorted(found, key=lambda pair: -pair[1].mean)
    if len(others) > 1:
        (best, high), (worst, low) = others[0], others[-1]
        reach = f"{_points(low)} ({worst}) to {_points(high)} ({best})"
        sentence += f"; over the strategies it goes from {reach}"
    return Answer(WORTH, f"{shown} points", sentence + ".", None, chapter.ruleset)


def _answer_wagers(chapter: Chapter, tally: ExpeditionTally) -> Answer:
    found = [
        (label, difference)
        for label in chapter.order
        if (difference := tally.compare_wagers(label)) is not None
    ]
    if not found:
        sentence = "Nobody has expeditions both with and without wagers here, so nothing compares."
        return Answer(WAGERS, "cannot be said", sentence, None, chapter.ruleset)
    label, difference = found[0]
    with_wagers = tally.read_wagered(label, wagered=True)
    without = tally.read_wagered(label, wagered=False)
    higher = sum(is_clear(one) and one.mean > 0 for _, one in found)
    lower = sum(is_clear(one) and one.mean < 0 for _, one in found)
    if not is_clear(difference):
        headline = "no difference to see"
    else:
        headline = "at first sight, yes" if difference.mean > 0 else "at first sight, no"
    sentence = (
        f"Expeditions of {label} with wagers bring {_points(with_wagers)} points, those without "
        f"{_points(without)}, a difference of {_points(difference, signed=True)}"
    )
    if len(found) > 1:
        sentence += (
            f" (higher with wagers for {higher} of {len(found)} strategies, lower for {lower})"
        )
    sentence += "; this is confounded, since wagers are laid on the better hands."
    return Answer(WAGERS, headline, sentence, None, chapter.ruleset)


def _points(value: Estimate | None, *, signed: bool = False) -> str:
    if value is None:
        return format_estimate(None, None)
    return format_estimate(value.mean, value.se, signed=signed)


def _build_totals(chapter: Chapter, tally: ExpeditionTally) -> Table:
    columns = [
        tables.column_strategy(),
        tables.column_estimate("opened", "opened", help_text="expeditions a round"),
        *_value_columns(),
    ]
    return tables.build_table(
        "expeditions",
        _mark(duel_frames.summarise_expeditions(tally, chapter.order), chapter),
        columns,
        title="All expeditions",
        caption=f"Opened is a round, score in points an expedition. {_RATIO}",
    )


def _build_by_cards(chapter: Chapter, tally: ExpeditionTally) -> list[Figure | Table]:
    frame = _mark(duel_frames.summarise_by_cards(tally, chapter.order), chapter)
    both = _mark(duel_frames.summarise_by_both(tally, chapter.order), chapter)
    figure = _build_figure(
        chapter,
        frame,
        "cards",
        _see_cards(chapter),
    )
    shown = frame[frame["n_expeditions"] > 0]
    columns = [tables.column_strategy(), tables.column_count("cards", "cards"), *_value_columns()]
    table = tables.build_table(
        "expeditions_by_cards",
        shown,
        columns,
        title="Expeditions by cards",
        caption=f"Wagers count as cards. Lengths that never occurred are left out. {_RATIO}",
    )
    grid = tables.build_table("expeditions_by_wagers_and_cards", both, [], title="", caption="")
    return [figure, table, grid]


def _see_cards(chapter: Chapter) -> str:
    rules = parse_ruleset(chapter.collected.ruleset)
    see = f"Short expeditions do not earn back their cost of {rules.expedition_cost}; long ones pay"
    if rules.bonus_cards and rules.bonus_points:
        see += f", and jump at {rules.bonus_cards} cards, where the bonus is won"
    return see + "."


def _build_by_wagers(chapter: Chapter, tally: ExpeditionTally) -> list[Figure | Table]:
    frame = _mark(duel_frames.summarise_by_wagers(tally, chapter.order), chapter)
    figure = _build_figure(
        chapter,
        frame,
        "wagers",
        "Higher is better, but mind who lays wagers and when: the hands behind the dots differ.",
    )
    columns = [
        tables.column_strategy(),
        tables.column_count("wagers", "wagers"),
        *_value_columns(),
    ]
    table = tables.build_table(
        "expeditions_by_wagers",
        frame,
        columns,
        title="Expeditions by wagers",
        caption=f"{_CONFOUNDED} {_RATIO}",
    )
    return [figure, table]


def _build_figure(
    chapter: Chapter, frame: pd.DataFrame, key: duel_expedition.Key, see: str
) -> Figure:
    info = duel_expedition.prepare(frame, key, chapter.colors)
    return Figure(
        chapter.name(f"expedition-by-{key}"),
        f"Mean score of an expedition, by {key}",
        f"{see} Dots are means in points, bars 95 % intervals; "
        f"n = {format_count(info.n_expeditions)} expeditions.",
        info,
        duel_expedition.draw,
        (WIDTH, 4.3),
    )


def _value_columns() -> list[Any]:
    return [
        tables.column_estimate("score", "mean score", signed=True),
        tables.column_interval("score"),
        tables.column_percent(
            "profit", "chance of profit", bar=True, help_text="share that scores above 0"
        ),
        tables.column_count("n_expeditions", "expeditions"),
    ]


def _mark(frame: pd.DataFrame, chapter: Chapter) -> pd.DataFrame:
    frame.insert(0, "ruleset", chapter.collected.ruleset)
    return frame
