"""A move server with an Athens engine: the two protocols support different games."""

from __future__ import annotations

import trio
from trio.testing import MockClock, memory_stream_pair

from server.listener import MoveServer
from server.session import ServerSettings
from tests.support.sources import open_players


async def test_a_game_of_four_is_refused_for_that_reason(autojump_clock: MockClock) -> None:
    reports: list[str] = []
    # The program is not started; it would exit at once.
    async with open_players("qtp:true") as factory, trio.open_nursery() as nursery:
        settings = ServerSettings("abc:x", lambda: factory(None), report=reports.append)
        ours, theirs = memory_stream_pair()
        server = MoveServer(settings)
        nursery.start_soon(server.serve_connection, theirs)
        await ours.send_all(b"HELLO\n")
        assert await ours.receive_some() == b"IAM abc:x\n"
        await ours.send_all(b"GAME 1 a b c d\n")
        assert await ours.receive_some() == b""
        nursery.cancel_scope.cancel()
    assert reports == [
        "[1] the player cannot play this game: it has 4 players, and the Athens protocol supports two"
    ]
