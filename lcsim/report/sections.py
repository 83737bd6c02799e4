"""The sections that every game has: ranking, who beats whom, scores, going first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from lcsim.report import frames, tables
from lcsim.report.answers import answer_seat, answer_winner
from lcsim.report.document import Answer, Figure, Section, Table
from lcsim.report.plots import score_distribution, seat, win_matrix, win_rate
from lcsim.stats.rounding import format_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lcsim.report.collect import Collected
    from lcsim.report.source import Source
    from lcsim.rules.game import Game

WIDTH = 7.4
_PLUS = "± is one standard error, over deals."
MAX_SEAT_ROWS = 40


@dataclass(frozen=True, slots=True)
class Chapter:
    """Everything about one ruleset: the counts, the ranking, and how its parts are named.

    `suffix` ends the names of figures, and is empty where the run has one ruleset only. `forks` is
    what the game counts of forked moves (Extra.count_forks), where the run has any.
    """

    source: Source
    collected: Collected
    game: Game
    ranking: pd.DataFrame
    colors: Mapping[str, int]
    suffix: str
    forks: Any = None

    @property
    def ruleset(self) -> str:
        """The ruleset's spec, as headings name it; empty where the run has one only."""
        return self.collected.ruleset if self.suffix else ""

    @property
    def order(self) -> list[str]:
        """The strategies from best to worst."""
        return [str(label) for label in self.ranking["strategy"]]

    @property
    def n_games(self) -> int:
        """Games played under the ruleset."""
        return sum(games.total("games") for games in self.collected.games.values())

    @property
    def has_crowds(self) -> bool:
        """Tell whether more than two players meet in any matchup."""
        return frames.has_crowds(self.collected.matchups)

    @property
    def rate(self) -> str:
        """What a share of the wins is called: a win rate where pairs meet."""
        return "win share" if self.has_crowds else "win rate"

    def name(self, text: str) -> str:
        """Return the name of a figure or heading of this chapter."""
        return text + self.suffix

    def count(self) -> str:
        """Return "n = 1,000 games on 500 deals", for a caption."""
        deals = max(games.n for games in self.collected.games.values())
        return f"n = {format_count(self.n_games, 'game')} on {format_count(deals, 'deal')}"


def build_winner_answers(chapter: Chapter) -> list[Answer]:
    """Answer who wins, and by how much."""
    return [answer_winner(chapter.ranking, chapter.collected.matchups, chapter.ruleset)]


def build_seat_answers(chapter: Chapter) -> list[Answer]:
    """Answer whether going first matters."""
    return [answer_seat(*frames.estimate_seat(chapter.collected), chapter.ruleset)]


def build_ranking_sections(chapter: Chapter) -> list[Section]:
    """Return the section that ranks the strategies."""
    return [_section(chapter, "ranking", "Ranking", *_build_ranking(chapter))]


def build_matchup_sections(chapter: Chapter) -> list[Section]:
    """Return the section on every pair that met."""
    return [_section(chapter, "matchups", "Who beats whom", *_build_matchups(chapter))]


def build_score_sections(chapter: Chapter) -> list[Section]:
    """Return the section on what a game brings, and how far luck spreads it."""
    return [_section(chapter, "scores", "Scores", *_build_scores(chapter))]


def build_seat_sections(chapter: Chapter) -> list[Section]:
    """Return the section on the seat that starts."""
    return [_section(chapter, "seat", "Going first", *_build_seats(chapter))]


def _section(
    chapter: Chapter, anchor: str, title: str, lead: str, items: list[Figure | Table]
) -> Section:
    return Section(chapter.name(anchor), title, lead, tuple(items), chapter.ruleset)


def _build_ranking(chapter: Chapter) -> tuple[str, list[Figure | Table]]:
    matchups = chapter.collected.matchups
    even = sum(1 / len(m.labels) for m in matchups) / len(matchups)
    info = win_rate.prepare(
        chapter.ranking, chapter.colors, even=even, has_crowds=chapter.has_crowds
    )
    line = "where equals would stand"
    if len({len(m.labels) for m in matchups}) > 1:
        line = "the mean of the matchups' fair shares, 1 over the number of players"
    figure = Figure(
        chapter.name("win-rate"),
        chapter.rate.capitalize(),
        f"Further right wins more; the dashed line is {line}. Dots are means, "
        f"bars 95 % intervals, the text has the standard error; {chapter.count()}.",
        info,
        win_rate.draw,
        (WIDTH, 0.9 + 0.36 * len(info.rows)),
    )
    columns = [
        tables.column_count("rank", "#"),
        tables.column_strategy(has_link=True),
        tables.column_percent(
            "win_rate", chapter.rate, bar=True, help_text="a win shared by two counts half"
        ),
        tables.column_percent("draw_rate", "shared" if chapter.has_crowds else "draws"),
        *_list_ranks(chapter),
        tables.column_estimate("mean_score", "mean score", help_text="points a game"),
        tables.column_estimate(
            "diff",
            "score difference",
            signed=True,
            help_text="points a game above its opponents in the same games",
        ),
        tables.column_percent(
            "lead",
            "lead on the next",
            signed=True,
            help_text="its win rate less that of the next in this table, on the same deals",
        ),
        tables.column_count("n_games", "games"),
    ]
    table = tables.build_table(
        "ranking",
        chapter.ranking,
        columns,
        title="Ranking",
        caption="Against all opponents a strategy met, each weighing the same. Differences are "
        f"paired: both sides had the same cards. {_PLUS}",
    )
    return _lead_ranking(chapter), [figure, table]


def _list_ranks(chapter: Chapter) -> list[tables.Column]:
    """Return the column of mean ranks, which says something where more than two meet."""
    if not chapter.has_crowds:
        return []
    return [tables.column_estimate("mean_rank", "mean rank", help_text="1 for the first")]


def _lead_ranking(chapter: Chapter) -> str:
    if len(chapter.ranking) == 2 and not chapter.has_crowds:
        return "Each deal is played from both seats, so the cards favour nobody."
    return (
        "Every matchup is played on the same deals, each deal from every seat, so the cards favour "
        "nobody."
    )


def _build_matchups(chapter: Chapter) -> tuple[str, list[Figure | Table]]:
    frame = frames.summarise_matchups(chapter.collected)
    items: list[Figure | Table] = []
    crowds = chapter.has_crowds
    if not crowds and len(chapter.order) > 2:
        info = win_matrix.prepare(frame, chapter.order)
        side = 1.5 + 0.62 * len(chapter.order)
        items.append(
            Figure(
                chapter.name("win-matrix"),
                "Win rate of row against column",
                "Each square is the win rate, in %, of the strategy at its left against the one "
                "above: blue wins, orange loses, paler is closer. Below the value stands its "
                f"standard error; {chapter.count()}.",
                info,
                win_matrix.draw,
                (max(WIDTH * 0.6, min(1.4 + side, 12.0)), min(side, 11.0)),
            )
        )
    if crowds:
        items.append(_build_pairs(chapter))
    columns = [
        *([tables.column_text("matchup", "matchup")] if crowds else []),
        tables.column_strategy("a", "a"),
        tables.column_strategy("b", "b"),
        tables.column_percent("win_rate_a", "a wins", bar=True),
        *([tables.column_percent("win_rate_b", "b wins")] if crowds else []),
        tables.column_percent("draw_rate", "shared" if crowds else "draws"),
        tables.column_estimate("mean_score_a", "score of a"),
        tables.column_estimate("mean_score_b", "score of b"),
        tables.column_estimate("diff", "a − b", signed=True, help_text="points a game, paired"),
        tables.column_interval("diff"),
        tables.column_count("n_games", "games"),
    ]
    items.append(
        tables.build_table(
            "matchups",
            frame,
            columns,
            title="Matchup by matchup" if crowds else "Pair by pair",
            caption="Scores are points a game; a − b is taken deal by deal, and so is its error. "
            f"{_PLUS}",
        )
    )
    return "Results of every pair that met.", items


def _build_pairs(chapter: Chapter) -> Table:
    """Return the table of pairs over all the games in which both sit, whoever else sits there."""
    return tables.build_table(
        "pairs",
        frames.summarise_pairs(chapter.collected, chapter.order),
        [
            tables.column_strategy("a", "a"),
            tables.column_strategy("b", "b"),
            tables.column_percent("diff_win_rate", "wins, a − b", signed=True),
            tables.column_estimate("diff", "score, a − b", signed=True),
            tables.column_interval("diff"),
            tables.column_count("n_matchups", "matchups"),
            tables.column_count("n_games", "games"),
        ],
        title="Pair by pair",
        caption="Over all matchups in which both sit, each weighing the same: shares of wins and "
        f"points a game, taken deal by deal. {_PLUS}",
    )


def _build_scores(chapter: Chapter) -> tuple[str, list[Figure | Table]]:
    bins = frames.summarise_distributions(chapter.collected, chapter.order)
    quantiles = frames.summarise_scores(chapter.collected, chapter.order)
    info = score_distribution.prepare(bins, quantiles, chapter.colors)
    figure = Figure(
        chapter.name("score-distribution"),
        "Scores of a game",
        f"Share of games by score, in bins of {info.bin_points:g} points, all strategies on one "
        "scale. The dot is the median, the bar holds the middle 90 % of games; thin lines are the "
        f"95 % intervals of the bins. The wider the hill, the louder luck; {chapter.count()}.",
        info,
        score_distribution.draw,
        (WIDTH, 1.0 + 0.62 * len(info.ridges)),
    )
    columns = [
        tables.column_strategy(),
        *(
            tables.column_number(name, title)
            for name, title in (
                ("lowest", "lowest"),
                ("q05", "5 %"),
                ("q25", "25 %"),
                ("q50", "median"),
                ("q75", "75 %"),
                ("q95", "95 %"),
                ("highest", "highest"),
            )
        ),
        tables.column_count("n_games", "games"),
    ]
    table = tables.build_table(
        "scores",
        quantiles,
        columns,
        title="Quantiles of the scores",
        caption="Points a game: the scores that 5, 25, 50, 75 and 95 % of the games played stay at "
        "or below. They describe these games; the means with their errors are in the ranking.",
    )
    spread = tables.build_table("score_distribution", bins, [], title="", caption="")
    return "What a game brings, and how far luck spreads it.", [figure, table, spread]


def _build_seats(chapter: Chapter) -> tuple[str, list[Figure | Table]]:
    frame = frames.summarise_seats(chapter.collected)
    total, _ = frames.estimate_seat(chapter.collected)
    shown = frame if len(frame) <= MAX_SEAT_ROWS else frame.head(MAX_SEAT_ROWS)
    info = seat.prepare(shown, total)
    figure = Figure(
        chapter.name("seat-advantage"),
        "What going first is worth",
        "Right of the dashed line the seat that starts the first round wins more than its share. "
        "Each deal is played from every seat, so strategy cancels out. Bars are 95 % intervals, "
        f"the text has the standard error; {chapter.count()}.",
        info,
        seat.draw,
        (WIDTH, 0.9 + 0.3 * len(info.rows)),
    )
    columns = [
        tables.column_text("matchup", "matchup"),
        tables.column_percent("starter_win_rate", "starter wins"),
        tables.column_estimate(
            "starter_diff",
            "starter scores",
            signed=True,
            help_text="points a game above the mean of the other seats",
        ),
        tables.column_interval("starter_diff"),
        tables.column_count("n_games", "games"),
    ]
    table = tables.build_table(
        "seat_advantage",
        frame,
        columns,
        title="Going first, matchup by matchup",
        caption=f"The starter is the seat that starts the first round. {_PLUS}",
    )
    return "The seat that starts the first round, whoever sits there.", [figure, table]
