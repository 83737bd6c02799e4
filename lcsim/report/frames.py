"""Small pandas tables of results, at full precision: what the CSV files and the JSON hold.

Every mean has its standard error beside it (`…_se`) and its 95 % interval where it is a headline
(`…_ci95_lo`, `…_ci95_hi`). Win and draw rates are shares of games, 0 to 1; scores and differences
are points a game. A number that does not exist is missing, never NaN text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pandas as pd

from lcsim.report.collect import Collected, name_in_layer
from lcsim.report.tally import BIN_POINTS
from lcsim.stats import estimate
from lcsim.stats.estimate import PAIR, TWELFTHS, Estimate, Moments, Weight
from lcsim.stats.paired import compare_scores, compare_win_rates
from lcsim.stats.pooled import combine_layers

if TYPE_CHECKING:
    from lcsim.report.source import Matchup, Source


def spread(name: str, value: Estimate | None, *, interval: bool = False) -> dict[str, Any]:
    """Return the columns `name`, `name_se` and, where asked, `name_ci95_lo` and `name_ci95_hi`."""
    columns = {
        name: None if value is None else value.mean,
        f"{name}_se": None if value is None else value.se,
    }
    if interval:
        low, high = (None if value is None else value.ci95()) or (None, None)
        columns |= {f"{name}_ci95_lo": low, f"{name}_ci95_hi": high}
    return columns


def build_frame(rows: Iterable[Mapping[str, Any]], columns: Iterable[str] = ()) -> pd.DataFrame:
    """Return the rows as a table; `columns` name those of a table that may have no row."""
    listed = list(rows)
    return pd.DataFrame(listed) if listed else pd.DataFrame(columns=list(columns))


def summarise_ranking(collected: Collected, source: Source) -> pd.DataFrame:
    """Return one row a strategy, best win rate first: its results against everyone it met.

    Matchups weigh the same; `n_deals` counts different deals, those of the shortest matchup. `diff`
    is its mean score less that of its opponents in the same games; `lead` is its win rate less that
    of the strategy ranked next. `mean_rank`, 1 for the first, is there where more than two meet.
    """
    specs = {entrant.label: entrant.spec for entrant in source.entrants}
    found: list[dict[str, Any]] = []
    for label in collected.labels:
        own = [m for m in collected.matchups if label in m.labels]
        rate = combine_layers(collected.layers, weigh_wins(own, label))
        games = sum(collected.games[m.number].total("games") for m in own)
        counts = {"n_matchups": len(own), "n_games": games, "n_deals": rate.n}
        row: dict[str, Any] = {"ruleset": collected.ruleset, "rank": 0, "strategy": label}
        row |= {"spec": specs.get(label, label), **counts}
        row |= spread("win_rate", rate, interval=True)
        row |= spread("draw_rate", combine_layers(collected.layers, _weigh_draws(own)))
        row |= spread("mean_score", combine_layers(collected.layers, weigh_scores(own, label)))
        if has_crowds(collected.matchups):
            row |= spread("mean_rank", estimate_rank(collected, own, label))
        margin = combine_layers(collected.layers, weigh_margins(own, label))
        found.append(row | spread("diff", margin, interval=True))
    found.sort(key=lambda row: -row["win_rate"])
    for rank, row in enumerate(found, 1):
        row["rank"] = rank
    _add_leads(collected, found)
    return build_frame(found)


def _add_leads(collected: Collected, rows: list[dict[str, Any]]) -> None:
    for row, after in pairwise(rows):
        weights: dict[str, Weight] = {}
        for label, sign in ((row["strategy"], 1), (after["strategy"], -1)):
            own = [m for m in collected.matchups if label in m.labels]
            for name, weight in weigh_wins(own, label).items():
                weights[name] = weights.get(name, 0) + sign * weight
        row |= {"next": after["strategy"]}
        row |= spread("lead", combine_layers(collected.layers, weights), interval=True)
    if rows:
        rows[-1] |= {"next": None} | spread("lead", None, interval=True)


def weigh_wins(matchups: list[Matchup], label: str) -> dict[str, Fraction]:
    """Return the weights that make a win rate, over matchups that weigh the same."""
    return _weigh(matchups, TWELFTHS, lambda m: {f"wins_{m.labels.index(label)}": Fraction(1)})


def has_crowds(matchups: Iterable[Matchup]) -> bool:
    """Tell whether more than two players meet in any of the matchups."""
    return any(len(matchup.labels) > PAIR for matchup in matchups)


def estimate_rank(collected: Collected, matchups: list[Matchup], label: str) -> Estimate:
    """Return a strategy's mean rank over matchups that weigh the same.

    Where two meet, the rank is 2 less the win rate.
    """

    def rank(matchup: Matchup) -> dict[str, Fraction]:
        place, n = matchup.labels.index(label), len(matchup.labels)
        if n == PAIR:
            return {f"wins_{place}": Fraction(-1, TWELFTHS)}
        return {f"ranks_{place}": Fraction(1, 2)}

    value = combine_layers(collected.layers, _weigh(matchups, 1, rank))
    pairs = sum(len(matchup.labels) == PAIR for matchup in matchups)
    return Estimate(value.mean + PAIR * pairs / len(matchups), value.se, value.n)


def _weigh_draws(matchups: list[Matchup]) -> dict[str, Fraction]:
    return _weigh(matchups, TWELFTHS, lambda m: {"draws": Fraction(1)})


def weigh_scores(matchups: list[Matchup], label: str) -> dict[str, Fraction]:
    """Return the weights that make a mean score, over matchups that weigh the same."""
    return _weigh(matchups, 1, lambda m: {f"points_{m.labels.index(label)}": Fraction(1)})


def weigh_margins(matchups: list[Matchup], label: str) -> dict[str, Fraction]:
    """Return the weights of a mean score less that of the opponents in the same games."""

    def margin(matchup: Matchup) -> dict[str, Fraction]:
        others = len(matchup.labels) - 1
        return {
            f"points_{i}": Fraction(1) if one == label else Fraction(-1, others)
            for i, one in enumerate(matchup.labels)
        }

    return _weigh(matchups, 1, margin)


def _weigh(matchups: list[Matchup], unit: int, variables: Any) -> dict[str, Fraction]:
    """Spread a mean over matchups and over the games of a deal, one for each seat rotation."""
    weights: dict[str, Fraction] = {}
    for matchup in matchups:
        share = Fraction(1, unit * len(matchup.labels) * len(matchups))
        for variable, weight in variables(matchup).items():
            weights[name_in_layer(matchup.number, variable)] = weight * share
    return weights


def summarise_matchups(collected: Collected) -> pd.DataFrame:
    """Return one row a pair of strategies in a matchup: `a` against `b`, paired on the same deals.

    `diff` is the mean score of a less that of b, `diff_win_rate` the same of their win rates.
    """
    rows = []
    for matchup in collected.matchups:
        games = collected.games[matchup.number]
        for a in range(len(matchup.labels)):
            for b in range(a + 1, len(matchup.labels)):
                row: dict[str, Any] = {"ruleset": collected.ruleset, "matchup": matchup.label}
                row |= {"a": matchup.labels[a], "b": matchup.labels[b]}
                row |= {"n_games": games.total("games"), "n_deals": games.n}
                row |= spread("win_rate_a", estimate.estimate_win_rate(games, a), interval=True)
                row |= spread("win_rate_b", estimate.estimate_win_rate(games, b), interval=True)
                row |= spread("draw_rate", estimate.estimate_draw_rate(games))
                row |= spread("mean_score_a", estimate.estimate_score(games, a))
                row |= spread("mean_score_b", estimate.estimate_score(games, b))
                row |= spread("diff", compare_scores(games, a, b), interval=True)
                row |= spread("diff_win_rate", compare_win_rates(games, a, b), interval=True)
                rows.append(row)
    return build_frame(rows)


def summarise_pairs(collected: Collected, order: Sequence[str]) -> pd.DataFrame:
    """Return one row a pair of strategies, over all matchups in which both sit, alone or with more.

    `diff` is the mean score of a less that of b, `diff_win_rate` the same of their shares of the
    wins; matchups weigh the same.
    """
    rows = []
    for place, a in enumerate(order):
        for b in order[place + 1 :]:
            both = [m for m in collected.matchups if a in m.labels and b in m.labels]
            if not both:
                continue
            games = sum(collected.games[m.number].total("games") for m in both)
            points = subtract_weights(weigh_scores(both, a), weigh_scores(both, b))
            wins = subtract_weights(weigh_wins(both, a), weigh_wins(both, b))
            diff = combine_layers(collected.layers, points)
            row: dict[str, Any] = {"ruleset": collected.ruleset, "a": a, "b": b}
            row |= {"n_matchups": len(both), "n_games": games, "n_deals": diff.n}
            row |= spread("diff", diff, interval=True)
            row |= spread("diff_win_rate", combine_layers(collected.layers, wins), interval=True)
            rows.append(row)
    return build_frame(rows)


def subtract_weights(
    left: Mapping[str, Fraction], right: Mapping[str, Fraction]
) -> dict[str, Fraction]:
    """Return the weights of one mean less another, over what either weighs."""
    zero = Fraction(0)
    return {name: left.get(name, zero) - right.get(name, zero) for name in {**left, **right}}


def summarise_seats(collected: Collected) -> pd.DataFrame:
    """Return what going first is worth, one row a matchup.

    `starter_win_rate` is the share of games won by the seat that starts the first round, and
    `fair_share` what it would be if the seat did not matter; `starter_diff` is its score less the
    mean of the other seats. Each deal is played from every seat, so strategies cancel out.
    """
    rows = []
    for matchup in collected.matchups:
        games = collected.games[matchup.number]
        rows.append(
            {"ruleset": collected.ruleset, "matchup": matchup.label}
            | {"n_games": games.total("games"), "n_deals": games.n}
            | {"fair_share": 1 / len(matchup.labels)}
            | spread("starter_win_rate", estimate.estimate_starter_win_rate(games), interval=True)
            | spread("starter_diff", estimate.estimate_starter_score(games), interval=True)
        )
    return build_frame(rows)


def estimate_seat(
    collected: Collected, matchups: Sequence[Matchup] | None = None
) -> tuple[Estimate, Estimate]:
    """Return what the starting seat gains over all matchups (or those), which weigh the same.

    First its win rate less its fair share, then its score less the mean of the other seats.
    """
    matchups = list(collected.matchups if matchups is None else matchups)
    wins = _weigh(matchups, TWELFTHS, lambda m: {"starter_wins": Fraction(1)})
    points = _weigh(matchups, 1, lambda m: {"starter_points": Fraction(1, len(m.labels) - 1)})
    rate = combine_layers(collected.layers, wins)
    fair = sum(1 / len(matchup.labels) for matchup in matchups) / len(matchups)
    return (
        Estimate(rate.mean - fair, rate.se, rate.n),
        combine_layers(collected.layers, points),
    )


def summarise_lengths(collected: Collected, endings: Iterable[str]) -> pd.DataFrame:
    """Return one row a matchup: mean turns a round, and the share of rounds by how they ended."""
    rows = []
    for matchup in collected.matchups:
        games: Moments = collected.games[matchup.number]
        row: dict[str, Any] = {"ruleset": collected.ruleset, "matchup": matchup.label}
        row |= {"n_rounds": games.total("rounds")}
        row |= spread("turns", games.ratio("turns", "rounds"))
        for ending in endings:
            row |= spread(f"ended_{ending}", games.ratio(f"ended_{ending}", "rounds"))
        rows.append(row)
    return build_frame(rows)


def summarise_scores(collected: Collected, order: Iterable[str]) -> pd.DataFrame:
    """Return one row a strategy, in `order`: quantiles of its scores over all its games, in points.

    Quantiles are those of the games played; they describe the spread of scores and carry no error.
    """
    rows = []
    for label in order:
        tally = collected.scores[label]
        rows.append(
            {"ruleset": collected.ruleset, "strategy": label}
            | {"n_games": tally.games[0], "lowest": min(tally.values)}
            | {f"q{share:02d}": tally.quantile(share / 100) for share in (5, 25, 50, 75, 95)}
            | {"highest": max(tally.values)}
        )
    return build_frame(rows)


def summarise_distributions(collected: Collected, order: Iterable[str]) -> pd.DataFrame:
    """Return one row a strategy and bin of scores: the share of its games from `low` to `high`.

    Bins are 10 points wide and hold whole points, `low` and `high` included.
    """
    rows = []
    for label in order:
        tally = collected.scores[label]
        for number in range(min(tally.bins), max(tally.bins) + 1):
            seen = tally.count(number)
            row: dict[str, Any] = {"ruleset": collected.ruleset, "strategy": label}
            row |= {"low": number * BIN_POINTS, "high": (number + 1) * BIN_POINTS - 1}
            rows.append(row | {"n_games": seen} | spread("share", tally.share(number)))
    return build_frame(rows)
