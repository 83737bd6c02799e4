"""The duel's own sections: what an expedition is worth, by wagers and by cards."""

from __future__ import annotations

from typing import cast

from lcsim.report import duel_frames, tables
from lcsim.report.answers import is_clear
from lcsim.report.document import Answer, Figure, Section, Table
from lcsim.report.duel_columns import ALL
from lcsim.report.duel_tally import ExpeditionTally
from lcsim.report.expedition_pieces import (
    RATIO,
    build_figures,
    list_value_columns,
    mark,
    say_reach,
    show_points,
)
from lcsim.report.plots import duel_heat
from lcsim.report.sections import WIDTH, Chapter
from lcsim.rules import parse_ruleset
from lcsim.stats.rounding import format_count, format_percent

WORTH = "What is an expedition worth?"
WAGERS = "Does wagering look good?"

_CONFOUNDED = (
    "Descriptive, and confounded: wagers are laid on the better hands, so the difference between "
    "two rows is not what a wager is worth."
)


def build_worth_answers(chapter: Chapter) -> list[Answer]:
    """Answer what an expedition is worth."""
    return [_answer_worth(chapter, cast("ExpeditionTally", chapter.collected.extra))]


def build_wagering_answers(chapter: Chapter) -> list[Answer]:
    """Answer whether wagering looks good."""
    return [_answer_wagers(chapter, cast("ExpeditionTally", chapter.collected.extra))]


def build_expedition_sections(chapter: Chapter) -> list[Section]:
    """Return the section on expeditions: in all, by wagers and cards, by cards."""
    tally = cast("ExpeditionTally", chapter.collected.extra)
    items = (
        _build_totals(chapter, tally),
        *_build_heat(chapter, tally),
        *_build_by_cards(chapter, tally),
    )
    lead = "What an opened expedition brings in the end."
    return [Section(chapter.name("expeditions"), "Expeditions", lead, items, chapter.ruleset)]


def build_wagering_sections(chapter: Chapter) -> list[Section]:
    """Return the section on expeditions by wagers."""
    tally = cast("ExpeditionTally", chapter.collected.extra)
    items = tuple(_build_by_wagers(chapter, tally))
    anchor = chapter.name("wagers")
    return [Section(anchor, "Wagers, described", _CONFOUNDED, items, chapter.ruleset)]


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
    shown = show_points(score)
    profit = tally.read(label, ALL).estimate_profit()
    sentence = f"An expedition of {label} brings {shown} points on average"
    if profit is not None:
        sentence += f", and {format_percent(profit.mean, profit.se)} of them make a profit"
    others = sorted(found, key=lambda pair: -pair[1].mean)
    if len(others) > 1:
        (best, high), (worst, low) = others[0], others[-1]
        sentence += f"; {say_reach((show_points(low), worst), (show_points(high), best))}"
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
        f"Expeditions of {label} with wagers bring {show_points(with_wagers)} points, those "
        f"without {show_points(without)}, a difference of {show_points(difference, signed=True)}"
    )
    if len(found) > 1 and higher == lower == 0:
        sentence += f" (clear for none of {len(found)} strategies)"
    elif len(found) > 1:
        sentence += (
            f" (higher with wagers for {higher} of {len(found)} strategies, lower for {lower})"
        )
    sentence += "; this is confounded, since wagers are laid on other hands than those without."
    return Answer(WAGERS, headline, sentence, None, chapter.ruleset)


def _build_totals(chapter: Chapter, tally: ExpeditionTally) -> Table:
    columns = [
        tables.column_strategy(),
        tables.column_estimate("opened", "opened", help_text="expeditions a round"),
        *list_value_columns(),
    ]
    return tables.build_table(
        "expeditions",
        mark(duel_frames.summarise_expeditions(tally, chapter.order), chapter),
        columns,
        title="All expeditions",
        caption=f"Opened is a round, score in points an expedition. {RATIO}",
    )


def _build_heat(chapter: Chapter, tally: ExpeditionTally) -> list[Figure | Table]:
    """Return the map of wagers by cards, and its table, which is exported only."""
    frame = mark(duel_frames.summarise_by_both(tally, chapter.order), chapter)
    grid = tables.build_table("expeditions_by_wagers_and_cards", frame, [], title="", caption="")
    if not frame["n_expeditions"].any():
        return [grid]
    info = duel_heat.prepare(frame, chapter.order)
    who = "" if len(info.panels) == len(chapter.order) else " The strongest strategies."
    figure = Figure(
        chapter.name("expedition-heat"),
        "Mean score of an expedition, by wagers and cards",
        "See where a row turns from orange, a loss, to blue, a gain: wagers multiply both. From "
        "top to bottom a square has the mean in points, its standard error, the chance of profit "
        "and the number of expeditions; an empty frame never occurred."
        f"{who} n = {format_count(info.n_expeditions, 'expedition')}; the table "
        "expeditions_by_wagers_and_cards has 95 % intervals.",
        info,
        duel_heat.draw,
        (WIDTH, 0.5 + len(info.panels) * (0.4 + 0.53 * (info.wagers + 1))),
    )
    return [figure, grid]


def _build_by_cards(chapter: Chapter, tally: ExpeditionTally) -> list[Figure | Table]:
    frame = mark(duel_frames.summarise_by_cards(tally, chapter.order), chapter)
    title = "What an expedition brings, by its cards"
    figures = build_figures(chapter, frame, "cards", title, _see_cards(chapter))
    shown = frame[frame["n_expeditions"] > 0]
    columns = [tables.column_strategy(), tables.column_count("cards", "cards")]
    table = tables.build_table(
        "expeditions_by_cards",
        shown,
        [*columns, *list_value_columns()],
        title="Expeditions by cards",
        caption=f"Wagers count as cards. Lengths that never occurred are left out. {RATIO}",
    )
    return [*figures, table]


def _see_cards(chapter: Chapter) -> str:
    rules = parse_ruleset(chapter.collected.ruleset)
    see = f"Short expeditions do not earn back their cost of {rules.expedition_cost}; long ones pay"
    if rules.bonus_cards and rules.bonus_points:
        see += f", and jump at {rules.bonus_cards} cards, where the bonus is won"
    return see + "."


def _build_by_wagers(chapter: Chapter, tally: ExpeditionTally) -> list[Figure | Table]:
    frame = mark(duel_frames.summarise_by_wagers(tally, chapter.order), chapter)
    see = "Higher is better, but mind who lays wagers and when: the hands behind the dots differ."
    title = "What an expedition brings, by its wagers"
    columns = [tables.column_strategy(), tables.column_count("wagers", "wagers")]
    table = tables.build_table(
        "expeditions_by_wagers",
        frame,
        [*columns, *list_value_columns()],
        title="Expeditions by wagers",
        caption=f"{_CONFOUNDED} {RATIO}",
    )
    return [*build_figures(chapter, frame, "wagers", title, see), table]
