"""Where a mean rises through 0: hand-worked bands, and how often the interval holds the truth."""

import math

import numpy as np
import pytest

from lcsim.stats.crossing import Band, find_crossing
from lcsim.stats.estimate import Moments


def cross(*bands):
    """Return the crossing of bands (outcomes, counts, places), each a list over deal groups."""
    n = len(bands)
    names = [f"{name}{band}" for band in range(n) for name in ("y", "x", "h")]
    values = np.array([column for band in bands for column in band]).T
    listed = [
        Band(f"y{band}", f"x{band}", f"h{band}", int(np.count_nonzero(bands[band][1])))
        for band in range(n)
    ]
    return find_crossing(Moments.of(names, values), listed)


def band(mean, place, *, groups=2, count=1):
    """Return a band that has the same in every group."""
    return [mean * count] * groups, [count] * groups, [place * count] * groups


def test_a_line_without_error_is_cut_where_it_meets_zero():
    found = cross(band(-10, 2), band(-6, 5), band(3, 8))
    assert found.at == pytest.approx(5 + 3 * 6 / 9)
    assert (found.clear_below, found.clear_above) == (pytest.approx(7), pytest.approx(7))
    assert (found.lowest.mean.mean, found.highest.mean.mean) == (-10, 3)


def test_the_interval_is_where_the_line_is_not_clear_of_zero():
    low = [-3, -1, -3, -1], [1] * 4, [10] * 4
    found = cross(low, band(6, 20, groups=4))
    # The mean is -2 with se 2 / sqrt(3) / 2, and t of 3 degrees 3.182446; at t of the way the line
    # is at -2 + 8 t with (1 - t) of that error.
    half = 3.182446305 * 2 / math.sqrt(3) / 2
    assert found.at == pytest.approx(12.5)
    assert found.clear_below == pytest.approx(10 + 10 * (2 - half) / (8 - half))
    assert found.clear_above == pytest.approx(10 + 10 * (2 + half) / (8 + half))
    assert found.lowest.mean.se == pytest.approx(half / 3.182446305)


def test_bands_weigh_by_what_they_hold():
    # Two expeditions of -9 and -3 in one group, one of -6 in the other: the mean is -6.
    found = cross(([-12, -6], [2, 1], [4, 2]), band(6, 4))
    assert found.lowest.mean.mean == -6
    assert found.at == pytest.approx(3)


def test_neighbours_that_fall_are_taken_together():
    # -8 then -12 are one block of mean -10 at 3; 4 then 2 one of 3 at 7.
    found = cross(band(-8, 2), band(-12, 4), band(4, 6), band(2, 8))
    assert (found.lowest.first, found.lowest.last, found.lowest.mean.mean) == (0, 1, -10)
    assert (found.highest.first, found.highest.last, found.highest.mean.mean) == (2, 3, 3)
    # The blocks' line meets 0 at 3 + 4 * 10 / 13, but the bands' own at 4 + 2 * 12 / 16, without
    # error: so there.
    assert found.at == pytest.approx(5.5)


def test_already_above_and_never():
    already = cross(band(2, 1), band(5, 3))
    assert (already.verdict, already.at, already.lowest.mean.mean) == ("always", None, 2)
    assert (already.clear_below, already.clear_above) == (None, 1)
    never = cross(band(-5, 1), band(-2, 3))
    assert (never.verdict, never.at, never.highest.mean.mean) == ("never", None, -2)
    assert (never.clear_below, never.clear_above) == (3, None)


def test_within_the_error_or_on_one_group_neither_is_said():
    # The mean of either block is 1 (or -1) with an error of 1 / sqrt(3), which is too near 0.
    for sign in (1, -1):
        near = [sign * value for value in (0, 20, 0, 20)], [10] * 4, [40] * 4
        found = cross(near)
        assert (found.verdict, found.lowest.mean.mean) == ("unclear", sign)
        assert cross(band(sign, 2, groups=1)).verdict == "unclear"
        assert cross(band(sign, 2)).verdict == ("always" if sign > 0 else "never")


def test_zero_itself_counts_as_no_loss():
    assert cross(band(-4, 1), band(0, 3), band(5, 5)).at == 3
    assert cross(band(0, 1), band(4, 3)).verdict == "always"


def test_bands_without_anything_are_passed_over():
    nothing = [0, 0], [0, 0], [0, 0]
    found = cross(nothing, band(-5, 2), nothing, band(5, 6), nothing)
    assert found.at == pytest.approx(4)
    assert (found.lowest.first, found.highest.last) == (1, 3)
    assert cross(nothing, nothing) is None


def test_one_group_cannot_tell():
    found = cross(band(-5, 2, groups=1), band(5, 6, groups=1))
    assert (found.at, found.clear_below, found.clear_above) == (None, None, None)
    assert (found.verdict, found.lowest.mean.mean, found.lowest.mean.se) == ("unclear", -5, None)
    # With a second group that has nothing there it is still one that says it all.
    found = cross(([-5, 0], [1, 0], [2, 0]), ([5, 0], [1, 0], [6, 0]))
    assert (found.at, found.clear_below, found.lowest.mean.se) == (None, None, None)


def test_a_single_band_is_clear_by_its_own_error():
    # The error of the mean is 1 / sqrt(3), and t of 3 degrees 3.18: 1.837 decides.
    for mean, place in ((-1.7, None), (-1.9, 4)):
        low = [round(10 * mean) + one for one in (-10, 10, -10, 10)], [10] * 4, [40] * 4
        assert cross(low).clear_below == place


def test_a_lone_loss_is_no_crossing():
    found = cross(([-13, 0, 0], [1, 0, 0], [3, 0, 0]), band(5, 6, groups=3), band(7, 9, groups=3))
    assert found.lowest.mean.mean == -13
    assert (found.at, found.clear_below, found.clear_above) == (None, None, 6)
    found = cross(([-13, 0, 0], [1, 0, 0], [3, 0, 0]), band(5, 6, groups=3))
    assert (found.verdict, found.clear_below, found.clear_above) == ("unclear", None, 6)


def simulate(rng, *, n_groups, slope, zero=12.0):
    """Return the crossing of expeditions whose mean is slope (held - zero), eight a group."""
    lows = np.array([0, 6, 9, 12, 15, 18])
    held = np.clip(np.rint(rng.normal(13, 5, (n_groups, 8))), 0, 30).astype(np.int64)
    luck = rng.normal(0, 6, (n_groups, 1))
    points = np.rint(slope * (held - zero) + luck + rng.normal(0, 15, held.shape))
    which = np.searchsorted(lows, held, side="right") - 1
    inside = which[..., None] == np.arange(len(lows))
    bands = [
        [(values[..., None] * inside).sum(axis=1)[:, one].astype(np.int64) for one in range(6)]
        for values in (points, np.ones_like(held), held)
    ]
    return cross(*zip(*bands, strict=True))


def test_the_place_lies_in_its_interval_and_near_the_truth():
    rng = np.random.default_rng(5)
    places = []
    for _ in range(20):
        found = simulate(rng, n_groups=150, slope=3)
        assert found.clear_below <= found.at <= found.clear_above
        places.append(found.at)
    assert np.mean(places) == pytest.approx(12, abs=0.3)


@pytest.mark.slow
@pytest.mark.parametrize(("n_groups", "slope"), [(100, 2), (400, 1), (400, 3)])
def test_the_interval_covers_the_truth(n_groups, slope):
    rng = np.random.default_rng(8)
    hits, repeats = 0, 800
    for _ in range(repeats):
        found = simulate(rng, n_groups=n_groups, slope=slope)
        low = -math.inf if found.clear_below is None else found.clear_below
        high = math.inf if found.clear_above is None else found.clear_above
        hits += low <= 12 <= high
    assert 0.92 < hits / repeats < 0.98
