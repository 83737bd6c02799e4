"""The box of a strategy's parameters: points to values and back, bounds and whole numbers kept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcsim.errors import SpecError, UnknownNameError
from lcsim.strategy import load_strategy
from lcsim.tune.space import build_space

OPENER = load_strategy("cautious-opener:open_at=18", kind="duel")
STEADY = load_strategy("steady", kind="board")


def test_the_start_is_the_strategys_own_values():
    space = build_space(OPENER)
    assert space.names == ("open_at", "wager_at", "leap")
    assert space.read_point(space.find_start()) == pytest.approx(dict(OPENER.params))
    assert space.find_start()[0] == pytest.approx(18 / 54)


@given(st.lists(st.floats(-3, 3), min_size=8, max_size=8))
def test_every_point_gives_possible_values(point):
    space = build_space(STEADY)
    values = space.read_point(point[: len(space.names)])
    for name, param in space.params.items():
        assert param.low <= values[name] <= param.high
        assert not param.is_integer or values[name] == int(values[name])
    rounded = space.round_values(values)
    assert all(param.low <= rounded[name] <= param.high for name, param in space.params.items())


def test_whole_numbers_have_steps_and_others_none():
    space = build_space(STEADY)
    whole = [param.is_integer for param in space.params.values()]
    assert any(whole)
    assert list(space.steps > 0) == whole


def test_values_become_a_spec_that_loads_as_the_same():
    space = build_space(OPENER)
    values = space.round_values({"open_at": 21.23456, "wager_at": 22.0, "leap": 11.0})
    tuned = space.build_strategy(values)
    assert tuned.spec == "cautious-opener:open_at=21.2"
    assert dict(load_strategy(tuned.spec, kind="duel").params) == dict(tuned.params)


def test_a_restriction_stays_with_the_strategy():
    space = build_space(load_strategy("cautious-opener@no-wagers", kind="duel"))
    assert space.build_strategy({"open_at": 30.0}).spec == "cautious-opener:open_at=30@no-wagers"


def test_only_the_parameters_named_are_tuned():
    assert build_space(OPENER, ("leap",)).names == ("leap",)
    assert np.shape(build_space(OPENER, ("leap",)).find_start()) == (1,)


def test_what_cannot_be_tuned_is_explained():
    with pytest.raises(UnknownNameError, match="open_at"):
        build_space(OPENER, ("opne_at",))
    with pytest.raises(SpecError, match="no parameter"):
        build_space(load_strategy("random-legal", kind="duel"))
