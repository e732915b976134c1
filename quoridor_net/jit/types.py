"""Types of arguments and results, for kernels that declare them."""

from __future__ import annotations

from typing import Any

from numba import typeof, types

#: A number, a fraction, a truth value, nothing, and contiguous arrays of numbers.
NUMBER = types.int64
FRACTION = types.float64
TRUTH = types.boolean
NOTHING = types.void
NUMBERS = types.int64[::1]
SMALL_NUMBERS = types.int16[::1]
BYTES = types.int8[::1]


def numbers(count: int) -> Any:
    """Return the type of a tuple of ``count`` numbers."""
    return types.UniTuple(types.int64, count)  # type: ignore[no-untyped-call]


def type_of(example: object) -> Any:
    """Return the kernel type of values like ``example``."""
    return typeof(example)  # type: ignore[no-untyped-call]
