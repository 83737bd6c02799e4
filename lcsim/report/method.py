"""How the numbers of a report came about: the facts of the run, its rules and its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lcsim.report.document import Method
from lcsim.report.frames import summarise_lengths
from lcsim.report.rows import list_rows
from lcsim.rules import get_game, parse_ruleset
from lcsim.stats.rounding import format_count, format_estimate, format_percent, format_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lcsim.report.sections import Chapter


def build_method(chapters: list[Chapter]) -> Method:
    """Return the method of a run, from the chapters on its rulesets."""
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


def describe_difference(ruleset: str, base: str) -> str:
    """Return the fields in which a ruleset differs from another, with both values, as a phrase."""
    if ruleset == base:
        return "The ruleset that the others are held against."
    one, other = parse_ruleset(ruleset), parse_ruleset(base)
    describe = get_game(one.kind).describe
    was = {note.name: note.text for note in describe(other)}
    changed = [
        f"{note.name} {note.text} instead of {was[note.name]}"
        for note in describe(one)
        if note.text != was[note.name]
    ]
    return f"Against {base}: {'; '.join(changed) or 'the same rules'}."


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
            f"{format_count(chapter.n_games)} ({format_count(rounds, 'round')})",
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
        jobs = f" with {format_count(source.jobs, 'job')}" if source.jobs else ""
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
