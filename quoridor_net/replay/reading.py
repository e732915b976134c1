"""Readings of lists of moves: where the first mover starts, and which square names a wall.

Programs agree on the letters of files and on numbers from 1 for ranks, but not on the end of the board from
which ranks are counted, nor on the square that names a wall, one of the four around its middle.
"""

from __future__ import annotations

from attrs import frozen

from quoridor_net.moves import Move, Square, Wall
from quoridor_net.notation import Notation
from quoridor_net.notation.standard import STANDARD
from quoridor_net.rules.symmetry import reflect


@frozen
class Reading:
    """One way to understand the moves of a list.

    Attributes:
        flips: whether the first mover starts in the highest row.
        columns: 1 where a wall is named by the higher column around its middle, 0 by the lower.
        rows: the same for its row.
    """

    flips: bool = False
    columns: int = 0
    rows: int = 0

    def move(self, written: Move, size: int) -> Move:
        """Return the meaning of a move, parsed in the usual way, on a board of ``size``."""
        move = written
        if isinstance(move, Wall):
            move = Wall(move.column - self.columns, move.row - self.rows, move.orientation)
        return reflect(move, size, rows=True) if self.flips else move

    def notation(self, size: int, usual: Notation = STANDARD) -> Notation:
        """Return the notation of such a list, whose squares are written as in ``usual``."""

        def format_square(square: Square) -> str:
            return usual.format_square(reflect(square, size, rows=True) if self.flips else square)

        def format_move(move: Move) -> str:
            written = reflect(move, size, rows=True) if self.flips else move
            if isinstance(written, Wall):
                column, row = written.column + self.columns, written.row + self.rows
                written = Wall(column, row, written.orientation)
            return usual.format_move(written)

        return Notation(format_square, format_move)

    def __str__(self) -> str:
        """Return how this differs from the usual reading; empty where it does not."""
        differences = []
        if self.flips:
            differences.append("the first mover starts in the highest row")
        if self.columns or self.rows:
            column, row = (("lower", "higher")[number] for number in (self.columns, self.rows))
            differences.append(
                f"walls are named by the {column} column and the {row} row around their middle"
            )
        return "; ".join(differences)


#: The readings in the order of trial, the usual one first.
READINGS = (Reading(), Reading(rows=1), Reading(columns=1, rows=1), Reading(columns=1))
