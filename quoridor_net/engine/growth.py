"""Kernel: best-first search for two players, led by the network's value and move prior (PUCT).

The tree grows by one judged position in each *visit*: from the root down along the moves that promise most,
being good so far or likely and little tried, to a move that was not yet played; what the network thinks of
the position there is then averaged into all moves on the way. A position gets a node with its moves when it
is visited a second time. Positions that are the same after the same number of moves share a node: what one
way found, all ways that lead there are told.
"""

from __future__ import annotations

from quoridor_net.engine.choosing import select
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
    AT_ONCE,
    CERTAIN,
    CHILD,
    EDGE_COUNT,
    EDGE_MAX,
    EDGE_VISITS,
    HEAD,
    IS_SETTLED,
    LISTED,
    NO_NODE,
    NODE,
    NODE_COUNT,
    NOT_ENOUGH,
    PATH,
    SETTLED,
    TIMES,
    VISITS,
    best_of_settled,
    edge_at,
    is_over,
    key_at,
    mean_of,
    node_with,
    sum_at,
    total_at,
    value_of,
)
from quoridor_net.engine.words import Fractions, Links, Numbers, Words

_CLOCK_EVERY = 16
#: From so many visits of the root on they are made one at a time, so that their number fits into 32 bits.
_MOST_VISITS = 1 << 30
#: A mean that differs by less from what a move was told is no news.
_NO_NEWS = 0.002


@kernel
def can_win(memory: Words, row: int) -> int:
    """Return whether the seat to move can step onto its goal line."""
    seat = memory[row + TURN]
    if memory[row + DISTANCE + seat] > 2:
        return 0
    low, high = steps(memory, row)
    return 1 if (low & memory[GOALS + 2 * seat]) | (high & memory[GOALS + 2 * seat + 1]) else 0


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
def _put_path(memory: Words, links: Links, done: int, ply: int) -> int:
    """Play the moves of the visit from ``done`` on up to the row at ``ply``; return ``ply``."""
    for number in range(done, ply):
        put(memory, number, links[edge_at(links, links[PATH + 2 * number + 1])])
    return ply


@kernel
def _replaced(
    memory: Words, numbers: Numbers, links: Links, priors: Fractions, totals: Fractions, ply: int, place: int
) -> int:
    """Return the node with all moves of the position at ``ply``, which the move at ``place`` leads to.

    The likely ones do not do. If there is no room for them, NO_NODE is returned.
    """
    child = node_with(links, key_at(memory, links, ply))
    if links[HEAD + child * NODE + LISTED] == NOT_ENOUGH:
        refresh(memory, numbers, ply)
        child = complete(memory, numbers, links, priors, totals, ply, child)
    if child != NO_NODE:
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
    # The rows up to this one hold the positions of the visit; and the last that is refreshed.
    done = 0
    fresh = 0
    links[TIMES] = 1
    links[AT_ONCE] = _MOST_VISITS
    while True:
        links[PATH + 2 * ply] = node
        edge = select(memory, links, priors, totals, node)
        links[PATH + 2 * ply + 1] = edge
        if edge < 0:
            # Only walls are left, and all of them cut somebody off: next to impossible, and nobody's merit.
            return ply, 0.0
        place = edge_at(links, edge)
        child, visits = links[place + CHILD], links[place + EDGE_VISITS]
        mean = totals[total_at(place)] / visits if visits > 0 else 0.0
        if child == SETTLED or (visits > 0 and ply >= PLIES - 3):
            return ply, mean
        if child < 0:
            if visits > 0 and visits < _worth_a_node(links):
                return ply, mean
            done = _put_path(memory, links, done, ply + 1)
            child = node_with(links, key_at(memory, links, ply + 1))
            links[place + CHILD] = child
        if child >= 0:
            at = HEAD + child * NODE
            told, mean = mean, -mean_of(links, totals, child)
            if links[at + IS_SETTLED]:
                links[place + CHILD] = SETTLED
                totals[total_at(place)] = mean * visits
                return ply, mean
            more = links[at + VISITS] - visits
            if more > 0:
                # Other ways led there more often: what they found is news enough, and where it is hardly any,
                # for many visits; else the nodes on the way have to hear of it first.
                if abs(mean - told) <= _NO_NEWS:
                    links[TIMES] = max(min(links[AT_ONCE], more, _MOST_VISITS - links[HEAD + VISITS]), 1)
                return ply, mean
            node = child
            if links[at + LISTED] == NOT_ENOUGH:
                done = _put_path(memory, links, done, ply + 1)
                node = _replaced(memory, numbers, links, priors, totals, ply + 1, place)
                if node == NO_NODE:
                    return ply, mean
            ply += 1
            continue
        # Nothing but the end of the way is looked at closely.
        if visits > 0:
            fresh = ply + 1
            refresh(memory, numbers, fresh)
            node = expand(memory, numbers, links, priors, totals, ply + 1, -mean)
            if node == NO_NODE:
                return ply, mean
            links[place + CHILD] = node
            ply += 1
            continue
        if fresh != ply:
            fresh = ply
            refresh(memory, numbers, ply)
        mean = _try(memory, numbers, links, ply, place)
        if links[place] != NO_MOVE:
            return ply, mean
        done = ply


@kernel
def _back_up(links: Links, totals: Fractions, ply: int, value: float) -> None:
    """Tell all moves of a visit that ended at ``ply`` what it found; settle those that it settles."""
    is_settled = 0
    times = links[TIMES]
    while ply >= 0:
        node = links[PATH + 2 * ply]
        edge = links[PATH + 2 * ply + 1]
        gain = value * times
        if edge >= 0:
            place = edge_at(links, edge)
            at = total_at(place)
            if is_settled:
                links[place + CHILD] = SETTLED
                totals[at] = value * links[place + EDGE_VISITS]
            links[place + EDGE_VISITS] += times
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
        links[at + VISITS] += times
        totals[sum_at(node)] += gain
        if is_settled:
            links[at + IS_SETTLED] = 1
            totals[sum_at(node)] = value * links[at + VISITS]
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
