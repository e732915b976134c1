"""Readings of lists of moves: the start of the first player to move, and the anchor of walls.

Programs agree on letters for files and numbers from 1 for ranks. They differ in the end of the board from
which they count ranks, and in the anchor of a wall, one of the four squares around its middle.
"""

from __future__ import annotations

from attrs import frozen

from quoridor_net.moves import Move, Square, Wall
from quoridor_net.notation import Notation
from quoridor_net.notation.standard import STANDARD
from quoridor_net.rules.symmetry import reflect


@frozen
class Reading:
    """One possible meaning of the moves of a list.

    Attributes:
        flips: whether the first player to move starts in the highest row.
        columns: 1 if the anchor of a wall is in the higher column around its middle, 0 for the lower.
        rows: the same for the row.
    """

    flips: bool = False
    columns: int = 0
    rows: int = 0

    def move(self, written: Move, size: int) -> Move:
        """Return the meaning of a move that was parsed in the usual reading, on a board of ``size``."""
        move = written
        if isinstance(move, Wall):
            move = Wall(move.column - self.columns, move.row - self.rows, move.orientation)
        return reflect(move, size, rows=True) if self.flips else move

    def notation(self, size: int, usual: Notation = STANDARD) -> Notation:
        """Return the notation of such a list, in which squares are written as in ``usual``."""

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
        """Return the differences from the usual reading; empty if there are none."""
        differences = []
        if self.flips:
            differences.append("the first player starts in the highest row")
        if self.columns or self.rows:
            column, row = (("lower", "higher")[number] for number in (self.columns, self.rows))
            differences.append(
                f"the anchor of a wall is the {column} column and the {row} row around its middle"
            )
        return "; ".join(differences)


#: The readings in the order in which they are tried, the usual one first.
READINGS = (Reading(), Reading(rows=1), Reading(columns=1, rows=1), Reading(columns=1))
