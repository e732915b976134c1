"""The memory of a tree: the arrays that kernels reach by their addresses."""

from __future__ import annotations

from quoridor_net.engine.mcts.tree import Edge, Node, NodeNumber, Tree
from quoridor_net.jit.records import new_record, new_records, record_type

#: Room for edges per node, and the maximum number of edges in all, because their numbers have 32 bits.
_EDGES_A_NODE = 12
_MOST_EDGES = (1 << 31) - 1


def room_in(table_mb: int) -> tuple[int, int, int]:
    """Return the numbers of nodes, edges and index slots of a tree of this many megabytes."""
    edges = min((table_mb << 20) // record_type(Edge).itemsize, _MOST_EDGES)
    nodes = edges // _EDGES_A_NODE
    return nodes, edges, 1 << (2 * nodes).bit_length()


class TreeMemory:
    """An empty tree. The system provides its memory as the tree grows into it.

    Attributes:
        tree: the record for kernels; it is valid only as long as this object exists.
        nodes: the nodes, by number.
        edges: the edges, by number.
    """

    def __init__(self, table_mb: int) -> None:
        nodes, edges, slots = room_in(table_mb)
        self.nodes = new_records(Node, nodes)
        self.edges = new_records(Edge, edges)
        self._index = new_records(NodeNumber, slots)
        self._new_numbers = new_records(NodeNumber, nodes)
        self.tree = new_record(Tree)
        self.tree.nodes = self.nodes.address
        self.tree.edges = self.edges.address
        self.tree.index = self._index.address
        self.tree.new_numbers = self._new_numbers.address
        self.tree.node_limit = nodes
        self.tree.edge_limit = edges
        self.tree.index_mask = slots - 1
        # Columns, because a view of each record would take many times as long.
        self._first_edges, self._edge_counts = self.nodes["first_edge"], self.nodes["edge_count"]
        self._moves, self._children = self.edges["move"], self.edges["child"]
        self._visits, self._value_sums = self.edges["visits"], self.edges["value_sum"]

    def edges_of(self, node: int) -> range:
        """Return the numbers of the edges of a node."""
        first = int(self._first_edges[node])
        return range(first, first + int(self._edge_counts[node]))

    def move_of(self, edge: int) -> int:
        """Return the number of the move of an edge."""
        return int(self._moves[edge])

    def child_of(self, edge: int) -> int:
        """Return the number of the node that an edge leads to; NO_NODE or FINAL if it has none."""
        return int(self._children[edge])

    def visits_of(self, edge: int) -> int:
        """Return the number of visits of an edge."""
        return int(self._visits[edge])

    def mean_of(self, edge: int) -> float:
        """Return the mean value of an edge that was visited."""
        return float(self._value_sums[edge]) / self.visits_of(edge)
