"""The table beside a drawn board: who plays with which pawn, walls left, steps to the goal line."""

from __future__ import annotations

from quoridor_net.notation import standard
from quoridor_net.rules import Move, Position
from quoridor_net.rules.diagram import PAWN_LOOKS, UNICODE, Glyphs, Line, Look, Span

#: Characters a row needs besides the name: turn mark, label, and the columns of numbers.
_FIXED = 18


def shortened(text: str, width: int, glyphs: Glyphs = UNICODE) -> str:
    """Return ``text``, cut to ``width`` characters with an ellipsis when it is longer."""
    if len(text) <= width:
        return text
    return text[: max(width - 1, 0)] + glyphs.ellipsis


def both_notations(move: Move) -> str:
    """Return ``move`` as people find it on either side of the board: ``e3h [(4, 2), h]``."""
    return f"{standard.format_move(move)} {move}"


def way_of(player: int, size: int) -> str:
    """Return where ``player`` has to go on a board of ``size``, in the coordinates of the drawing."""
    last, edge = size - 1, standard.FILES[size - 1]
    return {
        1: f"down to row {last} (rank {size})",
        2: "up to row 0 (rank 1)",
        3: f"right to column {last} (file {edge})",
        4: "left to column 0 (file a)",
    }[player]


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
