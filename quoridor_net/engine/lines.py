"""Kernel: what the searches for two and for four players share: nodes, lines and playing listed moves."""

from __future__ import annotations

from quoridor_net.engine.compiled import is_late, kernel
from quoridor_net.engine.layout import (
    HORIZONTAL,
    IS_PAUSED,
    KEY,
    LINE,
    LINES,
    NODE_LIMIT,
    NODES,
    PAST,
    PAST_COUNT,
    PAUSE_AT,
    PLIES,
    ROW,
    ROWS,
    RUN,
    STOP,
    TURN,
)
from quoridor_net.engine.plays import play_step, play_wall
from quoridor_net.engine.sets import is_goal
from quoridor_net.engine.words import Words


@kernel
def begin_node(memory: Words, ply: int) -> int:
    """Count the node at ``ply``, note its key, and empty its line; return 1 when it must stop or pause."""
    memory[LINES + ply * LINE] = 0
    memory[PAST + memory[PAST_COUNT] + ply] = memory[ROWS + ply * ROW + KEY]
    memory[NODES] += 1
    if memory[NODES] >= memory[NODE_LIMIT] or (memory[NODES] & 255 == 0 and is_late(memory)):
        memory[STOP] = 1
    if memory[NODES] >= memory[PAUSE_AT]:
        memory[IS_PAUSED] = 1
    return memory[STOP] | memory[IS_PAUSED]


@kernel
def is_repeated(memory: Words, ply: int) -> int:
    """Return 1 if the position stood on the board before, since the last wall."""
    row = ROWS + ply * ROW
    now = PAST + memory[PAST_COUNT] + ply
    back = 4
    while back <= memory[row + RUN]:
        if memory[now - back] == memory[row + KEY]:
            return 1
        back += 2
    return 0


@kernel
def play(memory: Words, ply: int, move: int) -> int:
    """Play ``move`` into the next row; return 0 if it is illegal, 2 if it wins, else 1."""
    if move >= HORIZONTAL:
        return play_wall(memory, ply, move)
    play_step(memory, ply, move)
    return 1 + is_goal(memory, memory[ROWS + ply * ROW + TURN], move)


@kernel
def keep_line(memory: Words, ply: int, move: int) -> None:
    """Make the best line from ``ply`` the move and the best line after it."""
    line = LINES + ply * LINE
    after = line + LINE
    length = min(memory[after], PLIES - 2 - ply)
    memory[line] = length + 1
    memory[line + 1] = move
    for index in range(length):
        memory[line + 2 + index] = memory[after + 1 + index]
