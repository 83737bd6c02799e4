"""Bit helpers: plain and compiled give the same."""

import numba
from hypothesis import given, settings
from hypothesis import strategies as st

from lcsim.rules.bits import count_bits, highest_bit, lowest_bit


@numba.njit
def compiled_bits(mask):
    return count_bits(mask), lowest_bit(mask), highest_bit(mask)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**63 - 1))
def test_plain_and_compiled_bits_are_the_same(mask):
    plain = (count_bits(mask), lowest_bit(mask), highest_bit(mask))
    assert plain == compiled_bits(mask)
    assert plain[0] == bin(mask).count("1")
    if mask:
        assert mask >> plain[1] & 1
        assert mask & ((1 << plain[1]) - 1) == 0
        assert mask >> plain[2] == 1


def test_the_empty_mask_has_no_lowest_and_no_highest_bit():
    assert compiled_bits(0) == (0, 64, -1) == (count_bits(0), lowest_bit(0), highest_bit(0))
