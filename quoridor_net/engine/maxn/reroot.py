"""Kernel: rerooting, which turns the subtree of the moves played into the tree of the next search."""

from __future__ import annotations

from quoridor_net.engine.board.moves import SEATS
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.maxn.tree import MaxNTree, edge_at, node_at


@kernel
def _copy_node(tree: MaxNTree, number: int) -> int:
    """Copy a node, but not its edges, to the end of the spare nodes; return its new number."""
    old, node = node_at(tree.nodes, number), node_at(tree.spare_nodes, tree.node_count)
    node.first_edge, node.edge_count = old.first_edge, old.edge_count
    node.visits, node.turn = old.visits, old.turn
    node.winner, node.plies, node.is_whole = old.winner, old.plies, old.is_whole
    for seat in range(SEATS):
        node.sums[seat] = old.sums[seat]
    tree.node_count += 1
    return tree.node_count - 1


@kernel
def reroot(state: SearchState, tree: MaxNTree, root: int) -> None:
    """Copy the subtree of ``root`` to the spare arrays, and make those the tree.

    Nodes are copied breadth first, and the copied nodes serve as the queue. Copying millions of edges takes
    some tenths of a second; a stop meanwhile leaves an empty tree.
    """
    tree.node_count = tree.edge_count = 0
    _copy_node(tree, root)
    done = 0
    while done < tree.node_count:
        if state.stop:
            tree.node_count = tree.edge_count = 0
            return
        node = node_at(tree.spare_nodes, done)
        first = node.first_edge
        node.first_edge = tree.edge_count
        for number in range(first, first + node.edge_count):
            old, edge = edge_at(tree.edges, number), edge_at(tree.spare_edges, tree.edge_count)
            edge.move, edge.prior, edge.child = old.move, old.prior, old.child
            if edge.child >= 0:
                edge.child = _copy_node(tree, edge.child)
            tree.edge_count += 1
        done += 1
    tree.nodes, tree.spare_nodes = tree.spare_nodes, tree.nodes
    tree.edges, tree.spare_edges = tree.spare_edges, tree.edges
