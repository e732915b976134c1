"""Games of four: everybody meets everybody about as often, and has each seat about as often."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, permutations

import attrs
from attrs import frozen

from quoridor_net.tournament.formats.base import Field, Format, Round
from quoridor_net.tournament.requirements import RequirementPhrase

SEATS = 4

#: How often the search for the tables of a round begins anew, and how many swaps without success end it.
ATTEMPTS = 8
PATIENCE = 400


@frozen
class FourPlayer(Format):
    """Rounds of tables of four; whoever finds no place rests, those first that rested least.

    Args:
        rounds: how many; None for enough that everybody could meet everybody, and at least four.
        seed: of the search for good tables.
    """

    rounds: int | None = attrs.field(default=None)
    seed: int = 0
    accepts_late = True
    # A table is left out when one of its four leaves: so tables are made as late as can be.
    depends_on_presence = True

    def next_round(self, field: Field) -> Round | None:
        """Return the tables of the next round."""
        present = field.present
        if field.rounds >= self._rounds(field) or len(present) < SEATS:
            return None
        chance = random.Random(f"{self.seed} {field.rounds}")
        games = Counter(entrant for meeting in field.meetings for entrant in meeting.seats)
        order = list(present)
        chance.shuffle(order)
        order.sort(key=games.__getitem__)
        playing = order[: len(order) - len(order) % SEATS]
        met: Counter[frozenset[int]] = Counter()
        for meeting in field.meetings:
            met.update(map(frozenset, combinations(meeting.seats, 2)))
        tables = _tables(playing, met, chance)
        sat = Counter((entrant, seat) for m in field.meetings for seat, entrant in enumerate(m.seats))
        seated = tuple(_seated(table, sat) for table in tables)
        return Round(seated, (0,) * len(seated))

    def unpaired(self, field: Field) -> int:
        """Return the number of tables of the rounds that are left."""
        return max(self._rounds(field) - field.rounds, 0) * (len(field.present) // SEATS)

    def _rounds(self, field: Field) -> int:
        return self.rounds or max(SEATS, -(-(field.entrants - 1) // (SEATS - 1)))

    def check(self, entrants: int) -> None:
        """Refuse fewer than four.

        Raises:
            ValueError: there are fewer.
        """
        if entrants < SEATS:
            raise ValueError(RequirementPhrase.FOUR(entrants=entrants))


def _tables(
    entrants: Sequence[int], met: Counter[frozenset[int]], chance: random.Random
) -> list[tuple[int, ...]]:
    """Return tables at which those sit together that met least: the best of several searches by swapping."""

    def cost(table: Sequence[int]) -> int:
        # Squares, so that meetings are spread.
        return sum((1 + met[frozenset(pair)]) ** 2 for pair in combinations(table, 2))

    best: list[list[int]] = []
    least = -1
    for _ in range(ATTEMPTS):
        order = list(entrants)
        chance.shuffle(order)
        tables = [order[at : at + SEATS] for at in range(0, len(order), SEATS)]
        total = _improved(tables, cost, chance)
        if least < 0 or total < least:
            best, least = [list(table) for table in tables], total
    return [tuple(table) for table in best]


def _improved(tables: list[list[int]], cost: Callable[[Sequence[int]], int], chance: random.Random) -> int:
    """Swap entrants of two tables as long as that helps; return the cost that is left."""
    costs = [cost(table) for table in tables]
    patience = PATIENCE if len(tables) > 1 else 0
    while patience:
        one, other = chance.sample(range(len(tables)), 2)
        here, there = chance.randrange(SEATS), chance.randrange(SEATS)
        first, second = tables[one], tables[other]
        first[here], second[there] = second[there], first[here]
        changed = cost(first), cost(second)
        if sum(changed) < costs[one] + costs[other]:
            costs[one], costs[other] = changed
            patience = PATIENCE
        else:
            first[here], second[there] = second[there], first[here]
            patience -= 1
    return sum(costs)


def _seated(table: Sequence[int], sat: Counter[tuple[int, int]]) -> tuple[int, ...]:
    """Return a table in the order of seats that is fairest after all games so far."""
    return min(
        permutations(table),
        key=lambda seats: sum((1 + sat[entrant, seat]) ** 2 for seat, entrant in enumerate(seats)),
    )
