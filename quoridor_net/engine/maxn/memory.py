"""The memory of a tree: the arrays that kernels reach by their addresses."""

from __future__ import annotations

from quoridor_net.engine.maxn.network import load_network
from quoridor_net.engine.maxn.styles import load_styles
from quoridor_net.engine.maxn.tree import MaxNEdge, MaxNNode, MaxNTree
from quoridor_net.jit.records import RecordArray, new_record, new_records, record_type

#: Number of edges with room in the tree for each node.
_EDGES_A_NODE = 16


def room_in(table_mb: int) -> tuple[int, int]:
    """Return the numbers of nodes and edges of a tree of ``table_mb``, half of it for a copy."""
    size = record_type(MaxNNode).itemsize + _EDGES_A_NODE * record_type(MaxNEdge).itemsize
    nodes = (table_mb << 20) // (2 * size)
    return nodes, nodes * _EDGES_A_NODE


class TreeMemory:
    """An empty tree. The system provides its memory as the tree grows into it.

    Attributes:
        tree: the record for kernels; it is valid only as long as this object exists.
    """

    def __init__(self, table_mb: int) -> None:
        nodes, edges = room_in(table_mb)
        self._nodes = [new_records(MaxNNode, nodes) for _ in range(2)]
        self._edges = [new_records(MaxNEdge, edges) for _ in range(2)]
        self.tree = new_record(MaxNTree)
        load_network(self.tree.network)
        load_styles(self.tree.opponents)
        self.tree.nodes, self.tree.spare_nodes = (array.address for array in self._nodes)
        self.tree.edges, self.tree.spare_edges = (array.address for array in self._edges)
        self.tree.node_limit = nodes
        self.tree.edge_limit = edges

    @property
    def nodes(self) -> RecordArray:
        """The nodes, by number. Rerooting swaps them with the spare ones."""
        return _array_at(self.tree.nodes, self._nodes)

    @property
    def edges(self) -> RecordArray:
        """The edges, by number."""
        return _array_at(self.tree.edges, self._edges)

    def edges_of(self, node: int) -> range:
        """Return the numbers of the edges of a node."""
        first = int(self.nodes[node].first_edge)
        return range(first, first + int(self.nodes[node].edge_count))

    def child_of(self, edge: int) -> int:
        """Return the number of the node that an edge leads to, NO_NODE if there is none."""
        return int(self.edges[edge].child)


def _array_at(address: int, arrays: list[RecordArray]) -> RecordArray:
    return next(array for array in arrays if array.address == address)
