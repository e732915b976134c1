"""What moves do to the kernel's distances: with pawns side by side, jumps lead far."""

from __future__ import annotations

import random

import pytest

from quoridor_net.engine import Limits, Searcher, layout
from quoridor_net.engine.floods import flood_all
from quoridor_net.engine.lines import play
from quoridor_net.engine.many import fill_many, play_many
from quoridor_net.engine.memory import load, move_of, new_memory, number_of
from quoridor_net.engine.ordering import fill
from quoridor_net.engine.plays import flood_rest, play_step
from quoridor_net.engine.words import Words
from quoridor_net.rules import TURN_ORDER, Jumps, Position, Square, Step, Wall
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


def position_at(memory: Words, ply: int, jumps: Jumps) -> Position:
    """Return the position in the row at ``ply`` as the rules set it up."""
    row = layout.ROWS + ply * layout.ROW
    size, players = int(memory[layout.SIZE]), int(memory[layout.PLAYERS])
    pawns: list[Square | None] = [None] * players
    left = [0] * players
    for seat, player in enumerate(TURN_ORDER[players]):
        pawn = int(memory[row + layout.PAWN + seat])
        pawns[player - 1] = Square(pawn % size, pawn // size)
        left[player - 1] = int(memory[row + layout.LEFT + seat])
    walls = []
    for number in memory[layout.PLACED : layout.PLACED + int(memory[row + layout.WALL_COUNT])]:
        wall = move_of(int(number), size)
        assert isinstance(wall, Wall)
        walls.append(wall)
    turn = TURN_ORDER[players][int(memory[row + layout.TURN])]
    return Position.setup(pawns, left, walls, turn, size, jumps)


@pytest.mark.parametrize("jumps", Jumps)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("size", [5, 9])
def test_distances_along_the_lines_of_a_search_are_those_of_the_rules(
    size: int, players: int, jumps: Jumps
) -> None:
    """With four players each rival's reply comes with steps of the other rivals."""
    source = random.Random(f"{size} {players} {jumps}")
    memory = new_memory(size, players)
    compared = 0
    for _ in range(25):
        load(memory, crowded_position(source, size, players, jumps))
        memory[layout.ROOT_SEAT] = memory[layout.ROWS + layout.TURN]
        assert flood_all(memory, 0) == 1
        for ply in range(8):
            flood_rest(memory, ply)
            total = fill(memory, ply) if players == 2 else fill_many(memory, ply, layout.NO_MOVE)
            moves = [int(move) for move in memory[layout.LISTS : layout.LISTS + layout.LIST * (ply + 1)]]
            moves = moves[layout.LIST * ply :][:total]
            is_over = True
            # A search tries several moves before it follows one of them.
            for move in source.sample(moves, min(len(moves), 4)):
                outcome = play(memory, ply, move) if players == 2 else play_many(memory, ply, move)
                is_over = outcome != 1
                if is_over:
                    continue
                after = position_at(memory, ply + 1, jumps)
                found = memory[layout.ROWS + (ply + 1) * layout.ROW + layout.DISTANCE :][:players]
                assert [int(each) for each in found] == [after.distance(player) for player in after.order]
                compared += 1
            if is_over:
                break
    assert compared > 100
