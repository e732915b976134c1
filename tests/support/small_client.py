"""A small display client independent of the project, so that each bug is one small override."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import trio
import trio.testing
from trio.abc import Stream

from quoridor_net.check.launching import LaunchError
from tests.support.walker_server import Board, Move

ORDERS = {2: (1, 2), 4: (1, 4, 2, 3)}


class Gone(Exception):
    """A server closed its connection."""


class SmallClient:
    """Plays one game with the servers behind ``streams``."""

    line_end = "\n"
    #: Its end, if it fails instead of connecting.
    fails = ""
    #: Maximum number of servers to which it connects.
    most_servers = 4

    def __init__(self, streams: Sequence[Stream]) -> None:
        self.streams = dict(enumerate(streams, 1))
        self.rest = dict.fromkeys(self.streams, b"")
        self.names: dict[int, str] = {}
        self.board = self.make_board(len(streams))
        self.order = ORDERS[len(streams)]

    def make_board(self, players: int) -> Board:
        return Board(players)

    # Lines.

    async def say(self, player: int, text: str) -> None:
        await self.streams[player].send_all(f"{text}{self.line_end}".encode())

    async def line(self, player: int) -> str:
        while b"\n" not in self.rest[player]:
            data = bytes(await self.streams[player].receive_some(4096))
            if not data:
                raise Gone
            self.rest[player] += data
        line, _, self.rest[player] = self.rest[player].partition(b"\n")
        return line.decode().strip()

    async def tell(self, text: str) -> None:
        """Send ``text`` to all players in the game."""
        for player in sorted(self.board.pawns):
            await self.say(player, text)

    # The game.

    async def run(self) -> None:
        await self.greet()
        await self.begin()
        turn = 0
        while True:
            player = self.order[turn % len(self.order)]
            turn += 1
            if player not in self.board.pawns:
                continue
            winner = await self.turn(player)
            if winner:
                await self.end(winner)
                return

    async def greet(self) -> None:
        for player in self.streams:
            await self.say(player, "HELLO")
            self.names[player] = (await self.line(player)).split()[1]

    async def begin(self) -> None:
        for player in self.streams:
            await self.say(player, f"GAME {player} {' '.join(self.names[number] for number in self.streams)}")

    async def turn(self, player: int) -> int:
        """Ask ``player`` for a move, and return the winner or 0."""
        await self.ask(player)
        try:
            text = (await self.line(player)).partition(" ")[2]
            move = self.read(text)
        except (Gone, ValueError, IndexError):
            return await self.put_out(player, "")
        if not self.is_legal(player, move):
            return await self.put_out(player, text)
        return await self.make(player, move, text)

    async def ask(self, player: int) -> None:
        await self.say(player, "MYOUSHU")

    def read(self, text: str) -> Move:
        numbers = [int(letter) for letter in text if letter.isdigit()]
        kind = "h" if "h" in text else "v" if "v" in text else "P"
        return (kind, numbers[0], numbers[1])

    def is_legal(self, player: int, move: Move) -> bool:
        board = self.board
        if move[0] == "P":
            return move[1:] in board.steps(player)
        return board.left[player] > 0 and board.fits(move) and board.leaves_paths(move)

    async def make(self, player: int, move: Move, text: str) -> int:
        if move[0] == "P":
            self.board.pawns[player] = move[1:]
        else:
            self.board.place(player, move)
        await self.report(player, text)
        return player if self.has_won(player) else 0

    def has_won(self, player: int) -> bool:
        return self.board.is_goal(player, self.board.pawns[player])

    async def report(self, player: int, text: str) -> None:
        await self.tell(f"ATARI {player} {text}")

    async def put_out(self, player: int, text: str) -> int:
        try:
            await self.tell(f"GOTE {player}")
        except trio.BrokenResourceError:
            # The eliminated server has already disconnected.
            await self.tell_others(player, f"GOTE {player}")
        del self.board.pawns[player]
        left = list(self.board.pawns)
        return left[0] if len(left) == 1 else 0

    async def tell_others(self, player: int, text: str) -> None:
        for other in sorted(self.board.pawns):
            if other != player:
                await self.say(other, text)

    async def end(self, winner: int) -> None:
        await self.tell(f"KIKASHI {winner}")


class Starting:
    """Starts a client in memory for every game.

    Args:
        client: the class of the client.
    """

    def __init__(self, client: type[SmallClient]) -> None:
        self._client = client

    @asynccontextmanager
    async def __call__(self, servers: int) -> AsyncIterator[list[Stream]]:
        if self._client.fails:
            raise LaunchError(f"did not open {servers} connections, because it {self._client.fails}")
        if servers > self._client.most_servers:
            raise LaunchError(f"did not open {servers - self._client.most_servers} connections within 10 s")
        pairs = [trio.testing.memory_stream_pair() for _ in range(servers)]
        theirs: list[Stream] = [pair[1] for pair in pairs]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._run, theirs)
            yield [pair[0] for pair in pairs]
            nursery.cancel_scope.cancel()

    async def _run(self, streams: list[Stream]) -> None:
        try:
            await self._client(streams).run()
        except (Gone, trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        except (ValueError, KeyError, IndexError):
            # The exception would have ended a real program, and its connections with it.
            pass
        finally:
            for stream in streams:
                await trio.aclose_forcefully(stream)
