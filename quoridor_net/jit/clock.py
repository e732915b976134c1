"""Deadlines, and the clock that kernels read."""

from __future__ import annotations

import sys
import time
from typing import Any

from numba.core import types

from quoridor_net.jit.cache import shared

#: Whether kernels can read the clock. On Windows they cannot, and another thread has to stop them.
TELLS_TIME = hasattr(time, "CLOCK_MONOTONIC")
_CLOCK: int = getattr(time, "CLOCK_MONOTONIC", 0)

_external: Any = types.ExternalFunction
_result: Any = types.int32
#: Writes seconds and nanoseconds into two words, in some 30 ns. Linked by its name, so that the kernels that
#: call it can be kept on disk.
_clock_gettime = _external("clock_gettime", _result(types.int32, types.voidptr))


def deadline_after(seconds: float | None) -> int:
    """Return the deadline in ``seconds`` from now, in nanoseconds of a monotonic clock; 0 for none."""
    deadline = 0
    if sys.platform != "win32" and seconds is not None and TELLS_TIME:
        deadline = max(1, time.clock_gettime_ns(_CLOCK) + int(seconds * 1e9))
    return deadline


if TELLS_TIME:

    @shared
    def is_past_deadline(words: Any, at: int) -> bool:
        """Return whether the deadline in ``words[at]`` has passed; the two words after it are overwritten."""
        if words[at] == 0:
            return False
        _clock_gettime(_CLOCK, words[at + 1 :].ctypes)
        return bool(words[at + 1] * 1_000_000_000 + words[at + 2] >= words[at])

else:

    @shared
    def is_past_deadline(words: Any, at: int) -> bool:
        """Return False, because kernels cannot read the clock here and no deadline is negative."""
        return bool(words[at] < 0)
