"""Draws a board in ASCII for ``showboard``, the way the course of the Athens protocol drew it."""

from __future__ import annotations

from attrs import evolve

from quoridor_net.notation.athens import COLOUR_OF_PLAYER
from quoridor_net.rules import Position
from quoridor_net.rules.diagram import ASCII, Cell, draw
from quoridor_net.rules.picture import BoardPicture

_GLYPHS = evolve(ASCII, pawns=("B", "W", "", ""), dot=" ", gaps="|-+")


def draw_board(position: Position) -> list[str]:
    """Return the lines of a drawing of ``position``, none of them empty.

    The coordinates are those of section 1.11: letters from left to right, numbers from bottom to top.
    Horizontal walls are drawn ``===``, vertical ones ``H``, pawns ``B`` and ``W``. The numbers of remaining
    walls are shown beside the top rows.
    """
    size, picture = position.size, BoardPicture.ATHENS
    letters = "     " + "   ".join(picture.columns(size))
    numbers = picture.rows(size)
    edge = f"   +{'---+' * size}"
    lines = [letters, edge]
    for index, spans in enumerate(draw(position, Cell(framed=False), _GLYPHS, picture=picture)):
        inside = "".join(span.text for span in spans)
        row, is_gap = divmod(index, 2)
        if is_gap:
            lines.append(f"   +{inside}+")
        else:
            number = numbers[row]
            lines.append(f"{number:>2} |{inside}| {number:<2}{_aside(position, row + 1)}".rstrip())
    return [*lines, edge, letters]


def _aside(position: Position, player: int) -> str:
    colour = COLOUR_OF_PLAYER.get(player, "")
    return colour and f"  {colour.capitalize()} walls: {position.walls_left(player)}"
