"""Drawings of positions: exact text, and properties for every size."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.rules import MAX_SIZE, MIN_SIZE, Orientation, Position, Square, Step, Wall
from quoridor_net.rules.diagram import (
    ASCII,
    UNICODE,
    Cell,
    Look,
    Span,
    beside,
    draw,
    draw_with_legend,
    glyphs_for,
    plain,
    width_of,
)
from quoridor_net.rules.picture import BoardPicture

H, V = Orientation.HORIZONTAL, Orientation.VERTICAL

CELLS = [
    Cell(width, height, framed) for width, height in ((1, 1), (3, 1), (7, 3)) for framed in (True, False)
]

# The diagram of quoridor-client-server-2016, section "Coordinates": its walls are at
# [(1, 0), v], [(2, 6), h], [(6, 5), v], [(7, 5), h].
DOCUMENT = """\
    0   1   2   3   4   5   6   7   8
  ╭───────────────────────────────────╮
0 │ ·   · ┃ ·   ·   ▼   ·   ·   ·   · │
  │       ┃                           │
1 │ ·   · ┃ ·   ·   ·   ·   ·   ·   · │
  │                                   │
2 │ ·   ·   ·   ·   ·   ·   ·   ·   · │
  │                                   │
3 │ ·   ·   ·   ·   ·   ·   ·   ·   · │
  │                                   │
4 │ ·   ·   ·   ·   ·   ·   ·   ·   · │
  │                                   │
5 │ ·   ·   ·   ·   ·   ·   · ┃ ·   · │
  │                           ┃━━━━━━━│
6 │ ·   ·   ·   ·   ·   ·   · ┃ ·   · │
  │        ━━━━━━━                    │
7 │ ·   ·   ·   ·   ·   ·   ·   ·   · │
  │                                   │
8 │ ·   ·   ·   ·   ▲   ·   ·   ·   · │
  ╰───────────────────────────────────╯"""


def document_position() -> Position:
    walls = [Wall(1, 0, V), Wall(2, 6, H), Wall(6, 5, V), Wall(7, 5, H)]
    return Position.setup([Square(4, 0), Square(4, 8)], [8, 8], walls)


def test_the_document_shows_the_diagram_that_is_drawn() -> None:
    assert "\n".join(plain(draw(document_position(), picture=BoardPicture.LAN))) == DOCUMENT


def test_a_standard_board_leaves_room_for_a_panel_in_80_columns() -> None:
    assert Cell().board_width(9) == 39
    assert Cell().board_height(9) == 20


@pytest.mark.parametrize(
    ("move", "line", "drawn"),
    [
        # The pawn stays visible.
        (Step(Square(1, 0)), 0, " .  x1x  ."),
        (Step(Square(0, 0)), 0, "xxx  1   ."),
        (Wall(0, 1, V), 2, " . x .   ."),
        (Wall(1, 0, H), 1, "    xxxxxxx"),
        # Outside of the board.
        (Step(Square(3, 0)), 0, " .   1   ."),
        (Wall(2, 0, H), 1, ""),
    ],
)
def test_a_refused_move_is_crossed_out(move: Step | Wall, line: int, drawn: str) -> None:
    lines = plain(draw(Position(3), Cell(3, 1, framed=False), ASCII, refused=move, picture=BoardPicture.LAN))
    assert lines[line].rstrip() == drawn


def test_four_players_are_drawn_in_plain_ascii() -> None:
    position = Position(3, 4, 1)
    position.push(Wall(0, 0, H))
    assert plain(draw(position, glyphs=ASCII)) == [
        "  +-----------+",
        "3 | .   2   . |",
        "  |           |",
        "2 | 3   .   4 |",
        "  |=======    |",
        "1 | .   1   . |",
        "  +-----------+",
        "    a   b   c",
    ]


def test_large_squares_outline_the_pawn() -> None:
    assert plain(draw(Position(3), Cell(7, 3, framed=False)))[:3] == [
        "         ╭───╮",
        "   ·     │ ▼ │     ·",
        "         ╰───╯",
    ]


def test_an_eliminated_pawn_is_not_drawn() -> None:
    position = Position(players=4)
    position.eliminate(3)
    assert UNICODE.pawns[2] not in "".join(plain(draw(position)))


def test_marked_squares_are_drawn_as_circles() -> None:
    position = Position()
    steps = [step.square for step in position.legal_steps]
    assert plain(draw(position, marked=steps))[-3] == "1 │ ·   ·   ·   ○   ▲   ○   ·   ·   · │"


def test_the_wall_of_the_last_ply_stands_out_until_the_next_ply() -> None:
    position = Position()
    position.push(Wall(3, 3, H))
    assert Look.LAST_WALL in {span.look for line in draw(position) for span in line}
    position.push(Step(Square(4, 7)))
    looks = {span.look for line in draw(position) for span in line}
    assert Look.WALL in looks
    assert Look.LAST_WALL not in looks


@pytest.mark.parametrize("picture", BoardPicture)
@pytest.mark.parametrize("size", range(MIN_SIZE, MAX_SIZE + 1))
@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_every_size_has_the_measures_it_announces(size: int, cell: Cell, picture: BoardPicture) -> None:
    lines = draw(Position(size), cell, picture=picture)
    assert len(lines) == cell.board_height(size)
    assert max(map(width_of, lines)) == cell.board_width(size)


@pytest.mark.parametrize("cell", [Cell(1, 1), Cell(3, 1)], ids=str)
def test_numbers_of_two_digits_do_not_run_together(cell: Cell) -> None:
    numbers = plain(draw(Position(25), cell, picture=BoardPicture.LAN))[0].split()
    every = 1 if cell.width == 3 else 2
    assert numbers == [str(column) for column in range(0, 25, every)]


@given(st.lists(st.integers(0, 127), max_size=20), st.sampled_from(CELLS))
def test_every_wall_can_be_read_off_the_drawing(choices: list[int], cell: Cell) -> None:
    position = Position()
    for choice in choices:
        walls = position.legal_walls
        if walls:
            position.push(walls[choice % len(walls)])
    text = "".join(plain(draw(position, cell)))
    count = {kind: sum(wall.orientation is kind for wall in position.walls) for kind in Orientation}
    assert text.count("━") == count[H] * (2 * cell.width + 1)
    assert text.count("┃") == count[V] * (2 * cell.height + 1)


def test_characters_fit_the_encoding() -> None:
    assert glyphs_for("utf-8") is UNICODE
    assert glyphs_for("ascii") is ASCII
    assert glyphs_for("no-such-encoding") is ASCII
    assert glyphs_for(None) is ASCII
    assert all("".join(plain(draw(Position(players=4), cell, ASCII))).isascii() for cell in CELLS)


def test_labels_of_players_have_their_symbol_and_number() -> None:
    players = (1, 2, 3, 4)
    assert [UNICODE.label(player, BoardPicture.LAN) for player in players] == ["▼1", "▲2", "►3", "◄4"]
    assert [UNICODE.label(player) for player in players] == ["▲1", "▼2", "►3", "◄4"]
    assert [ASCII.label(player) for player in players] == ["1", "2", "3", "4"]


def test_two_boards_are_drawn_side_by_side() -> None:
    board = draw(Position(3), Cell(1, 1, framed=False))
    assert plain(beside(board, draw(Position(4), Cell(1, 1, framed=False)), gap=3)) == [
        "· ▼ ·   · · ▼ ·",
        "",
        "· · ·   · · · ·",
        "",
        "· ▲ ·   · · · ·",
        "",
        "        · · ▲ ·",
    ]


def test_drawing_needs_no_rich() -> None:
    program = "import sys, quoridor_net.rules.diagram; sys.exit('rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(("left", "right"), [(3, 1), (1, 3), (2, 2), (0, 2), (2, 0)])
def test_drawings_of_any_heights_stand_beside_each_other(left: int, right: int) -> None:
    lines = beside([(Span("ab"),)] * left, [(Span("c"),)] * right, gap=1)
    gap = "  " if left else ""
    rows = range(max(left, right))
    expected = [("ab" if row < left else gap) + " " + ("c" if row < right else "") for row in rows]
    assert plain(lines) == [line.rstrip() for line in expected]


def test_legend_explains_what_is_drawn() -> None:
    position = Position(players=4)
    position.push(Wall(2, 3, Orientation.HORIZONTAL))
    *drawing, first, second = draw_with_legend(
        position, BoardPicture.LAN, Step(Square(4, 5)), "the move played"
    )
    assert f"{first} {second}" == (
        "▼ player 1; ▲ player 2; ► player 3; ◄ player 4; ━ and ┃ walls; × the move played"
    )
    assert drawing[0].split() == list("012345678")
    assert len(drawing) == 20
