"""The chapter on variants: all effects side by side, then each ruleset against its base."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from lcsim.report import tables, variants
from lcsim.report.document import Cell, Figure, Header, Section, Table
from lcsim.report.pairing import ALL
from lcsim.report.plots import forest
from lcsim.report.precision import build_pairing_table
from lcsim.report.rows import read_number
from lcsim.report.variants import Quantity
from lcsim.stats.rounding import (
    DASH,
    format_count,
    format_estimate,
    format_interval,
    format_percent,
)

if TYPE_CHECKING:
    from lcsim.report.games import Extra
    from lcsim.report.pairing import Pairing
    from lcsim.report.sections import Chapter

_PLUS = "± is one standard error, over deals."
_PAIRED = f"Differences are taken deal by deal: the same cards under both rulesets. {_PLUS}"
_UNPAIRED = (
    "The decks differ, so a deal is other cards under each ruleset: differences are unpaired, with "
    f"the errors of both. {_PLUS}"
)


def build_effect_section(pairings: list[Pairing], first: Chapter, extra: Extra) -> Section:
    """Return the section that puts the effects of all rulesets side by side."""
    quantities = [variants.WIN_RATE, variants.SCORE]
    frame = pd.concat(
        [variants.summarise_strategies(pairing, first.order, quantities) for pairing in pairings],
        ignore_index=True,
    )
    items: list[Figure | Table] = [
        _build_forest(frame, first, "effect-on-wins", variants.WIN_RATE),
        _build_forest(frame, first, "effect-on-scores", variants.SCORE),
    ]
    measured, sentence = build_pairing_table(
        [variants.summarise_pairing(one, first.order) for one in pairings if one.is_paired]
    )
    items += [measured] if measured else []
    lead = f"Each strategy under each ruleset, less the same under its base. {sentence}"
    return Section("effects", "Effects", lead.strip(), tuple(items))


def _build_forest(frame: pd.DataFrame, chapter: Chapter, name: str, quantity: Quantity) -> Figure:
    unit = "% of games" if quantity.is_share else "points"
    info = forest.prepare(
        frame.assign(group=frame["ruleset"] + " against " + frame["against"]),
        chapter.colors,
        name=f"{quantity.name}_diff",
        axis=f"change of the {quantity.title}, {unit}",
        is_share=quantity.is_share,
    )
    hollow = "" if frame["is_paired"].all() else "; hollow marks are unpaired: the decks differ"
    n_deals = format_count(int(frame["n_deals"].max()), "deal")
    return Figure(
        name,
        f"What each ruleset does to the {quantity.title}",
        "Right of the dashed line a strategy has more than under the base. Marks are differences, "
        f"taken deal by deal, bars 95 % intervals, the text has the standard error{hollow}; n = up "
        f"to {n_deals}.",
        info,
        forest.draw,
        info.size,
    )


def build_variant_section(
    pairing: Pairing, chapter: Chapter, extra: Extra, number: int, *, has_figures: bool
) -> Section:
    """Return the section on one ruleset against its base.

    `has_figures` asks for the effects once more, on a scale of their own.
    """
    own = variants.list_measures(extra.measures)
    endings = variants.list_endings(chapter.game.endings)
    overall = [variants.SCORE, variants.TURNS, *own, *endings, variants.DRAWS, variants.STARTER]
    gains = variants.summarise_strategies(
        pairing, chapter.order, [variants.WIN_RATE, variants.SCORE, *own, variants.TURNS, *endings]
    )
    seats = variants.summarise_seats(
        pairing,
        [variants.WIN_RATE, variants.SCORE, *own, variants.TURNS, *endings, variants.DRAWS],
    )
    figures = [
        _build_forest(gains, chapter, f"variant-{number}-wins", variants.WIN_RATE),
        _build_forest(gains, chapter, f"variant-{number}-scores", variants.SCORE),
    ]
    cards = "the same deals" if pairing.is_paired else "different cards, as the decks differ"
    return Section(
        f"variant-{number}",
        f"{pairing.other} against {pairing.base}",
        f"The same strategies on {cards}, under {pairing.other} and under {pairing.base}: "
        f"{format_count(pairing.sums[ALL].n, 'deal')} of each matchup.",
        (
            _build_overall(pairing, overall),
            *(figures if has_figures else []),
            _build_strategies(pairing, gains, own),
            _build_seats(pairing, seats, [*own, variants.TURNS, *endings]),
        ),
    )


def _explain(pairing: Pairing) -> str:
    return _PAIRED if pairing.is_paired else _UNPAIRED


def _build_overall(pairing: Pairing, quantities: list[Quantity]) -> Table:
    columns = [
        tables.column_text("title", "what"),
        _column_either("base", f"under {pairing.base}"),
        _column_either("other", f"under {pairing.other}"),
        _column_either("diff", "difference", signed=True),
        _column_interval(),
        tables.column_count("n_deals", "deals"),
    ]
    return tables.build_table(
        "variants",
        variants.summarise_overall(pairing, quantities),
        columns,
        title="What changes",
        caption=f"Over all matchups that both rulesets have. {_explain(pairing)}",
    )


def _build_strategies(pairing: Pairing, frame: pd.DataFrame, own: list[Quantity]) -> Table:
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
        tables.column_count("n_deals", "deals"),
    ]
    return tables.build_table(
        "variants_by_strategy",
        frame,
        columns,
        title="Strategy by strategy",
        caption="Against all opponents a strategy met; scores are points a game. "
        f"{_explain(pairing)}",
    )


def _build_seats(pairing: Pairing, frame: pd.DataFrame, quantities: list[Quantity]) -> Table:
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
        tables.column_count("n_deals", "deals"),
    ]
    return tables.build_table(
        "variants_by_matchup",
        frame,
        columns,
        title="Matchup by matchup: the differences",
        caption="Scores are points a game; turns and endings are those of the matchup, for all its "
        f"players. {_explain(pairing)}",
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
