"""Kernel: the tree of the best-first search in memory: nodes, moves, what visits found, what is settled.

Nodes and moves lie in one array of 32-bit integers, the priors of the moves in a second, and the sums of
what visits found in a third, nodes first. Values are those of the seat that moves, from -1 to 1. Beyond
``CERTAIN`` they are settled: the score is exact, or rests on a race that distances decide, and is averaged no
more.
"""

from __future__ import annotations

import math

from quoridor_net.engine.compiled import kernel
from quoridor_net.engine.layout import DECIDED, DOUBTFUL, PLIES
from quoridor_net.engine.network import SCALE
from quoridor_net.engine.words import Fractions, Links

#: No average of what the network says is larger.
CERTAIN = 0.98
_SETTLED_FROM = 0.99
_SCORES = 2e6

# The head of the tree: how many nodes and moves there are and can be, and where the moves begin.
NODE_COUNT = 0
EDGE_COUNT = 1
NODE_MAX = 2
EDGE_MAX = 3
EDGES = 4
# For each ply of a visit the node and the number of the move.
PATH = 8
HEAD = PATH + 2 * PLIES

# A node: its first move, how many it has, its visits, whether no move was left out, and how many of its moves
# stand in the order of their priors, before all others.
NODE = 5
FIRST = 0
COUNT = 1
VISITS = 2
IS_WHOLE = 3
SORTED = 4

# A move: its number, the node it leads to, and its visits.
EDGE = 3
CHILD = 1
EDGE_VISITS = 2
NO_NODE = -1
SETTLED = -2

_MOST_VISITS = 2.0**40


@kernel
def value_of(score: int) -> float:
    """Return ``score`` as a value."""
    if abs(score) > DECIDED:
        value = _SETTLED_FROM + (abs(score) - DECIDED) / _SCORES
        return value if score > 0 else -value
    return CERTAIN * math.tanh(score / (2.0 * SCALE))


@kernel
def score_of(value: float) -> int:
    """Return a settled value as a score."""
    score = DECIDED + int((abs(value) - _SETTLED_FROM) * _SCORES + 0.5)
    return score if value > 0 else -score


@kernel
def edge_at(links: Links, edge: int) -> int:
    """Return where the move with this number lies."""
    return links[EDGES] + edge * EDGE


@kernel
def total_at(links: Links, edge: int) -> int:
    """Return where the sum of what visits of the move found lies among the sums."""
    return links[NODE_MAX] + edge


@kernel
def best_of_settled(links: Links, totals: Fractions, node: int) -> float:
    """Return the value of a node all of whose moves are settled losses, else 0."""
    at = HEAD + node * NODE
    most = -1.0
    for edge in range(links[at + FIRST], links[at + FIRST] + links[at + COUNT]):
        place = edge_at(links, edge)
        if links[place] < 0:
            continue
        if links[place + CHILD] != SETTLED:
            return 0.0
        most = max(most, totals[total_at(links, edge)] / links[place + EDGE_VISITS])
    if most > -CERTAIN:
        return 0.0
    if links[at + IS_WHOLE] == 0:
        # A wall that was left out might still help: no proof.
        most = max(most, value_of(-DOUBTFUL))
    return most


@kernel
def is_over(links: Links, totals: Fractions) -> int:
    """Return whether the root has a settled win, or nothing but settled losses."""
    for edge in range(links[HEAD + FIRST], links[HEAD + FIRST] + links[HEAD + COUNT]):
        place = edge_at(links, edge)
        if (
            links[place + CHILD] == SETTLED
            and totals[total_at(links, edge)] > CERTAIN * links[place + EDGE_VISITS]
        ):
            return 1
    return 1 if best_of_settled(links, totals, 0) < 0.0 else 0


@kernel
def child_of(links: Links, node: int, move: int) -> int:
    """Return the node that ``move`` leads to from ``node``, negative if there is none."""
    at = HEAD + node * NODE
    for edge in range(links[at + FIRST], links[at + FIRST] + links[at + COUNT]):
        place = edge_at(links, edge)
        if links[place] == move:
            return links[place + CHILD]
    return NO_NODE


@kernel
def merit(links: Links, totals: Fractions, edge: int) -> float:
    """Return what moves are compared by: settled wins, the quickest first, then visits, then settled losses.

    It is 0 for a move that was never looked at.
    """
    place = edge_at(links, edge)
    visits = links[place + EDGE_VISITS]
    if visits == 0 or links[place + CHILD] != SETTLED:
        return float(visits)
    value = totals[total_at(links, edge)] / visits
    if abs(value) > CERTAIN:
        return _MOST_VISITS * value
    return float(visits)


@kernel
def best_of(links: Links, totals: Fractions, node: int) -> int:
    """Return the best move of ``node``, -1 if none was looked at."""
    at = HEAD + node * NODE
    best = -1
    most = 0.0
    for edge in range(links[at + FIRST], links[at + FIRST] + links[at + COUNT]):
        found = merit(links, totals, edge)
        if found != 0.0 and (best < 0 or found > most):
            most = found
            best = edge
    return best


@kernel
def cut_down(
    links: Links, priors: Fractions, totals: Fractions, root: int, plies: int, places: Links
) -> None:
    """Make the node ``root``, ``plies`` below the root, the root; keep only what hangs from it.

    Nodes and moves are older than what hangs from them, so that all can move to lower places in order.

    Wins and losses that are settled are nearer by so much. ``places`` has room for a number for each node.
    """
    nodes = links[NODE_COUNT]
    edges = 0
    count = 0
    places[:nodes] = NO_NODE
    places[root] = 0
    for node in range(root, nodes):
        if places[node] == NO_NODE:
            continue
        places[node] = count
        old, new = HEAD + node * NODE, HEAD + count * NODE
        first, total = links[old + FIRST], links[old + COUNT]
        for index in range(NODE):
            links[new + index] = links[old + index]
        links[new + FIRST] = edges
        totals[count] = totals[node]
        count += 1
        for edge in range(first, first + total):
            old, new = edge_at(links, edge), edge_at(links, edges)
            for index in range(EDGE):
                links[new + index] = links[old + index]
            sum_of = totals[total_at(links, edge)]
            child = links[new + CHILD]
            if child >= 0:
                places[child] = 0
            elif child == SETTLED:
                nearer = plies * links[new + EDGE_VISITS] / _SCORES
                if sum_of > CERTAIN * links[new + EDGE_VISITS]:
                    sum_of += nearer
                elif sum_of < -CERTAIN * links[new + EDGE_VISITS]:
                    sum_of -= nearer
            totals[total_at(links, edges)] = sum_of
            priors[edges] = priors[edge]
            edges += 1
    for edge in range(edges):
        place = edge_at(links, edge) + CHILD
        if links[place] >= 0:
            links[place] = places[links[place]]
    links[NODE_COUNT] = count
    links[EDGE_COUNT] = edges
