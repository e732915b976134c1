"""Scripts of move servers that do one thing wrong, for streams in memory and for real sockets."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio
from trio.abc import Stream

from quoridor_net.protocols.lan import NEED_DATA, Myoushu, ServerRole
from quoridor_net.protocols.lan.messages import Game, Hello

#: What a scripted server does with its end of the connection.
Script = Callable[[Stream], Awaitable[None]]


class Peer:
    """A move server's end of a connection, driven line by line by a test.

    Args:
        stream: carries the bytes.
    """

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._role = ServerRole()

    async def until(self, kind: type) -> None:
        """Read until a message of that kind came; HELLO is answered."""
        while True:
            event = self._role.next_event()
            if event is NEED_DATA:
                data = await self.stream.receive_some(4096)
                if not data:
                    await trio.sleep_forever()
                self._role.receive_data(bytes(data))
            elif isinstance(event, Hello):
                await self.stream.send_all(b"IAM evil:twin\n")
            if isinstance(event, kind):
                return

    async def say(self, data: bytes) -> None:
        """Send ``data``, whatever the protocol says."""
        await self.stream.send_all(data)

    async def drain(self) -> None:
        """Read and drop everything until the client closes."""
        while await self.stream.receive_some(4096):
            pass


def answers(data: bytes) -> Script:
    """Return a script that plays by the rules until it is asked for a move, then sends ``data``."""

    async def script(stream: Stream) -> None:
        peer = Peer(stream)
        await peer.until(Myoushu)
        await peer.say(data)
        await peer.drain()

    return script


def answers_and_closes(data: bytes) -> Script:
    """Return a script that answers its first request with ``data`` and closes the connection."""

    async def script(stream: Stream) -> None:
        peer = Peer(stream)
        await peer.until(Myoushu)
        await peer.say(data)
        await stream.aclose()

    return script


async def never_answers(stream: Stream) -> None:
    """Reads everything and never moves."""
    peer = Peer(stream)
    await peer.until(Myoushu)
    await peer.drain()


async def vanishes_after_game(stream: Stream) -> None:
    """Closes as soon as the game began."""
    await Peer(stream).until(Game)
    await stream.aclose()


async def vanishes_after_a_second(stream: Stream) -> None:
    """Closes one second after the game began."""
    await Peer(stream).until(Game)
    await trio.sleep(1)
    await stream.aclose()


async def resets_when_asked(stream: Stream) -> None:
    """Drops the connection without a word when it is asked."""
    await Peer(stream).until(Myoushu)
    await trio.aclose_forcefully(stream)


async def chatters(stream: Stream) -> None:
    """Sends moves that nobody asked for; player 1 is asked for one of them before it can be read."""
    peer = Peer(stream)
    await peer.until(Game)
    await peer.say(b"TESUJI (4, 1)\nTESUJI (4, 1)\n")
    await peer.drain()


async def floods(stream: Stream) -> None:
    """Sends a line of one megabyte without an end."""
    peer = Peer(stream)
    await peer.until(Myoushu)
    await peer.say(b"TESUJI " + b"x" * 1_000_000)
    await peer.drain()
