"""Kernel: what principal variation search finds, told to the tree of the best-first search."""

from __future__ import annotations

from quoridor_net.engine.compiled import kernel
from quoridor_net.engine.growth import put, refresh
from quoridor_net.engine.layout import LISTS, PAST_COUNT, PROVEN, ROOT_COUNT, ROOT_MOVES, ROW, ROWS
from quoridor_net.engine.nodes import complete, fill_all
from quoridor_net.engine.tree import (
    CHILD,
    COUNT,
    EDGE_VISITS,
    FIRST,
    HEAD,
    IS_SETTLED,
    LISTED,
    NO_NODE,
    NODE,
    NOT_ENOUGH,
    PRIOR,
    SETTLED,
    SORTED,
    VISITS,
    compare_anew,
    edge_at,
    edge_of,
    sum_at,
    swap_untried,
    total_at,
    value_of,
)
from quoridor_net.engine.weights import ADVICE_PRIOR
from quoridor_net.engine.words import Fractions, Links, Numbers, Words


@kernel
def go_on(memory: Words, numbers: Numbers, move: int) -> None:
    """Make the position after the legal ``move`` the one in the first row, with all its moves at the root."""
    put(memory, 0, move)
    for index in range(ROW):
        memory[ROWS + index] = memory[ROWS + ROW + index]
    memory[PAST_COUNT] += 1
    total = fill_all(memory, 0)
    memory[ROOT_COUNT] = total
    for index in range(total):
        memory[ROOT_MOVES + index] = memory[LISTS + index]
    refresh(memory, numbers, 0)


@kernel
def _bring_forward(links: Links, priors: Fractions, node: int, edge: int) -> None:
    """Have a move that was not looked at be the next of those that were not."""
    at = HEAD + node * NODE
    for other in range(links[at + FIRST], edge):
        one, two = edge_at(links, other), edge_at(links, edge)
        if links[one] >= 0 and links[one + EDGE_VISITS] == 0:
            swap_untried(links, priors, one, two)
            links[at + SORTED] = max(links[at + SORTED], other - links[at + FIRST] + 1)
            return


@kernel
def _settle(links: Links, totals: Fractions, node: int, move: int, value: float) -> None:
    """Note that ``move`` wins at ``node``, so that the visits to come tell all ways that lead there."""
    compare_anew(links, node)
    at, edge = HEAD + node * NODE, edge_of(links, node, move)
    place = edge_at(links, edge)
    if links[place + EDGE_VISITS] == 0:
        links[place + EDGE_VISITS] = 1
        links[at + VISITS] += 1
    links[place + CHILD] = SETTLED
    totals[total_at(place)] = value * links[place + EDGE_VISITS]
    links[at + IS_SETTLED] = 1
    totals[sum_at(node)] = value * links[at + VISITS]


@kernel
def _prefer(links: Links, priors: Fractions, node: int, move: int, share: float) -> None:
    """Give ``move`` at ``node`` no smaller prior than ``share``, and its turn before others untried."""
    compare_anew(links, node)
    edge = edge_of(links, node, move)
    place = edge_at(links, edge)
    prior = priors[place + PRIOR]
    if prior >= share:
        return
    at = HEAD + node * NODE
    rest = (1.0 - share) / (1.0 - prior)
    for other in range(links[at + FIRST], links[at + FIRST] + links[at + COUNT]):
        priors[edge_at(links, other) + PRIOR] *= rest
    priors[place + PRIOR] = share
    if links[place + EDGE_VISITS] == 0:
        _bring_forward(links, priors, node, edge)


@kernel
def advise(
    memory: Words,
    numbers: Numbers,
    links: Links,
    priors: Fractions,
    totals: Fractions,
    node: int,
    way: int,
    move: int,
    score: int,
) -> int:
    """Tell the tree that ``move`` is best at ``node``, whose position is in the first row.

    It is put in if it was left out, and tried. If it wins for sure that is settled.

    Args:
        memory: with the position.
        numbers: of the network.
        links: of the tree.
        priors: of its moves.
        totals: of its nodes and moves.
        node: the root, or the node behind one of its moves.
        way: the number of that move, -1 for the root.
        move: the best.
        score: what it is worth, counted from the node.

    Returns:
        The number of the node, which is another if the move had been left out, or NO_NODE if there is no
        room for that.
    """
    if edge_of(links, node, move) < 0:
        old = node
        node = complete(memory, numbers, links, priors, totals, 0, old)
        if node == NO_NODE:
            return NO_NODE
        # So the other ways that lead to it find out that there is another; the root has all its moves.
        links[HEAD + old * NODE + LISTED] = NOT_ENOUGH
        links[edge_at(links, way) + CHILD] = node
    _prefer(links, priors, node, move, memory[ADVICE_PRIOR] / 100.0)
    if score > PROVEN:
        value = value_of(score - 1 if way >= 0 else score)
        _settle(links, totals, node, move, value)
        if way >= 0:
            place = edge_at(links, way)
            links[place + CHILD] = SETTLED
            totals[total_at(place)] = -value * links[place + EDGE_VISITS]
    return node
