"""A position drawn as SVG, for notebooks and web pages, in the :class:`BoardPicture` of a notation.

The drawing brings its own background, so it is readable on light and dark pages, and tells pawns apart by
number and direction, not by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from quoridor_net.moves import Move, Orientation, Square, Step, Wall
from quoridor_net.rules.picture import BoardPicture, Heading
from quoridor_net.rules.state import State

#: Pixels: a square, the gap between two, the margin around the board, and the line of text below it.
SQUARE, GAP, MARGIN, CAPTION = 40, 10, 26, 20
_PITCH = SQUARE + GAP

_FRAME, _SQUARES, _WALLS, _LAST_WALL, _TEXT, _INK = (
    "#3a2a20", "#6b4f3a", "#f2d9a8", "#ffb000", "#e8dccb", "#1d1410"
)  # fmt: skip
_MARK, _REFUSED = "#b7e07a", "#ff5f56"
_PAWNS = {1: "#f4f1ea", 2: "#ff9d76", 3: "#8fd0ff", 4: "#b7e07a"}

#: A pawn around (0, 0) that points down, and the angle for each direction.
_PAWN = "M-13,-14 H13 V5 L0,17 L-13,5 Z"
_ANGLES = {Heading.DOWN: 0, Heading.UP: 180, Heading.RIGHT: -90, Heading.LEFT: 90}


def board_svg(
    position: State,
    marked: Iterable[Square] = (),
    refused: Iterable[Move] = (),
    picture: BoardPicture = BoardPicture.STANDARD,
    suggested: Iterable[Move] = (),
) -> str:
    """Return an SVG image of ``position``; the wall of the last ply has a colour of its own.

    Args:
        position: what to draw.
        marked: squares to mark, say those that the pawn may step to.
        refused: moves that are not allowed or bad, to cross out.
        picture: which row is at the top, and which coordinates are written.
        suggested: better moves, to mark.
    """
    suggested = list(suggested)
    marked = [*marked, *(move.square for move in suggested if isinstance(move, Step))]
    walls = [move for move in suggested if isinstance(move, Wall)]
    board = _Board(position, picture)
    side = board.side
    height = side + CAPTION
    caption = _caption(position)
    centred = 'font-family="sans-serif" text-anchor="middle" dominant-baseline="central"'
    size = f'viewBox="0 0 {side} {height}" width="{side}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="Quoridor: {caption}">',
        f'<rect width="{side}" height="{height}" rx="8" fill="{_FRAME}"/>',
        *_group(f'fill="{_SQUARES}"', board.squares()),
        *_group(f'fill="none" stroke="{_MARK}" stroke-width="4"', board.marks(marked)),
        *_group(f'fill="{_WALLS}"', board.walls()),
        *_group(f'{centred} font-size="13" fill="{_TEXT}"', board.coordinates()),
        *_group(f'fill="none" stroke="{_REFUSED}" stroke-width="4"', board.crosses(refused)),
        *_group(f'fill="none" stroke="{_MARK}" stroke-width="6"', board.lines_of(walls, "marked")),
        *_group(f'{centred} font-size="17" font-weight="bold" fill="{_INK}"', board.pawns()),
        f'<text {centred} font-size="13" fill="{_TEXT}" x="{side / 2:g}" y="{side + 4}">{caption}</text>',
        "</svg>",
    ]
    return "\n".join(lines)


def _caption(position: State) -> str:
    standing = "the game is over" if position.turn is None else f"player {position.turn} to move"
    left = (f"{player}: {position.walls_left(player)}" for player in position.alive)
    return f"{standing}; walls left {', '.join(left)}"


def _group(attributes: str, parts: Iterable[str]) -> Iterator[str]:
    yield f"<g {attributes}>"
    yield from parts
    yield "</g>"


@frozen
class _Board:
    """The parts of a drawing, in their places."""

    position: State
    picture: BoardPicture

    @property
    def side(self) -> int:
        """The length of a side, in pixels."""
        return self.position.size * _PITCH - GAP + 2 * MARGIN

    def middle_of(self, square: Square) -> tuple[int, int]:
        line = self.picture.line(square.row, self.position.size)
        return _start(square.column) + SQUARE // 2, _start(line) + SQUARE // 2

    def start_of(self, wall: Wall) -> tuple[int, int]:
        """Return the top left corner of the four squares around the middle of ``wall``."""
        return _start(wall.column), _start(self.picture.line(wall.row, self.position.size - 1))

    def squares(self) -> Iterator[str]:
        for line in range(self.position.size):
            for column in range(self.position.size):
                yield _rectangle(_start(column), _start(line), SQUARE, SQUARE, 4)

    def walls(self) -> Iterator[str]:
        history = self.position.history
        last = history[-1].move if history else None
        extent = 2 * SQUARE + GAP
        for wall in self.position.walls:
            left, top = self.start_of(wall)
            fill = f' fill="{_LAST_WALL}"' if wall == last else ""
            if wall.orientation is Orientation.HORIZONTAL:
                yield _rectangle(left, top + SQUARE + 1, extent, GAP - 2, 3, fill)
            else:
                yield _rectangle(left + SQUARE + 1, top, GAP - 2, extent, 3, fill)

    def pawns(self) -> Iterator[str]:
        for player in self.position.alive:
            pawn = self.position.pawn(player)
            assert pawn is not None, "a player in the game has a pawn"
            x, y = self.middle_of(pawn)
            angle = _ANGLES[self.picture.heading(player)]
            place = f'transform="translate({x} {y}) rotate({angle})"'
            yield f'<path fill="{_PAWNS[player]}" stroke="{_INK}" {place} d="{_PAWN}"/>{_text(x, y, player)}'

    def marks(self, squares: Iterable[Square]) -> Iterator[str]:
        for square in squares:
            x, y = self.middle_of(square)
            yield f'<circle class="marked" cx="{x}" cy="{y}" r="8"/>'

    def crosses(self, moves: Iterable[Move]) -> Iterator[str]:
        occupied = {self.position.pawn(player) for player in self.position.alive}
        for move in moves:
            if isinstance(move, Step):
                x, y = self.middle_of(move.square)
                # A pawn that stands there is drawn over it, and its number stays readable.
                arm = 17 if move.square in occupied else 8
                lines = f"M{x - arm},{y - arm} l{2 * arm},{2 * arm} m0,{-2 * arm} l{-2 * arm},{2 * arm}"
                yield f'<path class="refused" d="{lines}"/>'
            else:
                yield from self.lines_of([move], "refused")

    def lines_of(self, walls: Iterable[Wall], kind: str) -> Iterator[str]:
        """Yield a dashed line where each wall would lie."""
        for wall in walls:
            extent = 2 * SQUARE + GAP - 4
            left, top = self.start_of(wall)
            if wall.orientation is Orientation.HORIZONTAL:
                path = f"M{left + 2},{top + SQUARE + GAP // 2} h{extent}"
            else:
                path = f"M{left + SQUARE + GAP // 2},{top + 2} v{extent}"
            yield f'<path class="{kind}" stroke-dasharray="9 9" d="{path}"/>'

    def coordinates(self) -> Iterator[str]:
        size = self.position.size
        near = MARGIN // 2
        beside = near if self.picture.has_columns_at_top else self.side - near
        for number, name in enumerate(self.picture.columns(size)):
            yield _text(_start(number) + SQUARE // 2, beside, name)
        for number, name in enumerate(self.picture.rows(size)):
            yield _text(near, _start(number) + SQUARE // 2, name)


def _start(number: int) -> int:
    return MARGIN + number * _PITCH


def _rectangle(x: int, y: int, width: int, height: int, radius: int, fill: str = "") -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"{fill}/>'


def _text(x: int, y: int, text: object) -> str:
    return f'<text x="{x}" y="{y}">{text}</text>'
