"""Tables of results made by hand or by the model, for the tests of ratings."""

import numpy as np

from lcsim.stats.buckets import PairSums


def play(names, results):
    """Return one matchup of two: a string a deal, its games as "a", "b" or "=" for a draw."""
    sums = PairSums(2)
    shares = {"a": (12, 0), "b": (0, 12), "=": (6, 6)}
    games = np.array([[shares[one] for one in deal] for deal in results])
    sums.add(range(len(games)), games, games)
    return names, sums


def count(names, wins, losses, draws=0):
    """Return one matchup of two, each of its games on a deal of its own."""
    return play(names, ["a"] * wins + ["b"] * losses + ["="] * draws)


def draw_results(rng, strengths, n_deals, *, pairs, rotations=2):
    """Return matchups played by the model itself; strategies are called by their numbers."""
    found = []
    for a, b in pairs:
        chance = 1 / (1 + np.exp(strengths[b] - strengths[a]))
        won = 12 * (rng.random((n_deals, rotations)) < chance)
        games = np.stack([won, 12 - won], axis=2)
        sums = PairSums(2)
        sums.add(np.arange(n_deals), games, games)
        found.append(((f"s{a}", f"s{b}"), sums))
    return found
