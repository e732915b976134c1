"""The decorator of the engine's kernels, and the flag that stops a search.

Only kernel modules import this module, which imports numba. Every kernel states its types, so that it is
compiled once, when its module is imported: the engine imports the modules one by one to show progress.
Kernels compiled on demand would be compiled again for each literal argument, and numba's cache does not
load a recursive kernel with two sets of types correctly.
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

#: Numbers that :func:`should_stop` needs: flag, deadline (nanoseconds, 0 for none), two for the clock.
STOP_NUMBERS = 4

#: More nodes than any search visits.
UNLIMITED = 1 << 62


def compiled(result: Any, *arguments: Any) -> Callable[[Function], Function]:
    """Return a decorator that compiles a function of the given types to native code."""
    return _CACHE.typed(result(*arguments))


@compiled(NUMBER, NUMBER)
def widen(number: int) -> int:
    """Return ``number`` in 64 bits, because a recursive kernel must be called with exactly its types."""
    return number


@compiled(TRUTH, NUMBERS, NUMBER)
def should_stop(control: NDArray[np.int64], at: int) -> bool:
    """Return whether the flag is set; set it once the deadline has passed."""
    if control[at] == 0 and is_past_deadline(control, at + 1):
        control[at] = 1
    return bool(control[at] != 0)


def clear_stop(control: NDArray[np.int64], at: int, seconds: float | None) -> None:
    """Clear the stop flag; kernels that can read the clock set it again after ``seconds``, None for never."""
    control[at + 1] = deadline_after(seconds)
    control[at] = 0
