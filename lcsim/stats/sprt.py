"""A generalised sequential probability ratio test on the differences between deal groups.

H0 says the mean difference is `d0` or less, H1 that it is `d1` or more. Deal groups are taken as
normal with the variance they show, which gives the log-likelihood ratio

    llr = n (d1 - d0) (2 mean - d0 - d1) / (2 variance)

(M. Van den Bergh, "A practical introduction to the GSPRT", the form that chess engines are tested
with), and Wald's bounds log(beta / (1 - alpha)) and log((1 - beta) / alpha) decide.
"""

import math
from dataclasses import dataclass
from typing import Literal

from lcsim.errors import UsageError
from lcsim.stats.estimate import Estimate
from lcsim.stats.rounding import format_count, format_estimate, format_value

Decision = Literal["H0", "H1"]

MIN_GROUPS = 32
"""Deal groups below which the variance is known too badly for any decision."""

_DIGITS = 0.05
"""An error that shows two decimals, for numbers that have none: bounds and ratios."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where a test stands: the ratio between its bounds, and the decision once one is reached.

    Where all groups are equal the ratio has no finite value: `llr` is then the bound it points to,
    or 0 where they lie halfway. Then the test is `stuck`: no number of games would move it.
    """

    llr: float
    lower: float
    upper: float
    decision: Decision | None
    sentence: str
    stuck: bool = False


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of "the difference is d1 or more" against "it is d0 or less".

    Raises UsageError where d0 is not below d1, or an error rate is not between 0 and 0.5.
    """

    d0: float
    d1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.d0) and math.isfinite(self.d1) and self.d0 < self.d1):
            raise UsageError(
                f"an SPRT needs two finite differences, the first below the second: "
                f"got {self.d0:g},{self.d1:g}",
                hint="for example 0,2: is the difference 0 points a game, or 2 and more?",
            )
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise UsageError(f"{name} must lie between 0 and 0.5, not {rate:g}")

    @property
    def lower(self) -> float:
        """Return the bound at or under which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Return the bound at or above which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def judge(self, difference: Estimate) -> Verdict:
        """Return where the test stands, given the mean difference over deal groups so far."""
        llr = self._weigh(difference)
        decision: Decision | None = None
        if difference.n >= MIN_GROUPS and llr >= self.upper:
            decision = "H1"
        elif difference.n >= MIN_GROUPS and llr <= self.lower:
            decision = "H0"
        stuck = decision is None and difference.se == 0 and difference.n >= MIN_GROUPS
        sentence = self._say_stuck(difference) if stuck else self._say(difference, llr, decision)
        return Verdict(llr, self.lower, self.upper, decision, sentence, stuck)

    def _weigh(self, difference: Estimate) -> float:
        if difference.se is None:
            return 0.0
        lean = 2 * difference.mean - self.d0 - self.d1
        if difference.se == 0:
            return 0.0 if lean == 0 else (self.upper if lean > 0 else self.lower)
        # n / variance is 1 / se^2: the error of a mean over n groups is sqrt(variance / n).
        ratio = (self.d1 - self.d0) * lean / 2 / difference.se / difference.se
        return min(max(ratio, -1e9), 1e9)

    def _say(self, difference: Estimate, llr: float, decision: Decision | None) -> str:
        shown = format_estimate(difference.mean, difference.se, signed=True)
        seen = f"difference {shown} over {format_count(difference.n, 'deal group')}"
        if decision == "H1":
            return (
                f"SPRT: a difference of {self.d1:g} fits better than one of {self.d0:g} ({seen})."
            )
        if decision == "H0":
            return (
                f"SPRT: a difference of {self.d0:g} fits better than one of {self.d1:g} ({seen})."
            )
        ratio, lower, upper = (format_value(x, _DIGITS) for x in (llr, self.lower, self.upper))
        return (
            f"SPRT: undecided between {self.d0:g} and {self.d1:g}; log-likelihood ratio {ratio}, "
            f"bounds {lower} and {upper} ({seen})."
        )

    def _say_stuck(self, difference: Estimate) -> str:
        same = format_value(difference.mean, 0.0, signed=True)
        deals = format_count(difference.n, "deal")
        return (
            f"SPRT: undecided between {self.d0:g} and {self.d1:g}, and more games would not tell: "
            f"all {deals} gave a difference of {same}, which lies halfway."
        )
