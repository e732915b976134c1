"""Sentences that tell a person why a move is illegal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quoridor_net.moves import Jumps, Orientation, Square, Wall
from quoridor_net.rules.errors import Illegality, Objection
from quoridor_net.rules.jumps import targets
from quoridor_net.rules.walls import WallSet

if TYPE_CHECKING:
    from quoridor_net.rules.position import Position


def to_wall(walls: WallSet, wall: Wall) -> Objection | None:
    """Return why ``wall`` does not fit among ``walls``; None when it does. Paths are not looked at."""
    board = walls.board
    anchor = board.anchor_number(wall)
    if anchor < 0:
        last = board.size - 2
        return Objection(
            Illegality.OFF_BOARD, f"no wall can lie there: walls go from [(0, 0), h] to [({last}, {last}), v]"
        )
    is_vertical = wall.orientation is Orientation.VERTICAL
    if walls.fitting[is_vertical] >> anchor & 1:
        return None
    across = walls.horizontal if is_vertical else walls.vertical
    if across >> anchor & 1:
        other = Orientation.HORIZONTAL if is_vertical else Orientation.VERTICAL
        crossed = Wall(wall.column, wall.row, other)
        return Objection(Illegality.CROSS, f"it would cross the wall {crossed}")
    along = walls.vertical if is_vertical else walls.horizontal
    for offset in (0, -1, 1):
        column, row = (wall.column, wall.row + offset) if is_vertical else (wall.column + offset, wall.row)
        beside = Wall(column, row, wall.orientation)
        number = board.anchor_number(beside)
        if number >= 0 and along >> number & 1:
            return Objection(Illegality.OVERLAP, f"it would overlap the wall {beside}")
    raise AssertionError("a wall that does not fit overlaps or crosses another")


def to_step(position: Position, square: Square) -> Objection:
    """Return why the pawn of the player to move may not step to ``square``."""
    player = position.turn
    assert player is not None
    here = position.pawn(player)
    assert here is not None
    walls = position.wall_set
    number = walls.board.number(square)
    if number < 0:
        last = position.size - 1
        return Objection(
            Illegality.OFF_BOARD,
            f"{square} is off the board: squares go from (0, 0) to ({last}, {last})",
        )
    if square == here:
        return Objection(Illegality.SAME_SQUARE, f"player {player} already stands on {square}")
    for other in position.alive:
        if position.pawn(other) == square:
            return Objection(Illegality.OCCUPIED, f"player {other} stands on {square}")
    if position.jumps is Jumps.OFFICIAL and _classroom_allows(position, here, number):
        return Objection(
            Illegality.ONLY_CLASSROOM,
            f"the official rules allow no such jump from {here} to {square};"
            " the classroom jump rule (--jumps classroom) would",
        )
    if abs(square.column - here.column) + abs(square.row - here.row) == 1:
        return Objection(Illegality.WALL_IN_THE_WAY, f"a wall stands between {here} and {square}")
    return Objection(Illegality.NOT_REACHABLE, f"the pawn on {here} cannot get to {square} in one move")


def _classroom_allows(position: Position, here: Square, number: int) -> bool:
    walls = position.wall_set
    pawns = (position.pawn(player) for player in position.alive)
    occupied = sum(1 << walls.board.number(pawn) for pawn in pawns if pawn is not None)
    reachable = targets(walls, walls.board.number(here), occupied, Jumps.CLASSROOM)
    return reachable >> number & 1 == 1
