"""What a restriction takes from a strategy: itself and its restricted twin, on the same deals.

A twin is the same strategy with something forbidden, `balanced@no-wagers` to `balanced`. Where both
met the same opponents, the difference of their results on the same deals is what the forbidden
thing is worth to the strategy. Where they met each other, that is told apart: there, what one gains
the other loses.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from lcsim.report.frames import (
    build_frame,
    spread,
    subtract_weights,
    weigh_margins,
    weigh_scores,
    weigh_wins,
)
from lcsim.stats.estimate import Estimate
from lcsim.stats.paired import compare_scores
from lcsim.stats.pooled import combine_layers
from lcsim.strategy.spec import split_restriction

if TYPE_CHECKING:
    import pandas as pd

    from lcsim.report.collect import Collected
    from lcsim.report.source import Matchup, Source

_WORDS = {
    "no-wagers": "laying wagers",
    "no-discard-draws": "drawing from discard piles",
    "no-leader": "the leader",
    "max-expeditions": "opening more than {} expeditions",
    "no-lay": "laying {}",
}


@dataclass(frozen=True, slots=True)
class Twins:
    """A strategy, its restricted twin and the matchups in which both met the same opponents.

    `shared` gives, by the opponents' names, the strategy's matchup and the twin's; `mirrors` are
    the matchups in which they met each other.
    """

    free: str
    restricted: str
    restriction: str
    shared: Mapping[str, tuple[Matchup, Matchup]]
    mirrors: tuple[Matchup, ...]


@dataclass(frozen=True, slots=True)
class Worth:
    """One quantity of the strategy, of its twin, and the paired difference.

    `unpaired` is the error the difference would have if the two had been dealt different cards.
    """

    free: Estimate
    restricted: Estimate
    diff: Estimate
    unpaired: float | None

    @property
    def variance_left(self) -> Estimate | None:
        """Return the variance of the difference as a share of that from different cards.

        It is 1 - r, with r the intraclass correlation of the two over deals; its error is the
        large-sample one of such a correlation, (1 - r^2) / sqrt(n - 1) (Fisher, Statistical Methods
        for Research Workers, section 39). None where nothing varies.
        """
        if self.diff.se is None or not self.unpaired:
            return None
        left = (self.diff.se / self.unpaired) ** 2
        error = max(left * (2 - left), 0.0) / math.sqrt(self.diff.n - 1)
        return Estimate(left, error, self.diff.n)


def describe_restriction(text: str) -> str:
    """Return in words what a restriction forbids: "laying wagers and laying R5"."""
    return " and ".join(map(_describe_item, text.split("+")))


def _describe_item(item: str) -> str:
    body, colon, place = item.partition(":")
    name, _, value = body.partition("=")
    words = _WORDS.get(name, f"what @{body} forbids").format(value)
    if value == "1" and words.endswith("s"):
        words = words[:-1]
    round_, _, turn = place.partition(".")
    return f"{words} at turn {turn} of round {round_} (from 0)" if colon else words


def find_twins(collected: Collected, source: Source) -> list[Twins]:
    """Return the restricted strategies that can be held against their free twins, as listed."""
    specs = {entrant.label: entrant.spec for entrant in source.entrants}
    free = {specs[label]: label for label in reversed(collected.labels)}
    found = []
    for label in collected.labels:
        base, restriction = split_restriction(specs[label])
        twin = free.get(base)
        if not restriction or twin is None or free[specs[label]] != label:
            continue
        first, second = _list_opponents(collected, twin), _list_opponents(collected, label)
        shared = {" and ".join(key): (first[key], second[key]) for key in first if key in second}
        mirrors = tuple(m for m in collected.matchups if {twin, label} <= set(m.labels))
        if shared or mirrors:
            found.append(Twins(twin, label, restriction, shared, mirrors))
    return found


def _list_opponents(collected: Collected, label: str) -> dict[tuple[str, ...], Matchup]:
    return {
        tuple(sorted(one for one in matchup.labels if one != label)): matchup
        for matchup in collected.matchups
        if label in matchup.labels
    }


def measure_twins(
    collected: Collected, twins: Twins, opponents: str | None = None
) -> dict[str, Worth]:
    """Return what the forbidden thing is worth, in "score", "margin" and "win_rate".

    Over all shared opponents, which weigh the same, or against those named. Points and shares of
    the wins are a game; the margin is the score less the mean of the opponents' in the same game.
    """
    chosen = list(twins.shared.values()) if opponents is None else [twins.shared[opponents]]
    first, second = ([pair[side] for pair in chosen] for side in (0, 1))
    weigh = {"score": weigh_scores, "margin": weigh_margins, "win_rate": weigh_wins}
    return {
        name: _measure(collected, make(first, twins.free), make(second, twins.restricted))
        for name, make in weigh.items()
    }


def _measure(
    collected: Collected, free: dict[str, Fraction], restricted: dict[str, Fraction]
) -> Worth:
    means = [combine_layers(collected.layers, weights) for weights in (free, restricted)]
    errors = [mean.se for mean in means]
    diff = combine_layers(collected.layers, subtract_weights(free, restricted))
    unpaired = None if None in errors else math.hypot(*(error or 0.0 for error in errors))
    return Worth(means[0], means[1], diff, unpaired)


def summarise_restrictions(collected: Collected, twins: list[Twins]) -> pd.DataFrame:
    """Return one row a restricted strategy: its free twin less itself, over shared opponents.

    `score`, `margin` and `win_rate` are the differences, free less restricted, a game, and
    `…_variance_left` the share of the variance that playing the same deals leaves of them.
    `n_games` counts the games of the free one.
    """
    return build_frame(_summarise(collected, one, None) for one in twins if one.shared)


def summarise_by_opponent(collected: Collected, twins: list[Twins]) -> pd.DataFrame:
    """Return one row a restricted strategy and shared opponent, as `summarise_restrictions`."""
    return build_frame(
        _summarise(collected, one, opponents) for one in twins for opponents in one.shared
    )


def _summarise(collected: Collected, twins: Twins, opponents: str | None) -> dict[str, Any]:
    chosen = twins.shared.values() if opponents is None else [twins.shared[opponents]]
    row = _name(collected, twins) | ({} if opponents is None else {"opponent": opponents})
    row |= {"n_opponents": len(twins.shared)} if opponents is None else {}
    games = sum(collected.games[free.number].total("games") for free, _ in chosen)
    for name, worth in measure_twins(collected, twins, opponents).items():
        row |= {f"{name}_free": worth.free.mean, f"{name}_restricted": worth.restricted.mean}
        row |= spread(name, worth.diff, interval=True)
        row |= spread(f"{name}_variance_left", worth.variance_left)
        row |= {"n_deals": worth.diff.n}
    return row | {"n_games": games}


def summarise_mirrors(collected: Collected, twins: list[Twins]) -> pd.DataFrame:
    """Return one row a matchup in which a strategy met its restricted twin.

    `win_rate` is the free one's share of the wins and `fair_share` what equals would have; `score`
    is its score less its twin's in the same games.
    """
    rows = []
    for one in twins:
        for matchup in one.mirrors:
            games = collected.games[matchup.number]
            free, other = (matchup.labels.index(label) for label in (one.free, one.restricted))
            rate = combine_layers(collected.layers, weigh_wins([matchup], one.free))
            row = _name(collected, one) | {"matchup": matchup.label}
            row |= spread("win_rate", rate, interval=True) | {"fair_share": 1 / len(matchup.labels)}
            row |= spread("score", compare_scores(games, free, other), interval=True)
            rows.append(row | {"n_games": games.total("games"), "n_deals": games.n})
    return build_frame(rows)


def _name(collected: Collected, twins: Twins) -> dict[str, Any]:
    return {
        "ruleset": collected.ruleset,
        "strategy": twins.free,
        "restricted": twins.restricted,
        "restriction": twins.restriction,
        "words": describe_restriction(twins.restriction),
    }


def list_worths(
    collected: Collected, twins: list[Twins]
) -> Iterator[tuple[str, list[tuple[Twins, dict[str, Worth]]]]]:
    """Yield each restriction, and what it takes from each strategy that shared opponents with it.

    Restrictions and strategies come in the order in which they are listed.
    """
    for text in dict.fromkeys(one.restriction for one in twins if one.shared):
        own = [one for one in twins if one.restriction == text and one.shared]
        yield text, [(one, measure_twins(collected, one)) for one in own]
