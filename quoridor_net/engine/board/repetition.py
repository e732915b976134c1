"""Kernel: repetition of positions."""

from __future__ import annotations

from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.jit import kernel


@kernel
def is_repeated(state: SearchState, ply: int) -> bool:
    """Return whether the position at ``ply`` occurred before, since the last wall."""
    frame = state.frames[ply]
    now = state.past_count + ply
    for back in range(4, frame.reversible + 1, 2):
        if state.past[now - back] == frame.key:
            return True
    return False
