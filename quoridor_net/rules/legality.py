"""Finds the reason for which a step or a wall is illegal."""

from __future__ import annotations

from collections.abc import Sequence

from quoridor_net.moves import Jumps, Orientation, Square, Wall
from quoridor_net.rules.board import Board
from quoridor_net.rules.jumps import targets
from quoridor_net.rules.reasons import Illegality, Reason
from quoridor_net.rules.walls import WallSet


def why_square_is_off(board: Board, square: Square) -> Reason | None:
    """Return the reason if ``board`` does not have ``square``."""
    if board.number(square) >= 0:
        return None
    last = board.size - 1
    return Reason(Illegality.OFF_BOARD, (square, Square(0, 0), Square(last, last)))


def why_wall_does_not_fit(walls: WallSet, wall: Wall) -> Reason | None:
    """Return why ``wall`` does not fit among ``walls``; None when it does. Paths are not looked at."""
    board = walls.board
    anchor = board.anchor_number(wall)
    if anchor < 0:
        last = board.size - 2
        ends = (Wall(0, 0, Orientation.HORIZONTAL), Wall(last, last, Orientation.VERTICAL))
        return Reason(Illegality.OFF_BOARD, walls=(wall, *ends))
    is_vertical = wall.orientation is Orientation.VERTICAL
    if walls.fitting[is_vertical] >> anchor & 1:
        return None
    across = Wall(wall.column, wall.row, Orientation.HORIZONTAL if is_vertical else Orientation.VERTICAL)
    if walls.has(across):
        return Reason(Illegality.CROSS, walls=(wall, across))
    for offset in (0, -1, 1):
        column, row = (wall.column, wall.row + offset) if is_vertical else (wall.column + offset, wall.row)
        beside = Wall(column, row, wall.orientation)
        if walls.has(beside):
            return Reason(Illegality.OVERLAP, walls=(wall, beside))
    raise AssertionError("a wall that does not fit overlaps or crosses another")


def why_no_step(walls: WallSet, pawns: Sequence[int], player: int, square: Square, jumps: Jumps) -> Reason:
    """Return why the pawn of ``player``, whose turn it is, may not step to ``square``.

    ``pawns`` are the numbers of the players' squares, by player number; negative for a player that is out.
    """
    board = walls.board
    off_board = why_square_is_off(board, square)
    if off_board is not None:
        return off_board
    number = board.number(square)
    if number in pawns:
        other = pawns.index(number)
        kind = Illegality.SAME_SQUARE if other == player else Illegality.OCCUPIED
        return Reason(kind, (square,), player=other)
    here = board.square_of[pawns[player]]
    occupied = sum(1 << pawn for pawn in pawns if pawn >= 0)
    if jumps is Jumps.OFFICIAL and targets(walls, pawns[player], occupied, Jumps.CLASSROOM) >> number & 1:
        return Reason(Illegality.ONLY_CLASSROOM, (here, square))
    if abs(square.column - here.column) + abs(square.row - here.row) == 1:
        return Reason(Illegality.WALL_IN_THE_WAY, (here, square), (_wall_between(walls, here, square),))
    return Reason(Illegality.NOT_REACHABLE, (here, square))


def _wall_between(walls: WallSet, here: Square, there: Square) -> Wall:
    first = min(here, there)
    if here.column == there.column:
        beside = Wall(first.column - 1, first.row, Orientation.HORIZONTAL)
    else:
        beside = Wall(first.column, first.row - 1, Orientation.VERTICAL)
    return beside if walls.has(beside) else Wall(first.column, first.row, beside.orientation)
