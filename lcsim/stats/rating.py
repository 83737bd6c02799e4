"""Ratings on the Elo scale, with errors from drawing the deals again.

Strengths are fitted by `bradley_terry`; a rating is 400 log10 of odds, so 100 points are odds of
1.78, or 64 % of the games. A draw is half a win to each. A game of three or four counts as all its
pairs, the one that finished higher beating the other: breaking whole rankings into pairs is
consistent where finishes follow Luce's choice model, whose strengths these then are (Azari
Soufiani, Chen, Parkes and Xia, 2013). The rating then says who finishes above whom, and not only
who wins.

All matchups are played on the same deals, and the pairs of one game are no games of their own, so
errors come from a bootstrap over deal groups: a deal is drawn with all its games in all matchups.
Up to `BUCKETS` deals that is exact; beyond, groups of deals are drawn (`buckets`). The draws have a
seed of their own, so the same results always have the same errors. Intervals are Student's t times
that error on either side: on the scale of odds they cover better than percentiles do where games
are few or one-sided.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np

from lcsim.stats.bradley_terry import ELO, Floats, bound_strength, predict_rates
from lcsim.stats.buckets import list_pairs
from lcsim.stats.estimate import Estimate
from lcsim.stats.rating_fit import Fit, Results, find_tail, fit_table, gather_results, is_open

Place = Literal["rated", "above", "below", "apart"]

ALPHA = 0.05
"""One less the confidence of the one-sided bound of a strategy that won, or lost, every game."""

_TIE = 1e-7
"""Natural logarithms of odds up to which two strengths are one: the fit is no finer."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A strategy's rating in Elo points, its standard error and its 95 % interval.

    `place` tells whether it is rated; one that is not won ("above") or lost ("below") every game
    against those that are, or nothing compares it with them ("apart"). Such a one has no `mean`,
    and at most one end, which is a one-sided 95 % bound. An end of a rated one is missing where so
    many bootstrap samples are unbounded there that the interval is, too; then it has no `se`, and
    the other end is a percentile. On one deal group there is neither error nor interval.
    """

    label: str
    mean: float | None
    se: float | None
    ci95_lo: float | None
    ci95_hi: float | None
    n_games: int
    place: Place = "rated"

    @property
    def is_open(self) -> bool:
        """Tell whether one end of the interval alone is known."""
        return (self.ci95_lo is None) != (self.ci95_hi is None)


@dataclass(frozen=True, slots=True)
class Contest:
    """Two strategies, a placed before b.

    `rate` is a's share of their games, `predicted` what the ratings say of it, and `residual` the
    first less the second. `diff` is a's rating less b's. `superiority` is the likelihood that a is
    the stronger one. What does not exist is None: `rate` where they never met, the others where one
    of them is not rated or there is no error.
    """

    a: str
    b: str
    n_games: int
    rate: Estimate | None
    predicted: float | None
    residual: Estimate | None
    diff: Estimate | None
    superiority: float | None


@dataclass(frozen=True, slots=True)
class Ratings:
    """All ratings, best first, and every pair of strategies in that order.

    `groups` has the strategies by who is linked to whom by games. With more than one group there is
    no common scale, and nothing is rated. `n_draws` are the groups the bootstrap drew from.
    """

    ratings: tuple[Rating, ...]
    contests: tuple[Contest, ...]
    groups: tuple[tuple[str, ...], ...]
    n_deals: int
    n_draws: int

    def find(self, a: str, b: str) -> Contest | None:
        """Return the contest of two strategies, given in the order they are placed."""
        return next((one for one in self.contests if (one.a, one.b) == (a, b)), None)


def rate_strategies(results: Results, anchor: str | None = None) -> Ratings:
    """Return the ratings from what was counted of all matchups.

    They count from `anchor`, or from the mean of those that are bounded on both sides. Raises
    ValueError where fewer than two strategies met, or `anchor` is none that can be rated.
    """
    table = gather_results(results)
    if len(table.labels) < 2 or table.n_draws == 0:
        raise ValueError("ratings need two strategies that met")
    groups = table.list_groups()
    n_deals = max(sums.n_deals for _, sums in results)
    if len(groups) > 1:
        return Ratings((), (), groups, n_deals, table.n_draws)
    fit = fit_table(table, anchor)
    ratings = [_rate(fit, number) for number in range(len(table.labels))]
    order = sorted(range(len(ratings)), key=lambda number: _place(fit, ratings[number], number))
    contests = (_compare(fit, order[i], order[j]) for i, j in list_pairs(len(order)))
    return Ratings(
        tuple(ratings[number] for number in order), tuple(contests), groups, n_deals, table.n_draws
    )


def _rate(fit: Fit, number: int) -> Rating:
    label, n_games = fit.table.labels[number], int(fit.table.games[number])
    if not fit.core[number]:
        return _bound(fit, number)
    mean = ELO * float(fit.strengths[number])
    if fit.table.n_draws < 2:
        return Rating(label, mean, None, None, None, n_games)
    drawn = ELO * fit.sample.strengths[:, number]
    tail = find_tail(fit.table.n_draws)
    open_down, open_up = (
        bool(is_open(share, tail)[number]) for share in (fit.sample.down, fit.sample.up)
    )
    if open_down or open_up:
        low, high = (float(end) for end in np.quantile(drawn, [tail, 1 - tail]))
        known = (None if open_down else low), (None if open_up else high)
        return Rating(label, mean, None, *known, n_games)
    value = _estimate(fit, mean, drawn)
    low, high = value.ci95() or (mean, mean)
    return Rating(label, mean, value.se, low, high, n_games)


def _bound(fit: Fit, number: int) -> Rating:
    """Return the one-sided bound of a strategy outside the core.

    It won, or lost, all its games against those it met of the core. That is on n deal groups: were
    the share of groups with another result above 1 - 0.05^(1/n), which is some 3 / n, that would
    happen in fewer than one of 20 such runs. The bound is where it would lose, or win, that share
    of those games.
    """
    up, down = (bool(fit.reach[number][fit.core].any()), bool(fit.reach[fit.core, number].any()))
    place: Place = "above" if up else "below" if down else "apart"
    met = fit.core & (fit.table.deals[number] > 0)
    low = high = None
    if met.any() and place != "apart":
        total = fit.table.wins.sum(axis=0)
        games = (total + total.T)[number][met]
        share = 1 - ALPHA ** (1 / fit.table.deals[number][met].min())
        sign = 1 if up else -1
        bound = sign * ELO * bound_strength(sign * fit.strengths[met], games, float(share))
        low, high = (bound, None) if up else (None, bound)
    label, n_games = fit.table.labels[number], int(fit.table.games[number])
    return Rating(label, None, None, low, high, n_games, place)


def _place(fit: Fit, rating: Rating, number: int) -> tuple[int, int, float]:
    """Return the key that puts strategies in order, best first.

    One that reaches another over games won, and is not reached by it, reaches more.
    """
    rank = {"above": 0, "rated": 1, "below": 2, "apart": 3}[rating.place]
    value = next(
        (one for one in (rating.mean, rating.ci95_lo, rating.ci95_hi) if one is not None), 0.0
    )
    return rank, -int(fit.reach[number].sum()), -value


def _compare(fit: Fit, a: int, b: int) -> Contest:
    labels = fit.table.labels
    wins = fit.table.wins.sum(axis=0)
    n_games = round(float(wins[a, b] + wins[b, a]))
    rate = predicted = residual = diff = None
    drawn_rate = fit.sample.rates[:, a, b]
    if n_games:
        rate = _estimate(fit, float(wins[a, b]) / n_games, drawn_rate)
    if fit.core[a] and fit.core[b]:
        lead = float(fit.strengths[a] - fit.strengths[b])
        drawn = fit.sample.strengths[:, [a, b]]
        diff = _estimate(fit, ELO * lead, ELO * (drawn[:, 0] - drawn[:, 1]))
        predicted = float(predict_rates(fit.strengths[[a, b]])[0, 1])
        if rate is not None:
            rates = predict_rates(drawn)[:, 0, 1]
            residual = _estimate(fit, rate.mean - predicted, drawn_rate - rates)
    return Contest(
        labels[a], labels[b], n_games, rate, predicted, residual, diff, _weigh(fit, a, b, diff)
    )


def _weigh(fit: Fit, a: int, b: int, diff: Estimate | None) -> float | None:
    """Return the likelihood that a is stronger than b: the share of samples in which it is.

    Where that is 0 or 1 the normal distribution of the difference gives it. It is never nearer to
    0 or 1 than the chance that as many even deals all fall to one side: 2^-(n + 1).
    """
    n = fit.table.n_draws
    if n < 2:
        return None
    most = 1 - 0.5 ** (n + 1)
    if diff is None:
        over, under = bool(fit.reach[a, b]), bool(fit.reach[b, a])
        return None if over == under else most if over else 1 - most
    lead = fit.sample.strengths[:, a] - fit.sample.strengths[:, b]
    ahead = np.sign(np.where(np.abs(lead) < _TIE, 0.0, lead))
    share = float((ahead + 1).mean() / 2)
    if share in (0, 1) and diff.se:
        share = NormalDist().cdf(diff.mean / diff.se)
    return min(max(share, 1 - most), most)


def _estimate(fit: Fit, mean: float, drawn: Floats) -> Estimate:
    n = fit.table.n_draws
    return Estimate(mean, _deviate(fit, drawn) if n > 1 else None, n)


def _deviate(fit: Fit, drawn: Floats) -> float:
    """Return the standard error from samples, which vary too little by (n - 1) / n."""
    n = fit.table.n_draws
    return float(np.std(drawn, ddof=1)) * math.sqrt(n / (n - 1))
