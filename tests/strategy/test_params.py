"""Parameters: declared, ranged, parsed, inherited."""

import pytest

from lcsim.errors import SpecError, UnknownNameError
from lcsim.strategy.base import StrategyBase, list_params, name_class
from lcsim.strategy.params import Param, resolve_params, write_number

PARAMS = {
    "open_at": Param(15.0, low=0, high=54, help="points"),
    "cards": Param(8, low=0, high=12, help="cards"),
}


def test_defaults_stand_where_nothing_is_given():
    assert resolve_params("x", PARAMS, {}) == {"open_at": 15.0, "cards": 8}


def test_values_are_parsed_by_type():
    values = resolve_params("x", PARAMS, {"open_at": "18", "cards": "3"})
    assert values == {"open_at": 18.0, "cards": 3}
    assert isinstance(values["open_at"], float)
    assert isinstance(values["cards"], int)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"open_at": "55"}, "from 0 to 54"),
        ({"open_at": "-1"}, "from 0 to 54"),
        ({"open_at": "nan"}, "from 0 to 54"),
        ({"open_at": "inf"}, "from 0 to 54"),
        ({"open_at": "many"}, "points"),
        ({"cards": "2.5"}, "a whole number"),
    ],
)
def test_a_wrong_value_says_what_is_allowed(given, says):
    with pytest.raises(SpecError) as caught:
        resolve_params("x", PARAMS, given)
    assert says in str(caught.value)


def test_an_unknown_parameter_gets_a_suggestion():
    with pytest.raises(UnknownNameError, match="did you mean 'open_at'"):
        resolve_params("x", PARAMS, {"open": "3"})


@pytest.mark.parametrize(
    ("default", "low", "high"), [(5, 6, 7), (5.0, 0, float("inf")), (float("nan"), 0, 1)]
)
def test_a_param_that_cannot_be_is_refused(default, low, high):
    with pytest.raises(ValueError, match="Param"):
        Param(default, low=low, high=high)


def test_a_param_is_a_number():
    with pytest.raises(TypeError, match="not a number"):
        Param("5", low=0, high=9)


def test_numbers_are_written_so_that_they_read_back():
    for value in (18.0, 0.1, 1e-7, 3, 1 / 3):
        assert float(write_number(value)) == value
    assert write_number(18.0) == "18"


def test_parameters_are_inherited_and_replaced():
    class First(StrategyBase):
        kind = "duel"
        a = Param(1.0, low=0, high=2)
        b = Param(2.0, low=0, high=2)

    class Second(First):
        a = Param(0.5, low=0, high=1)
        b = 7

    assert {name: param.default for name, param in list_params(Second).items()} == {"a": 0.5}
    assert Second().a == 0.5
    assert First(b=1.5).b == 1.5


def test_a_strategy_keeps_no_state():
    class Mine(StrategyBase):
        kind = "duel"

    with pytest.raises(AttributeError, match="no state"):
        Mine().count = 1


@pytest.mark.parametrize(
    ("class_name", "name"),
    [("CautiousOpener", "cautious-opener"), ("Ladder", "ladder"), ("UCTPlayer2", "uct-player2")],
)
def test_a_class_gives_its_strategy_the_name(class_name, name):
    assert name_class(class_name) == name
