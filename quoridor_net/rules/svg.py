"""A position drawn as SVG, for notebooks and web pages, with player 1 at the top as in a text diagram.

The drawing brings its own background, so it is readable on light and dark pages, and tells pawns apart by
number and direction, not by colour alone. Columns and rows are counted from 0 at the top and the left; files
and ranks of standard notation stand at the bottom and the right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from quoridor_net.moves import Move, Orientation, Square, Step, Wall
from quoridor_net.rules.diagram import BOTH_COORDINATES, Coordinates
from quoridor_net.rules.state import State

#: Pixels: a square, the gap between two, the margin around the board, and the line of text below it.
SQUARE, GAP, MARGIN, CAPTION = 40, 10, 26, 20
_PITCH = SQUARE + GAP

_FRAME, _SQUARES, _WALLS, _LAST_WALL, _TEXT, _INK = (
    "#3a2a20", "#6b4f3a", "#f2d9a8", "#ffb000", "#e8dccb", "#1d1410"
)  # fmt: skip
_MARK, _REFUSED = "#b7e07a", "#ff5f56"
_PAWNS = {1: "#f4f1ea", 2: "#ff9d76", 3: "#8fd0ff", 4: "#b7e07a"}

#: A pawn around (0, 0) that points down, as player 1 goes, and the angle for each player.
_PAWN = "M-13,-14 H13 V5 L0,17 L-13,5 Z"
_ANGLES = {1: 0, 2: 180, 3: -90, 4: 90}


def board_svg(
    position: State,
    marked: Iterable[Square] = (),
    refused: Iterable[Move] = (),
    suggested: Iterable[Move] = (),
    coordinates: Coordinates = BOTH_COORDINATES,
) -> str:
    """Return an SVG image of ``position``; the wall of the last ply has a colour of its own.

    Args:
        position: what to draw.
        marked: squares to mark, say those that the pawn may step to.
        refused: moves that are not allowed or bad, to cross out.
        suggested: better moves, to mark.
        coordinates: the names of columns and rows.
    """
    suggested = list(suggested)
    marked = [*marked, *(move.square for move in suggested if isinstance(move, Step))]
    walls = [move for move in suggested if isinstance(move, Wall)]
    side = position.size * _PITCH - GAP + 2 * MARGIN
    height = side + CAPTION
    caption = _caption(position)
    centred = 'font-family="sans-serif" text-anchor="middle" dominant-baseline="central"'
    size = f'viewBox="0 0 {side} {height}" width="{side}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="Quoridor: {caption}">',
        f'<rect width="{side}" height="{height}" rx="8" fill="{_FRAME}"/>',
        *_group(f'fill="{_SQUARES}"', _squares(position.size)),
        *_group(f'fill="none" stroke="{_MARK}" stroke-width="4"', _marks(marked)),
        *_group(f'fill="{_WALLS}"', _walls(position)),
        *_group(f'{centred} font-size="13" fill="{_TEXT}"', _coordinates(position.size, side, coordinates)),
        *_group(f'fill="none" stroke="{_REFUSED}" stroke-width="4"', _crosses(position, refused)),
        *_better_walls(walls),
        *_group(f'{centred} font-size="17" font-weight="bold" fill="{_INK}"', _pawns(position)),
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


def _squares(size: int) -> Iterator[str]:
    for row in range(size):
        for column in range(size):
            yield _rectangle(_start(column), _start(row), SQUARE, SQUARE, 4)


def _walls(position: State) -> Iterator[str]:
    last = position.history[-1].move if position.history else None
    for wall in position.walls:
        left, top, extent = _start(wall.column), _start(wall.row), 2 * SQUARE + GAP
        fill = f' fill="{_LAST_WALL}"' if wall == last else ""
        if wall.orientation is Orientation.HORIZONTAL:
            yield _rectangle(left, top + SQUARE + 1, extent, GAP - 2, 3, fill)
        else:
            yield _rectangle(left + SQUARE + 1, top, GAP - 2, extent, 3, fill)


def _pawns(position: State) -> Iterator[str]:
    for player in position.alive:
        pawn = position.pawn(player)
        assert pawn is not None, "a player in the game has a pawn"
        x, y = _start(pawn.column) + SQUARE // 2, _start(pawn.row) + SQUARE // 2
        place = f'transform="translate({x} {y}) rotate({_ANGLES[player]})"'
        yield f'<path fill="{_PAWNS[player]}" stroke="{_INK}" {place} d="{_PAWN}"/>{_text(x, y, player)}'


def _marks(squares: Iterable[Square]) -> Iterator[str]:
    for square in squares:
        x, y = _start(square.column) + SQUARE // 2, _start(square.row) + SQUARE // 2
        yield f'<circle class="marked" cx="{x}" cy="{y}" r="8"/>'


def _crosses(position: State, moves: Iterable[Move]) -> Iterator[str]:
    occupied = {position.pawn(player) for player in position.alive}
    for move in moves:
        if isinstance(move, Step):
            x, y = _start(move.square.column) + SQUARE // 2, _start(move.square.row) + SQUARE // 2
            # A pawn that stands there is drawn over it, and its number stays readable.
            arm = 17 if move.square in occupied else 8
            lines = f"M{x - arm},{y - arm} l{2 * arm},{2 * arm} m0,{-2 * arm} l{-2 * arm},{2 * arm}"
            yield f'<path class="refused" d="{lines}"/>'
        else:
            yield from _lines_of_walls([move], "refused")


def _better_walls(walls: Sequence[Wall]) -> Iterator[str]:
    if walls:
        yield from _group(f'fill="none" stroke="{_MARK}" stroke-width="6"', _lines_of_walls(walls, "marked"))


def _lines_of_walls(walls: Iterable[Wall], kind: str) -> Iterator[str]:
    """Yield a dashed line where each wall would lie."""
    for wall in walls:
        extent = 2 * SQUARE + GAP - 4
        x, y = _start(wall.column) + 2, _start(wall.row) + 2
        if wall.orientation is Orientation.HORIZONTAL:
            path = f"M{x},{y - 2 + SQUARE + GAP // 2} h{extent}"
        else:
            path = f"M{x - 2 + SQUARE + GAP // 2},{y} v{extent}"
        yield f'<path class="{kind}" stroke-dasharray="9 9" d="{path}"/>'


def _coordinates(size: int, side: int, coordinates: Coordinates) -> Iterator[str]:
    names = coordinates.top(size), coordinates.left(size), coordinates.bottom(size), coordinates.right(size)
    for number, (top, left, bottom, right) in enumerate(zip(*names, strict=True)):
        middle, far = _start(number) + SQUARE // 2, side - MARGIN // 2
        for placed in (
            ((middle, MARGIN // 2, top), (MARGIN // 2, middle, left)),
            ((middle, far, bottom), (far, middle, right)),
        ):
            if line := "".join(_text(*each) for each in placed if each[2]):
                yield line


def _start(number: int) -> int:
    return MARGIN + number * _PITCH


def _rectangle(x: int, y: int, width: int, height: int, radius: int, fill: str = "") -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"{fill}/>'


def _text(x: int, y: int, text: object) -> str:
    return f'<text x="{x}" y="{y}">{text}</text>'
