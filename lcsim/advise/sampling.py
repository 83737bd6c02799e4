"""Every move of a position tried in sampled worlds: first to choose one, then to measure them all.

The best of several moves looks better in the worlds it was chosen in than it is. So one set of
worlds chooses, and fresh ones measure: neither a choice nor a move given up early touches them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lcsim.errors import LcsimError, StrategyBrokeError
from lcsim.rules.simulate import deal_world, try_move
from lcsim.rules.underway import Decision, OverrunError, sign_in
from lcsim.stats.estimate import Estimate

BATCH = 250
FEWEST = 1000  # worlds that measure a move, where a precision is asked
CLEARLY_WORSE = 5.0  # standard errors at which a move is out of the question
FRESH = 2**40  # worlds from here on measure

Margins = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]
Report = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Sample:
    """A move and its margins, int64 (n,), in the first n of the worlds that measure."""

    move: int
    margins: Margins


@dataclass(frozen=True, slots=True)
class Budget:
    """How many worlds there may be: `samples`, or as many as a `precision` needs, at most those.

    A precision is the half-width of the 95 % interval of the best move's lead on the next, points.
    """

    samples: int
    precision: float | None


@dataclass(slots=True)
class Count:
    """How many times moves have been tried."""

    value: int = 0


class Trials:
    """A table laid out, and the margins found on it so far, by move."""

    def __init__(
        self, table: Any, tries: Count, *, first: int, tell: Callable[[int], None]
    ) -> None:
        """`first` is the number of its first world; `tell` hears how many worlds are done."""
        self._table, self._tries, self._first, self._tell = table, tries, first, tell
        self.margins: dict[int, Margins] = {}

    def extend(self, moves: Sequence[int], n: int) -> None:
        """Try moves, all with the same worlds behind them, until they have `n`."""
        parts = []
        begun = len(self.margins.get(moves[0], ()))
        for start in range(begun, n, BATCH):
            parts.append(self._try_moves(moves, range(start, min(start + BATCH, n))))
            self._tell(min(start + BATCH, n))
        if parts:
            for move, found in zip(moves, np.concatenate(parts).T, strict=True):
                before = self.margins.get(move)
                self.margins[move] = found if before is None else np.concatenate([before, found])

    def _try_moves(self, moves: Sequence[int], worlds: range) -> Margins:
        """Return the margins, int64 (n worlds, n moves)."""
        margins = np.empty((len(worlds), len(moves)), np.int64)
        for row, world in enumerate(worlds):
            deal_world(self._table, self._first + world)
            for column, move in enumerate(moves):
                margins[row, column] = try_move(self._table, move)
                self._tries.value += 1
        return margins


def sample_worlds(
    lay_out: Callable[[], Any],
    guest: Any,
    moves: Sequence[int],
    budget: Budget,
    *,
    value: Callable[[Margins], Values],
    report: Report | None = None,
) -> tuple[int, list[Sample]]:
    """Return the move chosen, and for every move its margins in worlds that had no say in that.

    `lay_out` gives the table. `value` is what margins are worth, by which is chosen. `report` hears
    "choosing" or "measuring", the worlds done and the most there can be. With a precision, moves
    that are not in question have fewer worlds.

    Raises StrategyBrokeError where the guest breaks.
    """
    limit = budget.samples

    def tell(what: str) -> Callable[[int], None]:
        return lambda done: report(what, done, limit) if report else None

    with _watch_guest(guest) as tries:
        table = lay_out()
        chosen, rivals = moves[0], list(moves[1:])
        if rivals:
            trials = Trials(table, tries, first=0, tell=tell("choosing"))
            chosen, rivals = _choose(trials, moves, budget, value)
        trials = Trials(table, tries, first=FRESH, tell=tell("measuring"))
        _measure(trials, moves, [chosen, *rivals], budget)
    return chosen, [Sample(move, trials.margins[move]) for move in moves]


@contextmanager
def _watch_guest(guest: Any) -> Iterator[Count]:
    """Let a watcher see that the guest plays, by the rounds it has played, and blame it."""
    loaded = guest.loaded
    guest.watch()

    def blame(error: Exception) -> StrategyBrokeError:
        line = loaded.decider.lines.get(guest.decision)
        hint = f"`lcsim strategies check {loaded.spec}` looks for the reason."
        if isinstance(error, OverrunError):
            hint = "Mend what takes so long there, or allow more seconds with --decision-limit."
        return StrategyBrokeError(
            f"{loaded.path}, line {line}: {loaded.name} broke when it played on from this position "
            f"({guest.decision}): {error}",
            hint=hint,
            path=loaded.path,
            line=line,
        )

    tries = Count()
    try:
        with sign_in(Decision(blame, lambda: tries.value)):
            yield tries
    except LcsimError:
        raise
    except Exception as error:
        raise blame(error) from error


def _choose(
    trials: Trials, moves: Sequence[int], budget: Budget, value: Callable[[Margins], Values]
) -> tuple[int, list[int]]:
    """Return the best move, and those that may be the next.

    It goes on until all others are clearly worse or, with a precision, the best's lead on each that
    is not is known that well.
    """
    n, still = 0, list(moves)
    while True:
        n = _find_next_look(n, budget.samples)
        trials.extend(still, n)
        values = {move: value(trials.margins[move]) for move in still}
        best, *others = sorted(still, key=lambda move: -float(values[move].sum()))
        leads = {move: estimate_mean(values[best] - values[move]) for move in others}
        rivals = [move for move in others if not _is_clear(leads[move])]
        if budget.precision is None:
            still = [best, *rivals]  # the rest cannot be chosen any more
        else:
            after = values[others[0]]
            out = [m for m in others if _is_clear(estimate_mean(after - values[m]))]
            still = [best, *(move for move in others if move not in out)]
            rivals = [move for move in rivals if find_half_width(leads[move]) > budget.precision]
        if not rivals or n >= budget.samples:
            return best, still[1:]


def _measure(
    trials: Trials, moves: Sequence[int], in_question: Sequence[int], budget: Budget
) -> None:
    """Try all moves in fresh worlds; with a precision those in question until it is reached."""
    if budget.precision is None:
        trials.extend(moves, budget.samples)
        return
    n = min(FEWEST, budget.samples)
    trials.extend(moves, n)
    best, *rivals = in_question
    while n < budget.samples:
        lead, second = _find_next(trials.margins, best)
        if second is None or find_half_width(lead) <= budget.precision:
            return
        if second not in rivals:  # against all odds
            rivals.append(second)
            trials.extend([second], n)
            continue
        n = _find_next_look(n, budget.samples)
        trials.extend([best, *rivals], n)


def _find_next(margins: dict[int, Margins], best: int) -> tuple[Estimate, int | None]:
    """Return the best move's lead on the next, and which that is; None where there is no other."""
    leads = [
        (estimate_mean(margins[best][: len(found)] - found), move)
        for move, found in margins.items()
        if move != best
    ]
    return min(leads, key=lambda pair: pair[0].mean, default=(Estimate(0.0, 0.0, 0), None))


def _find_next_look(n: int, limit: int) -> int:
    """Return after how many worlds to look again: a batch, or an eighth where that is more."""
    return min(n + BATCH * max(1, n // (8 * BATCH)), limit)


def _is_clear(lead: Estimate) -> bool:
    return lead.mean > CLEARLY_WORSE * (lead.se or 0.0)


def find_half_width(lead: Estimate) -> float:
    """Return the half-width of the 95 % interval."""
    interval = lead.ci95()
    assert interval is not None
    return (interval[1] - interval[0]) / 2


def estimate_mean(values: npt.NDArray[Any]) -> Estimate:
    """Return the mean of independent values, (n,), and its standard error."""
    n = len(values)
    se = float(values.std(ddof=1)) / n**0.5 if n > 1 else None
    return Estimate(float(values.mean()), se, n)
