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
from quoridor_net.engine.floods import corridor_of, flood_all
from quoridor_net.engine.layout import (
    CUT_HORIZONTAL,
    CUT_VERTICAL,
    DISTANCE,
    FIT_HORIZONTAL,
    FIT_VERTICAL,
    FOUND_AT,
    GOALS,
    HORIZONTAL,
    IS_PAUSED,
    KEY,
    LEFT,
    LIST,
    LISTS,
    NO_MOVE,
    NODE_LIMIT,
    NODES,
    PAST,
    PAST_COUNT,
    PAUSE_AT,
    PLIES,
    ROOT_COUNT,
    ROOT_MOVES,
    ROW,
    ROWS,
    STOP,
    TURN,
    VERTICAL,
    WIN,
)
from quoridor_net.engine.lines import is_repeated, play
from quoridor_net.engine.network import LOGIT
from quoridor_net.engine.neurons import excite, feed_all
from quoridor_net.engine.ordering import PRIOR, append, rank
from quoridor_net.engine.plays import put_step, put_wall
from quoridor_net.engine.sets import holds, steps
from quoridor_net.engine.tree import (
    ALL,
    CERTAIN,
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
    NOT_ENOUGH,
    PATH,
    SETTLED,
    SORTED,
    VISITS,
    best_of_settled,
    edge_at,
    edge_of,
    enter,
    forget,
    is_over,
    key_at,
    mean_of,
    node_with,
    replace,
    total_at,
    value_of,
)
from quoridor_net.engine.weights import EXPLORE, LEAVE_OUT, TEMPER, UNSEEN, WIDEN
from quoridor_net.engine.words import Fractions, Links, Numbers, Words

_MOST = 260
_CLOCK_EVERY = 16


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
def can_win(memory: Words, row: int) -> int:
    """Return whether the seat to move can step onto its goal line."""
    seat = memory[row + TURN]
    if memory[row + DISTANCE + seat] > 2:
        return 0
    low, high = steps(memory, row)
    return 1 if (low & memory[GOALS + 2 * seat]) | (high & memory[GOALS + 2 * seat + 1]) else 0


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
    totals[total_at(links, edge)] = 0.0
    priors[edge] = prior


@kernel
def _expand(
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
    top = rank(numbers, memory, ply, total, NO_MOVE)
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
        move, prior = memory[listed + index], memory[listed + PRIOR + index]
        if ply > 0 and prior < least and move >= HORIZONTAL and not _cuts(memory, corridor, move):
            continue
        share = math.exp((prior - top) * per_logit)
        _write_move(links, priors, totals, edge, move, share)
        weight += share
        edge += 1
    for other in range(first, edge):
        priors[other] /= weight
    links[NODE_COUNT] += 1
    links[EDGE_COUNT] = edge
    links[at + FIRST] = first
    links[at + COUNT] = edge - first
    links[at + VISITS] = 1
    links[at + LISTED] = ALL if edge - first == total else LIKELY
    links[at + SORTED] = 0
    links[at + IS_SETTLED] = 0
    totals[node] = value
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
    top = rank(numbers, memory, ply, total, NO_MOVE)
    per_logit = 100.0 / (LOGIT * memory[TEMPER])
    old, new = HEAD + node * NODE, links[NODE_COUNT]
    first = edge = links[EDGE_COUNT]
    least = 1.0
    for known in range(links[old + FIRST], links[old + FIRST] + links[old + COUNT]):
        for word in range(EDGE):
            links[edge_at(links, edge) + word] = links[edge_at(links, known) + word]
        totals[total_at(links, edge)] = totals[total_at(links, known)]
        priors[edge] = priors[known]
        least = min(least, priors[known])
        edge += 1
    for index in range(total):
        move, prior = memory[listed + index], memory[listed + PRIOR + index]
        if edge_of(links, node, move) >= 0:
            continue
        _write_move(links, priors, totals, edge, move, least * math.exp((prior - top) * per_logit))
        edge += 1
    at = HEAD + new * NODE
    for word in range(NODE):
        links[at + word] = links[old + word]
    totals[new] = totals[node]
    links[at + FIRST] = first
    links[at + COUNT] = edge - first
    links[at + LISTED] = ALL
    links[NODE_COUNT] += 1
    links[EDGE_COUNT] = edge
    replace(links, new)
    return new


@kernel
def _complete_root(
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
    totals[0] = totals[new]
    links[NODE_COUNT] -= 1
    replace(links, 0)


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
            put(memory, ply, move)
            if links[at + LISTED] == NOT_ENOUGH:
                child = node_with(links, key_at(memory, links, ply + 1))
                if links[HEAD + child * NODE + LISTED] == NOT_ENOUGH:
                    refresh(memory, numbers, ply + 1)
                    child = complete(memory, numbers, links, priors, totals, ply + 1, child)
                    if child == NO_NODE:
                        return ply, mean
                links[place + CHILD] = child
            is_fresh = False
            ply += 1
            node = child
            continue
        if visits > 0:
            refresh(memory, numbers, ply + 1)
            is_fresh = True
            node = _expand(memory, numbers, links, priors, totals, ply + 1, -mean)
            if node == NO_NODE:
                return ply, mean
            links[place + CHILD] = node
            ply += 1
            continue
        if not is_fresh:
            refresh(memory, numbers, ply)
            is_fresh = True
        outcome = play(memory, ply, move)
        if outcome == 0:
            links[place] = NO_MOVE
            continue
        if outcome == 2:
            links[place + CHILD] = SETTLED
            return ply, value_of(WIN - ply - 1)
        memory[PAST + memory[PAST_COUNT] + ply + 1] = memory[ROWS + (ply + 1) * ROW + KEY]
        return ply, _judge(memory, numbers, links, ply + 1, place)


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
        _complete_root(memory, numbers, links, priors, totals)
    if links[NODE_COUNT] == 0:
        _expand(memory, numbers, links, priors, totals, 0, value_of(evaluate(memory, numbers, 0)))
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
