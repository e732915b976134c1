"""Matchings of maximum weight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx


def make_graph(edges: Iterable[tuple[int, int, int]]) -> nx.Graph[int]:
    """Return the graph of these edges, with their weights."""
    # Imported here, because importing it takes as long as the rest of the program.
    import networkx as nx

    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from(edges)
    return graph


def match(graph: nx.Graph[int], *, is_largest: bool = True) -> set[tuple[int, int]]:
    """Return the matching of maximum weight, if it must be ``is_largest`` among those with most pairs."""
    import networkx as nx

    found: set[tuple[int, int]] = nx.max_weight_matching(graph, maxcardinality=is_largest)
    return found


def widen(reach: int, most: int) -> Iterator[int]:
    """Yield growing numbers of opponents to consider, up to all."""
    while reach < most:
        yield reach
        reach *= 4
    yield most
