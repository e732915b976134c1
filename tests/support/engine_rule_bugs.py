"""Athens engines that lack one rule of the game, or misunderstand one command, by the code of the finding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.small_engine import NAMES, Failure, SmallEngine
from tests.support.walker_server import Board, Move, Square

#: Returns whether ``player`` may place ``wall`` on ``board``.
PathRule = Callable[[Board, int, Move], bool]


def with_wall(board: Board, wall: Move, players: list[int]) -> bool:
    """Return whether ``players`` keep their paths behind ``wall``."""
    closed = board.closed
    board.closed = closed | set(board.edges(wall))
    try:
        return all(board.pawns[player] in board.ways(player) for player in players)
    finally:
        board.closed = closed


def _leave_any_end(board: Board, wall: Move) -> bool:
    """Return whether every player reaches one of the two goal lines, even that of the other."""
    closed = board.closed
    board.closed = closed | set(board.edges(wall))
    try:
        return all(any(here in board.ways(player) for player in (1, 2)) for here in board.pawns.values())
    finally:
        board.closed = closed


def _leave_paths_past_pawns(board: Board, player: int, wall: Move) -> bool:
    """Return whether both keep a path, the other player one that avoids the pawn of ``player``."""
    if not with_wall(board, wall, [1, 2]):
        return False
    other = 3 - player
    closed = board.closed
    c, r = board.pawns[player]
    around = {frozenset({(c, r), there}) for there in ((c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1))}
    board.closed = closed | set(board.edges(wall)) | around
    try:
        return board.pawns[other] in board.ways(other)
    finally:
        board.closed = closed


#: The usual forms of a wrong path rule, by name, with the code of the finding.
PATH_RULES: dict[str, tuple[str, PathRule]] = {
    "ChecksNoPath": ("QTP-142", lambda _board, _player, _wall: True),
    "ChecksItsOwnPath": ("QTP-142", lambda board, player, wall: with_wall(board, wall, [player])),
    "ChecksTheOtherPath": ("QTP-142", lambda board, player, wall: with_wall(board, wall, [3 - player])),
    "ChecksThePathOfBlack": ("QTP-142", lambda board, _player, wall: with_wall(board, wall, [1])),
    "ChecksThePathOfWhite": ("QTP-142", lambda board, _player, wall: with_wall(board, wall, [2])),
    "ChecksBeforeTheWall": (
        "QTP-142",
        lambda board, _player, _wall: all(pawn in board.ways(one) for one, pawn in board.pawns.items()),
    ),
    "ChecksForEitherEnd": ("QTP-142", lambda board, _player, wall: _leave_any_end(board, wall)),
    "TakesPawnsForWalls": ("QTP-141", _leave_paths_past_pawns),
}


def _make_path_engine(name: str, rule: PathRule) -> type[SmallEngine]:
    def is_legal(self: SmallEngine, player: int, move: Move) -> bool:
        if move[0] == "P":
            return SmallEngine.is_legal(self, player, move)
        board = self.board
        return board.left[player] > 0 and board.fits(move) and rule(board, player, move)

    return type(name, (SmallEngine,), {"is_legal": is_legal})


#: Returns the squares that a player can reach.
Steps = Callable[[Board, int], set[Square]]


def _beside(board: Board, player: int) -> set[Square]:
    c, r = board.pawns[player]
    return {(c + across, r + down) for across in (-1, 1) for down in (-1, 1)} - set(board.pawns.values())


def _straight(board: Board, player: int, *, over_walls: bool) -> set[Square]:
    """Return the steps without jumps to the side."""
    here, others = board.pawns[player], set(board.pawns.values())
    found = set()
    for there in board.open_from(here):
        beyond = 2 * there[0] - here[0], 2 * there[1] - here[1]
        if there not in others:
            found.add(there)
        elif over_walls or beyond in board.open_from(there):
            found.add(beyond)
    return found


def _not_at_the_edge(board: Board, player: int) -> set[Square]:
    """Return the steps without jumps to the side along the edge."""
    here = board.pawns[player]
    steps = board.steps(player)
    return {there for there in steps if there in board.open_from(here) or there[1] not in {0, 8}}


def _onto_pawns(board: Board, player: int) -> set[Square]:
    return board.steps(player) | set(board.open_from(board.pawns[player]))


STEPS: dict[str, tuple[str, Steps]] = {
    "StaysOnItsSquare": ("QTP-132", lambda board, player: board.steps(player) | {board.pawns[player]}),
    "StepsDiagonally": ("QTP-132", lambda board, player: board.steps(player) | _beside(board, player)),
    "StepsOntoPawns": ("QTP-132", _onto_pawns),
    "JumpsOverWalls": (
        "QTP-132",
        lambda board, player: board.steps(player) | _straight(board, player, over_walls=True),
    ),
    "JumpsStraightOnly": ("QTP-131", lambda board, player: _straight(board, player, over_walls=False)),
    "JumpsNotAlongTheEdge": ("QTP-131", _not_at_the_edge),
}


def _make_step_engine(name: str, steps: Steps) -> type[SmallEngine]:
    def is_legal(self: SmallEngine, player: int, move: Move) -> bool:
        if move[0] != "P":
            return SmallEngine.is_legal(self, player, move)
        return move[1:] in steps(self.board, player)

    return type(name, (SmallEngine,), {"is_legal": is_legal})


#: Returns the walls that may not be on the board with ``wall``.
Conflicts = Callable[[Move], list[Move]]


def _neighbours(wall: Move, before: int, after: int) -> list[Move]:
    kind, c, r = wall
    across, down = (1, 0) if kind == "h" else (0, 1)
    return [
        *([(kind, c - across, r - down)] * before),
        *([(kind, c + across, r + down)] * after),
    ]


def _cross(wall: Move) -> Move:
    return ("v" if wall[0] == "h" else "h", *wall[1:])


CONFLICTS: dict[str, Conflicts] = {
    "PlacesAWallTwice": lambda wall: [_cross(wall), *_neighbours(wall, 1, 1)],
    "OverlapsToTheLeft": lambda wall: [wall, _cross(wall), *_neighbours(wall, 1, 0)],
    "OverlapsToTheRight": lambda wall: [wall, _cross(wall), *_neighbours(wall, 0, 1)],
    "CrossesHorizontally": lambda wall: [
        wall,
        *([_cross(wall)] * (wall[0] == "v")),
        *_neighbours(wall, 1, 1),
    ],
    "CrossesVertically": lambda wall: [
        wall,
        *([_cross(wall)] * (wall[0] == "h")),
        *_neighbours(wall, 1, 1),
    ],
}


def _make_wall_engine(name: str, conflicts: Conflicts) -> type[SmallEngine]:
    def is_legal(self: SmallEngine, player: int, move: Move) -> bool:
        board = self.board
        if move[0] == "P" or max(move[1:]) > 7:
            return SmallEngine.is_legal(self, player, move)
        is_free = not any(other in board.walls for other in conflicts(move))
        return board.left[player] > 0 and is_free and board.leaves_paths(move)

    return type(name, (SmallEngine,), {"is_legal": is_legal})


class RoomyWalls(SmallEngine):
    """Accepts walls that stick out at the edge."""

    def is_legal(self, player: int, move: Move) -> bool:
        return (move[0] != "P" and max(move[1:]) == 8) or super().is_legal(player, move)


class LosesAWall(SmallEngine):
    """Gives every player one wall too few."""

    def walls(self, *words: str) -> str:
        return super().walls(str(int(words[0]) - 1))


class SharesWalls(SmallEngine):
    """Gives both players one number of walls together."""

    def make(self, player: int, move: Move) -> None:
        super().make(player, move)
        if move[0] != "P":
            self.board.left[3 - player] -= 1


class CountsNoWallsOfWhite(SmallEngine):
    def make(self, player: int, move: Move) -> None:
        super().make(player, move)
        if move[0] != "P" and player == 2:
            self.board.left[player] += 1


class AlwaysHasTenWalls(SmallEngine):
    def walls(self, *words: str) -> str:
        return super().walls("10")


class UndoesNoWalls(SmallEngine):
    """Leaves walls on the board at undo."""

    def undo(self, *words: str) -> str:
        walls, closed = dict(self.board.walls), set(self.board.closed)
        super().undo(*words)
        self.board.walls, self.board.closed = walls, closed
        return ""


class UndoesNoPawns(SmallEngine):
    def undo(self, *words: str) -> str:
        pawns = dict(self.board.pawns)
        super().undo(*words)
        self.board.pawns = pawns
        return ""


class ExchangesWinners(SmallEngine):
    def winner(self, *words: str) -> str:
        said = super().winner(*words)
        return {"true white": "true black", "true black": "true white"}.get(said, said)


class WhiteNeverWins(SmallEngine):
    def winner(self, *words: str) -> str:
        said = super().winner(*words)
        return "false" if said == "true white" else said


class NamesTheWinnerOnly(SmallEngine):
    def winner(self, *words: str) -> str:
        return super().winner(*words).removeprefix("true ")


class WinsOneRowEarly(SmallEngine):
    def winner(self, *words: str) -> str:
        for player, (_, row) in self.board.pawns.items():
            if row in {1: (7, 8), 2: (0, 1)}[player]:
                return f"true {NAMES[player]}"
        return "false"


class AlwaysMovesBlack(SmallEngine):
    def genmove(self, colour: str, *words: str) -> str:
        return super().genmove("black", *words)


class NamesTheRowOnly(SmallEngine):
    def write_move(self, move: Move) -> str:
        return super().write_move(move)[1:]


class WritesFromTheTop(SmallEngine):
    """Counts the rows of its own moves from the top."""

    def write_move(self, move: Move) -> str:
        written = super().write_move(move)
        return f"{written[0]}{10 - int(written[1])}{written[2:]}"


class TurnsItsOwnWalls(SmallEngine):
    def choose(self, player: int) -> Move:
        for row in range(4):
            if self.is_legal(player, ("h", 2 * row, 3)):
                return ("h", 2 * row, 3)
        return super().choose(player)

    def write_move(self, move: Move) -> str:
        turned = {"h": "v", "v": "h", "P": "P"}[move[0]]
        return super().write_move((turned, *move[1:]))


class KeepsTurns(SmallEngine):
    """Accepts moves only in turn; black begins."""

    first = 1

    def play(self, player: int, move: Move) -> None:
        if player != (self.first if len(self.history) % 2 == 0 else 3 - self.first):
            raise Failure("illegal move")
        super().play(player, move)


class WhiteBegins(KeepsTurns):
    first = 2


class DiesOfEmptyLines(SmallEngine):
    async def take(self, line: str) -> None:
        if not line:
            raise ZeroDivisionError
        await super().take(line)


class DiesOfComments(SmallEngine):
    def clean(self, line: str) -> str:
        if " #" in line:
            raise ZeroDivisionError
        return super().clean(line)


class DiesOfCr(SmallEngine):
    def clean(self, line: str) -> str:
        if "\r" in line:
            raise ZeroDivisionError
        return super().clean(line)


class RefusesToQuit(SmallEngine):
    def quit(self, *_words: str) -> str:
        raise Failure("not now")


class ListsCommandsInOneLine(SmallEngine):
    def list_commands(self, *words: str) -> str:
        return super().list_commands(*words).replace("\n", " ")


class SaysYes(SmallEngine):
    def known_command(self, *words: str) -> str:
        return {"true": "yes", "false": "no"}[super().known_command(*words)]


class RefusesTheFirstBoardsize(SmallEngine):
    is_first = True

    def boardsize(self, *words: str) -> str:
        if self.is_first:
            self.is_first = False
            raise Failure("unacceptable size")
        return super().boardsize(*words)


class TakesNineForAnything(SmallEngine):
    """Takes any word for nine."""

    def boardsize(self, *words: str) -> str:
        return super().boardsize(*(word if word.isdigit() else "9" for word in words))


_OTHERS: list[tuple[str, Any]] = [
    ("QTP-142", RoomyWalls),
    ("QTP-141", LosesAWall),
    ("QTP-141", SharesWalls),
    ("QTP-148", CountsNoWallsOfWhite),
    ("QTP-148", AlwaysHasTenWalls),
    ("QTP-172", UndoesNoWalls),
    ("QTP-172", UndoesNoPawns),
    ("QTP-182", ExchangesWinners),
    ("QTP-182", WhiteNeverWins),
    ("QTP-182", NamesTheWinnerOnly),
    ("QTP-181", WinsOneRowEarly),
    ("QTP-162", AlwaysMovesBlack),
    ("QTP-161", NamesTheRowOnly),
    ("QTP-162", WritesFromTheTop),
    ("QTP-162", TurnsItsOwnWalls),
    ("QTP-135", KeepsTurns),
    ("QTP-135", WhiteBegins),
    ("QTP-202", DiesOfEmptyLines),
    ("QTP-203", DiesOfComments),
    ("QTP-204", DiesOfCr),
    ("QTP-195", RefusesToQuit),
    ("QTP-114", ListsCommandsInOneLine),
    ("QTP-112", SaysYes),
    ("QTP-121", RefusesTheFirstBoardsize),
    ("QTP-123", TakesNineForAnything),
]

#: Codes of findings, and engines with these bugs.
BUGS: list[tuple[str, type[SmallEngine]]] = [
    *((code, _make_path_engine(name, rule)) for name, (code, rule) in PATH_RULES.items()),
    *((code, _make_step_engine(name, steps)) for name, (code, steps) in STEPS.items()),
    *(("QTP-142", _make_wall_engine(name, conflicts)) for name, conflicts in CONFLICTS.items()),
    *_OTHERS,
]
