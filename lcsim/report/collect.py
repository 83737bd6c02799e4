"""One pass over the parts of a run, and what it leaves: a few thousand integers a ruleset."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from lcsim.report.blocks import Block, PartReader, plan_blocks
from lcsim.report.extremes import ExtremeTally
from lcsim.report.group_tally import GroupTally
from lcsim.report.slices import find_slice, mark_slices
from lcsim.report.tally import ExtraTally, Play, ScoreTally, SumTable, merge_named, stack_games
from lcsim.rules import get_game, parse_ruleset
from lcsim.stats.buckets import PairSums
from lcsim.stats.estimate import Moments, name_games, tabulate_games
from lcsim.stats.rating import Ratings, rate_strategies

if TYPE_CHECKING:
    from lcsim.report.source import Matchup, Source

BuildExtra = Callable[[Any], ExtraTally] | None

WORKERS = 2


@dataclass(frozen=True, slots=True)
class Collected:
    """Everything counted under one ruleset.

    `games` has the moments of each matchup, by its number: the columns of `tabulate_games`, then
    `rounds`, `turns` and `ended_<ending>`, summed over a deal's rounds. `layers` hold the
    columns of `tabulate_games` of several matchups jointly, named by `name_in_layer`, for
    `combine_layers`. `ratings` are of all that met.
    """

    ruleset: str
    matchups: tuple[Matchup, ...]
    games: Mapping[int, Moments]
    layers: tuple[Moments, ...]
    scores: Mapping[str, ScoreTally]
    extra: ExtraTally | None
    extremes: ExtremeTally = field(default_factory=ExtremeTally)
    groups: GroupTally = field(default_factory=GroupTally)
    ratings: Ratings | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The strategies that played, in the order they first appear."""
        return tuple(dict.fromkeys(label for m in self.matchups for label in m.labels))


def name_in_layer(matchup: int, variable: str) -> str:
    """Return the name that a matchup's variable has in a layer."""
    return f"{matchup}:{variable}"


def collect_run(source: Source, build_extra: BuildExtra = None) -> list[Collected]:
    """Count all parts of the run, ruleset by ruleset; memory does not grow with their number.

    `build_extra` makes the tally, from a ruleset, of what the game counts beside scores and wins.

    Raises PartError for a part that is damaged or does not fit the run.
    """
    return [
        _collect_ruleset(source, text, build_extra)
        for text in source.rulesets
        if source.list_matchups(text)
    ]


def _collect_ruleset(source: Source, text: str, build_extra: BuildExtra) -> Collected:
    matchups = source.list_matchups(text)
    numbers = {matchup.number for matchup in matchups}
    pieces = [piece for piece in source.pieces if piece.matchup in numbers]
    blocks, marks = plan_blocks(pieces), mark_slices(pieces)

    def count(share: list[Block]) -> _Counter:
        counter = _Counter(source.kind, text, matchups, marks, build_extra)
        for block in share:
            counter.add_block(block)
        return counter

    total = count([])
    with ThreadPoolExecutor(WORKERS) as pool:
        for counter in pool.map(count, _deal(blocks)):
            total.merge(counter)
    return total.freeze()


def _deal(blocks: list[Block]) -> list[list[Block]]:
    return [share for share in (blocks[i::WORKERS] for i in range(WORKERS)) if share]


class _Counter:
    """The tallies of one ruleset, while they are filled."""

    def __init__(
        self,
        kind: str,
        text: str,
        matchups: list[Matchup],
        marks: tuple[int, ...],
        build_extra: BuildExtra,
    ) -> None:
        self.game = get_game(kind)
        self.ruleset = parse_ruleset(text)
        self.matchups = {matchup.number: matchup for matchup in matchups}
        self.marks = marks
        self.games: dict[int, SumTable] = {}
        self.layers: dict[frozenset[int], SumTable] = {}
        self.scores: dict[str, ScoreTally] = {}
        self.pairs: dict[int, PairSums] = {}
        self.extremes = ExtremeTally()
        self.groups = GroupTally()
        self.extra = build_extra(self.ruleset) if build_extra else None

    def add_block(self, block: Block) -> None:
        reader = PartReader()
        for first, end in block.cut(marks=self.marks):
            plays = []
            for number, matchup in self.matchups.items():
                pieces = [piece for piece in block.pieces if piece.matchup == number]
                n = len(matchup.labels)
                for rows in reader.read_segment(pieces, n, first=first, end=end):
                    settled = self.game.settle_games(self.ruleset, rows)
                    play = Play(number, matchup.labels, rows, *settled)
                    if self.extra is not None:
                        self.extra.add(play)
                    plays.append(play)
            if plays:
                self._close_segment(plays, find_slice(self.marks, first))

    def _close_segment(self, plays: list[Play], number: int) -> None:
        if self.extra is not None:
            self.extra.close_segment()
        names: list[str] = []
        columns: list[np.ndarray] = []
        for play in plays:
            self.extremes.add(play)
            self.groups.add(play, number)
            table = self._count_games(play)
            joint = len(name_games(len(play.labels))) - 1
            names += [name_in_layer(play.matchup, v) for v in name_games(len(play.labels))[:joint]]
            columns.append(table[:, :joint])
        key = frozenset(play.matchup for play in plays)
        self.layers.setdefault(key, SumTable(names)).add(np.concatenate(columns, axis=1))
        for label, points in stack_games(plays).items():
            self.scores.setdefault(label, ScoreTally()).add(points)

    def _count_games(self, play: Play) -> np.ndarray:
        rows = play.rows
        n_deals = len(rows)
        length = [np.full(n_deals, rows[0].size, dtype=np.int64)]
        length.append(rows["turns"].sum(axis=(1, 2), dtype=np.int64))
        for ending in range(len(self.game.endings)):
            length.append((rows["ended_by"] == ending).sum(axis=(1, 2)))
        games = tabulate_games(play.points, play.win_twelfths)
        table = np.concatenate([games, np.stack(length, axis=1)], axis=1)
        endings = [f"ended_{ending}" for ending in self.game.endings]
        names = [*name_games(len(play.labels)), "rounds", "turns", *endings]
        self.games.setdefault(play.matchup, SumTable(names)).add(table)
        pairs = self.pairs.setdefault(play.matchup, PairSums(len(play.labels)))
        pairs.add(rows["deal"][:, 0, 0], play.points, play.win_twelfths)
        return games

    def merge(self, other: _Counter) -> None:
        merge_named(self.games, other.games)
        merge_named(self.layers, other.layers)
        merge_named(self.scores, other.scores)
        merge_named(self.pairs, other.pairs)
        self.extremes.merge(other.extremes)
        self.groups.merge(other.groups)
        if self.extra is not None:
            self.extra.merge(other.extra)

    def freeze(self) -> Collected:
        return Collected(
            self.ruleset.spec,
            tuple(self.matchups.values()),
            {number: table.freeze() for number, table in self.games.items()},
            tuple(table.freeze() for table in self.layers.values()),
            self.scores,
            self.extra,
            self.extremes,
            self.groups,
            rate_strategies([(m.labels, self.pairs[at]) for at, m in self.matchups.items()]),
        )
