"""From a tuning to its report: what it brought, how much was luck, which parameter matters."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

from lcsim.report.answers import is_clear
from lcsim.report.document import Answer, Group, Method, Report
from lcsim.report.palette import assign_colors
from lcsim.report.tuning_frames import measure_gap
from lcsim.report.tuning_sections import SECTIONS, Measure
from lcsim.report.tuning_source import open_tuning
from lcsim.rules import get_game, parse_ruleset
from lcsim.stats.rounding import format_count
from lcsim.store.run_dir import SOURCES
from lcsim.wording import pluralise

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from lcsim.report.tuning_source import Neighbor, Result, Tuning

SELF = "self"
BROUGHT = "What did the tuning bring?"
LUCK = "How much of it was luck with the cards?"
MATTERS = "Which parameter matters most?"


def build_tuning_report(path: Path) -> Report:
    """Read the tuning in `path` and return everything its report says.

    Raises:
        RunDirError: `path` holds no tuning, or one whose files do not say what they must.
        PartError: no generation has been played yet.
    """
    tuning = open_tuning(path)
    measure = Measure.of(tuning)
    game = get_game(tuning.kind)
    labels = dict.fromkeys([tuning.strategy, *(one.label for one in tuning.strategies)])
    sections = tuple(section for build in SECTIONS for section in build(tuning, measure))
    return Report(
        title=tuning.settings.question or f"Tuning {tuning.strategy} against {_name_pool(tuning)}",
        subtitle=_describe(tuning),
        kind=tuning.kind,
        game=game.title[:1].upper() + game.title[1:],
        groups=(Group("", "", tuple(_answer(tuning, measure)), (), sections),),
        method=_build_method(tuning),
        colors=assign_colors(labels),
        notes=tuple(_warn(tuning, path)),
        has_parts=False,
    )


def _name_pool(tuning: Tuning) -> str:
    names = ["itself" if spec == SELF else spec for spec in tuning.settings.against]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _describe(tuning: Tuning) -> str:
    settings, n = tuning.settings, len(tuning.generations)
    size = len(tuning.generations[0].goals)
    games = tuning.games_each * sum(len(one.goals) + 1 for one in tuning.generations)
    return (
        f"{format_count(len(tuning.params), 'parameter')} · {format_count(n, 'generation')} of "
        f"{format_count(size, 'setting')} · {format_count(games, 'game')} searched · ruleset "
        f"{settings.ruleset} · seed {settings.seed}"
    )


def _answer(tuning: Tuning, measure: Measure) -> Iterator[Answer]:
    result = tuning.result
    if result is None:
        return
    yield _answer_gain(tuning, result, measure)
    yield _answer_gap(result, measure)
    if result.neighbours:
        yield _answer_parameter(result, measure)


def _answer_gain(tuning: Tuning, result: Result, measure: Measure) -> Answer:
    gain, name = result.gain.estimate, tuning.strategy
    sentence = (
        f"On deals that the search never saw, the tuned {name} "
        f"{measure.say(result.tuned.estimate, _name_pool(tuning))}; {name} as it was "
        f"{measure.say(result.start.estimate)} on the same deals. The difference, deal by deal, "
        f"is {measure.write(gain, signed=True)}"
    )
    headline = measure.write(gain, signed=True, with_unit=True)
    verdict = tuning.verdict
    if verdict is None or verdict.is_better:
        return Answer(BROUGHT, headline, sentence + ".", name)
    if verdict.outcome == "worse":
        headline = f"a loss: {headline}"
        sentence += f": worse than what you had, so keep {name} as it was"
    else:
        headline = "nothing that we can see"
        sentence += ", which lies within its error"
    return Answer(BROUGHT, headline, sentence + ".", name)


def _answer_gap(result: Result, measure: Measure) -> Answer:
    gap = measure_gap(result)
    sentence = (
        f"The search's last generation promised {measure.write(result.searched.estimate)}; on "
        f"fresh deals it is {measure.write(result.tuned.estimate)}. The gap of "
        f"{measure.write(gap, signed=True)} "
    )
    if not is_clear(gap):
        return Answer(LUCK, "none that we can see", sentence + "lies within its error.")
    better = "was luck" if gap.mean > 0 else "was bad luck: it is better than it looked"
    return Answer(LUCK, measure.write(gap, signed=True, with_unit=True), f"{sentence}{better}.")


def _answer_parameter(result: Result, measure: Measure) -> Answer:
    """Answer from the neighbors; they are many, so each must be clear of 0 at that count."""
    limit = NormalDist().inv_cdf(1 - 0.025 / len(result.neighbours))

    def is_sure(one: Neighbor) -> bool:
        return one.loss.se is not None and abs(one.loss.mean) > limit * one.loss.se

    sure = [one for one in result.neighbours if is_sure(one)]
    costly = {one.param for one in sure if one.loss.mean > 0}
    worst = max(result.neighbours, key=lambda one: one.loss.mean)
    if not costly:
        headline = "none that we can see"
        sentence = "No parameter moved alone by up to a fifth of its range costs a clear loss"
    else:
        headline = worst.param
        sentence = (
            f"{worst.param} at {worst.value:g} instead of {result.values[worst.param]:g} costs "
            f"{measure.write(worst.loss.estimate, with_unit=True)}; "
            + _say_how_many(len(costly), len({one.param for one in result.neighbours}))
        )
    better = [one for one in sure if one.loss.mean < 0]
    if better:
        best = min(better, key=lambda one: one.loss.mean)
        gain = measure.write(best.loss.estimate.scaled(-1), with_unit=True)
        sentence += (
            f". {best.param} at {best.value:g} is even better, by {gain}: the search has not ended "
            "where it could, so tune on from there"
        )
    return Answer(MATTERS, headline, sentence + ".")


def _say_how_many(n_costly: int, n_moved: int) -> str:
    """Return for how many of the parameters moved a clear loss was seen."""
    if n_moved == 1:
        return "it is the only parameter that was moved"
    if n_costly == n_moved:
        return f"a clear loss is seen for {'both' if n_moved == 2 else f'all {n_moved}'} parameters"
    return f"a clear loss is seen for {n_costly} of the {n_moved} parameters moved"


def _warn(tuning: Tuning, path: Path) -> Iterator[str]:
    verdict = tuning.verdict
    if verdict is not None and not verdict.is_better:
        yield f"{verdict.sentence} {verdict.advice}"
    if tuning.result is None:
        command = tuning.settings.write_command(path)
        yield (
            f"The tuning is not complete: {format_count(len(tuning.generations), 'generation')} "
            f"played, nothing judged on fresh deals yet. To go on: {command}"
        )
    elif tuning.generations[-1].number + 1 > tuning.result.n_generations:
        yield "More generations are kept than the result was taken from; tune again to judge them."


def _build_method(tuning: Tuning) -> Method:
    settings = tuning.settings
    spec = settings.ruleset
    notes = get_game(tuning.kind).describe(parse_ruleset(spec))
    return Method(
        facts=tuple(_list_facts(tuning)),
        command=settings.write_command(),
        rulesets=((spec, tuple(notes)),),
        sources=tuple(
            (one.label, one.spec, f"{SOURCES}/{one.source}") for one in tuning.strategies
        ),
    )


def _list_facts(tuning: Tuning) -> Iterator[tuple[str, str]]:
    settings = tuning.settings
    yield "Strategy", settings.strategy
    with_self = SELF in settings.against
    yield (
        "Opponents",
        _name_pool(tuning)
        + (", which is the mean of the same generation; when judged, the tuned one" * with_self),
    )
    tables = tuning.n_tables
    yield "Players", f"{settings.players}, at {tables} {pluralise(tables, 'table')} of opponents"
    yield "Goal", "points ahead a game" if settings.goal == "margin" else "games won"
    yield "Search", "CMA-ES (Hansen, arXiv:1604.00772), with margin for whole numbers"
    yield (
        "Deals a generation",
        f"{format_count(settings.deals)}, the same for all its settings and fresh each time, each "
        "played once from every seat",
    )
    yield "Budget", format_count(settings.budget, "game")
    yield "Seed", str(settings.seed)
    yield (
        "Errors",
        "± is one standard error over deals; a difference is taken deal by deal and has its own. "
        "Intervals are 95 %. No digit is shown beyond the error.",
    )
