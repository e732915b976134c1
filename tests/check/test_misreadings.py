"""The misreadings of moves that the checker of move servers recognises."""

from __future__ import annotations

from quoridor_net.check.lan_server.views import MISREADINGS
from quoridor_net.rules import Move, Orientation, Square, Step, Wall

_WALL = Wall(2, 1, Orientation.HORIZONTAL)
_STEP = Step(Square(4, 1))


def _readings(code: str, move: Move) -> set[str]:
    """Return how servers with the misreadings of a code read a move of another player."""
    return {str(kind.others(move)) for kind in MISREADINGS if kind.code == code}


def test_walls_are_misread_as_the_checker_says() -> None:
    # Rows from the bottom, with the anchor above or below the wall's middle.
    assert _readings("LAN-143", _WALL) == {"[(2, 6), h]", "[(2, 7), h]"}
    assert _readings("LAN-141", _WALL) == {"[(1, 2), h]", "[(1, 2), v]"}
    assert _readings("LAN-142", _WALL) == {"[(1, 0), h]"}
    assert _readings("LAN-144", _WALL) == {"[(2, 0), h]", "[(2, 1), h]"}
    assert _readings("LAN-145", _WALL) == {"[(1, 1), h]", "[(2, 1), h]"}
    assert _readings("LAN-146", _WALL) == {"[(2, 1), v]"}
    assert _readings("LAN-149", _WALL) == {"[(3, 1), h]", "[(2, 2), h]", "[(3, 2), h]", "[(5, 1), h]"}
    assert _readings("LAN-154", _WALL) == {"[(1, 2), h]", "[(2, 6), h]", "[(1, 0), h]", "[(2, 1), h]"}


def test_squares_are_misread_as_the_checker_says() -> None:
    assert _readings("LAN-151", _STEP) == {"(1, 4)", "(4, 7)"}
    assert _readings("LAN-154", _STEP) == {"(1, 4)", "(4, 7)", "(3, 0)"}
    assert _readings("LAN-143", _STEP) == {"(4, 1)"}


def test_own_walls_are_misread_like_those_of_others_or_not_at_all() -> None:
    read = {str(kind.own(_WALL)) for kind in MISREADINGS if kind.code == "LAN-143"}
    assert read == {"[(2, 1), h]", "[(2, 6), h]", "[(2, 7), h]"}
