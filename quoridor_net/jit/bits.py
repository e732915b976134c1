"""Bit operations that numba lacks, and hashing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from quoridor_net.jit.cache import shared

_TRUE = ir.Constant(ir.IntType(1), 1)


def _popcount(_typing: Any, _value: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def _lowest_bit(_typing: Any, _value: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], _TRUE)

    return types.int64(types.int64), generate


#: Number of bits set in a word.
popcount: Callable[[int], int] = cast("Callable[[int], int]", intrinsic(_popcount))
#: Number of the lowest bit set in a word that is not zero.
lowest_bit: Callable[[int], int] = cast("Callable[[int], int]", intrinsic(_lowest_bit))


@shared
def mix(number: int) -> int:
    """Return a well spread 64-bit number for ``number`` (the finaliser of SplitMix64, on signed integers)."""
    number = (number + 0x1E3779B97F4A7C15) * -4658895280553007687
    number = (number ^ ((number >> 31) & 0x1FFFFFFFF)) * -7723592293110705685
    return number ^ ((number >> 29) & 0x7FFFFFFFF)
