"""Values accept only arguments of the right types, because others would be misread later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from quoridor_net.moves import STANDARD_SIZE, STANDARD_WALLS, default_walls, walls_between
from quoridor_net.rules import Jumps, Orientation, Ply, Position, Square, Step, Wall

H = Orientation.HORIZONTAL
# The arguments are wrong on purpose, so their types are not looked at here.
a_wall: Any = Wall
a_square: Any = Square
a_step: Any = Step
a_ply: Any = Ply
a_position: Any = Position
a_setup: Any = Position.setup


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: a_wall(3, 1, "x"),
            "the orientation of a Wall must be a member of Orientation, 'h' or 'v', not 'x'",
        ),
        (lambda: a_wall("3", 1, H), "a column or row must be an int, not '3'"),
        (lambda: a_wall(3, 1.0, H), "a column or row must be an int, not 1.0"),
        (
            lambda: a_step("e2"),
            "the square of a Step must be a Square or a pair of column and row, not 'e2'",
        ),
        (
            lambda: a_step((4, 1, 0)),
            "the square of a Step must be a Square or a pair of column and row, not (4, 1, 0)",
        ),
        (lambda: a_step((4, 1.0)), "a column or row must be an int, not 1.0"),
        (lambda: a_square("e", 2), "a column or row must be an int, not 'e'"),
        (lambda: a_square(True, 2), "a column or row must be an int, not True"),
        (lambda: a_ply(1, "e2"), "a move must be a Step or a Wall, not 'e2'"),
        (lambda: a_ply("1", None), "the player of a Ply must be an int, not '1'"),
        (lambda: a_position("9"), "the board size must be an int, not '9'"),
        (lambda: a_position(9.0), "the board size must be an int, not 9.0"),
        (lambda: a_position(9, 2.0), "the number of players must be an int, not 2.0"),
        (lambda: a_position(9, 2, "10"), "the number of walls must be an int, not '10'"),
        (
            lambda: a_position(jumps="Official"),
            "the jump rule must be a member of Jumps, 'official' or 'classroom', not 'Official'",
        ),
        (
            lambda: a_setup(["e1", "e9"], [9, 9]),
            "the pawn of player 1 must be a Square or a pair of column and row, not 'e1'",
        ),
        (
            lambda: a_setup([Square(4, 0), Square(4, 8)], [9, "9"]),
            "the number of walls left of player 2 must be an int, not '9'",
        ),
        (
            lambda: a_setup([Square(4, 0), Square(4, 8)], [9, 9], ["e3h"]),
            "a wall must be a Wall, not 'e3h'",
        ),
        (
            lambda: a_setup([Square(4, 0), Square(4, 8)], [9, 9], turn=1.0),
            "the player to move must be an int, not 1.0",
        ),
        (lambda: a_position().copy(jumps=1), "the jump rule must be a member of Jumps"),
        (
            lambda: a_position().push(Step(Square(4, 4)), jumps=True),
            "the jump rule must be a member of Jumps",
        ),
        (
            lambda: a_position().push("e2"),
            "a move must be a Step or a Wall, not 'e2'; play it with push_text, or read it with parse_move",
        ),
        (lambda: a_position().is_legal(Square(4, 1)), "a move must be a Step or a Wall, not Square(column=4"),
        (lambda: a_position().why_illegal(None), "a move must be a Step or a Wall, not None"),
    ],
)
def test_arguments_that_would_be_misread_are_refused(make: Callable[[], object], sentence: str) -> None:
    # A board of this size is known, so nothing is refused only because it is new.
    Position(9)
    with pytest.raises(TypeError) as caught:
        make()
    assert str(caught.value).startswith(sentence)


def test_unambiguous_values_are_converted() -> None:
    assert Step((4, 1)) == Step(Square(4, 1))
    assert Wall(3, 1, "h") == Wall(3, 1, H)
    assert Position.setup([(4, 0), (4, 8)], [10, 10]) == Position()
    assert Position(jumps="classroom").jumps is Jumps.CLASSROOM
    assert Position().copy(jumps="classroom").jumps is Jumps.CLASSROOM
    assert Position.from_line(" /  / e5 e6 / 10 10 / 1", "classroom").jumps is Jumps.CLASSROOM


def test_integers_of_other_libraries_become_pythons_own() -> None:
    square = Square(np.int64(4), np.uint8(1))
    assert (square, type(square.column), type(square.row)) == (Square(4, 1), int, int)


def test_a_square_unpacks_into_column_and_row() -> None:
    column, row = Square(4, 1)
    assert (column, row) == (4, 1)
    assert tuple(Square(2, 7)) == (2, 7)


def test_values_with_parts_of_the_right_type_are_accepted() -> None:
    assert str(Wall(3, 1, H)) == "[(3, 1), h]"
    assert str(Step(Square(4, 1))) == "(4, 1)"
    # Off every board, but a square: whether a board has it is for the rules to say.
    assert Position().why_illegal(Step(Square(-1, 99))) is not None
    assert Ply(1, None).move is None
    assert Position(jumps=Jumps.CLASSROOM).jumps is Jumps.CLASSROOM


def test_a_refused_push_changes_nothing() -> None:
    position: Any = Position()
    with pytest.raises(TypeError):
        position.push("e2")
    assert position == Position()
    assert position.history == ()


@pytest.mark.parametrize("players", [2, 4])
def test_a_standard_board_has_the_walls_of_the_rules(players: int) -> None:
    assert STANDARD_WALLS[players] == default_walls(STANDARD_SIZE, players) == 20 // players


@pytest.mark.parametrize("there", [Square(4, 3), Square(4, 5), Square(3, 4), Square(5, 4)])
def test_each_wall_between_two_squares_blocks_the_step(there: Square) -> None:
    here = Square(4, 4)
    walls = walls_between(here, there)
    assert len(set(walls)) == 2
    for wall in walls:
        position = Position.setup((here, Square(8, 8)), (9, 10), [wall])
        assert not position.is_legal(Step(there))
    assert Position.setup((here, Square(8, 8)), (10, 10)).is_legal(Step(there))
