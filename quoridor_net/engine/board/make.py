"""Kernel: making moves. Each move writes the next frame of the stack, so that there is nothing to unmake."""

from __future__ import annotations

from quoridor_net.engine.board.bitboard import Bitboard, holds, load, square, store
from quoridor_net.engine.board.distances import distance_of, flood, is_goal
from quoridor_net.engine.board.moves import HORIZONTAL, ILLEGAL, MADE, NO_MOVE, VERTICAL, WINS
from quoridor_net.engine.board.state import UNKNOWN, Frame, SearchState
from quoridor_net.engine.jit import kernel


@kernel
def next_seat(state: SearchState, frame: Frame) -> int:
    """Return the next seat in the game after the one to move."""
    seat = frame.turn
    for _ in range(state.players):
        seat += 1
        if seat == state.players:
            seat = 0
        if frame.pawns[seat] >= 0:
            break
    return seat


@kernel
def give_turn(state: SearchState, frame: Frame, seat: int) -> None:
    """Make ``seat`` the one to move in ``frame``."""
    frame.key ^= state.turn_keys[frame.turn] ^ state.turn_keys[seat]
    frame.turn = seat


@kernel
def push_null(state: SearchState, ply: int) -> None:
    """Push the position at ``ply`` with the other of the two seats to move."""
    state.frames[ply + 1] = state.frames[ply]
    frame = state.frames[ply + 1]
    give_turn(state, frame, 1 - frame.turn)
    frame.reversible = 0
    frame.move = NO_MOVE


@kernel
def push_step(state: SearchState, ply: int, number: int) -> None:
    """Push the position after a step to the square ``number``, without updating distances."""
    state.frames[ply + 1] = state.frames[ply]
    frame = state.frames[ply + 1]
    seat = frame.turn
    frame.key ^= state.pawn_keys[seat, frame.pawns[seat]] ^ state.pawn_keys[seat, number]
    frame.pawns[seat] = number
    frame.reversible += 1
    frame.move = number
    frame.wall_sum_ply[seat] = ply + 1
    frame.corridor_ply[seat] = frame.path_ply[seat] = -1
    give_turn(state, frame, next_seat(state, frame))


@kernel
def close_passages(state: SearchState, frame: Frame, move: int) -> None:
    """Close the passages of a wall, and leave the rest of the frame as it is."""
    orientation = 0 if move < VERTICAL else 1
    passages = frame.passages[orientation]
    store(passages, load(passages) & ~load(state.walls[move].closes))


@kernel
def place_wall(state: SearchState, frame: Frame, move: int) -> None:
    """Place a wall: close its passages, remove walls that no longer fit, and mark its points."""
    close_passages(state, frame, move)
    if move < VERTICAL:
        here, along, orientation = square(move - HORIZONTAL), 1, 0
    else:
        here, along, orientation = square(move - VERTICAL), state.board_size, 1
    points = here | (here << along) | (here >> along)
    store(frame.fits[orientation], load(frame.fits[orientation]) & ~points)
    store(frame.fits[1 - orientation], load(frame.fits[1 - orientation]) & ~here)
    touched, tied = load(frame.touched), load(frame.tied)
    store(frame.touched, touched | points)
    edges = load(state.near_edges[orientation]) | load(state.far_edges[orientation])
    if (points & tied) | (here & edges):
        _tie(state, frame, tied | points, touched & points & ~tied)


@kernel
def _tie(state: SearchState, frame: Frame, tied: Bitboard, new: Bitboard) -> None:
    """Write the points that are tied to the edge: the ``tied`` ones, and those that ``new`` ones tie.

    Two neighbouring points are connected if the passage between them is closed.

    Args:
        state: state with the size of the board.
        frame: frame with the passages and all points of walls.
        tied: points that are tied, whatever else is.
        new: those of them that belong to walls that were not tied so far.
    """
    size = state.board_size
    untied = load(frame.touched) & ~tied
    south, east = ~load(frame.passages[0]), ~load(frame.passages[1])
    while new:
        beside = ((new << 1) & south) | ((new & south) >> 1)
        beside |= ((new << size) & east) | ((new & east) >> size)
        new = beside & untied
        tied |= new
        untied &= ~new
    store(frame.tied, tied)


@kernel
def add_wall(state: SearchState, ply: int, move: int) -> None:
    """Push the board at ``ply`` with one more wall of no player; key and turn do not change."""
    state.frames[ply + 1] = state.frames[ply]
    frame = state.frames[ply + 1]
    frame.wall_count += 1
    place_wall(state, frame, move)


@kernel
def push_wall(state: SearchState, ply: int, move: int) -> None:
    """Push the position after a wall that fits, without updating distances and layers."""
    state.frames[ply + 1] = state.frames[ply]
    frame = state.frames[ply + 1]
    seat = frame.turn
    walls = frame.walls_left[seat]
    frame.walls_left[seat] = walls - 1
    keys = state.walls_left_keys[seat]
    frame.key ^= state.wall_keys[move] ^ keys[walls] ^ keys[walls - 1]
    frame.reversible = 0
    frame.move = move
    state.placed[frame.wall_count] = move
    frame.wall_count += 1
    frame.wall_sum_ply[0] = frame.wall_sum_ply[1] = ply + 1
    place_wall(state, frame, move)
    give_turn(state, frame, next_seat(state, frame))


@kernel
def make_step(state: SearchState, ply: int, number: int) -> None:
    """Make a step from ``ply``; the layers stay those of the last wall."""
    push_step(state, ply, number)
    frame = state.frames[ply]
    seat = frame.turn
    near = frame.distances[seat]
    state.frames[ply + 1].distances[seat] = distance_of(state, frame.wall_ply, seat, number, near)


@kernel
def make_wall(state: SearchState, ply: int, move: int) -> bool:
    """Make a wall that fits from ``ply``; return whether it is legal, because it cuts no pawn off.

    A seat keeps its distance and corridor if the wall does not cut its known corridor. Only the other seats
    are flooded, as far as their pawns. No other layers are valid before
    :func:`quoridor_net.engine.board.distances.flood_rest` is called.
    """
    push_wall(state, ply, move)
    frame, new = state.frames[ply], state.frames[ply + 1]
    new.wall_ply = ply + 1
    new.flooded = UNKNOWN
    orientation = 0 if move < VERTICAL else 1
    anchor = move - (HORIZONTAL if move < VERTICAL else VERTICAL)
    for seat in range(state.players):
        if frame.pawns[seat] < 0:
            continue
        known = frame.corridor_ply[seat]
        if known >= 0 and not holds(load(state.corridors[known, seat].cuts[orientation]), anchor):
            continue
        new.corridor_ply[seat] = new.path_ply[seat] = -1
        distance = flood(state, new, seat, state.layers[ply + 1, seat], False)
        if distance < 0:
            return False
        new.distances[seat] = distance
    return True


@kernel
def make_move(state: SearchState, ply: int, move: int) -> int:
    """Make a step, or a wall that fits; return ILLEGAL, MADE or WINS."""
    if move >= HORIZONTAL:
        return MADE if make_wall(state, ply, move) else ILLEGAL
    make_step(state, ply, move)
    return WINS if is_goal(state, state.frames[ply].turn, move) else MADE
