"""What to do in a position: its moves ranked by what they bring, each number with its error."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Literal

import numpy as np

from lcsim.advise.judge import Judge
from lcsim.advise.position import Position, check_seed
from lcsim.advise.sampling import (
    Budget,
    Margins,
    Report,
    estimate_mean,
    find_half_width,
    sample_worlds,
)
from lcsim.advise.text import find_room
from lcsim.errors import CountError, SpecError, UsageError
from lcsim.rules.streams import SIMULATION_STREAM, Stream
from lcsim.stats.estimate import Estimate
from lcsim.stats.rounding import format_count, format_estimate, format_percent
from lcsim.strategy import LoadedStrategy, check_code, load_strategy
from lcsim.strategy.base import BATCH
from lcsim.strategy.guest import CompiledGuest

Goal = Literal["margin", "wins"]
GOALS = ("margin", "wins")
SAMPLES = 2000
MOST_SAMPLES = 1_000_000
CAP = 200_000
"""The most worlds for a precision, where no number is given."""
POLICY = "tuned"


@dataclass(frozen=True, slots=True)
class Option:
    """A move: the margin it leads to, the share of games it wins, and how far it is behind.

    `lag` and `win_lag` are the best move's less this one's, over the worlds that both were measured
    in, with the errors of these differences; None for the best move itself. As that was chosen in
    other worlds, they may also be below 0.
    """

    move: int
    name: str
    margin: Estimate
    wins: Estimate
    lag: Estimate | None
    win_lag: Estimate | None


@dataclass(frozen=True, slots=True)
class Advice:
    """The moves of a position, best first by `goal`, when `policy` plays on for all.

    `precision` is the half-width that was asked for, in points.
    """

    position: Position
    policy: str
    goal: Goal
    seed: int
    options: tuple[Option, ...]
    precision: float | None = None

    @property
    def best(self) -> Option:
        """The move with the best estimate, in worlds before those of the other numbers."""
        return self.options[0]

    @property
    def rivals(self) -> tuple[Option, ...]:
        """The moves that cannot be told from the best, or are not different from it."""
        return tuple(one for one in self.options[1:] if not self._is_behind(self._find_lag(one)))

    @property
    def equals(self) -> tuple[Option, ...]:
        """Those of the rivals that did as well as the best in every world."""
        return tuple(one for one in self.rivals if self._find_lag(one) == _same(one.margin.n))

    @property
    def lead_width(self) -> float | None:
        """The half-width of the 95 % interval of the lead on the next move; None without one."""
        return find_half_width(self._find_lag(self.options[1])) if self.options[1:] else None

    @property
    def is_precise(self) -> bool | None:
        """Whether the lead is known to the precision; None where none was asked."""
        if self.precision is None or self.lead_width is None:
            return None
        return self.lead_width <= self.precision

    @property
    def sentence(self) -> str:
        """What to do, in a few sentences."""
        return f"{self._say_best()}{self._note_wins()}{self._note_precision()}"

    def _say_best(self) -> str:
        best, others = self.best, self.options[1:]
        name = best.name[0].upper() + best.name[1:]
        wins = f"wins {format_percent(best.wins.mean, best.wins.se)} of games"
        if not others:
            return f"{name}: there is no other move; it {wins}."
        if not self.rivals:
            return f"{name}: {self._say_lead(others[0])}; it {wins}."
        names = _join_names([name, *(one.name for one in self.rivals)])
        if self.rivals != self.equals:
            return f"{names}: too close to tell apart.{self._note_equals()}"
        if len(self.rivals) == len(others):
            return f"{names}: equal in every world."
        second = others[len(self.rivals)]
        return f"{names}: equal in every world, and {self._say_lead(second)}."

    def _say_lead(self, second: Option) -> str:
        lag = self._find_lag(second)
        if self.goal == "wins":
            return f"{format_percent(lag.mean, lag.se)} of games more than {second.name}"
        return f"{format_estimate(lag.mean, lag.se)} points better than {second.name}"

    def _note_equals(self) -> str:
        """Return a sentence about moves that are equal in every world, among those too close."""
        if not self.equals:
            return ""
        names = _join_names([self.best.name, *(one.name for one in self.equals)], last="and")
        return f" Of these, {names} are equal in every world."

    def _note_wins(self) -> str:
        """Return a sentence where another move clearly wins more games."""
        for one in self.options[1:]:
            lag = one.win_lag
            if self.goal == "margin" and lag and self._is_behind(lag.scaled(-1)):
                more = format_percent(-lag.mean, lag.se)
                return f" But to {one.name} wins {more} of games more."
        return ""

    def _note_precision(self) -> str:
        """Return a sentence where the precision was missed."""
        if self.is_precise is not False:
            return ""
        worlds = format_count(self.best.margin.n, "world")
        return (
            f" The lead is known to ± {self.lead_width:.2g} points (95 %) after {worlds}, the most "
            f"there may be, and not to ± {self.precision:g}."
        )

    def _find_lag(self, option: Option) -> Estimate:
        lag = option.lag if self.goal == "margin" else option.win_lag
        assert lag is not None
        return lag

    def _is_behind(self, lag: Estimate) -> bool:
        """Tell whether a lag is above 0, at 95 % for all that are looked at together."""
        limit = NormalDist().inv_cdf(1 - 0.025 / max(len(self.options) - 1, 1))
        return lag.se is not None and lag.mean > limit * lag.se


def _same(n: int) -> Estimate:
    """Return the lag of a move that is never behind nor ahead."""
    return Estimate(0.0, 0.0, n)


def _join_names(names: list[str], *, last: str = "or") -> str:
    """Return a list in words, of at most four."""
    shown = names[:4] if len(names) > 4 else names[:-1]
    rest = len(names) - len(shown)
    return f"{', '.join(shown)} {last} {f'{rest} others' if rest > 1 else names[-1]}"


def advise(
    position: Position,
    *,
    policy: str = POLICY,
    samples: int | None = None,
    precision: float | None = None,
    goal: Goal = "margin",
    seed: int = 42,
    folders: Sequence[Path] = (),
    notify: Callable[[str], None] | None = None,
    report: Report | None = None,
) -> Advice:
    """Return the moves of a position, ranked.

    What the seat to move cannot see is dealt anew, in agreement with all that it knows; every move
    is made in each of these worlds, and `policy`, a strategy's spec, plays on for all seats. Up to
    `samples` worlds (2,000) choose the best move; as many others, which have not flattered it,
    measure them all. With `precision` the worlds are as many as it takes to know the best move's
    lead on the next to that half-width of a 95 % interval, in points, and `samples` (200,000) the
    most. The same arguments give the same advice.

    `notify` hears of compiling, `report` of "choosing" or "measuring", with the worlds done and the
    most there can be.

    Raises:
        CountError: a number that cannot be.
        UsageError, StrategyError: the policy cannot be had, or breaks.
    """
    if samples is None:
        samples = SAMPLES if precision is None else CAP
    _check_numbers(samples, precision, goal, seed)
    room = find_room(position.ruleset.kind)
    loaded = _load_policy(policy, position.ruleset.kind, folders)
    guest = CompiledGuest(loaded)
    guest.compile(notify=notify)
    judge = room.build_judge(position, guest.compiled, seed, notify)
    best, found = sample_worlds(
        lambda: room.lay_out(position, guest, Stream(seed, 0, 0, SIMULATION_STREAM)),
        guest,
        room.list_moves(position),
        Budget(samples, precision),
        value=judge.find_shares if goal == "wins" else lambda margins: margins.astype(np.float64),
        report=report,
    )
    names = {one.move: room.name_move(position, one.move) for one in found}
    options = _rank(names, {one.move: one.margins for one in found}, best, judge, goal)
    return Advice(position, loaded.spec, goal, seed, options, precision)


def _check_numbers(samples: int, precision: float | None, goal: str, seed: int) -> None:
    if not 2 <= samples <= MOST_SAMPLES:
        what = "gives no error" if samples < 2 else f"is more than {MOST_SAMPLES:,}"
        raise CountError(
            f"{samples} samples: that {what}", hint=f"Take 2 to {MOST_SAMPLES:,}, such as 2000."
        )
    check_seed(seed)
    if precision is not None and not 0 < precision < math.inf:
        raise CountError(
            f"the precision is {precision}, and must be above 0",
            hint="Give the half-width in points, such as 0.5.",
        )
    if goal not in GOALS:
        raise UsageError(f"the goal is {goal!r}", hint=f"It is one of {', '.join(GOALS)}.")
    if goal == "wins" and precision is not None:
        raise UsageError(
            "a precision is in points, and the goal is wins",
            hint="Give the number of samples instead.",
        )


def _load_policy(spec: str, kind: str, folders: Sequence[Path]) -> LoadedStrategy:
    loaded = load_strategy(spec, kind=kind, folders=folders)
    if loaded.restriction:
        raise UsageError(
            f"{spec} forbids its seat something, and whoever plays on plays for all seats",
            hint=f"Give it without what stands behind the @: {spec.partition('@')[0]}.",
        )
    if loaded.guests:
        raise UsageError(
            f"{loaded.name} searches itself, which is too slow to play on",
            hint="Give who plays on in its head instead: "
            + " or ".join(one.spec for one in loaded.guests.values())
            + ".",
        )
    if loaded.form == BATCH:
        raise SpecError(
            f"{spec} cannot play on: it is a batch strategy, which is not compiled",
            hint="Take a strategy of the rating or deciding form, such as tuned.",
        )
    check_code(loaded)
    return loaded


def _rank(
    names: dict[int, str], found: dict[int, Margins], best: int, judge: Judge, goal: Goal
) -> tuple[Option, ...]:
    """Return the moves in the order of how far they are behind the best one, which comes first."""
    shares = {move: judge.find_shares(margins) for move, margins in found.items()}
    options = []
    for move, margins in found.items():
        n = len(margins)
        is_best = move == best
        lag = None if is_best else estimate_mean(found[best][:n] - margins)
        win_lag = None if is_best else judge.widen(estimate_mean(shares[best][:n] - shares[move]))
        wins = judge.widen(estimate_mean(shares[move]))
        options.append(Option(move, names[move], estimate_mean(margins), wins, lag, win_lag))

    def find_lag(option: Option) -> float:
        lag = option.lag if goal == "margin" else option.win_lag
        return float("-inf") if lag is None else lag.mean

    return tuple(sorted(options, key=find_lag))
