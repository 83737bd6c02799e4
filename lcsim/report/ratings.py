"""Ratings: one number a strategy on the Elo scale, and how far it can be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from lcsim.report import tables
from lcsim.report.answers import is_clear
from lcsim.report.document import Answer, Cell, Figure, Header, Section, Table
from lcsim.report.frames import build_frame, spread
from lcsim.report.plots import rating as rating_plot
from lcsim.report.plots.rating import format_rating
from lcsim.report.rows import read_number
from lcsim.stats.bradley_terry import ELO
from lcsim.stats.fit_check import explain_limits, find_misfit, warn_of_misfit
from lcsim.stats.rating import Contest, Ratings
from lcsim.stats.rating_fit import REPLICATES
from lcsim.stats.rounding import DASH, format_count, format_estimate, format_percent, format_value

if TYPE_CHECKING:
    from lcsim.report.sections import Chapter

HOW_MUCH_BETTER = "How much better, on one scale?"
WIDTH = 7.4
LARGEST_MATRIX = 10
"""Strategies up to which every pair has a cell; of more the exported table has them all."""

FEWEST = 3
"""Strategies from which a rating says more than the win rate of the one pair there is."""


def build_rating_answers(chapter: Chapter) -> list[Answer]:
    """Answer how much better the best is, where three or more are on one scale."""
    ratings = _read_ratings(chapter)
    if ratings is None:
        return []
    headline, label, sentence = _say_lead(ratings)
    sentences = (sentence, explain_limits(ratings), warn_of_misfit(ratings))
    said = " ".join(filter(None, sentences))
    return [Answer(HOW_MUCH_BETTER, headline, said, label, chapter.ruleset)]


def build_rating_sections(chapter: Chapter) -> list[Section]:
    """Return the section on ratings, where three or more are on one scale."""
    ratings = _read_ratings(chapter)
    if ratings is None:
        return []
    frame = summarise_ratings(chapter.collected.ruleset, ratings)
    info = rating_plot.prepare(frame, chapter.colors, chapter.n_games)
    figure = Figure(
        chapter.name("rating"),
        "Ratings",
        "Further right is stronger; 0 is the mean of the strategies bounded on both sides. Dots "
        "are ratings, bars 95 % intervals, an arrow means that there is no end; the text has the "
        f"standard error; {chapter.count()}.",
        info,
        rating_plot.draw,
        (WIDTH, 0.9 + 0.36 * len(info.rows)),
    )
    items = (figure, _tabulate_ratings(chapter, ratings, frame), _tabulate_pairs(chapter, ratings))
    return [Section(chapter.name("ratings"), "Ratings", _say_fit(ratings), items, chapter.ruleset)]


def summarise_ratings(ruleset: str, ratings: Ratings) -> pd.DataFrame:
    """Return one row a strategy, best first, in Elo points.

    `place` tells whether it is rated, or why not (stats.rating.Rating). `lead` is its rating less
    that of the next, and `superiority` the likelihood that it is the stronger of the two.
    """
    rows: list[dict[str, Any]] = []
    for number, one in enumerate(ratings.ratings):
        after = ratings.ratings[number + 1].label if number + 1 < len(ratings.ratings) else None
        contest = ratings.find(one.label, after) if after else None
        row: dict[str, Any] = {"ruleset": ruleset, "strategy": one.label, "place": one.place}
        row |= {"rating": one.mean, "rating_se": one.se}
        row |= {"rating_ci95_lo": one.ci95_lo, "rating_ci95_hi": one.ci95_hi}
        row |= {"next": after} | spread("lead", contest.diff if contest else None)
        row |= {"superiority": contest.superiority if contest else None}
        rows.append(row | {"n_games": one.n_games})
    return build_frame(rows)


def summarise_contests(ruleset: str, ratings: Ratings) -> pd.DataFrame:
    """Return one row a pair, `a` placed before `b`.

    `lead` is a's rating less b's in Elo points; `win_rate_a` is a's share of the games between
    them, `predicted` what the ratings say of it, `residual` the first less the second.
    """
    rows = []
    for one in ratings.contests:
        row: dict[str, Any] = {"ruleset": ruleset, "a": one.a, "b": one.b, "n_games": one.n_games}
        row |= {"superiority": one.superiority} | spread("lead", one.diff)
        row |= spread("win_rate_a", one.rate) | {"predicted": one.predicted}
        rows.append(row | spread("residual", one.residual))
    return build_frame(rows)


def format_likelihood(share: float | None) -> str:
    """Return a likelihood with the digits that bootstrap samples have: "97 %", ">99.9 %"."""
    if share is None:
        return DASH
    if share > 0.999:
        return ">99.9 %"
    if share < 0.001:
        return "<0.1 %"
    decimals = 0 if 0.015 <= share <= 0.985 else 1
    return f"{100 * share:.{decimals}f} %"


def _read_ratings(chapter: Chapter) -> Ratings | None:
    """Return the ratings, where they say more than the ranking does."""
    ratings = chapter.collected.ratings
    if ratings is None or len(ratings.ratings) < FEWEST:
        return None
    return ratings


def _say_lead(ratings: Ratings) -> tuple[str, str | None, str]:
    """Return the headline, the strategy it is about, and the sentence on the best rated ones."""
    rated = [one for one in ratings.ratings if one.place == "rated"]
    top = ratings.ratings[0]
    if len(rated) < 2 or top.place != "rated":
        return f"{top.label}, won every game", top.label, ""
    first, second, last = rated[0], rated[1], rated[-1]
    contest = ratings.find(first.label, second.label)
    assert contest is not None
    assert contest.diff is not None
    shown = format_estimate(contest.diff.mean, contest.diff.se, signed=True)
    likely = (
        f"the likelihood that it is the stronger one is {format_likelihood(contest.superiority)}"
    )
    if contest.diff.se is None:
        return "one deal cannot tell", None, f"{first.label} rates {shown} above {second.label}."
    if not is_clear(contest.diff):
        sentence = (
            f"{first.label} and {second.label} cannot be told apart: {first.label} rates {shown} "
            f"Elo points above it, within the error; {likely}."
        )
        return "too close to call", None, sentence
    rating = format_estimate(first.mean, first.se, signed=True)
    sentence = (
        f"{first.label} rates {rating} Elo points, {shown} above {second.label}, which comes next"
        f"{_say_worth(contest)}; {likely}."
    )
    if last is not second:
        whole = ratings.find(first.label, last.label)
        assert whole is not None
        assert whole.diff is not None
        span = format_estimate(whole.diff.mean, whole.diff.se)
        sentence += f" From the first to the last, {last.label}, it is {span} points."
    return f"{first.label}, {shown} on the next", first.label, sentence


def _say_worth(contest: Contest) -> str:
    """Say what a lead in Elo points is worth in games; the error follows by the delta method."""
    if contest.predicted is None or contest.diff is None or contest.diff.se is None:
        return ""
    se = contest.predicted * (1 - contest.predicted) * contest.diff.se / ELO
    return f": as much as winning {format_percent(contest.predicted, se)} of their games"


def _say_fit(ratings: Ratings) -> str:
    """Say how well one number a strategy tells who beats whom."""
    warning = warn_of_misfit(ratings)
    if warning:
        return warning
    worst = find_misfit(ratings)
    if worst is None or worst.residual is None:
        return "One number a strategy; as few pairs met as there are ratings, so none checks them."
    off = format_percent(worst.residual.mean, worst.residual.se, signed=True)
    return (
        "One number a strategy, from which follows how often each beats each. The pair that fits "
        f"worst is {worst.a} against {worst.b}: its win rate lies {off} of games from that."
    )


def _tabulate_ratings(chapter: Chapter, ratings: Ratings, frame: pd.DataFrame) -> Table:
    drawn = format_count(ratings.n_draws, "deal")
    if ratings.n_draws < ratings.n_deals:
        drawn = format_count(ratings.n_draws, "group of deals", "groups of deals")
    crowd = "A game of more than two counts as all its pairs. " if chapter.has_crowds else ""
    return tables.build_table(
        "ratings",
        frame,
        [
            tables.column_strategy(),
            (Header("rating", True, "Elo points"), _read_rating),
            (Header("95 % interval", True, "of one that is only bounded: one-sided"), _read_ends),
            tables.column_estimate(
                "lead", "lead on the next", signed=True, help_text="Elo points, on the same deals"
            ),
            (
                Header("stronger than the next", True, "likelihood, from the bootstrap"),
                lambda row: _show_likelihood(read_number(row["superiority"])),
            ),
            tables.column_count("n_games", "games"),
        ],
        title="Ratings",
        caption="Bradley–Terry ratings in Elo points: 100 points are 64 % of the games, 400 are "
        f"odds of 10 to 1; a draw is half a win. {crowd}± is one standard error, from "
        f"{format_count(REPLICATES)} bootstrap samples of {drawn} with all their games.",
    )


def _tabulate_pairs(chapter: Chapter, ratings: Ratings) -> Table:
    """Return every pair as a table to export, and as a matrix where there is room for one."""
    frame = summarise_contests(chapter.collected.ruleset, ratings)
    labels = [one.label for one in ratings.ratings]
    if len(labels) > LARGEST_MATRIX:
        return tables.build_table("rating_pairs", frame, [], title="", caption="")
    chances = {(one.a, one.b): one.superiority for one in ratings.contests}

    def weigh(row: str, column: str) -> Cell:
        if row == column:
            return Cell("·")
        if (row, column) in chances:
            return _show_likelihood(chances[row, column])
        back = chances[column, row]
        return _show_likelihood(None if back is None else 1 - back)

    rows = tuple(
        (Cell(row, row, label=row), *(weigh(row, column) for column in labels)) for row in labels
    )
    return Table(
        "rating_pairs",
        "Likelihood that the left one is the stronger",
        "The share of bootstrap samples in which the strategy at the left is rated above the one "
        "at the top; the CSV file has each pair's lead, and its win rate beside what the ratings "
        "predict.",
        (Header("stronger than …", False), *(Header(label) for label in labels)),
        rows,
        frame,
    )


def _read_rating(row: tables.Row) -> Cell:
    rating, se, low, high = (
        read_number(row[name])
        for name in ("rating", "rating_se", "rating_ci95_lo", "rating_ci95_hi")
    )
    key = next((one for one in (rating, low, high) if one is not None), None)
    return Cell(format_rating(rating, se, low, high), key)


def _read_ends(row: tables.Row) -> Cell:
    low, high = (read_number(row[f"rating_ci95_{end}"]) for end in ("lo", "hi"))
    if low is None or high is None:
        return Cell(format_rating(None, None, low, high), high if low is None else low)
    width = (high - low) / 4
    ends = (format_value(end, width, signed=True) for end in (low, high))
    return Cell(" to ".join(ends), low)


def _show_likelihood(share: float | None) -> Cell:
    return Cell(format_likelihood(share), share)
