"""Why a move of Clobber is not allowed, and the exception that carries the reason."""

from __future__ import annotations

import enum

from attrs import frozen

from quoridor_net.clobber.values import Move


class Illegality(enum.Enum):
    """The kinds of reason for which a well-formed move is illegal."""

    GAME_OVER = "game over"
    OFF_BOARD = "off the board"
    NOT_OWN_STONE = "no stone of the player to move there"
    NOT_NEIGHBOURS = "the squares are not neighbours"
    NO_OPPOSING_STONE = "no opposing stone to clobber there"


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
