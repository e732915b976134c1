"""What kernels have beyond numba: operations on bits, and the clock.

The kernels are compiled in each run, because code from the disk would show nothing about the present source.
"""

from __future__ import annotations

import math
import sys
import time
from typing import Any

import numba
import numpy as np
import pytest

from quoridor_net.jit.bits import lowest_bit, popcount
from quoridor_net.jit.clock import TELLS_TIME, deadline_after, is_past_deadline


def test_bits_of_a_word_are_counted_and_found() -> None:
    count_and_find: Any = numba.njit(lambda word: (popcount(word), lowest_bit(word)))
    assert [count_and_find(word) for word in (1, 6, 1 << 62, -1, -(1 << 63))] == [
        (1, 0), (2, 1), (1, 62), (64, 0), (1, 63),
    ]  # fmt: skip


@pytest.mark.skipif(not TELLS_TIME, reason="kernels cannot read the clock here")
def test_a_deadline_passes_after_its_seconds() -> None:
    now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    assert now + 10**12 <= deadline_after(1000) <= time.clock_gettime_ns(time.CLOCK_MONOTONIC) + 10**12
    assert deadline_after(None) == 0
    # A deadline in the past is not taken for none.
    assert deadline_after(-math.nextafter(now / 1e9, math.inf)) >= 1
    is_past: Any = numba.njit(is_past_deadline)
    words = np.zeros(4, np.int64)
    for deadline, expected in ((deadline_after(1000), False), (deadline_after(-1), True), (0, False)):
        words[1] = deadline
        assert is_past(words, 1) is expected


@pytest.mark.skipif(sys.platform == "win32", reason="this is about systems other than Windows")
def test_kernels_have_no_deadlines_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert deadline_after(1000) == 0
