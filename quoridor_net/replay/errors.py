"""What can be wrong with a recorded game, and where."""

from __future__ import annotations

import enum

from attrs import define

from quoridor_net.phrases import Phrase
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
    #: The text is in none of the formats that are read.
    UNKNOWN = "unknown format"
    #: The game cannot be written in the format that is wanted.
    INEXPRESSIBLE = "inexpressible"


@enum.unique
class RecordPhrase(Phrase):
    """What is commonly wrong with the file of a game, for readers of other languages too."""

    EMPTY = "the text is empty and holds no game"
    UNKNOWN_FORMAT = "unknown format: the formats that are read are {formats}"
    NO_JSON = "this is not JSON: {reason}"
    NO_RECORD = "this is not such a record: {reason}"
    AT_PLY = "ply {ply}: {reason}"
    OPEN_COMMENT = "the comment that begins here has no closing brace"
    CARRIAGE_RETURN = "a carriage return inside a line: lines end with LF or CR LF"
    LONG_LINE = "the line is too long: more than {most} characters"
    LONG_GAME = "the game is too long: it has more than {most} plies"
    WON = "the game is over: player {player} has won"
    NO_MOVES = "the game is over: nobody can move"
    NOT_IN_GAME = "player {player} is not in the game any more"
    WRONG_TURN = "wrong turn: it is the turn of player {player}"
    ILLEGAL_STEP = "illegal pawn move: {reason}"
    ILLEGAL_WALL = "illegal wall: {reason}"
    WRONG_NUMBER = "wrong number {number}: {plies} plies were played before"
    TAB = "a tab: one blank separates the parts"
    LAST_BLANK = "a blank at the end of the line"
    BLANKS = "more than one blank"
    NOTHING_FOLLOWS = "nothing may follow: {text}"
    ENDS_EARLY = "the line ends too early: expected {expected}"
    LATE_EXTENSION = "extensions are announced before the first move"
    UNKNOWN_EXTENSION = "unknown extension {name}: expected players, size, walls, jumps or start"
    UNKNOWN_JUMPS = "unknown jump rule {text}: expected official or classroom"
    EXTENSION_RANGE = "extension {text}: expected {least} to {most}"
    EXTENSION_PLAYERS = "extension {text}: expected 2 or 4"
    NO_START = "the start {text} is not a position: {reason}"
    GIVEN_TWICE = "{key} was given in line {line} already"
    MANY_METADATA = "too many metadata: a game has at most {most} lines of them"
    OTHER_RESULT = "the list ends with {result}, but the metadata say {stated}"
    OTHER_OUTCOME = "{key} is {stated}, but on the board it is {shown}"


@define
class ReplayError(ValueError):
    """A recorded game that cannot be accepted, or not written in some format.

    Attributes:
        fault: the kind of mistake.
        sentence: what is wrong, for people.
        line: its line, from 1; 0 when it has no place in a text.
        column: its column, from 1; 0 likewise.
        reason: why the move is illegal; None for all other faults.
        form: the name of the format that was assumed; empty before one was chosen.
    """

    fault: Fault
    sentence: str
    line: int = 0
    column: int = 0
    reason: Reason | None = None
    form: str = ""

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.sentence}" if self.line else self.sentence
