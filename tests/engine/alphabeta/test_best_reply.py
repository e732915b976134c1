"""Best-reply search considers walls against all rivals that are as near their goals as the nearest."""

from __future__ import annotations

import pytest

from quoridor_net.engine.alphabeta.best_reply import list_moves
from quoridor_net.engine.alphabeta.move_ordering import MOVE_MASK
from quoridor_net.engine.board.convert import load_position, move_of, new_state
from quoridor_net.engine.board.distances import flood_all
from quoridor_net.engine.board.moves import NO_MOVE, SEATS
from quoridor_net.rules import Orientation, Position, Square, Wall

pytestmark = pytest.mark.compiled("engine")


@pytest.mark.parametrize("column", range(9))
def test_a_rival_as_near_as_the_others_is_blocked_on_every_column(column: int) -> None:
    # Player 1 goes up, players 3 and 4 cross the board, all as far from their goals as player 1.
    pawns = [Square(column, 0), Square(4, 8), Square(0, 4), Square(8, 4)]
    position = Position.setup(pawns, [3] * SEATS, turn=2, size=9)
    state = new_state(9, SEATS)
    load_position(state, position)
    assert flood_all(state, 0)
    state.root_seat = state.frames[0].turn
    total = list_moves(state, 0, NO_MOVE)
    listed = {move_of(int(move) & MOVE_MASK, 9) for move in state.lists[0].moves[:total]}
    across = {
        Wall(left, row, Orientation.HORIZONTAL)
        for left in (column - 1, column)
        for row in range(8)
        if 0 <= left < 8
    }
    assert across <= listed
