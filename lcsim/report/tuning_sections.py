"""The sections of a tuning's report: judgement, progress, parameters, and what each is worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lcsim.report import tables
from lcsim.report.document import Cell, Figure, Header, Section, Table
from lcsim.report.frames import build_frame
from lcsim.report.plots import tuning_loss, tuning_progress, tuning_values
from lcsim.report.tuning_frames import (
    summarise_generations,
    summarise_judgement,
    summarise_neighbors,
    summarise_parameters,
    summarise_values,
)
from lcsim.stats.rounding import format_count, format_estimate, format_percent

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

    def say(self, value: Estimate) -> str:
        """Return what a strategy does: "wins 61.3 ± 0.2 % of its games", or points."""
        if self.is_share:
            return f"wins {self.write(value)} of its games"
        where = "ahead" if value.mean >= 0 else "behind"
        size = value.scaled(-1) if value.mean < 0 else value
        return f"is {self.write(size)} points a game {where}"

    def column(self, name: str, title: str, *, signed: bool = False) -> tables.Column:
        """Return a table's column of such values."""
        build = tables.column_percent if self.is_share else tables.column_estimate
        return build(name, title, signed=signed)

    def interval(self, name: str) -> tables.Column:
        """Return a table's column of the interval of such values."""
        return tables.column_interval(name, percent=self.is_share)


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
        caption = f"{verdict.sentence} {caption}"
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
        (7.4, 4.4),
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
        caption="",
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
    info = tuning_loss.prepare(frame, axis=measure.axis, is_share=measure.is_share)
    n_deals = max(one.loss.n for one in result.neighbours)
    unit = "% of games" if measure.is_share else "points a game"
    figure = Figure(
        "tuning-loss",
        "What a parameter off the optimum costs",
        f"Loss in {unit} when one parameter alone has another value, the costliest parameter "
        "first; bars are 95 % intervals of the difference, deal by deal, and the ring is what was "
        "found. All panels have the same scale: where it is flat, the parameter hardly matters. "
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
            _column_value("found", "instead of"),
            measure.column("loss", "loss", signed=True),
            measure.interval("loss"),
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
