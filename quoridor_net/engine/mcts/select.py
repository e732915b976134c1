"""Kernel: selection, the first part of a playout, which finds the edge of a node to visit next (PUCT).

A visit hardly changes the scores of the other edges. So while the best edge scores more than the second best
did in the last comparison, it is selected again without another one (the ``cached`` fields of the node). And
if the whole path would be selected several times in a row, one playout can count as several.

With several threads, playouts in flight lower the score of an edge, as if they were visits that do not change
its mean (WU-UCT, Liu et al. 2020), so that threads take different paths if there is a choice. An edge without
visits is left to the first thread that visits it.
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

#: The edges of a node are compared again at the latest when its visits have grown by 1 / this number.
_COMPARED = 16
_NONE = -1e9


@kernel
def puct(edge: Edge, factor: float, fpu: float) -> float:
    """Return the PUCT score of an edge: its mean value plus an exploration bonus.

    ::

        score = Q + c(N) * sqrt(N) * P / (1 + n)

    where P is the prior of the edge, n its visits, Q its mean value, and N the visits of the node. Without
    visits, Q is ``fpu``, the *first play urgency*. ``c(N) * sqrt(N)`` is ``factor``, see
    :func:`_exploration`.
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
    """Return the exploration factor ``c(N) * sqrt(N)``, where c grows slowly with the visits N."""
    visits = node.visits
    weights = state.weights
    constant = weights.cpuct / 100.0 + math.log(1.0 + visits / (1000.0 * weights.cpuct_growth))
    return constant * math.sqrt(float(visits))


@kernel
def _fpu(state: SearchState, node: Node) -> float:
    """Return the assumed value of a move without visits: the node's mean value, or a little less."""
    return mean(node) - state.weights.fpu_reduction / 100.0


@kernel
def _limit_multivisit(
    state: SearchState, playout: Playout, edge: Edge, factor: float, score: float, runner_up: float
) -> None:
    """Lower ``visits_in_a_row`` to the visits for which ``edge`` still beats the ``runner_up`` score."""
    if playout.visits_in_a_row == 1:
        return
    visits = edge.visits
    share = factor * edge.prior
    value = score - share / (1 + visits)
    # Not too many at once, because they change all means on the path.
    in_a_row = 1 + visits // state.weights.multivisit
    if runner_up > value and (in_a_row + visits) * (runner_up - value) > share:
        in_a_row = max(int(share / (runner_up - value)) - visits, 1)
    playout.visits_in_a_row = min(playout.visits_in_a_row, in_a_row)


@kernel
def select(state: SearchState, tree: Tree, playout: Playout, number: int) -> int:
    """Return the number of the edge of a node to visit next, or -1 if it has no legal move.

    Of the edges without visits, only the one with the largest prior is considered. Proven losses are selected
    only if nothing else is left. ``visits_in_a_row`` is lowered to the number of times in a row that the edge
    would be selected.
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
    """Compare all edges, cache the comparison, and return the number of the edge to visit next."""
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
            # The other edges without visits follow and have smaller priors.
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
        # Without an alternative, two threads may make the first visit of the same edge.
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
    """Return the edge of a compared node to visit next, counting visits in flight.

    The cached comparison, made without them, is kept, because they last only a moment.
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
    """Move the likeliest of the edges of ``node`` from ``first`` on, all unvisited, to ``first``."""
    best = first
    for number in range(first + 1, node.first_edge + node.edge_count):
        if edge_at(tree.edges, number).prior > edge_at(tree.edges, best).prior:
            best = number
    swap_unvisited(edge_at(tree.edges, first), edge_at(tree.edges, best))
    node.sorted_count += 1
