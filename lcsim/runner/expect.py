"""Holds results against what an experiment expected of them."""

from dataclasses import dataclass

from lcsim.experiment import Expectation
from lcsim.experiment.plan import find_expected
from lcsim.runner.result import MatchupResult, RunResult
from lcsim.stats.estimate import Estimate, estimate_win_rate
from lcsim.stats.paired import compare_scores
from lcsim.stats.rounding import format_estimate, format_percent


@dataclass(frozen=True, slots=True)
class Outcome:
    """One expectation in one matchup.

    `holds` goes by the estimate; `is_clear` tells whether the bound lies outside the estimate's
    95 % interval, so that chance does not explain the answer.
    """

    expectation: Expectation
    matchup: str
    ruleset: str
    estimate: Estimate
    holds: bool
    is_clear: bool
    sentence: str


def evaluate_expectations(result: RunResult) -> list[Outcome]:
    """Return the outcome of every expectation in every matchup that it speaks of, in order."""
    outcomes = []
    for expectation in result.plan.experiment.expectations:
        for number, place, others in find_expected(result.plan, expectation):
            played = result.matchups[number]
            if expectation.quantity == "win_rate":
                rate = estimate_win_rate(played.games, place)
                outcomes.append(_judge(expectation, played, place, rate))
                continue
            for other in others:
                difference = compare_scores(played.games, place, other)
                outcomes.append(_judge(expectation, played, place, difference, other))
    return outcomes


def is_answered_no(result: RunResult) -> bool:
    """Tell whether an expectation fails or an SPRT accepted H0: exit code 1."""
    return any(not outcome.holds for outcome in evaluate_expectations(result)) or any(
        played.stop.decision == "H0" for played in result.matchups
    )


def _judge(
    expectation: Expectation,
    played: MatchupResult,
    place: int,
    estimate: Estimate,
    other: int | None = None,
) -> Outcome:
    is_above = expectation.side == "above"
    bound = expectation.bound
    holds = estimate.mean > bound if is_above else estimate.mean < bound
    interval = estimate.ci95()
    is_clear = interval is not None and not interval[0] <= bound <= interval[1]
    matchup = played.matchup
    name = matchup.labels[place]
    if other is None:
        what = f"the win rate of {name} in {matchup.label} ({matchup.ruleset.spec})"
        shown = format_percent(estimate.mean, estimate.se)
        limit = f"{100 * bound:g} %"
    else:
        what = f"{name} minus {matchup.labels[other]} ({matchup.ruleset.spec})"
        shown = f"{format_estimate(estimate.mean, estimate.se, signed=True)} points a game"
        limit = f"{bound:g}"
    answer = "yes" if holds else "NO"
    margin = "" if is_clear else "; the bound lies within the error"
    sentence = f"{what} {expectation.side} {limit}: {answer}, it is {shown}{margin}"
    return Outcome(
        expectation, matchup.label, matchup.ruleset.spec, estimate, holds, is_clear, sentence
    )
