"""Deals are addresses: random streams named by (seed, deal, round, stream).

A stream is a xoshiro256++ generator (Blackman and Vigna, 2021) whose state is spread from its
address by SplitMix64's finaliser. Bounded numbers use Lemire's method (2019) on the high 32 bits,
shuffles are Fisher-Yates downwards. Everything stands here twice: plain, for the referee and for a
reader, and compiled, for the kernel; `tests/rules/test_streams.py` holds the two together.
"""

from collections.abc import MutableSequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import overload, register_jitable

DECK_STREAM = 0
TILE_STREAM = 1
SEAT_STREAM = 16
SIMULATION_STREAM = 4096  # worlds inside a strategy's head; no game deals from it

# A seat's own stream in a kernel: its state, and whether its strategy uses it at all.
RNG_DTYPE = np.dtype([("state", "u8", (4,)), ("used", "u8")])

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB

# -- plain ----------------------------------------------------------------------------------------


def mix(z: int) -> int:
    """SplitMix64's finaliser on one unsigned 64-bit integer."""
    z = ((z ^ (z >> 30)) * _MIX_1) & _MASK
    z = ((z ^ (z >> 27)) * _MIX_2) & _MASK
    return z ^ (z >> 31)


class Stream:
    """The random numbers at one address, as plain Python integers."""

    def __init__(self, seed: int, deal: int, round_: int, stream: int) -> None:
        key = seed & _MASK
        for part in (deal, round_, stream):
            key = mix((key + _GOLDEN + part) & _MASK)
        self.state = [mix((key + (i + 1) * _GOLDEN) & _MASK) for i in range(4)]

    def next(self) -> int:
        """Return the next 64 random bits."""
        s = self.state
        out = (_rotate((s[0] + s[3]) & _MASK, 23) + s[0]) & _MASK
        shifted = (s[1] << 17) & _MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = _rotate(s[3], 45)
        return out

    def below(self, n: int) -> int:
        """Return a uniform integer of 0 .. n-1, for 1 <= n < 2**32."""
        while True:
            product = (self.next() >> 32) * n
            if product % 2**32 >= (2**32 - n) % n:
                return product >> 32

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffle `items` in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


def _rotate(x: int, k: int) -> int:
    return ((x << k) | (x >> (64 - k))) & _MASK


class Streams:
    """The streams of n views, for a batch strategy: each draw gives a number to every view.

    `streams[rows]` are those of some views, by a mask or by numbers: a draw from them leaves the
    others where they are, so what a view gets need not depend on the views beside it.
    """

    def __init__(self, states: npt.NDArray[np.uint64], rows: Any = slice(None)) -> None:
        """`states`, uint64 (n, 4), is changed by every draw."""
        self._states = states
        self._rows = np.arange(len(states))[rows]

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, rows: Any) -> "Streams":
        """Return the streams of some of the views."""
        return Streams(self._states, self._rows[rows])

    def next(self) -> npt.NDArray[np.uint64]:
        """Return the next 64 random bits of each stream, uint64 (n,)."""
        s0, s1, s2, s3 = self._states[self._rows].T
        out, *state = _step(s0, s1, s2, s3)
        self._states[self._rows] = np.stack(state, axis=1)
        bits: npt.NDArray[np.uint64] = out
        return bits

    def below(self, n: Any) -> npt.NDArray[np.int64]:
        """Return a uniform integer of 0 .. n-1 from each stream, int64 (n,), as `Stream.below`.

        `n` is one number, or one for each view.
        """
        bound = np.broadcast_to(np.asarray(n), len(self))
        if len(self) and not (bound.min() >= 1 and bound.max() < 2**32):
            raise ValueError("random_below takes 1 <= n < 2**32")
        limit = bound.astype(np.uint64)
        product = (self.next() >> _U(32)) * limit
        again = np.flatnonzero((product & _LOW32) < (_U(2**32) - limit) % limit)
        drawn = (product >> _U(32)).astype(np.int64)
        if again.size:
            drawn[again] = self[again].below(bound[again])
        return drawn


def random_below(rng: Any, n: Any) -> Any:
    """Return a uniform integer of 0 .. n-1 from a seat's own stream, for 1 <= n < 2**32.

    From a batch strategy's streams, one for each view, int64 (n,).
    """
    return rng.below(n) if isinstance(rng, Streams) else rng.below(int(n))


def random_float(rng: Any) -> Any:
    """Return a uniform number of [0, 1) with 53 random bits from a seat's own stream.

    From a batch strategy's streams, one for each view, float64 (n,).
    """
    return (rng.next() >> 11) * 2.0**-53


# -- compiled: the state is a uint64 array of length 4 --------------------------------------------

_U = np.uint64
_G64, _M1, _M2 = _U(_GOLDEN), _U(_MIX_1), _U(_MIX_2)
_LOW32 = _U(2**32 - 1)


@register_jitable
def _mix64(z):
    z = (z ^ (z >> _U(30))) * _M1
    z = (z ^ (z >> _U(27))) * _M2
    return z ^ (z >> _U(31))


@register_jitable
def open_stream(state, seed, deal, round_, stream):
    """Set `state` (uint64[4]) to the beginning of the stream at an address."""
    key = _mix64(_U(seed) + _G64 + _U(deal))
    key = _mix64(key + _G64 + _U(round_))
    key = _mix64(key + _G64 + _U(stream))
    for i in range(4):
        key += _G64
        state[i] = _mix64(key)


@register_jitable
def _step(s0, s1, s2, s3):
    total = s0 + s3
    out = ((total << _U(23)) | (total >> _U(41))) + s0
    shifted = s1 << _U(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << _U(45)) | (s3 >> _U(19))
    return out, s0, s1, s2, s3


@register_jitable
def next_bits(state):
    """Return the next 64 random bits of `state` as a uint64."""
    out, state[0], state[1], state[2], state[3] = _step(state[0], state[1], state[2], state[3])
    return out


@register_jitable
def next_float(state):
    """Return the next uniform number of [0, 1) of `state`, with 53 random bits."""
    return np.float64(next_bits(state) >> _U(11)) * 2.0**-53


@register_jitable
def shuffle_items(items, size, state):
    """Shuffle the first `size` of `items` in place, the generator's state held in registers."""
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    for i in range(size - 1, 0, -1):
        n = _U(i + 1)
        while True:
            out, s0, s1, s2, s3 = _step(s0, s1, s2, s3)
            product = (out >> _U(32)) * n
            low = product & _LOW32
            if low >= n or low >= (_U(2**32) - n) % n:
                break
        j = np.int64(product >> _U(32))
        items[i], items[j] = items[j], items[i]
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3


@overload(random_below)
def _random_below(rng, n):
    if not isinstance(rng, types.Record):
        return None

    def below(rng, n):
        n64 = _U(n)
        while True:
            product = (next_bits(rng.state) >> _U(32)) * n64
            low = product & _LOW32
            if low >= n64 or low >= (_U(2**32) - n64) % n64:
                return np.int64(product >> _U(32))

    return below


@overload(random_float)
def _random_float(rng):
    if not isinstance(rng, types.Record):
        return None
    return lambda rng: next_float(rng.state)
