"""Kernel: move generation.

Generated steps are legal. Walls that fit are pseudo-legal: they may cut a pawn off. To find out, make the
wall (:func:`quoridor_net.engine.board.make.make_wall`), or test all walls of a position with far fewer floods
(:func:`illegal_walls`).
"""

from __future__ import annotations

from quoridor_net.engine.board.bitboard import (
    Bitboard,
    count,
    empty,
    holds,
    load,
    lowest,
    square,
    store,
    without_lowest,
)
from quoridor_net.engine.board.distances import corridor_of, find_path, flood, neighbours, path_of
from quoridor_net.engine.board.make import close_passages
from quoridor_net.engine.board.moves import HORIZONTAL, VERTICAL
from quoridor_net.engine.board.state import Frame, OrderedMoves, SearchState
from quoridor_net.engine.jit import kernel


@kernel
def steps(state: SearchState, frame: Frame) -> Bitboard:
    """Return the squares to which the pawn of the seat to move may step."""
    pawn = frame.pawns[frame.turn]
    near = neighbours(state, frame, pawn)
    pawns = empty()
    for seat in range(state.players):
        if frame.pawns[seat] >= 0:
            pawns |= square(frame.pawns[seat])
    beside = near & pawns
    if not beside:
        return near
    if state.has_classroom_jumps:
        return (near | _chained_jumps(state, frame, pawns, beside)) & ~pawns
    return (near | _jumps(state, frame, pawn, pawns, beside)) & ~pawns


@kernel
def _jumps(state: SearchState, frame: Frame, pawn: int, pawns: Bitboard, beside: Bitboard) -> Bitboard:
    """Return the jumps of the official rule; sideways ones may include squares with a pawn."""
    found = empty()
    last = state.board_size * state.board_size
    while beside:
        over = lowest(beside)
        beside = without_lowest(beside)
        around = neighbours(state, frame, over)
        behind = 2 * over - pawn
        if 0 <= behind < last and holds(around & ~pawns, behind):
            around = square(behind)
        found |= around
    return found


@kernel
def _chained_jumps(state: SearchState, frame: Frame, pawns: Bitboard, beside: Bitboard) -> Bitboard:
    """Return the jumps of the classroom rule, and some squares with a pawn."""
    found, done = empty(), empty()
    while beside:
        over = lowest(beside)
        done |= square(over)
        around = neighbours(state, frame, over)
        found |= around
        beside = (beside | (around & pawns)) & ~done
    return found


@kernel
def find_fitting_walls(frame: Frame, orientation: int) -> Bitboard:
    """Return the pseudo-legal walls of the seat to move; none if it has no walls left."""
    if frame.walls_left[frame.turn] <= 0:
        return empty()
    return load(frame.fits[orientation])


@kernel
def append(moves: OrderedMoves, total: int, first: int, board: Bitboard) -> int:
    """List ``first`` plus each number of the set after ``total`` moves; return the new total."""
    while board:
        moves.moves[total] = first + lowest(board)
        board = without_lowest(board)
        total += 1
    return total


@kernel
def generate_moves(state: SearchState, ply: int) -> int:
    """List the steps and all pseudo-legal walls; return the number of moves."""
    frame = state.frames[ply]
    moves = state.lists[ply]
    total = append(moves, 0, 0, steps(state, frame))
    total = append(moves, total, HORIZONTAL, find_fitting_walls(frame, 0))
    return append(moves, total, VERTICAL, find_fitting_walls(frame, 1))


@kernel
def generate_cuts(state: SearchState, ply: int) -> int:
    """List the steps, and the walls that fit and cut a shortest path of the rival; return their number."""
    frame = state.frames[ply]
    moves = state.lists[ply]
    total = append(moves, 0, 0, steps(state, frame))
    if frame.walls_left[frame.turn] <= 0:
        return total
    corridor = corridor_of(state, ply, 1 - frame.turn)
    total = append(moves, total, HORIZONTAL, load(corridor.cuts[0]) & load(frame.fits[0]))
    return append(moves, total, VERTICAL, load(corridor.cuts[1]) & load(frame.fits[1]))


@kernel
def generate_other_walls(state: SearchState, ply: int, total: int) -> int:
    """List the walls left out by :func:`generate_cuts` after ``total`` moves; return the new total."""
    frame = state.frames[ply]
    if frame.walls_left[frame.turn] <= 0:
        return total
    moves = state.lists[ply]
    corridor = corridor_of(state, ply, 1 - frame.turn)
    total = append(moves, total, HORIZONTAL, load(frame.fits[0]) & ~load(corridor.cuts[0]))
    return append(moves, total, VERTICAL, load(frame.fits[1]) & ~load(corridor.cuts[1]))


@kernel
def is_playable(state: SearchState, ply: int, move: int) -> bool:
    """Return whether a move from the transposition table is pseudo-legal at ``ply``."""
    frame = state.frames[ply]
    if move < 0:
        return False
    if move < HORIZONTAL:
        return holds(steps(state, frame), move)
    if move < VERTICAL:
        return holds(find_fitting_walls(frame, 0), move - HORIZONTAL)
    return holds(find_fitting_walls(frame, 1), move - VERTICAL)


@kernel
def _suspects(state: SearchState, frame: Frame, orientation: int) -> Bitboard:
    """Return the walls that fit and could close a path, because they could close a ring of walls.

    At least two of their three points are then on the edge or tied to it, or are points of walls that are
    not. The latter have to be three connected walls, which share at least two of their points.
    """
    along = state.board_size if orientation else 1
    tied = load(frame.tied)
    first = (tied << along) | load(state.near_edges[orientation])
    last = (tied >> along) | load(state.far_edges[orientation])
    found = (first & last) | (tied & (first | last))
    touched = load(frame.touched)
    if 3 * frame.wall_count - count(touched) >= 2:
        loose = touched & ~tied
        first, last = loose << along, loose >> along
        found |= (first & last) | (loose & (first | last))
    return found & load(frame.fits[orientation])


@kernel
def illegal_walls(state: SearchState, ply: int) -> tuple[Bitboard, Bitboard]:
    """Return the horizontal and the vertical walls that fit but leave a pawn without a path.

    Frame, path and layers of the next ply serve as scratch space to try walls. Suspects that do not cut a
    detour found there need no test of their own.
    """
    frame = state.frames[ply]
    bad_horizontal, bad_vertical = empty(), empty()
    horizontal, vertical = _suspects(state, frame, 0), _suspects(state, frame, 1)
    if not horizontal | vertical:
        return bad_horizontal, bad_vertical
    for seat in range(state.players):
        if frame.pawns[seat] < 0:
            continue
        cuts = path_of(state, ply, seat).cuts
        horizontal_to_try, vertical_to_try = horizontal & load(cuts[0]), vertical & load(cuts[1])
        while horizontal_to_try | vertical_to_try:
            if horizontal_to_try:
                anchor = lowest(horizontal_to_try)
                horizontal_to_try = without_lowest(horizontal_to_try)
                found = _has_detour(state, ply, seat, HORIZONTAL + anchor)
                if not found:
                    bad_horizontal |= square(anchor)
            else:
                anchor = lowest(vertical_to_try)
                vertical_to_try = without_lowest(vertical_to_try)
                found = _has_detour(state, ply, seat, VERTICAL + anchor)
                if not found:
                    bad_vertical |= square(anchor)
            if found:
                other = state.paths[ply + 1, seat].cuts
                horizontal_to_try &= load(other[0])
                vertical_to_try &= load(other[1])
        horizontal &= ~bad_horizontal
        vertical &= ~bad_vertical
    return bad_horizontal, bad_vertical


@kernel
def _has_detour(state: SearchState, ply: int, seat: int, move: int) -> bool:
    """Return whether ``seat`` still has a path with one more wall; if so, write it to the next ply."""
    frame, new = state.frames[ply], state.frames[ply + 1]
    store(new.passages[0], load(frame.passages[0]))
    store(new.passages[1], load(frame.passages[1]))
    new.pawns[seat] = frame.pawns[seat]
    close_passages(state, new, move)
    new.distances[seat] = flood(state, new, seat, state.layers[ply + 1, seat], False)
    if new.distances[seat] < 0:
        return False
    find_path(state, new, seat, state.layers[ply + 1, seat], state.paths[ply + 1, seat])
    return True


@kernel
def generate_legal_moves(state: SearchState, ply: int) -> int:
    """List the legal moves at ``ply``: steps, horizontal walls, vertical walls; return their number."""
    frame, moves = state.frames[ply], state.lists[ply]
    total = append(moves, 0, 0, steps(state, frame))
    if frame.walls_left[frame.turn] <= 0:
        return total
    bad_horizontal, bad_vertical = illegal_walls(state, ply)
    total = append(moves, total, HORIZONTAL, load(frame.fits[0]) & ~bad_horizontal)
    return append(moves, total, VERTICAL, load(frame.fits[1]) & ~bad_vertical)
