"""What moves do to the kernel's distances: with pawns side by side, jumps lead far."""

from __future__ import annotations

import random

import pytest

from quoridor_net.engine import Limits
from quoridor_net.engine.alphabeta.best_reply import list_moves, make_move_and_advance
from quoridor_net.engine.board.convert import load_position, move_of, new_state, number_of
from quoridor_net.engine.board.distances import flood_all, flood_rest
from quoridor_net.engine.board.make import make_move, make_step
from quoridor_net.engine.board.movegen import generate_cuts
from quoridor_net.engine.board.moves import MADE, NO_MOVE
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.searcher import Searcher
from quoridor_net.rules import TURN_ORDER, Jumps, Position, Square, Step, Wall
from tests.support.positions import crowded_position

pytestmark = pytest.mark.compiled("engine")


@pytest.mark.parametrize("jumps", Jumps)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("size", [4, 5, 7, 9])
def test_distances_after_every_step_are_those_of_the_rules(size: int, players: int, jumps: Jumps) -> None:
    source = random.Random(f"{size} {players} {jumps}")
    state = new_state(size, players)
    changes = set()
    for _ in range(200):
        position = crowded_position(source, size, players, jumps)
        load_position(state, position)
        assert flood_all(state, 0)
        mover = position.turn
        assert mover is not None
        before = position.distance(mover)
        assert before is not None
        for step in position.legal_moves:
            if not isinstance(step, Step):
                continue
            make_step(state, 0, number_of(step, size))
            position.push(step)
            for seat, player in enumerate(position.order):
                assert state.frames[1].distances[seat] == position.distance(player)
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


def position_at(state: SearchState, ply: int, jumps: Jumps) -> Position:
    """Return the position at ``ply`` as the rules set it up."""
    frame = state.frames[ply]
    size, players = int(state.board_size), int(state.players)
    pawns: list[Square | None] = [None] * players
    left = [0] * players
    for seat, player in enumerate(TURN_ORDER[players]):
        pawn = int(frame.pawns[seat])
        pawns[player - 1] = Square(pawn % size, pawn // size)
        left[player - 1] = int(frame.walls_left[seat])
    walls = []
    for number in state.placed[: frame.wall_count]:
        wall = move_of(int(number), size)
        assert isinstance(wall, Wall)
        walls.append(wall)
    turn = TURN_ORDER[players][int(frame.turn)]
    return Position.setup(pawns, left, walls, turn, size, jumps)


@pytest.mark.parametrize("jumps", Jumps)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("size", [5, 9])
def test_distances_along_the_lines_of_a_search_are_those_of_the_rules(
    size: int, players: int, jumps: Jumps
) -> None:
    """With four players each rival's reply comes with steps of the other rivals."""
    source = random.Random(f"{size} {players} {jumps}")
    state = new_state(size, players)
    compared = 0
    for _ in range(12):
        load_position(state, crowded_position(source, size, players, jumps))
        state.root_seat = state.frames[0].turn
        assert flood_all(state, 0)
        for ply in range(8):
            flood_rest(state, ply)
            total = generate_cuts(state, ply) if players == 2 else list_moves(state, ply, NO_MOVE)
            moves = [int(move) for move in state.lists[ply].moves[:total]]
            is_over = True
            # A search tries several moves before it follows one of them.
            for move in source.sample(moves, min(len(moves), 4)):
                make = make_move if players == 2 else make_move_and_advance
                outcome = make(state, ply, move)
                is_over = outcome != MADE
                if is_over:
                    continue
                after = position_at(state, ply + 1, jumps)
                found = state.frames[ply + 1].distances[:players]
                assert [int(each) for each in found] == [after.distance(player) for player in after.order]
                compared += 1
            if is_over:
                break
    assert compared > 50
