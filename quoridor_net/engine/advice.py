"""Kernel: what principal variation search finds, told to the tree of the best-first search."""

from __future__ import annotations

from quoridor_net.engine.compiled import kernel
from quoridor_net.engine.growth import complete, fill_all, put, refresh
from quoridor_net.engine.layout import (
    LISTS,
    PAST_COUNT,
    ROOT_COUNT,
    ROOT_MOVES,
    ROW,
    ROWS,
)
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
    SETTLED,
    SORTED,
    VISITS,
    edge_at,
    edge_of,
    total_at,
)
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
            links[one], links[two] = links[two], links[one]
            priors[other], priors[edge] = priors[edge], priors[other]
            links[at + SORTED] = max(links[at + SORTED], other - links[at + FIRST] + 1)
            return


@kernel
def advise(
    memory: Words,
    numbers: Numbers,
    links: Links,
    priors: Fractions,
    totals: Fractions,
    node: int,
    move: int,
    share: float,
) -> int:
    """Give ``move`` at ``node``, whose position is in the first row, no smaller prior than ``share``.

    Returns:
        The number of the node, which is another if the move had been left out, or NO_NODE if there is no
        room for that.
    """
    edge = edge_of(links, node, move)
    if edge < 0:
        old = node
        node = complete(memory, numbers, links, priors, totals, 0, old)
        if node == NO_NODE:
            return NO_NODE
        # So the ways that lead to it find out that there is another.
        links[HEAD + old * NODE + LISTED] = NOT_ENOUGH
        edge = edge_of(links, node, move)
    if priors[edge] >= share:
        return node
    at = HEAD + node * NODE
    rest = (1.0 - share) / (1.0 - priors[edge])
    for other in range(links[at + FIRST], links[at + FIRST] + links[at + COUNT]):
        priors[other] *= rest
    priors[edge] = share
    if links[edge_at(links, edge) + EDGE_VISITS] == 0:
        _bring_forward(links, priors, node, edge)
    return node


@kernel
def settle(links: Links, totals: Fractions, node: int, move: int, value: float) -> None:
    """Note that ``move`` wins at ``node``, so that the visits to come tell all ways that lead there."""
    edge = edge_of(links, node, move)
    at, place = HEAD + node * NODE, edge_at(links, edge)
    if links[place + EDGE_VISITS] == 0:
        links[place + EDGE_VISITS] = 1
        links[at + VISITS] += 1
    links[place + CHILD] = SETTLED
    totals[total_at(links, edge)] = value * links[place + EDGE_VISITS]
    links[at + IS_SETTLED] = 1
    totals[node] = value * links[at + VISITS]
