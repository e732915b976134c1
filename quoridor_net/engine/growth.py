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
    AT_ONCE,
    BEST,
    CERTAIN,
    CHILD,
    COMPARE_AT,
    COUNT,
    EDGE_COUNT,
    EDGE_MAX,
    EDGE_VISITS,
    FACTOR,
    FIRST,
    HEAD,
    IS_SETTLED,
    LISTED,
    NO_NODE,
    NODE,
    NODE_COUNT,
    NOT_ENOUGH,
    PATH,
    PRIOR,
    SECOND,
    SETTLED,
    SORTED,
    SUM,
    TIMES,
    UNTRIED,
    VISITS,
    best_of_settled,
    edge_at,
    is_over,
    key_at,
    mean_of,
    node_with,
    prior_at,
    sum_at,
    total_at,
    value_of,
)
from quoridor_net.engine.weights import CAUTION, EXPLORE, UNSEEN, WIDEN
from quoridor_net.engine.words import Fractions, Links, Numbers, Words

_CLOCK_EVERY = 16
#: No node has more visits than there are in so many, and a few.
_MOST_VISITS = 1 << 30
#: The moves of a node are compared at the latest when its visits have grown by this part.
_COMPARED = 16
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
def _sort_next(links: Links, priors: Fractions, node: int, edge: int) -> None:
    """Bring the likeliest of the moves of ``node`` from ``edge`` on, none of them visited, to ``edge``."""
    at = HEAD + node * NODE
    best = edge
    for other in range(edge + 1, links[at + FIRST] + links[at + COUNT]):
        if priors[prior_at(links, other)] > priors[prior_at(links, best)]:
            best = other
    one, two = edge_at(links, edge), edge_at(links, best)
    links[one], links[two] = links[two], links[one]
    priors[one + PRIOR], priors[two + PRIOR] = priors[two + PRIOR], priors[one + PRIOR]
    links[at + SORTED] += 1


@kernel
def _promise(links: Links, priors: Fractions, totals: Fractions, place: int, factor: float) -> float:
    """Return what the move at ``place``, which was tried, promises: its mean and its share of exploring."""
    tried = links[place + EDGE_VISITS]
    share = factor * priors[place + PRIOR]
    # One division for both.
    return (totals[place + SUM >> 1] * (1 + tried) + share * tried) / (float(tried) * (1 + tried))


@kernel
def _is_lost(links: Links, totals: Fractions, place: int) -> bool:
    """Return whether the move at ``place`` is a settled loss."""
    if links[place + CHILD] != SETTLED:
        return False
    return totals[place + SUM >> 1] < -CERTAIN * links[place + EDGE_VISITS]


@kernel
def _note_in_a_row(
    memory: Words, links: Links, priors: Fractions, place: int, factor: float, score: float, rival: float
) -> None:
    """Lower ``AT_ONCE`` to how often the move at ``place``, which promises ``score``, beats ``rival``."""
    tried = links[place + EDGE_VISITS]
    share = factor * priors[place + PRIOR]
    mean = score - share / (1 + tried)
    # Not too many at once: with them all means on the way change.
    in_a_row = 1 + tried // memory[CAUTION]
    if rival > mean and (in_a_row + tried) * (rival - mean) > share:
        in_a_row = max(int(share / (rival - mean)) - tried, 1)
    links[AT_ONCE] = min(links[AT_ONCE], in_a_row)


@kernel
def _select(memory: Words, links: Links, priors: Fractions, totals: Fractions, node: int) -> int:
    """Return the number of the move of ``node`` to look at next, or -1 if it has no legal one.

    Moves not yet visited count as good as the node itself was found to be so far; of these the first, which
    has the largest prior, is as good as any. Settled losses are for when nothing else is left. ``AT_ONCE``
    comes down to how often in a row the move would be chosen.

    Visits change nothing but the move they take: as long as that promises more than the second best did when
    all were compared, it is chosen again.
    """
    at = HEAD + node * NODE
    first = links[at + FIRST]
    if links[at + BEST] < 0 or links[at + VISITS] >= links[at + COMPARE_AT]:
        return _compare(memory, links, priors, totals, node)
    edge = first + links[at + BEST]
    place = edge_at(links, edge)
    if links[place] < 0 or _is_lost(links, totals, place):
        return _compare(memory, links, priors, totals, node)
    factor = priors[at + FACTOR]
    rival = priors[at + SECOND]
    if links[at + UNTRIED] >= 0:
        unseen = mean_of(links, totals, node) - memory[UNSEEN] / 100.0
        rival = max(rival, unseen + factor * priors[prior_at(links, first + links[at + UNTRIED])])
    score = _promise(links, priors, totals, place, factor)
    if score < rival:
        return _compare(memory, links, priors, totals, node)
    if links[AT_ONCE] > 1:
        _note_in_a_row(memory, links, priors, place, factor, score, rival)
    return edge


@kernel
def _compare(memory: Words, links: Links, priors: Fractions, totals: Fractions, node: int) -> int:
    """Return the number of the move to look at next as :func:`_select` does, and note what was found."""
    at = HEAD + node * NODE
    visits = links[at + VISITS]
    unseen = mean_of(links, totals, node) - memory[UNSEEN] / 100.0
    # The more is known of a node, the more is worth a try.
    explore = memory[EXPLORE] / 100.0 + math.log(1.0 + visits / (1000.0 * memory[WIDEN]))
    factor = explore * math.sqrt(float(visits))
    best = lost = untried = -1
    most = second = rival = -1e9
    first = links[at + FIRST]
    ordered = first + links[at + SORTED]
    for edge in range(first, first + links[at + COUNT]):
        if edge >= ordered:
            _sort_next(links, priors, node, edge)
        place = edge_at(links, edge)
        if links[place] < 0:
            continue
        if links[place + EDGE_VISITS] == 0:
            untried = edge
            rival = unseen + factor * priors[place + PRIOR]
            break
        if _is_lost(links, totals, place):
            lost = edge
            continue
        score = _promise(links, priors, totals, place, factor)
        if score > most:
            second = most
            most = score
            best = edge
        elif score > second:
            second = score
    if untried >= 0 and rival > most:
        links[at + BEST] = -1
        links[AT_ONCE] = 1
        return untried
    if best < 0:
        return lost
    links[at + BEST] = best - first
    links[at + UNTRIED] = untried - first if untried >= 0 else -1
    # Exploring grows with the visits.
    links[at + COMPARE_AT] = visits + 1 + visits // _COMPARED
    priors[at + SECOND] = second
    priors[at + FACTOR] = factor
    if links[AT_ONCE] > 1:
        _note_in_a_row(memory, links, priors, edge_at(links, best), factor, most, max(second, rival))
    return best


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
        edge = _select(memory, links, priors, totals, node)
        links[PATH + 2 * ply + 1] = edge
        if edge < 0:
            # Only walls are left, and all of them cut somebody off: next to impossible, and nobody's merit.
            return ply, 0.0
        place = edge_at(links, edge)
        child, visits = links[place + CHILD], links[place + EDGE_VISITS]
        mean = totals[total_at(links, edge)] / visits if visits > 0 else 0.0
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
                totals[total_at(links, edge)] = mean * visits
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
            at = total_at(links, edge)
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
