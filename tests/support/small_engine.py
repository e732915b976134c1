"""A small Athens engine that imports nothing from the project, so that each bug is one small override."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

import trio
import trio.testing
from trio.abc import Stream

from tests.support.walker_server import Board, Move

LETTERS = "ABCDEFGHI"
COLOURS = {"black": 1, "b": 1, "white": 2, "w": 2}
ORIENTATIONS = {"horizontal": "h", "h": "h", "vertical": "v", "v": "v"}
NAMES = {1: "black", 2: "white"}
COMMANDS = (
    *("name", "known_command", "list_commands", "quit", "boardsize", "clear_board", "walls"),
    *("playmove", "playwall", "genmove", "undo", "winner", "showboard"),
)


class Failure(Exception):
    """A command fails: the engine answers with ? and this message."""


class SmallEngine:
    """Reads commands from a stream and answers them."""

    ending = "\n\n"
    #: Whether it ends at once if it is started with a seed.
    refuses_seed = False

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.is_over = False
        self.board = self.make_board()
        self.history: list[Board] = []

    def make_board(self) -> Board:
        return Board(2)

    # Lines.

    async def run(self) -> None:
        data = b""
        while not self.is_over and (chunk := bytes(await self.stream.receive_some(4096))):
            lines, data = self.cut(data + chunk)
            for line in lines:
                await self.take(line)

    def cut(self, data: bytes) -> tuple[list[str], bytes]:
        *lines, rest = data.split(b"\n")
        return [line.decode("latin-1") for line in lines], rest

    def clean(self, line: str) -> str:
        line = line.partition("#")[0].replace("\t", " ")
        return "".join(letter for letter in line if letter >= " ").strip()

    async def take(self, line: str) -> None:
        words = self.clean(line).split()
        if words:
            await self.answer(words)

    async def answer(self, words: list[str]) -> None:
        try:
            await self.say("=", self.do(words[0], words[1:]))
        except Failure as failure:
            await self.say("?", str(failure))
        except (ValueError, IndexError, KeyError, TypeError):
            await self.say("?", "syntax error")
        if words[0] == "quit":
            self.is_over = True

    async def say(self, sign: str, text: str) -> None:
        await self.stream.send_all(f"{sign} {text}".rstrip().encode() + self.ending.encode())

    # Commands.

    def do(self, name: str, words: list[str]) -> str:
        if name not in COMMANDS:
            raise Failure("unknown command")
        command: Callable[..., str] = getattr(self, name)
        return command(*words)

    def name(self, *_words: str) -> str:
        return "Small"

    def known_command(self, *words: str) -> str:
        return "true" if words and words[0] in COMMANDS else "false"

    def list_commands(self, *_words: str) -> str:
        return "\n".join(COMMANDS)

    def quit(self, *_words: str) -> str:
        return ""

    def boardsize(self, *words: str) -> str:
        if int(words[0]) != 9:
            raise Failure("unacceptable size")
        self.clear_board()
        return ""

    def clear_board(self, *_words: str) -> str:
        left = self.board.left
        self.board = self.make_board()
        self.board.left = {player: max(left.values()) for player in left}
        self.history = []
        return ""

    def walls(self, *words: str) -> str:
        self.board.left = dict.fromkeys(self.board.left, int(words[0]))
        return ""

    def colour(self, word: str) -> int:
        return COLOURS[word.lower()]

    def vertex(self, word: str) -> tuple[int, int]:
        number = int(word[1:])
        if word[0].upper() not in LETTERS or not 1 <= number <= 9:
            raise Failure("illegal move")
        return LETTERS.index(word[0].upper()), 9 - number

    def playmove(self, colour: str, vertex: str, *rest: str) -> str:
        self.play(self.colour(colour), ("P", *self.vertex(vertex)))
        return ""

    def playwall(self, colour: str, vertex: str, orientation: str) -> str:
        self.play(self.colour(colour), self.wall_at(vertex, orientation))
        return ""

    def wall_at(self, vertex: str, orientation: str) -> Move:
        return (ORIENTATIONS[orientation.lower()], *self.vertex(vertex))

    def play(self, player: int, move: Move) -> None:
        if not self.is_legal(player, move):
            raise Failure("illegal move")
        self.history.append(copy.deepcopy(self.board))
        self.make(player, move)

    def is_legal(self, player: int, move: Move) -> bool:
        board = self.board
        if move[0] == "P":
            return move[1:] in board.steps(player)
        return board.left[player] > 0 and board.fits(move) and board.leaves_paths(move)

    def make(self, player: int, move: Move) -> None:
        if move[0] == "P":
            self.board.pawns[player] = move[1:]
        else:
            self.board.place(player, move)

    def genmove(self, colour: str, *_words: str) -> str:
        player = self.colour(colour)
        move = self.choose(player)
        self.play(player, move)
        return self.write_move(move)

    def choose(self, player: int) -> Move:
        if len(self.history) % 5 == 4 and self.board.left[player]:
            for row in range(8):
                wall = ("h", 0, row)
                if self.is_legal(player, wall):
                    return wall
        ways = self.board.ways(player)
        return ("P", *min(self.board.steps(player), key=lambda square: (ways[square], square)))

    def write_move(self, move: Move) -> str:
        kind, c, r = move
        orientation = {"P": "", "h": " horizontal", "v": " vertical"}[kind]
        return f"{LETTERS[c]}{9 - r}{orientation}"

    def undo(self, *words: str) -> str:
        times = int(words[0]) if words else 1
        if not self.history or times > len(self.history):
            raise Failure("cannot undo")
        for _ in range(times):
            self.board = self.history.pop()
        return ""

    def winner(self, *_words: str) -> str:
        for player, square in self.board.pawns.items():
            if self.board.is_goal(player, square):
                return f"true {NAMES[player]}"
        return "false"

    def showboard(self, *_words: str) -> str:
        return "\nA B C\n9 . ."


@asynccontextmanager
async def run_in_memory(run: Callable[[Stream], Awaitable[object]]) -> AsyncIterator[Stream]:
    """Run an engine in memory, and yield the stream to it; a process would take a quarter of a second."""
    ours, theirs = trio.testing.memory_stream_pair()

    async def run_and_close() -> None:
        try:
            await run(theirs)
        finally:
            await trio.aclose_forcefully(theirs)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run_and_close)
        yield ours
        nursery.cancel_scope.cancel()


def launch_engine(
    engine: type[SmallEngine], *, with_seed: bool = False
) -> Callable[[], AbstractAsyncContextManager[Stream]]:
    """Return a function that starts an engine in memory."""

    async def run(stream: Stream) -> None:
        # ZeroDivisionError would have ended a real program.
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError, ZeroDivisionError):
            if not (with_seed and engine.refuses_seed):
                await engine(stream).run()

    return lambda: run_in_memory(run)
