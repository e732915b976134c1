"""A small Clobber client independent of the project, and variants with one bug each."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
import trio.testing
from trio.abc import Stream

from quoridor_net.check.launching import LaunchError

LETTERS = "abcdefghijklmnopqrstuvwxyz"

Square = tuple[int, int]
Move = tuple[Square, Square]


class SmallClobberClient:
    """Plays the first legal move that it finds, until the server closes the connection."""

    line_end = "\n"
    #: Its end, if it fails instead of connecting.
    fails = ""
    stones: dict[Square, int]

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.colour = 0
        self.is_playing = False

    async def run(self) -> None:
        await self.greet()
        data = b""
        while chunk := bytes(await self.stream.receive_some(4096)):
            lines, data = self.cut(data + chunk)
            for line in lines:
                await self.take(line.split())

    def cut(self, data: bytes) -> tuple[list[str], bytes]:
        *lines, rest = data.split(b"\n")
        return [line.decode().strip() for line in lines], rest

    async def say(self, text: str) -> None:
        await self.stream.send_all(f"{text}{self.line_end}".encode())

    async def greet(self) -> None:
        await self.say("play clobber ann")

    async def take(self, words: list[str]) -> None:
        if len(words) == 3:
            await self.begin(int(words[0]), int(words[1]), words[2] == "1")
        elif len(words) == 4:
            self.make(self.read(words))
            await self.move()
        else:
            await self.over()

    async def begin(self, columns: int, rows: int, begins: bool) -> None:
        self.set_up(columns, rows)
        self.colour = 0 if begins else 1
        self.is_playing = True
        if begins:
            await self.move()

    def set_up(self, columns: int, rows: int) -> None:
        self.stones = {(c, r): (c + r) % 2 for c in range(columns) for r in range(rows)}

    def read(self, words: list[str]) -> Move:
        c1, r1, c2, r2 = words
        return (LETTERS.index(c1), int(r1) - 1), (LETTERS.index(c2), int(r2) - 1)

    def make(self, move: Move) -> None:
        self.stones[move[1]] = self.stones.pop(move[0])

    def moves(self) -> list[Move]:
        found = []
        for (c, r), stone in sorted(self.stones.items()):
            near = ((c + 1, r), (c, r + 1), (c - 1, r), (c, r - 1))
            if stone == self.colour:
                found += [((c, r), there) for there in near if self.stones.get(there, stone) != stone]
        return found

    async def move(self) -> None:
        moves = self.moves()
        if not moves:
            await self.lost()
            return
        await self.say(self.write(moves[0]))
        self.make(moves[0])

    async def lost(self) -> None:
        self.is_playing = False

    def write(self, move: Move) -> str:
        return " ".join(f"{LETTERS[c]} {r + 1}" for c, r in move)

    async def over(self) -> None:
        self.is_playing = False


class ConnectsElsewhere(SmallClobberClient):
    fails = "ended with exit status 1: Connection refused"


class Silent(SmallClobberClient):
    async def greet(self) -> None:
        pass


class SaysHello(SmallClobberClient):
    async def greet(self) -> None:
        await self.say("HELLO")


class Nameless(SmallClobberClient):
    async def greet(self) -> None:
        await self.say("play clobber")


class Endless(SmallClobberClient):
    line_end = ""


class CrLf(SmallClobberClient):
    line_end = "\r\n"


class Capitals(SmallClobberClient):
    def write(self, move: Move) -> str:
        return super().write(move).upper()


class NeverMoves(SmallClobberClient):
    async def move(self) -> None:
        pass


class ReadsBeginnerBackwards(SmallClobberClient):
    async def begin(self, columns: int, rows: int, begins: bool) -> None:
        await super().begin(columns, rows, not begins)


class Eager(SmallClobberClient):
    """Begins every game."""

    async def begin(self, columns: int, rows: int, begins: bool) -> None:
        await super().begin(columns, rows, begins)
        if not begins:
            await self.move()


class Chatty(SmallClobberClient):
    async def move(self) -> None:
        await super().move()
        await self.say("your turn")


class NoBlanks(SmallClobberClient):
    def write(self, move: Move) -> str:
        return super().write(move).replace(" ", "-")


class Numbers(SmallClobberClient):
    def write(self, move: Move) -> str:
        return " ".join(f"{c} {r}" for c, r in move)


class Leaps(SmallClobberClient):
    def write(self, move: Move) -> str:
        return "a 1 c 1"


class OtherColour(SmallClobberClient):
    def set_up(self, columns: int, rows: int) -> None:
        self.stones = {(c, r): (c + r + 1) % 2 for c in range(columns) for r in range(rows)}


class SeesNoMoves(SmallClobberClient):
    async def take(self, words: list[str]) -> None:
        if len(words) == 4:
            await self.move()
        else:
            await super().take(words)


class ForgetsItself(SmallClobberClient):
    async def move(self) -> None:
        stones = dict(self.stones)
        await super().move()
        self.stones = stones


class GreetsAgain(SmallClobberClient):
    async def over(self) -> None:
        await self.greet()


class GreetsInsteadOfMoving(SmallClobberClient):
    async def move(self) -> None:
        await self.greet()


class OffersABoard(SmallClobberClient):
    """Sends the server's message when it should move."""

    async def move(self) -> None:
        await self.say("5 6 1")


class LeavesAfterAGame(SmallClobberClient):
    async def over(self) -> None:
        raise ZeroDivisionError


class CrashesWhenItLoses(SmallClobberClient):
    async def lost(self) -> None:
        raise ZeroDivisionError


class KeepsItsBoard(SmallClobberClient):
    def set_up(self, columns: int, rows: int) -> None:
        if not hasattr(self, "stones"):
            super().set_up(columns, rows)

    def make(self, move: Move) -> None:
        self.stones[move[1]] = self.stones.pop(move[0], 1 - self.colour)


class GreetsAgainWhenItHasLost(SmallClobberClient):
    async def lost(self) -> None:
        await super().lost()
        await self.greet()


class ReadsPackets(SmallClobberClient):
    def cut(self, data: bytes) -> tuple[list[str], bytes]:
        return [data.decode().strip()], b""


class ChokesOnCr(SmallClobberClient):
    def cut(self, data: bytes) -> tuple[list[str], bytes]:
        if b"\r" in data:
            raise ZeroDivisionError
        return super().cut(data)


class TellsTheResult(SmallClobberClient):
    async def over(self) -> None:
        await self.say("I won!")


class KnowsOneSize(SmallClobberClient):
    def set_up(self, columns: int, rows: int) -> None:
        super().set_up(10, 10)


class RowsFirst(SmallClobberClient):
    def set_up(self, columns: int, rows: int) -> None:
        super().set_up(rows, columns)


class TiresSoon(SmallClobberClient):
    def make(self, move: Move) -> None:
        super().make(move)
        if len(self.stones) < 97:
            raise ZeroDivisionError


#: Codes of findings, and clients with these bugs.
BUGS: list[tuple[str, type[SmallClobberClient]]] = [
    ("CLB-101", ConnectsElsewhere),
    ("CLB-102", Silent),
    ("CLB-103", SaysHello),
    ("CLB-103", Nameless),
    ("CLB-104", Endless),
    ("CLB-105", Capitals),
    ("CLB-106", CrLf),
    ("CLB-107", TiresSoon),
    ("CLB-111", NeverMoves),
    ("CLB-111", ReadsBeginnerBackwards),
    ("CLB-112", Eager),
    ("CLB-113", Chatty),
    ("CLB-121", NoBlanks),
    ("CLB-121", Numbers),
    ("CLB-122", Leaps),
    ("CLB-123", OtherColour),
    ("CLB-124", SeesNoMoves),
    ("CLB-125", ForgetsItself),
    ("CLB-121", OffersABoard),
    ("CLB-131", GreetsAgain),
    ("CLB-131", GreetsInsteadOfMoving),
    ("CLB-132", LeavesAfterAGame),
    ("CLB-132", CrashesWhenItLoses),
    ("CLB-131", GreetsAgainWhenItHasLost),
    ("CLB-133", KeepsItsBoard),
    ("CLB-134", TellsTheResult),
    ("CLB-141", ReadsPackets),
    ("CLB-142", ChokesOnCr),
    ("CLB-143", KnowsOneSize),
    ("CLB-144", RowsFirst),
]


class LastMove(SmallClobberClient):
    def moves(self) -> list[Move]:
        return super().moves()[::-1]


class Slow(SmallClobberClient):
    async def move(self) -> None:
        await trio.sleep(5)
        await super().move()


class OneByteAtATime(SmallClobberClient):
    async def say(self, text: str) -> None:
        for letter in f"{text}\n":
            await self.stream.send_all(letter.encode())


#: Clients that follow the document.
UNUSUAL: list[type[SmallClobberClient]] = [
    SmallClobberClient,
    LastMove,
    Slow,
    OneByteAtATime,
    Capitals,
    CrLf,
    KnowsOneSize,
]


class Starting:
    """Starts a client in memory.

    Args:
        client: the class of the client.
    """

    def __init__(self, client: type[SmallClobberClient]) -> None:
        self._client = client

    @asynccontextmanager
    async def __call__(self, servers: int) -> AsyncIterator[list[Stream]]:
        if self._client.fails:
            raise LaunchError(f"did not open a connection, because it {self._client.fails}")
        ours, theirs = trio.testing.memory_stream_pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._run, theirs)
            yield [ours]
            nursery.cancel_scope.cancel()

    async def _run(self, stream: Stream) -> None:
        try:
            await self._client(stream).run()
        except (trio.BrokenResourceError, trio.ClosedResourceError, ZeroDivisionError, ValueError, KeyError):
            # The exception would have ended a real program, and its connection with it.
            pass
        finally:
            await trio.aclose_forcefully(stream)
