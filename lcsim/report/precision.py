"""What pairing saves, measured: the share of the variance that it leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from lcsim.report import tables
from lcsim.report.document import Cell, Header, Section, Table
from lcsim.report.frames import build_frame, spread
from lcsim.report.group_tally import QUANTITIES
from lcsim.report.rows import list_rows, read_number
from lcsim.stats.rounding import format_percent

if TYPE_CHECKING:
    from lcsim.report.sections import Chapter

_TITLES = {"score": "score", "win_rate": "win rate"}
_LEFT = "variance left"
_JACKKNIFE = (
    "100 % would save nothing, and 50 % is as good as twice the games. ± is one standard error, "
    "from leaving out one sixteenth of the deals after another."
)


def build_precision_sections(chapter: Chapter) -> list[Section]:
    """Return the section on what playing each deal from every seat saves in this run."""
    frame = summarise_groups(chapter)
    sentence = _say_range(
        frame[frame["quantity"] == "score"],
        "Playing each deal from every seat leaves",
        "of the variance of a score difference that as many games of unrelated deals would have",
        "matchup",
    )
    table = tables.build_table(
        "pairing_by_seat",
        frame,
        [
            tables.column_text("matchup", "matchup"),
            *([tables.column_strategy()] if chapter.has_crowds else []),
            (Header("of", False), _read_quantity),
            tables.column_percent("variance_left", _LEFT, bar=True),
            tables.column_count("n_deals", "deals"),
        ],
        title="What playing each deal from every seat saves",
        caption="The variance of a mean over deal groups, as a share of that over as many games of "
        f"unrelated deals; the score is the points above the mean of the others. {_JACKKNIFE}",
    )
    lead = f"The gain from pairing is measured, not assumed. {sentence}".strip()
    return [Section(chapter.name("precision"), "Precision", lead, (table,), chapter.ruleset)]


def summarise_groups(chapter: Chapter) -> pd.DataFrame:
    """Return one row a matchup, strategy and quantity: the share of the variance that is left.

    Of a pair only the first strategy: the second mirrors it. `variance_left` is missing where all
    games gave the same.
    """
    groups = chapter.collected.groups
    rows = []
    for matchup in chapter.collected.matchups:
        for strategy in groups.list_strategies(matchup.number):
            for quantity in QUANTITIES:
                row: dict[str, Any] = {"ruleset": chapter.collected.ruleset}
                row |= {"matchup": matchup.label, "strategy": matchup.labels[strategy]}
                row |= {"quantity": quantity}
                row |= {"n_deals": chapter.collected.games[matchup.number].n}
                left = groups.compare(matchup.number, strategy, quantity)
                rows.append(row | spread("variance_left", left))
    return build_frame(rows)


def build_pairing_table(frames: list[pd.DataFrame]) -> tuple[Table | None, str]:
    """Return the table of what pairing rulesets saves, and the sentence about it."""
    if not frames:
        return None, ""
    frame = pd.concat(frames, ignore_index=True)
    sentence = _say_range(
        frame[frame["quantity"] == "score"],
        "The gain from pairing is measured, not assumed: a difference of scores, taken deal by "
        "deal, has",
        "of the variance that independent samples would give",
        "strategy",
    )
    table = tables.build_table(
        "pairing_by_ruleset",
        frame,
        [
            tables.column_text("ruleset", "ruleset"),
            tables.column_text("against", "against"),
            tables.column_strategy(),
            (Header("of", False), _read_quantity),
            tables.column_percent("variance_left", _LEFT, bar=True),
            tables.column_count("n_deals", "deals"),
        ],
        title="What the same deals under both rulesets save",
        caption="The variance of the paired difference, as a share of that of independent samples "
        f"of the same size. {_JACKKNIFE}",
    )
    return table, sentence


def _say_range(frame: pd.DataFrame, before: str, after: str, name: str) -> str:
    rows = [row for row in list_rows(frame) if read_number(row["variance_left"]) is not None]
    if not rows:
        return "No game of this run differs from the others, so there is nothing to save."
    rows.sort(key=lambda row: row["variance_left"])
    ends = [rows[0], rows[-1]] if len(rows) > 1 else rows
    shown = [
        format_percent(row["variance_left"], read_number(row["variance_left_se"])) for row in ends
    ]
    if len(rows) == 1:
        return f"{before} {shown[0]} {after}."
    names = [str(row[name]) for row in ends]
    return f"{before} from {shown[0]} ({names[0]}) to {shown[1]} ({names[1]}) {after}."


def _read_quantity(row: tables.Row) -> Cell:
    return Cell(_TITLES[row["quantity"]], str(row["quantity"]))
