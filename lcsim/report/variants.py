"""What one ruleset changes against another: paired differences, and the sentences about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pandas as pd

from lcsim.report.frames import build_frame, spread
from lcsim.report.pairing import ALL, BASE, OTHER, Key, Pairing
from lcsim.stats.estimate import TWELFTHS, Estimate, Moments
from lcsim.stats.paired import compare_ratios


@dataclass(frozen=True, slots=True)
class Quantity:
    """A ratio of two columns of a pairing: `unit` parts make one; a share is shown in percent."""

    name: str
    title: str
    numerator: str
    denominator: str
    unit: int = 1
    is_share: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A quantity under both rulesets, and the paired difference: other less base."""

    base: Estimate
    other: Estimate
    diff: Estimate


SCORE = Quantity("score", "mean score a game", "points", "seats")
WIN_RATE = Quantity("win_rate", "win rate", "wins", "games", TWELFTHS, is_share=True)
TURNS = Quantity("turns", "turns a round", "turns", "rounds")
DRAWS = Quantity("draw_rate", "shared wins", "draws", "games", TWELFTHS, is_share=True)
STARTER = Quantity(
    "starter_win_rate",
    "wins of the seat that starts",
    "starter_wins",
    "games",
    TWELFTHS,
    is_share=True,
)


def list_endings(endings: Iterable[str]) -> list[Quantity]:
    """Return the shares of rounds by how they ended."""
    return [
        Quantity(
            f"ended_{name}",
            f"rounds ended by {name.replace('_', ' ')}",
            f"ended_{name}",
            "rounds",
            is_share=True,
        )
        for name in endings
    ]


def list_measures(measures: Mapping[str, str]) -> list[Quantity]:
    """Return what the game itself counts, a player and round."""
    return [
        Quantity(name, f"{title} a round", name, "seat_rounds") for name, title in measures.items()
    ]


def compare_quantity(moments: Moments, quantity: Quantity) -> Change | None:
    """Return a quantity under both rulesets and the difference; None where one has no game."""
    names = [
        (f"{side}:{quantity.numerator}", f"{side}:{quantity.denominator}") for side in (BASE, OTHER)
    ]
    base, other = (moments.ratio(*pair) for pair in names)
    diff = compare_ratios(moments, names[1], names[0])
    if base is None or other is None or diff is None:
        return None
    scale = float(Fraction(1, quantity.unit))
    return Change(base.scaled(scale), other.scaled(scale), diff.scaled(scale))


def summarise_overall(pairing: Pairing, quantities: Iterable[Quantity]) -> pd.DataFrame:
    """Return one row a quantity over everything that both rulesets played.

    `diff` is the value under `ruleset` less that under `base`, taken deal by deal.
    """
    moments = pairing.sums[ALL]
    return build_frame(
        {"ruleset": pairing.other, "base": pairing.base, "quantity": quantity.name}
        | {"title": quantity.title, "is_share": quantity.is_share, "n_deals": moments.n}
        | _spread("", compare_quantity(moments, quantity))
        for quantity in quantities
    )


def summarise_strategies(
    pairing: Pairing, order: Iterable[str], quantities: Iterable[Quantity]
) -> pd.DataFrame:
    """Return one row a strategy, over all its matchups: each quantity, and its difference."""
    listed = list(quantities)
    keys = [("", label) for label in order if ("", label) in pairing.sums]
    return build_frame(_describe(pairing, key, listed) for key in keys)


def summarise_seats(pairing: Pairing, quantities: Iterable[Quantity]) -> pd.DataFrame:
    """Return one row a matchup and strategy in it: each quantity, and its difference."""
    listed = list(quantities)
    return build_frame(_describe(pairing, key, listed) for key in pairing.sums if key[0])


def _describe(pairing: Pairing, key: Key, quantities: list[Quantity]) -> dict[str, Any]:
    moments = pairing.sums[key]
    row: dict[str, Any] = {"ruleset": pairing.other, "base": pairing.base}
    row |= {"matchup": key[0]} if key[0] else {}
    row |= {"strategy": key[1], "n_deals": moments.n, "n_games": moments.total("other:games")}
    for quantity in quantities:
        row |= _spread(f"{quantity.name}_", compare_quantity(moments, quantity))
    return row


def _spread(prefix: str, change: Change | None) -> dict[str, Any]:
    base, other, diff = (change.base, change.other, change.diff) if change else (None,) * 3
    return (
        spread(f"{prefix}base", base)
        | spread(f"{prefix}other", other)
        | spread(f"{prefix}diff", diff, interval=True)
    )


def list_changes(
    pairing: Pairing, labels: Iterable[str], quantity: Quantity
) -> Iterator[tuple[str, Change]]:
    """Yield the change of a quantity for each of the strategies that both rulesets had."""
    for label in labels:
        moments = pairing.sums.get(("", label))
        change = compare_quantity(moments, quantity) if moments else None
        if change is not None:
            yield label, change
