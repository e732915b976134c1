"""What verdicts say: what players did wrong, how games ended, and why; see docs/verdicts.md."""

from __future__ import annotations

import enum
import errno

from quoridor_net.phrases import Phrase

#: What moves while the engine of this project cannot. The referee looks for it in what engines report.
STAND_INS = "known openings and the simple player"


@enum.unique
class VerdictPhrase(Phrase):
    """The sentences; what a player did has no subject, and nothing but whole sentences has a full stop."""

    # How games end.

    SEAT = "{name} ({seat})"
    PLAYER = "player {player}"
    GOAL = "{winner} wins: it reached its goal line."
    FAULT = "{winner} wins: {loser} {did}."
    BLOCKED = "{winner} wins: {loser} has no move."
    LAST_PLAYER = "{winner} wins: all other players are out."
    NO_MOVES = "Drawn: nobody has a legal move."
    PLY_LIMIT = "Drawn: no decision within {count} plies.", "Drawn: no decision within {count} ply."
    ABORTED = "The game was aborted."
    PUT_OFF = "The game is put off: {absences}."
    VOID = "The game does not count: {reason}."
    NOBODY_WINS = "Nobody wins: {absences}."
    ABSENCE = "{name} {did}"
    ABSENCES = "{first}; {others}"
    RECORDED_WIN = "{winner} wins ({termination})."
    RECORDED_DRAW = "The game is drawn ({termination})."
    # How they end for who learns of them by messages alone.
    BROKEN_OFF = "The game ended without a winner: it was broken off, or drawn."

    # What a player did.

    ILLEGAL_MOVE = "played {move}, which is illegal: {reason}"
    NO_ANSWER = "did not answer within {seconds} s"
    OUT_OF_TIME = "used up its {seconds} s for the game"
    RESIGNED = "resigned"
    INPUT_ENDED = "resigned: there is no more input"
    LEFT = "left the tournament"
    SERVER_ENDS = "this server ends and closes the connection"
    TOOK_TOO_LONG = "took too long"
    MOVE_REFUSED = "made a move that was refused"
    PUT_OUT = "was put out of the game"
    NO_SEAT = "has no seat left in the browser"

    # What a connection did.

    LOST = "lost the connection"
    STOPPED_READING = "stopped reading what it is sent"
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
    CAUSE_NAMES = (
        "names that are not of the form xyz:name, with exactly three characters before the colon"
        " (here: {names})"
    )
    CAUSE_FOUR = "a program that plays with two only"
    CAUSE_SECOND_LINE = "a second line that it did not expect so soon (a larger --gap may help)"

    # What was said.

    UNREADABLE = "sent an unreadable line: {reason}"
    UNEXPECTED = "sent a line when nothing was expected from it"
    NOT_ITS_NAME = "sent a line when its name (IAM) was expected"
    NOT_ITS_MOVE = "sent a line when its move (TESUJI) was expected"
    SENT_LONG_LINE = "sent a line of more than {limit} bytes"
    WROTE_LONG_LINE = "wrote a line of more than {limit} bytes"
    BLANK_LINES = "sent more than {most} blank lines"
    EMPTY_LINES = "sent more than {most} lines without meaning"
    FLOOD = "wrote more than {most} MiB at once"
    UNKNOWN_MESSAGE = "unknown message"
    NOTHING_MAY_FOLLOW = "nothing may follow {keyword}"
    ONE_NAME = "IAM needs exactly one name without blanks, not {count} words"
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
    UNKNOWN_HOST = "no machine of that name is known here"
    OTHER_NETWORK = "its address {address} is not in {networks} (--allow)"
    UNKNOWN_ADDRESS = "its address is not in {networks} (--allow)"
    NO_HELLO = "did not answer HELLO within {seconds} s"
    NO_NAME = "{did} instead of giving its name"
    WITH_LINE = "{did}: {line}"
    ONE_GAME = (
        "A server may still be starting, and many programs of the 2016 class end after one game and have"
        " to be started again."
    )
    NOT_STARTED = "cannot be started: {reason}"

    # What programs do.

    CLOSED_OUTPUT = "closed its output {when}"
    ENDED = "{status} {when}"
    ENDED_BY_JAVA = (
        "{status} {when} (a Java virtual machine reserves more memory than it uses: try --memory-limit 0)"
    )
    ON_COMMAND = "on {command}"
    UNASKED = "when nothing was asked of it"
    EXIT_STATUS = "ended with exit status {status}"
    KILLED = "was killed by {signal}"
    OUT_OF_MEMORY = "ran out of its {most} MiB of memory and {status}"
    OUT_OF_CPU_TIME = "used up its {seconds} s of processor time and {status}"
    CANNOT_RUN = "could not be run and {status}"
    IN_USED_PROCESS = "{did} in a process that was not new"
    NO_ANSWER_TO = "did not answer {command} within {seconds} s"
    NO_CONTENT = "answered {command} with nothing"
    NO_CONNECTION = "cannot be connected to: {reason}"
    REFUSED = "refused {command}"
    NOT_UNDERSTOOD = "did not understand {command}"
    REFUSED_MOVE = "refused a legal move: {command}"
    MOVE_NOT_UNDERSTOOD = "did not understand a legal move: {command}"
    NO_MOVE = "failed to give a move"
    ANSWERED_NO_MOVE = "answered with no move: {reason}"
    TWO_PLAYERS_ONLY = "cannot play this game: it has {players} players, and the Athens protocol knows two"
    UNKNOWN_START = "cannot be told this start in the Athens protocol"


_SYSTEM = {
    errno.ECONNREFUSED: VerdictPhrase.REFUSED_CONNECTION,
    errno.EHOSTUNREACH: VerdictPhrase.NO_ROUTE,
    errno.ENETUNREACH: VerdictPhrase.NO_NETWORK,
    errno.ETIMEDOUT: VerdictPhrase.TIMED_OUT,
    errno.ECONNRESET: VerdictPhrase.RESET,
}


def reason_of(error: OSError) -> str:
    """Return what the system says, without what it says it of; the commonest errors can be translated."""
    phrase = None if error.errno is None else _SYSTEM.get(error.errno)
    return (error.strerror or str(error)) if phrase is None else phrase()
