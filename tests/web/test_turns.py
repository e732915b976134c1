"""The fair queue for searches."""

from __future__ import annotations

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from quoridor_net.web.turns import Turns


class Queue:
    """Requests for turns of a second, and the order of their turns."""

    def __init__(self, places: int = 1) -> None:
        self.turns = Turns(places)
        self.granted: list[str] = []
        self.at_once = 0
        self.most_at_once = 0

    async def ask(self, address: str, seconds: float = 1.0) -> None:
        async with self.turns.turn(address, seconds):
            self.granted.append(address)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            try:
                await trio.sleep(seconds)
            finally:
                self.at_once -= 1

    async def ask_all(self, *addresses: str) -> None:
        async with trio.open_nursery() as nursery:
            for address in addresses:
                nursery.start_soon(self.ask, address)
                await wait_all_tasks_blocked()


async def test_a_busy_address_waits_for_others(autojump_clock: MockClock) -> None:
    queue = Queue()
    await queue.ask_all(*"aaaaaa", "b", "c", "b")
    assert "".join(queue.granted) == "abcabaaaa"


async def test_there_are_never_more_turns_than_places(autojump_clock: MockClock) -> None:
    queue = Queue(places=2)
    await queue.ask_all(*"aabbccdd")
    assert queue.most_at_once == 2
    assert sorted(queue.granted) == sorted("aabbccdd")


async def test_time_counts_rather_than_turns(autojump_clock: MockClock) -> None:
    queue = Queue()
    async with trio.open_nursery() as nursery:
        for address, seconds in (("a", 3.0), ("a", 3.0), ("b", 1.0), ("b", 1.0), ("b", 1.0), ("b", 1.0)):
            nursery.start_soon(queue.ask, address, seconds)
            await wait_all_tasks_blocked()
    assert "".join(queue.granted) == "abbbab"


async def test_a_new_address_gets_no_credit_for_earlier_time(autojump_clock: MockClock) -> None:
    queue = Queue()
    await queue.ask_all(*"aaa")
    queue.granted.clear()
    await queue.ask_all(*"abbb")
    assert "".join(queue.granted) == "abbb"


async def test_a_cancelled_request_is_not_charged(autojump_clock: MockClock) -> None:
    queue = Queue()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(queue.ask, "a")
        await wait_all_tasks_blocked()
        with trio.move_on_after(0.5):
            await queue.ask("b", 100.0)
        nursery.start_soon(queue.ask_all, *"bcb")
    assert "".join(queue.granted) == "abcb"


async def test_a_turn_ends_when_its_holder_is_cancelled(autojump_clock: MockClock) -> None:
    queue = Queue()
    with trio.move_on_after(0.5):
        await queue.ask("a")
    with trio.fail_after(2):
        await queue.ask("a")
    assert queue.granted == ["a", "a"]


async def test_a_turn_granted_to_a_cancelled_request_goes_to_others() -> None:
    queue = Queue()
    scope = trio.CancelScope()

    async def leave() -> None:
        with scope:
            await queue.ask("b")

    async with trio.open_nursery() as nursery:
        async with queue.turns.turn("a", 1):
            nursery.start_soon(leave)
            await wait_all_tasks_blocked()
            scope.cancel()
        with trio.fail_after(1):
            async with queue.turns.turn("c", 1):
                assert queue.granted == []


async def test_idle_addresses_are_forgotten(autojump_clock: MockClock) -> None:
    queue = Queue()
    for number in range(100):
        await queue.ask(str(number))
    assert len(queue.turns._ends) == 0
