"""An independent check of the pairings of a Swiss tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import combinations

from quoridor_net.tournament.formats import Field


def find_faults(
    field: Field,
    rests: Collection[tuple[int, int]] = (),
    apart: Collection[tuple[int, ...]] = (),
    fixed: Mapping[int, Collection[tuple[int, int]]] | None = None,
    *,
    is_easy: bool = True,
) -> list[str]:
    """Return a sentence for each rule that the pairings of a finished tournament break.

    Args:
        field: the finished tournament, of one game for each pairing.
        rests: entrants and rounds with a requested bye.
        apart: groups of entrants that never meet.
        fixed: pairings that the organiser chose, by round.
        is_easy: whether there are enough opponents for everybody: then nobody meets twice, and at most one
            entrant of each round, and nobody twice, has a full bye.
    """
    faults = []
    never = {frozenset(pair) for group in apart for pair in combinations(group, 2)}
    met: Counter[frozenset[int]] = Counter()
    full: Counter[int] = Counter()
    for number in range(1, field.rounds + 1):
        chosen = {frozenset(pair) for pair in (fixed or {}).get(number, ())}
        games = [meeting.seats for meeting in field.meetings if meeting.round == number]
        byes = [bye.entrant for bye in field.byes if bye.round == number and bye.points == 1]
        joined = {entrant for entrant, first in field.joined.items() if first > number}
        halves = [bye.entrant for bye in field.byes if bye.round == number and bye.points == 0.5]
        left = {entrant for entrant, first in field.withdrawn.items() if first <= number}
        present = {*range(1, field.entrants + 1)} - joined - left
        resting = {entrant for entrant, rest in rests if rest == number and entrant in present}
        if {entrant for entrant in halves if entrant not in joined} != resting:
            faults.append(f"round {number}: {halves} have half a point instead of {resting}")
        seated = [entrant for seats in games for entrant in seats]
        if sorted([*seated, *byes]) != sorted(present - resting):
            faults.append(f"round {number}: {seated} play and {byes} have a bye, but {present} are there")
        for seats in map(frozenset, games):
            met[seats] += 1
            if seats in never and seats not in chosen:
                faults.append(f"round {number}: {set(seats)} must not meet")
        if not chosen <= {frozenset(seats) for seats in games}:
            faults.append(f"round {number}: chosen pairings are missing")
        full.update(byes)
        if is_easy and len(byes) != len(present - resting) % 2:
            faults.append(f"round {number}: {len(byes)} entrants have a bye")
    if is_easy:
        faults += [f"{set(pair)} meet {count} times" for pair, count in met.items() if count > 1]
        faults += [f"{entrant} has {count} byes" for entrant, count in full.items() if count > 1]
    return faults
