"""Who can be compared with whom: entrants as the points of a graph."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def strong_components(edges: Sequence[Collection[int]]) -> list[int]:
    """Return a number for every point; points from which each other can be reached have the same.

    Where an edge leads from one component to another, it leads to the smaller number.

    Args:
        edges: the points, from 0, to which each point has an edge.

    Source: R. Tarjan, "Depth-first search and linear graph algorithms", 1972, without recursion.
    """
    component = [-1] * len(edges)
    order = [-1] * len(edges)
    lowest = [0] * len(edges)
    open_points: list[int] = []
    visited = components = 0
    for root in range(len(edges)):
        if order[root] >= 0:
            continue
        path = [(root, iter(edges[root]))]
        order[root] = lowest[root] = visited
        visited += 1
        open_points.append(root)
        while path:
            point, successors = path[-1]
            for other in successors:
                if order[other] < 0:
                    order[other] = lowest[other] = visited
                    visited += 1
                    open_points.append(other)
                    path.append((other, iter(edges[other])))
                    break
                if component[other] < 0:
                    lowest[point] = min(lowest[point], order[other])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[point])
                if lowest[point] == order[point]:
                    _close(point, open_points, component, components)
                    components += 1
    return component


def _close(point: int, open_points: list[int], component: list[int], number: int) -> None:
    while component[point] < 0:
        component[open_points.pop()] = number


def connected_groups(edges: Sequence[Collection[int]]) -> list[list[int]]:
    """Return the groups of points that edges connect, whichever way they lead, that of point 0 first."""
    both: list[set[int]] = [set(others) for others in edges]
    for point, others in enumerate(edges):
        for other in others:
            both[other].add(point)
    groups: dict[int, list[int]] = {}
    for point, component in enumerate(strong_components(both)):
        groups.setdefault(component, []).append(point)
    return list(groups.values())
