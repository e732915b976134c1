"""Kernel: the nodes of the best-first search are made, with the moves of a position and their priors."""

from __future__ import annotations

import math

from quoridor_net.engine.compiled import kernel
from quoridor_net.engine.floods import corridor_of
from quoridor_net.engine.layout import (
    CUT_HORIZONTAL,
    CUT_VERTICAL,
    FIT_HORIZONTAL,
    FIT_VERTICAL,
    HORIZONTAL,
    LEFT,
    LIST,
    LISTS,
    ROOT_COUNT,
    ROOT_MOVES,
    ROW,
    ROWS,
    TURN,
    VERTICAL,
)
from quoridor_net.engine.network import LOGIT
from quoridor_net.engine.neurons import excite
from quoridor_net.engine.ordering import PRIOR as LISTED_PRIOR
from quoridor_net.engine.ordering import append, find_priors
from quoridor_net.engine.sets import holds, steps
from quoridor_net.engine.tree import (
    ALL,
    CHILD,
    COUNT,
    EDGE,
    EDGE_COUNT,
    EDGE_MAX,
    EDGE_VISITS,
    FIRST,
    HEAD,
    IS_SETTLED,
    LIKELY,
    LISTED,
    NO_NODE,
    NODE,
    NODE_COUNT,
    NODE_MAX,
    PRIOR,
    SORTED,
    VISITS,
    compare_anew,
    edge_at,
    edge_of,
    enter,
    forget,
    key_at,
    replace,
    sum_at,
    total_at,
)
from quoridor_net.engine.weights import LEAVE_OUT, TEMPER
from quoridor_net.engine.words import Fractions, Links, Numbers, Words

#: No position has more moves, legal or not.
_MOST = 260


@kernel
def fill_all(memory: Words, ply: int) -> int:
    """List the steps, and all walls that fit, legal or not; return how many there are."""
    row = ROWS + ply * ROW
    low, high = steps(memory, row)
    total = append(memory, ply, 0, 0, low, high)
    if memory[row + LEFT + memory[row + TURN]] <= 0:
        return total
    fits = row + FIT_HORIZONTAL
    total = append(memory, ply, total, HORIZONTAL, memory[fits], memory[fits + 1])
    fits = row + FIT_VERTICAL
    return append(memory, ply, total, VERTICAL, memory[fits], memory[fits + 1])


@kernel
def _cuts(memory: Words, corridor: int, wall: int) -> int:
    """Return whether a wall cuts a shortest path of those in ``corridor``."""
    if wall < VERTICAL:
        place = corridor + CUT_HORIZONTAL
        anchor = wall - HORIZONTAL
    else:
        place = corridor + CUT_VERTICAL
        anchor = wall - VERTICAL
    return holds(memory[place], memory[place + 1], anchor)


@kernel
def _write_move(
    links: Links, priors: Fractions, totals: Fractions, edge: int, move: int, prior: float
) -> None:
    """Make ``move``, which nobody has looked at, the move with the number ``edge``."""
    place = edge_at(links, edge)
    links[place] = move
    links[place + CHILD] = NO_NODE
    links[place + EDGE_VISITS] = 0
    totals[total_at(place)] = 0.0
    priors[place + PRIOR] = prior


@kernel
def expand(
    memory: Words,
    numbers: Numbers,
    links: Links,
    priors: Fractions,
    totals: Fractions,
    ply: int,
    value: float,
) -> int:
    """Make a node of the position at ``ply``, fed and flooded, worth ``value``; return its number or NO_NODE.

    Walls that are most unlikely are left out, except at the root, until nothing else is left. Those that cut
    a shortest path of the rival are not: what refutes a plan is often a wall that looked unlikely.
    """
    if links[NODE_COUNT] >= links[NODE_MAX] or links[EDGE_COUNT] + _MOST >= links[EDGE_MAX]:
        return NO_NODE
    listed = LISTS + ply * LIST
    if ply == 0:
        total = memory[ROOT_COUNT]
        for index in range(total):
            memory[listed + index] = memory[ROOT_MOVES + index]
    else:
        total = fill_all(memory, ply)
    if total == 0:
        return NO_NODE
    excite(numbers, memory, ply)
    top = find_priors(numbers, memory, ply, total)
    least = top - memory[LEAVE_OUT]
    per_logit = 100.0 / (LOGIT * memory[TEMPER])
    row = ROWS + ply * ROW
    corridor = corridor_of(memory, ply, 1 - memory[row + TURN])
    node = links[NODE_COUNT]
    at = HEAD + node * NODE
    first = links[EDGE_COUNT]
    edge = first
    weight = 0.0
    for index in range(total):
        move, prior = memory[listed + index], memory[listed + LISTED_PRIOR + index]
        if ply > 0 and prior < least and move >= HORIZONTAL and not _cuts(memory, corridor, move):
            continue
        share = math.exp((prior - top) * per_logit)
        _write_move(links, priors, totals, edge, move, share)
        weight += share
        edge += 1
    for other in range(first, edge):
        priors[edge_at(links, other) + PRIOR] /= weight
    links[NODE_COUNT] += 1
    links[EDGE_COUNT] = edge
    links[at + FIRST] = first
    links[at + COUNT] = edge - first
    links[at + VISITS] = 1
    links[at + LISTED] = ALL if edge - first == total else LIKELY
    links[at + SORTED] = 0
    links[at + IS_SETTLED] = 0
    compare_anew(links, node)
    totals[sum_at(node)] = value
    enter(links, node, key_at(memory, links, ply))
    return node


@kernel
def complete(
    memory: Words, numbers: Numbers, links: Links, priors: Fractions, totals: Fractions, ply: int, node: int
) -> int:
    """Put a node with all moves in the place of ``node``, whose position lies at ``ply``, fed and flooded.

    Returns:
        The number of the new node, or NO_NODE if there is no room.
    """
    if links[NODE_COUNT] >= links[NODE_MAX] or links[EDGE_COUNT] + 2 * _MOST >= links[EDGE_MAX]:
        return NO_NODE
    listed = LISTS + ply * LIST
    total = fill_all(memory, ply)
    excite(numbers, memory, ply)
    top = find_priors(numbers, memory, ply, total)
    per_logit = 100.0 / (LOGIT * memory[TEMPER])
    old, new = HEAD + node * NODE, links[NODE_COUNT]
    first = edge = links[EDGE_COUNT]
    least = 1.0
    for known in range(links[old + FIRST], links[old + FIRST] + links[old + COUNT]):
        for word in range(EDGE):
            links[edge_at(links, edge) + word] = links[edge_at(links, known) + word]
        least = min(least, priors[edge_at(links, known) + PRIOR])
        edge += 1
    for index in range(total):
        move, prior = memory[listed + index], memory[listed + LISTED_PRIOR + index]
        if edge_of(links, node, move) >= 0:
            continue
        _write_move(links, priors, totals, edge, move, least * math.exp((prior - top) * per_logit))
        edge += 1
    at = HEAD + new * NODE
    for word in range(NODE):
        links[at + word] = links[old + word]
    links[at + FIRST] = first
    links[at + COUNT] = edge - first
    links[at + LISTED] = ALL
    compare_anew(links, new)
    links[NODE_COUNT] += 1
    links[EDGE_COUNT] = edge
    replace(links, new)
    return new


@kernel
def complete_root(
    memory: Words, numbers: Numbers, links: Links, priors: Fractions, totals: Fractions
) -> None:
    """See that the root of a tree that was kept has all its moves; forget the tree if there is no room.

    The root stays the first node: unlike all others it may have moves that lie behind those of later nodes.
    """
    new = complete(memory, numbers, links, priors, totals, 0, 0)
    if new == NO_NODE:
        forget(links)
        return
    for word in range(NODE):
        links[HEAD + word] = links[HEAD + new * NODE + word]
    links[NODE_COUNT] -= 1
    replace(links, 0)
