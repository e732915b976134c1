"""Fits a board and what stands beside it into a window of any size."""

from __future__ import annotations

from attrs import frozen

from quoridor_net.rules.diagram import Cell, Glyphs, Line, Look, Span, beside, draw
from quoridor_net.ui.panel import panel
from quoridor_net.ui.scene import Scene

#: Least and most columns of the panel beside a board, columns between them.
PANEL_WIDTH = (28, 48)
GAP = 2

#: Least lines of the panel below a board.
PANEL_HEIGHT = 4


@frozen
class Arrangement:
    """One way to place things.

    Attributes:
        cell: the size of the squares.
        beside: whether the panel is beside the board, not below.
        below: least lines of the panel below the board.
    """

    cell: Cell
    beside: bool
    below: int = PANEL_HEIGHT

    def fits(self, size: int, width: int, height: int) -> bool:
        """Return whether a board of ``size`` and the panel fit into a window of ``width`` by ``height``."""
        board_width, board_height = self.cell.board_width(size), self.cell.board_height(size)
        if self.beside:
            return board_width + GAP + PANEL_WIDTH[0] <= width and board_height <= height
        return max(board_width, PANEL_WIDTH[0]) <= width and board_height + 1 + self.below <= height


#: Best first. Bare boards have no coordinates; the narrow ones have squares of one character.
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


def arrange(scene: Scene, now: float, width: int, height: int, glyphs: Glyphs) -> list[Line]:
    """Return what to show of ``scene`` in a window of ``width`` columns and ``height`` lines.

    A window that is too small for any board gets the panel alone.

    Args:
        scene: what to show.
        now: the time on the clock of the display, in seconds.
        width: columns.
        height: lines.
        glyphs: the characters to draw with.
    """
    size = scene.position.size
    for arrangement in ARRANGEMENTS:
        if not arrangement.fits(size, width, height):
            continue
        cell = arrangement.cell
        board = draw(scene.position, cell, glyphs, refused=scene.refused)
        if arrangement.beside:
            room = min(width - cell.board_width(size) - GAP, PANEL_WIDTH[1])
            return beside(board, panel(scene, now, room, height, glyphs), GAP)
        rest = height - len(board) - 1
        return [*board, (), *panel(scene, now, min(width, PANEL_WIDTH[1]), rest, glyphs)]
    least = ARRANGEMENTS[-1]
    least_width = max(least.cell.board_width(size), PANEL_WIDTH[0])
    least_height = least.cell.board_height(size) + 1 + least.below
    hint = f"The board needs {least_width} x {least_height}."
    return [
        *panel(scene, now, max(width, PANEL_WIDTH[0]), max(height - 1, 1), glyphs),
        (Span(hint, Look.FAINT),),
    ]
