"""Components of graphs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.tournament.groups import find_connected_groups, find_strong_components

GRAPHS = st.integers(0, 9).flatmap(
    lambda size: st.lists(st.sets(st.integers(0, max(size - 1, 0))), min_size=size, max_size=size)
)


def reach_nodes(edges: list[set[int]], start: int) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        for other in edges[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return found


def test_components_of_a_graph_drawn_by_hand_are_found() -> None:
    # 0, 1 and 2 in a cycle; 2 to 3; 4 isolated.
    edges = [{1}, {2}, {0, 3}, set[int](), set[int]()]
    component = find_strong_components(edges)
    assert component[0] == component[1] == component[2] > component[3]
    assert len(set(component)) == 3
    assert find_connected_groups(edges) == [[0, 1, 2, 3], [4]]


@given(GRAPHS)
def test_components_are_the_points_that_reach_each_other(edges: list[set[int]]) -> None:
    component = find_strong_components(edges)
    reach = [reach_nodes(edges, point) for point in range(len(edges))]
    for one, found in enumerate(reach):
        for other in range(len(edges)):
            mutual = other in found and one in reach[other]
            assert (component[one] == component[other]) == mutual
        assert all(component[other] <= component[one] for other in found)


@given(GRAPHS)
def test_edges_connect_the_points_of_each_group(edges: list[set[int]]) -> None:
    both = [set(others) for others in edges]
    for one, others in enumerate(edges):
        for other in others:
            both[other].add(one)
    groups = find_connected_groups(edges)
    assert sorted(point for group in groups for point in group) == list(range(len(edges)))
    for group in groups:
        assert set(group) == reach_nodes(both, group[0])


def test_a_long_chain_needs_no_recursion() -> None:
    size = 50_000
    edges = [{point + 1} if point + 1 < size else set[int]() for point in range(size)]
    assert find_strong_components(edges) == list(range(size - 1, -1, -1))
