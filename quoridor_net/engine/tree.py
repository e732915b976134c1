"""Kernel: the tree of the best-first search in memory: nodes, moves, what visits found, what is settled.

A position that several orders of the same moves lead to has one node, so that what is called the tree grows
together again. An index finds the node of a position.

Nodes and moves lie in one array of 32-bit integers. The priors of the moves, which take the place of one of
them, and the sums of what visits found, which take that of two, are read and written through views of the
array as fractions of 32 and of 64 bits: so all that is known of a move lies together. Values are those of the
seat that moves, from -1 to 1. Beyond ``CERTAIN`` they are settled: the score is exact, or rests on a race
that distances decide, and is averaged no more.
"""

from __future__ import annotations

import math

from quoridor_net.engine.compiled import kernel
from quoridor_net.engine.layout import DECIDED, KEY, PLIES, ROW, ROWS
from quoridor_net.engine.network import SCALE
from quoridor_net.engine.words import Fractions, Links, Words

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
# The index of the nodes by their positions: where it begins, and its size less 1, a power of two less 1.
INDEX = 5
INDEX_MASK = 6
# How many moves had been played before the root.
PLAYED = 7
# How many visits in a row would go the same way; and how many the last one counts for.
AT_ONCE = 8
TIMES = 9
# For each ply of a visit the node and the number of the move.
PATH = 10
HEAD = PATH + 2 * PLIES

# A node: its first move, how many it has, its visits, which moves it has (see below), how many of them stand
# in the order of their priors, before all others, whether it is settled, the two halves of its key, its
# place in the index, and, from an even place on, the sum of what visits found. The rest is what was found
# when its moves were last compared: the best of them and the first untried, both counted from its first and
# -1 for none, the visits it has when they are to be compared again, and as fractions of 32 bits what the
# second best promises, of those that were tried, and how much was given to exploring.
NODE = 16
FIRST = 0
COUNT = 1
VISITS = 2
LISTED = 3
SORTED = 4
IS_SETTLED = 5
KEY_LOW = 6
KEY_HIGH = 7
INDEXED_AT = 8
BEST = 9
_NODE_SUM = 10
UNTRIED = 12
COMPARE_AT = 13
SECOND = 14
FACTOR = 15

# Which moves a node has: the likely ones; the same, and these do not do, since all of them are settled losses
# or advice named another, so that whoever comes by asks the index for the node in its place; or all.
LIKELY = 0
NOT_ENOUGH = 1
ALL = 2

# A move: its number, the node it leads to, its visits, its prior, and the sum of what its visits found.
EDGE = 6
CHILD = 1
EDGE_VISITS = 2
PRIOR = 3
_SUM = 4
NO_NODE = -1
SETTLED = -2

_MOST_VISITS = 2.0**40

#: Of a key 62 bits are compared, half of them in each of two integers that are not negative.
_HALF_BITS = 31
_HALF = (1 << _HALF_BITS) - 1
#: Odd, so that it tells apart the numbers of moves by all bits of the key.
_SALT = 0x1E3779B97F4A7C15


@kernel
def value_of(score: int) -> float:
    """Return ``score`` as a value."""
    if abs(score) > DECIDED:
        value = _SETTLED_FROM + (abs(score) - DECIDED) / _SCORES
        return value if score > 0 else -value
    return CERTAIN * math.tanh(score / (2.0 * SCALE))


def score_of(value: float) -> int:
    """Return a settled value as a score. No kernel needs it."""
    score = DECIDED + int((abs(value) - _SETTLED_FROM) * _SCORES + 0.5)
    return score if value > 0 else -score


@kernel
def edge_at(links: Links, edge: int) -> int:
    """Return where the move with this number lies."""
    return links[EDGES] + edge * EDGE


@kernel
def total_at(place: int) -> int:
    """Return where the sum of what visits of the move at ``place`` found lies, as a fraction of 64 bits."""
    return place + _SUM >> 1


@kernel
def sum_at(node: int) -> int:
    """Return where the sum of what visits of the node found lies, as a fraction of 64 bits."""
    return HEAD + node * NODE + _NODE_SUM >> 1


@kernel
def key_at(memory: Words, links: Links, ply: int) -> int:
    """Return a key of the position at ``ply`` and of how many moves were played before it.

    Without the second a way could lead back to where it began.
    """
    return memory[ROWS + ply * ROW + KEY] ^ ((links[PLAYED] + ply) * _SALT)


@kernel
def node_with(links: Links, key: int) -> int:
    """Return the node with this key, or NO_NODE."""
    slot = key & links[INDEX_MASK]
    while True:
        node = links[links[INDEX] + slot] - 1
        if node < 0:
            return NO_NODE
        at = HEAD + node * NODE
        if links[at + KEY_LOW] == key & _HALF and links[at + KEY_HIGH] == key >> _HALF_BITS & _HALF:
            return node
        slot = (slot + 1) & links[INDEX_MASK]


@kernel
def _enter(links: Links, node: int) -> None:
    """Enter a node into the index by the key it has."""
    at = HEAD + node * NODE
    slot = links[at + KEY_LOW] & links[INDEX_MASK]
    while links[links[INDEX] + slot] != 0:
        slot = (slot + 1) & links[INDEX_MASK]
    links[links[INDEX] + slot] = node + 1
    links[at + INDEXED_AT] = slot


@kernel
def enter(links: Links, node: int, key: int) -> None:
    """Give a new node its key and enter it into the index."""
    at = HEAD + node * NODE
    links[at + KEY_LOW] = key & _HALF
    links[at + KEY_HIGH] = key >> _HALF_BITS & _HALF
    _enter(links, node)


@kernel
def replace(links: Links, node: int) -> None:
    """Have the index tell of ``node`` where it told of another with the same key and place."""
    links[links[INDEX] + links[HEAD + node * NODE + INDEXED_AT]] = node + 1


@kernel
def _empty_index(links: Links) -> None:
    for node in range(links[NODE_COUNT]):
        links[links[INDEX] + links[HEAD + node * NODE + INDEXED_AT]] = 0


@kernel
def forget(links: Links) -> None:
    """Take all nodes away."""
    _empty_index(links)
    links[NODE_COUNT] = 0
    links[EDGE_COUNT] = 0


@kernel
def mean_of(links: Links, totals: Fractions, node: int) -> float:
    """Return what a node was found to be worth so far to the seat that moves there."""
    return totals[sum_at(node)] / links[HEAD + node * NODE + VISITS]


@kernel
def swap_untried(links: Links, priors: Fractions, one: int, two: int) -> None:
    """Have the moves at the places ``one`` and ``two``, neither of them visited, change places."""
    links[one], links[two] = links[two], links[one]
    priors[one + PRIOR], priors[two + PRIOR] = priors[two + PRIOR], priors[one + PRIOR]


@kernel
def compare_anew(links: Links, node: int) -> None:
    """Have the moves of a node compared when it is visited next, whatever was found before."""
    links[HEAD + node * NODE + BEST] = -1


@kernel
def best_of_settled(links: Links, totals: Fractions, node: int) -> float:
    """Return the value of a node all of whose moves, as far as it has them, are settled losses, else 0."""
    at = HEAD + node * NODE
    most = -1.0
    for edge in range(links[at + FIRST], links[at + FIRST] + links[at + COUNT]):
        place = edge_at(links, edge)
        if links[place] < 0:
            continue
        if links[place + CHILD] != SETTLED:
            return 0.0
        most = max(most, totals[total_at(place)] / links[place + EDGE_VISITS])
    return 0.0 if most > -CERTAIN else most


@kernel
def is_over(links: Links, totals: Fractions) -> int:
    """Return whether the root has a settled win, or nothing but settled losses."""
    for edge in range(links[HEAD + FIRST], links[HEAD + FIRST] + links[HEAD + COUNT]):
        place = edge_at(links, edge)
        if links[place + CHILD] == SETTLED and totals[total_at(place)] > CERTAIN * links[place + EDGE_VISITS]:
            return 1
    return 1 if best_of_settled(links, totals, 0) < 0.0 else 0


@kernel
def edge_of(links: Links, node: int, move: int) -> int:
    """Return the number of ``move`` among those of ``node``, -1 if it is not there."""
    at = HEAD + node * NODE
    for edge in range(links[at + FIRST], links[at + FIRST] + links[at + COUNT]):
        if links[edge_at(links, edge)] == move:
            return edge
    return -1


@kernel
def child_of(links: Links, node: int, move: int) -> int:
    """Return the node that ``move`` leads to from ``node``, negative if there is none."""
    edge = edge_of(links, node, move)
    return NO_NODE if edge < 0 else links[edge_at(links, edge) + CHILD]


@kernel
def merit(links: Links, totals: Fractions, edge: int) -> float:
    """Return what moves are compared by: settled wins, the quickest first, then visits, then settled losses.

    It is 0 for a move that was never looked at.
    """
    place = edge_at(links, edge)
    visits = links[place + EDGE_VISITS]
    if visits == 0 or links[place + CHILD] != SETTLED:
        return float(visits)
    value = totals[total_at(place)] / visits
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
def _mark(links: Links, root: int, places: Links) -> None:
    """Put 0 into ``places`` for each node that hangs from ``root``, and NO_NODE for all others."""
    places[: links[NODE_COUNT]] = NO_NODE
    places[root] = 0
    depth = 0
    links[PATH] = root
    links[PATH + 1] = 0
    while depth >= 0:
        at = HEAD + links[PATH + 2 * depth] * NODE
        number = links[PATH + 2 * depth + 1]
        if number == links[at + COUNT]:
            depth -= 1
            continue
        links[PATH + 2 * depth + 1] += 1
        child = links[edge_at(links, links[at + FIRST] + number) + CHILD]
        if child >= 0 and places[child] == NO_NODE:
            places[child] = 0
            depth += 1
            links[PATH + 2 * depth] = child
            links[PATH + 2 * depth + 1] = 0


@kernel
def _nearer(value: float, plies: int) -> float:
    """Return a value as it is ``plies`` later: wins and losses that are settled are nearer by so much."""
    if value > CERTAIN:
        return value + plies / _SCORES
    return value - plies / _SCORES if value < -CERTAIN else value


@kernel
def cut_down(links: Links, totals: Fractions, root: int, plies: int, places: Links) -> None:
    """Make the node ``root``, ``plies`` below the root, the root; keep only what hangs from it.

    The root is the first node, the others follow in the order they were made in, and so do the moves of all
    of them: as the old root goes, all can move to lower places in that order.

    ``places`` has room for a number for each node.
    """
    _mark(links, root, places)
    _empty_index(links)
    nodes = links[NODE_COUNT]
    edges = 0
    count = 1
    for node in range(1, nodes):
        if places[node] == NO_NODE:
            continue
        place = 0
        if node != root:
            place = count
            count += 1
        places[node] = place
        old, new = HEAD + node * NODE, HEAD + place * NODE
        first, moves = links[old + FIRST], links[old + COUNT]
        for index in range(NODE):
            links[new + index] = links[old + index]
        links[new + FIRST] = edges
        compare_anew(links, place)
        if links[new + IS_SETTLED]:
            totals[sum_at(place)] = links[new + VISITS] * _nearer(mean_of(links, totals, place), plies)
        for edge in range(first, first + moves):
            old, new = edge_at(links, edge), edge_at(links, edges)
            for index in range(EDGE):
                links[new + index] = links[old + index]
            if links[new + CHILD] == SETTLED:
                visits = links[new + EDGE_VISITS]
                total = total_at(new)
                totals[total] = visits * _nearer(totals[total] / visits, plies)
            edges += 1
    for edge in range(edges):
        place = edge_at(links, edge) + CHILD
        if links[place] >= 0:
            links[place] = places[links[place]]
    links[NODE_COUNT] = count
    links[EDGE_COUNT] = edges
    links[PLAYED] += plies
    # Of two with the same key the later is in the place of the other, and has to be found first.
    for node in range(count - 1, -1, -1):
        _enter(links, node)
