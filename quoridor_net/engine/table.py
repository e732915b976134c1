"""Kernel: the transposition table, pairs of entries of two words: the key, and all the rest packed."""

from __future__ import annotations

from quoridor_net.engine.compiled import kernel
from quoridor_net.engine.layout import BUCKET, DECIDED, ENTRY, GENERATION, TABLE_MASK
from quoridor_net.engine.words import Words

LOWER = 1
UPPER = 2
EXACT = 3

_MOVE_MASK = 4095
_BOUND = 12
_DEPTH = 14
_AGE = 22
_SCORE = 30
_ZERO = 1 << 15


@kernel
def probe(memory: Words, table: Words, key: int) -> int:
    """Return the packed word of the entry with this key, 0 if there is none."""
    place = (key & memory[TABLE_MASK]) * BUCKET * ENTRY
    for _ in range(BUCKET):
        if table[place] == key:
            return table[place + 1]
        place += ENTRY
    return 0


@kernel
def store(
    memory: Words, table: Words, key: int, move: int, score: int, bound: int, depth: int, ply: int
) -> None:
    """Put an entry into its bucket in place of itself, of an old or of the shallowest one."""
    place = (key & memory[TABLE_MASK]) * BUCKET * ENTRY
    best = place
    worst = 1 << 30
    for _ in range(BUCKET):
        word = table[place + 1]
        if table[place] == key:
            best = place
            if move < 0:
                move = entry_move(word)
            break
        worth = entry_depth(word) + (64 if ((word >> _AGE) & 255) == memory[GENERATION] else 0)
        if worth < worst:
            worst = worth
            best = place
        place += ENTRY
    if score > DECIDED:
        score += ply
    elif score < -DECIDED:
        score -= ply
    table[best] = key
    table[best + 1] = (
        (move + 1)
        | (bound << _BOUND)
        | (max(depth, 0) << _DEPTH)
        | (memory[GENERATION] << _AGE)
        | ((score + _ZERO) << _SCORE)
    )


@kernel
def entry_move(word: int) -> int:
    """Return the move of a packed entry, -1 if it has none."""
    return (word & _MOVE_MASK) - 1


@kernel
def entry_bound(word: int) -> int:
    """Return what the score of a packed entry is: LOWER, UPPER or EXACT."""
    return (word >> _BOUND) & 3


@kernel
def entry_depth(word: int) -> int:
    """Return the depth in plies to which a packed entry was searched."""
    return (word >> _DEPTH) & 255


@kernel
def entry_score(word: int, ply: int) -> int:
    """Return the score of a packed entry, wins counted from the root."""
    score = ((word >> _SCORE) & 65535) - _ZERO
    if score > DECIDED:
        return score - ply
    if score < -DECIDED:
        return score + ply
    return score
