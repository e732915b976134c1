"""A small move server that imports nothing from the project, so that each bug is one small override.

It walks along a shortest path, and every third move is a wall in another player's way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache

import trio
import trio.testing
from trio.abc import Stream

Square = tuple[int, int]
#: A step is ``("P", c, r)``, a wall ``("h", c, r)`` or ``("v", c, r)``.
Move = tuple[str, int, int]

STARTS = {1: (4, 0), 2: (4, 8), 3: (0, 4), 4: (8, 4)}
DIRECTIONS = ((0, 1), (1, 0), (-1, 0), (0, -1))


#: The line that each player has to reach: whether it is a column or a row, and its number.
GOALS = {1: (1, 8), 2: (1, 0), 3: (0, 8), 4: (0, 0)}


@cache
def squares(size: int) -> list[Square]:
    """Return all squares of a board."""
    return [(column, row) for column in range(size) for row in range(size)]


@cache
def steps_from(here: Square, size: int) -> list[tuple[Square, frozenset[Square]]]:
    """Return the squares next to ``here`` on a board without walls, and the steps there."""
    near = [(here[0] + across, here[1] + down) for across, down in DIRECTIONS]
    return [(there, frozenset((here, there))) for there in near if max(there) < size and min(there) >= 0]


class Board:
    """The server's knowledge of a game."""

    size = 9

    def __init__(self, players: int) -> None:
        self.players = players
        self.pawns = {player: STARTS[player] for player in range(1, players + 1)}
        self.walls: dict[Move, int] = {}
        self.closed: set[frozenset[Square]] = set()
        self.left = dict.fromkeys(self.pawns, self.walls_at_start)

    @property
    def walls_at_start(self) -> int:
        return 10 if self.players == 2 else 5

    def edges(self, wall: Move) -> list[frozenset[Square]]:
        """Return the steps that a wall blocks."""
        kind, c, r = wall
        if kind == "h":
            return [frozenset({(c, r), (c, r + 1)}), frozenset({(c + 1, r), (c + 1, r + 1)})]
        return [frozenset({(c, r), (c + 1, r)}), frozenset({(c, r + 1), (c + 1, r + 1)})]

    def place(self, player: int, wall: Move) -> None:
        self.walls[wall] = player
        self.closed.update(self.edges(wall))
        if player in self.left:
            self.left[player] -= 1

    def remove_walls_of(self, player: int) -> None:
        self.walls = {wall: placer for wall, placer in self.walls.items() if placer != player}
        self.closed = {edge for wall in self.walls for edge in self.edges(wall)}

    def open_from(self, here: Square) -> Iterable[Square]:
        return [there for there, edge in steps_from(here, self.size) if edge not in self.closed]

    def is_goal(self, player: int, square: Square) -> bool:
        axis, line = GOALS[player]
        return square[axis] == line

    def ways(self, player: int) -> dict[Square, int]:
        """Return the distance of every square from the goal line of ``player``, in steps."""
        found = {square: 0 for square in squares(self.size) if self.is_goal(player, square)}
        waiting = deque(found)
        while waiting:
            here = waiting.popleft()
            for there, edge in steps_from(here, self.size):
                if there not in found and edge not in self.closed:
                    found[there] = found[here] + 1
                    waiting.append(there)
        return found

    def steps(self, player: int) -> set[Square]:
        here = self.pawns[player]
        others = {square for number, square in self.pawns.items() if number != player}
        found = set()
        for there in self.open_from(here):
            if there not in others:
                found.add(there)
                continue
            beyond = set(self.open_from(there)) - others
            straight = 2 * there[0] - here[0], 2 * there[1] - here[1]
            found |= {straight} if straight in beyond else beyond - {here}
        return found

    def fits(self, wall: Move) -> bool:
        kind, c, r = wall
        if not (0 <= c < 8 and 0 <= r < 8):
            return False
        along = (1, 0) if kind == "h" else (0, 1)
        near = [(kind, c, r), ("v" if kind == "h" else "h", c, r)]
        near += [(kind, c + along[0], r + along[1]), (kind, c - along[0], r - along[1])]
        return not any(other in self.walls for other in near)

    def leaves_paths(self, wall: Move) -> bool:
        closed = self.closed
        self.closed = closed | set(self.edges(wall))
        try:
            return all(self.pawns[player] in self.ways(player) for player in self.pawns)
        finally:
            self.closed = closed


class WalkerServer:
    """A server; call it with a stream for every connection."""

    name = "ann:walker"
    #: Number of moves from one wall to the next.
    wall_every = 3
    line_end = "\n"
    board: Board

    def __init__(self) -> None:
        self.connections = 0

    async def __call__(self, stream: Stream) -> None:
        self.connections += 1
        self.stream = stream
        self.moves = 0
        await self.open()
        data = b""
        while chunk := bytes(await self.stream.receive_some(4096)):
            lines, data = self.cut(data + chunk)
            for line in lines:
                if await self.handle(line):
                    return

    def cut(self, data: bytes) -> tuple[list[str], bytes]:
        """Split ``data`` into whole lines and the rest."""
        *lines, rest = data.split(b"\n")
        return [line.decode().strip() for line in lines], rest

    async def say(self, text: str) -> None:
        await self.stream.send_all(f"{text}{self.line_end}".encode())

    async def open(self) -> None:
        """Handle a new connection."""

    async def handle(self, line: str) -> bool:
        """Handle a line, and return whether the conversation is over."""
        words = line.split()
        match words[:1]:
            case ["HELLO"]:
                await self.hello()
            case ["GAME"]:
                await self.game(int(words[1]), words[2:])
            case ["MYOUSHU"]:
                await self.myoushu()
            case ["ATARI"]:
                await self.atari(int(words[1]), self.read(line.split(maxsplit=2)[2]))
            case ["GOTE"]:
                return await self.gote(int(words[1]))
            case ["KIKASHI"]:
                return await self.kikashi()
        return False

    async def hello(self) -> None:
        await self.say(f"IAM {self.name}")

    async def game(self, player: int, names: list[str]) -> None:
        self.player = player
        self.board = self.make_board(len(names))

    def make_board(self, players: int) -> Board:
        return Board(players)

    async def myoushu(self) -> None:
        self.moves += 1
        await self.say(f"TESUJI {self.write(self.choose())}")

    async def atari(self, player: int, move: Move) -> None:
        self.make(player, move)

    def make(self, player: int, move: Move) -> None:
        if move[0] == "P":
            self.board.pawns[player] = move[1:]
        else:
            self.board.place(player, move)

    async def gote(self, player: int) -> bool:
        self.board.pawns.pop(player, None)
        return player == self.player

    async def kikashi(self) -> bool:
        return True

    def read(self, text: str) -> Move:
        """Return the move in ``text``."""
        numbers = [int(letter) for letter in text if letter.isdigit()]
        kind = "h" if "h" in text else "v" if "v" in text else "P"
        return (kind, numbers[0], numbers[1])

    def write(self, move: Move) -> str:
        kind, c, r = move
        return f"({c}, {r})" if kind == "P" else f"[({c}, {r}), {kind}]"

    def choose(self) -> Move:
        if self.moves % self.wall_every == 0 and (wall := self.wall()) is not None:
            return wall
        return self.step()

    def step(self) -> Move:
        ways = self.board.ways(self.player)
        best = min(self.board.steps(self.player), key=lambda square: (ways.get(square, 99), square))
        return ("P", *best)

    def wall(self) -> Move | None:
        """Return a wall next to another player's pawn."""
        board = self.board
        if not board.left[self.player]:
            return None
        for player, (c, r) in board.pawns.items():
            if player == self.player:
                continue
            near = [("h", c, r), ("h", c - 1, r), ("h", c, r - 1), ("v", c, r), ("v", c - 1, r)]
            for wall in near:
                if board.fits(wall) and board.leaves_paths(wall):
                    return wall
        return None


class Connecting:
    """Connects to a server in memory; all connections reach the same server.

    Args:
        nursery: nursery for its connections.
        server: the server.
    """

    def __init__(self, nursery: trio.Nursery, server: WalkerServer) -> None:
        self._nursery = nursery
        self._server = server

    async def __call__(self) -> Stream:
        await trio.lowlevel.checkpoint()
        ours, theirs = trio.testing.memory_stream_pair()
        self._nursery.start_soon(self._serve, theirs)
        return ours

    async def _serve(self, stream: Stream) -> None:
        try:
            await self._server(stream)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        except (ValueError, KeyError, IndexError, ArithmeticError, AssertionError):
            # The exception would have ended a real program, and its connection with it.
            pass
        finally:
            await trio.aclose_forcefully(stream)


def launch_server(
    server: Callable[[], WalkerServer],
) -> Callable[[], AbstractAsyncContextManager[Connecting]]:
    """Return a function that starts a server in memory."""

    @asynccontextmanager
    async def launch() -> AsyncIterator[Connecting]:
        async with trio.open_nursery() as nursery:
            yield Connecting(nursery, server())
            nursery.cancel_scope.cancel()

    return launch
