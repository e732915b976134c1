"""Sound programs with random habits: the checker must find no *must* in them."""

from __future__ import annotations

import random
from collections.abc import Callable

import trio

from tests.support.small_engine import Failure, SmallEngine
from tests.support.walker_server import Move, WalkerServer


class RandomServer(WalkerServer):
    """A server that makes any legal move, and sends it late, in pieces and with either line end.

    Args:
        habits: number that decides its habits.
        seed: number that decides its moves.
    """

    def __init__(self, habits: int, seed: int) -> None:
        super().__init__()
        choice = random.Random(habits)
        self.name = choice.choice(["ann:bot", "b", "x:" + "y" * 100, "zo\u00eb", "cem:walker-2"])
        self.line_end = choice.choice(["\n", "\r\n"])
        self.wall_share = choice.choice([0.0, 0.1, 0.3, 0.6, 1.0])
        self.walk_share = choice.choice([0.0, 0.5, 0.9, 1.0])
        self.pieces = choice.choice([1, 1, 2, 5, 100])
        self.delay = choice.choice([0.0, 0.0, 0.01, 0.2])
        self.makes_at_once = choice.random() < 0.5
        self.leaves_at_end = choice.random() < 0.5
        self._random = random.Random(seed)

    async def say(self, text: str) -> None:
        await trio.sleep(self._random.random() * self.delay)
        data = f"{text}{self.line_end}".encode()
        cuts = sorted(self._random.randrange(len(data)) for _ in range(self.pieces - 1))
        for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
            await self.stream.send_all(data[start:end])
            await trio.sleep(0.001 if self.pieces > 1 else 0)

    async def myoushu(self) -> None:
        self.moves += 1
        move = self.choose()
        if self.makes_at_once:
            self.make(self.player, move)
        await self.say(f"TESUJI {self.write(move)}")

    async def atari(self, player: int, move: Move) -> None:
        if player != self.player or not self.makes_at_once:
            await super().atari(player, move)

    async def gote(self, player: int) -> bool:
        return await super().gote(player) and self.leaves_at_end

    async def kikashi(self) -> bool:
        return self.leaves_at_end

    def choose(self) -> Move:
        steps = sorted(self.board.steps(self.player))
        if not steps or self._random.random() < self.wall_share:
            wall = self.wall()
            if wall is not None:
                return wall
        if self._random.random() < self.walk_share:
            return self.step()
        return ("P", *self._random.choice(steps))

    def wall(self) -> Move | None:
        if not self.board.left[self.player]:
            return None
        for _ in range(50):
            wall = (self._random.choice("hv"), self._random.randrange(8), self._random.randrange(8))
            if self.board.fits(wall) and self.board.leaves_paths(wall):
                return wall
        return None


def make_server(habits: int, seed: int) -> Callable[[], RandomServer]:
    """Return a function that starts the server with these habits, each time with other random numbers."""
    starts = iter(range(1_000_000))
    return lambda: RandomServer(habits, seed * 1000 + next(starts))


class RandomEngine(SmallEngine):
    """An engine that generates any legal move; the classes below add habits that the document allows."""

    seed = 0

    def __init__(self, stream: trio.abc.Stream) -> None:
        super().__init__(stream)
        self._random = random.Random(self.seed)

    def choose(self, player: int) -> Move:
        steps = sorted(self.board.steps(player))
        if self._random.random() < 0.4 and self.board.left[player]:
            for _ in range(20):
                wall = (self._random.choice("hv"), self._random.randrange(8), self._random.randrange(8))
                if self.is_legal(player, wall):
                    return wall
        return ("P", *self._random.choice(steps))


class CrLf(RandomEngine):
    ending = "\r\n\r\n"


class SmallLetters(RandomEngine):
    def write_move(self, move: Move) -> str:
        return super().write_move(move).lower()


class ShortWords(RandomEngine):
    def write_move(self, move: Move) -> str:
        return super().write_move(move).replace("orizontal", "").replace("ertical", "")


class Capitals(RandomEngine):
    def write_move(self, move: Move) -> str:
        return super().write_move(move).upper()


class BlankLinesFirst(RandomEngine):
    async def say(self, sign: str, text: str) -> None:
        await self.stream.send_all(b"\n \n")
        await super().say(sign, text)


class OneByteAtATime(RandomEngine):
    async def say(self, sign: str, text: str) -> None:
        for letter in f"{sign} {text}".rstrip() + self.ending:
            await self.stream.send_all(letter.encode())


class NoBlank(RandomEngine):
    """Omits the space after the sign."""

    async def say(self, sign: str, text: str) -> None:
        await self.stream.send_all(f"{sign}{text}{self.ending}".encode())


class TrailingBlanks(RandomEngine):
    async def say(self, sign: str, text: str) -> None:
        await super().say(sign, f"{text}  \t".expandtabs(1))


class Thinks(RandomEngine):
    async def answer(self, words: list[str]) -> None:
        await trio.sleep(0.5 if words[0] == "genmove" else 0)
        await super().answer(words)


class StartsSlowly(RandomEngine):
    async def run(self) -> None:
        await trio.sleep(3)
        await super().run()


class KeepsTurns(RandomEngine):
    """Accepts moves only in turn; black begins."""

    first = 1

    def is_turn(self, player: int) -> bool:
        return player == (self.first if len(self.history) % 2 == 0 else 3 - self.first)

    def play(self, player: int, move: Move) -> None:
        if not self.is_turn(player):
            raise Failure("illegal move")
        super().play(player, move)


class WhiteBegins(KeepsTurns):
    first = 2


class CallsSquaresOffTheBoardWrong(RandomEngine):
    """Answers a vertex off the board with a syntax error."""

    def vertex(self, word: str) -> tuple[int, int]:
        try:
            return super().vertex(word)
        except Failure:
            raise Failure("syntax error") from None


class HasLargeBoards(RandomEngine):
    """Reads vertices as on a larger board, and then finds the move illegal."""

    def vertex(self, word: str) -> tuple[int, int]:
        number = int(word[1:])
        if not 1 <= number <= 25:
            raise Failure("illegal move")
        return "ABCDEFGHIJKLMNOPQRSTUVWXY".index(word[0].upper()), 9 - number


class MultiLineErrors(RandomEngine):
    async def say(self, sign: str, text: str) -> None:
        await super().say(sign, f"{text}\nin line 1" if sign == "?" and text == "syntax error" else text)


class DrawsTheBoard(RandomEngine):
    def showboard(self, *_words: str) -> str:
        return "\n".join(["", *("." * 9 for _ in range(9))])


class LongName(RandomEngine):
    def name(self, *_words: str) -> str:
        return "An engine with a name of many words, version 1.0 (" + "x" * 200 + ")"


class PrivateCommands(RandomEngine):
    def list_commands(self, *_words: str) -> str:
        return "\n".join(["ann-help", *super().list_commands().split("\n"), "ann-seed"])


class OnlySteps(RandomEngine):
    def choose(self, player: int) -> Move:
        return ("P", *self._random.choice(sorted(self.board.steps(player))))


class OnlyWalls(RandomEngine):
    def choose(self, player: int) -> Move:
        walls = [(kind, c, r) for kind in "hv" for c in range(8) for r in range(8)]
        self._random.shuffle(walls)
        return next((wall for wall in walls if self.is_legal(player, wall)), super().choose(player))


#: Engines with habits that the document allows, or that lose no game.
SOUND_ENGINES: list[type[RandomEngine]] = [
    RandomEngine,
    CrLf,
    SmallLetters,
    ShortWords,
    Capitals,
    BlankLinesFirst,
    OneByteAtATime,
    NoBlank,
    TrailingBlanks,
    Thinks,
    StartsSlowly,
    KeepsTurns,
    WhiteBegins,
    CallsSquaresOffTheBoardWrong,
    HasLargeBoards,
    MultiLineErrors,
    DrawsTheBoard,
    LongName,
    PrivateCommands,
    OnlySteps,
    OnlyWalls,
]


def make_engine(engine: type[RandomEngine], seed: int) -> type[RandomEngine]:
    """Return ``engine`` with other random numbers."""
    return type(engine.__name__, (engine,), {"seed": seed})
