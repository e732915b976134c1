"""Values of Clobber: colours, squares and moves.

In rules 1 and 2 of the 2006 tournament, columns are letters from a and rows are numbers from 1. Inside the
program both count from 0, so that a1 is ``ClobberSquare(0, 0)``. Every value is immutable, hashable and
ordered, and prints itself in that notation.
"""

from __future__ import annotations

import enum

from attrs import field, frozen

from quoridor_net.moves import of_kind

#: Columns are single letters, so a board has at most 26 of them.
MAX_SIZE = 26
STANDARD_SIZE = 10

COLUMN_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Colour(enum.IntEnum):
    """The two sides, by player number; black moves first (rule 3)."""

    BLACK = 1
    WHITE = 2

    @property
    def other(self) -> Colour:
        """The opponent's colour."""
        return Colour.WHITE if self is Colour.BLACK else Colour.BLACK

    def __str__(self) -> str:
        return self.name.lower()

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


@frozen(order=True, cache_hash=True)
class ClobberSquare:
    """A square of the board; column and row count from 0."""

    column: int = field(validator=of_kind(int))
    row: int = field(validator=of_kind(int))

    def __str__(self) -> str:
        return f"{COLUMN_LETTERS[self.column]}{self.row + 1}"


@frozen(order=True, cache_hash=True)
class Move:
    """A move of a stone to a neighbouring square, where it replaces the opponent's stone."""

    origin: ClobberSquare = field(validator=of_kind(ClobberSquare))
    target: ClobberSquare = field(validator=of_kind(ClobberSquare))

    def __str__(self) -> str:
        return f"{self.origin}{self.target}"
