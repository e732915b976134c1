"""Kernel: exact solution of all positions of two players with one set of walls.

All pairs of pawn squares with either seat to move make a small graph, which is solved backwards from the
goal lines (*retrograde analysis*). A node has the number ``seat << 14 | own square << 7 | other square``,
seat being the one to move. Its value is n if it wins in n plies, -n - 1 if it loses in n plies, and 0 if
neither side can force a win.

Walls still in hand enter as *exits*: the best outcome of a node by leaving the graph, and the number of
moves that leave it for anything but a loss.
"""

from __future__ import annotations

from typing import Annotated

from quoridor_net.engine.board.bitboard import lowest, without_lowest
from quoridor_net.engine.board.distances import is_goal, neighbours
from quoridor_net.engine.board.state import SQUARES, Frame, State
from quoridor_net.engine.jit import kernel
from quoridor_net.jit.arrays import Array, Words

NODES = 1 << 15
#: No line is longer than this; longer ones would be taken for draws.
LEVELS = 512
#: Exits can lie this many levels apart.
QUIET = 128
#: Stands in exit_loss for a node without any move, whose seat is passed over; that counts as a ply here.
PASSES = -1


class Neighbours:
    """The squares one step from a square."""

    count: int
    squares: Annotated[Words, 4]


class Agenda:
    """For each level the list of nodes to be resolved there: the first, and the next of each; -1 ends it."""

    first: Annotated[Words, LEVELS]
    next: Annotated[Words, NODES]


class Graph:
    """The graph of one set of walls, with room to solve it."""

    neighbours: Annotated[Array[Neighbours], SQUARES]
    #: By walls: the fewest plies to a win or 0, the most plies to a loss, and moves that are neither.
    exit_win: Annotated[Words, NODES]
    exit_loss: Annotated[Words, NODES]
    pending: Annotated[Words, NODES]
    #: Nodes known beforehand to be resolved at a level, and those found out.
    known: Agenda
    found: Agenda
    values: Annotated[Words, NODES]


@kernel
def _find_neighbours(state: State, frame: Frame, graph: Graph) -> None:
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
def _jumps(state: State, graph: Graph, start: int, over: int, end: int) -> bool:
    """Return whether a pawn on ``start`` may jump the one on ``over`` to ``end``, both next to ``over``."""
    if start == end:
        return False
    if state.has_classroom_jumps:
        return True
    straight = 2 * over - start
    return end == straight or not _is_near(graph, over, straight)


@kernel
def _count_moves(state: State, graph: Graph, own: int, other: int) -> int:
    total = graph.neighbours[own].count
    if _is_near(graph, own, other):
        total -= 1
        entry = graph.neighbours[other]
        for index in range(entry.count):
            if _jumps(state, graph, own, other, entry.squares[index]):
                total += 1
    return total


@kernel
def solve(state: State, ply: int, graph: Graph) -> None:
    """Solve the graph of the walls of the frame at ``ply``.

    The exits have been written: ``exit_win`` and ``exit_loss``, and in ``pending`` the number of walls that
    do not lose at once or are not known to.
    """
    _find_neighbours(state, state.frames[ply], graph)
    for level in range(LEVELS):
        graph.known.first[level] = graph.found.first[level] = -1
    squares = state.board_size * state.board_size
    for seat in range(2):
        for own in range(squares):
            for other in range(squares):
                node = seat << 14 | own << 7 | other
                graph.values[node] = 0
                if own == other or is_goal(state, seat, own):
                    continue
                if is_goal(state, 1 - seat, other):
                    _put(graph.known, node, 0)
                    continue
                moves = _count_moves(state, graph, own, other)
                if moves + graph.pending[node] == 0 and graph.exit_loss[node] == 0:
                    moves = 1
                    graph.exit_loss[node] = PASSES
                graph.pending[node] += moves
                if graph.exit_win[node] > 0:
                    _put(graph.known, node, graph.exit_win[node])
                elif graph.pending[node] == 0:
                    _put(graph.known, node, graph.exit_loss[node])
    # Level by level. An agenda may grow while its list is worked off, but only at later levels.
    quiet = level = 0
    while level < LEVELS - 1 and quiet < QUIET:
        quiet += 1
        if _resolve(state, graph, graph.known, level):
            quiet = 0
        if _resolve(state, graph, graph.found, level):
            quiet = 0
        level += 1


@kernel
def _put(agenda: Agenda, node: int, level: int) -> None:
    """Have ``node`` resolved at ``level``: a win at odd levels, a loss at even ones."""
    agenda.next[node] = agenda.first[level]
    agenda.first[level] = node


@kernel
def _resolve(state: State, graph: Graph, agenda: Agenda, level: int) -> bool:
    """Resolve the nodes of ``level``; return whether there are any."""
    node = agenda.first[level]
    if node < 0:
        return False
    while node >= 0:
        if graph.values[node] == 0:
            graph.values[node] = level if level & 1 else -level - 1
            _tell_predecessors(state, graph, node, level)
        node = agenda.next[node]
    return True


@kernel
def _tell_predecessors(state: State, graph: Graph, node: int, level: int) -> None:
    """Tell all nodes from which one move leads to ``node`` how it ends."""
    seat = 1 - (node >> 14)
    still = (node >> 7) & 127
    moved = node & 127
    base = seat << 14 | still
    entry = graph.neighbours[moved]
    for index in range(entry.count):
        start = entry.squares[index]
        if start != still:
            _hear(state, graph, base | start << 7, level)
    if _is_near(graph, moved, still):
        entry = graph.neighbours[still]
        for index in range(entry.count):
            start = entry.squares[index]
            if _jumps(state, graph, start, still, moved):
                _hear(state, graph, base | start << 7, level)
    if graph.exit_loss[base | moved << 7] == PASSES:
        _hear(state, graph, base | moved << 7, level)


@kernel
def _hear(state: State, graph: Graph, node: int, level: int) -> None:
    """Have ``node`` resolved if a move to a node resolved at ``level`` decides it."""
    if graph.values[node] != 0 or is_goal(state, node >> 14, (node >> 7) & 127):
        return
    if is_goal(state, 1 - (node >> 14), node & 127):
        return
    if level & 1 == 0:
        if graph.exit_win[node] == 0 or graph.exit_win[node] > level + 1:
            graph.exit_win[node] = level + 1
            _put(graph.found, node, level + 1)
        return
    graph.pending[node] -= 1
    if graph.pending[node] == 0 and graph.exit_win[node] == 0:
        _put(graph.found, node, max(level + 1, graph.exit_loss[node]))
