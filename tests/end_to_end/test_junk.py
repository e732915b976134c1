"""Peers that send a megabyte of junk over real sockets still get the last message, without a reset."""

from __future__ import annotations

from functools import partial

import pytest
import trio
from trio.abc import Stream

from client.clobber.command import play_over
from client.clobber.session import ClobberSession, ClosingReason
from quoridor_net.match import play_match
from quoridor_net.outcome import ForfeitError
from quoridor_net.players.lan import LanPlayer
from quoridor_net.players.random import RandomPlayer
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.link import open_link
from quoridor_net.rules import Termination
from server.athens.listener import serve_sessions
from server.clobber.lobby import Lobby
from server.clobber.tournament import Terms
from server.listener import MoveServer
from server.session import ServerSettings
from tests.server.athens.test_session import make_session
from tests.support.clobber_tournament import tcp_pair
from tests.support.linked_game import simple_server
from tests.support.loopback import HOST, listen_on_loopback

pytestmark = pytest.mark.end_to_end

JUNK = b"A" * 1_000_000


async def shout_at(stream: Stream, said: bytes = b"") -> bytes:
    """Send ``said`` and the junk, and only then read; return the data until the other side closes."""
    async with stream:
        await stream.send_all(said + JUNK)
        return b"".join([bytes(data) async for data in stream])


async def line_of(stream: Stream) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        line += bytes(await stream.receive_some(1))
    return line


async def test_a_move_server_gives_its_name() -> None:
    server = MoveServer(ServerSettings("xyz:test", SimplePlayer))
    ours, theirs = await tcp_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.serve_connection, ours)
        assert await shout_at(theirs, b"HELLO\n") == b"IAM xyz:test\n"


async def test_a_display_client_says_gote() -> None:
    heard = b""

    async def shouts(stream: Stream) -> None:
        nonlocal heard
        assert await line_of(stream) == b"HELLO\n"
        await stream.send_all(b"IAM evil:twin\n")
        heard = await shout_at(stream)

    players = []
    async with trio.open_nursery() as nursery:
        for number, script in enumerate((shouts, simple_server()), 1):
            ours, theirs = await tcp_pair()
            nursery.start_soon(script, theirs)
            players.append(LanPlayer(ours, number))
            await players[-1].greet()
        result = await play_match(players)
        for player in players:
            await player.leave()
    assert (result.winner, result.termination) == (2, Termination.FLOODING)
    assert heard.splitlines()[-1] == b"GOTE 1"


async def test_a_clobber_server_says_error() -> None:
    lobby = Lobby(Terms(4, 4, 5.0), 2)
    ours, theirs = await tcp_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lobby.serve_connection, ours)
        assert await shout_at(theirs) == b"error\n"


async def test_a_clobber_client_makes_its_move() -> None:
    farewell = None
    ours, theirs = await tcp_pair()

    async def client() -> None:
        nonlocal farewell
        farewell = await play_over(theirs, ClobberSession(theirs, RandomPlayer(1), "bob"))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(client)
        assert await line_of(ours) == b"play clobber bob\n"
        await ours.send_all(b"1 2 1\n")
        # The move is sent, but not read yet.
        await trio.sleep(0.05)
        assert await shout_at(ours) == b"a 1 a 2\n"
    assert farewell is ClosingReason.MISBEHAVED


async def test_an_engine_over_tcp_answers_quit() -> None:
    async with trio.open_nursery() as nursery:
        port = await nursery.start(partial(serve_sessions, make_session, 0, HOST))
        stream = await trio.open_tcp_stream(HOST, port)
        assert await shout_at(stream, b"name\nquit\n") == b"= Test\n\n=\n\n"
        nursery.cancel_scope.cancel()


async def test_an_engine_over_tcp_is_not_reset() -> None:
    done = trio.Event()

    async def shouts(stream: trio.SocketStream) -> None:
        assert await line_of(stream) == b"name\n"
        assert await shout_at(stream) == b""
        done.set()

    async with listen_on_loopback(shouts) as endpoint:
        address = EngineAddress(host=endpoint.host, port=endpoint.port)
        async with open_link(address) as link:
            with pytest.raises(ForfeitError) as fault:
                await link.ask("name")
        await done.wait()
    assert fault.value.termination is Termination.FLOODING
