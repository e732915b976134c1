"""Kernel: retrograde analysis of one slice, all two-player positions with one set of walls.

All pairs of pawn squares with either seat to move form a small graph, which is solved backwards from the goal
lines. A node has the number ``seat << 14 | own square << 7 | other square``, where seat is the seat to move.
Its value is n if it wins in n plies, -n - 1 if it loses in n plies, and 0 if neither side can force a win.

Placing a wall leaves the graph by an *exit*. A node has the best outcome of its exits, and the number of
exits that are not lost.
"""

from __future__ import annotations

from typing import Annotated

from quoridor_net.engine.board.bitboard import lowest, without_lowest
from quoridor_net.engine.board.distances import is_goal, neighbours
from quoridor_net.engine.board.state import SQUARES, Frame, SearchState
from quoridor_net.engine.jit import kernel
from quoridor_net.jit.arrays import Array, Words

NODES = 1 << 15
#: Upper limit of the plies to a win; longer wins would count as draws, but do not occur.
MOST_PLIES = 512
#: After this many plies without a node, none are left, because the plies of exits have no larger gaps.
MOST_EMPTY_PLIES = 128
#: Value of exit_loss for a node without any move, whose seat is skipped; that counts as a ply here.
PASSES = -1


class Neighbours:
    """The squares one step from a square."""

    count: int
    squares: Annotated[Words, 4]


class BucketQueue:
    """The unresolved nodes, in one linked list for each number of plies to the end.

    A list ends with -1.
    """

    first: Annotated[Words, MOST_PLIES]
    next: Annotated[Words, NODES]


class Graph:
    """The graph of one set of walls, with room to solve it."""

    neighbours: Annotated[Array[Neighbours], SQUARES]
    #: Results of exits: the fewest plies to a win or 0, the most plies to a loss, and the undecided moves.
    exit_win: Annotated[Words, NODES]
    exit_loss: Annotated[Words, NODES]
    pending: Annotated[Words, NODES]
    #: Nodes whose plies are known from the start, and those found during the analysis.
    known: BucketQueue
    found: BucketQueue
    values: Annotated[Words, NODES]


@kernel
def _find_neighbours(state: SearchState, frame: Frame, graph: Graph) -> None:
    for square in range(state.board_size * state.board_size):
        near = neighbours(state, frame, square)
        entry = graph.neighbours[square]
        total = 0
        while near:
            entry.squares[total] = lowest(near)
            near = without_lowest(near)
            total += 1
        entry.count = total


@kernel
def _is_near(graph: Graph, square: int, other: int) -> bool:
    entry = graph.neighbours[square]
    for index in range(entry.count):
        if entry.squares[index] == other:
            return True
    return False


@kernel
def _jumps(state: SearchState, graph: Graph, start: int, over: int, end: int) -> bool:
    """Return whether a pawn may jump from ``start`` to ``end``, two neighbours of the pawn on ``over``."""
    if start == end:
        return False
    if state.has_classroom_jumps:
        return True
    straight = 2 * over - start
    return end == straight or not _is_near(graph, over, straight)


@kernel
def _count_moves(state: SearchState, graph: Graph, own: int, other: int) -> int:
    total = graph.neighbours[own].count
    if _is_near(graph, own, other):
        total -= 1
        entry = graph.neighbours[other]
        for index in range(entry.count):
            if _jumps(state, graph, own, other, entry.squares[index]):
                total += 1
    return total


@kernel
def solve(state: SearchState, ply: int, graph: Graph) -> None:
    """Solve the graph of the walls of the frame at ``ply``.

    The exits must be written already: ``exit_win``, ``exit_loss``, and in ``pending`` the number of exits
    without a known result.
    """
    _find_neighbours(state, state.frames[ply], graph)
    for plies in range(MOST_PLIES):
        graph.known.first[plies] = graph.found.first[plies] = -1
    squares = state.board_size * state.board_size
    for seat in range(2):
        for own in range(squares):
            for other in range(squares):
                node = seat << 14 | own << 7 | other
                graph.values[node] = 0
                if own == other or is_goal(state, seat, own):
                    continue
                if is_goal(state, 1 - seat, other):
                    _push(graph.known, node, 0)
                    continue
                moves = _count_moves(state, graph, own, other)
                if moves + graph.pending[node] == 0 and graph.exit_loss[node] == 0:
                    moves = 1
                    graph.exit_loss[node] = PASSES
                graph.pending[node] += moves
                if graph.exit_win[node] > 0:
                    _push(graph.known, node, graph.exit_win[node])
                elif graph.pending[node] == 0:
                    _push(graph.known, node, graph.exit_loss[node])
    # By plies to the end, fewest first. Queues grow meanwhile, but only in lists of more plies.
    empty_plies = plies = 0
    while plies < MOST_PLIES - 1 and empty_plies < MOST_EMPTY_PLIES:
        empty_plies += 1
        if _resolve(state, graph, graph.known, plies):
            empty_plies = 0
        if _resolve(state, graph, graph.found, plies):
            empty_plies = 0
        plies += 1


@kernel
def _push(queue: BucketQueue, node: int, plies: int) -> None:
    """Queue ``node`` as a win in ``plies`` if they are odd, otherwise as a loss."""
    queue.next[node] = queue.first[plies]
    queue.first[plies] = node


@kernel
def _resolve(state: SearchState, graph: Graph, queue: BucketQueue, plies: int) -> bool:
    """Resolve the nodes ``plies`` from the end; return whether there are any."""
    node = queue.first[plies]
    if node < 0:
        return False
    while node >= 0:
        if graph.values[node] == 0:
            graph.values[node] = plies if plies & 1 else -plies - 1
            _update_predecessors(state, graph, node, plies)
        node = queue.next[node]
    return True


@kernel
def _update_predecessors(state: SearchState, graph: Graph, node: int, plies: int) -> None:
    """Update all predecessors of ``node``, which is ``plies`` from the end."""
    seat = 1 - (node >> 14)
    still = (node >> 7) & 127
    moved = node & 127
    base = seat << 14 | still
    entry = graph.neighbours[moved]
    for index in range(entry.count):
        start = entry.squares[index]
        if start != still:
            _update(state, graph, base | start << 7, plies)
    if _is_near(graph, moved, still):
        entry = graph.neighbours[still]
        for index in range(entry.count):
            start = entry.squares[index]
            if _jumps(state, graph, start, still, moved):
                _update(state, graph, base | start << 7, plies)
    if graph.exit_loss[base | moved << 7] == PASSES:
        _update(state, graph, base | moved << 7, plies)


@kernel
def _update(state: SearchState, graph: Graph, node: int, plies: int) -> None:
    """Queue ``node`` if its move to a node ``plies`` from the end decides it."""
    if graph.values[node] != 0 or is_goal(state, node >> 14, (node >> 7) & 127):
        return
    if is_goal(state, 1 - (node >> 14), node & 127):
        return
    if plies & 1 == 0:
        if graph.exit_win[node] == 0 or graph.exit_win[node] > plies + 1:
            graph.exit_win[node] = plies + 1
            _push(graph.found, node, plies + 1)
        return
    graph.pending[node] -= 1
    if graph.pending[node] == 0 and graph.exit_win[node] == 0:
        _push(graph.found, node, max(plies + 1, graph.exit_loss[node]))
