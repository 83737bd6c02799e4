"""The parts of a run in pieces that memory holds: segments of deals, the same in every matchup.

A strategy meets its opponents on the same deals, so what it did on a deal must be added up over its
matchups before any error is taken. Parts are therefore read side by side, a few thousand deals at a
time. Sums are of integers, so neither the size of a segment nor that of a part changes a result.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from lcsim.errors import PartError
from lcsim.stats.rounding import format_count
from lcsim.store import read_part

if TYPE_CHECKING:
    from lcsim.report.source import Piece

SEGMENT_DEALS = 1024
"""Deals counted at a time: many enough that calls cost little beside what they count, few enough
that counts by deal stay small."""

_CACHE_BYTES = 96 * 2**20


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring deals that no part straddles, and the pieces that hold them."""

    first: int
    end: int
    pieces: tuple[Piece, ...]

    def cut(self, size: int = SEGMENT_DEALS, *, marks: Iterable[int] = ()) -> list[tuple[int, int]]:
        """Return segments of up to `size` deals: within one, every piece is whole there or not.

        No segment straddles one of `marks`.
        """
        ends = {mark for mark in marks if self.first < mark < self.end} | {self.first, self.end}
        for piece in self.pieces:
            ends.update((piece.first_deal, piece.end))
        ends.update(range(self.first, self.end, size))
        ordered = sorted(ends)
        return list(pairwise(ordered))


def plan_blocks(pieces: Sequence[Piece]) -> list[Block]:
    """Group pieces into blocks: a block ends where every piece that covers a deal ends."""
    blocks: list[Block] = []
    open_pieces: list[Piece] = []
    end = -1
    for piece in sorted(pieces, key=lambda piece: (piece.first_deal, piece.end, piece.matchup)):
        if open_pieces and piece.first_deal >= end:
            blocks.append(_close(open_pieces))
            open_pieces = []
        open_pieces.append(piece)
        end = max(end, piece.end)
    return [*blocks, _close(open_pieces)] if open_pieces else blocks


class PartReader:
    """Reads parts as (n_deals, n_rotations, n_rounds) rows; keeps the latest in a bounded cache."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Piece, np.ndarray] = OrderedDict()

    def read_segment(
        self, pieces: Sequence[Piece], n_rotations: int, *, first: int, end: int
    ) -> Iterator[np.ndarray]:
        """Yield the rows of deals first .. end from each piece that covers them."""
        for piece in pieces:
            if piece.first_deal <= first and end <= piece.end:
                rows = self._read(piece, n_rotations)
                yield rows[first - piece.first_deal : end - piece.first_deal]

    def _read(self, piece: Piece, n_rotations: int) -> np.ndarray:
        if piece in self._kept:
            self._kept.move_to_end(piece)
            return self._kept[piece]
        rows = shape_rows(piece, read_part(piece.path).rows, n_rotations)
        self._kept[piece] = rows
        while len(self._kept) > 1 and sum(r.nbytes for r in self._kept.values()) > _CACHE_BYTES:
            self._kept.popitem(last=False)
        return rows


def shape_rows(piece: Piece, rows: np.ndarray, n_rotations: int) -> np.ndarray:
    """Return flat rows by deal, rotation and round.

    Raises PartError where they are not those of the piece, each once and in order.
    """
    groups = piece.n_deals * n_rotations
    n_rounds = len(rows) // groups if groups else 0
    if groups == 0 or n_rounds * groups != len(rows) or n_rounds == 0:
        raise _strange(
            piece,
            f"it has {format_count(len(rows), 'row')} for {format_count(piece.n_deals, 'deal')}",
        )
    shaped = rows.reshape(piece.n_deals, n_rotations, n_rounds)
    deals = np.arange(piece.first_deal, piece.end)[:, None, None]
    rotations = np.arange(n_rotations)[None, :, None]
    rounds = np.arange(n_rounds)[None, None, :]
    for name, wanted in (("deal", deals), ("rotation", rotations), ("round", rounds)):
        if not np.array_equal(shaped[name], np.broadcast_to(wanted, shaped.shape)):
            raise _strange(piece, f"its column {name!r} is not that of the unit")
    return shaped


def _close(pieces: Sequence[Piece]) -> Block:
    return Block(
        min(piece.first_deal for piece in pieces),
        max(piece.end for piece in pieces),
        tuple(pieces),
    )


def _strange(piece: Piece, what: str) -> PartError:
    return PartError(
        f"the part {piece.path} does not fit the run: {what}",
        hint="delete that file and give the command of the run again: only its unit is replayed",
    )
