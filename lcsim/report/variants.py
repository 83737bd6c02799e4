"""What one ruleset changes against another: differences, and what pairing saves in their errors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pandas as pd

from lcsim.report.frames import build_frame, spread
from lcsim.report.pairing import ALL, BASE, OTHER, Key, Pairing
from lcsim.stats.estimate import TWELFTHS, Estimate, Moments
from lcsim.stats.jackknife import jackknife
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
    """A quantity under both rulesets, and the difference: other less base.

    `independent` is the difference as it would be of samples that have nothing in common.
    """

    base: Estimate
    other: Estimate
    diff: Estimate
    independent: Estimate


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


def compare_quantity(
    moments: Moments, quantity: Quantity, *, is_paired: bool = True
) -> Change | None:
    """Return a quantity under both rulesets and the difference; None where one has no game.

    Unpaired, the errors of both add up.
    """
    names = [
        (f"{side}:{quantity.numerator}", f"{side}:{quantity.denominator}") for side in (BASE, OTHER)
    ]
    base, other = (moments.ratio(*pair) for pair in names)
    diff = compare_ratios(moments, names[1], names[0])
    if base is None or other is None or diff is None:
        return None
    se = None if base.se is None or other.se is None else math.hypot(base.se, other.se)
    independent = Estimate(diff.mean, se, diff.n)
    scale = float(Fraction(1, quantity.unit))
    found = (base, other, diff if is_paired else independent, independent)
    return Change(*(value.scaled(scale) for value in found))


def measure_pairing(pairing: Pairing, label: str, quantity: Quantity) -> Estimate | None:
    """Return the variance of a strategy's paired difference by that of independent samples.

    None where neither varies.
    """

    def share(moments: Moments) -> float | None:
        change = compare_quantity(moments, quantity)
        if change is None or change.diff.se is None or not change.independent.se:
            return None
        return (change.diff.se / change.independent.se) ** 2

    names = {
        f"{side}:{name}"
        for side in (BASE, OTHER)
        for name in (quantity.numerator, quantity.denominator)
    }
    slices = pairing.slices["", label]
    return jackknife([part.select(sorted(names)) for part in slices], share)


def summarise_overall(pairing: Pairing, quantities: Iterable[Quantity]) -> pd.DataFrame:
    """Return one row a quantity over everything that both rulesets played.

    `diff` is the value under `ruleset` less that under the one it is held `against`; deal by deal
    where `is_paired`.
    """
    moments = pairing.sums[ALL]
    return build_frame(
        _name(pairing)
        | {"quantity": quantity.name, "title": quantity.title, "is_share": quantity.is_share}
        | {"n_deals": moments.n, "n_games": moments.total("other:games")}
        | _spread("", compare_quantity(moments, quantity, is_paired=pairing.is_paired))
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
    row = _name(pairing)
    row |= {"matchup": key[0]} if key[0] else {}
    row |= {"strategy": key[1], "n_deals": moments.n, "n_games": moments.total("other:games")}
    for quantity in quantities:
        change = compare_quantity(moments, quantity, is_paired=pairing.is_paired)
        row |= _spread(f"{quantity.name}_", change)
    return row


def summarise_pairing(pairing: Pairing, order: Iterable[str]) -> pd.DataFrame:
    """Return one row a strategy and quantity: the share of the variance that pairing leaves."""
    rows = []
    for label in order:
        for quantity in (SCORE, WIN_RATE):
            if ("", label) in pairing.sums:
                left = measure_pairing(pairing, label, quantity)
                row: dict[str, Any] = {"ruleset": pairing.other, "against": pairing.base}
                row |= {"strategy": label, "quantity": quantity.name}
                row |= {"n_deals": pairing.sums["", label].n}
                rows.append(row | spread("variance_left", left))
    return build_frame(rows)


def _name(pairing: Pairing) -> dict[str, Any]:
    return {
        "ruleset": pairing.other,
        "against": pairing.base,
        "is_paired": pairing.is_paired,
    }


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
        if moments is None:
            continue
        change = compare_quantity(moments, quantity, is_paired=pairing.is_paired)
        if change is not None:
            yield label, change
