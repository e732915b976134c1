"""Kernel: which move of a node the best-first search looks at next (PUCT), and how often in a row."""

from __future__ import annotations

import math

from quoridor_net.engine.compiled import kernel
from quoridor_net.engine.tree import (
    AT_ONCE,
    BEST,
    CERTAIN,
    CHILD,
    COMPARE_AT,
    COUNT,
    EDGE_VISITS,
    FACTOR,
    FIRST,
    HEAD,
    NODE,
    PRIOR,
    SECOND,
    SETTLED,
    SORTED,
    UNTRIED,
    VISITS,
    edge_at,
    mean_of,
    swap_untried,
    total_at,
)
from quoridor_net.engine.weights import CAUTION, EXPLORE, UNSEEN, WIDEN
from quoridor_net.engine.words import Fractions, Links, Words

#: The moves of a node are compared at the latest when its visits have grown by this part.
_COMPARED = 16


@kernel
def _sort_next(links: Links, priors: Fractions, node: int, edge: int) -> None:
    """Bring the likeliest of the moves of ``node`` from ``edge`` on, none of them visited, to ``edge``."""
    at = HEAD + node * NODE
    best = edge
    for other in range(edge + 1, links[at + FIRST] + links[at + COUNT]):
        if priors[edge_at(links, other) + PRIOR] > priors[edge_at(links, best) + PRIOR]:
            best = other
    swap_untried(links, priors, edge_at(links, edge), edge_at(links, best))
    links[at + SORTED] += 1


@kernel
def _promise(links: Links, priors: Fractions, totals: Fractions, place: int, factor: float) -> float:
    """Return what the move at ``place``, which was tried, promises: its mean and its share of exploring."""
    tried = links[place + EDGE_VISITS]
    share = factor * priors[place + PRIOR]
    # One division for both.
    return (totals[total_at(place)] * (1 + tried) + share * tried) / (float(tried) * (1 + tried))


@kernel
def _is_lost(links: Links, totals: Fractions, place: int) -> bool:
    """Return whether the move at ``place`` is a settled loss."""
    if links[place + CHILD] != SETTLED:
        return False
    return totals[total_at(place)] < -CERTAIN * links[place + EDGE_VISITS]


@kernel
def _note_in_a_row(
    memory: Words, links: Links, priors: Fractions, place: int, factor: float, score: float, rival: float
) -> None:
    """Lower ``AT_ONCE`` to how often the move at ``place``, which promises ``score``, beats ``rival``."""
    if links[AT_ONCE] == 1:
        return
    tried = links[place + EDGE_VISITS]
    share = factor * priors[place + PRIOR]
    mean = score - share / (1 + tried)
    # Not too many at once: with them all means on the way change.
    in_a_row = 1 + tried // memory[CAUTION]
    if rival > mean and (in_a_row + tried) * (rival - mean) > share:
        in_a_row = max(int(share / (rival - mean)) - tried, 1)
    links[AT_ONCE] = min(links[AT_ONCE], in_a_row)


@kernel
def select(memory: Words, links: Links, priors: Fractions, totals: Fractions, node: int) -> int:
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
        rival = max(rival, unseen + factor * priors[edge_at(links, first + links[at + UNTRIED]) + PRIOR])
    score = _promise(links, priors, totals, place, factor)
    if score < rival:
        return _compare(memory, links, priors, totals, node)
    _note_in_a_row(memory, links, priors, place, factor, score, rival)
    return edge


@kernel
def _compare(memory: Words, links: Links, priors: Fractions, totals: Fractions, node: int) -> int:
    """Return the number of the move to look at next as :func:`select` does, and note what was found."""
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
    _note_in_a_row(memory, links, priors, edge_at(links, best), factor, most, max(second, rival))
    return best
