"""Groups of entrants that can be compared, found in a directed graph with the entrants as nodes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx


def find_strong_components(edges: Sequence[Collection[int]]) -> list[int]:
    """Return the number of the strongly connected component of every node.

    Edges between components lead to the smaller number.

    Args:
        edges: for each node, from 0, the nodes that it has an edge to.
    """
    # Imported here, as numpy is for ratings: importing it takes as long as the rest of the start.
    import networkx as nx

    condensed = nx.condensation(_graph(edges))
    component = [0] * len(edges)
    for number, node in enumerate(reversed([*nx.topological_sort(condensed)])):
        for member in condensed.nodes[node]["members"]:
            component[member] = number
    return component


def find_connected_groups(edges: Sequence[Collection[int]]) -> list[list[int]]:
    """Return the groups of nodes connected by edges of either direction, the group of node 0 first."""
    # Without networkx, because the leaderboard of a league needs nothing else of it.
    neighbours = [set(others) for others in edges]
    for node, others in enumerate(edges):
        for other in others:
            neighbours[other].add(node)
    groups, found = [], set[int]()
    for node in range(len(edges)):
        group, waiting = set[int](), {node} - found
        while waiting:
            group |= waiting
            waiting = set[int]().union(*(neighbours[each] for each in waiting)) - group
        found |= group
        if group:
            groups.append(sorted(group))
    return groups


def _graph(edges: Sequence[Collection[int]]) -> nx.DiGraph[int]:
    import networkx as nx

    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(edges)))
    graph.add_edges_from((node, other) for node, others in enumerate(edges) for other in others)
    return graph
