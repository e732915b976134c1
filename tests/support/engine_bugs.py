"""Athens engines with one bug each, by the code of the finding, and unusual correct engines."""

from __future__ import annotations

import copy

import trio

from tests.support.small_engine import COLOURS, Failure, SmallEngine
from tests.support.walker_server import Board, Move, Square


class Silent(SmallEngine):
    async def say(self, sign: str, text: str) -> None:
        pass


class CrashesOnWalls(SmallEngine):
    def playwall(self, colour: str, vertex: str, orientation: str) -> str:
        raise ZeroDivisionError


class NoSign(SmallEngine):
    async def say(self, sign: str, text: str) -> None:
        await self.stream.send_all(f"{text or 'ok'}\n\n".encode())


class Prompts(SmallEngine):
    async def say(self, sign: str, text: str) -> None:
        await super().say(f"quoridor> {sign}", text)


class OneNewline(SmallEngine):
    ending = "\n"


class ForgetsLineEnds(SmallEngine):
    ending = ""


class PrintsDebug(SmallEngine):
    async def say(self, sign: str, text: str) -> None:
        await super().say(sign, text)
        await self.stream.send_all(b"done\n")


class PrintsThoughts(SmallEngine):
    """Prints debug output before the response."""

    async def say(self, sign: str, text: str) -> None:
        await self.stream.send_all(b"searching\ndepth 1: 3\ndepth 2: 4\n")
        await super().say(sign, text)


class AnswersTwice(SmallEngine):
    async def say(self, sign: str, text: str) -> None:
        # In one piece: otherwise the second answer may be taken for that to the next command.
        await super().say(sign, f"{text}{self.ending}{sign} {text}")


class Colours(SmallEngine):
    def showboard(self, *_words: str) -> str:
        return "\n\x1b[31mA B C\x1b[0m"


class Nameless(SmallEngine):
    def name(self, *_words: str) -> str:
        raise Failure("no name")


class KnowsNothing(SmallEngine):
    def known_command(self, *words: str) -> str:
        return "false"


class KnowsAll(SmallEngine):
    def known_command(self, *words: str) -> str:
        if words[0] == "play_trumpet":
            raise Failure("false")
        return "true"


class HidesUndo(SmallEngine):
    def list_commands(self, *_words: str) -> str:
        return super().list_commands().replace("undo\n", "")


class SaysWhat(SmallEngine):
    def do(self, name: str, words: list[str]) -> str:
        try:
            return super().do(name, words)
        except Failure as failure:
            raise Failure("what?" if str(failure) == "unknown command" else str(failure)) from None


class TakesAnySize(SmallEngine):
    def boardsize(self, *words: str) -> str:
        int(words[0])
        self.clear_board()
        return ""


class NeedsNoArguments(SmallEngine):
    def boardsize(self, *words: str) -> str:
        return super().boardsize(*(words or ("9",)))


class KeepsPawns(SmallEngine):
    def clear_board(self, *_words: str) -> str:
        pawns = self.board.pawns
        super().clear_board()
        self.board.pawns = pawns
        return ""


class KeepsWalls(SmallEngine):
    """Resets only the pawns."""

    def clear_board(self, *_words: str) -> str:
        walls, closed = self.board.walls, self.board.closed
        super().clear_board()
        self.board.walls, self.board.closed = walls, closed
        return ""


class BlackBelow(SmallEngine):
    def make_board(self) -> Board:
        board = Board(2)
        board.pawns = {1: (4, 8), 2: (4, 0)}
        return board


class AcceptsSteps(SmallEngine):
    def is_legal(self, player: int, move: Move) -> bool:
        return move[0] == "P" or super().is_legal(player, move)


class SaysNo(SmallEngine):
    def play(self, player: int, move: Move) -> None:
        try:
            super().play(player, move)
        except Failure:
            raise Failure("no") from None


class KeepsTurns(SmallEngine):
    last = 0

    def play(self, player: int, move: Move) -> None:
        if self.history and self.last == player:
            raise Failure("illegal move")
        super().play(player, move)
        self.last = player


class ReadsOneCase(SmallEngine):
    def colour(self, word: str) -> int:
        return COLOURS[word]


class StiffBoard(Board):
    def steps(self, player: int) -> set[Square]:
        others = {square for number, square in self.pawns.items() if number != player}
        return set(self.open_from(self.pawns[player])) - others


class KnowsNoJumps(SmallEngine):
    def make_board(self) -> Board:
        return StiffBoard(2)


class AcceptsWalls(SmallEngine):
    def is_legal(self, player: int, move: Move) -> bool:
        return (move[0] != "P" and self.board.left[player] > 0) or super().is_legal(player, move)


class LetsWallsCross(SmallEngine):
    def is_legal(self, player: int, move: Move) -> bool:
        if move[0] == "P" or max(move[1:]) > 7:
            return super().is_legal(player, move)
        kind, c, r = move
        along = (1, 0) if kind == "h" else (0, 1)
        near = [move, (kind, c + along[0], r + along[1]), (kind, c - along[0], r - along[1])]
        fits = not any(other in self.board.walls for other in near)
        return self.board.left[player] > 0 and fits and self.board.leaves_paths(move)


class ShutsIn(SmallEngine):
    def is_legal(self, player: int, move: Move) -> bool:
        if move[0] == "P":
            return super().is_legal(player, move)
        return self.board.left[player] > 0 and self.board.fits(move)


class Southwest(SmallEngine):
    def wall_at(self, vertex: str, orientation: str) -> Move:
        kind, c, r = super().wall_at(vertex, orientation)
        return kind, c, r - 1


class TurnsWalls(SmallEngine):
    def wall_at(self, vertex: str, orientation: str) -> Move:
        kind, c, r = super().wall_at(vertex, orientation)
        return "v" if kind == "h" else "h", c, r


class ShortBoard(Board):
    def edges(self, wall: Move) -> list[frozenset[Square]]:
        return super().edges(wall)[:1]


class ShortWalls(SmallEngine):
    def make_board(self) -> Board:
        return ShortBoard(2)


class RunsLeft(SmallEngine):
    def wall_at(self, vertex: str, orientation: str) -> Move:
        kind, c, r = super().wall_at(vertex, orientation)
        return (kind, c - 1, r) if kind == "h" else (kind, c, r - 1)


class ForgetsWalls(SmallEngine):
    def make(self, player: int, move: Move) -> None:
        if move[0] == "P":
            super().make(player, move)


class CountsNoWalls(SmallEngine):
    def make(self, player: int, move: Move) -> None:
        super().make(player, move)
        if move[0] != "P":
            self.board.left[player] += 1


class MovesFirst(SmallEngine):
    """Makes the step before checking it."""

    def play(self, player: int, move: Move) -> None:
        is_legal = self.is_legal(player, move)
        self.history.append(copy.deepcopy(self.board))
        if is_legal or move[0] == "P":
            self.make(player, move)
        if not is_legal:
            raise Failure("illegal move")


class SaysItsColour(SmallEngine):
    def genmove(self, colour: str, *_words: str) -> str:
        return f"{colour} {super().genmove(colour)}"


class Leaps(SmallEngine):
    def genmove(self, colour: str, *_words: str) -> str:
        return "E5"


class OnlyTalks(SmallEngine):
    def genmove(self, colour: str, *_words: str) -> str:
        return self.write_move(self.choose(self.colour(colour)))


class GivesUp(SmallEngine):
    def genmove(self, colour: str, *_words: str) -> str:
        raise Failure("no idea")


class WantsANumber(SmallEngine):
    def undo(self, *words: str) -> str:
        return super().undo(words[0])


class UndoesPawnsOnly(SmallEngine):
    def undo(self, *words: str) -> str:
        left = dict(self.board.left)
        super().undo(*words)
        self.board.left = left
        return ""


class UndoesOne(SmallEngine):
    def undo(self, *words: str) -> str:
        times = int(words[0]) if words else 1
        if not self.history or times > len(self.history):
            raise Failure("cannot undo")
        return super().undo()


class UndoesAll(SmallEngine):
    def undo(self, *words: str) -> str:
        times = int(words[0]) if words else 1
        if not self.history:
            raise Failure("cannot undo")
        return super().undo(str(min(times, len(self.history))))


class AlwaysWins(SmallEngine):
    def winner(self, *_words: str) -> str:
        return "true white"


class NeverWins(SmallEngine):
    def winner(self, *_words: str) -> str:
        return "false"


class NoBoard(SmallEngine):
    def showboard(self, *_words: str) -> str:
        raise Failure("no screen")


class QuitsWithoutAWord(SmallEngine):
    async def answer(self, words: list[str]) -> None:
        if words[0] == "quit":
            raise ZeroDivisionError
        await super().answer(words)


class IgnoresQuit(SmallEngine):
    async def answer(self, words: list[str]) -> None:
        await super().answer(words)
        self.is_over = False


class ReadsPackets(SmallEngine):
    def cut(self, data: bytes) -> tuple[list[str], bytes]:
        return [data.decode("latin-1").partition("\n")[0]], b""


class AnswersEmptyLines(SmallEngine):
    async def take(self, line: str) -> None:
        if not self.clean(line):
            await self.say("?", "unknown command")
        else:
            await super().take(line)


class ReadsComments(SmallEngine):
    def clean(self, line: str) -> str:
        return "" if line.startswith("#") else super().clean(line.replace("#", " hash "))

    def winner(self, *words: str) -> str:
        if words:
            raise Failure("syntax error")
        return super().winner()


class KeepsComments(SmallEngine):
    """Removes no comments, so that a line with only a comment is a command."""

    def clean(self, line: str) -> str:
        return super().clean(line.replace("#", "hash"))


class PlainWinner(SmallEngine):
    """Omits the sign of one response."""

    async def answer(self, words: list[str]) -> None:
        if words[0] == "winner":
            await self.stream.send_all(f"{self.winner()}\n\n".encode())
        else:
            await super().answer(words)


class OnlyBlankLines(SmallEngine):
    async def answer(self, words: list[str]) -> None:
        while True:
            await self.stream.send_all(b"\n")
            await trio.sleep(1)


class Chatters(SmallEngine):
    """Prints its thoughts without end instead of a response."""

    async def answer(self, words: list[str]) -> None:
        while True:
            await self.stream.send_all(b"thinking\n")
            await trio.sleep(0.05)


class SplitsAtBlanksAlone(SmallEngine):
    """Treats a tab as a letter."""

    def clean(self, line: str) -> str:
        return super().clean(line.replace("\t", "_"))


class KeepsControls(SmallEngine):
    def clean(self, line: str) -> str:
        line = line.partition("#")[0].strip()
        if any(letter < " " for letter in line):
            return "unreadable"
        return line


class HasNoBoard(SmallEngine):
    def boardsize(self, *words: str) -> str:
        raise Failure("unacceptable size")


class NeverClears(SmallEngine):
    def do(self, name: str, words: list[str]) -> str:
        if name == "clear_board":
            raise Failure("not now")
        return super().do(name, words)


class WantsWallsOfEach(SmallEngine):
    def walls(self, *words: str) -> str:
        return super().walls(words[1])


class KeepsWallsApart(SmallEngine):
    """Believes that touching walls overlap."""

    def is_legal(self, player: int, move: Move) -> bool:
        kind, c, r = move
        near = [
            (other, c + across, r + down) for other in "hv" for across in (-2, 0, 2) for down in (-1, 0, 1)
        ]
        if kind == "h" and any(wall in self.board.walls for wall in near if wall != move):
            return False
        return super().is_legal(player, move)


class KeepsFailuresToItself(SmallEngine):
    async def say(self, sign: str, text: str) -> None:
        if sign == "=":
            await super().say(sign, text)


class HoldsBackFailures(SmallEngine):
    """Sends the response to a failed command with the next one."""

    held = ""

    async def say(self, sign: str, text: str) -> None:
        if sign == "?":
            self.held += f"? {text}{self.ending}"
            return
        await self.stream.send_all(self.held.encode())
        self.held = ""
        await super().say(sign, text)


class DiesOfWrongCommands(SmallEngine):
    async def say(self, sign: str, text: str) -> None:
        if sign == "?":
            raise ZeroDivisionError
        await super().say(sign, text)


class CrashesInTheSecondGame(SmallEngine):
    """Keeps its plan for the first game."""

    plan = 0

    def genmove(self, colour: str, *words: str) -> str:
        if len(self.history) < self.plan:
            raise ZeroDivisionError
        self.plan = len(self.history)
        return super().genmove(colour, *words)


class RefusesSeed(SmallEngine):
    refuses_seed = True


#: Codes of findings, and engines with these bugs.
BUGS: list[tuple[str, type[SmallEngine]]] = [
    ("QTP-101", Silent),
    ("QTP-102", CrashesOnWalls),
    ("QTP-103", NoSign),
    ("QTP-103", Prompts),
    ("QTP-104", OneNewline),
    ("QTP-104", ForgetsLineEnds),
    ("QTP-105", PrintsDebug),
    ("QTP-105", PrintsThoughts),
    ("QTP-106", AnswersTwice),
    ("QTP-107", Colours),
    ("QTP-111", Nameless),
    ("QTP-112", KnowsNothing),
    ("QTP-113", KnowsAll),
    ("QTP-114", HidesUndo),
    ("QTP-116", SaysWhat),
    ("QTP-121", HasNoBoard),
    ("QTP-122", TakesAnySize),
    ("QTP-123", NeedsNoArguments),
    ("QTP-124", NeverClears),
    ("QTP-125", WantsWallsOfEach),
    ("QTP-126", KeepsPawns),
    ("QTP-126", KeepsWalls),
    ("QTP-137", BlackBelow),
    ("QTP-132", AcceptsSteps),
    ("QTP-133", SaysNo),
    ("QTP-135", KeepsTurns),
    ("QTP-136", ReadsOneCase),
    ("QTP-131", KnowsNoJumps),
    ("QTP-141", KeepsWallsApart),
    ("QTP-142", AcceptsWalls),
    ("QTP-142", LetsWallsCross),
    ("QTP-142", ShutsIn),
    ("QTP-143", Southwest),
    ("QTP-144", TurnsWalls),
    ("QTP-145", ShortWalls),
    ("QTP-146", RunsLeft),
    ("QTP-147", ForgetsWalls),
    ("QTP-148", CountsNoWalls),
    ("QTP-151", MovesFirst),
    ("QTP-161", SaysItsColour),
    ("QTP-162", Leaps),
    ("QTP-163", OnlyTalks),
    ("QTP-164", GivesUp),
    ("QTP-171", WantsANumber),
    ("QTP-172", UndoesPawnsOnly),
    ("QTP-172", UndoesOne),
    ("QTP-173", UndoesAll),
    ("QTP-181", AlwaysWins),
    ("QTP-182", NeverWins),
    ("QTP-191", NoBoard),
    ("QTP-195", QuitsWithoutAWord),
    ("QTP-196", IgnoresQuit),
    ("QTP-201", ReadsPackets),
    ("QTP-202", AnswersEmptyLines),
    ("QTP-203", ReadsComments),
    ("QTP-203", KeepsComments),
    ("QTP-103", PlainWinner),
    ("QTP-101", OnlyBlankLines),
    ("QTP-103", Chatters),
    ("QTP-204", KeepsControls),
    ("QTP-204", SplitsAtBlanksAlone),
    ("QTP-211", KeepsFailuresToItself),
    ("QTP-211", HoldsBackFailures),
    ("QTP-212", DiesOfWrongCommands),
    ("QTP-213", CrashesInTheSecondGame),
    ("QTP-221", RefusesSeed),
]


class CrLf(SmallEngine):
    ending = "\r\n\r\n"


class Slow(SmallEngine):
    async def answer(self, words: list[str]) -> None:
        await trio.sleep(2)
        await super().answer(words)


class SmallLetters(SmallEngine):
    def write_move(self, move: Move) -> str:
        return super().write_move(move).lower()


class BlankLinesFirst(SmallEngine):
    async def say(self, sign: str, text: str) -> None:
        await self.stream.send_all(b"\n\n")
        await super().say(sign, text)


class WarmsUp(SmallEngine):
    """Sends blank lines before its first response, which comes just in time."""

    async def run(self) -> None:
        for _ in range(19):
            await self.stream.send_all(b"\n")
            await trio.sleep(0.5)
        await super().run()


class OneByteAtATime(SmallEngine):
    async def say(self, sign: str, text: str) -> None:
        for letter in f"{sign} {text}".rstrip() + self.ending:
            await self.stream.send_all(letter.encode())


class ShortWords(SmallEngine):
    def write_move(self, move: Move) -> str:
        return super().write_move(move).replace("orizontal", "").replace("ertical", "")


class CallsWallsPlacements(SmallEngine):
    """Answers an illegal wall with the name of that failure in the document."""

    def playwall(self, colour: str, vertex: str, orientation: str) -> str:
        try:
            return super().playwall(colour, vertex, orientation)
        except Failure:
            raise Failure("illegal placement") from None


#: Engines that follow the document.
UNUSUAL: list[type[SmallEngine]] = [
    SmallEngine,
    CrLf,
    Slow,
    SmallLetters,
    BlankLinesFirst,
    WarmsUp,
    OneByteAtATime,
    ShortWords,
    Colours,
    CallsWallsPlacements,
]
