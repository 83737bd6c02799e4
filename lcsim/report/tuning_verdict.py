"""Whether what a tuning found is better than what it began with, said in one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from lcsim.report.answers import is_clear
from lcsim.stats.rounding import format_estimate, format_percent

if TYPE_CHECKING:
    from lcsim.stats.estimate import Estimate

Outcome = Literal["better", "worse", "unclear"]
MORE = 4  # times the deals and the budget that are proposed: it halves the error


@dataclass(frozen=True, slots=True)
class Verdict:
    """A gain on fresh deals as a sentence, and what to do about it; no advice where it is one."""

    outcome: Outcome
    sentence: str
    advice: str = ""

    @property
    def is_better(self) -> bool:
        """Whether what was found is to be preferred to what there was."""
        return self.outcome == "better"


def judge_gain(
    gain: Estimate, *, name: str, is_share: bool, deals: int, budget: int, spread: float
) -> Verdict:
    """Return the verdict on a gain, in points or as a share of games, with its 95 % interval.

    `name` is the strategy's; `deals`, `budget` and `spread` are the tuning's, for the advice.
    """
    where = "on deals that the search did not see"
    more = f"--deals {MORE * deals} --budget {MORE * budget}"
    if gain.mean == 0 and gain.se == 0:
        sentence = f"No gain: what it found plays as {name} did, {where}."
    elif not is_clear(gain):
        by = _write(gain, is_share=is_share, signed=True)
        sentence = f"No gain is shown: {by} over {name} as it was, within its error, {where}."
    elif gain.mean < 0:
        by = _write(gain.scaled(-1), is_share=is_share)
        return Verdict(
            "worse",
            f"Worse than what you had: {by} less than {name} as it was, {where}.",
            f"Keep {name} as it was. A search that ends below its start was led by noise or strode "
            f"too far: try {more}, with another --out, or a --spread below {spread:g}.",
        )
    else:
        by = _write(gain, is_share=is_share)
        return Verdict(
            "better", f"Better than what you had: {by} more than {name} as it was, {where}."
        )
    return Verdict(
        "unclear",
        sentence,
        f"Nothing speaks against keeping {name} as it was. A larger --validation shows smaller "
        f"gains; {more}, with another --out, searches with less noise.",
    )


def _write(value: Estimate, *, is_share: bool, signed: bool = False) -> str:
    if is_share:
        return f"{format_percent(value.mean, value.se, signed=signed)} of games"
    return format_estimate(value.mean, value.se, signed=signed, unit="points a game")
