"""The board reflected: columns in reverse, rows in reverse, half a turn."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.rules import Move, Orientation, Position, Square, Step, Wall
from quoridor_net.rules.symmetry import reflect

MOVES = st.builds(Square, st.integers(0, 24), st.integers(0, 24)).flatmap(
    lambda square: st.sampled_from(
        [Step(square), *(Wall(square.column, square.row, orientation) for orientation in Orientation)]
    )
)


@given(st.integers(3, 25), MOVES, st.booleans(), st.booleans())
def test_reflecting_twice_is_the_identity(size: int, move: Move, columns: bool, rows: bool) -> None:
    once = reflect(move, size, columns=columns, rows=rows)
    assert reflect(once, size, columns=columns, rows=rows) == move


def test_squares_and_walls_are_reflected() -> None:
    assert reflect(Square(1, 0), 9, columns=True) == Square(7, 0)
    assert reflect(Square(1, 0), 9, rows=True) == Square(1, 8)
    wall = Wall(1, 0, Orientation.VERTICAL)
    assert reflect(wall, 9, columns=True, rows=True) == Wall(6, 7, Orientation.VERTICAL)


def test_half_a_turn_exchanges_the_players_of_a_game_of_two() -> None:
    position = Position()
    moves = {reflect(move, 9, columns=True, rows=True) for move in position.legal_moves}
    position.give_turn(2)
    assert moves == set(position.legal_moves)
