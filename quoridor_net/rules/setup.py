"""Checks what a position is set up from; numbers and bit sets come out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quoridor_net.moves import Orientation, Square, Wall, require
from quoridor_net.rules.board import Board
from quoridor_net.rules.legality import why_square_is_off, why_wall_does_not_fit
from quoridor_net.rules.reasons import Illegality, IllegalPositionError, Reason
from quoridor_net.rules.walls import WallSet


def pawns_placed(board: Board, pawns: Sequence[Square | None]) -> list[int]:
    """Return the numbers of the squares of ``pawns``, by player number; -1 for players not in the game."""
    numbers = [-1] * 5
    for player, pawn in enumerate(pawns, 1):
        if pawn is None:
            continue
        require(f"the pawn of player {player}", Square, pawn)
        reason = why_square_is_off(board, pawn)
        number = board.number(pawn)
        if number in numbers and reason is None:
            reason = Reason(Illegality.SHARED_SQUARE, (pawn,))
        if reason is not None:
            raise IllegalPositionError(reason)
        numbers[player] = number
    in_the_game = [number for number in numbers if number >= 0]
    if not in_the_game:
        raise ValueError("at least one player must still be in the game")
    if sum(goal >> number & 1 for goal, number in zip(board.goals, numbers, strict=True) if number >= 0) > 1:
        raise ValueError("only one player can have reached its goal")
    return numbers


def walls_counted(pawns: Sequence[int], walls_left: Sequence[int], players: int) -> list[int]:
    """Return ``walls_left`` by player number, where ``pawns`` are the squares, likewise."""
    if len(walls_left) != players:
        raise ValueError(f"{players} pawns but {len(walls_left)} numbers of walls left")
    counts = [0] * 5
    for player, left in enumerate(walls_left, 1):
        require(f"what player {player} has left of walls", int, left)
        if left < 0:
            raise ValueError(f"player {player} cannot have {left} walls left")
        if left and pawns[player] < 0:
            raise ValueError(f"player {player} is eliminated and cannot have walls left")
        counts[player] = left
    return counts


def walls_placed(board: Board, walls: Iterable[Wall]) -> WallSet:
    """Return the set of ``walls``."""
    placed = WallSet.empty(board)
    for wall in walls:
        require("a wall", Wall, wall)
        reason = why_wall_does_not_fit(placed, wall)
        if reason is not None:
            raise IllegalPositionError(reason)
        placed = placed.with_wall(board.anchor_number(wall), wall.orientation is Orientation.VERTICAL)
    return placed
