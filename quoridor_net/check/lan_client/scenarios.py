"""The games that the checker's servers play with a display client."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from quoridor_net.moves import Move
from quoridor_net.notation.lan import parse_move
from quoridor_net.protocols.lan.messages import Tesuji, encode

#: Splits the bytes of a line into the pieces to send.
Framing = Callable[[bytes], tuple[bytes, ...]]


def whole(data: bytes) -> tuple[bytes, ...]:
    """Send every line in one piece."""
    return (data,)


def split(data: bytes) -> tuple[bytes, ...]:
    """Send every line in two pieces."""
    half = len(data) // 2
    return data[:half], data[half:]


def add_cr(data: bytes) -> tuple[bytes, ...]:
    """End every line with CR LF."""
    return (data.replace(b"\n", b"\r\n"),)


@frozen
class ScriptedAnswer:
    """A server's answer to MYOUSHU.

    Attributes:
        data: the line to send; empty to close the connection.
        move: the move in it; None if it contains none.
    """

    data: bytes
    move: Move | None


@frozen
class Scenario:
    """One game.

    Attributes:
        name: identifier without spaces.
        title: description for users.
        answers: the servers' answers, in the order of play; an illegal one eliminates its player.
        names: names of the servers, one per player.
        framing: splits or changes the bytes of the servers' lines.
        code: code to report for any fault in this game; empty to report faults under their own codes.
        control: an ordinary game; a client with a fault in it has that fault and not this ``code``.
        is_first: whether it belongs to the fast first pass.
    """

    name: str
    title: str
    answers: tuple[ScriptedAnswer, ...]
    names: tuple[str, ...] = ("srv:one", "srv:two")
    framing: Framing = whole
    code: str = ""
    control: Scenario | None = None
    is_first: bool = False


def _moves(text: str) -> tuple[ScriptedAnswer, ...]:
    """Return the answers in ``text``, separated by semicolons."""
    moves = [parse_move(word) for word in text.split(";")]
    return tuple(ScriptedAnswer(encode(Tesuji(move)), move) for move in moves)


_FOUR = ("srv:one", "srv:two", "srv:three", "srv:four")

#: A whole game with walls, straight jumps and a sideways jump.
_WHOLE = _moves(
    "(4, 1); (4, 7); (4, 2); (4, 6); (4, 3); [(0, 0), v]; (4, 4); (4, 5); [(4, 5), h]; [(7, 0), v]; (3, 5);"
    " (2, 5); (3, 6); (2, 4); (3, 7); [(7, 7), h]; (3, 8)"
)
#: Steps through a wall, by two squares and off the board.
_STEPS = _moves("(4, 1); (7, 4); (4, 7); [(3, 1), h]; (4, 2); (5, 4); [(0, 0), v]; (1, 4); (4, 9)")
#: A wall that crosses another, one that overlaps another, and one that shuts player 3 in.
_WALLS = _moves(
    "[(3, 3), h]; [(3, 3), v]; [(4, 3), h]; [(7, 0), v]; [(0, 3), h]; [(7, 2), v]; [(0, 4), h]; [(7, 4), v];"
    " [(1, 4), v]"
)
#: Player 4 is eliminated, then player 1, and player 2 steps to where player 1 stood.
_GONE = _moves(
    "(4, 1); (7, 4); (4, 7); [(0, 0), h]; (4, 2); (0, 0); (4, 6); [(2, 0), h]; (4, 3); (4, 5); [(6, 0), h];"
    " (4, 4); [(0, 7), h]; [(7, 1), v]; (0, 0); (4, 4); (0, 0)"
)
#: A step onto a pawn.
_PAWNS = _moves("(4, 1); (4, 7); (4, 2); (4, 6); (4, 3); (4, 5); (4, 4); [(0, 0), v]; (4, 5)")
#: A wall below the last row, a step to the pawn's own square, and the same wall twice.
_ODD = _moves("[(4, 8), h]; (8, 4); [(0, 0), h]; [(0, 0), h]")
#: Player 3 shuts itself in, and player 4 places six walls.
_LIMITS = _moves(
    "(4, 9); [(5, 1), h]; (3, 8); [(0, 3), h]; [(5, 2), h]; (4, 8); [(0, 4), h]; [(5, 3), h]; (3, 8);"
    " [(1, 4), v]; [(5, 4), h]; (4, 8); [(5, 5), h]; (3, 8); [(5, 6), h]"
)
#: Player 2 leaves the goal line of 1 and wins, while 1 stays on the goal line of 2 and places nine walls.
_SECOND = _moves(
    "[(5, 1), h]; (3, 8); [(7, 1), h]; (3, 7); [(5, 2), h]; (3, 6); [(7, 2), h]; (3, 5); [(5, 3), h]; (3, 4);"
    " [(7, 3), h]; (3, 3); [(5, 4), h]; (3, 2); [(7, 4), h]; (3, 1); [(5, 5), h]; (3, 0)"
)
#: Players 1 and 2 are eliminated, and player 3 walks along two goal lines to its own.
_THIRD = _moves(
    "(4, 1); (8, 3); (4, 7); (0, 3); (4, 9); (8, 4); (4, 9); (0, 2); (8, 3); (0, 1); (8, 4); (0, 0);"
    " (8, 3); (1, 0); (8, 4); (2, 0); (8, 3); (3, 0); (8, 4); (4, 0); (8, 3); (5, 0); (8, 4); (6, 0);"
    " (8, 3); (7, 0); (8, 4); (8, 0)"
)
#: The same with player 4.
_FOURTH = _moves(
    "(4, 1); (8, 5); (4, 7); (0, 5); (4, 9); (8, 6); (4, 9); (0, 4); (8, 7); (0, 5); (8, 8); (0, 4);"
    " (7, 8); (0, 5); (6, 8); (0, 4); (5, 8); (0, 5); (4, 8); (0, 4); (3, 8); (0, 5); (2, 8); (0, 4);"
    " (1, 8); (0, 5); (0, 8)"
)
_SHORT = _moves("(4, 1); (4, 7); [(3, 1), h]; [(5, 6), v]; (4, 3)")

#: Player 1 places ten walls, and an eleventh.
_ELEVEN = _moves(
    "[(0, 0), h]; (3, 8); [(0, 1), h]; (4, 8); [(0, 2), h]; (3, 8); [(0, 3), h]; (4, 8); [(0, 4), h];"
    " (3, 8); [(0, 5), h]; (4, 8); [(0, 6), h]; (3, 8); [(0, 7), h]; (4, 8); [(2, 1), h]; (3, 8);"
    " [(2, 3), h]; (4, 8); [(2, 5), h]"
)
#: The pawn of player 2 stands in the only way out of a dead end with the pawn of player 1 while walls follow.
_OBSTACLE = _moves(
    "[(3, 0), v]; (4, 7); [(4, 0), v]; (4, 6); [(0, 0), h]; (4, 5); [(0, 2), h]; (4, 4); [(0, 4), h]; (4, 3);"
    " [(7, 2), h]; (4, 2); [(7, 4), h]; [(0, 6), h]; (4, 1); (0, 0)"
)
_DIAGONAL = _moves("(4, 1); (4, 7); (5, 2)")
_ILLEGAL = _moves("(4, 5)")

_STEPS_OF_FOUR = Scenario("steps", "a game of four with three illegal steps", _STEPS, _FOUR, is_first=True)
_USUAL = Scenario("usual", "a short game", _SHORT)
_ILLEGAL_MOVE = Scenario("illegal", "an illegal move", _ILLEGAL)

SCENARIOS = (
    Scenario("game", "a whole game of two, with walls and jumps", _WHOLE, is_first=True),
    _STEPS_OF_FOUR,
    Scenario("walls", "a game of four with three illegal walls", _WALLS, _FOUR),
    Scenario("pawns", "a step onto another pawn", _PAWNS),
    Scenario(
        "odd",
        "a game of four with a wall off the board, a step to the same square, and a wall twice",
        _ODD,
        _FOUR,
    ),
    Scenario(
        "limits",
        "a game of four with one wall too many, and one that shuts its own player in",
        _LIMITS,
        _FOUR,
    ),
    Scenario("eleven", "a game of two with one wall too many", _ELEVEN),
    Scenario("diagonal", "a diagonal step", _DIAGONAL),
    Scenario("obstacle", "walls while the only path leads past a pawn", _OBSTACLE),
    Scenario("second", "a game of two that player 2 wins", _SECOND),
    Scenario("third", "a game of four that player 3 wins", _THIRD, _FOUR),
    Scenario("fourth", "a game of four that player 4 wins", _FOURTH, _FOUR),
    Scenario(
        "gone",
        "a step to the square of an eliminated player",
        _GONE,
        _FOUR,
        code="LAN-245",
        control=_STEPS_OF_FOUR,
    ),
    Scenario("split", "lines split over two packets", _SHORT, framing=split, code="LAN-262", control=_USUAL),
    Scenario("cr-lf", "lines that end with CR LF", _SHORT, framing=add_cr, code="LAN-261", control=_USUAL),
    Scenario(
        "names", "two equal names of another form", _SHORT, ("bob", "bob"), code="LAN-263", control=_USUAL
    ),
    Scenario(
        "unreadable",
        "an answer that is not a move",
        (ScriptedAnswer(b"TESUJI banana\n", None),),
        code="LAN-246",
        control=_ILLEGAL_MOVE,
    ),
    Scenario(
        "leaves",
        "a server that disconnects",
        (ScriptedAnswer(b"", None),),
        code="LAN-247",
        control=_ILLEGAL_MOVE,
    ),
)
