"""Closing a connection gently: the peer reads the last message whatever it sends meanwhile, within bounds."""

from __future__ import annotations

import contextlib
import errno
import sys
from collections.abc import Awaitable, Callable

import pytest
import trio
import trio.testing
from trio.abc import Stream
from trio.testing import MockClock

from quoridor_net.net.sockets import (
    FAREWELL_BYTES,
    FAREWELL_SILENCE,
    FAREWELL_TIME,
    close_gently,
    connect,
    receive_now,
    send_in_time,
)
from quoridor_net.outcome import ForfeitError

JUNK = b"A" * 10_000


async def endlessly(stream: Stream, data: bytes, pause: float) -> int:
    """Send ``data`` again and again until the connection breaks; return how many bytes that were."""
    sent = 0
    with contextlib.suppress(trio.BrokenResourceError):
        while True:
            await stream.send_all(data)
            sent += len(data)
            await trio.sleep(pause)
    return sent


async def close_while(talk: Callable[[Stream], Awaitable[None]]) -> float:
    """Close a connection whose peer does ``talk``; return how long that took."""
    ours, theirs = trio.testing.memory_stream_pair()
    started = trio.current_time()
    with trio.fail_after(100):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(talk, theirs)
            await ours.send_all(b"error\n")
            await close_gently(ours)
            seconds = trio.current_time() - started
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
    with pytest.raises(trio.ClosedResourceError):
        await ours.receive_some()
    return seconds


async def read_all(stream: Stream) -> bytes:
    return b"".join([bytes(data) async for data in stream])


async def test_a_peer_that_sends_slowly_is_read_to_the_end(autojump_clock: MockClock) -> None:
    heard = b""

    async def talk(stream: Stream) -> None:
        nonlocal heard
        # Longer in all than the silence that ends waiting, but never silent for so long.
        for _ in range(10):
            await stream.send_all(JUNK)
            await trio.sleep(FAREWELL_SILENCE / 2)
        heard = await read_all(stream)
        await stream.aclose()

    seconds = await close_while(talk)
    assert heard == b"error\n"
    assert seconds == pytest.approx(5 * FAREWELL_SILENCE)


async def silent(_stream: Stream) -> None:
    await trio.sleep_forever()


async def test_waiting_for_a_silent_peer_is_brief(autojump_clock: MockClock) -> None:
    assert await close_while(silent) == pytest.approx(FAREWELL_SILENCE)


async def test_a_peer_that_closes_too_is_not_waited_for(autojump_clock: MockClock) -> None:
    async def talk(stream: Stream) -> None:
        await stream.receive_some()
        await stream.aclose()

    assert await close_while(talk) == 0


async def test_a_peer_that_keeps_sending_is_dropped_in_the_end(autojump_clock: MockClock) -> None:
    async def talk(stream: Stream) -> None:
        await endlessly(stream, b"A", FAREWELL_SILENCE / 2)

    assert await close_while(talk) == pytest.approx(FAREWELL_TIME)


async def test_no_more_is_read_than_a_bound(autojump_clock: MockClock) -> None:
    sent = 0

    async def talk(stream: Stream) -> None:
        nonlocal sent
        sent = await endlessly(stream, JUNK, 0)

    assert await close_while(talk) == 0
    assert FAREWELL_BYTES <= sent < 2 * FAREWELL_BYTES


async def test_a_cancelled_farewell_closes_at_once(autojump_clock: MockClock) -> None:
    ours, _ = trio.testing.memory_stream_pair()
    with trio.move_on_after(0.1) as scope:
        await close_gently(ours)
    assert scope.cancelled_caught
    with pytest.raises(trio.ClosedResourceError):
        await ours.send_all(b"x")


async def test_a_message_that_the_system_takes_in_pieces_arrives_whole() -> None:
    ours, theirs = trio.socket.socketpair()
    sender, reader = trio.SocketStream(ours), trio.SocketStream(theirs)
    data = bytes(range(256)) * 16384
    received = bytearray()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(send_in_time, sender, data)
        while len(received) < len(data):
            received += await reader.receive_some(65536)
    assert received == data
    await reader.aclose()
    with pytest.raises(ForfeitError, match="lost the connection"):
        await send_in_time(sender, b"HELLO\n")
    await sender.aclose()
    with pytest.raises(ForfeitError, match="lost the connection"):
        await send_in_time(sender, b"HELLO\n")


@pytest.mark.parametrize("platform", ["linux", "win32"])
async def test_only_what_has_arrived_is_received_at_once(
    platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    ours, theirs = (trio.SocketStream(end) for end in trio.socket.socketpair())
    async with ours, theirs:
        assert await receive_now(ours) is None
        await theirs.send_all(b"HELLO\n")
        assert await receive_now(ours) == b"HELLO\n"
        await theirs.send_eof()
        assert await receive_now(ours) == b""


@pytest.mark.parametrize("cause", [OSError(errno.ECONNREFUSED, "no"), None])
async def test_the_cause_of_a_failed_connection_is_told(
    monkeypatch: pytest.MonkeyPatch, cause: OSError | None
) -> None:
    async def fail(host: str, port: int) -> None:
        raise OSError(errno.EHOSTUNREACH, "all attempts failed") from cause

    monkeypatch.setattr(trio, "open_tcp_stream", fail)
    with pytest.raises(OSError) as caught:
        await connect("example.org", 1, 7.0)
    assert caught.value.errno == (errno.EHOSTUNREACH if cause is None else errno.ECONNREFUSED)


async def test_a_machine_that_does_not_answer_is_not_waited_for(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(host: str, port: int) -> None:
        await trio.sleep_forever()

    monkeypatch.setattr(trio, "open_tcp_stream", never)
    with pytest.raises(TimeoutError, match="no connection within 7 s"):
        await connect("example.org", 1, 7.0)
