"""The client's side of one connection: gaps, limits of sending, keep-alive, an answer followed by a close."""

from __future__ import annotations

import os
import socket
import struct

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from quoridor_net.match import Event, GameEnded, MoveMade, play_match
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.net.sockets import KEEPALIVE, SEND_TIME, send_in_time
from quoridor_net.outcome import ForfeitError, Result
from quoridor_net.players import Clock, Seating
from quoridor_net.players.greeting import connect
from quoridor_net.players.lan import LanPlayer
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Position, Square, Step, Termination

GAP = 0.5
STEP = Step(Square(4, 1))
MADE = MoveMade(1, STEP, 1, 0.0, Position())
WON = GameEnded(Result(1, Termination.GOAL, "", 1), ("abc:d", "efg:h"), Position())


async def test_the_gap_between_messages_is_kept_until_the_server_answers(autojump_clock: MockClock) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    player = LanPlayer(ours, 1, GAP)
    came: dict[str, float] = {}

    async def listen() -> None:
        while data := bytes(await theirs.receive_some(100)):
            came[data.decode("ascii").split()[0]] = trio.current_time()
            if data == b"HELLO\n":
                await theirs.send_all(b"IAM abc:d\n")
            elif data == b"MYOUSHU\n":
                await theirs.send_all(b"TESUJI (4, 1)\n")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(listen)
        await player.greet()
        nursery.start_soon(player.watch)
        await player.begin(Seating(1, ("abc:d", "efg:h"), Position()))
        await player.choose(Position(), Clock())
        await player.notify(MADE)
        await player.notify(WON)
        nursery.cancel_scope.cancel()
    # None is needed after an answer: whoever answered has read.
    assert came["GAME"] - came["HELLO"] == pytest.approx(0, abs=1e-6)
    assert came["MYOUSHU"] - came["GAME"] == pytest.approx(GAP)
    assert came["ATARI"] - came["MYOUSHU"] == pytest.approx(0, abs=1e-6)
    assert came["KIKASHI"] - came["ATARI"] == pytest.approx(GAP)


async def test_sending_to_a_peer_that_does_not_read_times_out(autojump_clock: MockClock) -> None:
    # Such a stream takes nothing before somebody reads.
    stream, _ = trio.testing.lockstep_stream_pair()
    with trio.fail_after(2 * SEND_TIME), pytest.raises(ForfeitError) as caught:
        await send_in_time(stream, b"MYOUSHU\n")
    assert caught.value.termination is Termination.DISCONNECTED
    assert caught.value.sentence == "stopped reading from the connection"
    assert trio.current_time() == pytest.approx(SEND_TIME, abs=0.1)


async def test_the_system_watches_a_silent_connection() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listener:
        endpoint = Endpoint("127.0.0.1", listener.socket.getsockname()[1])
        async with await connect(endpoint, 1.0) as stream:
            assert stream.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
            names = ("TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT")
            for name, value in zip(names, KEEPALIVE, strict=True):
                # Not every system has all three.
                if hasattr(socket, name):
                    assert stream.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) == value


async def test_an_answer_followed_by_a_close_counts() -> None:
    """Both are there before either is read, as when a program answers and ends."""
    ours, theirs = trio.socket.socketpair()

    async def serve() -> None:
        stream = trio.SocketStream(theirs)
        await stream.receive_some(100)
        await stream.send_all(b"IAM abc:d\n")
        while b"MYOUSHU" not in await stream.receive_some(100):
            pass
        # Not send_all, which lets others read before it returns.
        os.write(theirs.fileno(), b"TESUJI (4, 1)\n")
        theirs.shutdown(socket.SHUT_WR)
        while await stream.receive_some(100):
            pass
        await stream.aclose()

    player = LanPlayer(trio.SocketStream(ours), 1)
    events: list[Event] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        await player.greet()
        result = await play_match([player, SimplePlayer(1)], listeners=[events.append])
    made = [event for event in events if isinstance(event, MoveMade)]
    assert [(event.player, event.move) for event in made] == [(1, STEP)]
    assert (result.winner, result.termination, result.plies) == (2, Termination.DISCONNECTED, 1)


async def test_a_line_before_a_reset_is_judged_before_the_loss() -> None:
    """Sending may fail before the line was read that the server sent earlier."""
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listener:
        stream = await trio.open_tcp_stream("127.0.0.1", listener.socket.getsockname()[1])
        server = await listener.accept()
    player = LanPlayer(stream, 2)
    faults: list[ForfeitError] = []

    async def watch() -> None:
        faults.append(await player.watch())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.greet)
        await server.receive_some(100)
        await server.send_all(b"IAM abc:d\n")
        await trio.testing.wait_all_tasks_blocked()
        await player.begin(Seating(2, ("abc:d", "efg:h"), Position()))
        nursery.start_soon(watch)
        await trio.testing.wait_all_tasks_blocked()
        # Not send_all and aclose, which let others read before they return.
        descriptor = os.dup(server.socket.fileno())
        await server.aclose()
        copy = socket.socket(fileno=descriptor)
        copy.send(b"KIKASHI 1\n")
        copy.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        copy.close()
        with pytest.raises(ForfeitError) as caught:
            await player.notify(MADE)
        faults.append(caught.value)
    assert [fault.termination for fault in faults] == [Termination.OUT_OF_TURN, Termination.DISCONNECTED]
    await player.leave()
