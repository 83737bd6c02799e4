"""Whether one number a strategy says it all: pairs that ratings do not fit, and cycles.

Ratings say that who beats whom follows from two numbers. A pair may differ from that, and a may
beat b, b beat c and c beat a; then a rating is a mean over opponents and no forecast of a game.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist

from lcsim.stats.estimate import Estimate, quantile_975
from lcsim.stats.rating import Contest, Rating, Ratings
from lcsim.stats.rounding import format_count, format_percent, format_value

TOLERANCE = 0.02
"""Share of games up to which a pair may differ from what ratings predict before it is told."""

FEWEST_GROUPS = 6
"""Deal groups below which an even match falls all to one side too often to say anything."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """a beats b, b beats c, c beats a, each beyond its error; `rates` are the three win rates."""

    labels: tuple[str, str, str]
    rates: tuple[Estimate, Estimate, Estimate]

    @property
    def weakest(self) -> float:
        """Return by how much the closest of the three is won, in share of games above a half."""
        return min(rate.mean for rate in self.rates) - 0.5


def find_cycles(ratings: Ratings) -> list[Cycle]:
    """Return the cycles of three in which each win rate is clearly above a half, clearest first."""
    ahead = _list_ahead(ratings)
    found = []
    for a, b, c in combinations([one.label for one in ratings.ratings], 3):
        for x, y, z in ((a, b, c), (a, c, b)):
            if (x, y) in ahead and (y, z) in ahead and (z, x) in ahead:
                rates = ahead[x, y], ahead[y, z], ahead[z, x]
                found.append(Cycle((x, y, z), rates))
    return sorted(found, key=lambda cycle: -cycle.weakest)


def find_misfit(ratings: Ratings) -> Contest | None:
    """Return the pair whose win rate lies furthest from what the ratings predict.

    None where no pair is over: ratings fit as many pairs as they have differences whatever the
    results are.
    """
    tested = list_tested(ratings)
    rated = sum(one.place == "rated" for one in ratings.ratings)
    if len(tested) < rated:
        return None
    return max(tested, key=lambda one: abs(one.residual.mean) if one.residual else 0.0)


def list_tested(ratings: Ratings) -> list[Contest]:
    """Return the pairs that met and are both rated: those that can differ from a prediction."""
    return [one for one in ratings.contests if one.residual is not None]


def is_misfit(contest: Contest, n_tested: int) -> bool:
    """Tell whether a pair differs by more than `TOLERANCE` and beyond its error.

    As the worst of `n_tested` pairs it must stand out further than one of them alone would
    (Bonferroni).
    """
    residual = contest.residual
    if residual is None or residual.se is None or residual.n < FEWEST_GROUPS:
        return False
    wanted = NormalDist().inv_cdf(1 - 0.025 / max(n_tested, 1))
    return abs(residual.mean) > max(TOLERANCE, wanted * residual.se)


def warn_of_misfit(ratings: Ratings) -> str:
    """Return the sentence to read beside the ratings where one number misleads, or nothing."""
    sentences = []
    cycles = find_cycles(ratings)
    if cycles:
        sentences.append(_say_cycle(cycles))
    worst = find_misfit(ratings)
    if worst is not None and is_misfit(worst, len(list_tested(ratings))):
        sentences.append(_say_misfit(worst))
    if not sentences:
        return ""
    return "One number a strategy is misleading here: " + " ".join(sentences)


def explain_limits(ratings: Ratings) -> str:
    """Return what the results cannot tell: who has no rating, no end or no error, or nothing."""
    if len(ratings.groups) > 1:
        groups = "; ".join(", ".join(group) for group in ratings.groups)
        return (
            f"There is no common scale: these never met, not even through others: {groups}. "
            "Matchups between them would give one."
        )
    sentences = [_say_outside(ratings, one) for one in ratings.ratings if one.place != "rated"]
    sentences += [_say_open(one) for one in ratings.ratings if one.place == "rated" and one.is_open]
    if ratings.n_draws < 2:
        sentences.append("One deal gives no error: play more games to tell.")
    elif all(one.rate is None or _is_even(one.rate) for one in ratings.contests):
        sentences.append("Every pair came out even on every deal, so all rate the same.")
    return " ".join(sentences)


def format_bound(bound: float) -> str:
    """Return an end that is known from one side only, in whole Elo points: "+612"."""
    return format_value(bound, 5.0, signed=True)


def _is_even(rate: Estimate) -> bool:
    return rate.mean == 0.5 and rate.se == 0


def _list_ahead(ratings: Ratings) -> Mapping[tuple[str, str], Estimate]:
    """Return who clearly beats whom, with the win rate of the first."""
    ahead = {}
    for one in ratings.contests:
        rate = one.rate
        if rate is None or rate.se is None or rate.n < FEWEST_GROUPS:
            continue
        if abs(rate.mean - 0.5) > quantile_975(rate.n - 1) * rate.se:
            if rate.mean > 0.5:
                ahead[one.a, one.b] = rate
            else:
                ahead[one.b, one.a] = Estimate(1 - rate.mean, rate.se, rate.n)
    return ahead


def _say_cycle(cycles: list[Cycle]) -> str:
    (a, b, c), rates = cycles[0].labels, cycles[0].rates
    ab, bc, ca = (format_percent(rate.mean, rate.se) for rate in rates)
    more = len(cycles) - 1
    others = f" ({format_count(more, 'more such cycle')})" if more else ""
    return (
        f"{a} beats {b} ({ab} of their games), {b} beats {c} ({bc}), and yet {c} beats {a} ({ca})"
        f"{others}."
    )


def _say_misfit(worst: Contest) -> str:
    assert worst.rate is not None
    assert worst.residual is not None
    assert worst.predicted is not None
    seen = format_percent(worst.rate.mean, worst.rate.se)
    predicted = format_value(100 * worst.predicted, 100 * (worst.residual.se or 0))
    apart = format_percent(worst.residual.mean, worst.residual.se, signed=True)
    return (
        f"{worst.a} wins {seen} of its games against {worst.b}, and the ratings predict "
        f"{predicted} %, which is off by {apart} of games."
    )


def _say_outside(ratings: Ratings, one: Rating) -> str:
    """Say why a strategy has no rating, and what bounds it."""
    rated = [other.label for other in ratings.ratings if other.place == "rated"]
    others = "the rated ones" if len(rated) > 1 else rated[0]
    if one.place == "apart":
        return f"{one.label} cannot be placed: no games link it with {others} both ways."
    did, side, end = (
        ("won", "above", "upper") if one.place == "above" else ("lost", "below", "lower")
    )
    bound = one.ci95_lo if one.place == "above" else one.ci95_hi
    if bound is None:
        return f"{one.label} stands {side} {others} by games of others alone: no number bounds it."
    return (
        f"{one.label} {did} every game against {others}, so its rating has no {end} end: it is "
        f"{side} {format_bound(bound)} (one-sided 95 % bound)."
    )


def _say_open(one: Rating) -> str:
    did, end = ("lost", "upper") if one.ci95_hi is None else ("won", "lower")
    return f"{one.label} {did} so few games that its rating has no {end} end."
