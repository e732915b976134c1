"""Kernel: the transposition table, buckets of two entries, each a key and a packed word.

::

    packed word   | score 16 | generation 8 | depth 8 | bound 2 | move + 1, 12 bits |
"""

from __future__ import annotations

from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.scores import DECIDED
from quoridor_net.jit.records import RecordArray, index_records, new_records, record_type

LOWER = 1
UPPER = 2
EXACT = 3

_BUCKET = 2
_MOVE_MASK = 4095
_BOUND = 12
_DEPTH = 14
_GENERATION = 22
_SCORE = 30
_ZERO = 1 << 15


class Entry:
    """The stored result of a position."""

    key: int
    packed: int


_entry_at = index_records(Entry)


def new_table(table_mb: int) -> RecordArray:
    """Return the largest table of at most ``table_mb`` megabytes, with a power of two of buckets."""
    buckets = 1
    while buckets * 2 * _BUCKET * record_type(Entry).itemsize <= table_mb << 20:
        buckets *= 2
    return new_records(Entry, buckets * _BUCKET)


def mask_of(table: RecordArray) -> int:
    """Return the number of buckets minus 1, the mask of a bucket's number."""
    return len(table) // _BUCKET - 1


@kernel
def probe(state: SearchState, key: int) -> int:
    """Return the packed word of the entry with this key, 0 if there is none."""
    first = (key & state.table_mask) * _BUCKET
    for index in range(first, first + _BUCKET):
        entry = _entry_at(state.table, index)
        if entry.key == key:
            return entry.packed
    return 0


@kernel
def store(state: SearchState, ply: int, move: int, score: int, bound: int, depth: int) -> None:
    """Store the result of the position at ``ply``, over its own, an old, or the shallowest entry."""
    key = state.frames[ply].key
    first = (key & state.table_mask) * _BUCKET
    best = first
    worst = 1 << 30
    for index in range(first, first + _BUCKET):
        entry = _entry_at(state.table, index)
        if entry.key == key:
            best = index
            if move < 0:
                move = entry_move(entry.packed)
            break
        is_new = ((entry.packed >> _GENERATION) & 255) == state.generation
        worth = entry_depth(entry.packed) + (64 if is_new else 0)
        if worth < worst:
            worst = worth
            best = index
    if score > DECIDED:
        score += ply
    elif score < -DECIDED:
        score -= ply
    entry = _entry_at(state.table, best)
    entry.key = key
    entry.packed = (
        (move + 1)
        | (bound << _BOUND)
        | (max(depth, 0) << _DEPTH)
        | (state.generation << _GENERATION)
        | ((score + _ZERO) << _SCORE)
    )


@kernel
def entry_move(packed: int) -> int:
    """Return the move of a packed entry, -1 if it has none."""
    return (packed & _MOVE_MASK) - 1


@kernel
def entry_bound(packed: int) -> int:
    """Return the bound of a packed entry: LOWER, UPPER or EXACT."""
    return (packed >> _BOUND) & 3


@kernel
def entry_depth(packed: int) -> int:
    """Return the search depth of a packed entry, in plies."""
    return (packed >> _DEPTH) & 255


@kernel
def entry_score(packed: int, ply: int) -> int:
    """Return the score of a packed entry, with wins counted from the root."""
    score = ((packed >> _SCORE) & 65535) - _ZERO
    if score > DECIDED:
        return score - ply
    if score < -DECIDED:
        return score + ply
    return score
