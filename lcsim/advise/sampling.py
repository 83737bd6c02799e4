"""Every move of a position tried in the same sampled worlds, and what came out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lcsim.advise.position import Position, Room
from lcsim.errors import LcsimError, StrategyBrokeError
from lcsim.rules.simulate import deal_world, try_move
from lcsim.rules.underway import Decision, sign_in
from lcsim.stats.estimate import Estimate
from lcsim.strategy import LoadedStrategy

BATCH = 250
MOST_WORLDS = 200_000
CLEARLY_WORSE = 5.0  # standard errors at which a move is tried no more, where a precision is asked

Margins = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sample:
    """A move and its margins, int64 (n,), in worlds 0 .. n - 1."""

    move: int
    margins: Margins


@dataclass(slots=True)
class Count:
    """How many times moves have been tried."""

    value: int = 0


def sample_worlds(
    position: Position,
    room: Room,
    guest: Any,
    rng: Any,
    moves: Sequence[int],
    *,
    samples: int,
    precision: float | None,
) -> list[Sample]:
    """Try the moves in `samples` worlds, or until the lead of the best is known to `precision`.

    A precision is the half-width of the 95 % interval of the best move's lead on the second. Then a
    move that is clearly worse than the best is tried no more, and has fewer worlds.

    Raises StrategyBrokeError where the guest breaks.
    """
    found: dict[int, list[Margins]] = {move: [] for move in moves}
    open_moves = list(moves)
    limit = samples if precision is None else MOST_WORLDS
    with _watch_guest(guest.loaded) as tries:
        table = room.lay_out(position, guest, rng)
        for first in range(0, limit, BATCH):
            worlds = range(first, min(first + BATCH, limit))
            tried = _try_moves(table, open_moves, worlds, tries)
            for move, margins in zip(open_moves, tried.T, strict=True):
                found[move].append(margins)
            if precision is not None:
                open_moves = _drop_worse({m: np.concatenate(found[m]) for m in open_moves})
                if _is_precise([np.concatenate(found[m]) for m in open_moves], precision):
                    break
    return [Sample(move, np.concatenate(parts)) for move, parts in found.items()]


@contextmanager
def _watch_guest(loaded: LoadedStrategy) -> Iterator[Count]:
    """Let a watcher see that the guest plays, by the rounds it has played, and blame it."""

    def blame(error: Exception) -> StrategyBrokeError:
        return StrategyBrokeError(
            f"{loaded.path}: {loaded.name} broke when it played on from this position: {error}",
            hint=f"`lcsim strategies check {loaded.spec}` looks for the reason.",
            path=loaded.path,
        )

    tries = Count()
    try:
        with sign_in(Decision(blame, lambda: tries.value)):
            yield tries
    except LcsimError:
        raise
    except Exception as error:
        raise blame(error) from error


def _try_moves(table: Any, moves: Sequence[int], worlds: range, tries: Count) -> Margins:
    """Return the margins, int64 (n worlds, n moves)."""
    margins = np.empty((len(worlds), len(moves)), np.int64)
    for row, world in enumerate(worlds):
        deal_world(table, world)
        for column, move in enumerate(moves):
            margins[row, column] = try_move(table, move)
            tries.value += 1
    return margins


def _drop_worse(found: dict[int, Margins]) -> list[int]:
    """Return the moves that are not clearly worse than the best; all have the same worlds."""
    best = max(found.values(), key=lambda margins: int(margins.sum()))
    kept = []
    for move, margins in found.items():
        behind = estimate_mean(best - margins)
        if behind.mean <= CLEARLY_WORSE * (behind.se or 0.0):
            kept.append(move)
    return kept


def _is_precise(found: list[Margins], precision: float) -> bool:
    if len(found) < 2:
        return True
    ranked = sorted(found, key=lambda margins: -int(margins.sum()))
    interval = estimate_mean(ranked[0] - ranked[1]).ci95()
    return interval is not None and (interval[1] - interval[0]) / 2 <= precision


def estimate_mean(values: npt.NDArray[Any]) -> Estimate:
    """Return the mean of independent values, (n,), and its standard error."""
    n = len(values)
    se = float(values.std(ddof=1)) / n**0.5 if n > 1 else None
    return Estimate(float(values.mean()), se, n)
