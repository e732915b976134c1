"""A connection reads, sends and notes for its role, at either end."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator

import pytest
import trio

from quoridor_net.net.connection import Connection
from quoridor_net.net.sockets import receive
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.protocols.lan import ClientRole, Hello, Iam, Message, ServerRole


@pytest.fixture
async def ends() -> AsyncIterator[tuple[trio.SocketStream, trio.SocketStream]]:
    ours, theirs = (trio.SocketStream(end) for end in trio.socket.socketpair())
    async with ours, theirs:
        yield ours, theirs


async def test_both_ends_note_the_same_lines(ends: tuple[trio.SocketStream, ...]) -> None:
    ours, theirs = ends
    files = io.StringIO(), io.StringIO()
    client_log, server_log = (Transcript(file, lambda: 0.0) for file in files)
    client: Connection[Message] = Connection(ours, ClientRole(), client_log, 2)
    server: Connection[Message] = Connection(theirs, ServerRole(), server_log, 2, is_server=True)
    await client.send(Hello())
    assert await server.next_event() == Hello()
    await server.send(Iam("mur:murka2"))
    assert await client.next_event() == Iam("mur:murka2")
    assert files[0].getvalue() == files[1].getvalue()
    assert files[0].getvalue().splitlines() == [
        r"[   0.000] C->S2 b'HELLO\n'",
        r"[   0.000] S2->C b'IAM mur:murka2\n'",
    ]


async def test_the_end_yields_none_and_keeps_the_unfinished_line(ends: tuple[trio.SocketStream, ...]) -> None:
    ours, theirs = ends
    client: Connection[Message] = Connection(ours, ClientRole())
    await client.send(Hello())
    await theirs.send_all(b"IAM mur:\x1b")
    assert await client.receive()
    assert client.closing_fault.sentence == "closed the connection in the middle of a line"
    assert client.closing_fault.line == r"IAM mur:\x1b"
    await theirs.receive_some(100)
    await theirs.aclose()
    assert await client.next_event() is None
    assert client.closing_fault.termination is Termination.DISCONNECTED


@pytest.mark.parametrize("is_cancelled", [False, True])
async def test_nothing_comes_from_a_stream_that_was_closed_here(
    ends: tuple[trio.SocketStream, ...], is_cancelled: bool
) -> None:
    ours, _ = ends
    await ours.aclose()
    with trio.CancelScope() as scope, pytest.raises(trio.Cancelled if is_cancelled else ForfeitError):
        if is_cancelled:
            scope.cancel()
        await receive(ours)
