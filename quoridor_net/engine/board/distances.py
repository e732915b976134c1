"""Kernel: distances by bit-parallel flooding, shortest paths, and the walls that cut them."""

from __future__ import annotations

from quoridor_net.engine.board.bitboard import Bitboard, count, empty, holds, load, square, store
from quoridor_net.engine.board.state import EVERYWHERE, TO_PAWNS, Corridor, Frame, SearchState, SeatPath
from quoridor_net.engine.jit import kernel
from quoridor_net.jit.arrays import Table


@kernel
def spread(size: int, south: Bitboard, east: Bitboard, board: Bitboard) -> Bitboard:
    """Return the squares one step from those of the set, including its own only if they are adjacent."""
    down, up = (board & south) << size, (board >> size) & south
    on, back = (board & east) << 1, (board >> 1) & east
    return down | up | on | back


@kernel
def neighbours(state: SearchState, frame: Frame, number: int) -> Bitboard:
    """Return the adjacent squares that no wall separates from the square with this number."""
    return spread(state.board_size, load(frame.passages[0]), load(frame.passages[1]), square(number))


@kernel
def is_goal(state: SearchState, seat: int, number: int) -> bool:
    """Return whether the square lies on the goal line of ``seat``."""
    return holds(load(state.goals[seat]), number)


@kernel
def flood(state: SearchState, frame: Frame, seat: int, layers: Table, is_whole: bool) -> int:
    """Fill the distance layers of ``seat`` for the walls of ``frame``, all or only up to its pawn.

    Returns:
        The distance of the seat's pawn from its goal line, or -1 if walls cut it off.
    """
    size = state.board_size
    south, east = load(frame.passages[0]), load(frame.passages[1])
    pawn = square(frame.pawns[seat])
    new = load(state.goals[seat])
    seen = empty()
    distance = -1
    depth = 0
    while new:
        store(layers[depth], new)
        if new & pawn:
            distance = depth
            if not is_whole:
                return distance
        depth += 1
        seen |= new
        new = spread(size, south, east, new) & ~seen
    # Two empty layers, so that a look two steps ahead finds nothing of an earlier flood.
    store(layers[depth], new)
    store(layers[depth + 1], new)
    return distance


@kernel
def find_reachable(state: SearchState, ply: int, seat: int) -> None:
    """Write the squares with a path to the goal line of ``seat`` at ``ply`` to the state."""
    frame = state.frames[ply]
    south, east = load(frame.passages[0]), load(frame.passages[1])
    found = empty()
    new = load(state.goals[seat])
    while new & ~found:
        found |= new
        new = spread(state.board_size, south, east, found)
    store(state.reachable, found)


@kernel
def distance_of(state: SearchState, wall_ply: int, seat: int, number: int, near: int) -> int:
    """Return the distance of a square one step away from a square at the distance ``near``.

    A step crosses at most as many edges as there are players, because a chained jump may pass all others.
    """
    layers = state.layers[wall_ply, seat]
    for distance in range(max(near - state.players, 0), near + state.players + 1):
        if holds(load(layers[distance]), number):
            return distance
    return -1


@kernel
def flood_all(state: SearchState, ply: int) -> bool:
    """Fill the layers of every seat at ``ply``; return whether every pawn has a path."""
    return _flood_seats(state, ply, True)


@kernel
def flood_to_pawns(state: SearchState, ply: int) -> bool:
    """Fill the layers of every seat at ``ply`` up to its pawn; return whether every pawn has a path."""
    return _flood_seats(state, ply, False)


@kernel
def _flood_seats(state: SearchState, ply: int, is_whole: bool) -> bool:
    """Fill the layers of every seat, all or only up to its pawn; return whether every pawn has a path."""
    frame = state.frames[ply]
    frame.wall_ply = ply
    frame.flooded = EVERYWHERE if is_whole else TO_PAWNS
    for seat in range(state.players):
        if frame.pawns[seat] >= 0:
            distance = flood(state, frame, seat, state.layers[ply, seat], is_whole)
            if distance < 0:
                return False
            frame.distances[seat] = distance
    return True


@kernel
def flood_rest(state: SearchState, ply: int) -> None:
    """Complete the layers at ``ply``, so that they reach every square."""
    if state.frames[ply].flooded != EVERYWHERE:
        flood_all(state, ply)


@kernel
def _find_corridor(state: SearchState, frame: Frame, seat: int, corridor: Corridor) -> None:
    """Find the walls that cut a shortest path of ``seat``, and the walls that surely cut all of them.

    Walk down the layers from the pawn along all shortest paths at once, and count the steps that a single
    wall can block. The sets may contain walls that do not fit.
    """
    size = state.board_size
    south, east = load(frame.passages[0]), load(frame.passages[1])
    layers = state.layers[frame.wall_ply, seat]
    squares = square(frame.pawns[seat])
    horizontal_cuts, vertical_cuts = empty(), empty()
    horizontal_chokes, vertical_chokes = empty(), empty()
    narrow = 0
    for distance in range(frame.distances[seat] - 1, -1, -1):
        layer = load(layers[distance])
        down, up = ((squares & south) << size) & layer, (squares >> size) & south & layer
        on, back = ((squares & east) << 1) & layer, (squares >> 1) & east & layer
        squares = down | up | on | back
        # A passage has the number of the square north or west of it. The anchors of the two walls that close
        # it are that square and the previous one.
        horizontal, vertical = (down >> size) | up, (on >> 1) | back
        horizontal_before, vertical_before = horizontal >> 1, vertical >> size
        horizontal_cuts |= horizontal | horizontal_before
        vertical_cuts |= vertical | vertical_before
        across, along = count(horizontal), count(vertical)
        if across + along == 1:
            narrow += 1
            if across:
                horizontal_chokes |= horizontal | horizontal_before
            else:
                vertical_chokes |= vertical | vertical_before
        elif across == 2 and along == 0:
            horizontal_chokes |= horizontal & horizontal_before
        elif along == 2 and across == 0:
            vertical_chokes |= vertical & vertical_before
    store(corridor.cuts[0], horizontal_cuts)
    store(corridor.cuts[1], vertical_cuts)
    store(corridor.chokes[0], horizontal_chokes)
    store(corridor.chokes[1], vertical_chokes)
    corridor.narrow = narrow


@kernel
def corridor_of(state: SearchState, ply: int, seat: int) -> Corridor:
    """Return the corridor of ``seat`` at ``ply``; find it unless an earlier ply has the same one."""
    frame = state.frames[ply]
    if frame.corridor_ply[seat] < 0:
        _find_corridor(state, frame, seat, state.corridors[ply, seat])
        frame.corridor_ply[seat] = ply
    corridor: Corridor = state.corridors[frame.corridor_ply[seat], seat]
    return corridor


@kernel
def find_path(state: SearchState, frame: Frame, seat: int, layers: Table, path: SeatPath) -> None:
    """Walk down the layers from the pawn of ``seat``, and write the walls that cut this path."""
    size = state.board_size
    south, east = load(frame.passages[0]), load(frame.passages[1])
    here = square(frame.pawns[seat])
    horizontal, vertical = empty(), empty()
    for distance in range(frame.distances[seat] - 1, -1, -1):
        layer = load(layers[distance])
        down, up = ((here & south) << size) & layer, (here >> size) & south & layer
        if down:
            horizontal |= here
            here = down
        elif up:
            horizontal |= up
            here = up
        else:
            on, back = ((here & east) << 1) & layer, (here >> 1) & east & layer
            vertical |= here if on else back
            here = on or back
    store(path.cuts[0], horizontal | (horizontal >> 1))
    store(path.cuts[1], vertical | (vertical >> size))


@kernel
def path_of(state: SearchState, ply: int, seat: int) -> SeatPath:
    """Return a shortest path of ``seat`` at ``ply``; find it unless that of an earlier ply is still open."""
    frame = state.frames[ply]
    if frame.path_ply[seat] < 0:
        layers = state.layers[ply, seat]
        frame.distances[seat] = flood(state, frame, seat, layers, False)
        find_path(state, frame, seat, layers, state.paths[ply, seat])
        frame.path_ply[seat] = ply
    path: SeatPath = state.paths[frame.path_ply[seat], seat]
    return path
