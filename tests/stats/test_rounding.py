import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcsim.stats.rounding import (
    format_count,
    format_error,
    format_estimate,
    format_interval,
    format_percent,
    format_percent_interval,
    format_seconds,
    format_value,
)


@pytest.mark.parametrize(
    ("mean", "se", "text"),
    [
        (12.3456, 0.05, "12.35 ± 0.05"),
        (12.3456, 0.0121, "12.346 ± 0.012"),
        (12.3456, 0.0096, "12.346 ± 0.010"),
        (12.3456, 0.0195, "12.35 ± 0.02"),
        (12.3456, 0.0194, "12.346 ± 0.019"),
        (12.3456, 0.949, "12.3 ± 0.9"),
        (12.3456, 0.95, "12.3 ± 0.9"),
        (12.3456, 0.96, "12.3 ± 1.0"),
        (1234.5, 33.0, "1,230 ± 30"),
        (1234.5, 13.0, "1,234 ± 13"),
        (-4.2, 0.3, "−4.2 ± 0.3"),
        (-0.0004, 0.05, "0.00 ± 0.05"),
        (7.0, 0.0, "7 ± 0"),
        (0.3333333, 0.0, "0.333 ± 0"),
        (12.3, None, "12 ± ?"),
        (0.0, None, "0 ± ?"),
        (None, None, "–"),
        (math.nan, 1.0, "–"),
        (math.inf, 1.0, "–"),
    ],
)
def test_the_error_decides_the_digits(mean, se, text):
    assert format_estimate(mean, se) == text


def test_signs_and_units():
    assert format_estimate(3.21, 0.4, signed=True) == "+3.2 ± 0.4"
    assert format_estimate(-3.21, 0.4, signed=True, unit="points") == "−3.2 ± 0.4 points"
    assert format_estimate(0.0, 0.4, signed=True) == "0.0 ± 0.4"
    assert format_percent(0.6131, 0.002) == "61.3 ± 0.2 %"
    assert format_percent(0.5, None) == "50 ± ? %"
    assert format_percent(None, None) == "–"


def test_intervals():
    assert format_interval((12.213, 12.512)) == "12.21 to 12.51"
    assert format_interval((1.0, 1.0), unit="%") == "1 %"
    assert format_interval(None) == "–"
    assert format_interval((math.nan, 1.0)) == "–"
    assert format_percent_interval((0.98, 1.01)) == "98.0 to 100.0 %"
    assert format_percent_interval(None) == "–"


def test_counts_and_durations():
    assert format_count(1_000_000) == "1,000,000"
    assert format_count(-12) == "−12"
    assert [format_count(n, "game") for n in (0, 1, -1, 2000)] == [
        "0 games",
        "1 game",
        "−1 game",
        "2,000 games",
    ]
    assert format_count(2, "strategy", "strategies") == "2 strategies"
    assert [format_seconds(s) for s in (0.84, 42.2, 59.7, 200, 240, 7500, 7200)] == [
        "0.8 s",
        "42 s",
        "1 min",
        "3 min 20 s",
        "4 min",
        "2 h 5 min",
        "2 h",
    ]


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_value_and_error_stop_at_the_same_place(mean, se):
    value, error = format_value(mean, se), format_error(se)
    decimals = [len(text.partition(".")[2]) for text in (value, error)]
    assert decimals[0] == decimals[1]
    digits = error.replace(",", "").replace(".", "").strip("0")
    assert 1 <= len(digits) <= 2
    shown = float(value.replace(",", "").replace("−", "-"))
    assert abs(shown - mean) <= 0.51 * se + 1e-9
