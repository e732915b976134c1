"""Draws a board in ASCII for ``showboard``, the way the course of the Athens protocol drew it."""

from __future__ import annotations

from quoridor_net.notation.athens import LETTERS
from quoridor_net.rules import Orientation, Position, Wall

_PAWNS = {1: "B", 2: "W"}
_NAMES = {1: "Black", 2: "White"}


def draw_board(position: Position) -> list[str]:
    """Return the lines of a drawing of ``position``; none of them is empty.

    The coordinates are those of section 1.11: letters from left to right, numbers from bottom to top.
    Horizontal walls are drawn ``===``, vertical ones ``H``, pawns ``B`` and ``W``; the walls left stand
    beside the top rows.
    """
    size = position.size
    letters = "     " + "   ".join(LETTERS[:size])
    lines = [letters, _border(position, -1)]
    for row in range(size):
        number = size - row
        aside = _aside(position, row)
        lines.append(f"{number:2} {_squares(position, row)} {number:<2}{aside}".rstrip())
        lines.append(_border(position, row))
    lines.append(letters)
    return lines


def _aside(position: Position, row: int) -> str:
    player = row + 1
    if player not in _NAMES:
        return ""
    return f"  {_NAMES[player]} walls: {position.walls_left(player)}"


def _has(position: Position, column: int, row: int, orientation: Orientation) -> bool:
    board = position.wall_set.board
    anchor = board.anchor_number(Wall(column, row, orientation))
    walls = position.wall_set
    placed = walls.vertical if orientation is Orientation.VERTICAL else walls.horizontal
    return anchor >= 0 and placed >> anchor & 1 == 1


def _squares(position: Position, row: int) -> str:
    standing = {position.pawn(player): letter for player, letter in _PAWNS.items()}
    on_row = {square.column: letter for square, letter in standing.items() if square and square.row == row}
    drawn = ["|"]
    for column in range(position.size):
        drawn.append(f" {on_row.get(column, ' ')} ")
        vertical = Orientation.VERTICAL
        closed = _has(position, column, row, vertical) or _has(position, column, row - 1, vertical)
        drawn.append("H" if closed else "|")
    return "".join(drawn)


def _border(position: Position, row: int) -> str:
    """Return the line below ``row``; row -1 gives the upper edge."""
    drawn = ["   +"]
    horizontal = Orientation.HORIZONTAL
    for column in range(position.size):
        here = _has(position, column, row, horizontal)
        drawn.append("===" if here or _has(position, column - 1, row, horizontal) else "---")
        if here:
            drawn.append("=")
        else:
            drawn.append("H" if _has(position, column, row, Orientation.VERTICAL) else "+")
    return "".join(drawn)
