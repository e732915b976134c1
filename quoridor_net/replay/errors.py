"""Errors in recorded games, with their places."""

from __future__ import annotations

import enum

from attrs import define

from quoridor_net.phrases import Phrase
from quoridor_net.rules import Reason


class Fault(enum.StrEnum):
    """The kinds of errors in a recorded game."""

    #: The text does not follow the grammar.
    SYNTAX = "syntax error"
    #: The file uses an extension of the format, and the reader is strict.
    EXTENSION = "extension"
    #: A player moves out of turn.
    WRONG_TURN = "wrong turn"
    #: The rules forbid the move.
    ILLEGAL = "illegal move"
    #: A move follows the end of the game.
    GAME_OVER = "game over"
    #: The game has no end.
    UNFINISHED = "unfinished game"
    #: The result in the metadata differs from the one on the board.
    CONTRADICTION = "contradiction"
    #: The text contains several games, and none was chosen.
    SEVERAL = "several games"
    #: The text is in none of the known formats.
    UNKNOWN = "unknown format"
    #: The format cannot describe the game.
    INEXPRESSIBLE = "inexpressible"


@enum.unique
class RecordPhrase(Phrase):
    """The most frequent errors in files of games, as translatable sentences."""

    EMPTY = "the text is empty: it contains no game"
    UNKNOWN_FORMAT = "unknown format: expected one of {formats}"
    NO_JSON = "not valid JSON: {reason}"
    NO_RECORD = "not a valid record: {reason}"
    AT_PLY = "ply {ply}: {reason}"
    OPEN_COMMENT = "the comment that begins here has no closing brace"
    CARRIAGE_RETURN = "a carriage return inside a line: lines end with LF or CR LF"
    LONG_LINE = "the line is too long: more than {most} characters"
    LONG_GAME = "the game is too long: it has more than {most} plies"
    WON = "the game is over: player {player} has won"
    NO_MOVES = "the game is over: no player can move"
    NOT_IN_GAME = "player {player} is no longer in the game"
    WRONG_TURN = "wrong turn: it is the turn of player {player}"
    ILLEGAL_STEP = "illegal pawn move: {reason}"
    ILLEGAL_WALL = "illegal wall: {reason}"
    WRONG_NUMBER = (
        "wrong number {number}: {count} plies were played before",
        "wrong number {number}: {count} ply was played before",
    )
    TAB = "a tab: separate the parts by one space"
    LAST_BLANK = "a space at the end of the line"
    BLANKS = "more than one space"
    NOTHING_FOLLOWS = "nothing may follow: {text}"
    ENDS_EARLY = "the line ends too early: expected {expected}"
    LATE_EXTENSION = "extensions must come before the first move"
    UNKNOWN_EXTENSION = "unknown extension {text}: expected players, size, walls, jumps or start"
    UNKNOWN_JUMPS = "unknown jump rule {text}: expected official or classroom"
    EXTENSION_RANGE = "extension {text}: expected {least} to {most}"
    EXTENSION_PLAYERS = "extension {text}: expected 2 or 4"
    NO_START = "the start {text} is not a position: {reason}"
    GIVEN_TWICE = "{key} was already given in line {line}"
    MANY_METADATA = "too many metadata: at most {most} lines are allowed"
    OTHER_RESULT = "the list ends with {result}, but the metadata say {stated}"
    OTHER_OUTCOME = "{key} is {stated}, but on the board it is {shown}"


@define
class ReplayError(ValueError):
    """A recorded game that cannot be read, or cannot be written in some format.

    Attributes:
        fault: the kind of error.
        sentence: the error, for people.
        line: its line, from 1; 0 without a place in a text.
        column: its column, from 1; 0 without a place in a text.
        reason: why a move is illegal; None for all other faults.
        form: name of the assumed format; empty before one was chosen.
    """

    fault: Fault
    sentence: str
    line: int = 0
    column: int = 0
    reason: Reason | None = None
    form: str = ""

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.sentence}" if self.line else self.sentence
