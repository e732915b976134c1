"""One move, written in every notation: identity around the circle.

The table is that of docs/reference/notations.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.notation import athens, lan, reading, standard
from quoridor_net.rules import Move, Orientation, Square, Step, Wall
from quoridor_net.text import UnparsableError

SIZES = range(3, 26)
H, V = Orientation.HORIZONTAL, Orientation.VERTICAL


def all_moves(size: int) -> list[Move]:
    squares: list[Move] = [Step(Square(column, row)) for column in range(size) for row in range(size)]
    anchors = range(size - 1)
    return squares + [Wall(column, row, way) for column in anchors for row in anchors for way in Orientation]


@pytest.mark.parametrize("size", SIZES)
def test_moves_survive_conversion_through_all_notations(size: int) -> None:
    texts: tuple[set[str], set[str], set[str]] = (set(), set(), set())
    moves = all_moves(size)
    for move in moves:
        as_lan = str(move)
        as_athens = athens.format_move(lan.parse_move(as_lan), size)
        as_standard = standard.format_move(athens.parse_move(as_athens, size))
        assert standard.parse_move(as_standard, size) == move
        for seen, text in zip(texts, (as_lan, as_athens, as_standard), strict=True):
            seen.add(text)
    assert all(len(seen) == len(moves) for seen in texts)


# docs/decisions.md, Notations: on a fixed board replay (f, r) is Athens (f, r+1) and LAN [(f, 8-r)]. In a
# recorded game the first mover starts at E1: LAN (c, r), pawn or wall, becomes file c, rank r+1, and Athens
# rank r, pawn or wall, becomes 10-r.
@pytest.mark.parametrize(
    ("as_lan", "as_athens", "as_standard"),
    [
        # Player 1 starts at (4, 0); black, who moves first, at E9; in a recorded game the first mover at E1.
        ("(4, 0)", "E9", "e1"),
        ("(4, 8)", "E1", "e9"),
        ("(0, 0)", "A9", "a1"),
        ("(8, 8)", "I1", "i9"),
        ("(8, 0)", "I9", "i1"),
        ("(4, 1)", "E8", "e2"),
        # Athens "E3 h" closes E3|E2 and F3|F2: north-west of the centre.
        ("[(4, 6), h]", "E3 horizontal", "e7h"),
        ("[(4, 6), v]", "E3 vertical", "e7v"),
        # Valid anchors: LAN 0-7, 0-7; Athens A-H, 2-9; standard a-h, 1-8.
        ("[(0, 0), h]", "A9 horizontal", "a1h"),
        ("[(7, 7), h]", "H2 horizontal", "h8h"),
        ("[(0, 7), v]", "A2 vertical", "a8v"),
        ("[(7, 0), v]", "H9 vertical", "h1v"),
        # The walls of the diagram in the 2016 document.
        ("[(1, 0), v]", "B9 vertical", "b1v"),
        ("[(2, 6), h]", "C3 horizontal", "c7h"),
        ("[(6, 5), v]", "G4 vertical", "g6v"),
        ("[(7, 5), h]", "H4 horizontal", "h6h"),
    ],
)
def test_notations_agree_with_the_table(as_lan: str, as_athens: str, as_standard: str) -> None:
    move = lan.parse_move(as_lan)
    assert str(move) == as_lan
    assert (athens.format_move(move), athens.parse_move(as_athens)) == (as_athens, move)
    assert (standard.format_move(move), standard.parse_move(as_standard)) == (as_standard, move)


def test_ranks_of_a_recorded_game_start_at_player_1() -> None:
    for column, letter in enumerate("abcdefghi"):
        for row in range(9):
            step = Step(Square(column, row))
            assert standard.format_move(step) == f"{letter}{row + 1}"
            assert athens.format_move(step) == f"{letter.upper()}{10 - (row + 1)}"
            wall = Wall(column, row, H)
            assert standard.format_move(wall) == f"{letter}{row + 1}h"
            assert athens.format_move(wall) == f"{letter.upper()}{10 - (row + 1)} horizontal"


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("E3 horizontal", {("E3", "E2"), ("F3", "F2")}),
        ("E3 vertical", {("E3", "F3"), ("E2", "F2")}),
    ],
)
def test_athens_walls_close_the_edges_of_the_table(text: str, edges: set[tuple[str, str]]) -> None:
    wall = athens.parse_move(text)
    assert isinstance(wall, Wall)
    closed = set()
    for step in (0, 1):
        if wall.orientation is H:
            here, there = Square(wall.column + step, wall.row), Square(wall.column + step, wall.row + 1)
        else:
            here, there = Square(wall.column, wall.row + step), Square(wall.column + 1, wall.row + step)
        closed.add((athens.format_vertex(here), athens.format_vertex(there)))
    assert closed == edges


@pytest.mark.parametrize(
    "text",
    ["(4,1)", " ( 4 , 1 ) ", "(4,\t1)", "(04, 01)"],
)
def test_lan_steps_are_read_liberally(text: str) -> None:
    assert lan.parse_move(text) == Step(Square(4, 1))


@pytest.mark.parametrize(
    "text", ["[(3,1),v]", "[(3, 1), V]", "[ ( 3 , 1 ) , w ]", "[(3, 1), W]", "\t[(3, 1), v]\r"]
)
def test_lan_walls_are_read_liberally(text: str) -> None:
    # docs/decisions.md, Protocol: "`w` for a vertical wall (the document says "h or w" once)".
    assert lan.parse_move(text) == Wall(3, 1, V)


@pytest.mark.parametrize(
    "text",
    [
        "", "4 1", "(4 1)", "(4, 1", "4, 1)", "(4, 1))", "(4, 1) x", "(-4, 1)", "(4, 1, h)", "(4.0, 1)",
        "(100, 1)", "[(3, 1)]", "[(3, 1) h]", "[(3, 1), x]", "[(3, 1), hh]", "(3, 1), h", "(٤, 1)",
        "(4, 1)\n(4, 2)",
    ],
)  # fmt: skip
def test_unparsable_lan_moves_are_rejected(text: str) -> None:
    with pytest.raises(UnparsableError, match="is not a move: expected"):
        lan.parse_move(text)


@pytest.mark.parametrize("text", ["e3", "E3", "e03"])
def test_athens_vertices_are_not_case_sensitive(text: str) -> None:
    # athens-qtp-2015 section 2.2: "Vertices are not case sensitive".
    assert athens.parse_vertex(text) == Square(4, 6)


@pytest.mark.parametrize(
    ("text", "size", "message"),
    [
        ("", 9, "is not a vertex"),
        ("E", 9, "is not a vertex"),
        ("E0", 9, "is not a vertex"),
        ("3E", 9, "is not a vertex"),
        ("Z3", 9, "is not a vertex"),
        ("E3x", 9, "is not a vertex"),
        ("E100", 9, "is not a vertex"),
        ("\u212a3", 25, "is not a vertex"),
        ("J1", 9, "'J1' is off the board: vertices go from A1 to I9"),
        ("A10", 9, "'A10' is off the board: vertices go from A1 to I9"),
        ("Y25", 24, "'Y25' is off the board: vertices go from A1 to X24"),
    ],
)
def test_unparsable_vertices_are_rejected(text: str, size: int, message: str) -> None:
    with pytest.raises(UnparsableError, match=message):
        athens.parse_vertex(text, size)


@pytest.mark.parametrize("text", ["", "E3 h v", "E3 diagonal", "horizontal"])
def test_unparsable_athens_moves_are_rejected(text: str) -> None:
    with pytest.raises(UnparsableError):
        athens.parse_move(text)


def test_athens_colours_and_orientations_are_parsed() -> None:
    # Section 2.2: "white" or "w", "black" or "b", "horizontal" or "h", "vertical" or "v"; not case sensitive.
    assert {athens.parse_colour(text) for text in ("black", "B", "Black")} == {1}
    assert {athens.parse_colour(text) for text in ("white", "w", "WHITE")} == {2}
    assert {athens.parse_orientation(text) for text in ("h", "HORIZONTAL")} == {H}
    assert {athens.parse_orientation(text) for text in ("V", "vertical")} == {V}
    assert athens.COLOUR_OF_PLAYER == {1: "black", 2: "white"}
    with pytest.raises(UnparsableError, match="'grey' is not a color: expected white or black"):
        athens.parse_colour("grey")
    with pytest.raises(UnparsableError, match="'x' is not an orientation: expected horizontal or vertical"):
        athens.parse_orientation("x")


@pytest.mark.parametrize("text", ["E3H", " e3h ", "e3h"])
def test_standard_moves_are_read_liberally(text: str) -> None:
    assert standard.parse_move(text) == Wall(4, 2, H)


@pytest.mark.parametrize(
    ("text", "size", "message"),
    [
        ("", 9, "is not a move"),
        ("e", 9, "is not a move"),
        ("e0", 9, "is not a move"),
        ("e03", 9, "is not a move"),
        ("e3 h", 9, "is not a move"),
        ("e3x", 9, "is not a move"),
        ("z1", 25, "is not a move"),
        ("j1", 9, "'j1' is off the board: squares go from a1 to i9"),
        ("a10h", 9, "'a10h' is off the board: squares go from a1 to i9"),
    ],
)
def test_unparsable_standard_moves_are_rejected(text: str, size: int, message: str) -> None:
    with pytest.raises(UnparsableError, match=message):
        standard.parse_move(text, size)


def test_a_wall_is_not_a_square() -> None:
    with pytest.raises(UnparsableError, match="'e3h' is not a square: expected one like e2"):
        standard.parse_square("e3h")


@given(st.text(), st.integers(3, 25))
def test_any_text_is_a_move_or_unparsable(text: str, size: int) -> None:
    for parse in (
        lan.parse_move,
        lambda text: athens.parse_move(text, size),
        lambda text: standard.parse_move(text, size),
    ):
        try:
            move = parse(text)
        except UnparsableError as error:
            assert "\n" not in str(error)  # noqa: PT017
        else:
            assert isinstance(move, (Step, Wall))


@pytest.mark.parametrize(
    "parse", [standard.parse_move, athens.parse_move, lan.parse_move, reading.parse_move]
)
@pytest.mark.parametrize("text", [None, 5, b"e2"])
def test_only_strings_are_read(parse: Callable[[Any], Move], text: object) -> None:
    with pytest.raises(TypeError, match=r"^a written move must be a str, not "):
        parse(text)


def test_the_size_of_a_board_is_an_integer() -> None:
    with pytest.raises(TypeError, match=r"^the board size must be an int, not 9\.0$"):
        reading.parse_move("e2", 9.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("player", [1, 2])
@pytest.mark.parametrize("size", [3, 9, 25])
def test_commands_for_moves_survive_writing_and_reading(size: int, player: int) -> None:
    for move in all_moves(size):
        text = athens.format_play(player, move, size)
        assert text.startswith("playmove " if isinstance(move, Step) else "playwall ")
        assert athens.parse_play(text.split(), size) == (player, move)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("playmove white", "playmove needs a color and a vertex"),
        ("playmove white E2 vertical", "playmove needs a color and a vertex"),
        ("playwall white E2", "playwall needs a color, a vertex and an orientation"),
        ("playwall white E2 vertical now", "playwall needs a color, a vertex and an orientation"),
    ],
)
def test_commands_with_other_numbers_of_words_are_not_read(text: str, reason: str) -> None:
    with pytest.raises(UnparsableError, match=f"^{reason}$"):
        athens.parse_play(text.split())
