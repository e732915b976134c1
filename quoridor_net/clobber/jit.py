"""The decorator of the engine's kernels, and how its searches are stopped.

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
from numpy.typing import NDArray

from quoridor_net.jit.cache import Function, KernelCache
from quoridor_net.jit.clock import deadline_after, is_past_deadline
from quoridor_net.jit.types import NUMBER, NUMBERS, TRUTH

_CACHE = KernelCache(Path(__file__).parent)

#: Numbers that :func:`stopped` needs: whether to stop, when to (nanoseconds, 0 for never), two to work with.
STOP_NUMBERS = 4

#: More nodes than any search visits.
UNLIMITED = 1 << 62


def compiled(result: Any, *arguments: Any) -> Callable[[Function], Function]:
    """Return a decorator that compiles a function of the given types to native code."""
    return _CACHE.typed(result(*arguments))


@compiled(NUMBER, NUMBER)
def wide(number: int) -> int:
    """Return ``number`` in 64 bits. A recursive kernel must be called with exactly the types it states."""
    return number


@compiled(TRUTH, NUMBERS, NUMBER)
def stopped(control: NDArray[np.int64], at: int) -> bool:
    """Return whether to stop: told to, or because it is time. Once it was time it stays so."""
    if control[at] == 0 and is_past_deadline(control, at + 1):
        control[at] = 1
    return bool(control[at] != 0)


def go_on(control: NDArray[np.int64], at: int, seconds: float | None) -> None:
    """Take back a stop; where kernels tell the time, stop again after ``seconds``, None for never."""
    control[at + 1] = deadline_after(seconds)
    control[at] = 0
