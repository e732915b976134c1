"""How the engine's kernels are compiled: to native code, without the interpreter lock, cached on disk.

Only the kernel modules import this one, and numba with it. Every kernel states its types, so it is compiled
once, when its module is imported: the engine imports the modules one by one and shows progress meanwhile.
Compiled on demand, kernels would be compiled again for each literal argument, and a recursive kernel with
two sets of types is not loaded correctly from numba's cache.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba import typeof, types
from numpy.typing import NDArray

from quoridor_net.engine.jit import CLOCK, TELLS_TIME, Function, KernelCache, deadline_after, read_clock

_CACHE = KernelCache(Path(__file__).parent)

#: The types of kernels: a number, a truth value, nothing, and contiguous arrays.
NUMBER = types.int64
TRUTH = types.boolean
NOTHING = types.void
NUMBERS = types.int64[::1]
SMALL_NUMBERS = types.int16[::1]
BYTES = types.int8[::1]

#: Numbers that :func:`stopped` needs: whether to stop, when to (nanoseconds, 0 for never), two to work with.
STOP_NUMBERS = 4

#: More nodes than any search visits.
UNLIMITED = 1 << 62


def numbers(count: int) -> Any:
    """Return the type of a tuple of ``count`` numbers."""
    return types.UniTuple(types.int64, count)  # type: ignore[no-untyped-call]


def type_of(example: object) -> Any:
    """Return the type that values like ``example`` have in kernels."""
    return typeof(example)  # type: ignore[no-untyped-call]


def compiled(result: Any, *arguments: Any) -> Callable[[Function], Function]:
    """Return a decorator that compiles a function of the given types to native code."""
    return _CACHE.typed(result(*arguments))


@compiled(NUMBER, NUMBER)
def mixed(number: int) -> int:
    """Return a well spread 64-bit number for ``number`` (the finaliser of SplitMix64, on signed integers)."""
    number = (number + 0x1E3779B97F4A7C15) * -4658895280553007687
    number = (number ^ ((number >> 31) & 0x1FFFFFFFF)) * -7723592293110705685
    return number ^ ((number >> 29) & 0x7FFFFFFFF)


@compiled(NUMBER, NUMBER)
def wide(number: int) -> int:
    """Return ``number`` in 64 bits. A recursive kernel must be called with exactly the types it states."""
    return number


if TELLS_TIME:

    @compiled(TRUTH, NUMBERS, NUMBER)
    def stopped(control: NDArray[np.int64], at: int) -> bool:
        """Return whether to stop: told to, or because it is time. Once it was time it stays so."""
        if control[at] == 0 and control[at + 1] != 0:
            read_clock(CLOCK, control[at + 2 :].ctypes)
            if control[at + 2] * 1_000_000_000 + control[at + 3] >= control[at + 1]:
                control[at] = 1
        return bool(control[at] != 0)

else:

    @compiled(TRUTH, NUMBERS, NUMBER)
    def stopped(control: NDArray[np.int64], at: int) -> bool:
        """Return whether to stop because somebody said so."""
        return bool(control[at] != 0)


def go_on(control: NDArray[np.int64], at: int, seconds: float | None) -> None:
    """Take back a stop; where kernels tell the time, stop again after ``seconds``, None for never."""
    control[at + 1] = deadline_after(seconds)
    control[at] = 0
