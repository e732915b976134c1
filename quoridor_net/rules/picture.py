"""The picture of a board: which row is at the top, and which coordinates are written beside it.

The picture follows the notation that is shown with it. The 2016 document puts (0, 0) at the top left; the
replay document and standard notation put a1 at the bottom left. The two are mirror images, top to bottom.
Everything in Python that draws a board asks :class:`BoardPicture`.
"""

from __future__ import annotations

import enum

from quoridor_net.notation import Notation, athens
from quoridor_net.notation.lan import LAN
from quoridor_net.notation.standard import FILES, STANDARD


class Heading(enum.Enum):
    """The direction of a pawn in a picture; the values are texts for people."""

    DOWN = "top to bottom"
    UP = "bottom to top"
    RIGHT = "left to right"
    LEFT = "right to left"


class BoardPicture(enum.Enum):
    """The pictures of a board, one for each notation."""

    #: The picture of the 2016 document: (0, 0) at the top left, player 1 starts at the top.
    LAN = "lan"
    #: The picture of standard notation and of replays: a1 at the bottom left, player 1 starts at the bottom.
    STANDARD = "standard"
    #: The picture of the Athens protocol: A1 at the bottom left; black, player 1, starts at the top.
    ATHENS = "athens"

    def line(self, row: int, rows: int) -> int:
        """Return the line of ``row``, counted from 0 at the top of the picture.

        Args:
            row: a row of squares, or the row of a wall's anchor.
            rows: the number of such rows: the size of the board, or one less for walls.
        """
        return rows - 1 - row if self is BoardPicture.STANDARD else row

    def heading(self, player: int) -> Heading:
        """Return where ``player`` goes."""
        down, up = Heading.DOWN, Heading.UP
        if self is BoardPicture.STANDARD:
            down, up = up, down
        return {1: down, 2: up, 3: Heading.RIGHT, 4: Heading.LEFT}[player]

    def name_player(self, player: int) -> str:
        """Return the name of ``player`` in the protocol or documents that have this picture."""
        return athens.COLOUR_OF_PLAYER[player] if self is BoardPicture.ATHENS else f"player {player}"

    def notation(self, size: int) -> Notation:
        """Return the notation that is shown with this picture, for boards of ``size``."""
        match self:
            case BoardPicture.LAN:
                return LAN
            case BoardPicture.STANDARD:
                return STANDARD
            case BoardPicture.ATHENS:
                return athens.notation(size)

    @property
    def has_columns_at_top(self) -> bool:
        """Whether the names of columns stand above the board instead of below it."""
        return self is BoardPicture.LAN

    def columns(self, size: int) -> list[str]:
        """Return the names of the columns, from left to right."""
        match self:
            case BoardPicture.LAN:
                return [str(column) for column in range(size)]
            case BoardPicture.STANDARD:
                return [*FILES[:size]]
            case BoardPicture.ATHENS:
                return [*athens.LETTERS[:size]]

    def rows(self, size: int) -> list[str]:
        """Return the names of the rows, from top to bottom; they stand at the left."""
        first = 0 if self is BoardPicture.LAN else 1
        names = [str(first + row) for row in range(size)]
        return names if self is BoardPicture.LAN else names[::-1]

    def goal(self, player: int, size: int) -> str:
        """Return the direction and the goal line of ``player``, as ``up to rank 9``."""
        heading = self.heading(player)
        word = heading.name.lower()
        if heading in {Heading.LEFT, Heading.RIGHT}:
            name = self.columns(size)[-1 if heading is Heading.RIGHT else 0]
            return f"{word} to {'column' if self is BoardPicture.LAN else 'file'} {name}"
        name = self.rows(size)[-1 if heading is Heading.DOWN else 0]
        return f"{word} to {'row' if self is BoardPicture.LAN else 'rank'} {name}"
