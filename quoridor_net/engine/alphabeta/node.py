"""Kernel: the steps at each node that the searches for two and four players share."""

from __future__ import annotations

from quoridor_net.engine.board.moves import PLIES
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.jit import is_late, kernel


@kernel
def begin_node(state: SearchState, ply: int) -> bool:
    """Count the node at ``ply``, record its key, and clear its PV; return whether to stop or pause."""
    state.lines[ply].length = 0
    state.past[state.past_count + ply] = state.frames[ply].key
    state.nodes += 1
    if state.nodes >= state.node_limit or (state.nodes & 255 == 0 and is_late(state)):
        state.stop = 1
    if state.nodes >= state.pause_at:
        state.is_paused = 1
    return is_interrupted(state)


@kernel
def is_interrupted(state: SearchState) -> bool:
    """Return whether the search must stop or pause, so that its result is meaningless."""
    return (state.stop | state.is_paused) != 0


@kernel
def update_pv(state: SearchState, ply: int, move: int) -> None:
    """Set the principal variation from ``ply`` to ``move`` followed by the one from the next ply."""
    line, after = state.lines[ply], state.lines[ply + 1]
    length = min(after.length, PLIES - 2 - ply)
    line.length = length + 1
    line.moves[0] = move
    for index in range(length):
        line.moves[index + 1] = after.moves[index]
