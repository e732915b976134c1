"""Kernel: the tree of the best-first search in memory.

Terminology:

* *Node*: a position that has been visited at least twice. *Edge*: one of its moves.
* *Playout*: select edges from the root down, evaluate or expand the leaf, back its value up.
* *Value*: from -1 to 1, of the seat that moves. *Proven*: it lies beyond ``CERTAIN``, as it is the end of
  the game, rests on a race that distances decide, or follows from such values of all moves (MCTS-Solver). It
  tells how many plies away that end is, and is averaged no more. A repetition is as final, with the value 0.
* *Visits* (n of an edge, N of a node): how many playouts went through it. *Q*: the mean of their values.
* *Prior* (P): the network's probability of a move before its first visit.
* *FPU*: first play urgency, the Q of an edge without visits.
* *Transposition*: orders of the same moves that lead to one position share its node, so that the tree is a
  directed graph without cycles. An edge and its child have visits and sums of their own.
* *Multivisit*: a playout that counts for several visits, where another path has visited the child more often.
* *In flight*: playouts that have selected an edge and were not yet backed up. They are counted only where
  several threads search: the others expect one visit more of the edge (a virtual visit), with its mean.
* *Hint*: a best move that principal variation search found.
* *Reroot*: the subtree of the moves played is kept for the next search.

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

An edge takes 24 bytes and a node 64: a playout spends much of its time waiting for them.
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
from quoridor_net.jit.records import indexed

#: Upper bound of means of the network's values.
CERTAIN = 0.98
_FINAL_FROM = 0.99
SCORE_UNITS = 2e6

# Which edges a node has. LIKELY: unlikely walls are left out. NOT_ENOUGH: so too, but all its edges lose, or
# it has been replaced: the index leads to a fuller node. ALL: every pseudo-legal move.
LIKELY = 0
NOT_ENOUGH = 1
ALL = 2

# The child of an edge that has no node (yet), and of one whose value is final, which needs none.
NO_NODE = -1
FINAL = -2

_MOST_VISITS = 2.0**40
#: Odd, so that it tells apart the numbers of moves by all bits of the key.
_SALT = 0x1E3779B97F4A7C15

#: A constant, or a number of 32 bits from a record, as one of 64 bits: kernels are compiled once more for
#: arguments of another type.
int64 = cast("Callable[[int], int]", np.int64)


class Edge:
    """A move of a node."""

    #: NO_MOVE once it turned out to be illegal.
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
    #: One more than those of its edges: the first was before there was a node.
    visits: Annotated[int, np.int32]
    lock: Annotated[int, np.int32]
    #: How many of its edges, all with visits among them, stand before all others: these are less likely.
    sorted_count: Annotated[int, np.int32]
    #: LIKELY, NOT_ENOUGH or ALL.
    coverage: Annotated[int, np.int16]
    is_proven: Annotated[int, np.int16]
    #: Its slot in the index.
    slot: Annotated[int, np.int32]
    # What was found when its edges were last compared (see ``select``): the best of them and the first
    # without visits, both counted from its first edge and -1 for none; the visits of the node from which on
    # they are compared again; the PUCT score of the second best with visits, and the factor of exploration.
    cached_best: Annotated[int, np.int32]
    cached_unvisited: Annotated[int, np.int32]
    cached_until: Annotated[int, np.int32]
    cached_second: Annotated[float, np.float32]
    cached_factor: Annotated[float, np.float32]
    key: int
    value_sum: Annotated[float, np.float64]


class NodeNumber:
    """An element of a table of nodes: the number of one plus 1, 0 for none."""

    plus_one: Annotated[int, np.int32]


class Tree:
    """What kernels know of the tree: everything else is reached through it."""

    #: Addresses of the arrays.
    nodes: int
    edges: int
    index: int
    #: The address of a table of the numbers that nodes get when the tree is cut down, see ``reroot``.
    new_numbers: int
    node_limit: int
    edge_limit: int
    #: The number of slots less 1, a power of two less 1.
    index_mask: int
    #: How many moves had been played before the root.
    root_ply: int
    #: 1 while several threads search.
    is_shared: int
    #: What follows changes all the time, and what precedes must stay in the caches of all processors.
    gap: Annotated[Words, 8]
    node_count: int
    edge_count: int
    lock: Annotated[int, np.int32]


class Playout:
    """The current playout of a thread."""

    #: The node and the edge of each ply.
    path_nodes: Annotated[Words, PLIES]
    path_edges: Annotated[Words, PLIES]
    #: How many playouts in a row would take the same path; and for how many this one counts.
    visits_in_a_row: int
    multivisit: int
    #: Whether the move of the last edge turned out to end the game or to be illegal.
    is_final: int
    is_illegal: int
    #: The frames of the stack up to this ply hold the positions of the path.
    pushed_ply: int


node_at = indexed(Node)
edge_at = indexed(Edge)
number_at = indexed(NodeNumber)

# Taken only if ``tree.is_shared``, the second argument. The lock of a node is for the node and its edges, the
# lock of the tree for the counts, the index, and the nodes and edges being added. Who holds that of the tree
# may take that of a node, and who holds that of a node that of a child; never the other way round.
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
    """Return a proven value as a score. No kernel needs it."""
    score = DECIDED + int((abs(value) - _FINAL_FROM) * SCORE_UNITS + 0.5)
    return score if value > 0 else -score


@kernel
def key_at(state: SearchState, tree: Tree, ply: int) -> int:
    """Return a key of the position at ``ply`` and of how many moves were played before it.

    Without the second a path could lead back to where it began.
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
    """Return the number of the node that has replaced another, or of that one itself."""
    return find_node(tree, node_at(tree.nodes, number).key)


@kernel
def index_node(tree: Tree, number: int) -> None:
    """Enter the node with this number into the index by the key it has."""
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
    """Take all nodes out of the index."""
    for number in range(tree.node_count):
        number_at(tree.index, node_at(tree.nodes, number).slot).plus_one = 0


@kernel
def clear(tree: Tree) -> None:
    """Take all nodes away."""
    clear_index(tree)
    tree.node_count = tree.edge_count = 0


@kernel
def mean(node: Node) -> float:
    """Return the mean value of a node (Q), of the seat that moves there."""
    return node.value_sum / node.visits


@kernel
def is_proven_loss(edge: Edge) -> bool:
    """Return whether the move surely loses."""
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
    """Make an edge the same as another, but for playouts in flight, which do not come to the copy."""
    to.move = source.move
    to.in_flight = 0
    to.child = source.child
    to.visits = source.visits
    to.prior = source.prior
    to.value_sum = source.value_sum


@kernel
def copy_node(to: Node, source: Node) -> None:
    """Make a node the same as another, but for its cache and its lock."""
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
    """Return the value of a node all of whose edges are proven losses: that of the longest; otherwise 0."""
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
    """Return the number of the edge with ``move`` of a node, -1 if it has none."""
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
    """Return what edges are compared by when a move is to be played.

    Proven wins, the quickest first, then visits, then proven losses, the longest first; 0 without visits.
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
