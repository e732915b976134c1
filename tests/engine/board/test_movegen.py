"""The kernel and the rules library agree on every position of random games."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from quoridor_net.engine.board.convert import load_position, move_of, new_state, number_of
from quoridor_net.engine.board.distances import flood_all
from quoridor_net.engine.board.make import make_move
from quoridor_net.engine.board.movegen import generate_legal_moves
from quoridor_net.engine.board.state import SearchState
from quoridor_net.notation.standard import parse_move
from quoridor_net.rules import Jumps, Move, Position, Step

pytestmark = pytest.mark.compiled("engine")


def kernel_moves(state: SearchState, size: int) -> set[Move]:
    """Return the legal moves of the first frame, which has been flooded, as the kernel sees them."""
    total = generate_legal_moves(state, 0)
    return {move_of(int(number), size) for number in state.lists[0].moves[:total]}


def advance(state: SearchState, number: int) -> None:
    """Make a move from the first frame by the kernel's own means and bring the result back to it."""
    flood_all(state, 0)
    assert make_move(state, 0, number)
    first: Any = state.frames[0]
    first.copy_from(state.frames[1])
    state.frames[0].corridor_ply[:] = state.frames[0].path_ply[:] = -1


@pytest.mark.parametrize("jumps", Jumps)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("size", range(3, 12))
def test_random_games_agree(size: int, players: int, jumps: Jumps) -> None:
    source = random.Random(f"{size} {players} {jumps}")
    state = new_state(size, players)
    played = new_state(size, players)
    for _ in range(3):
        position = Position(size, players, source.randrange(size), jumps)
        load_position(played, position)
        for _ in range(60):
            if position.turn is None:
                break
            load_position(state, position)
            moves = position.legal_moves
            assert flood_all(state, 0)
            assert kernel_moves(state, size) == set(moves)
            for seat, player in enumerate(position.order):
                assert state.frames[0].distances[seat] == position.distance(player)
            assert position.order[int(played.frames[0].turn)] == position.turn
            for field in ("passages", "fits", "touched", "tied", "pawns", "walls_left", "key"):
                found, expected = (getattr(each.frames[0], field) for each in (played, state))
                assert np.array_equal(found, expected), field
            steps_only = [move for move in moves if isinstance(move, Step)]
            move = source.choice(steps_only if steps_only and source.random() < 0.5 else moves)
            position.push(move)
            # The rules skip a player without a move; the kernel leaves that to its caller.
            turn: int | None = position.turn
            if turn is None or turn != _find_next_player(position):
                break
            advance(played, number_of(move, size))


def _find_next_player(position: Position) -> int:
    """Return who moves next if nobody is passed over."""
    order = position.order
    return order[(order.index(position.history[-1].player) + 1) % len(order)]


#: Walls in a ring around d4 to e5 that touches no edge.
RING = ("d3h", "d5h", "c4v", "e4v")


@pytest.mark.parametrize("missing", RING)
@pytest.mark.parametrize("pawn", ["d4", "e5"])
def test_the_last_wall_of_a_ring_around_a_pawn_is_illegal(pawn: str, missing: str) -> None:
    horizontal, vertical = (
        " ".join(wall[:2] for wall in RING if wall != missing and wall[2] == kind) for kind in "hv"
    )
    position = Position.from_line(f"{horizontal} / {vertical} / {pawn} e9 / 8 8 / 1")
    state = new_state(9, 2)
    load_position(state, position)
    flood_all(state, 0)
    found = kernel_moves(state, 9)
    assert found == set(position.legal_moves)
    assert parse_move(missing) not in found


def test_moves_translate_both_ways() -> None:
    for size in (3, 9, 11):
        for move in Position(size).legal_moves:
            assert move_of(number_of(move, size), size) == move


def test_an_eliminated_player_has_no_pawn() -> None:
    position = Position(9, 4)
    position.eliminate(4)
    state = new_state(9, 4)
    load_position(state, position)
    flood_all(state, 0)
    assert state.frames[0].pawns[1] == -1
    assert kernel_moves(state, 9) == set(position.legal_moves)


def test_boards_beyond_the_kernel_are_rejected() -> None:
    with pytest.raises(ValueError, match="boards of 3 to 11 squares, not 12"):
        new_state(12, 2)
