"""Entries of the transposition table keep their numbers apart."""

from __future__ import annotations

import pytest

from quoridor_net.engine.alphabeta import transposition
from quoridor_net.engine.alphabeta.deepening import Deepening
from quoridor_net.engine.board.moves import MOVES, NO_MOVE, PLIES
from quoridor_net.engine.scores import INFINITY

pytestmark = pytest.mark.compiled("engine")


@pytest.mark.parametrize("generation", [0, 1, 255])
@pytest.mark.parametrize(
    ("move", "score", "bound", "depth"),
    [
        (NO_MOVE, -INFINITY, transposition.UPPER, 0),
        (0, 0, transposition.LOWER, 1),
        (MOVES - 1, INFINITY, transposition.EXACT, PLIES),
    ],
)
def test_an_entry_has_the_numbers_that_were_stored(
    generation: int, move: int, score: int, bound: int, depth: int
) -> None:
    # It owns the memory of the table.
    search = Deepening(9, 2, 1)
    state = search.state
    state.generation = generation
    key = state.frames[0].key = 2006
    transposition.store(state, 0, move, score, bound, depth)
    packed = transposition.probe(state, key)
    assert transposition.entry_move(packed) == move
    assert transposition.entry_score(packed, 0) == score
    assert transposition.entry_bound(packed) == bound
    assert transposition.entry_depth(packed) == depth
