"""Compiled functions and records that compiled code reaches by their addresses.

A strategy that plays another one in its head must not be compiled anew for each: it gets addresses
with its parameters, and turns them into a function or a record here. Whoever hands out an address
keeps what is there alive.
"""

from typing import Any

from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import intrinsic


def find_address(function: Any, signature: Any) -> int:
    """Return the address of a function's machine code, which raises as Numba's own calls do."""
    result = function.get_compile_result(signature)
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def build_function_reader(signature: Any) -> Any:
    """Return a compiled function from an address, uint64, to the function of `signature` there."""
    kind = types.FunctionType(signature)

    @intrinsic
    def read_function(typingctx, address):  # type: ignore[no-untyped-def]
        def generate(context, builder, _signature, args):  # type: ignore[no-untyped-def]
            function = cgutils.create_struct_proxy(kind)(context, builder)  # type: ignore[no-untyped-call]
            pointer = builder.inttoptr(args[0], context.get_value_type(types.voidptr))
            function.jit_addr = function.c_addr = pointer  # the second is for when the first is 0
            return function._getvalue()

        return kind(types.uint64), generate

    return read_function


def build_record_reader(dtype: Any) -> Any:
    """Return a compiled function from an address, uint64, to the record of `dtype` there."""
    kind = from_dtype(dtype)

    @intrinsic
    def read_record(typingctx, address):  # type: ignore[no-untyped-def]
        def generate(context, builder, _signature, args):  # type: ignore[no-untyped-def]
            return builder.inttoptr(args[0], context.get_value_type(kind))

        return kind(types.uint64), generate

    return read_record
