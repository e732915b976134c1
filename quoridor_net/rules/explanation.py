"""Reasons in words, for people: squares and walls are written in the notation of the reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from quoridor_net.moves import MAX_SIZE, Square, Wall
from quoridor_net.notation.base import Notation
from quoridor_net.rules.reasons import Illegality, Reason

_Place = TypeVar("_Place", Square, Wall)

_TEXTS = {
    Illegality.GAME_OVER: "the game is over",
    Illegality.NO_LEGAL_MOVE: "player {player} has no legal move",
    Illegality.OFF_BOARD: "{squares[0]} is off the board: squares go from {squares[1]} to {squares[2]}",
    Illegality.SAME_SQUARE: "player {player} already stands on {squares[0]}",
    Illegality.OCCUPIED: "player {player} stands on {squares[0]}",
    Illegality.NOT_REACHABLE: "the pawn on {squares[0]} cannot get to {squares[1]} in one move",
    Illegality.WALL_IN_THE_WAY: "a wall stands between {squares[0]} and {squares[1]}",
    Illegality.ONLY_CLASSROOM: (
        "the official rules allow no such jump from {squares[0]} to {squares[1]};"
        " the classroom jump rule{option} would"
    ),
    Illegality.NO_WALLS_LEFT: "player {player} has no walls left",
    Illegality.OVERLAP: "it would overlap the wall {walls[1]}",
    Illegality.CROSS: "it would cross the wall {walls[1]}",
    Illegality.NO_PATH: "the wall would leave player {player} without a path to its goal",
    Illegality.SHARED_SQUARE: "two pawns cannot both stand on {squares[0]}",
}
_WALL_OFF_BOARD = "no wall can lie there: walls go from {walls[1]} to {walls[2]}"


def explain(reason: Reason, notation: Notation, *, names_option: bool = False) -> str:
    """Return why a move is illegal, as a sentence without a capital and a full stop.

    Args:
        reason: what :meth:`Position.why_illegal` returned.
        notation: how the reader writes squares and walls.
        names_option: whether the reader uses the commands, which choose the jump rule by ``--jumps``.
    """
    is_wall_off_board = reason.kind is Illegality.OFF_BOARD and reason.walls
    text = _WALL_OFF_BOARD if is_wall_off_board else _TEXTS[reason.kind]
    return text.format(
        squares=[_written(square, notation.format_square) for square in reason.squares],
        walls=[_written(wall, notation.format_move) for wall in reason.walls],
        player=reason.player,
        option=" (--jumps classroom)" if names_option else "",
    )


def _written(place: _Place, write: Callable[[_Place], str]) -> str:
    # Other notations than the one of 2016 have no names for what no board has.
    is_on_some_board = 0 <= place.column < MAX_SIZE and 0 <= place.row < MAX_SIZE
    return write(place) if is_on_some_board else str(place)
