"""Why a move is not allowed, and the exception that carries the reason."""

from __future__ import annotations

import enum

from attrs import frozen

from quoridor_net.moves import Move


class Illegality(enum.Enum):
    """The kinds of reason for which a well-formed move is illegal."""

    GAME_OVER = "game over"
    OFF_BOARD = "off the board"
    SAME_SQUARE = "the pawn already stands there"
    OCCUPIED = "the square is occupied"
    NOT_REACHABLE = "the pawn cannot get there in one move"
    WALL_IN_THE_WAY = "a wall is in the way"
    ONLY_CLASSROOM = "allowed only by the classroom jump rule"
    NO_WALLS_LEFT = "no walls left"
    OVERLAP = "overlaps a wall"
    CROSS = "crosses a wall"
    NO_PATH = "leaves a player without a path"


@frozen
class Objection:
    """Why one move is illegal in one position: a kind, and a sentence for people."""

    kind: Illegality
    sentence: str

    def __str__(self) -> str:
        return self.sentence


class IllegalMoveError(ValueError):
    """A well-formed move that the rules forbid in this position.

    Attributes:
        move: the move that was tried.
        objection: why it is illegal.
    """

    def __init__(self, move: Move, objection: Objection) -> None:
        super().__init__(f"{move} is illegal: {objection.sentence}")
        self.move = move
        self.objection = objection
