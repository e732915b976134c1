"""What a step does to the kernel's distances: with pawns side by side, jumps lead far."""

from __future__ import annotations

import random

import pytest

from quoridor_net.engine import Limits, Searcher, layout
from quoridor_net.engine.floods import flood_all
from quoridor_net.engine.memory import load, new_memory, number_of
from quoridor_net.engine.plays import play_step
from quoridor_net.rules import Jumps, Position, Square, Step
from tests.support.positions import crowded_position

pytestmark = pytest.mark.compiled("engine")


AFTER = layout.ROWS + layout.ROW


@pytest.mark.parametrize("jumps", Jumps)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("size", [4, 5, 7, 9])
def test_distances_after_every_step_are_those_of_the_rules(size: int, players: int, jumps: Jumps) -> None:
    source = random.Random(f"{size} {players} {jumps}")
    memory = new_memory(size, players)
    changes = set()
    for _ in range(400):
        position = crowded_position(source, size, players, jumps)
        load(memory, position)
        assert flood_all(memory, 0) == 1
        mover = position.turn
        assert mover is not None
        before = position.distance(mover)
        assert before is not None
        for step in position.legal_moves:
            if not isinstance(step, Step):
                continue
            play_step(memory, 0, number_of(step, size))
            position.push(step)
            for seat, player in enumerate(position.order):
                assert memory[AFTER + layout.DISTANCE + seat] == position.distance(player)
            after = position.distance(mover)
            assert after is not None
            changes.add(after - before)
            position.pop()
    farthest = players if jumps is Jumps.CLASSROOM else 2
    assert {min(changes), max(changes)} == {-farthest, farthest} or size < 2 * farthest


def test_a_jump_over_two_pawns_that_gains_three_is_not_taken_for_a_win() -> None:
    pawns = [Square(4, 1), Square(4, 2), Square(4, 3), Square(8, 0)]
    position = Position.setup(pawns, [0] * 4, jumps=Jumps.CLASSROOM)
    found = Searcher(9, 4, 1).choose(position, Limits(depth=1))
    assert found.move == Step(Square(4, 4))
    # Players 2 and 4 are nearer to their goal lines than player 1 is even now.
    assert found.score < 0
