"""Reasons why a Clobber move is illegal, and the exception that carries one."""

from __future__ import annotations

import enum

from attrs import frozen

from quoridor_net.clobber.values import ClobberSquare, Colour, Move


class ClobberIllegality(enum.Enum):
    """Reasons why a well-formed move is illegal; the values are texts with placeholders."""

    GAME_OVER = "the game is over"
    OFF_BOARD = "{0} is off the board: squares go from {1} to {2}"
    EMPTY_ORIGIN = "it is {turn}'s turn and {0} is empty"
    OPPOSING_ORIGIN = "it is {turn}'s turn and the stone on {0} is {turn.other}"
    NOT_NEIGHBOURS = "{0} and {1} do not share a side"
    EMPTY_TARGET = "{0} is empty: a stone moves only onto an opposing stone"
    OWN_TARGET = "{0} holds a {turn} stone too: a stone moves only onto an opposing stone"


@frozen
class ClobberReason:
    """Why one move is illegal in one position; ``str`` gives the sentence."""

    kind: ClobberIllegality
    turn: Colour
    #: The squares concerned; for OFF_BOARD also the first and the last square of the board.
    squares: tuple[ClobberSquare, ...] = ()

    def __str__(self) -> str:
        return self.kind.value.format(*self.squares, turn=self.turn)


class IllegalClobberMoveError(ValueError):
    """A well-formed move that the rules forbid in this position, and why."""

    def __init__(self, move: Move, reason: ClobberReason) -> None:
        super().__init__(f"{move} is illegal: {reason}")
        self.move = move
        self.reason = reason
