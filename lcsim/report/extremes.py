"""The games that stand out: found while the parts go by, one of each kind whatever is played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from lcsim.report.tally import Play


@dataclass(frozen=True, slots=True)
class Kind:
    """What makes a game stand out: a value of every game, strategy or round, the largest of all.

    `measure` returns it as (n_deals, n_rotations, n_places). The places are the strategies where
    `names_strategy`, and the rounds where `names_round`. A lead of 0 belongs to nobody. Where the
    smallest is wanted, `sign` is -1 and the measure is the value's negative.
    """

    name: str
    title: str
    unit: str
    measure: Callable[[Play], NDArray[Any]]
    names_strategy: bool = True
    names_round: bool = False
    is_lead: bool = False
    sign: int = 1


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a game is: ordered as they are played, so that the first of equals is kept."""

    matchup: int
    deal: int
    rotation: int
    index: int


@dataclass(frozen=True, slots=True)
class Extreme:
    """The game that has the largest value of a kind, as measured."""

    measured: int
    place: Place

    def beats(self, other: Extreme) -> bool:
        """Tell whether this one is kept of the two: the larger, of equals the first."""
        return (-self.measured, self.place) < (-other.measured, other.place)


def _measure_margins(play: Play) -> NDArray[Any]:
    """Return by how much each strategy leads the best other one."""
    best = np.sort(play.points, axis=2)
    others = np.where(play.points == best[..., -1:], best[..., -2:-1], best[..., -1:])
    margins: NDArray[Any] = play.points - others
    return margins


KINDS = (
    Kind("largest_margin", "largest winning margin", "points", _measure_margins, is_lead=True),
    Kind("highest_score", "highest score", "points", lambda play: play.points),
    Kind("lowest_score", "lowest score", "points", lambda play: -play.points, sign=-1),
    Kind(
        "longest_round",
        "longest round",
        "turns",
        lambda play: play.rows["turns"],
        names_strategy=False,
        names_round=True,
    ),
)


class ExtremeTally:
    """The game of each kind among those that have gone by."""

    def __init__(self) -> None:
        self.found: dict[str, Extreme] = {}

    def add(self, play: Play) -> None:
        """Look through the games of one matchup on some deals."""
        for kind in KINDS:
            values = kind.measure(play)
            deal, rotation, index = np.unravel_index(int(values.argmax()), values.shape)
            place = Place(
                play.matchup,
                int(play.rows["deal"][deal, 0, 0]),
                int(rotation),
                int(index),
            )
            self._keep(kind.name, Extreme(int(values[deal, rotation, index]), place))

    def merge(self, other: ExtremeTally) -> None:
        """Add the games of other deals."""
        for name, extreme in other.found.items():
            self._keep(name, extreme)

    def list_extremes(self) -> Iterator[tuple[Kind, Extreme]]:
        """Yield the kinds, each with its game."""
        yield from ((kind, self.found[kind.name]) for kind in KINDS if kind.name in self.found)

    def _keep(self, name: str, extreme: Extreme) -> None:
        if name not in self.found or extreme.beats(self.found[name]):
            self.found[name] = extreme
