"""Counts the forks of a run: what each wager laid was worth, over all and by what it was.

A row of a fork part is one wager laid: the game's totals as it was played, and with the best other
move there. What a strategy's wagers on a deal were worth is added up over its matchups before any
error is taken, as for everything else in a report.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lcsim.errors import PartError
from lcsim.report.blocks import Block, plan_blocks
from lcsim.report.tally import SumTable
from lcsim.stats.estimate import Estimate, Moments
from lcsim.stats.marginal import MarginalSums, tabulate_moves, value_moves
from lcsim.store import read_part

if TYPE_CHECKING:
    from lcsim.report.source import Matchup, Piece, Source

SEGMENT_DEALS = 1024
"""As many as a unit of forks mostly has, so that a part is read once."""

N_EXTREMES = 5
_CACHE_BYTES = 64 * 2**20
EVERYBODY = ""
"""Stands for all strategies together."""


@dataclass(frozen=True, slots=True)
class Sorting:
    """One way to sort wagers: by a column of the forks, in bands `edges[i] .. edges[i + 1] - 1`.

    The last band has no end, and where `is_open` its name says so; what lies below the first edge
    belongs to the first band. `shift` is added to a band when it is shown.
    """

    key: str
    column: str
    title: str
    edges: tuple[int, ...]
    shift: int = 0
    is_open: bool = True

    def place(self, forks: NDArray[Any]) -> NDArray[np.int64]:
        """Return the band of each wager."""
        bands = np.searchsorted(self.edges, forks[self.column], side="right") - 1
        return np.maximum(bands, 0)

    def name_bands(self) -> list[str]:
        """Return what each band is called: "3", "11–20", "61 and more"."""
        names: list[str] = []
        for low, end in pairwise(self.edges):
            first, last = low + self.shift, end - 1 + self.shift
            names.append(str(first) if first == last else f"{first}–{last}")
        top = str(self.edges[-1] + self.shift)
        return [*names, f"{top} and more" if self.is_open else top]


SORTINGS = (
    Sorting("cards", "cards", "cards of the color in hand", (1, 2, 3, 4, 5, 6)),
    Sorting("wager", "wager", "wager of the expedition", (1, 2, 3), is_open=False),
    Sorting("turn", "turn", "turn of the round", tuple(range(0, 51, 10)), shift=1),
    Sorting("held", "held", "points of the color in hand", (0, 5, 10, 15, 20, 25, 30)),
)
"""Cards in hand include the wager itself; turns are those of both seats, from 1."""

N_CELLS = 1 + sum(len(sorting.edges) for sorting in SORTINGS)


def list_cells(sorting: Sorting) -> Iterator[tuple[str, int]]:
    """Yield the name and the cell of each band of a sorting; cell 0 holds all wagers."""
    first = 1
    for one in SORTINGS:
        if one is sorting:
            break
        first += len(one.edges)
    for place, name in enumerate(sorting.name_bands()):
        yield name, first + place


class Place(NamedTuple):
    """Where a wager was laid, as the columns of a fork say: `turn` counts from 0."""

    deal: int
    rotation: int
    strategy: int
    round: int
    turn: int
    color: int


@dataclass(frozen=True, slots=True)
class Extreme:
    """A wager that was worth very much, or very little: what it was, and its game's totals."""

    value: int
    matchup: Matchup
    place: Place
    chosen: tuple[int, int]
    other: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ForkCount:
    """What the forks of one ruleset give: `sums` by strategy and for EVERYBODY.

    `wagers` has the moments of `wagers` and `games` of each. `gains` begins with the wager that
    brought most points, `losses` with the one that cost most, one a game. `n_games` counts games
    forked.
    """

    sums: Mapping[str, MarginalSums]
    wagers: Mapping[str, Moments]
    gains: tuple[Extreme, ...]
    losses: tuple[Extreme, ...]
    n_games: int
    n_deals: int

    def estimate(self, label: str, value: str, cell: int = 0) -> Estimate | None:
        """Return the mean value of the wagers of a cell; None for a strategy that laid none."""
        return self.sums[label].estimate(cell, value) if label in self.sums else None

    def estimate_wagers(self, label: str) -> Estimate | None:
        """Return how many wagers a strategy lays a game; EVERYBODY is both players' mean."""
        return self.wagers[label].ratio("wagers", "games") if label in self.wagers else None


def count_forks(source: Source, ruleset: str) -> ForkCount | None:
    """Count the forks played under a ruleset; None where there are none.

    Raises PartError for a part that is damaged or does not fit the run.
    """
    matchups = {
        matchup.number: matchup for matchup in source.matchups if matchup.ruleset == ruleset
    }
    pieces = [piece for piece in source.fork_pieces if piece.matchup in matchups]
    if not pieces:
        return None
    counter = _Counter(matchups)
    for block in plan_blocks(pieces):
        counter.add_block(block)
    return counter.freeze()


class _Counter:
    """The sums of one ruleset while they are filled."""

    def __init__(self, matchups: Mapping[int, Matchup]) -> None:
        self.matchups = matchups
        self.sums: dict[str, MarginalSums] = {}
        self.wagers: dict[str, SumTable] = {}
        self.extremes: list[Extreme] = []
        self.n_games = 0
        self.n_deals = 0
        self._kept: OrderedDict[Piece, NDArray[Any]] = OrderedDict()

    def add_block(self, block: Block) -> None:
        for first, end in block.cut(SEGMENT_DEALS):
            shares = (
                (self.matchups[piece.matchup], _cut(self._read(piece), first, end))
                for piece in block.pieces
                if piece.first_deal <= first and end <= piece.end
            )
            self._add_segment(shares, first, end - first)

    def _read(self, piece: Piece) -> NDArray[Any]:
        """Return a part's forks; the latest parts are kept, as far as memory bears it."""
        if piece not in self._kept:
            self._kept[piece] = _read(piece)
        rows = self._kept[piece]
        while len(self._kept) > 1 and sum(r.nbytes for r in self._kept.values()) > _CACHE_BYTES:
            self._kept.popitem(last=False)
        return rows

    def _add_segment(
        self, shares: Iterable[tuple[Matchup, NDArray[Any]]], first: int, n_deals: int
    ) -> None:
        tables: dict[str, NDArray[np.int64]] = {}
        games: dict[str, int] = {}
        for matchup, forks in shares:
            n_rotations = len(matchup.labels)
            self.n_games += n_deals * n_rotations
            values = value_moves(
                forks["strategy"].astype(np.int64),
                *(
                    np.stack([forks[f"{of}_0"], forks[f"{of}_1"]], axis=1)
                    for of in ("score", "other")
                ),
            )
            self._keep_extremes(matchup, forks, values[:, 0])
            for number, label in enumerate(matchup.labels):
                own = forks["strategy"] == number
                table = _tabulate(forks[own], values[own], first, n_deals)
                for name in (label, EVERYBODY):
                    tables[name] = tables[name] + table if name in tables else table
                    games[name] = games.get(name, 0) + n_rotations
        self.n_deals += n_deals if tables else 0
        for name, table in tables.items():
            self.sums.setdefault(name, MarginalSums(N_CELLS)).add(table)
            counts = np.stack([table[0, :, 0], np.full(n_deals, games[name])], axis=1)
            self.wagers.setdefault(name, SumTable(("wagers", "games"))).add(counts)

    def _keep_extremes(
        self, matchup: Matchup, forks: NDArray[Any], points: NDArray[np.int64]
    ) -> None:
        games = forks["deal"] * len(matchup.labels) + forks["rotation"]
        picked: set[int] = set()
        for signed in (points, -points):
            order = np.argsort(signed, kind="stable")
            firsts = np.sort(np.unique(games[order], return_index=True)[1])
            picked.update(order[firsts[:N_EXTREMES]].tolist())
        for at in sorted(picked):
            row = forks[at]
            place = Place(*(int(row[name]) for name in Place._fields))
            chosen, other = (
                (int(row[f"{of}_0"]), int(row[f"{of}_1"])) for of in ("score", "other")
            )
            self.extremes.append(Extreme(int(points[at]), matchup, place, chosen, other))
        gains, losses = self._choose_extremes()
        self.extremes = list(dict.fromkeys((*gains, *losses)))

    def _choose_extremes(self) -> tuple[tuple[Extreme, ...], tuple[Extreme, ...]]:
        """Return the largest gains and losses, one a game; of equals the first as played."""
        ordered = sorted(self.extremes, key=lambda one: (one.matchup.number, one.place))
        gains = sorted((one for one in ordered if one.value > 0), key=lambda one: -one.value)
        losses = sorted((one for one in ordered if one.value < 0), key=lambda one: one.value)
        return _choose_games(gains), _choose_games(losses)

    def freeze(self) -> ForkCount:
        gains, losses = self._choose_extremes()
        wagers = {name: table.freeze() for name, table in self.wagers.items()}
        return ForkCount(self.sums, wagers, gains, losses, self.n_games, self.n_deals)


def _choose_games(ordered: list[Extreme]) -> tuple[Extreme, ...]:
    """Return the first extremes, leaving out further ones of the same game."""
    chosen: dict[tuple[int, ...], Extreme] = {}
    for one in ordered:
        chosen.setdefault((one.matchup.number, one.place.deal, one.place.rotation), one)
    return tuple(chosen.values())[:N_EXTREMES]


def _tabulate(
    forks: NDArray[Any], values: NDArray[np.int64], first: int, n_deals: int
) -> NDArray[np.int64]:
    cells = [np.zeros(len(forks), dtype=np.int64)]
    start = 1
    for sorting in SORTINGS:
        cells.append(start + sorting.place(forks))
        start += len(sorting.edges)
    return tabulate_moves(forks["deal"] - first, cells, values, shape=(n_deals, N_CELLS))


def _read(piece: Piece) -> NDArray[Any]:
    """Return the forks of a part, in the order of their deals.

    Raises PartError where they are not those of the piece.
    """
    rows = read_part(piece.path).rows
    deals = rows["deal"] if rows.dtype.names and "deal" in rows.dtype.names else None
    wanted = {
        *Place._fields,
        *(one.column for one in SORTINGS),
        "score_0",
        "score_1",
        "other_0",
        "other_1",
    }
    fits = deals is not None and wanted <= set(rows.dtype.names or ())
    if fits and len(rows):
        assert deals is not None
        fits = bool((np.diff(deals) >= 0).all())
        fits = fits and piece.first_deal <= deals[0] and deals[-1] < piece.end
    if not fits:
        raise PartError(
            f"the part {piece.path} does not hold the forks of its unit",
            hint="delete that file and give the command of the run again: only its unit is forked",
        )
    return rows


def _cut(rows: NDArray[Any], first: int, end: int) -> NDArray[Any]:
    start, stop = np.searchsorted(rows["deal"], (first, end))
    return rows[start:stop]
