"""The layout of a board and its panel in a window of any size, and the table of players."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

from attrs import frozen

from quoridor_net.rules import Move, Position, Square
from quoridor_net.rules.diagram import PAWN_LOOKS, Cell, Glyphs, Line, Look, Span, beside, draw, width_of
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.text import pad
from quoridor_net.ui.wording import shorten

#: Draws the panel in the given number of columns and, if possible, of lines.
Panel = Callable[[int, float], list[Line]]

#: Minimum and maximum columns of the panel beside a board, and columns between board and panel.
PANEL_WIDTH = (28, 48)
GAP = 2

#: Minimum lines of the panel below a board.
PANEL_HEIGHT = 4

#: Columns of a row of the scoreboard besides the name: turn mark, label and numbers.
_FIXED = 18


@frozen
class Arrangement:
    """A placement of the panel beside or below the board."""

    cell: Cell
    beside: bool
    #: Minimum lines of the panel below the board.
    below: int = PANEL_HEIGHT

    def width(self, size: int) -> int:
        """Return the columns that a board of ``size`` and the panel need."""
        board = self.cell.board_width(size)
        return board + GAP + PANEL_WIDTH[0] if self.beside else max(board, PANEL_WIDTH[0])

    def height(self, size: int) -> int:
        """Return the lines that a board of ``size`` and the panel need."""
        board = self.cell.board_height(size)
        return board if self.beside else board + 1 + self.below

    def place(self, board: list[Line], panel: Panel, width: int, height: float) -> list[Line]:
        """Place ``board`` and ``panel`` in a window of ``width`` by ``height`` characters."""
        if self.beside:
            room = width - max(map(width_of, board)) - GAP
            return beside(board, panel(min(room, PANEL_WIDTH[1]), height), GAP)
        room = max(min(width, PANEL_WIDTH[1]), PANEL_WIDTH[0])
        return [*board, (), *panel(room, height - len(board) - 1)]


#: Best first. Boards without a frame have no coordinates; the narrowest have squares of one character.
ARRANGEMENTS = (
    Arrangement(Cell(7, 3), beside=True),
    Arrangement(Cell(3, 1), beside=True),
    Arrangement(Cell(3, 1), beside=False, below=10),
    Arrangement(Cell(1, 1), beside=True),
    Arrangement(Cell(3, 1, framed=False), beside=True),
    Arrangement(Cell(3, 1), beside=False),
    Arrangement(Cell(1, 1), beside=False),
    Arrangement(Cell(1, 1, framed=False), beside=True),
    Arrangement(Cell(1, 1, framed=False), beside=False),
)


#: Arrangements for people who play: with coordinates, and with squares of one line.
PLAYABLE = tuple(each for each in ARRANGEMENTS if each.cell.framed and each.cell.height == 1)


def arrange(
    position: Position,
    panel: Panel,
    width: int,
    height: int,
    glyphs: Glyphs,
    picture: BoardPicture,
    refused: Move | None = None,
) -> list[Line]:
    """Return the largest board and its panel that fit into a window of ``width`` by ``height`` characters.

    A window too small for any board gets the panel only. The move ``refused`` is crossed out.
    """
    size = position.size
    for each in ARRANGEMENTS:
        if each.width(size) <= width and each.height(size) <= height:
            board = draw(position, each.cell, glyphs, refused=refused, picture=picture)
            return each.place(board, panel, width, height)
    least = ARRANGEMENTS[-1]
    hint = f"The board needs {least.width(size)} x {least.height(size)}."
    return [*panel(max(width, PANEL_WIDTH[0]), max(height - 1, 1)), (Span(hint, Look.FAINT),)]


def arrange_scrolling(
    position: Position,
    panel: Panel,
    width: int,
    height: float,
    glyphs: Glyphs,
    picture: BoardPicture,
    marked: Collection[Square] = (),
) -> list[Line]:
    """Return a board with coordinates and its panel, at most ``width`` columns wide if possible.

    The result may exceed ``height`` lines, which may be infinite, because text scrolls.
    """
    size = position.size
    narrow = [each for each in PLAYABLE if each.width(size) <= width] or [PLAYABLE[-1]]
    best = next(
        (each for each in narrow if each.height(size) <= height),
        min(narrow, key=lambda each: each.height(size)),
    )
    return best.place(draw(position, best.cell, glyphs, marked, picture=picture), panel, width, math.inf)


def scoreboard(
    position: Position,
    names: tuple[str, ...],
    width: int,
    glyphs: Glyphs,
    picture: BoardPicture,
    you: int | None = None,
) -> list[Line]:
    """Return a heading and one row for each player in order of play; the player to move is marked.

    Args:
        position: the position to describe.
        names: names in order of player number; long ones are cut.
        width: columns of a row, at least 26.
        glyphs: the characters to draw with.
        picture: the picture of the board beside the rows; arrows agree with it.
        you: number of the player to call "you".
    """
    room = max(width - _FIXED, 8)
    rows: list[Line] = [(Span(f"     {'player':<{room}}walls   to go", Look.FAINT),)]
    for player in position.order:
        name = shorten(names[player - 1], room - (7 if player == you else 1), glyphs)
        called = f"{name} (you)" if player == you else name
        way = position.distance(player)
        figures = f"{position.walls_left(player):>5}{way:>8}" if way is not None else f"{'out':>13}"
        look = Look.STRONG if player == position.turn else Look.TEXT if way is not None else Look.FAINT
        label = glyphs.label(player, picture)
        rows.append(
            (
                Span("> " if player == position.turn else "  ", Look.STRONG),
                Span(label, PAWN_LOOKS[player] if way is not None else Look.FAINT),
                Span(" " * (3 - len(label))),
                Span(f"{pad(called, room)}{figures}", look),
            )
        )
    return rows
