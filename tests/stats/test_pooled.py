import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcsim.stats.estimate import Moments
from lcsim.stats.pooled import Layers, combine_layers


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


NAMES = ("y", "x")


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(1, 9)), min_size=1, max_size=30))
def test_one_layer_has_the_ratio_of_its_moments(rows):
    moments = Moments.of(NAMES, np.array(rows))
    found, wanted = Layers((moments,)).ratio(*NAMES), moments.ratio(*NAMES)
    assert (found.mean, found.n) == (wanted.mean, wanted.n)
    assert found.se == (None if len(rows) < 2 else pytest.approx(wanted.se, abs=1e-12))


def test_what_sets_layers_apart_is_no_error():
    rng = np.random.default_rng(8)
    short = np.stack([rng.integers(90, 110, 200), np.full(200, 2)], axis=1)
    long = np.stack([rng.integers(900, 1100, 300), np.full(300, 5)], axis=1)
    layers = Layers((Moments.of(NAMES, short), Moments.of(NAMES, long)))
    found = layers.ratio(*NAMES)
    y = np.concatenate([short, long])[:, 0]
    assert found.mean == pytest.approx(y.sum() / (2 * 200 + 5 * 300))
    wanted = 200 * short[:, 0].var(ddof=1) + 300 * long[:, 0].var(ddof=1)
    assert found.se == pytest.approx(np.sqrt(wanted) / 1900)
    assert (layers.n, layers.total("x"), found.n) == (500, 1900, 500)
    assert (layers.parts[0] + layers.parts[1]).ratio(*NAMES).se > 1.5 * found.se


def test_layers_cover_the_ratio_of_their_plan():
    rng, errors = np.random.default_rng(9), []
    for _ in range(300):
        layers = []
        for n, games, mean in ((40, 2, 30.0), (60, 5, 50.0)):
            y = rng.normal(games * mean, 12, n).round().astype(int)
            layers.append(Moments.of(NAMES, np.stack([y, np.full(n, games)], axis=1)))
        found = Layers(tuple(layers)).ratio(*NAMES)
        errors.append((found.mean - (80 * 30 + 300 * 50) / 380) / found.se)
    assert np.std(errors) == pytest.approx(1, abs=0.12)


def test_single_deals_join_the_largest_layer():
    rows = np.array([[4, 1], [8, 2], [3, 1], [9, 2], [7, 2]])
    whole = Moments.of(NAMES, rows[:4])
    alone = Moments.of(NAMES, rows[4:])
    assert Layers((alone, whole)).ratio(*NAMES) == Layers((whole + alone,)).ratio(*NAMES)
    pair = Layers((Moments.of(NAMES, rows[:1]), alone))
    assert pair.ratio(*NAMES).se == pytest.approx(Moments.of(NAMES, rows[[0, 4]]).ratio(*NAMES).se)


def test_a_ratio_of_nothing_and_of_one_deal():
    assert Layers((Moments.of(NAMES, np.array([[1, 0], [2, 0]])),)).ratio(*NAMES) is None
    one = Layers((Moments.of(NAMES, np.array([[3, 2]])),)).ratio(*NAMES)
    assert (one.mean, one.se, one.n) == (1.5, None, 1)
