"""Kernel: perft, the count of move sequences, with the move generation of the search.

The moves of the last ply are counted without playing them, with
:func:`quoridor_net.engine.board.movegen.illegal_walls`. The frames have no distances.
"""

from __future__ import annotations

from quoridor_net.engine.board.bitboard import count, holds, load, lowest, without_lowest
from quoridor_net.engine.board.convert import load_position, new_state
from quoridor_net.engine.board.distances import flood_all, is_goal, path_of
from quoridor_net.engine.board.make import give_turn, next_seat, push_step, push_wall
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


@kernel
def _push_wall(state: SearchState, ply: int, orientation: int, anchor: int) -> None:
    """Push the position after a legal wall; the paths that it does not cut stay known."""
    push_wall(state, ply, anchor + (VERTICAL if orientation else HORIZONTAL))
    frame = state.frames[ply + 1]
    for seat in range(state.players):
        known = frame.path_ply[seat]
        if known >= 0 and holds(load(state.paths[known, seat].cuts[orientation]), anchor):
            frame.path_ply[seat] = -1


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
    total = moves = 0
    targets = steps(state, frame)
    while targets:
        square = lowest(targets)
        targets = without_lowest(targets)
        moves += 1
        push_step(state, ply, square)
        if not is_goal(state, frame.turn, square):
            total += perft(state, ply + 1, depth - 1)
    if frame.walls_left[frame.turn] > 0:
        # Find the paths here, because most walls do not cut them.
        for seat in range(state.players):
            if frame.pawns[seat] >= 0:
                path_of(state, ply, seat)
        illegal = illegal_walls(state, ply)
        for orientation in range(2):
            walls = load(frame.fits[orientation]) & ~illegal[orientation]
            while walls:
                _push_wall(state, ply, orientation, lowest(walls))
                walls = without_lowest(walls)
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
