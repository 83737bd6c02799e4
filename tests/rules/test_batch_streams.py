"""The streams of many views give each view what its own stream would."""

import numpy as np
import pytest

from lcsim.rules.streams import Stream, Streams, random_below, random_float

ADDRESSES = [(7, deal, 1, 16) for deal in range(40)]


def open_all():
    plain = [Stream(*address) for address in ADDRESSES]
    return plain, Streams(np.array([one.state for one in plain], np.uint64))


@pytest.mark.parametrize("n", [1, 2, 6, 1000, 3 * 2**30, 2**32 - 1])
def test_every_view_draws_what_its_own_stream_gives(n):
    plain, many = open_all()
    for _ in range(20):  # with the larger n, every fourth number is drawn again
        assert random_below(many, n).tolist() == [random_below(one, n) for one in plain]
        assert random_float(many).tolist() == [random_float(one) for one in plain]


def test_each_view_may_have_a_bound_of_its_own():
    plain, many = open_all()
    bounds = np.arange(1, len(plain) + 1)
    drawn = random_below(many, bounds)
    assert drawn.tolist() == [random_below(one, n) for one, n in zip(plain, bounds, strict=True)]
    assert drawn.dtype == np.int64


def test_a_draw_for_some_views_leaves_the_others_where_they_are():
    plain, many = open_all()
    some = np.arange(len(plain)) % 3 == 0
    drawn = random_below(many[some], 100)
    assert drawn.tolist() == [random_below(plain[i], 100) for i in np.flatnonzero(some)]
    twice = random_float(many[some][1:3])
    assert twice.tolist() == [random_float(plain[i]) for i in np.flatnonzero(some)[1:3]]
    assert random_below(many, 9).tolist() == [random_below(one, 9) for one in plain]
    assert len(many[some]) == some.sum()


def test_no_view_at_all_draws_nothing():
    _, many = open_all()
    assert random_below(many[np.zeros(len(ADDRESSES), bool)], 5).shape == (0,)


@pytest.mark.parametrize("n", [0, -3, 2**32])
def test_a_bound_that_cannot_be_is_refused(n):
    with pytest.raises(ValueError, match="1 <= n"):
        random_below(open_all()[1], n)
