"""What can be wrong with a recorded game, and where."""

from __future__ import annotations

import enum

from attrs import define

from quoridor_net.rules import Reason


class Fault(enum.StrEnum):
    """The kinds of mistake in a recorded game."""

    #: The text does not follow the grammar.
    SYNTAX = "syntax error"
    #: The file uses an extension of the format and the reader was told to be strict.
    EXTENSION = "extension"
    #: Somebody moves whose turn it is not.
    WRONG_TURN = "wrong turn"
    #: The rules forbid the move.
    ILLEGAL = "illegal move"
    #: Something is played after the end.
    GAME_OVER = "game over"
    #: The game is not played to its end.
    UNFINISHED = "unfinished game"
    #: The metadata tell a result that is not the one on the board.
    CONTRADICTION = "contradiction"
    #: The text tells several games, and it was not said which one is meant.
    SEVERAL = "several games"
    #: The game cannot be written in the format that is wanted.
    INEXPRESSIBLE = "inexpressible"


@define
class ReplayError(ValueError):
    """A recorded game that cannot be accepted, or not written in some format.

    Attributes:
        fault: the kind of mistake.
        sentence: what is wrong, for people.
        line: its line, from 1; 0 when it has no place in a text.
        column: its column, from 1; 0 likewise.
        reason: why the move is illegal; None for all other faults.
    """

    fault: Fault
    sentence: str
    line: int = 0
    column: int = 0
    reason: Reason | None = None

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.sentence}" if self.line else self.sentence
