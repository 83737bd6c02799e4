"""Streams: the published vectors, and the plain and the compiled form side by side."""

import json
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lcsim.rules.streams import (
    RNG_DTYPE,
    Stream,
    next_bits,
    open_stream,
    random_below,
    random_float,
    shuffle_items,
)

VECTORS = json.loads((Path(__file__).parents[1] / "fixtures" / "deals.json").read_text())["raw"]
U64 = st.integers(0, 2**64 - 1)


@numba.njit
def compiled_stream(rngs, seed, deal, round_, stream, n_bits, bounds, items):
    """Return the first bits, then bounded numbers, a float, and shuffle `items`."""
    rng = rngs[0]
    open_stream(rng.state, seed, deal, round_, stream)
    bits = np.zeros(n_bits, np.uint64)
    for i in range(n_bits):
        bits[i] = next_bits(rng.state)
    below = [random_below(rng, bound) for bound in bounds]
    number = random_float(rng)
    shuffle_items(items, items.size, rng.state)
    return bits, below, number


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"seed-{vector['seed']}")
def test_streams_give_the_published_vectors(vector):
    address = (vector["seed"], vector["deal"], vector["round"], vector["stream"])
    stream = Stream(*address)
    assert [str(stream.next()) for _ in range(4)] == vector["next"]
    assert [stream.below(60), stream.below(7)] == vector["below_60_then_7"]
    bits, below, _ = compiled_stream(
        np.zeros(1, RNG_DTYPE),
        np.uint64(vector["seed"]),
        *address[1:],
        4,
        np.array([60, 7]),
        np.zeros(1, np.uint8),
    )
    assert [str(value) for value in bits] == vector["next"]
    assert below == vector["below_60_then_7"]


@settings(max_examples=60, deadline=None)
@given(
    seed=U64,
    deal=st.integers(0, 2**62),
    round_=st.integers(0, 1000),
    stream=st.integers(0, 20),
    bounds=st.lists(st.integers(1, 2**32 - 1), min_size=1, max_size=5),
    size=st.integers(1, 110),
)
def test_plain_and_compiled_streams_are_the_same(seed, deal, round_, stream, bounds, size):
    plain = Stream(seed, deal, round_, stream)
    items = np.arange(size, dtype=np.uint8)
    bits, below, number = compiled_stream(
        np.zeros(1, RNG_DTYPE), np.uint64(seed), deal, round_, stream, 3, np.array(bounds), items
    )
    assert [int(value) for value in bits] == [plain.next() for _ in range(3)]
    assert below == [random_below(plain, bound) for bound in bounds]
    assert number == random_float(plain)
    shuffled = list(range(size))
    plain.shuffle(shuffled)
    assert list(items) == shuffled


def test_bounded_numbers_are_uniform():
    stream = Stream(1, 2, 3, 4)
    counts = np.bincount([stream.below(7) for _ in range(14_000)], minlength=7)
    chi_square = ((counts - 2000) ** 2 / 2000).sum()
    assert chi_square < 22.5  # 99.9 % of chi-square with 6 degrees of freedom
