"""The search that strategies can be built on: which move turns out best in worlds played on."""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba.extending import register_jitable

from lcsim.rules.simulate import ask_guest, deal_world, try_move

FIRST_LOOK = 24  # worlds, before any move is dropped
CLEARLY_BEHIND = 1.5  # standard errors at which a move is dropped


@register_jitable
def pick_move(
    table: npt.NDArray[Any],
    moves: npt.NDArray[np.int64],
    samples: float,
    doubt: float,
    stakes: tuple[float, float],
) -> int:
    """Return the best of `moves` on a table: the guest's, unless another is clearly better.

    All moves meet the same worlds, and what each gains on the guest's own is summed up. From time
    to time those that are clearly behind the best are dropped (a race, after Moore and Lee,
    1994), until only the guest's is left or `samples` rounds have been tried. The best move is
    taken if its mean gain is above `doubt` times the standard error of that.

    moves: int64 (n,), n > 0, the legal ones; they come back in another order. Where the guest's is
    not among them (it may be forbidden to this seat), the first takes its place. samples: how many
    rounds are tried at most, each move once at least. stakes: the points that it is worth to win
    this round, and those by which it begins ahead; (0, 0) where points are all.
    """
    guests, n = ask_guest(table), len(moves)
    for i in range(n):
        if moves[i] == guests:
            moves[0], moves[i] = guests, moves[0]
    gains, squares, worlds, tried = np.zeros(n), np.zeros(n), 0, 0
    while n > 1 and tried < samples:
        affordable = int((samples - tried) / n)
        more = max(min(max(FIRST_LOOK, worlds // 2), affordable), 1)
        _try_moves(table, moves[:n], (gains, squares), range(worlds, worlds + more), stakes)
        worlds += more
        tried += more * n
        n = _drop_moves(moves[:n], gains, squares, worlds)
    best = int(np.argmax(gains[:n]))
    if best > 0 and gains[best] / worlds <= doubt * _find_error(gains[best], squares[best], worlds):
        best = 0
    move: int = moves[best]
    return move


@register_jitable
def _try_moves(table, moves, sums, worlds, stakes):
    """Add up what moves gain on the first of them, and the squares, in a range of worlds."""
    gains, squares = sums
    for world in worlds:
        deal_world(table, world)
        value = _judge(try_move(table, moves[0]), stakes)
        for i in range(1, len(moves)):
            gain = _judge(try_move(table, moves[i]), stakes) - value
            gains[i] += gain
            squares[i] += gain * gain


@register_jitable
def _judge(margin, stakes):
    """Return what a margin of this round is worth."""
    lead = margin + stakes[1]
    return margin + stakes[0] * ((lead > 0) - 1.0 * (lead < 0))


@register_jitable
def _drop_moves(moves, gains, squares, worlds):
    """Bring the moves to the front that are not clearly behind the best; return how many.

    The guest's, which gains nothing on itself, stays the first.
    """
    top, n = np.max(gains[: len(moves)]) / worlds, 1
    for i in range(1, len(moves)):
        error = _find_error(gains[i], squares[i], worlds)
        if gains[i] / worlds + CLEARLY_BEHIND * error >= top:
            moves[n], moves[i] = moves[i], moves[n]
            gains[n], gains[i] = gains[i], gains[n]
            squares[n], squares[i] = squares[i], squares[n]
            n += 1
    return n


@register_jitable
def _find_error(gain, square, worlds):
    """Return the standard error of a mean gain, at least that of a spread of one point."""
    mean = gain / worlds
    return np.sqrt(max(square / worlds - mean * mean, 1.0) / worlds)
