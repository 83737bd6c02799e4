"""Counts the board game while the parts go by: pawns by space, and where the points come from.

A round's row keeps the space of every pawn and whose is the leader, so what each brought follows
from the ruleset's points. What is kept are sums over deals (all rounds, rotations and matchups of a
strategy on one deal together), and of their products, apart for deals that different matchups have
played: a deal of four players brings other sums than one of two.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lcsim.report.tally import Matchups, Play, SumTable, freeze_layers, merge_named
from lcsim.rules.board.cards import COLORS
from lcsim.rules.board.outcome import ENDINGS
from lcsim.stats.pooled import Layers

PARTS = ("explorers", "leader", "vp", "artefact_points", "floor")
"""What a score is made of; `floor` is what "never fewer than 0 points" gives back."""

LENGTHS = ("rounds", "turns", *(f"ended_{ending}" for ending in ENDINGS))

_COUNTED = (
    "games",
    "rounds",
    "points",
    *PARTS,
    "doubling",
    "opened",
    "leaders",
    "crossed",
    "crossed_leaders",
    "steps",
    "leader_steps",
    "artefacts",
    "brought",
    "profits",
)

_BY_OPENED = ("rounds", "opened", "brought", "profits")


class BoardTally:
    """Sums over deals of every strategy's pawns, tiles and points under one ruleset.

    Variables of a strategy: `games`, `rounds`; `points` a game and its PARTS, which add up to it;
    `doubling`, what the leader brought beyond an explorer in its place; `opened` expeditions,
    `leaders` among their pawns, `crossed` and `crossed_leaders` beyond the bridge; `steps` and
    `leader_steps`, the spaces they reached, added up; `artefacts`; `brought`, the points of all
    pawns, and `profits`, the pawns that brought more than 0; `pawns_S` and `leaders_S` on space S;
    `kept_N`, games that ended with N artefacts, the last also for more; `rounds_K`, rounds in which
    K expeditions were opened, and `opened_K`, `brought_K` and `profits_K` in those.

    LENGTHS are summed over all matchups by number of players.
    """

    def __init__(self, ruleset: Any) -> None:
        self.points = np.array([0, *ruleset.space_points], dtype=np.int64)
        self.factor = int(ruleset.leader_factor)
        self.bridge = int(ruleset.bridge_after)
        self.crossings = int(ruleset.crossings_to_end)
        self.n_colors = int(ruleset.colors)
        self.artefact_points = tuple(ruleset.artefact_points)
        self.names = (
            *_COUNTED,
            *(f"pawns_{space}" for space in self.spaces),
            *(f"leaders_{space}" for space in self.spaces),
            *(f"kept_{number}" for number in range(len(self.artefact_points))),
            *(f"{name}_{opened}" for opened in self.numbers for name in _BY_OPENED),
        )
        self.tables: dict[tuple[str, Matchups], SumTable] = {}
        self.lengths: dict[tuple[int, Matchups], SumTable] = {}
        self._open: dict[str, NDArray[np.int64]] = {}
        self._open_lengths: dict[int, NDArray[np.int64]] = {}
        self._open_matchups: set[int] = set()

    @property
    def spaces(self) -> range:
        """The spaces of a path, from 1."""
        return range(1, len(self.points))

    @property
    def numbers(self) -> range:
        """How many expeditions a player may open in a round, from 1."""
        return range(1, self.n_colors + 1)

    def add(self, play: Play) -> None:
        """Count the games of one matchup on the deals of the open segment."""
        self._open_matchups.add(play.matchup)
        for number, label in enumerate(play.labels):
            values = np.stack(self._count(play, number), axis=1)
            self._open[label] = self._open[label] + values if label in self._open else values
        n, lengths = len(play.labels), _count_lengths(play)
        open_lengths = self._open_lengths
        open_lengths[n] = open_lengths[n] + lengths if n in open_lengths else lengths

    def close_segment(self) -> None:
        """Turn the open segment's counts by deal into sums over deals."""
        matchups = frozenset(self._open_matchups)
        for label, values in self._open.items():
            self.tables.setdefault((label, matchups), SumTable(self.names)).add(values)
        for n, lengths in self._open_lengths.items():
            self.lengths.setdefault((n, matchups), SumTable(LENGTHS)).add(lengths)
        self._open.clear()
        self._open_lengths.clear()
        self._open_matchups.clear()

    def merge(self, other: BoardTally) -> None:
        """Add the sums of other deals."""
        merge_named(self.tables, other.tables)
        merge_named(self.lengths, other.lengths)

    def read(self, label: str) -> Layers:
        """Return the moments of a strategy's variables."""
        return freeze_layers(self.tables, label)

    def read_lengths(self) -> dict[int, Layers]:
        """Return the moments of LENGTHS over all matchups, by number of players."""
        return {n: freeze_layers(self.lengths, n) for n in sorted({n for n, _ in self.lengths})}

    def _count(self, play: Play, number: int) -> list[NDArray[np.int64]]:
        rows, n_deals = play.rows, len(play.rows)
        spaces = _stack_spaces(rows, number, self.n_colors)
        leader = _find_leaders(rows, number, spaces)
        by_round = rows[f"space_points_{number}"].astype(np.int64)
        brought, profits = _add_up(by_round), self._count_profits(spaces, leader)
        by_leader = _add_up(self.points[leader])
        vp, artefact_points = (_add_up(rows[f"{n}_{number}"]) for n in ("vp", "artefact_points"))
        points = play.points[:, :, number].sum(axis=1)
        kept = rows[f"artefacts_{number}"].sum(axis=2, dtype=np.int64)
        counted = [
            np.full(n_deals, rows.shape[1], dtype=np.int64),
            np.full(n_deals, rows[0].size, dtype=np.int64),
            points,
            brought - self.factor * by_leader,
            self.factor * by_leader,
            vp,
            artefact_points,
            points - brought - vp - artefact_points,
            (self.factor - 1) * by_leader,
            _add_up(spaces > 0),
            _add_up(leader > 0),
            _add_up(spaces > self.bridge),
            _add_up(leader > self.bridge),
            _add_up(spaces),
            _add_up(leader),
            kept.sum(axis=1),
            brought,
            _add_up(profits),
        ]
        counted += [_add_up(spaces == space) for space in self.spaces]
        counted += [_add_up(leader == space) for space in self.spaces]
        last = len(self.artefact_points) - 1
        counted += [_add_up(np.minimum(kept, last) == n) for n in range(last + 1)]
        opened = (spaces > 0).sum(axis=-1)
        for n in self.numbers:
            which = opened == n
            counted += [_add_up(one * which) for one in (which, opened, by_round, profits)]
        return counted

    def _count_profits(
        self, spaces: NDArray[np.int64], leader: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the pawns of each round that brought more than 0 points."""
        worth = self.points > 0
        profits: NDArray[np.int64] = worth[spaces].sum(axis=-1)
        return profits if self.factor > 0 else profits - worth[leader]


def count_pawns(ruleset: Any, play: Play) -> dict[str, NDArray[np.int64]]:
    """Return `opened` expeditions and `crossed` pawns of each strategy, summed over a deal."""
    spaces = [
        _stack_spaces(play.rows, number, int(ruleset.colors)) for number in range(len(play.labels))
    ]
    return {
        "opened": np.stack([_add_up(one > 0) for one in spaces], axis=1),
        "crossed": np.stack([_add_up(one > int(ruleset.bridge_after)) for one in spaces], axis=1),
    }


def _stack_spaces(rows: NDArray[Any], number: int, n_colors: int) -> NDArray[np.int64]:
    """Return the space of a strategy's pawn on each path, (n_deals, rotations, rounds, paths)."""
    names = [f"space_{number}_{color}" for color in COLORS[:n_colors]]
    return np.stack([rows[name] for name in names], axis=-1).astype(np.int64)


def _find_leaders(rows: NDArray[Any], number: int, spaces: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the space of a strategy's leader in each round; 0 where it did not set out."""
    path = rows[f"leader_{number}"].astype(np.int64)
    found = np.take_along_axis(spaces, np.maximum(path, 0)[..., None], axis=-1)[..., 0]
    leaders: NDArray[np.int64] = np.where(path >= 0, found, 0)
    return leaders


def _count_lengths(play: Play) -> NDArray[np.int64]:
    rows = play.rows
    rounds = np.full(len(rows), rows[0].size, dtype=np.int64)
    ends = [(rows["ended_by"] == place).sum(axis=(1, 2)) for place in range(len(ENDINGS))]
    return np.stack([rounds, _add_up(rows["turns"]), *ends], axis=1)


def _add_up(values: NDArray[Any]) -> NDArray[np.int64]:
    """Return the sum of all that belongs to a deal."""
    total: NDArray[np.int64] = values.reshape(len(values), -1).sum(axis=1, dtype=np.int64)
    return total
