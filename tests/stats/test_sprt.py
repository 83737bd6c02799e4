import math

import numpy as np
import pytest

from lcsim.errors import UsageError
from lcsim.stats.estimate import Estimate
from lcsim.stats.sprt import MIN_GROUPS, Sprt


def test_bounds_are_walds():
    test = Sprt(0, 2)
    assert test.lower == pytest.approx(math.log(0.05 / 0.95))
    assert test.upper == pytest.approx(math.log(0.95 / 0.05))


def test_hand_worked_ratio():
    # n = 100, variance 100, mean 1.5: 100 * 2 * (3 - 2) / 200 = 1.
    verdict = Sprt(0, 2).judge(Estimate(1.5, 1.0, 100))
    assert verdict.llr == pytest.approx(1.0)
    assert verdict.decision is None
    assert "undecided" in verdict.sentence


@pytest.mark.parametrize(("mean", "decision"), [(3.0, "H1"), (-1.0, "H0"), (1.0, None)])
def test_decisions(mean, decision):
    verdict = Sprt(0, 2).judge(Estimate(mean, 0.5, 1000))
    assert verdict.decision == decision
    assert "± 0.5" in verdict.sentence


def test_swapping_the_strategies_swaps_the_hypotheses():
    there = Sprt(-1, 2).judge(Estimate(1.2, 0.7, 200))
    back = Sprt(-2, 1).judge(Estimate(-1.2, 0.7, 200))
    assert there.llr == pytest.approx(-back.llr)


@pytest.mark.parametrize(("mean", "decision"), [(5.0, "H1"), (0.0, "H0"), (1.0, None)])
def test_no_variance(mean, decision):
    verdict = Sprt(0, 2).judge(Estimate(mean, 0.0, 1000))
    assert verdict.decision == decision
    assert math.isfinite(verdict.llr)


def test_no_variance_halfway_is_stuck_and_says_so():
    verdict = Sprt(-1, 1).judge(Estimate(0.0, 0.0, 1000))
    assert (verdict.llr, verdict.decision, verdict.stuck) == (0, None, True)
    assert "more games would not tell: all 1,000 deals gave a difference of 0" in verdict.sentence
    assert not Sprt(-1, 1).judge(Estimate(0.0, 0.0, MIN_GROUPS - 1)).stuck
    assert not Sprt(-1, 1).judge(Estimate(0.0, 0.1, 1000)).stuck
    assert not Sprt(0, 2).judge(Estimate(0.0, 0.0, 1000)).stuck


def test_a_few_deals_decide_nothing():
    assert Sprt(0, 2).judge(Estimate(100.0, 0.1, MIN_GROUPS - 1)).decision is None
    assert Sprt(0, 2).judge(Estimate(100.0, None, 1)).llr == 0


def test_tiny_errors_do_not_overflow():
    assert math.isfinite(Sprt(0, 2).judge(Estimate(9.0, 1e-200, 1000)).llr)


@pytest.mark.parametrize("ends", [(2, 2), (3, 1), (math.nan, 1), (0, math.inf)])
def test_refuses_bounds_that_do_not_differ(ends):
    with pytest.raises(UsageError, match="SPRT"):
        Sprt(*ends)


def test_refuses_error_rates():
    with pytest.raises(UsageError, match="alpha"):
        Sprt(0, 1, alpha=0.6)


def share_of_h1(*, mean, repeats, seed):
    """Run tests of H0: 0 against H1: 2 to their end; looks every 50 deals, sd 20."""
    rng = np.random.default_rng(seed)
    test, accepted = Sprt(0, 2), 0
    for _ in range(repeats):
        values = np.empty(0)
        while True:
            values = np.concatenate([values, rng.normal(mean, 20, 50)])
            se = values.std(ddof=1) / math.sqrt(len(values))
            decision = test.judge(Estimate(values.mean(), se, len(values))).decision
            if decision or len(values) > 20_000:
                accepted += decision == "H1"
                break
    return accepted / repeats


def test_false_alarms_are_rare():
    assert share_of_h1(mean=0, repeats=150, seed=1) <= 0.09
    assert share_of_h1(mean=2, repeats=150, seed=2) >= 0.91


@pytest.mark.slow
def test_false_alarms_stay_under_alpha():
    assert share_of_h1(mean=0, repeats=3000, seed=3) <= 0.05
    assert share_of_h1(mean=2, repeats=3000, seed=4) >= 0.95
