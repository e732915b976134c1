"""Text drawings of positions, each in the :class:`BoardPicture` of the notation that is shown with it.

Each piece of text has a :class:`Look`, so that one drawing serves a plain file and a coloured terminal.
"""

from __future__ import annotations

import enum
import textwrap
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby, zip_longest

from attrs import evolve, frozen

from quoridor_net.moves import Move, Orientation, Square, Step, Wall
from quoridor_net.rules.picture import BoardPicture, Heading
from quoridor_net.rules.state import State
from quoridor_net.text import columns_of


class Look(enum.Enum):
    """The role of a piece of text, from which a terminal chooses its colour."""

    TEXT = "text"
    STRONG = "strong"
    FAINT = "faint"
    COORDINATE = "coordinate"
    FRAME = "frame"
    SQUARE = "square"
    MARKED_SQUARE = "marked square"
    GAP = "gap"
    WALL = "wall"
    LAST_WALL = "last wall"
    REFUSED = "refused move"
    PAWN_1 = "pawn 1"
    PAWN_2 = "pawn 2"
    PAWN_3 = "pawn 3"
    PAWN_4 = "pawn 4"


PAWN_LOOKS = {1: Look.PAWN_1, 2: Look.PAWN_2, 3: Look.PAWN_3, 4: Look.PAWN_4}


@frozen
class Span:
    """A piece of text on one line."""

    text: str
    look: Look = Look.TEXT


#: One line of text, without a line end.
Line = tuple[Span, ...]


@frozen
class Glyphs:
    """The characters of a drawing.

    Attributes:
        pawns: by direction: down, up, right, left; or by player number, from player 1,
            if they have no direction.
        has_arrows: whether the pawns have directions.
        dot: the middle of an empty square.
        mark: the middle of a marked square.
        horizontal: a piece of a horizontal wall; vertical likewise.
        corners: of the frame: top left, top right, bottom left, bottom right.
        edge: a piece of the frame's top; side likewise.
        ellipsis: marks truncated text.
        refused: crosses out the squares or the wall of a refused move.
        gaps: gaps without walls: between squares of a row, between rows, and between four squares.
    """

    pawns: tuple[str, str, str, str]
    dot: str
    mark: str
    horizontal: str
    vertical: str
    corners: str
    edge: str
    side: str
    ellipsis: str
    refused: str
    gaps: str = "   "
    has_arrows: bool = False

    def pawn(self, player: int, picture: BoardPicture) -> str:
        """Return the pawn of ``player``; an arrow points where the player goes in ``picture``."""
        return self.pawns[_HEADINGS.index(picture.heading(player)) if self.has_arrows else player - 1]

    def label(self, player: int, picture: BoardPicture = BoardPicture.STANDARD) -> str:
        """Return the pawn and the number of ``player``, or the number alone where that is the pawn."""
        pawn, number = self.pawn(player, picture), str(player)
        return number if pawn == number else pawn + number


#: The order of arrows in :class:`Glyphs`.
_HEADINGS = (Heading.DOWN, Heading.UP, Heading.RIGHT, Heading.LEFT)


#: The pawns are characters that no terminal shows as emoji.
UNICODE = Glyphs(("▼", "▲", "►", "◄"), "·", "○", "━", "┃", "╭╮╰╯", "─", "│", "…", "×", has_arrows=True)
ASCII = Glyphs(("1", "2", "3", "4"), ".", "o", "=", "H", "++++", "-", "|", "~", "x")


def glyphs_for(encoding: str | None) -> Glyphs:
    """Return the best characters that can be written in ``encoding``; None means ASCII."""
    try:
        "".join((*UNICODE.pawns, "·○━┃╭─│…×")).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


@frozen
class Cell:
    """The size of a drawn square, in characters, and whether coordinates and a frame surround the board.

    Between two squares there is always one character of gap for the walls.
    """

    width: int = 3
    height: int = 1
    framed: bool = True

    def board_width(self, size: int) -> int:
        """Return the width of a drawn board of ``size`` squares a side, in characters."""
        return size * (self.width + 1) - 1 + (len(str(size)) + 3 if self.framed else 0)

    def board_height(self, size: int) -> int:
        """Return the height of a drawn board of ``size`` squares a side, in lines."""
        return size * (self.height + 1) - 1 + (3 if self.framed else 0)


#: Maximum length of a line of a legend, in characters.
LEGEND_WIDTH = 64

#: The smallest cell with square proportions: a 9x9 board is 39 characters wide and 20 lines high.
STANDARD_CELL = Cell()


class _Canvas:
    """A rectangle of characters with looks, where squares and walls have their places."""

    def __init__(self, size: int, cell: Cell, glyphs: Glyphs, picture: BoardPicture) -> None:
        self._size, self._cell, self._picture = size, cell, picture
        beside, below, crossing = ((gap, Look.GAP) for gap in glyphs.gaps)
        square_row = ([(" ", Look.GAP)] * cell.width + [beside]) * size
        gap_row = ([below] * cell.width + [crossing]) * size
        rows = ([square_row] * cell.height + [gap_row]) * size
        self._cells = [row[:-1] for row in rows[:-1]]

    def place_of(self, square: Square) -> tuple[int, int]:
        """Return the first column and line of ``square``."""
        line = self._picture.line(square.row, self._size)
        return square.column * (self._cell.width + 1), line * (self._cell.height + 1)

    def put(self, left: int, top: int, text: str, look: Look) -> None:
        for offset, character in enumerate(text):
            self._cells[top][left + offset] = (character, look)

    def put_wall(self, wall: Wall, glyphs: Glyphs, look: Look) -> None:
        cell = self._cell
        left = wall.column * (cell.width + 1)
        # The upper one of the two lines of squares beside the wall.
        top = self._picture.line(wall.row, self._size - 1) * (cell.height + 1)
        if wall.orientation is Orientation.HORIZONTAL:
            self.put(left, top + cell.height, glyphs.horizontal * (2 * cell.width + 1), look)
            return
        for offset in range(2 * cell.height + 1):
            self.put(left + cell.width, top + offset, glyphs.vertical, look)

    def lines(self) -> list[Line]:
        return [
            tuple(
                Span("".join(character for character, _ in run), look)
                for look, run in groupby(row, key=lambda cell: cell[1])
            )
            for row in self._cells
        ]


def draw(
    position: State,
    cell: Cell = STANDARD_CELL,
    glyphs: Glyphs = UNICODE,
    marked: Collection[Square] = (),
    refused: Move | None = None,
    picture: BoardPicture = BoardPicture.STANDARD,
    suggested: Move | None = None,
) -> list[Line]:
    """Return the lines of a drawing of ``position``, all of the same width.

    Args:
        position: the position; the wall of its last ply gets a look of its own.
        cell: the size of a square.
        glyphs: the characters to draw with.
        marked: empty squares to mark, such as the targets of a pawn.
        refused: an illegal or bad move to cross out, as far as it is on the board.
        picture: which row is at the top, and which coordinates are written.
        suggested: a better move to mark.
    """
    size = position.size
    if isinstance(suggested, Step):
        marked = {*marked, suggested.square}
    canvas = _Canvas(size, cell, glyphs, picture)
    pawns = {position.pawn(player): player for player in position.alive}
    for row in range(size):
        for column in range(size):
            square = Square(column, row)
            left, top = canvas.place_of(square)
            if square in pawns:
                player = pawns[square]
                tile, look = _pawn(cell, glyphs, glyphs.pawn(player, picture)), PAWN_LOOKS[player]
            elif square in marked:
                tile, look = _tile(cell, glyphs.mark), Look.MARKED_SQUARE
            else:
                tile, look = _tile(cell, glyphs.dot), Look.SQUARE
            for offset, text in enumerate(tile):
                canvas.put(left, top + offset, text, look)
    last = position.history[-1].move if position.history else None
    for wall in position.walls:
        canvas.put_wall(wall, glyphs, Look.LAST_WALL if wall == last else Look.WALL)
    if refused is not None:
        _put_refused(canvas, refused, position, cell, glyphs)
    if isinstance(suggested, Wall):
        ringed = evolve(glyphs, horizontal=glyphs.mark, vertical=glyphs.mark)
        canvas.put_wall(suggested, ringed, Look.MARKED_SQUARE)
    lines = canvas.lines()
    return _frame(lines, size, cell, glyphs, picture) if cell.framed else lines


def explain_drawing(
    position: State, picture: BoardPicture, played: str = "", better: str = "", glyphs: Glyphs = UNICODE
) -> str:
    """Return the legend of a drawing, as one sentence without its full stop.

    Args:
        position: the position.
        picture: that of the drawing.
        played: name of the move that is crossed out; empty if there is none.
        better: name of the move that is marked; empty if there is none.
        glyphs: the characters of the drawing.
    """
    players = sorted(position.alive)
    parts = [f"{glyphs.pawn(player, picture)} {picture.name_player(player)}" for player in players]
    if position.walls:
        parts.append(f"{glyphs.horizontal} and {glyphs.vertical} walls")
    if played:
        parts.append(f"{glyphs.refused} {played}")
    if better:
        parts.append(f"{glyphs.mark} {better}")
    return "; ".join(parts)


def draw_with_legend(
    position: State, picture: BoardPicture, refused: Move | None = None, name: str = ""
) -> tuple[str, ...]:
    """Return the bare text of a drawing, and its legend; a refused move is crossed out, and gets ``name``."""
    lines = plain(draw(position, refused=refused, picture=picture))
    legend = textwrap.wrap(explain_drawing(position, picture, name), LEGEND_WIDTH)
    return (*(line for line in lines if line.strip()), *legend)


def plain(lines: Iterable[Line]) -> list[str]:
    """Return the bare text of ``lines``, without trailing spaces."""
    return ["".join(span.text for span in line).rstrip() for line in lines]


def beside(left: Sequence[Line], right: Sequence[Line], gap: int = 2) -> list[Line]:
    """Return ``left`` and ``right`` side by side, ``gap`` characters apart."""
    width = max(map(width_of, left), default=0)
    return [
        (*here, Span(" " * (width + gap - width_of(here))), *there)
        for here, there in zip_longest(left, right, fillvalue=())
    ]


def width_of(line: Line) -> int:
    """Return the width of ``line``, in columns."""
    return sum(columns_of(span.text) for span in line)


def _tile(cell: Cell, middle: str) -> list[str]:
    empty = " " * cell.width
    above = (cell.height - 1) // 2
    below = cell.height - 1 - above
    return [empty] * above + [middle.center(cell.width)] + [empty] * below


def _pawn(cell: Cell, glyphs: Glyphs, pawn: str) -> list[str]:
    """Return the tile of a pawn. Large tiles have an outline that is visible without colour."""
    if cell.height < 3 or cell.width < 7:
        return _tile(cell, pawn)
    inner = cell.width - 4
    side = f" {glyphs.side}{' ' * inner}{glyphs.side} "
    top = f" {glyphs.corners[0]}{glyphs.edge * inner}{glyphs.corners[1]} "
    bottom = f" {glyphs.corners[2]}{glyphs.edge * inner}{glyphs.corners[3]} "
    middle = [side] * (cell.height - 2)
    middle[len(middle) // 2] = f" {glyphs.side}{pawn.center(inner)}{glyphs.side} "
    return [top, *middle, bottom]


def _put_refused(canvas: _Canvas, move: Move, position: State, cell: Cell, glyphs: Glyphs) -> None:
    """Cross out the square or the wall, whatever else is there."""
    size = position.size
    if isinstance(move, Step):
        square = move.square
        is_occupied = any(position.pawn(player) == square for player in position.alive)
        if 0 <= square.column < size and 0 <= square.row < size:
            left, top = canvas.place_of(square)
            edges = {left, left + cell.width - 1}
            # A pawn on the square stays visible if there is room for both.
            for column in edges if cell.width > 1 and is_occupied else range(left, left + cell.width):
                for offset in range(cell.height):
                    canvas.put(column, top + offset, glyphs.refused, Look.REFUSED)
    elif 0 <= move.column < size - 1 and 0 <= move.row < size - 1:
        crossed = evolve(glyphs, horizontal=glyphs.refused, vertical=glyphs.refused)
        canvas.put_wall(move, crossed, Look.REFUSED)


def _frame(inside: list[Line], size: int, cell: Cell, glyphs: Glyphs, picture: BoardPicture) -> list[Line]:
    """Return the board with its frame and the coordinates of its picture."""
    # As wide in every picture, because the arrangement of a window does not depend on it.
    margin = len(str(size))
    across = glyphs.edge * (size * (cell.width + 1) - 1)
    rows = picture.rows(size)

    def border(first: str, last: str) -> Line:
        return (Span(" " * (margin + 1)), Span(first + across + last, Look.FRAME))

    board = [border(glyphs.corners[0], glyphs.corners[1])]
    for number, line in enumerate(inside):
        row, offset = divmod(number, cell.height + 1)
        name = rows[row] if offset == (cell.height - 1) // 2 else ""
        side = Span(glyphs.side, Look.FRAME)
        board.append((Span(f"{name:>{margin}} ", Look.COORDINATE), side, *line, side))
    board.append(border(glyphs.corners[2], glyphs.corners[3]))
    names = (Span(" " * (margin + 2) + _across(picture.columns(size), cell), Look.COORDINATE),)
    return [names, *board] if picture.has_columns_at_top else [*board, names]


def _across(names: list[str], cell: Cell) -> str:
    """Return the names of the columns, each over the middle of its column."""
    pitch = cell.width + 1
    widest = max(len(name) for name in names)
    # Names that would touch each other are left out, every other one.
    every = 1 if widest < pitch else 2
    line = ""
    for column in range(0, len(names), every):
        line = line.ljust(column * pitch + (cell.width - 1) // 2) + names[column]
    return line
