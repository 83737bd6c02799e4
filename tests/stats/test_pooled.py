import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcsim.stats.estimate import Moments
from lcsim.stats.pooled import combine_layers


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=2, max_size=30))
def test_with_all_deals_common_it_is_the_combination(rows):
    moments = Moments.of(("a", "b"), np.array(rows))
    weights = {"a": 1, "b": -1}
    found, wanted = combine_layers([moments], weights), moments.combination(weights)
    assert found.mean == wanted.mean
    assert found.se == pytest.approx(wanted.se, abs=1e-12)


def test_one_variable_has_more_deals():
    rng = np.random.default_rng(5)
    luck = rng.integers(-100, 100, 300)
    a = luck + rng.integers(0, 10, 300)
    b = luck[:200] + rng.integers(0, 10, 200)
    layers = [
        Moments.of(("a", "b"), np.stack([a[:200], b], axis=1)),
        Moments.of(("a",), a[200:, None]),
    ]
    found = combine_layers(layers, {"a": 1, "b": -1})
    assert found.mean == pytest.approx(a.mean() - b.mean())
    cov = np.cov(a[:200], b)
    wanted = a.var(ddof=1) / 300 + b.var(ddof=1) / 200 - 2 * cov[0, 1] * 200 / (300 * 200)
    assert found.se == pytest.approx(np.sqrt(wanted))
    assert found.n == 200


def test_nothing_in_common_adds_the_variances():
    layers = [Moments.of(("a",), np.array([[1], [3]])), Moments.of(("b",), np.array([[2], [2]]))]
    found = combine_layers(layers, {"a": 1, "b": 1})
    assert (found.mean, found.se) == (4.0, 1.0)


def test_one_deal_has_no_error():
    assert combine_layers([Moments.of(("a",), np.array([[1]]))], {"a": 2}).se is None


def test_a_variable_nobody_has():
    with pytest.raises(ValueError, match="no deal group has b"):
        combine_layers([Moments.of(("a",), np.array([[1]]))], {"b": 2})
