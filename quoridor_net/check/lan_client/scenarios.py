"""The games that the checker's servers play with a display client."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from quoridor_net.moves import Move
from quoridor_net.notation.lan import parse_move
from quoridor_net.protocols.lan.messages import Tesuji, encode

#: How a line is put on the wire: as one piece or several.
Framing = Callable[[bytes], tuple[bytes, ...]]


def whole(data: bytes) -> tuple[bytes, ...]:
    """Send every line in one piece."""
    return (data,)


def in_two(data: bytes) -> tuple[bytes, ...]:
    """Send every line in two pieces."""
    half = len(data) // 2
    return data[:half], data[half:]


def with_cr(data: bytes) -> tuple[bytes, ...]:
    """End every line with CR LF."""
    return (data.replace(b"\n", b"\r\n"),)


@frozen
class Answer:
    """What a server answers to MYOUSHU.

    Attributes:
        data: the line; empty to close the connection.
        move: the move in it; None if there is none.
    """

    data: bytes
    move: Move | None


@frozen
class Scenario:
    """One game.

    Attributes:
        name: without blanks.
        title: for people.
        answers: of whoever is asked, in the order of play. Illegal ones put the player out.
        names: of the servers; as many as play.
        framing: how the servers' lines are put on the wire.
        code: of any fault in this game; empty if faults speak for themselves.
    """

    name: str
    title: str
    answers: tuple[Answer, ...]
    names: tuple[str, ...] = ("srv:one", "srv:two")
    framing: Framing = whole
    code: str = ""


def _moves(text: str) -> tuple[Answer, ...]:
    """Return the answers in ``text``, separated by semicolons."""
    moves = [parse_move(word) for word in text.split(";")]
    return tuple(Answer(encode(Tesuji(move)), move) for move in moves)


_FOUR = ("srv:one", "srv:two", "srv:three", "srv:four")

#: A game to the end, with walls, jumps straight on and one to the side.
_WHOLE = _moves(
    "(4, 1); (4, 7); (4, 2); (4, 6); (4, 3); [(0, 0), v]; (4, 4); (4, 5); [(4, 5), h]; [(7, 0), v]; (3, 5);"
    " (2, 5); (3, 6); (2, 4); (3, 7); [(7, 7), h]; (3, 8)"
)
#: Through a wall, two squares at once, off the board.
_STEPS = _moves("(4, 1); (7, 4); (4, 7); [(3, 1), h]; (4, 2); (5, 4); [(0, 0), v]; (1, 4); (4, 9)")
#: Across a wall, over a wall, and a wall that shuts player 3 in.
_WALLS = _moves(
    "[(3, 3), h]; [(3, 3), v]; [(4, 3), h]; [(7, 0), v]; [(0, 3), h]; [(7, 2), v]; [(0, 4), h]; [(7, 4), v];"
    " [(1, 4), v]"
)
#: Player 4 is put out, then player 1, and player 2 steps to where player 1 stood.
_GONE = _moves(
    "(4, 1); (7, 4); (4, 7); [(0, 0), h]; (4, 2); (0, 0); (4, 6); [(2, 0), h]; (4, 3); (4, 5); [(6, 0), h];"
    " (4, 4); [(0, 7), h]; [(7, 1), v]; (0, 0); (4, 4); (0, 0)"
)
#: Onto a pawn.
_PAWNS = _moves("(4, 1); (4, 7); (4, 2); (4, 6); (4, 3); (4, 5); (4, 4); [(0, 0), v]; (4, 5)")
_SHORT = _moves("(4, 1); (4, 7); [(3, 1), h]; [(5, 6), v]; (4, 3)")

SCENARIOS = (
    Scenario("game", "a game of two to its end, with walls and jumps", _WHOLE),
    Scenario("steps", "a game of four with three illegal steps", _STEPS, _FOUR),
    Scenario("walls", "a game of four with three illegal walls", _WALLS, _FOUR),
    Scenario("pawns", "a step onto another pawn", _PAWNS),
    Scenario("gone", "a step to where a player was who is out", _GONE, _FOUR, code="LAN-245"),
    Scenario("split", "lines in two packets", _SHORT, framing=in_two, code="LAN-262"),
    Scenario("cr-lf", "lines that end with CR LF", _SHORT, framing=with_cr, code="LAN-261"),
    Scenario("names", "other names, the same twice", _SHORT, ("bob", "bob"), code="LAN-263"),
    Scenario("unreadable", "an answer that is no move", (Answer(b"TESUJI banana\n", None),), code="LAN-246"),
    Scenario("leaves", "a server that goes away", (Answer(b"", None),), code="LAN-247"),
)
