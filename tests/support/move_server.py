"""A move server in memory, and clients driven line by line by a test."""

from __future__ import annotations

from collections.abc import Callable

import attrs
import trio
import trio.testing

from quoridor_net.players import Player
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Jumps, Move, Position
from server.listener import MoveServer
from server.session import IDLE_TIME, ServerSettings

MemoryStream = trio.StapledStream[trio.testing.MemorySendStream, trio.testing.MemoryReceiveStream]

#: Time limit for a line to a client, in seconds; longer than any time limit of a server.
PATIENCE = 50_000.0


@attrs.define
class Served:
    """A server in memory and its connections."""

    nursery: trio.Nursery
    reports: list[str] = attrs.field(factory=list)
    alarms: list[str] = attrs.field(factory=list)
    make_player: Callable[[], Player[Position, Move]] = lambda: SimplePlayer(seed=3)
    games: int = 100
    once: bool = False
    jumps: Jumps = Jumps.OFFICIAL
    idle_time: float = IDLE_TIME
    server: MoveServer = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        settings = ServerSettings(
            "qnt:test",
            self.make_player,
            games=self.games,
            once=self.once,
            jumps=self.jumps,
            idle_time=self.idle_time,
            report=self.reports.append,
            alarm=self.alarms.append,
        )
        self.server = MoveServer(settings)

    def connect(self, address: str = "") -> MemoryStream:
        """Return the client's end of a new connection from ``address``."""
        ours, theirs = trio.testing.memory_stream_pair()
        self.nursery.start_soon(self.server.serve_connection, theirs, address)
        return ours

    def client(self, address: str = "") -> Client:
        """Return a client on a new connection from ``address``."""
        return Client(self.connect(address))

    async def greets(self, address: str = "") -> bool:
        """Return whether a new client receives IAM, and thus has a place."""
        client = self.client(address)
        await client.send(b"HELLO\n")
        return await client.line() == "IAM qnt:test\n"


class Client:
    """A client driven line by line by a test."""

    def __init__(self, stream: MemoryStream) -> None:
        self.stream = stream

    async def send(self, data: bytes) -> None:
        """Send ``data`` in one piece."""
        await self.stream.send_all(data)

    async def line(self) -> str:
        """Return the next line of the server; '' if it has closed the connection."""
        data = b""
        # On a virtual clock, nothing else would end the wait for a missing line.
        with trio.fail_after(PATIENCE):
            while not data.endswith(b"\n"):
                chunk = await self.stream.receive_some(1)
                if not chunk:
                    break
                data += chunk
        return data.decode()


HELLO_GAME = b"HELLO\nGAME 1 a:a b:b\n"
