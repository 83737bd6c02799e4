"""From a run to its report, before it has a form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lcsim.report.collect import Collected, collect_run
from lcsim.report.contents import ANSWERS, SECTIONS
from lcsim.report.document import Answer, Group, Report, Section
from lcsim.report.frames import summarise_ranking
from lcsim.report.games import EXTRAS
from lcsim.report.method import build_method, describe_difference
from lcsim.report.pairing import Pairing, pair_rulesets
from lcsim.report.palette import assign_colors
from lcsim.report.sections import Chapter
from lcsim.report.source import Source, open_source
from lcsim.report.variant_answers import build_variant_answers
from lcsim.report.variant_sections import build_effect_section, build_variant_section
from lcsim.rules import get_game
from lcsim.stats.rounding import format_count
from lcsim.wording import pluralise

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
            extra.count_forks(source, collected.ruleset) if extra and extra.count_forks else None,
        )
        for number, collected in enumerate(counted, 1)
    ]
    pairings = pair_rulesets(source, extra) if extra and len(chapters) > 1 else []
    return Report(
        title=source.question,
        subtitle=_describe_run(source, counted),
        kind=source.kind,
        game=game.title[:1].upper() + game.title[1:],
        groups=(
            *_group_variants(pairings, chapters),
            *(_group_ruleset(chapter, chapters[0]) for chapter in chapters),
        ),
        method=build_method(chapters),
        colors=colors,
        notes=(*_warn(source), *_list_unpaired(chapters, pairings), *source.notes),
    )


def _group_variants(pairings: list[Pairing], chapters: list[Chapter]) -> Iterator[Group]:
    """Yield the group on what rulesets change against each other, where there are several."""
    if not pairings:
        return
    extra = EXTRAS[chapters[0].game.kind]
    by_ruleset = {chapter.collected.ruleset: chapter for chapter in chapters}
    answers: list[Answer] = []
    sections: list[Section] = []
    for number, pairing in enumerate(pairings, 1):
        chapter = by_ruleset[pairing.other]
        answers += build_variant_answers(pairing, chapter, extra)
        sections.append(
            build_variant_section(pairing, chapter, extra, number, has_figures=len(pairings) > 1)
        )
    effects = build_effect_section(pairings, chapters[0], extra)
    yield Group("What the rules change", "", tuple(answers), (), (effects, *sections))


def _group_ruleset(chapter: Chapter, first: Chapter) -> Group:
    """Return everything about one ruleset; of several, only who wins stands at the top."""
    answers = [answer for build in ANSWERS for answer in build(chapter)]
    sections = tuple(section for build in SECTIONS for section in build(chapter))
    if not chapter.ruleset:
        return Group("", "", tuple(answers), (), sections)
    lead = describe_difference(chapter.ruleset, first.ruleset)
    title = f"Under {chapter.ruleset}"
    return Group(title, lead, tuple(answers[:1]), tuple(answers[1:]), sections)


def _describe_run(source: Source, counted: list[Collected]) -> str:
    n_games = sum(games.total("games") for one in counted for games in one.games.values())
    n_matchups = sum(len(one.matchups) for one in counted)
    strategies = len({label for one in counted for label in one.labels})
    rulesets = ", ".join(one.ruleset for one in counted)
    return (
        f"{format_count(strategies, 'strategy', 'strategies')} · "
        f"{format_count(n_matchups, 'matchup')} · {format_count(n_games, 'game')} · "
        f"{pluralise(len(counted), 'ruleset')} {rulesets} · seed {source.seed}"
    )


def _warn(source: Source) -> Iterator[str]:
    if not source.is_whole:
        played = sum(piece.n_deals for piece in source.pieces)
        share = 100 * played // source.n_planned
        yield (
            f"The run is not complete: {share} % of its deals have been played so far. "
            f"To go on: {source.command}"
        )
    elif not source.has_all_forks:
        played = sum(piece.n_deals for piece in source.fork_pieces)
        share = 100 * played // source.n_forks_planned
        yield (
            f"The run is not complete: the moves of {share} % of the deals to fork have been "
            f"forked so far. To go on: {source.command}"
        )


def _list_unpaired(chapters: list[Chapter], pairings: list[Pairing]) -> Iterator[str]:
    """Say of each of several rulesets that is compared with none why it stands alone."""
    compared = {text for pairing in pairings for text in (pairing.base, pairing.other)}
    for chapter in chapters:
        if len(chapters) > 1 and chapter.collected.ruleset not in compared:
            yield (
                f"{chapter.collected.ruleset} has no matchup in common with another ruleset of "
                "this run, so it is compared with none."
            )
