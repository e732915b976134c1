"""Reasons why a step, a wall or a set-up position is illegal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quoridor_net.moves import Jumps, Orientation, Square, Wall, as_square, require
from quoridor_net.rules.board import Board
from quoridor_net.rules.jumps import targets
from quoridor_net.rules.reasons import Illegality, IllegalPositionError, Reason
from quoridor_net.rules.walls import WallSet


def why_square_is_off(board: Board, square: Square) -> Reason | None:
    """Return the reason if ``board`` does not have ``square``."""
    if board.number(square) >= 0:
        return None
    last = board.size - 1
    return Reason(Illegality.OFF_BOARD, (square, Square(0, 0), Square(last, last)))


def why_wall_does_not_fit(walls: WallSet, wall: Wall) -> Reason | None:
    """Return why ``wall`` does not fit among ``walls``; None if it fits. Paths are not checked."""
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


def place_pawns(board: Board, pawns: Sequence[Square | tuple[int, int] | None]) -> list[int]:
    """Return the numbers of the squares of ``pawns``, by player number; -1 for players not in the game."""
    numbers = [-1] * 5
    for player, pawn in enumerate(pawns, 1):
        if pawn is None:
            continue
        square = as_square(f"the pawn of player {player}", pawn)
        reason = why_square_is_off(board, square)
        number = board.number(square)
        if number in numbers and reason is None:
            reason = Reason(Illegality.SHARED_SQUARE, (square,))
        if reason is not None:
            raise IllegalPositionError(reason)
        numbers[player] = number
    in_the_game = [number for number in numbers if number >= 0]
    if not in_the_game:
        raise ValueError("at least one player must still be in the game")
    if sum(goal >> number & 1 for goal, number in zip(board.goals, numbers, strict=True) if number >= 0) > 1:
        raise ValueError("only one player can have reached its goal")
    return numbers


def count_walls(pawns: Sequence[int], walls_left: Sequence[int], players: int) -> list[int]:
    """Return ``walls_left`` by player number, checked against ``pawns``, the squares by player number."""
    if len(walls_left) != players:
        raise ValueError(f"{players} pawns but {len(walls_left)} numbers of walls left")
    counts = [0] * 5
    for player, left in enumerate(walls_left, 1):
        require(f"the number of walls left of player {player}", int, left)
        if left < 0:
            raise ValueError(f"player {player} cannot have {left} walls left")
        if left and pawns[player] < 0:
            raise ValueError(f"player {player} is eliminated and cannot have walls left")
        counts[player] = left
    return counts


def place_walls(board: Board, walls: Iterable[Wall]) -> WallSet:
    """Return the set of ``walls``."""
    placed = WallSet.empty(board)
    for wall in walls:
        require("a wall", Wall, wall)
        reason = why_wall_does_not_fit(placed, wall)
        if reason is not None:
            raise IllegalPositionError(reason)
        placed = placed.with_wall(board.anchor_number(wall), wall.orientation is Orientation.VERTICAL)
    return placed


def _wall_between(walls: WallSet, here: Square, there: Square) -> Wall:
    first = min(here, there)
    if here.column == there.column:
        beside = Wall(first.column - 1, first.row, Orientation.HORIZONTAL)
    else:
        beside = Wall(first.column, first.row - 1, Orientation.VERTICAL)
    return beside if walls.has(beside) else Wall(first.column, first.row, beside.orientation)
