"""Two rulesets side by side: one more pass over the parts.

A deal depends on the deck alone, so rulesets that share a deck share its deals. What a matchup did
on a deal under one ruleset is set beside what it did there under the other, and every difference
takes its error from the deals. Where the decks differ, a deal's number stands for other cards: such
rulesets are compared too, unpaired.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lcsim.report.blocks import Block, PartReader, plan_blocks
from lcsim.report.slices import find_slice, mark_slices
from lcsim.report.tally import Play, SumTable
from lcsim.rules import get_game, parse_ruleset
from lcsim.stats.estimate import Moments

if TYPE_CHECKING:
    from lcsim.report.games import Extra
    from lcsim.report.source import Matchup, Source

BASE, OTHER = "base", "other"
SEGMENT_DEALS = 8192
"""As many as a unit mostly has, so that a part is read once."""

Key = tuple[str, str]
ALL: Key = ("", "")
Columns = dict[str, NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class Pairing:
    """What `other` changes against `base`: moments of both over the deals that both have.

    `is_paired` tells whether a deal is the same cards under both. `sums` go by (matchup, strategy):
    ALL for everything, ("", strategy) for a strategy over all its matchups, (matchup, strategy) for
    its games in one. Variables are `base:NAME` and `other:NAME` for the names of `name_columns`.
    `slices` are the sums of ALL and of each strategy in slices of the deals.
    """

    base: str
    other: str
    is_paired: bool
    sums: Mapping[Key, Moments]
    slices: Mapping[Key, tuple[Moments, ...]]


def pair_rulesets(source: Source, extra: Extra) -> list[Pairing]:
    """Compare each ruleset of a run with one before it, where they have a matchup in common."""
    pairings = []
    for base, other, is_paired in choose_pairs(source.rulesets, extra.deck_fields):
        sides = (source.list_matchups(base), source.list_matchups(other))
        second = {matchup.labels: matchup for matchup in sides[1]}
        pairs = [(m, second[m.labels]) for m in sides[0] if m.labels in second]
        counter = _count(source, extra, pairs)
        if counter.tables:
            pairings.append(Pairing(base, other, is_paired, *counter.freeze()))
    return pairings


def choose_pairs(
    rulesets: tuple[str, ...], deck_fields: tuple[str, ...]
) -> list[tuple[str, str, bool]]:
    """Return (base, other, whether they are paired) for each ruleset but the first.

    The base is the first ruleset with the same deck, or else the first of all.
    """
    found: list[tuple[str, str, bool]] = []
    first: dict[tuple[Any, ...], str] = {}
    for text in rulesets:
        ruleset = parse_ruleset(text)
        deck = tuple(getattr(ruleset, name) for name in deck_fields)
        if first:
            found.append((first.get(deck, rulesets[0]), text, deck in first))
        first.setdefault(deck, text)
    return found


def name_columns(endings: tuple[str, ...], measures: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of what is summed on each side.

    `seats` are players times games, and `seat_rounds` players times rounds; `points` and measures
    are summed over the players meant, wins and draws are in twelfths.
    """
    shared = ("games", "rounds", "seats", "seat_rounds", "turns", "draws", "starter_wins")
    return (*shared, "points", "wins", *(f"ended_{ending}" for ending in endings), *measures)


class _Counter:
    """The sums of one pairing while they are filled."""

    def __init__(self, source: Source, extra: Extra) -> None:
        self.game = get_game(source.kind)
        self.extra = extra
        self.names = name_columns(self.game.endings, extra.measures)
        self.tables: dict[Key, dict[int, SumTable]] = {}
        self._open: dict[Key, NDArray[np.int64]] = {}

    def add(self, pair: tuple[Matchup, Matchup], rows: tuple[NDArray[Any], ...]) -> None:
        """Count one matchup's games of the open segment under both rulesets."""
        sides = [self._measure(*side) for side in zip(pair, rows, strict=True)]
        self._keep(ALL, [side.total for side in sides])
        for number, strategy in enumerate(pair[0].labels):
            columns = [side.seats[number] for side in sides]
            self._keep(("", strategy), columns)
            self._keep((pair[0].label, strategy), columns)

    def _measure(self, matchup: Matchup, rows: NDArray[Any]) -> _Side:
        ruleset = parse_ruleset(matchup.ruleset)
        settled = self.game.settle_games(ruleset, rows)
        play = Play(matchup.number, matchup.labels, rows, *settled)
        return _measure(play, self.game.endings, self.extra.measure(ruleset, play))

    def close_segment(self, number: int) -> None:
        """Sum up the open segment's deals, of slice `number`: all matchups have been added."""
        names = [f"{side}:{name}" for side in (BASE, OTHER) for name in self.names]
        for key, values in self._open.items():
            slices = self.tables.setdefault(key, {})
            slices.setdefault(0 if key[0] else number, SumTable(names)).add(values)
        self._open.clear()

    def freeze(self) -> tuple[dict[Key, Moments], dict[Key, tuple[Moments, ...]]]:
        """Return all sums, and those in slices."""
        slices = {
            key: tuple(tables[number].freeze() for number in sorted(tables))
            for key, tables in self.tables.items()
        }
        sums = {key: functools.reduce(operator.add, parts) for key, parts in slices.items()}
        return sums, {key: parts for key, parts in slices.items() if not key[0]}

    def _keep(self, key: Key, sides: list[Columns]) -> None:
        values = np.stack([side[name] for side in sides for name in self.names], axis=1)
        self._open[key] = self._open[key] + values if key in self._open else values


@dataclass(frozen=True, slots=True)
class _Side:
    """A matchup's columns by deal: of all its players together, and of each."""

    total: Columns
    seats: tuple[Columns, ...]


def _measure(play: Play, endings: tuple[str, ...], own: Columns) -> _Side:
    rows, wins = play.rows, play.win_twelfths
    n_deals, n_rotations, n = play.points.shape
    starters = [(-rotation) % n for rotation in range(n_rotations)]
    games = np.full(n_deals, n_rotations, dtype=np.int64)
    rounds = np.full(n_deals, rows[0].size, dtype=np.int64)
    shared = {
        "games": games,
        "rounds": rounds,
        "turns": rows["turns"].sum(axis=(1, 2), dtype=np.int64),
        "draws": 12 * (wins.max(axis=2) < 12).sum(axis=1),
        "starter_wins": wins[:, range(n_rotations), starters].sum(axis=1),
    }
    for place, ending in enumerate(endings):
        shared[f"ended_{ending}"] = (rows["ended_by"] == place).sum(axis=(1, 2))
    by_seat = {"points": play.points.sum(axis=1), "wins": wins.sum(axis=1), **own}
    total = {name: values.sum(axis=1) for name, values in by_seat.items()}
    return _Side(
        shared | {"seats": n * games, "seat_rounds": n * rounds} | total,
        tuple(
            shared
            | {"seats": games, "seat_rounds": rounds}
            | {name: values[:, number] for name, values in by_seat.items()}
            for number in range(n)
        ),
    )


def _count(source: Source, extra: Extra, pairs: list[tuple[Matchup, Matchup]]) -> _Counter:
    counter = _Counter(source, extra)
    numbers = {matchup.number for pair in pairs for matchup in pair}
    pieces = [piece for piece in source.pieces if piece.matchup in numbers]
    marks = mark_slices(pieces)
    for block in plan_blocks(pieces):
        reader = PartReader()
        for first, end in block.cut(SEGMENT_DEALS, marks=marks):
            for pair in pairs:
                sides = [_read(block, reader, matchup, first, end) for matchup in pair]
                for rows in zip(*sides, strict=False):
                    counter.add(pair, rows)
            counter.close_segment(find_slice(marks, first))
    return counter


def _read(
    block: Block, reader: PartReader, matchup: Matchup, first: int, end: int
) -> list[NDArray[Any]]:
    pieces = [piece for piece in block.pieces if piece.matchup == matchup.number]
    return list(reader.read_segment(pieces, len(matchup.labels), first=first, end=end))
