"""From a run to its report, before it has a form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lcsim.report.collect import Collected, collect_run
from lcsim.report.contents import ANSWERS, SECTIONS
from lcsim.report.document import Answer, Method, Report, Section
from lcsim.report.frames import summarise_lengths, summarise_ranking
from lcsim.report.games import EXTRAS
from lcsim.report.pairing import Pairing, pair_rulesets
from lcsim.report.palette import assign_colors
from lcsim.report.rows import list_rows
from lcsim.report.sections import Chapter
from lcsim.report.source import Source, open_source
from lcsim.report.variant_sections import build_variant_answers, build_variant_section
from lcsim.rules import get_game, parse_ruleset
from lcsim.stats.rounding import format_count, format_estimate, format_percent, format_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def build_report(run_dir: Path) -> Report:
    """Read the run in `run_dir` and return everything its report says.

    Raises:
        RunDirError: `run_dir` holds no run.
        PartError: a part is damaged or does not fit, or nothing has been played yet.
    """
    source = open_source(run_dir)
    extra = EXTRAS.get(source.kind)
    counted = collect_run(source, extra.build_tally if extra else None)
    colors = assign_colors(entrant.label for entrant in source.entrants)
    game = get_game(source.kind)
    chapters = [
        Chapter(
            source,
            collected,
            game,
            summarise_ranking(collected, source),
            colors,
            f"-{number}" if len(counted) > 1 else "",
        )
        for number, collected in enumerate(counted, 1)
    ]
    answers: list[Answer] = []
    sections: list[Section] = []
    pairings = pair_rulesets(source, extra) if extra and len(chapters) > 1 else []
    by_ruleset = {chapter.collected.ruleset: chapter for chapter in chapters}
    for number, pairing in enumerate(pairings, 1):
        assert extra is not None
        chapter = by_ruleset[pairing.other]
        answers += build_variant_answers(pairing, chapter, extra)
        sections.append(build_variant_section(pairing, chapter, extra, number))
    for chapter in chapters:
        answers += [answer for build in ANSWERS for answer in build(chapter)]
        sections += [section for build in SECTIONS for section in build(chapter)]
    return Report(
        title=source.question,
        subtitle=_describe_run(source, counted),
        game=game.title[:1].upper() + game.title[1:],
        answers=tuple(answers),
        sections=tuple(sections),
        method=_build_method(chapters),
        colors=colors,
        notes=(*_warn(source), *_list_unpaired(chapters, pairings), *source.notes),
    )


def _describe_run(source: Source, counted: list[Collected]) -> str:
    n_games = sum(games.total("games") for one in counted for games in one.games.values())
    n_matchups = sum(len(one.matchups) for one in counted)
    strategies = len({label for one in counted for label in one.labels})
    rulesets = ", ".join(one.ruleset for one in counted)
    return (
        f"{strategies} strategies · {n_matchups} matchup{'s' if n_matchups > 1 else ''} · "
        f"{format_count(n_games)} games · ruleset{'s' if len(counted) > 1 else ''} {rulesets} · "
        f"seed {source.seed}"
    )


def _warn(source: Source) -> Iterator[str]:
    if not source.is_whole:
        played = sum(piece.n_deals for piece in source.pieces)
        share = 100 * played // source.n_planned
        yield (
            f"The run is not complete: {share} % of its deals have been played so far. "
            f"To go on: {source.command}"
        )


def _list_unpaired(chapters: list[Chapter], pairings: list[Pairing]) -> Iterator[str]:
    """Say of each of several rulesets that is compared with none why it stands alone."""
    paired = {text for pairing in pairings for text in (pairing.base, pairing.other)}
    for chapter in chapters:
        if len(chapters) > 1 and chapter.collected.ruleset not in paired:
            yield (
                f"{chapter.collected.ruleset} shares neither deck nor deals with another ruleset "
                "of this run, so no difference to it is paired."
            )


def _build_method(chapters: list[Chapter]) -> Method:
    source = chapters[0].source
    notes = [
        (chapter.collected.ruleset, parse_ruleset(chapter.collected.ruleset))
        for chapter in chapters
    ]
    describe = chapters[0].game.describe
    return Method(
        facts=tuple(_list_facts(chapters)),
        command=source.command,
        rulesets=tuple((spec, tuple(describe(ruleset))) for spec, ruleset in notes),
        sources=tuple((e.label, e.spec, e.source) for e in source.entrants),
    )


def _list_facts(chapters: list[Chapter]) -> Iterator[tuple[str, str]]:
    source = chapters[0].source
    yield "Seed", str(source.seed)
    for chapter in chapters:
        name = f" ({chapter.ruleset})" if chapter.ruleset else ""
        moments = chapter.collected.games.values()
        deals = sorted({games.n for games in moments})
        each = " to ".join(dict.fromkeys((format_count(deals[0]), format_count(deals[-1]))))
        rounds = sum(games.total("rounds") for games in moments)
        yield f"Deals a matchup{name}", f"{each}, each played once from every seat"
        yield (
            f"Games{name}",
            f"{format_count(chapter.n_games)} ({format_count(rounds)} rounds)",
        )
        yield f"Length of a round{name}", _say_length(chapter)
    yield (
        "Errors",
        (
            "± is one standard error; the unit is the deal with all its games, in every matchup of "
            "the strategy. Intervals are 95 %. No digit is shown beyond the error. ± 0 means that "
            "all deals gave the same: the true rate may still differ by some 3 in the number of "
            "deals."
        ),
    )
    if source.seconds is not None:
        jobs = f" with {source.jobs} jobs" if source.jobs else ""
        yield "Wall time of the run", format_seconds(source.seconds) + jobs
    yield "Versions", ", ".join(f"{name} {text}" for name, text in source.versions.items())


def _say_length(chapter: Chapter) -> str:
    """Return the range over matchups of the mean turns a round, and how often the limit came."""
    frame = summarise_lengths(chapter.collected, chapter.game.endings)
    rows = sorted(list_rows(frame), key=lambda row: row["turns"])
    ends = dict.fromkeys(
        (format_estimate(row["turns"], row["turns_se"]), row["matchup"])
        for row in (rows[0], rows[-1])
    )
    text = " to ".join(f"{turns} turns ({matchup})" for turns, matchup in ends)
    if len(rows) == 1:
        text = f"{next(iter(ends))[0]} turns"
    if "turn_limit" in chapter.game.endings:
        worst = max(rows, key=lambda row: row["ended_turn_limit"])
        share, se = worst["ended_turn_limit"], worst["ended_turn_limit_se"]
        if share == 0:
            return f"{text}; none ended at the turn limit"
        return f"{text}; ended at the turn limit: up to {format_percent(share, se)} of a matchup's"
    return text
