"""Kernel: best-first search for two players, led by the network's value and move prior (PUCT).

The tree grows by one judged position in each *visit*: from the root down along the moves that promise most,
being good so far or likely and little tried, to a move that was not yet played; what the network thinks of
the position there is then averaged into all moves on the way. A position gets a node with its moves when it
is visited a second time. Positions that are the same after the same number of moves share a node: what one
way found, all ways that lead there are told.
"""

from __future__ import annotations

import math

from quoridor_net.engine.compiled import is_late, kernel
from quoridor_net.engine.evaluation import certificate, evaluate
from quoridor_net.engine.floods import flood_all
from quoridor_net.engine.layout import (
    DISTANCE,
    FOUND_AT,
    GOALS,
    HORIZONTAL,
    IS_PAUSED,
    KEY,
    NO_MOVE,
    NODE_LIMIT,
    NODES,
    PAST,
    PAST_COUNT,
    PAUSE_AT,
    PLIES,
    ROW,
    ROWS,
    STOP,
    TURN,
    WIN,
)
from quoridor_net.engine.lines import is_repeated, play
from quoridor_net.engine.neurons import feed_all
from quoridor_net.engine.nodes import complete, complete_root, expand
from quoridor_net.engine.plays import put_step, put_wall
from quoridor_net.engine.sets import steps
from quoridor_net.engine.tree import (
    ALL,
    CERTAIN,
    CHILD,
    COUNT,
    EDGE_COUNT,
    EDGE_MAX,
    EDGE_VISITS,
    FIRST,
    HEAD,
    IS_SETTLED,
    LISTED,
    NO_NODE,
    NODE,
    NODE_COUNT,
    NOT_ENOUGH,
    PATH,
    SETTLED,
    SORTED,
    VISITS,
    best_of_settled,
    edge_at,
    is_over,
    key_at,
    mean_of,
    node_with,
    total_at,
    value_of,
)
from quoridor_net.engine.weights import EXPLORE, UNSEEN, WIDEN
from quoridor_net.engine.words import Fractions, Links, Numbers, Words

_CLOCK_EVERY = 16


@kernel
def can_win(memory: Words, row: int) -> int:
    """Return whether the seat to move can step onto its goal line."""
    seat = memory[row + TURN]
    if memory[row + DISTANCE + seat] > 2:
        return 0
    low, high = steps(memory, row)
    return 1 if (low & memory[GOALS + 2 * seat]) | (high & memory[GOALS + 2 * seat + 1]) else 0


@kernel
def _sort_next(links: Links, priors: Fractions, node: int, edge: int) -> None:
    """Bring the likeliest of the moves of ``node`` from ``edge`` on, none of them visited, to ``edge``."""
    at = HEAD + node * NODE
    best = edge
    for other in range(edge + 1, links[at + FIRST] + links[at + COUNT]):
        if priors[other] > priors[best]:
            best = other
    one, two = edge_at(links, edge), edge_at(links, best)
    links[one], links[two] = links[two], links[one]
    priors[edge], priors[best] = priors[best], priors[edge]
    links[at + SORTED] += 1


@kernel
def _select(memory: Words, links: Links, priors: Fractions, totals: Fractions, node: int) -> int:
    """Return the number of the move of ``node`` to look at next, or -1 if it has no legal one.

    Moves not yet visited count as good as the node itself was found to be so far; of these the first, which
    has the largest prior, is as good as any. Settled losses are for when nothing else is left.
    """
    at = HEAD + node * NODE
    visits = links[at + VISITS]
    unseen = mean_of(links, totals, node) - memory[UNSEEN] / 100.0
    # The more is known of a node, the more is worth a try.
    explore = memory[EXPLORE] / 100.0 + math.log(1.0 + visits / (1000.0 * memory[WIDEN]))
    factor = explore * math.sqrt(float(visits))
    best = -1
    lost = -1
    most = -1e9
    first = links[at + FIRST]
    for edge in range(first, first + links[at + COUNT]):
        if edge - first >= links[at + SORTED]:
            _sort_next(links, priors, node, edge)
        place = edge_at(links, edge)
        if links[place] < 0:
            continue
        tried = links[place + EDGE_VISITS]
        mean = totals[total_at(links, edge)] / tried if tried > 0 else unseen
        if links[place + CHILD] == SETTLED and mean < -CERTAIN:
            lost = edge
            continue
        score = mean + factor * priors[edge] / (1 + tried)
        if score > most:
            most = score
            best = edge
        if tried == 0:
            break
    return best if best >= 0 else lost


@kernel
def _judge(memory: Words, numbers: Numbers, links: Links, ply: int, place: int) -> float:
    """Return the value of the position at ``ply`` to the seat that moved there by the move at ``place``."""
    row = ROWS + ply * ROW
    links[place + CHILD] = SETTLED
    if is_repeated(memory, ply):
        return 0.0
    if can_win(memory, row):
        return value_of(ply + 1 - WIN)
    known = certificate(memory, ply)
    if known != 0:
        return -value_of(known)
    links[place + CHILD] = NO_NODE
    return -value_of(evaluate(memory, numbers, ply))


@kernel
def _worth_a_node(links: Links) -> int:
    """Return how many visits make a move worth a node: the more, the less room is left."""
    room, total = links[EDGE_MAX] - links[EDGE_COUNT], links[EDGE_MAX]
    if 2 * room > total:
        return 1
    return 4 if 4 * room > total else 16


@kernel
def put(memory: Words, ply: int, move: int) -> None:
    """Play a move that is known to be legal from ``ply`` to the next row, without its distances."""
    if move < HORIZONTAL:
        put_step(memory, ply, move)
    else:
        put_wall(memory, ply, move)
    memory[PAST + memory[PAST_COUNT] + ply + 1] = memory[ROWS + (ply + 1) * ROW + KEY]


@kernel
def refresh(memory: Words, numbers: Numbers, ply: int) -> None:
    """Work out at ``ply`` what :func:`put` leaves out."""
    flood_all(memory, ply)
    row = ROWS + ply * ROW
    memory[row + FOUND_AT] = memory[row + FOUND_AT + 1] = -1
    feed_all(numbers, memory, ply)


@kernel
def _follow(
    memory: Words, numbers: Numbers, links: Links, priors: Fractions, totals: Fractions, ply: int, place: int
) -> int:
    """Play the move at ``place`` from ``ply`` and return the node it leads to.

    The node has all moves where the likely ones do not do; if there is no room for them, NO_NODE is returned.
    """
    child = links[place + CHILD]
    put(memory, ply, links[place])
    if links[HEAD + child * NODE + LISTED] == NOT_ENOUGH:
        child = node_with(links, key_at(memory, links, ply + 1))
        if links[HEAD + child * NODE + LISTED] == NOT_ENOUGH:
            refresh(memory, numbers, ply + 1)
            child = complete(memory, numbers, links, priors, totals, ply + 1, child)
            if child == NO_NODE:
                return NO_NODE
        links[place + CHILD] = child
    return child


@kernel
def _try(memory: Words, numbers: Numbers, links: Links, ply: int, place: int) -> float:
    """Play the move at ``place``, which was not visited yet, from ``ply``; return its worth to its seat.

    If it turns out to be illegal, there is NO_MOVE at ``place`` from now on.
    """
    outcome = play(memory, ply, links[place])
    if outcome == 0:
        links[place] = NO_MOVE
        return 0.0
    if outcome == 2:
        links[place + CHILD] = SETTLED
        return value_of(WIN - ply - 1)
    memory[PAST + memory[PAST_COUNT] + ply + 1] = memory[ROWS + (ply + 1) * ROW + KEY]
    return _judge(memory, numbers, links, ply + 1, place)


@kernel
def _descend(
    memory: Words, numbers: Numbers, links: Links, priors: Fractions, totals: Fractions
) -> tuple[int, float]:
    """Make one visit; return the ply of its last move and what that was found to be worth to its seat."""
    ply = 0
    node = 0
    is_fresh = True
    while True:
        links[PATH + 2 * ply] = node
        edge = _select(memory, links, priors, totals, node)
        links[PATH + 2 * ply + 1] = edge
        if edge < 0:
            # Only walls are left, and all of them cut somebody off: next to impossible, and nobody's merit.
            return ply, 0.0
        place = edge_at(links, edge)
        move, child, visits = links[place], links[place + CHILD], links[place + EDGE_VISITS]
        mean = totals[total_at(links, edge)] / visits if visits > 0 else 0.0
        if child == SETTLED or (visits > 0 and ply >= PLIES - 3):
            return ply, mean
        if child < 0:
            if visits > 0 and visits < _worth_a_node(links):
                return ply, mean
            put(memory, ply, move)
            child = node_with(links, key_at(memory, links, ply + 1))
            links[place + CHILD] = child
        if child >= 0:
            at = HEAD + child * NODE
            mean = -mean_of(links, totals, child)
            if links[at + IS_SETTLED]:
                links[place + CHILD] = SETTLED
                totals[total_at(links, edge)] = mean * visits
                return ply, mean
            if links[at + VISITS] > visits:
                # Other ways led there more often: what they found is news enough.
                return ply, mean
            # Nothing but the end of the way is looked at closely.
            node = _follow(memory, numbers, links, priors, totals, ply, place)
            if node == NO_NODE:
                return ply, mean
            is_fresh = False
            ply += 1
            continue
        if visits > 0:
            refresh(memory, numbers, ply + 1)
            is_fresh = True
            node = expand(memory, numbers, links, priors, totals, ply + 1, -mean)
            if node == NO_NODE:
                return ply, mean
            links[place + CHILD] = node
            ply += 1
            continue
        if not is_fresh:
            refresh(memory, numbers, ply)
            is_fresh = True
        mean = _try(memory, numbers, links, ply, place)
        if links[place] != NO_MOVE:
            return ply, mean


@kernel
def _back_up(links: Links, totals: Fractions, ply: int, value: float) -> None:
    """Tell all moves of a visit that ended at ``ply`` what it found; settle those that it settles."""
    is_settled = 0
    while ply >= 0:
        node = links[PATH + 2 * ply]
        edge = links[PATH + 2 * ply + 1]
        gain = value
        if edge >= 0:
            place = edge_at(links, edge)
            at = total_at(links, edge)
            if is_settled:
                links[place + CHILD] = SETTLED
                totals[at] = value * links[place + EDGE_VISITS]
            links[place + EDGE_VISITS] += 1
            child = links[place + CHILD]
            if child >= 0:
                # Other ways may have led there since this one did last.
                gain = -mean_of(links, totals, child) * links[place + EDGE_VISITS] - totals[at]
            totals[at] += gain
            is_settled = 0
            if child == SETTLED:
                if value > CERTAIN:
                    is_settled = 1
                elif value < -CERTAIN:
                    best = best_of_settled(links, totals, node)
                    if best < 0.0 and links[HEAD + node * NODE + LISTED] == ALL:
                        is_settled = 1
                        value = best
                    elif best < 0.0:
                        # A wall that was left out might still help.
                        links[HEAD + node * NODE + LISTED] = NOT_ENOUGH
        at = HEAD + node * NODE
        links[at + VISITS] += 1
        totals[node] += gain
        if is_settled:
            links[at + IS_SETTLED] = 1
            totals[node] = value * links[at + VISITS]
        value = -value
        ply -= 1


@kernel
def grow(memory: Words, numbers: Numbers, links: Links, priors: Fractions, totals: Fractions) -> None:
    """Let the tree grow until it is time to stop or to pause, or the root is settled.

    The root is the position in the first row, fed and flooded. A tree without nodes gets its first.
    """
    memory[PAST + memory[PAST_COUNT]] = memory[ROWS + KEY]
    if links[NODE_COUNT] > 0 and links[HEAD + LISTED] != ALL:
        complete_root(memory, numbers, links, priors, totals)
    if links[NODE_COUNT] == 0:
        expand(memory, numbers, links, priors, totals, 0, value_of(evaluate(memory, numbers, 0)))
    while not memory[STOP] | memory[IS_PAUSED]:
        ply, value = _descend(memory, numbers, links, priors, totals)
        _back_up(links, totals, ply, value)
        memory[NODES] += 1
        if memory[NODES] >= memory[NODE_LIMIT] or (memory[NODES] % _CLOCK_EVERY == 0 and is_late(memory)):
            memory[STOP] = 1
        if memory[NODES] >= memory[PAUSE_AT]:
            memory[IS_PAUSED] = 1
        if abs(value) > CERTAIN and is_over(links, totals):
            break
