"""Sessions over TCP: controllers that flood, fall silent, do not read, or leave during a search."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable
from functools import partial
from typing import Literal

import pytest
import trio
from trio.testing import MockClock, lockstep_stream_pair, memory_stream_pair

from quoridor_net.net.sockets import SEND_TIME
from quoridor_net.players import Clock, Player
from quoridor_net.protocols.athens import EngineEvent, EngineRole, Need
from quoridor_net.rules import Move, Position, Square, Step
from server.athens.connection import FIRST_TIME, IDLE_TIME, PARTING_TIME, ControllerStream
from server.athens.listener import NO_PLACE, serve_sessions
from server.athens.session import CHUNK, MAX_UNSENT, ControllerSession


class Slow(Player[Position, Move]):
    """Thinks for some seconds, and records whether it was cancelled."""

    def __init__(self, seconds: float = float("inf")) -> None:
        self.seconds = seconds
        self.has_begun = trio.Event()
        self.was_cancelled = trio.Event()
        self.has_left = trio.Event()

    async def choose(self, position: Position, clock: Clock) -> Move:
        self.has_begun.set()
        try:
            await trio.sleep(self.seconds)
        except trio.Cancelled:
            self.was_cancelled.set()
            raise
        return Step(Square(4, 1))

    async def leave(self) -> None:
        self.has_left.set()


class CountingRole(EngineRole):
    """Counts the events it returns."""

    count = 0

    def next_event(self) -> EngineEvent | Literal[Need.DATA]:
        self.count += 1
        return super().next_event()


def begin(nursery: trio.Nursery, player: Slow) -> trio.abc.Stream:
    """Run a session in memory; return the controller's end."""
    ours, theirs = memory_stream_pair()
    connection = ControllerStream(theirs)
    session = ControllerSession(EngineRole("Test"), player)
    nursery.start_soon(session.run, connection, connection, connection.wait_until_gone)
    return ours


class TestFloods:
    async def test_other_sessions_get_a_turn_after_a_few_commands(self) -> None:
        role = CountingRole("Flooded")
        flood, flooded = memory_stream_pair()
        quiet, quieter = memory_stream_pair()
        await flood.send_all(b"name\n" * (CHUNK // 5))
        await quiet.send_all(b"name\n")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ControllerSession(role, Slow()).run, flooded, flooded)
            await trio.testing.wait_all_tasks_blocked()
            role.count = 0
            await flood.send_all(b"name\n" * (CHUNK // 5))
            nursery.start_soon(ControllerSession(EngineRole("Quiet"), Slow()).run, quieter, quieter)
            assert await quiet.receive_some() == b"= Quiet\n\n"
            nursery.cancel_scope.cancel()
        assert 0 < role.count < 1000

    async def test_answers_do_not_pile_up(self) -> None:
        sent: list[int] = []

        class Output(trio.abc.SendStream):
            async def send_all(self, data: bytes | bytearray | memoryview) -> None:
                sent.append(len(data))

            async def wait_send_all_might_not_block(self) -> None: ...

            async def aclose(self) -> None: ...

        ours, theirs = memory_stream_pair()
        await ours.send_all(b"boardsize 25\n" + b"showboard\n" * 200)
        await ours.send_eof()
        await ControllerSession(EngineRole("Test"), Slow()).run(theirs, Output())
        assert sum(sent) > 5 * MAX_UNSENT
        assert max(sent) < MAX_UNSENT + 5000


class TestSilence:
    async def test_a_silent_controller_keeps_its_session_until_another_needs_the_place(
        self, autojump_clock: MockClock
    ) -> None:
        """A referee may wait for the other engine, or for a person, without a limit."""
        ours, theirs = memory_stream_pair()
        connection = ControllerStream(theirs)
        session = ControllerSession(EngineRole("Test"), Slow())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(session.run, connection, connection, connection.wait_until_gone)
            await ours.send_all(b"name\n")
            await trio.sleep(IDLE_TIME - 1)
            idle = [connection.is_idle]
            await trio.sleep(20 * IDLE_TIME)
            idle.append(connection.is_idle)
            await ours.send_all(b"name\n")
            await trio.testing.wait_all_tasks_blocked()
            assert [*idle, connection.is_idle] == [False, True, False]
            assert bytes(await ours.receive_some()) == b"= Test\n\n= Test\n\n"
            nursery.cancel_scope.cancel()

    async def test_a_controller_that_does_not_read_loses_its_session(self, autojump_clock: MockClock) -> None:
        ours, theirs = lockstep_stream_pair()
        connection = ControllerStream(theirs)
        source = Slow()
        session = ControllerSession(EngineRole("Test"), source)
        started = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ours.send_all, b"name\n")
            with pytest.raises(trio.BrokenResourceError, match="stopped reading"):
                await session.run(connection, connection, connection.wait_until_gone)
        assert trio.current_time() - started == pytest.approx(SEND_TIME)
        assert source.has_left.is_set()


class TestLeavingWhileAMoveIsSought:
    async def test_the_search_is_cancelled_when_the_connection_is_closed(
        self, autojump_clock: MockClock
    ) -> None:
        source = Slow()
        async with trio.open_nursery() as nursery:
            ours = begin(nursery, source)
            await ours.send_all(b"genmove black\n")
            await source.has_begun.wait()
            await trio.sleep(5)
            closed = trio.current_time()
            await ours.aclose()
        assert source.was_cancelled.is_set()
        assert trio.current_time() - closed == pytest.approx(PARTING_TIME)

    async def test_a_half_closed_connection_gets_the_answer(self, autojump_clock: MockClock) -> None:
        async with trio.open_nursery() as nursery:
            ours, theirs = memory_stream_pair()
            connection = ControllerStream(theirs)
            session = ControllerSession(EngineRole("Test"), Slow(PARTING_TIME - 0.5))
            nursery.start_soon(session.run, connection, connection, connection.wait_until_gone)
            await ours.send_all(b"genmove black\nname\n")
            await ours.send_eof()
            assert await ours.receive_some() == b"= E8\n\n= Test\n\n"

    async def test_commands_during_a_search_are_answered_afterwards(self, autojump_clock: MockClock) -> None:
        async with trio.open_nursery() as nursery:
            ours = begin(nursery, Slow(5))
            await ours.send_all(b"genmove black\nna")
            await trio.sleep(1)
            await ours.send_all(b"me\nname\n")
            await ours.send_all(b"# nothing but a comment\n" * CHUNK)
            assert await ours.receive_some() == b"= E8\n\n"
            assert await ours.receive_some() == b"= Test\n\n" * 2
            nursery.cancel_scope.cancel()

    async def test_a_reset_cancels_the_search_at_once(self) -> None:
        source = Slow()
        make_session: Callable[[], ControllerSession] = partial(ControllerSession, EngineRole("Test"), source)
        async with trio.open_nursery() as nursery:
            port = await nursery.start(partial(serve_sessions, make_session, 0, "127.0.0.1"))
            stream = await trio.open_tcp_stream("127.0.0.1", port)
            await stream.send_all(b"genmove black\n")
            await source.has_begun.wait()
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            await stream.aclose()
            started = trio.current_time()
            await source.was_cancelled.wait()
            assert trio.current_time() - started < PARTING_TIME / 2
            await source.has_left.wait()
            nursery.cancel_scope.cancel()


class TestPlaces:
    async def test_a_silent_connection_is_closed(self, autojump_clock: MockClock) -> None:
        _ours, theirs = memory_stream_pair()
        started = trio.current_time()
        assert not await ControllerStream(theirs).wait_for_command()
        assert trio.current_time() - started == pytest.approx(FIRST_TIME)

    async def test_an_idle_session_is_closed_for_a_new_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("server.athens.connection.IDLE_TIME", 0.01)
        async with trio.open_nursery() as nursery:
            make_session = partial(ControllerSession, EngineRole("Test"), Slow())
            port = await nursery.start(partial(serve_sessions, make_session, 0, "127.0.0.1", sessions=1))
            first = await trio.open_tcp_stream("127.0.0.1", port)
            await first.send_all(b"name\n")
            assert await first.receive_some() == b"= Test\n\n"
            answer = b""
            while answer != b"= Test\n\n":
                async with await trio.open_tcp_stream("127.0.0.1", port) as second:
                    await second.send_all(b"name\n")
                    answer = bytes(await second.receive_some())
            assert await first.receive_some() == b""
            await first.aclose()
            nursery.cancel_scope.cancel()

    async def test_a_controller_without_a_place_is_refused(self) -> None:
        async with trio.open_nursery() as nursery:
            serve = partial(
                serve_sessions,
                lambda: ControllerSession(EngineRole("Test"), Slow()),
                0,
                "127.0.0.1",
                sessions=1,
            )
            port = await nursery.start(serve)
            first = await trio.open_tcp_stream("127.0.0.1", port)
            await first.send_all(b"name\n")
            assert await first.receive_some() == b"= Test\n\n"
            second = await trio.open_tcp_stream("127.0.0.1", port)
            await second.send_all(b"name\n")
            assert await second.receive_some() == f"? {NO_PLACE}\n\n".encode()
            assert await second.receive_some() == b""
            await second.aclose()
            await first.send_all(b"quit\n")
            assert await first.receive_some() == b"=\n\n"
            assert await first.receive_some() == b""
            await first.aclose()
            while True:
                third = await trio.open_tcp_stream("127.0.0.1", port)
                await third.send_all(b"name\n")
                answer = await third.receive_some()
                await third.aclose()
                if answer == b"= Test\n\n":
                    break
            nursery.cancel_scope.cancel()
