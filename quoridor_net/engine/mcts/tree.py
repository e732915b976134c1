"""Kernel: the tree of the best-first search in memory.

Terminology:

* *Node*: a position that has been visited at least twice. *Edge*: one of its moves.
* *Playout*: the selection of edges from the root down, the evaluation or expansion of the leaf, and the
  backup of its value.
* *Value*: a number from -1 to 1, for the seat to move. It is *proven*, and lies beyond ``CERTAIN``, if it is
  the end of the game, a race that distances decide, or follows from such values (MCTS-Solver). A proven value
  encodes the number of plies to that end and is no longer averaged. A repetition is as final, with value 0.
* *Visits* (n of an edge, N of a node): the number of playouts through it. *Q*: the mean of their values.
* *Prior* (P): the network's probability of a move before its first visit.
* *FPU*: first play urgency, the Q of an edge without visits.
* *Transposition*: different orders of the same moves lead to one position and share its node, so the tree is
  a directed acyclic graph. An edge and its child have visits and sums of their own.
* *Multivisit*: a playout that counts as several visits, because other paths visited the child more often.
* *In flight*: playouts that have selected an edge and are not yet backed up. They are counted only if several
  threads search: each counts as one more visit of the edge with its mean (a virtual visit).
* *Hint*: a best move found by principal variation search.
* *Reroot*: keep the subtree of the moves played for the next search.

Memory::

    Tree: addresses, limits, counts        Playout: the path of the playout, one for each thread
     |
     |-- nodes                         edges
     |   +----------------------+      +-----+------+-------+--------+-------+-----+
     |   | 0: the root          |  .-->|   0 | move | child | visits | prior | sum |
     |   |    first edge     -------'  |     |  ...
     |   |    edge count: 131   |      | 130 |  ...
     |   |    visits, sum, key  |      +-----+------+-------+--------+-------+-----+
     |   +----------------------+  .-->| 131 |  ...
     |   | 1: first edge     -------'  |     |  ...
     |   +----------------------+
     |                                 the edges of a node lie side by side,
     |                                 the likeliest first as far as was needed
     |-- index: a hash table (open addressing) from the key of a position to its node
     `-- new numbers: of nodes, used to reroot

    child   0, 1 ...   a node
            NO_NODE    none so far
            FINAL     the value of the edge is final

An edge takes 24 bytes and a node 64. They are small because playouts spend much time waiting for memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, cast

import numpy as np

from quoridor_net.engine.board.moves import PLIES
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.evaluation.network import SCALE
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.scores import DECIDED
from quoridor_net.jit.arrays import Words
from quoridor_net.jit.locks import lock, unlock
from quoridor_net.jit.records import index_records

#: Upper bound of the network's values.
CERTAIN = 0.98
_FINAL_FROM = 0.99
SCORE_UNITS = 2e6

# The edges of a node. LIKELY: all but unlikely walls. NOT_ENOUGH: the same, but all its edges lose, or it has
# been replaced and the index leads to the new node. ALL: every pseudo-legal move.
LIKELY = 0
NOT_ENOUGH = 1
ALL = 2

# The child of an edge without a node, and of an edge whose value is final, which needs none.
NO_NODE = -1
FINAL = -2

_MOST_VISITS = 2.0**40
#: Odd, so that different numbers of moves change the key in different ways.
_SALT = 0x1E3779B97F4A7C15

#: Converts a constant, or a 32-bit number from a record, to 64 bits. A kernel would be compiled again for
#: arguments of another type.
int64 = cast("Callable[[int], int]", np.int64)


class Edge:
    """A move of a node."""

    #: NO_MOVE once the move has turned out to be illegal.
    move: Annotated[int, np.int16]
    #: Playouts in flight.
    in_flight: Annotated[int, np.int16]
    child: Annotated[int, np.int32]
    visits: Annotated[int, np.int32]
    prior: Annotated[float, np.float32]
    value_sum: Annotated[float, np.float64]


class Node:
    """A position with its edges."""

    first_edge: Annotated[int, np.int32]
    edge_count: Annotated[int, np.int32]
    #: One more than the visits of its edges, because the first came before the node existed.
    visits: Annotated[int, np.int32]
    lock: Annotated[int, np.int32]
    #: Number of sorted edges. They come first and include all visited edges; the others are less likely.
    sorted_count: Annotated[int, np.int32]
    #: LIKELY, NOT_ENOUGH or ALL.
    coverage: Annotated[int, np.int16]
    is_proven: Annotated[int, np.int16]
    #: Its slot in the index.
    slot: Annotated[int, np.int32]
    # The last comparison of its edges (see ``select``): the best edge and the first without visits, both
    # counted from its first edge and -1 for none; the visits of the node at which they are compared again;
    # the PUCT score of the second-best visited edge, and the exploration factor.
    cached_best: Annotated[int, np.int32]
    cached_unvisited: Annotated[int, np.int32]
    cached_until: Annotated[int, np.int32]
    cached_second: Annotated[float, np.float32]
    cached_factor: Annotated[float, np.float32]
    key: int
    value_sum: Annotated[float, np.float64]


class NodeNumber:
    """An element of a table of nodes: the number of a node plus 1, or 0 for none."""

    plus_one: Annotated[int, np.int32]


class Tree:
    """The record through which kernels reach the whole tree."""

    #: Addresses of the arrays.
    nodes: int
    edges: int
    index: int
    #: The address of a table of the numbers that nodes get by rerooting, see ``reroot``.
    new_numbers: int
    node_limit: int
    edge_limit: int
    #: The number of slots, a power of two, minus 1.
    index_mask: int
    #: The number of moves played before the root.
    root_ply: int
    #: 1 while several threads search.
    is_shared: int
    #: Separates the fields below, which change all the time, from those above, which must stay in the caches
    #: of all processors.
    gap: Annotated[Words, 8]
    node_count: int
    edge_count: int
    lock: Annotated[int, np.int32]


class Playout:
    """The current playout of a thread."""

    #: The node, the edge and its move of each ply.
    path_nodes: Annotated[Words, PLIES]
    path_edges: Annotated[Words, PLIES]
    path_moves: Annotated[Words, PLIES]
    #: The number of playouts in a row that would take the same path, and the visits that this one counts as.
    visits_in_a_row: int
    multivisit: int
    #: Whether the move of the last edge turned out to end the game or to be illegal.
    is_final: int
    is_illegal: int
    #: The frames of the stack up to this ply hold the positions after the moves of the path, or of the path
    #: before it.
    pushed_ply: int


node_at = index_records(Node)
edge_at = index_records(Edge)
number_at = index_records(NodeNumber)

# Locks are taken only if ``tree.is_shared``, the second argument. The lock of a node protects the node and
# its edges. The lock of the tree protects the counts, the index, and the nodes and edges being added. To
# prevent deadlocks, lock the tree before a node, and a node before its child.
lock_node = lock(Node, "lock")
unlock_node = unlock(Node, "lock")
lock_tree = lock(Tree, "lock")
unlock_tree = unlock(Tree, "lock")


@kernel
def value_of(score: int) -> float:
    """Return ``score`` as a value."""
    if abs(score) > DECIDED:
        value = _FINAL_FROM + (abs(score) - DECIDED) / SCORE_UNITS
        return value if score > 0 else -value
    return CERTAIN * math.tanh(score / (2.0 * SCALE))


def score_of(value: float) -> int:
    """Return a proven value as a score. Kernels do not need it."""
    score = DECIDED + int((abs(value) - _FINAL_FROM) * SCORE_UNITS + 0.5)
    return score if value > 0 else -score


@kernel
def key_at(state: SearchState, tree: Tree, ply: int) -> int:
    """Return a key of the position at ``ply`` and the number of moves played before it.

    Without that number the graph could have cycles.
    """
    return state.frames[ply].key ^ ((tree.root_ply + ply) * _SALT)


@kernel
def find_node(tree: Tree, key: int) -> int:
    """Return the number of the node with this key, or NO_NODE."""
    slot = key & tree.index_mask
    while True:
        number = number_at(tree.index, slot).plus_one - 1
        if number < 0:
            return NO_NODE
        if node_at(tree.nodes, number).key == key:
            return number
        slot = (slot + 1) & tree.index_mask


@kernel
def latest_node(tree: Tree, number: int) -> int:
    """Return the number of the node that has replaced this one, or its own number."""
    return find_node(tree, node_at(tree.nodes, number).key)


@kernel
def index_node(tree: Tree, number: int) -> None:
    """Enter the node with this number into the index by its key."""
    node = node_at(tree.nodes, number)
    slot = node.key & tree.index_mask
    while number_at(tree.index, slot).plus_one != 0:
        slot = (slot + 1) & tree.index_mask
    number_at(tree.index, slot).plus_one = number + 1
    node.slot = slot


@kernel
def reindex_node(tree: Tree, number: int) -> None:
    """Replace a node in the index by another with the same key and slot."""
    number_at(tree.index, node_at(tree.nodes, number).slot).plus_one = number + 1


@kernel
def clear_index(tree: Tree) -> None:
    """Remove all nodes from the index."""
    for number in range(tree.node_count):
        number_at(tree.index, node_at(tree.nodes, number).slot).plus_one = 0


@kernel
def clear(tree: Tree) -> None:
    """Remove all nodes from the tree."""
    clear_index(tree)
    tree.node_count = tree.edge_count = 0


@kernel
def mean(node: Node) -> float:
    """Return the mean value of a node (Q), for the seat to move there."""
    return node.value_sum / node.visits


@kernel
def is_proven_loss(edge: Edge) -> bool:
    """Return whether the move is a proven loss."""
    return edge.child == FINAL and edge.value_sum < -CERTAIN * edge.visits


@kernel
def swap_unvisited(one: Edge, two: Edge) -> None:
    """Swap two unvisited edges of a node."""
    one.move, two.move = two.move, one.move
    one.prior, two.prior = two.prior, one.prior


@kernel
def clear_cache(node: Node) -> None:
    """Drop the cached comparison of a node's edges, so that the next visit compares them."""
    node.cached_best = -1


@kernel
def copy_edge(to: Edge, source: Edge) -> None:
    """Copy an edge, except for its playouts in flight, which do not reach the copy."""
    to.move = source.move
    to.in_flight = 0
    to.child = source.child
    to.visits = source.visits
    to.prior = source.prior
    to.value_sum = source.value_sum


@kernel
def copy_node(to: Node, source: Node) -> None:
    """Copy a node, except for its cache and its lock."""
    to.first_edge = source.first_edge
    to.edge_count = source.edge_count
    to.visits = source.visits
    to.coverage = source.coverage
    to.sorted_count = source.sorted_count
    to.is_proven = source.is_proven
    to.slot = source.slot
    to.key = source.key
    to.value_sum = source.value_sum
    clear_cache(to)


@kernel
def loss_of(tree: Tree, node: Node) -> float:
    """Return the value of the longest loss if all edges of a node are proven losses, otherwise 0."""
    most = -1.0
    for number in range(node.first_edge, node.first_edge + node.edge_count):
        edge = edge_at(tree.edges, number)
        if edge.move < 0:
            continue
        if edge.child != FINAL or edge.visits == 0:
            return 0.0
        most = max(most, edge.value_sum / edge.visits)
    return 0.0 if most > -CERTAIN else most


@kernel
def find_edge(tree: Tree, number: int, move: int) -> int:
    """Return the number of a node's edge with ``move``, -1 if it has none."""
    node = node_at(tree.nodes, number)
    for edge in range(node.first_edge, node.first_edge + node.edge_count):
        if edge_at(tree.edges, edge).move == move:
            return edge
    return -1


@kernel
def find_child(tree: Tree, number: int, move: int) -> int:
    """Return the number of the node that ``move`` leads to from a node, negative if there is none."""
    edge = find_edge(tree, number, move)
    child = NO_NODE if edge < 0 else int64(edge_at(tree.edges, edge).child)
    return latest_node(tree, child) if child >= 0 else child


@kernel
def merit(tree: Tree, number: int) -> float:
    """Return the merit of an edge for choosing the move to play; 0 without visits.

    Proven wins rank first, the quickest at the top; then edges by visits; then proven losses, the quickest
    last.
    """
    edge = edge_at(tree.edges, number)
    if edge.visits == 0 or edge.child != FINAL:
        return float(edge.visits)
    value = edge.value_sum / edge.visits
    if abs(value) > CERTAIN:
        return _MOST_VISITS * value
    return float(edge.visits)


@kernel
def best_edge(tree: Tree, number: int) -> int:
    """Return the number of the best edge of a node, -1 if none was visited."""
    node = node_at(tree.nodes, number)
    best = -1
    most = 0.0
    for edge in range(node.first_edge, node.first_edge + node.edge_count):
        found = merit(tree, edge)
        if found != 0.0 and (best < 0 or found > most):
            most = found
            best = edge
    return best
