"""The loop that accepts connections: it outlives a shortage of the system, and says so in one line."""

from __future__ import annotations

import errno
import logging

import pytest
import trio
import trio.testing
from trio.abc import Listener, Stream
from trio.testing import MockClock

from quoridor_net.net.accepting import REPORT_TIME, RETRY_TIME, serve_connections


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
            (
                "new connections have to wait until others end: Too many open files;"
                " ulimit -n sets how many there may be"
            ),
        ),
        (errno.ENFILE, "new connections have to wait until others end: Too many open files in system"),
    ],
)
async def test_a_shortage_is_one_line_a_minute(
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
