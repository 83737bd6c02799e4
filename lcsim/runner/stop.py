"""When a matchup has been played enough: a number of games, a precision, or a sequential test.

A rule looks at a matchup's deals in their order, at every `CHECKPOINT_DEALS`-th deal and at the
last one. The plan cuts units there while a rule is active, so a run stops at the same deal for any
number of jobs and any unit size.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

from lcsim.errors import UsageError
from lcsim.experiment import Experiment, Plan
from lcsim.stats.estimate import Estimate, Moments, count_strategies
from lcsim.stats.paired import compare_scores
from lcsim.stats.rounding import format_count
from lcsim.stats.sprt import Sprt


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a matchup ended: `reason` is "games", "precision" or "sprt"; `decision` the test's.

    A test that can decide nothing ends a matchup without a decision.
    """

    reason: str
    sentence: str
    decision: str | None = None


class StopRule(Protocol):
    """Looks at the moments of a matchup so far."""

    def judge(self, games: Moments) -> Stop | None:
        """Return why to stop here, or None to go on."""

    def conclude(self, games: Moments) -> Stop:
        """Return what to say when all games have been played without a stop."""


@dataclass(frozen=True, slots=True)
class GamesRule:
    """Stops at the number of games and nowhere before."""

    def judge(self, games: Moments) -> Stop | None:
        """Go on."""
        return None

    def conclude(self, games: Moments) -> Stop:
        """Say nothing: that number was asked for."""
        return Stop("games", "")


@dataclass(frozen=True, slots=True)
class PrecisionRule:
    """Stops when each difference of mean scores is known to `half_width` points a game.

    `half_width` is half the 95 % interval of the paired difference.
    """

    half_width: float

    def judge(self, games: Moments) -> Stop | None:
        """Stop when the widest interval is narrow enough."""
        reached = self._measure(games)
        if reached is None or reached > self.half_width:
            return None
        return Stop(
            "precision",
            f"Stopped after {format_count(games.n, 'deal')}: the difference is known to "
            f"± {reached:.3g} points, and ± {self.half_width:g} was asked for.",
        )

    def conclude(self, games: Moments) -> Stop:
        """Say how far the precision has come."""
        reached = self._measure(games)
        known = "has no error yet" if reached is None else f"is known to ± {reached:.3g} points"
        return Stop(
            "games",
            f"All games are played: the difference {known}, and ± {self.half_width:g} "
            "was asked for; allow more games.",
        )

    def _measure(self, games: Moments) -> float | None:
        widths = []
        for difference in _list_differences(games):
            interval = difference.ci95()
            if interval is None:
                return None
            widths.append((interval[1] - interval[0]) / 2)
        return max(widths)


@dataclass(frozen=True, slots=True)
class SprtRule:
    """Stops when a sequential test of the difference between two strategies has decided."""

    test: Sprt

    def judge(self, games: Moments) -> Stop | None:
        """Stop at a decision, or where none can ever be reached."""
        verdict = self.test.judge(compare_scores(games, 0, 1))
        if verdict.decision is None and not verdict.stuck:
            return None
        return Stop("sprt", verdict.sentence, verdict.decision)

    def conclude(self, games: Moments) -> Stop:
        """Say where the test stands."""
        return Stop("games", self.test.judge(compare_scores(games, 0, 1)).sentence)


def build_stop_rule(experiment: Experiment) -> StopRule:
    """Return the rule an experiment asks for with `precision` or `sprt`, or the number of games."""
    if experiment.precision is not None:
        return PrecisionRule(experiment.precision)
    if experiment.sprt is not None:
        return SprtRule(Sprt(*experiment.sprt))
    return GamesRule()


def check_stop_rule(plan: Plan) -> None:
    """Raise UsageError where an SPRT is asked for between more than two strategies."""
    if plan.experiment.sprt is None:
        return
    for matchup in plan.matchups:
        if len(matchup.labels) != 2:
            raise UsageError(
                f"an SPRT compares two strategies, and {matchup.label} has {len(matchup.labels)}",
                hint="use a precision instead, or matchups of two",
            )


def _list_differences(games: Moments) -> list[Estimate]:
    pairs = combinations(range(count_strategies(games)), 2)
    return [compare_scores(games, a, b) for a, b in pairs]
