"""Small pandas tables of what a wager is worth, at full precision, as in lcsim.report.frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from lcsim.experiment.command import write_replay_command
from lcsim.report.duel_columns import ALL, column_of
from lcsim.report.duel_forks import EVERYBODY, Extreme, ForkCount, Sorting, list_cells
from lcsim.report.duel_tally import ExpeditionTally
from lcsim.report.frames import build_frame, spread
from lcsim.report.restrictions import Twins, Worth
from lcsim.report.source import Source
from lcsim.rules.duel.cards import COLORS
from lcsim.stats.estimate import Estimate
from lcsim.strategy.spec import split_restriction

DESCRIBED, WITHOUT, MARGINAL = "described", "without", "marginal"
UNITS = {
    DESCRIBED: ("points an expedition", "expeditions with wagers"),
    WITHOUT: ("points a game", "deals"),
    MARGINAL: ("points a wager", "wagers"),
}
"""What each answer is in, and what it is counted from."""

EXTREME_COLUMNS = ("points", "strategy", "matchup", "deal", "rotation", "round", "turn", "card")


def summarise_three(
    order: Iterable[str],
    tally: ExpeditionTally,
    without: Mapping[str, dict[str, Worth]],
    forks: ForkCount | None,
) -> pd.DataFrame:
    """Return one row a strategy and answer: described, without, marginal.

    `points` are in `unit`, which differs from answer to answer, and so does what `n` counts:
    expeditions with wagers, deals, or wagers. `win_rate` is a share of games: a game
    for the second, a wager for the third; the first has none. A strategy that laid no wager has an
    empty third answer.
    """
    rows = []
    for label in order:
        described = tally.compare_wagers(label)
        if described is not None:
            n = tally.read(label, ALL).x - tally.read(label, column_of(wagers=0)).x
            rows.append(_describe(label, DESCRIBED, described, None, n=n))
        if label in without:
            score, wins = without[label]["score"].diff, without[label]["win_rate"].diff
            rows.append(_describe(label, WITHOUT, score, wins, n=score.n))
        if forks is not None and label in forks.sums and not _is_barred(label):
            points, wins_each = (forks.estimate(label, value) for value in ("points", "wins"))
            n = forks.sums[label].count(0)
            rows.append(_describe(label, MARGINAL, points, wins_each, n=n))
    return build_frame(rows, ("strategy", "answer", "unit", "points", "points_se"))


def _describe(
    label: str, answer: str, points: Estimate | None, wins: Estimate | None, *, n: int
) -> dict[str, Any]:
    unit, counted = UNITS[answer]
    row: dict[str, Any] = {"strategy": label, "answer": answer, "unit": unit}
    row |= spread("points", points, interval=True) | spread("win_rate", wins, interval=True)
    return row | {"n": n, "counted": counted}


def _is_barred(label: str) -> bool:
    restriction = split_restriction(label)[1].partition("#")[0]
    return "no-wagers" in restriction.split("+")


def map_without(
    worths: Iterable[tuple[str, list[tuple[Twins, dict[str, Worth]]]]],
) -> dict[str, dict[str, Worth]]:
    """Return what wagers are worth to each strategy that met its twin's opponents, by its label."""
    return {
        twins.free: worth for text, found in worths if text == "no-wagers" for twins, worth in found
    }


def summarise_marginal(forks: ForkCount, order: Iterable[str]) -> pd.DataFrame:
    """Return one row a strategy: the mean value of the wagers it laid, and how many it lays a game.

    The row without a strategy is over all of them. `points` are own points a wager, `margin` those
    less the opponent's, `win_rate` games won a wager, `paid` the share of wagers that brought
    points.
    """
    rows = []
    for label in _list_labels(forks, order):
        row = {"strategy": label or None} | spread("wagers", forks.estimate_wagers(label))
        rows.append(row | _value(forks, label, 0))
    return build_frame(rows)


def summarise_sorted(forks: ForkCount, order: Iterable[str], sorting: Sorting) -> pd.DataFrame:
    """Return one row a strategy and band of a sorting, as `summarise_marginal`.

    `band` counts the bands from 0; its name stands in the column called as the sorting's key.
    """
    return build_frame(
        {"strategy": label or None, "band": band, sorting.key: name} | _value(forks, label, cell)
        for label in _list_labels(forks, order)
        for band, (name, cell) in enumerate(list_cells(sorting))
    )


def _list_labels(forks: ForkCount, order: Iterable[str]) -> Iterator[str]:
    """Yield EVERYBODY where there are several, then the strategies that may lay wagers."""
    own = [label for label in order if label in forks.sums and not _is_barred(label)]
    if len(own) > 1:
        yield EVERYBODY
    yield from own


def _value(forks: ForkCount, label: str, cell: int) -> dict[str, Any]:
    sums = forks.sums[label]
    return (
        spread("points", sums.estimate(cell, "points"), interval=True)
        | spread("margin", sums.estimate(cell, "margin"))
        | spread("win_rate", sums.estimate(cell, "wins"), interval=True)
        | spread("paid", sums.estimate(cell, "paid"))
        | {"n_wagers": sums.count(cell), "n_deals": sums.count_groups(cell)}
    )


def summarise_extremes(forks: ForkCount, source: Source) -> pd.DataFrame:
    """Return one row a wager that brought most, or cost most: where it was, and how to see it.

    `own` and `opponent` are the game's totals, seen from whoever laid it, and `…_without` those
    with the best other move. `round` and `turn` count from 0. `replay` tells the game as it was
    played, `replay_without` the other one.
    """
    specs = {entrant.label: entrant.spec for entrant in source.entrants}
    return build_frame(
        (_tell(one, specs, source) for one in (*forks.gains, *forks.losses)), EXTREME_COLUMNS
    )


def _tell(one: Extreme, specs: Mapping[str, str], source: Source) -> dict[str, Any]:
    place = one.place
    played = [specs[label] for label in one.matchup.labels]
    barred = list(played)
    card = f"{COLORS[place.color]}w"
    joint = "+" if split_restriction(played[place.strategy])[1] else "@"
    barred[place.strategy] += f"{joint}no-lay={card}:{place.round}.{place.turn}"
    row: dict[str, Any] = {"points": one.value, "strategy": one.matchup.labels[place.strategy]}
    row |= {"matchup": one.matchup.label, "deal": place.deal, "rotation": place.rotation}
    row |= {"round": place.round, "turn": place.turn, "card": card}
    own, rival = place.strategy, 1 - place.strategy
    row |= {"own": one.chosen[own], "opponent": one.chosen[rival]}
    row |= {"own_without": one.other[own], "opponent_without": one.other[rival]}
    for name, commanded in (("replay", played), ("replay_without", barred)):
        row[name] = write_replay_command(
            commanded,
            ruleset=one.matchup.ruleset,
            seed=source.seed,
            deal=place.deal,
            rotation=place.rotation,
            folders=source.folders,
        )
    return row
