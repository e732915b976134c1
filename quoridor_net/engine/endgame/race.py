"""Kernel: races that distances decide, and wins in one move."""

from __future__ import annotations

from quoridor_net.engine.board.bitboard import load
from quoridor_net.engine.board.movegen import steps
from quoridor_net.engine.board.state import Frame, SearchState
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.scores import RACE_WIN


@kernel
def race_score(state: SearchState, ply: int) -> int:
    """Return the score of a race that distances decide, otherwise 0.

    A player a step ahead of an opponent without walls wins: nothing can lengthen its path, and a meeting of
    the pawns changes the count by one, hardly ever more.
    """
    frame = state.frames[ply]
    seat = frame.turn
    own, other = frame.distances[seat], frame.distances[1 - seat]
    if frame.walls_left[1 - seat] == 0 and own < other:
        return RACE_WIN - ply - 2 * own + 1
    if frame.walls_left[seat] == 0 and other <= own - 2:
        return 2 * other + ply - RACE_WIN
    return 0


@kernel
def can_win(state: SearchState, frame: Frame) -> bool:
    """Return whether the seat to move can step onto its goal line."""
    seat = frame.turn
    if frame.distances[seat] > 2:
        return False
    return bool(steps(state, frame) & load(state.goals[seat]))
