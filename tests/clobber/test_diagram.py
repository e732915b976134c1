"""Text diagrams of Clobber positions."""

from __future__ import annotations

from quoridor_net.clobber import ClobberPosition, parse_move
from quoridor_net.clobber.diagram import draw
from quoridor_net.rules.diagram import ASCII, UNICODE, plain


def lines(position: ClobberPosition, *, ascii_only: bool = False) -> list[str]:
    return plain(draw(position, ASCII if ascii_only else UNICODE))


def test_a1_is_drawn_black_at_the_bottom_left() -> None:
    # Rule 2: a1 is black, and neighbours have different colours.
    assert lines(ClobberPosition.start(4, 3)) == [
        " 3 ● ○ ● ○",
        " 2 ○ ● ○ ●",
        " 1 ● ○ ● ○",
        "   a b c d",
    ]


def test_the_stone_that_moved_last_is_in_brackets() -> None:
    position = ClobberPosition.start(3, 10)
    position.push(parse_move("a1b1"))
    assert lines(position, ascii_only=True)[-3:] == [" 2 o x o", " 1 .(x)x", "   a b c"]
    position.push(parse_move("a10b10"))
    assert lines(position, ascii_only=True)[0] == "10 .(o)o"
