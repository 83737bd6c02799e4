"""The Bradley-Terry model, fitted to many tables of results at once.

Each strategy has a strength s, and i beats j with the odds exp(s_i - s_j) (Bradley and Terry, 1952;
Zermelo, 1929). Strengths are natural logarithms of odds here; the Elo scale has 400 log10 of them.
A finite best fit exists just where no group of strategies won all its games against the rest (Ford,
1957), which is where the graph of "won a game against" is strongly connected.
"""

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

ELO = 400 / math.log(10)
"""Elo points in one natural logarithm of odds."""

_MOST_STEPS = 500
_LONGEST_STEP = 1.0
_CLOSE = 1e-9


def fit_strengths(wins: Floats, start: Floats | None = None) -> Floats:
    """Return the strengths that fit best, (n_tables, n), each table's with mean 0.

    `wins[t, i, j]` is how often i beat j in table t, a draw counting half to each; each table must
    have a finite best fit. Newton's method on the log-likelihood, which is concave; steps are held
    to one natural logarithm, so that it cannot overshoot from far away. Raises ValueError where it
    does not converge, which says that a table has no finite fit.
    """
    n_tables, n, _ = wins.shape
    losses = wins.transpose(0, 2, 1)
    strengths = np.zeros((n_tables, n)) if start is None else np.tile(start, (n_tables, 1))
    if n == 1:
        return np.zeros((n_tables, n))
    for _ in range(_MOST_STEPS):
        rates = predict_rates(strengths)
        converse = rates.transpose(0, 2, 1)  # 1 - rates, but exact where they are all but 1
        slope = (wins * converse - losses * rates).sum(axis=2)
        weights = (wins + losses) * rates * converse
        curve = -weights
        total = weights.sum(axis=2)
        at = np.arange(n)
        curve[:, at, at] += total
        # The curvature says nothing of a common shift: any multiple of ones makes it invertible.
        curve += total.mean(axis=1)[:, None, None] / n
        step = np.linalg.solve(curve, slope[..., None])[..., 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        strengths += step * np.minimum(1.0, _LONGEST_STEP / np.maximum(longest, _CLOSE))
        if longest.max() < _CLOSE:
            strengths -= strengths.mean(axis=1, keepdims=True)
            return strengths
    raise ValueError("a table of results has no finite strengths")


def predict_rates(strengths: Floats) -> Floats:
    """Return the win rates of each against each, (..., n, n), from strengths (..., n)."""
    lead = strengths[..., :, None] - strengths[..., None, :]
    rates: Floats = 1 / (1 + np.exp(-np.clip(lead, -700, 700)))
    return rates


def find_reach(edges: Flags) -> Flags:
    """Return which node reaches which over any number of edges, itself included, (n_tables, n, n).

    `edges[t, i, j]` tells whether an edge leads from i to j in table t.
    """
    n = edges.shape[1]
    reach: Flags = edges | np.eye(n, dtype=bool)
    for _ in range(max(1, math.ceil(math.log2(max(n, 2))))):
        steps = reach.astype(np.float32)
        reach = steps @ steps > 0
    return reach


def find_outside(reach: Flags) -> tuple[Flags, Flags]:
    """Tell whose strength is unbounded in each table, upwards and downwards, both (n_tables, n).

    `reach` comes from the wins. A strategy that shares a group, each reached by each, with more
    than half of all is bounded. Outside such a group one is unbounded upwards if it reaches others
    that do not reach it, downwards if it is reached so, and both ways if nothing links it with the
    group.
    """
    n = reach.shape[1]
    back = reach.transpose(0, 2, 1)
    mutual = reach & back
    inside = 2 * mutual.sum(axis=2) > n
    has_core = inside.any(axis=1)
    # With no such group everyone is held against everyone, otherwise against the group alone.
    others = np.where(has_core[:, None], inside, True)[:, None, :]
    up = (reach & ~back & others).any(axis=2)
    down = (back & ~reach & others).any(axis=2)
    lost = ~inside & ~up & ~down
    return ~inside & (up | lost), ~inside & (down | lost)


def pick_core(reach: Flags) -> Flags:
    """Return the largest group of strategies that all reach each other, (n,), from one (n, n).

    Where several are as large it is the one that reaches most, and else the first.
    """
    mutual = reach & reach.T
    rank = mutual.sum(axis=1) * (len(reach) + 1) + reach.sum(axis=1)
    core: Flags = mutual[int(rank.argmax())]
    return core


def add_half_games(wins: Floats, met: Floats) -> Floats:
    """Return the tables with half a game won and half a game lost by each strategy besides.

    They are spread over the pairs that met in proportion to `met`, the games of each, (n, n). Every
    strategy has a finite strength then, if the pairs that met connect all.
    """
    played = met.sum(axis=1)
    share = met / played[:, None] + met / played[None, :]
    padded: Floats = wins + share / 4
    return padded


def bound_strength(strengths: Floats, games: Floats, share: float) -> float:
    """Return the strength that would lose `share` of its `games` against those of `strengths`.

    Both arrays are (n,); the answer is found by bisection to 1e-9.
    """
    wanted = share * games.sum()
    low, high = float(strengths.min()) - 40, float(strengths.max()) + 40
    while high - low > 1e-9:
        middle = (low + high) / 2
        losses = (games / (1 + np.exp(np.clip(middle - strengths, -700, 700)))).sum()
        low, high = (middle, high) if losses > wanted else (low, middle)
    return (low + high) / 2
