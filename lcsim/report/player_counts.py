"""What the number of players changes: shares, ranks and going first, where more than two meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from lcsim.report import tables
from lcsim.report.answers import is_clear
from lcsim.report.collect import Collected
from lcsim.report.document import Answer, Section, Table
from lcsim.report.frames import (
    build_frame,
    estimate_rank,
    estimate_seat,
    has_crowds,
    spread,
    weigh_scores,
    weigh_wins,
)
from lcsim.report.player_effects import build_player_figures, summarise_player_effects
from lcsim.report.rows import list_rows, read_number
from lcsim.report.sections import Chapter
from lcsim.stats.estimate import Estimate
from lcsim.stats.pooled import combine_layers
from lcsim.stats.rounding import format_estimate, format_percent

if TYPE_CHECKING:
    from lcsim.report.source import Matchup

MORE_PLAYERS = "What do more players change?"
STARTERS = "Does going first matter, by the number of players?"
_PLUS = "± is one standard error, over deals."


def group_matchups(collected: Collected) -> dict[int, list[Matchup]]:
    """Return the matchups by their number of players, fewest first."""
    counts = sorted({len(matchup.labels) for matchup in collected.matchups})
    return {n: [m for m in collected.matchups if len(m.labels) == n] for n in counts}


def summarise_counts(collected: Collected) -> pd.DataFrame:
    """Return one row a number of players and strategy, most wins first.

    `win_rate` is its share of the wins and `fair_share` that of equals, `gain` the difference;
    `mean_rank` is 1 for the first. Matchups of that many players weigh the same.
    """
    rows: list[dict[str, Any]] = []
    for n, matchups in group_matchups(collected).items():
        found = []
        for label in dict.fromkeys(label for m in matchups for label in m.labels):
            own = [m for m in matchups if label in m.labels]
            rate = combine_layers(collected.layers, weigh_wins(own, label))
            gain = Estimate(rate.mean - 1 / n, rate.se, rate.n)
            games = sum(collected.games[m.number].total("games") for m in own)
            row: dict[str, Any] = {"ruleset": collected.ruleset, "players": n, "strategy": label}
            row |= {"n_games": games, "n_deals": rate.n, "fair_share": 1 / n}
            row |= spread("win_rate", rate, interval=True) | spread("gain", gain)
            row |= spread("mean_rank", estimate_rank(collected, own, label))
            score = combine_layers(collected.layers, weigh_scores(own, label))
            found.append(row | spread("mean_score", score))
        rows += sorted(found, key=lambda row: -row["win_rate"])
    return build_frame(rows)


def summarise_starters(collected: Collected) -> pd.DataFrame:
    """Return one row a number of players: what the seat that starts the game gains by it.

    `gain` is its share of the wins above that of equals, `starter_diff` its score less the mean of
    the other seats.
    """
    rows = []
    for n, matchups in group_matchups(collected).items():
        gain, points = estimate_seat(collected, matchups)
        games = sum(collected.games[m.number].total("games") for m in matchups)
        row: dict[str, Any] = {"ruleset": collected.ruleset, "players": n, "n_games": games}
        row |= {"n_deals": gain.n, "fair_share": 1 / n}
        row |= spread("starter_win_rate", Estimate(gain.mean + 1 / n, gain.se, gain.n))
        row |= spread("gain", gain, interval=True)
        rows.append(row | spread("starter_diff", points, interval=True))
    return build_frame(rows)


def build_count_answers(chapter: Chapter) -> list[Answer]:
    """Answer what the number of players changes, where the matchups differ in it."""
    groups = group_matchups(chapter.collected)
    if len(groups) < 2:
        return []
    return [_answer_first(chapter), _answer_starter(chapter, groups)]


def _answer_first(chapter: Chapter) -> Answer:
    """Say how the strategy ranked first does with each number of players."""
    label = chapter.order[0]
    frame = summarise_counts(chapter.collected)
    rows = list_rows(frame[frame["strategy"] == label])
    listed = "; ".join(
        f"with {row['players']} players "
        f"{format_percent(row['win_rate'], read_number(row['win_rate_se']))} of its games, mean "
        f"rank {format_estimate(row['mean_rank'], read_number(row['mean_rank_se']))}"
        for row in rows
    )
    gains = [
        f"{format_percent(row['gain'], read_number(row['gain_se']), signed=True)} with "
        f"{row['players']}"
        for row in rows
    ]
    sentence = f"{label} wins {listed}. Above its fair share that is {', '.join(gains)}."
    headline = f"{label}, {gains[0]}"
    return Answer(MORE_PLAYERS, headline, sentence, label, chapter.ruleset)


def _answer_starter(chapter: Chapter, groups: dict[int, list[Matchup]]) -> Answer:
    gains = {n: estimate_seat(chapter.collected, own)[0] for n, own in groups.items()}
    if any(gain.se is None for gain in gains.values()):
        sentence = "With some number of players one deal was played, which gives no error."
        return Answer(STARTERS, "one deal cannot tell", sentence, None, chapter.ruleset)
    listed = "; ".join(
        f"with {n} players {format_percent(gain.mean, gain.se, signed=True)}"
        + ("" if is_clear(gain) else ", which lies within the error")
        for n, gain in gains.items()
    )
    sentence = f"The share of wins of the seat that starts, less its fair share: {listed}."
    headline = "not that we can see"
    clear = {n: gain for n, gain in gains.items() if is_clear(gain)}
    if clear:
        most = max(clear, key=lambda n: abs(clear[n].mean))
        shown = format_percent(clear[most].mean, clear[most].se, signed=True)
        headline = f"{shown} with {most} players"
    return Answer(STARTERS, headline, sentence, None, chapter.ruleset)


def build_count_sections(chapter: Chapter) -> list[Section]:
    """Return the section on numbers of players; none where only pairs meet."""
    if not has_crowds(chapter.collected.matchups):
        return []
    strategies = tables.build_table(
        "players",
        summarise_counts(chapter.collected),
        [
            tables.column_count("players", "players"),
            tables.column_strategy(),
            tables.column_percent("win_rate", "win share", bar=True),
            tables.column_percent("gain", "above its fair share", signed=True),
            tables.column_estimate("mean_rank", "mean rank", help_text="1 for the first"),
            tables.column_estimate("mean_score", "mean score", help_text="points a game"),
            tables.column_count("n_games", "games"),
        ],
        title="Strategies by number of players",
        caption="A shared win counts its part; equals share the mean of their ranks; the fair "
        f"share is 1 over the number of players. {_PLUS}",
    )
    effects = summarise_player_effects(chapter.collected, chapter.order)
    figures = build_player_figures(chapter, effects)
    changes = [_build_changes(effects)] if figures else []
    return [
        Section(
            chapter.name("players"),
            "Players",
            "Shares of the wins, ranks and the first seat, by how many sit at the table.",
            (*figures, *changes, strategies, _build_starters(chapter)),
            chapter.ruleset,
        )
    ]


def _build_starters(chapter: Chapter) -> Table:
    return tables.build_table(
        "players_starter",
        summarise_starters(chapter.collected),
        [
            tables.column_count("players", "players"),
            tables.column_percent("starter_win_rate", "starter wins"),
            tables.column_percent("gain", "above its fair share", signed=True),
            tables.column_interval("gain", percent=True),
            tables.column_estimate(
                "starter_diff",
                "starter scores",
                signed=True,
                help_text="points a game above the mean of the other seats",
            ),
            tables.column_count("n_games", "games"),
        ],
        title="Going first by number of players",
        caption=f"Strategies cancel out: each deal is played from every seat. {_PLUS}",
    )


def _build_changes(effects: pd.DataFrame) -> Table:
    return tables.build_table(
        "players_effects",
        effects,
        [
            tables.column_count("players", "players"),
            tables.column_count("against", "against"),
            tables.column_strategy(),
            tables.column_percent("gain_diff", "win share above fair share", signed=True),
            tables.column_interval("gain_diff", percent=True),
            tables.column_estimate("score_diff", "score", signed=True),
            tables.column_interval("score_diff"),
            tables.column_count("n_deals", "deals"),
        ],
        title="What more players change",
        caption="With the larger number of players less with the smaller, over the matchups of "
        f"each number, on the same deals; scores are points a game. {_PLUS}",
    )
