"""Text diagrams of Clobber positions, with a1 at the bottom left as in the rules of 2006."""

from __future__ import annotations

from quoridor_net.clobber.position import ClobberPosition
from quoridor_net.clobber.values import COLUMN_LETTERS, ClobberSquare, Colour
from quoridor_net.rules.diagram import ASCII, Glyphs, Line, Look, Span

_UNICODE_STONES = {Colour.BLACK: "●", Colour.WHITE: "○", None: "·"}
_ASCII_STONES = {Colour.BLACK: "x", Colour.WHITE: "o", None: "."}
_LOOKS = {Colour.BLACK: Look.PAWN_1, Colour.WHITE: Look.PAWN_2, None: Look.SQUARE}


def stone_sign(colour: Colour | None, glyphs: Glyphs) -> str:
    """Return the character for a stone, or for an empty square."""
    return (_ASCII_STONES if glyphs == ASCII else _UNICODE_STONES)[colour]


def draw(position: ClobberPosition, glyphs: Glyphs) -> list[Line]:
    """Draw the board with its coordinates. The stone that moved last is in brackets."""
    last = position.history[-1].target if position.history else None
    lines: list[Line] = []
    for row in reversed(range(position.rows)):
        spans = [Span(f"{row + 1:>2}", Look.COORDINATE)]
        before = " "
        for column in range(position.columns):
            square = ClobberSquare(column, row)
            stone = position.stone(square)
            spans.append(Span("(" if square == last else before, Look.GAP))
            spans.append(Span(stone_sign(stone, glyphs), _LOOKS[stone]))
            before = ")" if square == last else " "
        lines.append((*spans, Span(before, Look.GAP)))
    letters = " ".join(COLUMN_LETTERS[: position.columns])
    lines.append((Span(f"   {letters} ", Look.COORDINATE),))
    return lines
