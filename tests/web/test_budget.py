"""The time budget of spectators."""

from __future__ import annotations

import threading
import time

import pytest
import trio
from trio.testing import MockClock

from quoridor_net.web.budget import LONGEST_WAIT, SAVED, SHARE, Budget

#: CPU time of :func:`burn`, in seconds.
BURNT = 0.02


class Worker:
    """Work that takes time and waits."""

    def __init__(self) -> None:
        self.budget = Budget(lambda: self._now)
        self._now = 0.0

    async def work(self, seconds: float, waits: float = 0.0) -> str:
        self.pass_time(seconds / 2)
        await trio.sleep(waits)
        self.pass_time(seconds / 2)
        return "done"

    def pass_time(self, seconds: float) -> None:
        self._now += seconds

    @property
    def delay(self) -> float:
        """Return the time until work is allowed again, in seconds."""
        return self.budget.free_at - trio.current_time()


async def test_only_busy_time_is_charged(autojump_clock: MockClock) -> None:
    worker = Worker()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(worker.work, 0.5)
        assert await worker.budget.charge(worker.work(0.04, waits=2)) == "done"
    # Half of it is charged before the wait, and recovered during it.
    assert worker.delay == pytest.approx(0.02 / SHARE - SAVED + 0.02 / SHARE - 2)


async def test_saved_time_is_spent_first(autojump_clock: MockClock) -> None:
    worker = Worker()
    assert worker.delay == -float("inf")
    await worker.budget.charge(worker.work(0.01))
    assert worker.delay == pytest.approx(0.01 / SHARE - SAVED)
    await trio.sleep(100)
    await worker.budget.charge(worker.work(0.04))
    assert worker.delay == pytest.approx(0.04 / SHARE - SAVED)


async def test_the_wait_is_bounded(autojump_clock: MockClock) -> None:
    worker = Worker()
    await worker.budget.charge(worker.work(1000))
    assert worker.delay == LONGEST_WAIT


async def test_errors_and_cancellation_propagate(autojump_clock: MockClock) -> None:
    worker = Worker()

    async def fail() -> None:
        await trio.lowlevel.checkpoint()
        raise KeyError("failed")

    with pytest.raises(KeyError, match="failed"):
        await worker.budget.charge(fail())
    with trio.move_on_after(1) as scope:
        await worker.budget.charge(worker.work(1, waits=2))
    assert scope.cancelled_caught


@pytest.mark.threads
async def test_work_in_threads_starts_when_the_budget_allows(autojump_clock: MockClock) -> None:
    worker, limiter = Worker(), trio.CapacityLimiter(1)
    began = trio.current_time()
    times: list[float] = []

    def work() -> None:
        times.append(trio.from_thread.run_sync(trio.current_time) - began)
        worker.pass_time(0.02)

    async with trio.open_nursery() as nursery:
        for _ in range(3):
            nursery.start_soon(worker.budget.run_in_thread, work, limiter)
    first = 0.02 / SHARE - SAVED
    assert times == pytest.approx([0, first, first + 0.02 / SHARE])


def burn() -> None:
    """Use :data:`BURNT` seconds of CPU time."""
    end = time.thread_time() + BURNT
    while time.thread_time() < end:
        pass


async def test_a_program_that_waits_for_a_processor_is_not_charged(mock_clock: MockClock) -> None:
    budget = Budget(share=1, saved=0)
    other = threading.Thread(target=burn)
    with budget.charge_block():
        other.start()
        other.join()
    assert 0 < budget.free_at - trio.current_time() < BURNT / 2


@pytest.mark.threads
async def test_the_work_of_a_thread_is_charged(mock_clock: MockClock) -> None:
    budget = Budget(share=1, saved=0)
    await budget.run_in_thread(burn, trio.CapacityLimiter(1))
    assert budget.free_at - trio.current_time() >= BURNT


@pytest.mark.threads
async def test_the_work_of_a_thread_that_fails_is_charged(mock_clock: MockClock) -> None:
    budget = Budget(share=1, saved=0)

    def fail() -> None:
        burn()
        raise KeyError("failed")

    with pytest.raises(KeyError, match="failed"):
        await budget.run_in_thread(fail, trio.CapacityLimiter(1))
    assert budget.free_at - trio.current_time() >= BURNT
