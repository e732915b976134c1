"""Kernel: selection, the first part of a playout: which edge of a node is visited next (PUCT).

Visits change nothing but the edge they take: as long as the best edge scores more than the second best did
when all were compared, it is selected again without a look at the others (the ``cached`` fields of the node).
And if it would be selected several times in a row on the whole path, one playout can count as several.

With several threads an edge with playouts in flight scores less, as if these were visits that leave its mean
as it is (WU-UCT, Liu et al. 2020), so that the threads go different ways where there is a choice; and an edge
without visits is left to the thread that visits it first.
"""

from __future__ import annotations

import math

from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.jit import kernel
from quoridor_net.engine.mcts.tree import (
    Edge,
    Node,
    Playout,
    Tree,
    edge_at,
    is_proven_loss,
    mean,
    node_at,
    swap_unvisited,
)

#: The edges of a node are compared at the latest when its visits have grown by this part.
_COMPARED = 16
_NONE = -1e9


@kernel
def puct(edge: Edge, factor: float, fpu: float) -> float:
    """Return the PUCT score of an edge: how good its move was found to be, and how much it is worth a try.

    ::

        score = Q + c(N) * sqrt(N) * P / (1 + n)

    with the prior P, the visits n and the mean value Q of the edge, and the visits N of the node. Without
    visits Q is ``fpu``, *first play urgency*, and ``c(N) * sqrt(N)`` is ``factor``, see :func:`_exploration`.
    """
    visits = edge.visits
    share = factor * edge.prior
    if visits == 0:
        return fpu + share
    # One division for both terms.
    return (edge.value_sum * (1 + visits) + share * visits) / (float(visits) * (1 + visits))


@kernel
def _puct_in_flight(edge: Edge, factor: float, score: float) -> float:
    """Return the ``score`` of a visited edge, reduced by its visits in flight."""
    visits = edge.visits
    return score - factor * edge.prior * (1.0 / (1 + visits) - 1.0 / (1 + visits + edge.in_flight))


@kernel
def _exploration(state: SearchState, node: Node) -> float:
    """Return ``c(N) * sqrt(N)``: the more is known of a node, the more is worth a try."""
    visits = node.visits
    weights = state.weights
    constant = weights.cpuct / 100.0 + math.log(1.0 + visits / (1000.0 * weights.cpuct_growth))
    return constant * math.sqrt(float(visits))


@kernel
def _fpu(state: SearchState, node: Node) -> float:
    """Return the assumed value of a move without visits: that of the node, or a little less."""
    return mean(node) - state.weights.fpu_reduction / 100.0


@kernel
def _limit_multivisit(
    state: SearchState, playout: Playout, edge: Edge, factor: float, score: float, runner_up: float
) -> None:
    """Lower ``visits_in_a_row`` to how often ``edge``, whose score is ``score``, would beat ``runner_up``."""
    if playout.visits_in_a_row == 1:
        return
    visits = edge.visits
    share = factor * edge.prior
    value = score - share / (1 + visits)
    # Not too many at once: with them all means on the path change.
    in_a_row = 1 + visits // state.weights.multivisit
    if runner_up > value and (in_a_row + visits) * (runner_up - value) > share:
        in_a_row = max(int(share / (runner_up - value)) - visits, 1)
    playout.visits_in_a_row = min(playout.visits_in_a_row, in_a_row)


@kernel
def select(state: SearchState, tree: Tree, playout: Playout, number: int) -> int:
    """Return the number of the edge of a node to visit next, or -1 if it has no legal move.

    Of the edges without visits the one with the largest prior is as good as any. Proven losses are for when
    nothing else is left. ``visits_in_a_row`` comes down to how often in a row the edge would be selected.
    """
    node = node_at(tree.nodes, number)
    if node.cached_best < 0 or node.visits >= node.cached_until:
        return _compare(state, tree, playout, node)
    best = node.first_edge + node.cached_best
    edge = edge_at(tree.edges, best)
    if edge.move < 0 or is_proven_loss(edge):
        return _compare(state, tree, playout, node)
    fpu = _fpu(state, node)
    factor = node.cached_factor
    runner_up = node.cached_second
    if node.cached_unvisited >= 0:
        runner_up = max(
            runner_up, puct(edge_at(tree.edges, node.first_edge + node.cached_unvisited), factor, fpu)
        )
    score = puct(edge, factor, fpu)
    if score < runner_up or (edge.in_flight > 0 and _puct_in_flight(edge, factor, score) < runner_up):
        return _compare(state, tree, playout, node)
    _limit_multivisit(state, playout, edge, factor, score, runner_up)
    return best


@kernel
def _compare(state: SearchState, tree: Tree, playout: Playout, node: Node) -> int:
    """Return the number of the edge to visit next as :func:`select` does, and cache the comparison."""
    visits = node.visits
    fpu = _fpu(state, node)
    factor = _exploration(state, node)
    best = lost = unvisited = taken = -1
    most = second = runner_up = _NONE
    first = node.first_edge
    in_order = first + node.sorted_count
    for number in range(first, first + node.edge_count):
        if number >= in_order:
            _sort_next(tree, node, number)
        edge = edge_at(tree.edges, number)
        if edge.move < 0:
            continue
        if edge.visits == 0:
            if edge.in_flight > 0:
                taken = number
                continue
            # All others without visits come after it.
            unvisited = number
            runner_up = puct(edge, factor, fpu)
            break
        if is_proven_loss(edge):
            lost = number
            continue
        score = puct(edge, factor, fpu)
        if score > most:
            second = most
            most = score
            best = number
        elif score > second:
            second = score
    if unvisited >= 0 and runner_up > most:
        node.cached_best = -1
        playout.visits_in_a_row = 1
        return unvisited
    if best < 0:
        # Where there is nothing else two threads visit the same edge first.
        return taken if taken >= 0 else lost
    node.cached_best = best - first
    node.cached_unvisited = unvisited - first if unvisited >= 0 else -1
    # The factor grows with the visits.
    node.cached_until = visits + 1 + visits // _COMPARED
    node.cached_second = second
    node.cached_factor = factor
    edge = edge_at(tree.edges, best)
    runner_up = max(second, runner_up)
    if edge.in_flight > 0 and _puct_in_flight(edge, factor, most) < runner_up:
        playout.visits_in_a_row = 1
        return _divert(tree, node, factor, fpu)
    _limit_multivisit(state, playout, edge, factor, most, runner_up)
    return best


@kernel
def _divert(tree: Tree, node: Node, factor: float, fpu: float) -> int:
    """Return the edge to visit next when visits in flight count, of a node whose edges have been compared.

    What was found without them stays: they are gone in a moment.
    """
    best = -1
    most = _NONE
    for number in range(node.first_edge, node.first_edge + node.edge_count):
        edge = edge_at(tree.edges, number)
        if edge.move < 0 or is_proven_loss(edge):
            continue
        score = puct(edge, factor, fpu)
        if edge.visits == 0 and edge.in_flight > 0:
            continue
        if edge.in_flight > 0:
            score = _puct_in_flight(edge, factor, score)
        if score > most:
            most = score
            best = number
        if edge.visits == 0:
            break
    return best


@kernel
def _sort_next(tree: Tree, node: Node, first: int) -> None:
    """Bring the likeliest of the edges of ``node`` from ``first`` on, none of them visited, to ``first``."""
    best = first
    for number in range(first + 1, node.first_edge + node.edge_count):
        if edge_at(tree.edges, number).prior > edge_at(tree.edges, best).prior:
            best = number
    swap_unvisited(edge_at(tree.edges, first), edge_at(tree.edges, best))
    node.sorted_count += 1
