"""Sets of cards as bit masks: counting and picking, the same plain and compiled."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload


def count_bits(mask: int) -> int:
    """Return how many bits of the non-negative `mask` are set."""
    return int(mask).bit_count()


def lowest_bit(mask: int) -> int:
    """Return the index of the lowest set bit of `mask`; 64 for an empty mask."""
    mask = int(mask)
    return (mask & -mask).bit_length() - 1 if mask else 64


def highest_bit(mask: int) -> int:
    """Return the index of the highest set bit of the non-negative `mask`; -1 for an empty mask."""
    return int(mask).bit_length() - 1


@intrinsic
def _ctpop(_context, mask):
    def emit(_context, builder, _signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.int64), emit


@intrinsic
def _cttz(_context, mask):
    def emit(_context, builder, _signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), emit


@intrinsic
def _ctlz(_context, mask):
    def emit(_context, builder, _signature, args):
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), emit


@overload(count_bits)
def _count_bits(mask):
    return lambda mask: _ctpop(np.int64(mask))  # type: ignore[call-arg]


@overload(lowest_bit)
def _lowest_bit(mask):
    return lambda mask: _cttz(np.int64(mask))  # type: ignore[call-arg]


@overload(highest_bit)
def _highest_bit(mask):
    return lambda mask: np.int64(63) - _ctlz(np.int64(mask))  # type: ignore[call-arg]
