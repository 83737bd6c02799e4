"""The section on restrictions: what each forbidden thing is worth, to whom, and against whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lcsim.report import restrictions, tables
from lcsim.report.answers import is_clear
from lcsim.report.document import Answer, Figure, Section, Table
from lcsim.report.plots import forest
from lcsim.report.restrictions import Twins, Worth
from lcsim.stats.rounding import format_count, format_estimate, format_percent

if TYPE_CHECKING:
    import pandas as pd

    from lcsim.report.sections import Chapter

TOLD_ELSEWHERE = frozenset({"no-wagers"})
"""Restrictions that a game's own section answers."""

_MOST_NAMED = 4
_PAIRED = (
    "Free less restricted, on the same deals against the same opponents. ± is one standard error, "
    "over deals."
)


def build_restriction_answers(chapter: Chapter) -> list[Answer]:
    """Answer for each restriction what the forbidden thing is worth to whom."""
    twins = restrictions.find_twins(chapter.collected, chapter.source)
    return [
        answer_worth(text, found, chapter.ruleset)
        for text, found in restrictions.list_worths(chapter.collected, twins)
        if text not in TOLD_ELSEWHERE
    ]


def answer_worth(text: str, found: list[tuple[Twins, dict[str, Worth]]], ruleset: str) -> Answer:
    """Answer what a restriction's object is worth to each of the strategies, in one sentence."""
    words = restrictions.describe_restriction(text)
    question = f"What is {words} worth?"
    parts = [f"{say_worth(worth)} to {one.free}" for one, worth in found[:_MOST_NAMED]]
    more = len(found) - len(parts)
    listed = "; ".join(parts)
    if more:
        listed += f"; the table has {format_count(more, 'more strategy', 'more strategies')}"
    sentence = f"On the same deals against the same opponents, {words} is worth {listed}."
    first, worth = found[0]
    score = worth["score"].diff
    if score.se is None:
        return Answer(question, "one deal cannot tell", sentence, None, ruleset)
    if not any(is_clear(one["score"].diff) or is_clear(one["win_rate"].diff) for _, one in found):
        sentence = f"Nothing that we can see: {sentence[0].lower()}{sentence[1:]}"
        return Answer(question, "nothing that we can see", sentence, None, ruleset)
    headline = format_estimate(score.mean, score.se, signed=True, unit="points a game")
    return Answer(question, f"{headline} to {first.free}", sentence, first.free, ruleset)


def say_worth(worth: dict[str, Worth]) -> str:
    """Return "+3.2 ± 0.4 points and +2.1 ± 0.5 % of games", and what is missing for an error."""
    score, wins = worth["score"].diff, worth["win_rate"].diff
    points = format_estimate(score.mean, score.se, signed=True)
    share = format_percent(wins.mean, wins.se, signed=True)
    if score.se is None:
        return f"{points} points and {share} of games (one deal gives no error)"
    return f"{points} points a game and {share} of games"


def build_restriction_sections(chapter: Chapter) -> list[Section]:
    """Return the section on restrictions; none where no restricted strategy has a free twin."""
    twins = restrictions.find_twins(chapter.collected, chapter.source)
    if not twins:
        return []
    pooled = restrictions.summarise_restrictions(chapter.collected, twins)
    by_opponent = restrictions.summarise_by_opponent(chapter.collected, twins)
    items: list[Figure | Table] = []
    if len(pooled):
        items += [
            build_figure(chapter, "restrictions", pooled, pooled["words"]),
            _build_pooled(pooled),
            _build_by_opponent(by_opponent),
        ]
    mirrors = restrictions.summarise_mirrors(chapter.collected, twins)
    if len(mirrors):
        items.append(_build_mirrors(mirrors, chapter.rate))
    lead = (
        "A strategy and its twin that may do less: what it loses without a thing is what the thing "
        "is worth to it, in the way it plays. The twin sees what it may not do, so it may play "
        "otherwise even where the strategy never did that."
    )
    anchor = chapter.name("restrictions")
    return [Section(anchor, "What restrictions cost", lead, tuple(items), chapter.ruleset)]


def build_figure(
    chapter: Chapter, name: str, frame: pd.DataFrame, groups: pd.Series[str]
) -> Figure:
    """Return the figure of the differences in points, one a row of `frame`, under their groups."""
    shown = frame.assign(group=groups, is_paired=True)
    info = forest.prepare(
        shown, chapter.colors, name="score", axis="difference, points a game", is_share=False
    )
    deals = format_count(int(frame["n_deals"].max()), "deal")
    return Figure(
        chapter.name(name),
        "Score of the free strategy, less that of its restricted twin",
        "Right of the dashed line, what the twin may not do was worth points. Marks are paired "
        "differences, bars 95 % intervals, the text has the standard error; "
        f"n = {deals}.",
        info,
        forest.draw,
        info.size,
    )


def _build_pooled(frame: pd.DataFrame) -> Table:
    columns = [
        tables.column_strategy(),
        tables.column_text("words", "what it is", help_text="what the twin may not do"),
        *_list_differences(),
        tables.column_percent(
            "score_variance_left", "variance left", help_text="of the points, by the same deals"
        ),
        tables.column_count("n_opponents", "opponents"),
        tables.column_count("n_games", "games each"),
    ]
    return tables.build_table(
        "restrictions",
        frame,
        columns,
        title="What it is worth",
        caption=f"Over all opponents that both met. {_PAIRED} Variance left: that of the "
        "difference in points, as a share of what it would be had the cards been different ones.",
    )


def _build_by_opponent(frame: pd.DataFrame) -> Table:
    columns = [
        tables.column_strategy(),
        tables.column_text("words", "what it is"),
        tables.column_strategy("opponent", "against"),
        *_list_differences(),
        tables.column_count("n_games", "games each"),
    ]
    return tables.build_table(
        "restrictions_by_opponent",
        frame,
        columns,
        title="Opponent by opponent",
        caption=_PAIRED,
    )


def _build_mirrors(frame: pd.DataFrame, rate: str) -> Table:
    columns = [
        tables.column_strategy(),
        tables.column_strategy("restricted", "against its twin"),
        tables.column_percent("win_rate", f"its {rate}", bar=True),
        tables.column_interval("win_rate", percent=True),
        tables.column_estimate("score", "its score, less the twin's", signed=True),
        tables.column_interval("score"),
        tables.column_count("n_games", "games"),
    ]
    return tables.build_table(
        "restrictions_mirror",
        frame,
        columns,
        title="Free against restricted",
        caption="Both at one table: what one wins the other loses, so this is not the difference "
        "against the same opponent. ± is one standard error, over deals.",
    )


def _list_differences() -> list[tables.Column]:
    return [
        tables.column_estimate("score", "points", signed=True, help_text="own score a game"),
        tables.column_interval("score"),
        tables.column_estimate(
            "margin", "margin", signed=True, help_text="own score less the opponents', a game"
        ),
        tables.column_percent("win_rate", "wins", signed=True, help_text="share of games"),
        tables.column_interval("win_rate", percent=True),
    ]
