"""The table beside a drawn board: who plays with which pawn, walls left, steps to the goal line."""

from __future__ import annotations

from quoridor_net.rules import Position
from quoridor_net.rules.diagram import PAWN_LOOKS, UNICODE, Glyphs, Line, Look, Span
from quoridor_net.ui.wording import shortened

#: Characters a row needs besides the name: turn mark, label, and the columns of numbers.
_FIXED = 18


def scoreboard(
    position: Position,
    names: tuple[str, ...],
    width: int,
    glyphs: Glyphs = UNICODE,
    you: int | None = None,
) -> list[Line]:
    """Return a heading and one row for each player in order of play; the player to move is marked.

    Args:
        position: the position to describe.
        names: by player number, from player 1; long ones are cut.
        width: characters a row may take, at least 26.
        glyphs: the characters to draw with.
        you: number of the player to call "you".
    """
    room = max(width - _FIXED, 8)
    rows: list[Line] = [(Span(f"     {'player':<{room}}walls   to go", Look.FAINT),)]
    for player in position.order:
        name = shortened(names[player - 1], room - (7 if player == you else 1), glyphs)
        called = f"{name} (you)" if player == you else name
        way = position.distance(player)
        figures = f"{position.walls_left(player):>5}{way:>8}" if way is not None else f"{'out':>13}"
        look = Look.STRONG if player == position.turn else Look.TEXT if way is not None else Look.FAINT
        rows.append(
            (
                Span("> " if player == position.turn else "  ", Look.STRONG),
                Span(glyphs.label(player), PAWN_LOOKS[player] if way is not None else Look.FAINT),
                Span(" " * (3 - len(glyphs.label(player)))),
                Span(f"{called:<{room}}{figures}", look),
            )
        )
    return rows
