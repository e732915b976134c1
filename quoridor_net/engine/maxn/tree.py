"""Kernel: the tree of max-n search in memory.

Terminology:

* *Node*: a position that has been visited. *Edge*: one of its moves; a node gets them at its second visit.
* *Playout*: the selection of edges from the root down to a new position, its evaluation, and the backup of
  the vector.
* *Value*: a vector, the winning chance of each seat from 0 to 1. The seat to move selects by its own.
* *Proven*: a node has a *winner* if one seat wins from there whatever the others do. A node is *whole* if it
  has an edge for each legal move; only whole nodes can be proven lost.
* *Reroot*: keep the subtree of the moves played for the next search.

Memory::

    Tree: counts, limits, addresses, and the path of the playout
     |
     |-- nodes                          edges
     |   +-----------------------+      +------+-------+-------+
     |   | 0: the root           |  .-->| move | child | prior |   the likeliest first
     |   |    first edge      -------'  | move | child | prior |
     |   |    edge count, visits |      |  ...                 |
     |   |    sums of each seat  |      +------+-------+-------+
     |   +-----------------------+
     |   | 1: ...                |      child: the number of a node, NO_NODE before the first visit
     |   +-----------------------+
     `-- spare nodes, spare edges: the target of a copied subtree

There are no transpositions: a position that two orders of moves lead to has two nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, cast

import numpy as np

from quoridor_net.engine.board.moves import PLIES, SEATS
from quoridor_net.engine.board.state import MOST_MOVES
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.maxn.network import FEATURES, SeatNetwork
from quoridor_net.engine.maxn.styles import OpponentModel
from quoridor_net.jit.arrays import Fractions, Table, Words
from quoridor_net.jit.records import index_records

NO_NODE = -1
#: The winner of a node that is not proven.
NOBODY = -1

#: Converts a constant, or a 32-bit number from a record, to 64 bits. A kernel would be compiled again for
#: arguments of another type.
int64 = cast("Callable[[int], int]", np.int64)


class MaxNEdge:
    """A legal move of a node."""

    move: Annotated[int, np.int32]
    child: Annotated[int, np.int32]
    prior: Annotated[float, np.float32]


class MaxNNode:
    """A position."""

    first_edge: Annotated[int, np.int32]
    #: 0 before the second visit.
    edge_count: Annotated[int, np.int32]
    visits: Annotated[int, np.int32]
    #: The seat to move.
    turn: Annotated[int, np.int32]
    #: The seat that is proven to win, and the maximum number of plies until it does.
    winner: Annotated[int, np.int32]
    plies: Annotated[int, np.int32]
    is_whole: Annotated[int, np.int32]
    #: The sum of the values of all visits.
    sums: Annotated[Fractions, SEATS]


class MaxNTree:
    """The record through which kernels reach the whole tree."""

    #: Addresses of the arrays.
    nodes: int
    edges: int
    spare_nodes: int
    spare_edges: int
    node_count: int
    edge_count: int
    node_limit: int
    edge_limit: int
    #: The nodes of the current playout.
    path: Annotated[Words, PLIES]
    #: The latest estimated vector, or the vector that is being backed up.
    value: Annotated[Fractions, SEATS]
    #: The network's features of each seat, as column numbers.
    features: Annotated[Table, SEATS, FEATURES]
    #: The longest detour, in steps, that a single wall causes for each seat.
    gains: Annotated[Words, SEATS]
    network: SeatNetwork
    opponents: OpponentModel
    #: Priors of the listed moves of the node that is being expanded, not normalised, negative if illegal.
    priors: Annotated[Fractions, MOST_MOVES]


node_at = index_records(MaxNNode)
edge_at = index_records(MaxNEdge)


@kernel
def add_node(tree: MaxNTree, turn: int) -> int:
    """Add a node without visits; return its number, or NO_NODE without room."""
    if tree.node_count >= tree.node_limit:
        return NO_NODE
    number = tree.node_count
    tree.node_count += 1
    node = node_at(tree.nodes, number)
    node.first_edge = node.edge_count = node.visits = node.plies = node.is_whole = 0
    node.turn = turn
    node.winner = NOBODY
    for seat in range(SEATS):
        node.sums[seat] = 0.0
    return number


@kernel
def is_loss(node: MaxNNode, seat: int) -> bool:
    """Return whether a seat other than ``seat`` is proven to win."""
    return node.winner >= 0 and node.winner != seat


@kernel
def find_child(tree: MaxNTree, number: int, move: int) -> int:
    """Return the number of the node that ``move`` leads to from a node, NO_NODE if there is none."""
    node = node_at(tree.nodes, number)
    for edge in range(node.first_edge, node.first_edge + node.edge_count):
        if edge_at(tree.edges, edge).move == move:
            return int64(edge_at(tree.edges, edge).child)
    return NO_NODE


@kernel
def merit(tree: MaxNTree, seat: int, number: int) -> float:
    """Return the merit of an edge when ``seat`` is to move; 0 without visits.

    Proven wins rank first, the quickest at the top; then edges by visits; then proven losses, the quickest
    last.
    """
    edge = edge_at(tree.edges, number)
    if edge.child < 0:
        return 0.0
    child = node_at(tree.nodes, edge.child)
    if child.winner == NOBODY:
        return float(child.visits)
    return 1e12 - child.plies if child.winner == seat else child.plies - 1e12


@kernel
def best_edge(tree: MaxNTree, number: int) -> int:
    """Return the number of the best edge of a node, -1 if none was visited."""
    node = node_at(tree.nodes, number)
    best = -1
    most = 0.0
    for edge in range(node.first_edge, node.first_edge + node.edge_count):
        found = merit(tree, int64(node.turn), edge)
        if found != 0.0 and (best < 0 or found > most):
            most = found
            best = edge
    return best
