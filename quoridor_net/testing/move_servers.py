"""Scripted move servers, a correct one and faulty ones, for in-memory streams and sockets."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio
from trio.abc import Stream

from quoridor_net.protocols.lan import (
    NEED_DATA,
    Atari,
    FollowedGame,
    Game,
    Gote,
    Hello,
    Iam,
    Myoushu,
    ServerRole,
    Tesuji,
)
from quoridor_net.rules import Move, Position, Step

#: Runs a scripted server on its end of the connection.
Script = Callable[[Stream], Awaitable[None]]

#: Returns the move of the player to move.
Choose = Callable[[Position], Move]


class Peer:
    """A move server's end of a connection, driven line by line by a test.

    Args:
        stream: carries the bytes.
    """

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._role = ServerRole()

    async def until(self, kind: type) -> None:
        """Read until a message of this kind arrives; answer HELLO."""
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
        """Send ``data``, even if it breaks the protocol."""
        await self.stream.send_all(data)

    async def drain(self) -> None:
        """Read and drop everything until the client closes the connection."""
        while await self.stream.receive_some(4096):
            pass


def shortest(position: Position) -> Move:
    """Return the step that leaves the shortest path to the goal, or a wall if there is no step."""
    player = position.turn
    assert player is not None

    def way_after(step: Step) -> int:
        position.push(step)
        way = position.distance(player)
        position.pop()
        assert way is not None
        return way

    return min(position.legal_steps, key=way_after, default=None) or position.legal_moves[0]


def plays(choose: Choose = shortest, name: str = "kit:walker") -> Script:
    """Return the script of a correct server.

    Args:
        choose: chooses its moves, in a position that it may change.
        name: the name of the server.
    """

    async def script(stream: Stream) -> None:
        role = ServerRole()
        game: FollowedGame | None = None
        while True:
            event = role.next_event()
            if event is NEED_DATA:
                data = await stream.receive_some(4096)
                if not data:
                    return
                role.receive_data(bytes(data))
            elif isinstance(event, Hello):
                await stream.send_all(role.send(Iam(name)))
            elif isinstance(event, Game):
                game = FollowedGame(event)
            elif game is not None and isinstance(event, Myoushu):
                move = game.walkover_step() if game.is_walkover else choose(game.take_request())
                await stream.send_all(role.send(Tesuji(move)))
            elif game is not None and isinstance(event, Atari | Gote):
                game.follow(event)

    return script


def answers(data: bytes) -> Script:
    """Return a script that answers its first request with ``data``."""

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
    """Read everything and never move."""
    peer = Peer(stream)
    await peer.until(Myoushu)
    await peer.drain()


async def vanishes_after_game(stream: Stream) -> None:
    """Close the connection as soon as the game begins."""
    await Peer(stream).until(Game)
    await stream.aclose()


async def vanishes_after_a_second(stream: Stream) -> None:
    """Close the connection one second after the game begins."""
    await Peer(stream).until(Game)
    await trio.sleep(1)
    await stream.aclose()


async def resets_when_asked(stream: Stream) -> None:
    """Drop the connection when asked for a move."""
    await Peer(stream).until(Myoushu)
    await trio.aclose_forcefully(stream)


async def chatters(stream: Stream) -> None:
    """Send moves that were not requested; player 1 gets a request before the client can read them."""
    peer = Peer(stream)
    await peer.until(Game)
    await peer.say(b"TESUJI (4, 1)\nTESUJI (4, 1)\n")
    await peer.drain()


async def floods(stream: Stream) -> None:
    """Send one megabyte without a line end."""
    peer = Peer(stream)
    await peer.until(Myoushu)
    await peer.say(b"TESUJI " + b"x" * 1_000_000)
    await peer.drain()
