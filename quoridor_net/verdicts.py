"""Sentences of verdicts: faults of players, and how and why games ended; see docs/verdicts.md."""

from __future__ import annotations

import enum
import errno

from quoridor_net.phrases import Phrase

#: What moves until this project's engine is compiled. The referee looks for these words in engine output.
STAND_INS = "known openings and the simple player"


@enum.unique
class VerdictPhrase(Phrase):
    """The sentences of verdicts.

    Clauses about a player omit the subject: "resigned". Only whole sentences end with a full stop.
    """

    # How games end.

    SEAT = "{name} ({seat})"
    PLAYER = "player {player}"
    GOAL = "{winner} wins: it reached its goal line."
    FAULT = "{winner} wins: {loser} {did}."
    LOSS = "{loser} {did} and loses."
    BLOCKED = "{winner} wins: {loser} has no move."
    LAST_PLAYER = "{winner} wins: all other players are out."
    NO_MOVES = "Drawn: nobody has a legal move."
    PLY_LIMIT = "Drawn: no decision within {count} plies.", "Drawn: no decision within {count} ply."
    REPETITION = "Drawn: the position occurred {times} times."
    AGREED = "Drawn by agreement: the position occurred {times} times."
    ABORTED = "The game was aborted."
    PUT_OFF = "The game is postponed: {absences}."
    VOID = "The game does not count: {reason}."
    NOBODY_WINS = "Nobody wins: {absences}."
    ABSENCE = "{name} {did}"
    ABSENCES = "{first}; {others}"
    RECORDED_WIN = "{winner} wins ({termination})."
    RECORDED_DRAW = "The game is drawn ({termination})."
    # For a player behind a move server: the protocol does not say which of the two happened.
    BROKEN_OFF = "The game ended without a winner: it was aborted or drawn."

    # Moves, time limits and players who leave.

    ILLEGAL_MOVE = "played {move}, which is illegal: {reason}"
    NO_ANSWER = "did not answer within {seconds} s"
    NO_FIRST_MOVE = "did not make its first move within {seconds} s"
    OUT_OF_TIME = "used up its clock of {clock} s"
    RESIGNED = "resigned"
    INPUT_ENDED = "resigned: end of input"
    LEFT = "left the tournament"
    DECIDED = "lost by a decision of the organiser"
    RESTS = "lost {faults} games in a row by its own faults, and rests for {seconds} s"
    SERVER_ENDS = "was shut down"
    TOOK_TOO_LONG = "took too long"
    MOVE_REFUSED = "made a move that was refused"
    PUT_OUT = "was eliminated for an unknown reason"
    NO_SEAT = "found no free seat in the browser"

    # Connections.

    LOST = "lost the connection"
    STOPPED_READING = "stopped reading from the connection"
    CLOSED = "closed the connection"
    CLOSED_IN_LINE = "closed the connection in the middle of a line"
    CLOSED_AT = "closed the connection {when}"
    LOST_WHEN = "{did} {when}"
    SILENT = "{seconds} s after its last message"
    SOON_AFTER = "{count} messages after {message}", "{count} message after {message}"
    RIGHT_AFTER = "right after {message}"
    WHILE_THINKING = "{did}, while player {player} was thinking"
    USUAL_CAUSE = "Usual cause: {cause}."
    USUAL_CAUSES = "Usual causes: {causes}, or {last}."
    CAUSE_NAMES = "names without exactly three characters before a colon, as in xyz:name (here: {names})"
    CAUSE_FOUR = "a program for two players only"
    CAUSE_SECOND_LINE = "a second line that came too soon (try a larger --gap)"

    # Messages.

    UNREADABLE = "sent an unreadable line: {reason}"
    UNEXPECTED = "sent a line when none was expected"
    NOT_ITS_NAME = "sent something else when its name (IAM) was expected"
    NOT_ITS_MOVE = "sent something else when its move (TESUJI) was expected"
    SENT_LONG_LINE = "sent a line of more than {limit} bytes"
    WROTE_LONG_LINE = "wrote a line of more than {limit} bytes"
    BLANK_LINES = "sent more than {most} blank lines"
    EMPTY_LINES = "sent more than {most} lines without meaning"
    FLOOD = "wrote more than {most} MiB at once"
    UNKNOWN_MESSAGE = "unknown message"
    NOTHING_MAY_FOLLOW = "nothing may follow {keyword}"
    ONE_NAME = "IAM needs exactly one name without spaces, not {count} words"
    LONG_NAME = "a name has at most {most} bytes"
    NAMES = "GAME needs 2 or 4 names, not {number}"
    NO_SUCH_PLAYER = "there is no player {player} in a game of {players}"
    PLAYER_NUMBER = "expected a player number from 1 to 4"
    EXPECTED_VERTEX = "expected a vertex, or a vertex and an orientation"
    NO_STANDARD_MOVE = "{text} is not a move: expected a square like e2 or a wall like e3h"
    NO_SUCH_SQUARE = "{text} is off the board: squares go from a1 to {last}"
    NOT_A_VERTEX = "{text} is not a vertex: expected a letter and a number, like E3"
    NO_SUCH_VERTEX = "{text} is off the board: vertices go from A1 to {last}"
    NOT_A_MOVE = "{text} is not a move: expected (column, row) or [(column, row), h|v]"

    # Before the game.

    UNREACHABLE = "cannot be reached: {reason}"
    REFUSED_CONNECTION = "Connection refused"
    NO_ROUTE = "No route to host"
    NO_NETWORK = "Network is unreachable"
    RESET = "Connection reset by peer"
    NOT_CONNECTED = "no connection within {seconds} s"
    TIMED_OUT = "Connection timed out"
    UNKNOWN_HOST = "unknown host name"
    OTHER_NETWORK = "its address {address} is not in {networks} (--allow)"
    UNKNOWN_ADDRESS = "its address is not in {networks} (--allow)"
    NO_HELLO = "did not answer HELLO within {seconds} s"
    NO_NAME = "did not give its name: it {did}"
    WITH_LINE = "{did}; the answer was '{line}'"
    ONE_GAME = (
        "A server may still be starting. Many programs of the 2016 class exit after one game:"
        " start them again."
    )
    NOT_STARTED = "cannot be started: {reason}"

    # Programs.

    CLOSED_OUTPUT = "closed its output {when}"
    ENDED = "{status} {when}"
    ENDED_BY_JAVA = (
        "{status} {when} (a Java virtual machine reserves more memory than it uses: try --memory-limit 0)"
    )
    ON_COMMAND = "on {command}"
    STARTED_WITH = "{when}, started with {arguments}"
    UNASKED = "while no command was pending"
    UNANSWERED = "before its first answer"
    EXIT_STATUS = "ended with exit status {status}"
    KILLED = "was killed by {signal}"
    OUT_OF_MEMORY = "ran out of its {most} MiB of memory and {status}"
    OUT_OF_CPU_TIME = "used up its {seconds} s of processor time and {status}"
    CANNOT_RUN = "could not be run and {status}"
    IN_USED_PROCESS = "{did} in a process that had already played a game"
    NO_ANSWER_TO = "did not answer {command} within {seconds} s"
    NO_CONTENT = "gave an empty answer to {command}"
    NO_CONNECTION = "accepts no connection: {reason}"
    REFUSED = "refused {command}"
    NOT_UNDERSTOOD = "did not understand {command}"
    REFUSED_MOVE = "refused a legal move: {command}"
    MOVE_NOT_UNDERSTOOD = "did not understand a legal move: {command}"
    NO_MOVE = "answered genmove with an error"
    ANSWERED_NO_MOVE = "did not answer with a move: {reason}"
    TWO_PLAYERS_ONLY = "cannot play this game: it has {players} players, and the Athens protocol supports two"
    UNKNOWN_START = "cannot start from this position: the Athens protocol cannot describe it"


_SYSTEM = {
    errno.ECONNREFUSED: VerdictPhrase.REFUSED_CONNECTION,
    errno.EHOSTUNREACH: VerdictPhrase.NO_ROUTE,
    errno.ENETUNREACH: VerdictPhrase.NO_NETWORK,
    errno.ETIMEDOUT: VerdictPhrase.TIMED_OUT,
    errno.ECONNRESET: VerdictPhrase.RESET,
}


def reason_of(error: OSError) -> str:
    """Return the system's message without file or host name; the most frequent errors can be translated."""
    phrase = None if error.errno is None else _SYSTEM.get(error.errno)
    return (error.strerror or str(error)) if phrase is None else phrase()
