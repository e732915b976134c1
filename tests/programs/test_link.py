"""A conversation with an engine: how long the wait for an answer may hold up other tasks."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
from trio.abc import ReceiveStream
from trio.testing import MockClock

from quoridor_net.net import sockets
from quoridor_net.net.sockets import has_input
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.programs import link
from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.link import CONFIRMATION_TIME, SECOND_CHANCE, EngineLink, open_link
from tests.support.engine_programs import PYTHON


@asynccontextmanager
async def open_pair() -> AsyncIterator[tuple[EngineLink, trio.SocketStream]]:
    """Provide a link and the engine's end of its connection."""
    ours, theirs = (trio.SocketStream(end) for end in trio.socket.socketpair())
    async with ours, theirs:
        conversation = EngineLink(link._TcpCarrier(ours))
        yield conversation, theirs


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the maximum waits of all looks for input, which are added to the list."""
    seen: list[float] = []

    def look(stream: ReceiveStream, seconds: float = 0.0) -> bool:
        seen.append(seconds)
        return has_input(stream, seconds)

    monkeypatch.setattr(link, "has_input", look)
    return seen


async def confirm(conversation: EngineLink, engine: trio.SocketStream, *, starts_with: bytes = b"") -> None:
    """Send a move, which the engine confirms, perhaps in two parts."""
    await conversation.send("playmove white E2")
    await engine.send_all(starts_with or b"=\n\n")
    async with trio.open_nursery() as nursery:
        if starts_with:
            nursery.start_soon(engine.send_all, b"=\n\n")
        assert (await conversation.answer()).is_success


async def test_a_shortage_of_this_machine_is_no_fault_of_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    async def connect(*_arguments: object) -> None:
        await trio.lowlevel.checkpoint()
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(link, "connect", connect)
    address = EngineAddress(host="localhost", port=5858)
    for number, kind in ((errno.EMFILE, OSError), (errno.ECONNREFUSED, ForfeitError)):
        with pytest.raises(kind, match=os.strerror(number)):
            async with open_link(address):
                pass


async def test_an_empty_answer_is_judged_after_the_second_chance(autojump_clock: MockClock) -> None:
    async with open_pair() as (conversation, engine):
        started = trio.current_time()
        await conversation.send("genmove black", 1000.0)
        await engine.send_all(b"=\n\n")
        with pytest.raises(ForfeitError) as caught:
            await conversation.answer()
        assert caught.value.termination is Termination.UNPARSABLE_MOVE
        assert trio.current_time() - started == pytest.approx(SECOND_CHANCE)


async def test_the_only_pending_confirmation_is_awaited_briefly_before_other_tasks_run(
    waits: list[float],
) -> None:
    async with open_pair() as (conversation, engine):
        await confirm(conversation, engine)
        assert waits == [0.0, CONFIRMATION_TIME]


async def test_confirmation_in_parts_holds_up_other_tasks_once(waits: list[float]) -> None:
    async with open_pair() as (conversation, engine):
        await confirm(conversation, engine, starts_with=b"thinking\n")
        assert waits == [0.0, CONFIRMATION_TIME, 0.0]


async def test_confirmation_does_not_hold_up_the_answer_of_another_engine(waits: list[float]) -> None:
    async with open_pair() as (conversation, engine), open_pair() as (other, other_engine):
        await other.send("genmove black")
        await confirm(conversation, engine)
        assert waits == [0.0, 0.0, 0.0]
        await other_engine.send_all(b"= E8\n\n")
        assert (await other.answer()).text == "E8"
        await confirm(conversation, engine)
        assert waits[-1] == CONFIRMATION_TIME


@pytest.mark.end_to_end
async def test_command_left_unanswered_at_the_end_of_its_engine_is_not_pending(waits: list[float]) -> None:
    async with open_link(EngineAddress((*PYTHON, "-c", "input()"))) as silent:
        await silent.send("genmove black")
    async with open_pair() as (conversation, engine):
        await confirm(conversation, engine)
        assert waits[-1] == CONFIRMATION_TIME


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot poll pipes")
async def test_input_is_awaited_only_where_the_system_can(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    async with trio.lowlevel.FdStream(read) as stream, trio.lowlevel.FdStream(write) as sender:
        assert not has_input(stream, CONFIRMATION_TIME)
        monkeypatch.setattr(sockets, "FD_SETSIZE", 0)
        # This would not return for a long time if it waited.
        assert not has_input(stream, 1e6)
        await sender.send_all(b"=")
        assert has_input(stream, 1e6)
