"""The loop that accepts connections: it outlives a shortage of the system, and says so in one line."""

from __future__ import annotations

import errno
import logging
import math
import socket

import pytest
import trio
import trio.testing
from trio.abc import Listener, Stream
from trio.testing import MockClock

from quoridor_net.net import accepting
from quoridor_net.net.accepting import (
    BEGUN_AT_ONCE,
    BEGUN_PER_SECOND,
    MAX_ARRIVALS,
    REPORT_TIME,
    RETRY_TIME,
    serve_connections,
)
from quoridor_net.net.listening import BACKLOG, listen


class ScarceListener(Listener[Stream]):
    """Accepts nothing for a while, then one connection."""

    def __init__(self, error: int, seconds: float) -> None:
        self.is_closed = False
        self.ours, self._theirs = trio.testing.memory_stream_pair()
        self._error = error
        self._until = trio.current_time() + seconds
        self._accepted = False

    async def accept(self) -> Stream:
        await trio.lowlevel.checkpoint()
        if trio.current_time() < self._until:
            raise OSError(self._error, "shortage")
        if self._accepted:
            await trio.sleep_forever()
        self._accepted = True
        return self._theirs

    async def aclose(self) -> None:
        self.is_closed = True
        await trio.lowlevel.checkpoint()


async def echo(stream: Stream) -> None:
    await stream.send_all(bytes(await stream.receive_some(100)))


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (
            errno.EMFILE,
            "new connections must wait until others end: Too many open files; raise the limit (ulimit -n)",
        ),
        (errno.ENFILE, "new connections must wait until others end: Too many open files in system"),
    ],
)
async def test_a_shortage_is_reported_once_a_minute(
    error: int, line: str, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    reports: list[str] = []
    listeners = [ScarceListener(error, 2.5 * REPORT_TIME) for _ in range(2)]
    with caplog.at_level(logging.DEBUG):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve_connections, echo, listeners, reports.append)
            await trio.sleep(REPORT_TIME / 2)
            assert reports == [line]
            for listener in listeners:
                await listener.ours.send_all(b"HELLO\n")
                assert await listener.ours.receive_some(100) == b"HELLO\n", "it is served in the end"
                assert await listener.ours.receive_some(100) == b"", "and closed when its handler returns"
            nursery.cancel_scope.cancel()
    assert reports == [line] * 3
    assert not caplog.records
    assert all(listener.is_closed for listener in listeners)


async def test_connections_outlive_the_accepting(autojump_clock: MockClock) -> None:
    listener = ScarceListener(errno.EMFILE, 0)
    async with trio.open_nursery() as connections:
        async with trio.open_nursery() as accepting:
            accepting.start_soon(serve_connections, echo, [listener], print, connections)
            await trio.sleep(2 * RETRY_TIME)
            accepting.cancel_scope.cancel()
        await listener.ours.send_all(b"late")
        assert await listener.ours.receive_some(100) == b"late"


async def test_a_listener_that_is_broken_ends_the_server() -> None:
    with pytest.RaisesGroup(pytest.RaisesExc(OSError, match="shortage"), flatten_subgroups=True):
        await serve_connections(echo, [ScarceListener(errno.EBADF, 60)], print)


class Crowd(Listener[Stream]):
    """Has connections of a flooder at any time, and now and then one of somebody else."""

    def __init__(self, limit: float = math.inf) -> None:
        self.addresses: dict[Stream, str] = {}
        self.guests: list[str] = []
        self._limit = limit
        self.accepted = 0

    async def accept(self) -> Stream:
        await trio.lowlevel.checkpoint()
        if self.accepted >= self._limit and not self.guests:
            await trio.sleep_forever()
        self.accepted += 1
        stream, _ = trio.testing.memory_stream_pair()
        self.addresses[stream] = self.guests.pop() if self.guests else "flooder"
        return stream

    async def aclose(self) -> None:
        await trio.lowlevel.checkpoint()


@pytest.fixture
def crowd(monkeypatch: pytest.MonkeyPatch) -> Crowd:
    """Give a listener whose connections have addresses."""
    listener = Crowd()
    monkeypatch.setattr(accepting, "address_of", listener.addresses.__getitem__)
    return listener


async def test_a_flood_does_not_delay_other_clients(crowd: Crowd, mock_clock: MockClock) -> None:
    """The flood never lets the loop rest; the clock stands still, so that only turns count."""
    begun: list[str] = []

    async def serve(stream: Stream) -> None:
        begun.append(crowd.addresses[stream])
        await trio.sleep_forever()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_connections, serve, [crowd], print)
        while crowd.accepted < BEGUN_AT_ONCE + 2 * MAX_ARRIVALS:
            await trio.lowlevel.checkpoint()
        assert begun == ["flooder"] * BEGUN_AT_ONCE, "no more begin at once"
        crowd.guests += ["ann", "bob", "ann"]
        for _ in range(30):
            await trio.lowlevel.checkpoint()
        assert not crowd.guests, "they do not wait in the system's queue"
        for _ in range(5):
            mock_clock.jump(1 / BEGUN_PER_SECOND)
            for _ in range(30):
                await trio.lowlevel.checkpoint()
        assert begun[BEGUN_AT_ONCE:] == ["flooder", "ann", "bob", "flooder", "ann"]
        nursery.cancel_scope.cancel()


async def test_no_more_connections_wait_than_a_bound(crowd: Crowd, mock_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_connections, hold, [crowd], print)
        while crowd.accepted < 3 * MAX_ARRIVALS:
            await trio.lowlevel.checkpoint()
        open_ones = [stream for stream in crowd.addresses if not is_closed(stream)]
        # One may be on its way from the listener.
        assert BEGUN_AT_ONCE + MAX_ARRIVALS <= len(open_ones) <= BEGUN_AT_ONCE + MAX_ARRIVALS + 1
        nursery.cancel_scope.cancel()
    assert all(map(is_closed, crowd.addresses)), "those that wait are closed at the end, too"


async def hold(_stream: Stream) -> None:
    await trio.sleep_forever()


def is_closed(stream: Stream) -> bool:
    assert isinstance(stream, trio.StapledStream)
    try:
        stream.receive_stream.put_data(b"x")
    except trio.ClosedResourceError:
        return True
    return False


async def test_connections_begin_no_faster_than_a_game_can_bear(autojump_clock: MockClock) -> None:
    listener = Crowd(limit=BEGUN_AT_ONCE + MAX_ARRIVALS)
    begun: list[float] = []

    async def serve(_stream: Stream) -> None:
        begun.append(trio.current_time())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_connections, serve, [listener], print)
        started = trio.current_time()
        await trio.sleep(60)
        assert len(begun) == BEGUN_AT_ONCE + MAX_ARRIVALS
        assert begun[-1] - started == pytest.approx(MAX_ARRIVALS / BEGUN_PER_SECOND, abs=0.1)
        nursery.cancel_scope.cancel()


async def test_the_queue_of_the_system_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    backlogs = []
    listen_there = socket.socket.listen

    def note(bound: socket.socket, backlog: int) -> None:
        backlogs.append(backlog)
        listen_there(bound, backlog)

    monkeypatch.setattr(socket.socket, "listen", note)
    for port in (0, 0):
        for listener in await listen(None, port):
            await listener.aclose()
    assert set(backlogs) == {BACKLOG}
    assert BACKLOG <= 128
