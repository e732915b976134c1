"""Kernel: perft, the count of move sequences, with the move generation of the search.

The moves of the last ply are counted without playing them, with
:func:`quoridor_net.engine.board.movegen.illegal_walls`.
"""

from __future__ import annotations

from quoridor_net.engine.board.bitboard import count, lowest, without_lowest
from quoridor_net.engine.board.convert import load_position, new_state
from quoridor_net.engine.board.distances import flood_all, flood_rest, is_goal, path_of
from quoridor_net.engine.board.make import give_turn, make_step, make_wall, next_seat
from quoridor_net.engine.board.movegen import find_fitting_walls, generate_legal_moves, illegal_walls, steps
from quoridor_net.engine.board.moves import HORIZONTAL, VERTICAL
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.jit import kernel, recursive
from quoridor_net.jit.records import kernel_type
from quoridor_net.jit.types import NUMBER
from quoridor_net.rules import Position


@kernel
def _pass_over(state: SearchState, ply: int) -> bool:
    """Give the turn to the next seat that has a move; return whether there is one."""
    frame = state.frames[ply]
    for _ in range(state.players - 1):
        give_turn(state, frame, next_seat(state, frame))
        if generate_legal_moves(state, ply) > 0:
            return True
    return False


@kernel
def _count_moves(state: SearchState, ply: int) -> int:
    """Return the number of legal moves at ``ply``."""
    frame = state.frames[ply]
    total = count(steps(state, frame))
    if frame.walls_left[frame.turn] > 0:
        horizontal, vertical = illegal_walls(state, ply)
        total += count(find_fitting_walls(frame, 0)) - count(horizontal)
        total += count(find_fitting_walls(frame, 1)) - count(vertical)
    return total


@recursive(NUMBER(kernel_type(SearchState), NUMBER, NUMBER))
def perft(state: SearchState, ply: int, depth: int) -> int:
    """Return the number of move sequences of ``depth`` plies from the frame at ``ply``.

    The last ply is counted without playing it. Skipping a seat without a move does not count as a ply.
    """
    if depth == 1:
        total = _count_moves(state, ply)
        if total == 0 and _pass_over(state, ply):
            return _count_moves(state, ply)
        return total
    frame = state.frames[ply]
    flood_rest(state, ply)
    # Find the paths here, because most moves do not change them and need not find them again.
    for seat in range(state.players):
        if frame.pawns[seat] >= 0:
            path_of(state, ply, seat)
    total = moves = 0
    targets = steps(state, frame)
    while targets:
        square = lowest(targets)
        targets = without_lowest(targets)
        moves += 1
        make_step(state, ply, square)
        if not is_goal(state, frame.turn, square):
            total += perft(state, ply + 1, depth - 1)
    for orientation in range(2):
        walls = find_fitting_walls(frame, orientation)
        first = VERTICAL if orientation else HORIZONTAL
        while walls:
            anchor = lowest(walls)
            walls = without_lowest(walls)
            if make_wall(state, ply, first + anchor):
                moves += 1
                total += perft(state, ply + 1, depth - 1)
    if moves == 0 and _pass_over(state, ply):
        return perft(state, ply, depth)
    return total


def count_sequences(position: Position, depth: int) -> int:
    """Return the number of move sequences of exactly ``depth`` plies from ``position``.

    A game that is over has none.

    Raises:
        ValueError: the depth is not positive, or the kernel does not handle boards of this size.
    """
    if depth < 1:
        raise ValueError(f"the depth must be positive: {depth}")
    if position.turn is None:
        return 0
    state = new_state(position.size, position.players)
    load_position(state, position)
    flood_all(state, 0)
    return int(perft(state, 0, depth))
