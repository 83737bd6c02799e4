"""The sections of a tuning's report: judgement, progress, parameters, and what each is worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lcsim.report import tables
from lcsim.report.document import Cell, Figure, Header, Section, Table
from lcsim.report.frames import build_frame
from lcsim.report.plots import tuning_loss, tuning_progress, tuning_values
from lcsim.report.plots.panels import NARROW
from lcsim.report.rows import read_number
from lcsim.report.tuning_frames import (
    summarise_generations,
    summarise_judgement,
    summarise_neighbors,
    summarise_parameters,
    summarise_values,
)
from lcsim.stats.rounding import (
    DASH,
    PLUS_MINUS,
    format_count,
    format_estimate,
    format_percent,
)

if TYPE_CHECKING:
    from lcsim.report.tuning_source import Result, Tuning
    from lcsim.stats.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Measure:
    """How the goal of a tuning is written: points ahead a game, or a share of games won."""

    is_share: bool

    @classmethod
    def of(cls, tuning: Tuning) -> Measure:
        """Return the measure of a tuning's goal."""
        return cls(tuning.settings.goal == "wins")

    @property
    def axis(self) -> str:
        """What a plot's axis says."""
        return "games won, %" if self.is_share else "points ahead a game"

    def write(self, value: Estimate, *, signed: bool = False, with_unit: bool = False) -> str:
        """Return the value with its error, "12.3 ± 0.4" or "61.3 ± 0.2 %"."""
        if self.is_share:
            text = format_percent(value.mean, value.se, signed=signed)
            return f"{text} of games" if with_unit else text
        unit = "points a game" if with_unit else ""
        return format_estimate(value.mean, value.se, signed=signed, unit=unit)

    def say(self, value: Estimate, rivals: str = "") -> str:
        """Return what a strategy does: "wins 61.3 ± 0.2 % of its games", or points.

        `rivals` names whom it met, where that is to be said.
        """
        if self.is_share:
            return f"wins {self.write(value)} of its games{rivals and f' against {rivals}'}"
        size = value.scaled(-1) if value.mean < 0 else value
        where = "behind" if value.mean < 0 else f"ahead{' of' * bool(rivals)}"
        return f"ends {self.write(size)} points a game {where} {rivals}".rstrip()

    def column(self, name: str, title: str, *, signed: bool = False) -> tables.Column:
        """Return a table's column of such values; one that has no error is said to be exact."""
        build = tables.column_percent if self.is_share else tables.column_estimate
        header, read = build(name, title, signed=signed)
        return header, _mark_exact(read, name)

    def interval(self, name: str) -> tables.Column:
        """Return a table's column of the interval of such values; a dash for an exact one."""
        header, read = tables.column_interval(name, percent=self.is_share)
        return header, lambda row: Cell(DASH) if _is_exact(row, name) else read(row)


def _is_exact(row: tables.Row, name: str) -> bool:
    """Tell whether a value is known without error, as that of a strategy against itself is."""
    return read_number(row[f"{name}_se"]) == 0


def _mark_exact(read: Callable[[tables.Row], Cell], name: str) -> Callable[[tables.Row], Cell]:
    def mark(row: tables.Row) -> Cell:
        cell = read(row)
        if not _is_exact(row, name):
            return cell
        return replace(cell, text="exactly " + cell.text.replace(f" {PLUS_MINUS} 0", ""))

    return mark


def build_judgement(tuning: Tuning, measure: Measure) -> list[Section]:
    """Return the section on what was found, held against the start on fresh deals."""
    result = tuning.result
    if result is None:
        return []
    names = {
        "searched": "the search's last generation",
        "tuned": "tuned, on fresh deals",
        "start": "as it was, on the same deals",
        "gain": "gain: tuned less start, deal by deal",
        "gap": "gap: searched less tuned",
    }
    judged = tables.build_table(
        "tuning_judgement",
        summarise_judgement(result, names),
        [
            tables.column_text("title", "what"),
            measure.column("goal", measure.axis.removesuffix(", %")),
            measure.interval("goal"),
            tables.column_count("n_deals", "deals"),
        ],
        title="Held against fresh deals",
        caption="The search keeps what did well on its own deals, which is luck in part: the gap.",
    )
    return [
        Section(
            "judgement",
            "Judgement",
            "On deals of their own.",
            (judged, _list_specs(tuning, result)),
        )
    ]


def _list_specs(tuning: Tuning, result: Result) -> Table:
    """Return the table of what was found and what there was, first what is to be played."""
    specs = [
        {"which": "tuned", "spec": result.spec},
        {"which": "as it was", "spec": tuning.settings.strategy},
    ]
    verdict = tuning.verdict
    caption = "A spec is what lcsim match and an experiment take."
    if verdict is not None and not verdict.is_better:
        specs.reverse()
        what = "is worse" if verdict.outcome == "worse" else "is not shown to be better"
        caption = f"What was tuned {what}. {caption}"
    return tables.build_table(
        "tuning_specs",
        build_frame(specs),
        [tables.column_text("which", "which"), tables.column_command("spec", "spec")],
        title="To play it",
        caption=caption,
    )


def build_progress(tuning: Tuning, measure: Measure) -> list[Section]:
    """Return the section on the search, generation by generation."""
    frame = summarise_generations(tuning)
    levels = {}
    if tuning.result is not None:
        levels["tuned, on fresh deals"] = tuning.result.tuned.estimate
        levels["as it was, on the same"] = tuning.result.start.estimate
    info = tuning_progress.prepare(frame, levels, axis=measure.axis, is_share=measure.is_share)
    figure = Figure(
        "tuning-progress",
        "The estimate over generations",
        "The mean of each generation on deals of its own, its 95 % interval shaded; lines across "
        "are the values on fresh deals, with theirs. Below, how far the settings of a generation "
        "lie apart, in percent of the parameters' ranges. "
        f"n = {format_count(tuning.settings.deals, 'deal')} a generation.",
        info,
        tuning_progress.draw,
        (NARROW, 4.2),
    )
    table = tables.build_table(
        "tuning_generations",
        frame,
        [
            tables.column_count("generation", "generation"),
            measure.column("goal", measure.axis.removesuffix(", %")),
            measure.interval("goal"),
            (
                Header("spread", True, "of its settings, in percent of the parameters' ranges"),
                lambda row: Cell(f"{100 * row['spread']:.1f} %", float(row["spread"])),
            ),
            tables.column_count("n_games", "games so far"),
        ],
        title="Generation by generation",
        caption="A strategy against itself, from both seats of the same deals, is exactly even."
        if frame["goal_se"].eq(0).any()
        else "",
    )
    lead = (
        "Each generation meets the same opponents on fresh deals, so its estimate is not flattered."
    )
    return [Section("progress", "Progress", lead, (figure, table))]


def build_parameters(tuning: Tuning, _measure: Measure) -> list[Section]:
    """Return the section on the parameters: their way through the search, and where it ended."""
    frame, values = summarise_parameters(tuning), summarise_values(tuning)
    info = tuning_values.prepare(values, frame)
    figure = Figure(
        "tuning-values",
        "Parameters over generations",
        "Each panel is as high as the parameter may go. Dashed: where the search began; the dot: "
        "what it found. A line still on its way at the end asks for a larger budget, one at the "
        "edge for a wider range.",
        info,
        tuning_values.draw,
        info.size,
    )
    table = tables.build_table(
        "tuning_parameters",
        frame,
        [
            tables.column_text("parameter", "parameter"),
            _column_value("found", "found"),
            _column_value("begun", "begun at"),
            _column_value("default", "default"),
            _column_value("low", "from"),
            _column_value("high", "to"),
            tables.column_text("meaning", "meaning"),
        ],
        title="What was found",
        caption="",
    )
    kept = Table("tuning_values", "Values by generation", "", (), (), values)
    lead = "The mean of each generation: what the search holds for best at that time."
    return [Section("parameters", "Parameters", lead, (figure, table, kept))]


def build_sensitivity(tuning: Tuning, measure: Measure) -> list[Section]:
    """Return the section on what one parameter off the optimum costs."""
    result = tuning.result
    if result is None or not result.neighbours:
        return []
    frame = summarise_neighbors(tuning, result)
    info = tuning_loss.prepare(frame, is_share=measure.is_share)
    n_deals = max(one.loss.n for one in result.neighbours)
    unit = "% of games" if measure.is_share else "points a game"
    figure = Figure(
        "tuning-loss",
        "What a parameter off the optimum costs",
        f"Loss in {unit} when one parameter alone has another value, the costliest parameter "
        "first; above each panel its largest loss. Bars are 95 % intervals of the difference, deal "
        "by deal, and the ring is what was found. Each panel has a scale of its own: where the "
        "bars reach across the dashed line, the parameter hardly matters. "
        f"n = {format_count(n_deals, 'deal')} a value.",
        info,
        tuning_loss.draw,
        info.size,
    )
    table = tables.build_table(
        "tuning_sensitivity",
        frame,
        [
            tables.column_text("parameter", "parameter"),
            _column_value("value", "value"),
            measure.column("loss", "loss", signed=True),
            measure.interval("loss"),
            _column_value("found", "instead of"),
            tables.column_count("n_deals", "deals"),
        ],
        title="Neighbor by neighbor",
        caption="A loss below 0 is a gain. Of many intervals one in twenty leaves out the truth.",
    )
    lead = "How sharp the optimum is: one parameter moved at a time, on deals never searched on."
    return [Section("sensitivity", "Sensitivity", lead, (figure, table))]


def _column_value(name: str, title: str) -> tables.Column:
    """Return a column of parameters' values, as they are written in a spec, to four digits."""
    return (
        Header(title, True),
        lambda row: Cell(f"{row[name]:.4g}", float(row[name])),
    )


SECTIONS: tuple[Callable[[Tuning, Measure], list[Section]], ...] = (
    build_judgement,
    build_progress,
    build_parameters,
    build_sensitivity,
)
