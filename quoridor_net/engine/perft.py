"""Kernel: counting move sequences, the ground truth of move generation."""

from __future__ import annotations

from quoridor_net.engine.compiled import kernel, recursive
from quoridor_net.engine.layout import HORIZONTAL, PLAYERS, ROW, ROWS, TURN, VERTICAL
from quoridor_net.engine.memory import load, new_memory
from quoridor_net.engine.plays import (
    find_paths,
    give_turn,
    has_move,
    keep_paths,
    legal_walls,
    next_seat,
    put_step,
    put_wall,
)
from quoridor_net.engine.sets import count, is_goal, lowest, single, steps
from quoridor_net.engine.words import Words
from quoridor_net.rules import Position


@kernel
def _pass_over(memory: Words, ply: int) -> int:
    """Give the turn to the next seat that has a move; return 0 if there is none, else 1."""
    row = ROWS + ply * ROW
    for _ in range(memory[PLAYERS] - 1):
        give_turn(memory, row, next_seat(memory, row))
        if has_move(memory, ply):
            return 1
    return 0


@recursive("i8(i8[::1], i8, i8)")
def perft(memory: Words, ply: int, depth: int) -> int:
    """Return the number of move sequences of ``depth`` plies from the row at ``ply``, whose paths are known.

    The last ply is counted without playing it. A seat without a move is passed over, which is no ply.
    """
    row = ROWS + ply * ROW
    low, high = steps(memory, row)
    if depth == 1 and low | high:
        h_low, h_high, v_low, v_high = legal_walls(memory, ply)
        return count(low, high) + count(h_low, h_high) + count(v_low, v_high)
    h_low, h_high, v_low, v_high = legal_walls(memory, ply)
    if low | high | h_low | h_high | v_low | v_high == 0:
        if not _pass_over(memory, ply):
            return 0
        return perft(memory, ply, depth)
    if depth == 1:
        return count(low, high) + count(h_low, h_high) + count(v_low, v_high)
    total = 0
    while low | high:
        square = lowest(low, high)
        one_low, one_high = single(square)
        low, high = low & ~one_low, high & ~one_high
        put_step(memory, ply, square)
        if not is_goal(memory, memory[row + TURN], square):
            keep_paths(memory, ply)
            total += perft(memory, ply + 1, depth - 1)
    while h_low | h_high:
        anchor = lowest(h_low, h_high)
        one_low, one_high = single(anchor)
        h_low, h_high = h_low & ~one_low, h_high & ~one_high
        put_wall(memory, ply, HORIZONTAL + anchor)
        keep_paths(memory, ply)
        total += perft(memory, ply + 1, depth - 1)
    while v_low | v_high:
        anchor = lowest(v_low, v_high)
        one_low, one_high = single(anchor)
        v_low, v_high = v_low & ~one_low, v_high & ~one_high
        put_wall(memory, ply, VERTICAL + anchor)
        keep_paths(memory, ply)
        total += perft(memory, ply + 1, depth - 1)
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
    memory = new_memory(position.size, position.players)
    load(memory, position)
    find_paths(memory, 0)
    return int(perft(memory, 0, depth))
