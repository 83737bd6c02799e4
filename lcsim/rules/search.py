"""The search that strategies can be built on: which move turns out best in worlds played on."""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba.extending import register_jitable

from lcsim.rules.simulate import ask_guest, deal_world, try_move


@register_jitable
def pick_move(
    table: npt.NDArray[Any],
    moves: npt.NDArray[np.int64],
    samples: float,
    doubt: float,
    stakes: tuple[float, float],
) -> int:
    """Return the best of `moves` on a table: the guest's, unless another is clearly better.

    All moves meet the same worlds. What each gains on the guest's own is summed up, and after each
    stage the worse half of them is dropped (sequential halving, after Karnin, Koren and Somekh,
    2013), until the best one is left: it is taken if its mean gain is above `doubt` times the
    standard error of that.

    moves: int64 (n,), n > 0, the legal ones; they come back in another order. Where the guest's is
    not among them (it may be forbidden to this seat), the first takes its place. samples: how many
    rounds are tried, about. stakes: the points that it is worth to win this round, and those by
    which it begins ahead; (0, 0) where points are all.
    """
    guests, n = ask_guest(table), len(moves)
    for i in range(n):
        if moves[i] == guests:
            moves[0], moves[i] = guests, moves[0]
    base: int = moves[0]
    if n == 1:
        return base
    stages = 1
    while 2**stages < n:
        stages += 1
    gains, squares, worlds = np.zeros(n), np.zeros(n), 0
    for _ in range(stages):
        more = int(samples / stages / n) + 1
        _try_moves(table, moves[:n], (gains, squares), range(worlds, worlds + more), stakes)
        worlds += more
        n = _halve(moves, gains, squares, n)
    mean = gains[1] / worlds
    error = np.sqrt(max(squares[1] / worlds - mean * mean, 1.0) / worlds)
    best: int = moves[1] if mean > doubt * error else base
    return best


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
def _halve(moves, gains, squares, n):
    """Bring the better half of the moves to the front, behind the guest's; return how many."""
    keep = max((n + 1) // 2, 2)
    for i in range(1, keep):
        best = i
        for k in range(i + 1, n):
            if gains[k] > gains[best]:
                best = k
        moves[i], moves[best] = moves[best], moves[i]
        gains[i], gains[best] = gains[best], gains[i]
        squares[i], squares[best] = squares[best], squares[i]
    return keep
