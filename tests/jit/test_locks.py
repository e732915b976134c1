"""Spin locks: what one thread does under a lock, no other one sees halfway."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

import numba
import numpy as np
import pytest

from quoridor_net.jit.locks import lock, unlock
from quoridor_net.jit.records import new_record


class Counter:
    """A number, and half of it, which only the holder of the lock changes."""

    number: int
    lock: Annotated[int, np.int32]
    half: Annotated[float, np.float64]
    torn: int


_lock = lock(Counter, "lock")
_unlock = unlock(Counter, "lock")


@numba.njit(nogil=True)
def _count(counter: Counter, times: int, is_shared: int) -> None:
    for _ in range(times):
        _lock(counter, is_shared)
        counter.torn += counter.half != counter.number / 2
        counter.number += 1
        counter.half = counter.number / 2
        _unlock(counter)


@numba.njit(nogil=True)
def _take(counter: Counter, is_shared: int) -> None:
    _lock(counter, is_shared)


def test_a_lock_is_taken_where_there_are_other_threads() -> None:
    counter = new_record(Counter)
    _take(counter, 0)
    assert counter.lock == 0
    _take(counter, 1)
    assert counter.lock == 1
    # Alone a thread does not wait.
    _take(counter, 0)


def test_a_held_lock_makes_others_wait() -> None:
    counter = new_record(Counter)
    counter.lock = 1
    with ThreadPoolExecutor(1) as pool:
        counting = pool.submit(_count, counter, 3, 1)
        try:
            assert counter.number == 0
        finally:
            counter.lock = 0
        counting.result()
    assert (counter.number, counter.lock) == (3, 0)


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_no_update_under_a_lock_is_lost(threads: int) -> None:
    counter = new_record(Counter)
    _count(counter, 1, 1)
    with ThreadPoolExecutor(threads) as pool:
        for counting in [pool.submit(_count, counter, 20_000, 1) for _ in range(threads)]:
            counting.result()
    assert counter.number == 1 + 20_000 * threads
    assert counter.torn == 0
    assert counter.lock == 0


def test_only_numbers_of_32_bits_can_be_locks() -> None:
    with pytest.raises(AssertionError, match="32 bits"):
        lock(Counter, "number")
