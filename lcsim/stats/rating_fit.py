"""Strengths of all strategies from the sums of their matchups, and bootstrap samples of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from lcsim.stats.bradley_terry import (
    Flags,
    Floats,
    add_half_games,
    find_outside,
    find_reach,
    fit_strengths,
    pick_core,
)
from lcsim.stats.buckets import BUCKETS, PairSums, list_pairs
from lcsim.stats.estimate import quantile_975

Results = Sequence[tuple[Sequence[str], PairSums]]
"""Matchups: the labels of the strategies in the order of their numbers, and their sums."""

REPLICATES = 2000
"""Bootstrap samples: a standard error from them is known to 1.6 %, an interval's end to 3 %."""

_SEED = 1952
_DECIMALS = 11
_BATCH_CELLS = 2_000_000


@dataclass(frozen=True, slots=True)
class Table:
    """What met what: games won by bucket, row against column, (n_buckets, n, n).

    Only buckets that hold a game are there. `deals` are the deal groups of each pair, (n, n), and
    `games` the games of each strategy, (n,).
    """

    labels: tuple[str, ...]
    wins: Floats
    deals: Floats
    games: Floats

    @property
    def n_draws(self) -> int:
        """The number of buckets, from which a bootstrap draws."""
        return len(self.wins)

    def list_groups(self) -> tuple[tuple[str, ...], ...]:
        """Return the strategies by who is linked to whom, in their order."""
        reach = find_reach((self.deals > 0)[None])[0]
        groups = dict.fromkeys(tuple(np.flatnonzero(row).tolist()) for row in reach)
        return tuple(tuple(self.labels[i] for i in group) for group in groups)


@dataclass(frozen=True, slots=True)
class Sample:
    """Bootstrap samples: strengths (n_samples, n), win rates of pairs (n_samples, n, n).

    `up` and `down`, (n,), are the shares of samples in which a strength is unbounded there.
    Strengths are NaN outside the core.
    """

    strengths: Floats
    rates: Floats
    up: Floats
    down: Floats


@dataclass(frozen=True, slots=True)
class Fit:
    """Strengths in natural logarithms of odds, (n,), NaN outside the core, and their samples.

    `reach` tells who reaches whom over games won, (n, n); `core` who is rated.
    """

    table: Table
    reach: Flags
    core: Flags
    strengths: Floats
    sample: Sample


def gather_results(results: Results) -> Table:
    """Return the matchups as one table; strategies stand in the order they first appear."""
    labels = tuple(dict.fromkeys(label for names, _ in results for label in names))
    n = len(labels)
    wins = np.zeros((BUCKETS, n, n))
    deals, games = np.zeros((n, n)), np.zeros(n)
    for names, sums in results:
        at = [labels.index(name) for name in names]
        games[at] += sums.games.sum()
        for column, (first, second) in enumerate(list_pairs(len(names))):
            a, b = at[first], at[second]
            wins[:, a, b] += sums.halves[:, column] / 2
            wins[:, b, a] += sums.games - sums.halves[:, column] / 2
            deals[[a, b], [b, a]] += sums.n_deals
    return Table(labels, wins[wins.any(axis=(1, 2))], deals, games)


def fit_table(table: Table, anchor: str | None) -> Fit:
    """Fit a table whose pairs link all strategies.

    Strengths count from `anchor`, or from the mean of those that are bounded on both sides. Raises
    ValueError where `anchor` cannot be rated.
    """
    total: Floats = table.wins.sum(axis=0)
    reach = find_reach(total[None] > 0)[0]
    core = pick_core(reach)
    inside = np.flatnonzero(core)
    block = np.ix_(inside, inside)
    strengths = np.full(len(core), np.nan)
    strengths[inside] = fit_strengths(total[block][None])[0]
    sample = _draw_sample(table, inside, strengths)
    origin = _choose_origin(table, core, sample, anchor)
    strengths = _round(strengths - strengths[origin].mean())
    drawn = sample.strengths
    drawn[:] = _round(drawn - drawn[:, origin].mean(axis=1, keepdims=True))
    return Fit(table, reach, core, strengths, sample)


def find_tail(n_draws: int) -> float:
    """Return the share of samples beyond an end of a 95 % interval, for that many groups drawn.

    It is 2.5 % for many. Samples of few groups vary too little, by the root of (n - 1) / n, and
    Student's t allows for an error that is itself estimated (Hesterberg, 2015).
    """
    widened = quantile_975(n_draws - 1) * (n_draws / (n_draws - 1)) ** 0.5
    return NormalDist().cdf(-widened)


def _round(strengths: Floats) -> Floats:
    """Cut off what the fit does not know, so that equals are equal and nothing is nothing."""
    rounded: Floats = np.round(strengths, _DECIMALS) + 0.0
    return rounded


def _draw_sample(table: Table, inside: np.ndarray, strengths: Floats) -> Sample:
    n = len(strengths)
    n_samples = REPLICATES if table.n_draws > 1 else 0
    sample = Sample(
        np.full((n_samples, n), np.nan),
        np.zeros((n_samples, n, n)),
        np.zeros(n),
        np.zeros(n),
    )
    total: Floats = table.wins.sum(axis=0)
    flat = table.wins.reshape(table.n_draws, -1)
    block = np.ix_(inside, inside)
    met = total + total.T
    observed = np.divide(total, met, out=np.full_like(total, 0.5), where=met > 0)
    generator = np.random.default_rng(_SEED)
    size = max(1, _BATCH_CELLS // n**2)
    for first in range(0, n_samples, size):
        part = slice(first, min(first + size, n_samples))
        times = _draw_buckets(generator, part.stop - first, table.n_draws)
        wins = (times @ flat).reshape(-1, n, n)
        games = wins + wins.transpose(0, 2, 1)
        rates = np.broadcast_to(observed, wins.shape).copy()
        sample.rates[part] = np.divide(wins, games, out=rates, where=games > 0)
        own = wins[:, block[0], block[1]]
        up, down = find_outside(find_reach(own > 0))
        sample.up[inside] += up.sum(axis=0) / n_samples
        sample.down[inside] += down.sum(axis=0) / n_samples
        # A sample without a finite fit gets half a game more each way, so that it has a place.
        apart = (up | down).any(axis=1)
        if apart.any():
            own[apart] = add_half_games(own[apart], met[block])
        sample.strengths[part, inside] = fit_strengths(own, strengths[inside])
    return sample


def _draw_buckets(generator: np.random.Generator, n_samples: int, n_draws: int) -> Floats:
    """Return how often each bucket is drawn in each sample, (n_samples, n_draws)."""
    drawn = generator.integers(0, n_draws, (n_samples, n_draws))
    drawn += n_draws * np.arange(n_samples)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=n_samples * n_draws)
    return counts.reshape(n_samples, n_draws).astype(np.float64)


def _choose_origin(table: Table, core: Flags, sample: Sample, anchor: str | None) -> Flags:
    """Return the strategies whose mean strength is 0."""
    if anchor is not None:
        chosen: Flags = core & np.array([label == anchor for label in table.labels])
        if not chosen.any():
            raise ValueError(f"{anchor!r} has no finite rating to count the others from")
        return chosen
    if table.n_draws < 2:
        return core
    tail = find_tail(table.n_draws)
    bounded = core & ~is_open(sample.up, tail) & ~is_open(sample.down, tail)
    return bounded if bounded.any() else core


def is_open(share: Floats, tail: float) -> Flags:
    """Tell where so many samples are unbounded that the interval's end is among them."""
    found: Flags = (share > 0) & (share >= tail)
    return found
