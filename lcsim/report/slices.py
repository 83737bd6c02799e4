"""Slices of a run's deals, from which the errors of unusual statistics are taken."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lcsim.report.source import Piece

N_SLICES = 16


def mark_slices(pieces: Iterable[Piece]) -> tuple[int, ...]:
    """Return the first deal of each slice: neighbouring deals, as many in each as can be.

    The marks follow from the deals that were played, not from how parts hold them.
    """
    pieces = list(pieces)
    first = min((piece.first_deal for piece in pieces), default=0)
    n_deals = max((piece.end for piece in pieces), default=0) - first
    marks = (first + n_deals * number // N_SLICES for number in range(N_SLICES))
    return tuple(dict.fromkeys(marks))


def find_slice(marks: tuple[int, ...], deal: int) -> int:
    """Return the number of the slice that holds a deal."""
    return bisect_right(marks, deal) - 1
