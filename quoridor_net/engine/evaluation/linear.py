"""Kernel: inputs of the linear evaluation for two players.

====  =================================================================================
term  the rival's minus the player's own, unless stated otherwise
====  =================================================================================
0     distance
1     always 1: the value of having the move
2     steps that a single wall can block
3     walls that cut all shortest paths
4     walls that cut a shortest path
5     distance, times the sum of both counts of walls in hand
6     walls in hand, the player's own minus the rival's, times the sum of both distances
7     rows to the goal line, ignoring walls
====  =================================================================================

Their weights are in :mod:`quoridor_net.engine.evaluation.weights`.
"""

from __future__ import annotations

from quoridor_net.engine.board.bitboard import count, load
from quoridor_net.engine.board.distances import corridor_of
from quoridor_net.engine.board.state import Frame, SearchState
from quoridor_net.engine.jit import kernel


@kernel
def _openness(state: SearchState, ply: int, seat: int) -> tuple[int, int, int]:
    """Return how easily walls stop ``seat``.

    Returns:
        The number of narrow steps, of walls that cut all shortest paths, and of walls that cut one; all 0
        when the other seat has no walls.
    """
    frame = state.frames[ply]
    if frame.walls_left[1 - seat] == 0:
        return 0, 0, 0
    corridor = corridor_of(state, ply, seat)
    chokes = cuts = 0
    for orientation in range(2):
        fits = load(frame.fits[orientation])
        chokes += count(load(corridor.chokes[orientation]) & fits)
        cuts += count(load(corridor.cuts[orientation]) & fits)
    return corridor.narrow, chokes, cuts


@kernel
def _rows_to_goal(state: SearchState, frame: Frame, seat: int) -> int:
    """Return how many rows the pawn of ``seat`` is from its goal line, ignoring walls."""
    row = frame.pawns[seat] // state.board_size
    return row if seat == 1 else state.board_size - 1 - row


@kernel
def measure(state: SearchState, ply: int) -> None:
    """Write the terms of the position at ``ply`` to the state, as the seat to move sees them."""
    frame = state.frames[ply]
    seat = frame.turn
    own, other = frame.distances[seat], frame.distances[1 - seat]
    own_walls, other_walls = frame.walls_left[seat], frame.walls_left[1 - seat]
    own_narrow, own_chokes, own_cuts = _openness(state, ply, seat)
    narrow, chokes, cuts = _openness(state, ply, 1 - seat)
    state.terms[0] = other - own
    state.terms[1] = 1
    state.terms[2] = narrow - own_narrow
    state.terms[3] = chokes - own_chokes
    state.terms[4] = cuts - own_cuts
    state.terms[5] = (other - own) * (own_walls + other_walls)
    state.terms[6] = (own_walls - other_walls) * (own + other)
    state.terms[7] = _rows_to_goal(state, frame, 1 - seat) - _rows_to_goal(state, frame, seat)
