"""The chapter on variants: what changes under another ruleset, over all and for each strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lcsim.report import tables, variants
from lcsim.report.answers import is_clear
from lcsim.report.document import Answer, Cell, Figure, Header, Section, Table
from lcsim.report.plots import variant
from lcsim.report.rows import read_number
from lcsim.report.variants import Change, Quantity
from lcsim.stats.rounding import (
    DASH,
    format_count,
    format_estimate,
    format_interval,
    format_percent,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lcsim.report.games import Extra
    from lcsim.report.pairing import Pairing
    from lcsim.report.sections import Chapter

WHAT_CHANGES = "What does the other rule change?"
WHO_GAINS = "Who gains by it?"
WIDTH = 7.4
_PAIRED = (
    "Differences are taken deal by deal: the same cards under both rulesets. ± is one standard "
    "error, over deals."
)


def build_variant_answers(pairing: Pairing, chapter: Chapter, extra: Extra) -> list[Answer]:
    """Answer what a ruleset changes, and whom it helps; `chapter` is that of the ruleset."""
    return [_answer_changes(pairing, chapter, extra), _answer_gains(pairing, chapter)]


def build_variant_section(pairing: Pairing, chapter: Chapter, extra: Extra, number: int) -> Section:
    """Return the section on one pair of rulesets."""
    own = variants.list_measures(extra.measures)
    endings = variants.list_endings(chapter.game.endings)
    overall = [variants.SCORE, variants.TURNS, *own, *endings, variants.DRAWS, variants.STARTER]
    gains = variants.summarise_strategies(
        pairing, chapter.order, [variants.WIN_RATE, variants.SCORE, *own, variants.TURNS, *endings]
    )
    info = variant.prepare(gains, chapter.colors)
    figure = Figure(
        f"variant-{number}",
        f"Win rate under {pairing.other}, less that under {pairing.base}",
        "Right of the dashed line a strategy wins more than under the other ruleset. Dots are "
        "paired differences, bars 95 % intervals, the text has the standard error; "
        f"n = {format_count(pairing.sums[('', '')].n)} deals.",
        info,
        variant.draw,
        (WIDTH, 0.9 + 0.36 * len(info.rows)),
    )
    seats = variants.summarise_seats(
        pairing,
        [variants.WIN_RATE, variants.SCORE, *own, variants.TURNS, *endings, variants.DRAWS],
    )
    return Section(
        f"variant-{number}",
        "Variant",
        f"The same strategies on the same deals, under {pairing.other} and under {pairing.base}.",
        (
            _build_overall(pairing, overall),
            figure,
            _build_strategies(pairing, gains, own),
            _build_seats(seats, [*own, variants.TURNS, *endings]),
        ),
        pairing.other,
    )


def _build_overall(pairing: Pairing, quantities: list[Quantity]) -> Table:
    frame = variants.summarise_overall(pairing, quantities)
    columns = [
        tables.column_text("title", "what"),
        _column_either("base", f"under {pairing.base}"),
        _column_either("other", f"under {pairing.other}"),
        _column_either("diff", "difference", signed=True),
        _column_interval(),
    ]
    return tables.build_table(
        "variants",
        frame,
        columns,
        title="What changes",
        caption=f"Over all matchups that both rulesets have. {_PAIRED}",
    )


def _build_strategies(pairing: Pairing, frame: Any, own: list[Quantity]) -> Table:
    columns = [
        tables.column_strategy(),
        tables.column_percent("win_rate_base", f"win rate, {pairing.base}"),
        tables.column_percent("win_rate_other", f"win rate, {pairing.other}"),
        tables.column_percent("win_rate_diff", "difference", signed=True),
        tables.column_interval("win_rate_diff", percent=True),
        tables.column_estimate("score_base", f"score, {pairing.base}"),
        tables.column_estimate("score_other", f"score, {pairing.other}"),
        tables.column_estimate("score_diff", "difference", signed=True),
        *(
            tables.column_estimate(f"{one.name}_diff", f"{one.title}, difference", signed=True)
            for one in own
        ),
    ]
    return tables.build_table(
        "variants_by_strategy",
        frame,
        columns,
        title="Strategy by strategy",
        caption=f"Against all opponents a strategy met. {_PAIRED}",
    )


def _build_seats(frame: Any, quantities: list[Quantity]) -> Table:
    columns = [
        tables.column_text("matchup", "matchup"),
        tables.column_strategy(),
        tables.column_percent("win_rate_diff", "win rate", signed=True),
        tables.column_estimate("score_diff", "score", signed=True),
        *(
            (tables.column_percent if one.is_share else tables.column_estimate)(
                f"{one.name}_diff", one.title, signed=True
            )
            for one in quantities
        ),
    ]
    return tables.build_table(
        "variants_by_matchup",
        frame,
        columns,
        title="Matchup by matchup: the differences",
        caption=f"Turns and endings are those of the matchup, for all its players. {_PAIRED}",
    )


def _column_either(name: str, title: str, *, signed: bool = False) -> tables.Column:
    """Return a column of estimates, in percent in the rows of a share."""

    def read(row: Mapping[str, Any]) -> Cell:
        mean, se = read_number(row[name]), read_number(row[f"{name}_se"])
        write = format_percent if row["is_share"] else format_estimate
        return Cell(write(mean, se, signed=signed), mean)

    return Header(title, True), read


def _column_interval() -> tables.Column:
    def read(row: Mapping[str, Any]) -> Cell:
        low, high = read_number(row["diff_ci95_lo"]), read_number(row["diff_ci95_hi"])
        if low is None or high is None:
            return Cell(DASH)
        scale = 100 if row["is_share"] else 1
        unit = "%" if row["is_share"] else ""
        return Cell(format_interval((scale * low, scale * high), unit=unit), low)

    return Header("95 % interval", True, "of the difference"), read


def _answer_changes(pairing: Pairing, chapter: Chapter, extra: Extra) -> Answer:
    quantities = [
        variants.SCORE,
        variants.TURNS,
        *variants.list_measures(extra.measures),
        *variants.list_endings(chapter.game.endings),
    ]
    found = [
        (one, change)
        for one in quantities
        if (change := variants.compare_quantity(pairing.sums[("", "")], one)) is not None
    ]
    under = f"Under {pairing.other} instead of {pairing.base}, on the same deals"
    if any(change.diff.se is None for _, change in found):
        sentence = f"{under}, one deal was played, which gives no error: play more games to tell."
        return Answer(WHAT_CHANGES, "one deal cannot tell", sentence, None, pairing.other)
    clear = [(one, change) for one, change in found if is_clear(change.diff)]
    if not clear:
        sentence = f"{under}, nothing that is counted here differs by more than its error."
        return Answer(WHAT_CHANGES, "nothing that we can see", sentence, None, pairing.other)
    listed = "; ".join(_say(one, change) for one, change in clear)
    same = [one.title for one, change in found if not is_clear(change.diff)]
    rest = f"; within the error the same: {', '.join(same)}" if same else ""
    first, change = clear[0]
    headline = f"{_show(first, change.diff, signed=True)} {_short(first)}"
    return Answer(WHAT_CHANGES, headline, f"{under}: {listed}{rest}.", None, pairing.other)


def _answer_gains(pairing: Pairing, chapter: Chapter) -> Answer:
    found = list(variants.list_changes(pairing, chapter.order, variants.WIN_RATE))
    if any(change.diff.se is None for _, change in found):
        sentence = "One deal was played under both, which gives no error."
        return Answer(WHO_GAINS, "one deal cannot tell", sentence, None, pairing.other)
    before = max(found, key=lambda pair: pair[1].base.mean)
    after = max(found, key=lambda pair: pair[1].other.mean)
    if before[0] == after[0]:
        sentence = f"{after[0]} wins most under both: {_say_rates(after[1], pairing)}"
    else:
        sentence = (
            f"{before[0]} wins most under {pairing.base} and {after[0]} under {pairing.other} "
            f"({after[0]}: {_say_rates(after[1], pairing)})"
        )
    clear = [(label, change) for label, change in found if is_clear(change.diff)]
    if not clear:
        sentence += "; no strategy's win rate differs by more than its error."
        return Answer(WHO_GAINS, "nobody that we can see", sentence, None, pairing.other)
    best = max(clear, key=lambda pair: pair[1].diff.mean)
    worst = min(clear, key=lambda pair: pair[1].diff.mean)
    parts = []
    if best[1].diff.mean > 0:
        parts.append(f"{best[0]} gains most, {_percent(best[1].diff)} of games")
    if worst[1].diff.mean < 0:
        parts.append(f"{worst[0]} loses most, {_percent(worst[1].diff)}")
    sentence += f"; {', and '.join(parts)}."
    label, change = best if best[1].diff.mean > 0 else worst
    return Answer(WHO_GAINS, f"{label}, {_percent(change.diff)}", sentence, label, pairing.other)


def _say(quantity: Quantity, change: Change) -> str:
    return (
        f"{quantity.title} {_show(quantity, change.other)} instead of "
        f"{_show(quantity, change.base)}, a difference of "
        f"{_show(quantity, change.diff, signed=True)}"
    )


def _say_rates(change: Change, pairing: Pairing) -> str:
    return (
        f"{format_percent(change.other.mean, change.other.se)} of its games instead of "
        f"{format_percent(change.base.mean, change.base.se)}, a difference of "
        f"{_percent(change.diff)}"
    )


def _short(quantity: Quantity) -> str:
    return "points a game" if quantity is variants.SCORE else quantity.title


def _show(quantity: Quantity, value: Any, *, signed: bool = False) -> str:
    write = format_percent if quantity.is_share else format_estimate
    return write(value.mean, value.se, signed=signed)


def _percent(value: Any) -> str:
    return format_percent(value.mean, value.se, signed=True)
