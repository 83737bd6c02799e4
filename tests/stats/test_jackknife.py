"""The jackknife against formulas that are known."""

import math

import numpy as np
import pytest

from lcsim.stats.jackknife import MIN_SLICES, jackknife


def mean(sums):
    return sums[1] / sums[0] if sums[0] else None


def test_of_a_mean_it_is_the_standard_error():
    values = np.random.default_rng(1).normal(size=12)
    slices = [np.array([1.0, value]) for value in values]
    found = jackknife(slices, mean)
    assert found.mean == pytest.approx(values.mean())
    assert found.se == pytest.approx(values.std(ddof=1) / math.sqrt(12))
    assert found.n == 12


def test_of_a_ratio_it_is_close_to_the_delta_method():
    rng = np.random.default_rng(2)
    x = rng.uniform(5, 6, size=400)
    y = 2 * x + rng.normal(size=400)
    found = jackknife(list(np.stack([x, y], axis=1).reshape(40, 10, 2).sum(axis=1)), mean)
    residual = (y - found.mean * x) / x.mean()
    assert found.se == pytest.approx(residual.std(ddof=1) / math.sqrt(400), rel=0.35)


def test_it_covers_a_ratio_of_variances():
    """Of pairs with correlation rho, half their difference has (1 - rho) times the variance."""
    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(200):
        common = rng.normal(size=(800, 1))
        pairs = 0.6 * common + 0.8 * rng.normal(size=(800, 2))
        columns = [(pairs[:, 0] - pairs[:, 1]) ** 2 / 2, (pairs**2).mean(axis=1)]
        sums = np.stack(columns, axis=1).reshape(16, 50, 2).sum(axis=1)
        found = jackknife(list(sums), lambda total: total[0] / total[1])
        low, high = found.ci95()
        inside += low < 1 - 0.36 < high
    assert 180 <= inside <= 199


def test_few_slices_or_nothing_to_see_give_no_error():
    slices = [np.array([1.0, value]) for value in range(MIN_SLICES - 1)]
    assert jackknife(slices, mean).se is None
    assert jackknife([], mean) is None
    assert jackknife([np.zeros(2)] * 9, mean) is None
    lone = [np.array([1.0, 1.0]), *[np.zeros(2)] * 5]
    assert jackknife(lone, mean).se is None
