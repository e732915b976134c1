"""The decorator of the engine's kernels, and the signal that stops a search.

Only kernel modules import this module, which imports numba. Every kernel states its types, so that it is
compiled once, when its module is imported: the engine imports the modules one by one to show progress.
Kernels compiled on demand would be compiled again for each literal argument, and numba's cache does not
load a recursive kernel with two sets of types correctly.

A store of the kernels is a named tuple of arrays and records. Tables that grow with the search are arrays of
records, not tables reached by their address as in Quoridor's engine, because numba can check their indices.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, cast

import numpy as np
from numba.extending import typeof_impl

from quoridor_net.jit.arrays import Words
from quoridor_net.jit.cache import Function, KernelCache
from quoridor_net.jit.clock import deadline_after, is_past_deadline
from quoridor_net.jit.records import element_type
from quoridor_net.jit.types import TRUTH, type_of

# It has no type.
_typeof: Any = typeof_impl

_CACHE = KernelCache(Path(__file__).parent)

#: More nodes than any search visits.
UNLIMITED = 1 << 62

#: Converts a shorter number from a record to 64 bits, because a recursive kernel must be called with exactly
#: its types.
int64 = cast("Callable[[int], int]", np.int64)


class StopSignal:
    """The signal that stops a search, within a record of the search; another thread may set it."""

    is_set: int
    #: The deadline in nanoseconds of the monotonic clock, 0 for none; then two words to read the clock into.
    clock: Annotated[Words, 3]


def store_type(example: Any) -> Any:
    """Return the type of stores like ``example`` inside kernels.

    From now on numba tells it by their class. To look at every field takes almost a millisecond in each call.
    """
    found = type_of(example)
    _typeof.register(type(example))(lambda _store, _context: found)
    return found


def compiled(result: Any, *arguments: Any) -> Callable[[Function], Function]:
    """Return a decorator that compiles a function of the given types to native code."""
    return _CACHE.typed(result(*arguments))


@compiled(TRUTH, element_type(StopSignal))
def should_stop(signal: StopSignal) -> bool:
    """Return whether the signal is set; set it once the deadline has passed."""
    if signal.is_set == 0 and is_past_deadline(signal.clock, 0):
        signal.is_set = 1
    return signal.is_set != 0


def clear_stop(signal: StopSignal, seconds: float | None) -> None:
    """Clear the signal; kernels that can read the clock set it again after ``seconds``, None for never."""
    signal.clock[0] = deadline_after(seconds)
    signal.is_set = 0
