"""The position that a conversation with an engine has led to, for the drawing of a finding."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from attrs import define, evolve, field, frozen

from quoridor_net.check.findings import WireLine
from quoridor_net.moves import STANDARD_SIZE, Move, Square, Step, Wall
from quoridor_net.notation import standard
from quoridor_net.notation.athens import COLOUR_OF_PLAYER, format_vertex, parse_colour, parse_move
from quoridor_net.rules import IllegalPositionError, Position
from quoridor_net.rules.diagram import draw_with_legend
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.text import UnparsableError, split_words

_STARTS = (Square(4, 0), Square(4, 8))


@frozen
class EngineBoard:
    """Pawns and walls, whatever the order of the moves.

    Attributes:
        pawns: the squares of black and white.
        walls: the walls.
        before: the board before the last move; None at the start.
    """

    pawns: tuple[Square, Square] = _STARTS
    walls: tuple[Wall, ...] = ()
    before: EngineBoard | None = None

    def make(self, player: int, move: Move) -> EngineBoard:
        """Return the board after a move."""
        if isinstance(move, Wall):
            return evolve(self, walls=(*self.walls, move), before=self)
        pawns = list(self.pawns)
        pawns[player - 1] = move.square
        return evolve(self, pawns=(pawns[0], pawns[1]), before=self)

    def position(self, player: int) -> Position | None:
        """Return the position with ``player`` to move; None if no game can reach it."""
        horizontal, vertical = (
            "".join(standard.format_move(wall)[:-1] for wall in self.walls if str(wall.orientation) == kind)
            for kind in ("h", "v")
        )
        pawns = " ".join(map(standard.format_square, self.pawns))
        try:
            return Position.from_line(f"{horizontal} / {vertical} / {pawns} / 10 10 / {player}")
        except (IllegalPositionError, UnparsableError):
            return None


@define
class _Follower:
    board: EngineBoard = field(factory=EngineBoard)
    # Commands without a response so far.
    waiting: deque[str] = field(factory=deque)

    def take(self, line: WireLine) -> None:
        text = line.data.decode("latin-1").strip()
        if line.is_sent:
            self.waiting += text.splitlines()
        elif text[:1] in {"=", "?"} and self.waiting:
            command = self.waiting.popleft()
            if text[0] == "=":
                self.follow(command, text[1:])

    def follow(self, command: str, answer: str) -> None:
        match split_words(command):
            case ["clear_board" | "boardsize", *_]:
                self.board = EngineBoard()
            case ["undo"]:
                self.board = self.board.before or self.board
            case ["genmove", colour]:
                self.make(colour, answer)
            case ["playmove" | "playwall", colour, *move]:
                self.make(colour, " ".join(move))

    def make(self, colour: str, move: str) -> None:
        try:
            self.board = self.board.make(parse_colour(colour), parse_move(move))
        except UnparsableError:
            return


def draw_refused(lines: Sequence[WireLine]) -> tuple[tuple[str, ...], str]:
    """Return the drawing of the last command if it is a move, and why the move is legal if it is a step.

    Both may be empty.
    """
    follower = _Follower()
    last = max((number for number, line in enumerate(lines) if line.is_sent), default=-1)
    for line in lines[:last]:
        follower.take(line)
    words = split_words(lines[last].data.decode("latin-1").strip()) if last >= 0 else []
    try:
        match words:
            case ["playmove" | "playwall", colour, *rest]:
                player, move = parse_colour(colour), parse_move(" ".join(rest))
            case _:
                return (), ""
    except UnparsableError:
        return (), ""
    position = follower.board.position(player)
    if position is None:
        return (), ""
    drawing = draw_with_legend(position, BoardPicture.ATHENS, move, "the move sent")
    return drawing, _explain_step(position, player, move)


def _explain_step(position: Position, player: int, move: Move) -> str:
    """Return a sentence about a legal step; empty for other moves."""
    here = position.pawn(player)
    if not isinstance(move, Step) or here is None or not position.is_legal(move):
        return ""
    other = position.pawn(3 - player)
    assert other is not None
    there = move.square
    across, down = abs(there.column - here.column), abs(there.row - here.row)
    colour = COLOUR_OF_PLAYER[player].capitalize()
    way = f"from {format_vertex(here, STANDARD_SIZE)} to {format_vertex(there, STANDARD_SIZE)}"
    over = format_vertex(other, STANDARD_SIZE)
    if across + down == 1:
        return f"{colour} steps {way}: the square is free, and no wall is in the way."
    if across and down:
        return f"{colour} jumps to the side {way}: a wall or the edge is behind the pawn on {over}."
    return f"{colour} jumps straight {way} over the pawn on {over}: the square behind it is free."
