"""What to do in a position: its moves ranked by what they bring, each number with its error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Literal

from lcsim.advise.judge import Judge, Shares
from lcsim.advise.position import Position
from lcsim.advise.sampling import Sample, estimate_mean, sample_worlds
from lcsim.advise.text import find_room
from lcsim.errors import CountError, UsageError
from lcsim.rules.streams import SIMULATION_STREAM, Stream
from lcsim.stats.estimate import Estimate
from lcsim.stats.rounding import format_estimate, format_percent
from lcsim.strategy import LoadedStrategy, check_code, load_strategy
from lcsim.strategy.guest import CompiledGuest

Goal = Literal["margin", "wins"]
GOALS = ("margin", "wins")
SAMPLES = 2000
POLICY = "tuned"


@dataclass(frozen=True, slots=True)
class Option:
    """A move: the margin it leads to, the share of games it wins, and how far it is behind.

    `lag` and `win_lag` are the best move's less this one's, over the worlds that both were tried
    in, with the errors of these differences; None for the best move itself.
    """

    move: int
    name: str
    margin: Estimate
    wins: Estimate
    lag: Estimate | None
    win_lag: Estimate | None


@dataclass(frozen=True, slots=True)
class Advice:
    """The moves of a position, best first by `goal`, when `policy` plays on for all."""

    position: Position
    policy: str
    goal: Goal
    seed: int
    options: tuple[Option, ...]

    @property
    def best(self) -> Option:
        """The move with the best estimate."""
        return self.options[0]

    @property
    def rivals(self) -> tuple[Option, ...]:
        """The moves that cannot be told from the best."""
        return tuple(one for one in self.options[1:] if not self._is_clear(self._find_lag(one)))

    @property
    def sentence(self) -> str:
        """What to do, in one sentence or two."""
        best, others = self.best, self.options[1:]
        name = best.name[0].upper() + best.name[1:]
        wins = f"wins {format_percent(best.wins.mean, best.wins.se)} of games"
        if not others:
            return f"{name}: there is no other move; it {wins}."
        if self.rivals:
            names = [name, *(one.name for one in self.rivals[:3])]
            left = len(self.rivals) - len(names) + 1
            end = f"{left} others" if left > 0 else names.pop()
            return f"{', '.join(names)} or {end}: too close to tell apart."
        return f"{name}: {self._say_lead(others[0])}; it {wins}.{self._note_wins()}"

    def _say_lead(self, second: Option) -> str:
        lag = self._find_lag(second)
        if self.goal == "wins":
            return f"{format_percent(lag.mean, lag.se)} of games more than {second.name}"
        return f"{format_estimate(lag.mean, lag.se)} points better than {second.name}"

    def _note_wins(self) -> str:
        """Return a sentence where another move clearly wins more games."""
        for one in self.options[1:]:
            lag = one.win_lag
            if self.goal == "margin" and lag and lag.mean < 0 and self._is_clear(lag):
                more = format_percent(-lag.mean, lag.se)
                return f" But to {one.name} wins {more} of games more."
        return ""

    def _find_lag(self, option: Option) -> Estimate:
        lag = option.lag if self.goal == "margin" else option.win_lag
        assert lag is not None
        return lag

    def _is_clear(self, lag: Estimate) -> bool:
        """Tell whether a difference is not 0, at 95 % for all that are looked at together."""
        limit = NormalDist().inv_cdf(1 - 0.025 / max(len(self.options) - 1, 1))
        return lag.se is not None and abs(lag.mean) > limit * lag.se


def advise(
    position: Position,
    *,
    policy: str = POLICY,
    samples: int = SAMPLES,
    precision: float | None = None,
    goal: Goal = "margin",
    seed: int = 42,
    folders: Sequence[Path] = (),
    notify: Callable[[str], None] | None = None,
) -> Advice:
    """Return the moves of a position, ranked.

    What the seat to move cannot see is dealt anew `samples` times, in agreement with all that it
    knows; every move is made in each of these worlds, and `policy`, a strategy's spec, plays on for
    all seats. With `precision` the worlds are as many as the best move's lead needs for a 95 %
    interval of that half-width, in points. The same arguments give the same advice.

    Raises:
        CountError: a number that cannot be.
        UsageError, StrategyError: the policy cannot be had, or breaks.
    """
    _check_numbers(samples, precision, goal)
    room = find_room(position.ruleset.kind)
    loaded = _load_policy(policy, position.ruleset.kind, folders)
    guest = CompiledGuest(loaded)
    guest.compile(notify=notify)
    judge = room.build_judge(position, guest.compiled, seed, notify)
    found = sample_worlds(
        position,
        room,
        guest,
        Stream(seed, 0, 0, SIMULATION_STREAM),
        room.list_moves(position),
        samples=samples,
        precision=precision,
    )
    options = _rank([(room.name_move(position, one.move), one) for one in found], judge, goal)
    return Advice(position, loaded.spec, goal, seed, options)


def _check_numbers(samples: int, precision: float | None, goal: str) -> None:
    if samples < 2:
        raise CountError(f"{samples} samples give no error", hint="Take 2 or more, such as 2000.")
    if precision is not None and precision <= 0:
        raise CountError(
            f"the precision is {precision}, and must be above 0",
            hint="Give the half-width in points, such as 0.5.",
        )
    if goal not in GOALS:
        raise UsageError(f"the goal is {goal!r}", hint=f"It is one of {', '.join(GOALS)}.")


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
    check_code(loaded)
    return loaded


def _rank(found: list[tuple[str, Sample]], judge: Judge, goal: Goal) -> tuple[Option, ...]:
    judged = [(name, one, judge.find_shares(one.margins)) for name, one in found]
    most = max(len(one.margins) for _, one, _ in judged)

    def find_merit(entry: tuple[str, Sample, Shares]) -> float:
        _, one, shares = entry
        if len(one.margins) < most:
            return float("-inf")  # given up early, so none to be the best
        return float(one.margins.mean() if goal == "margin" else shares.mean())

    best = max(judged, key=find_merit)
    options = []
    for entry in judged:
        name, one, shares = entry
        n, is_best = len(shares), entry is best
        lag = None if is_best else estimate_mean(best[1].margins[:n] - one.margins)
        win_lag = None if is_best else judge.widen(estimate_mean(best[2][:n] - shares))
        wins = judge.widen(estimate_mean(shares))
        options.append(Option(one.move, name, estimate_mean(one.margins), wins, lag, win_lag))

    def find_lag(option: Option) -> float:
        lag = option.lag if goal == "margin" else option.win_lag
        return float("-inf") if lag is None else lag.mean

    return tuple(sorted(options, key=find_lag))
