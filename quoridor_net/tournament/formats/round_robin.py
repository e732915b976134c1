"""Everybody against everybody, and one against all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import attrs
from attrs import frozen
from attrs.validators import ge

from quoridor_net.tournament.formats.base import Field, Format, Round

#: Two entrants, the lower number first.
_Pair = tuple[int, int]


class _Met:
    """Who met whom among the games that were paired.

    Attributes:
        games: how often two entrants met.
        first: how often the first of two had the first move against the other.
        pairs: the pair of games to which the last game of two entrants belongs.
        highest: the highest number of a pair of games.
    """

    def __init__(self, field: Field) -> None:
        self.games: Counter[frozenset[int]] = Counter()
        self.first: Counter[tuple[int, ...]] = Counter()
        self.pairs: dict[frozenset[int], int] = {}
        self.highest = 0
        self._results = field.results
        self._counted = 0

    def precedes(self, field: Field) -> bool:
        """Return whether ``field`` is the one that was counted, at a later time."""
        is_same = self._results is not None and field.results is self._results
        return is_same and len(field.meetings) >= self._counted

    def update(self, field: Field) -> None:
        """Count the games that were paired since."""
        for meeting in field.meetings[self._counted :]:
            both = frozenset(meeting.seats)
            self.games[both] += 1
            self.first[meeting.seats] += 1
            self.pairs[both] = meeting.pair
            self.highest = max(self.highest, meeting.pair)
        self._counted = len(field.meetings)


@frozen
class RoundRobin(Format):
    """Every pair of entrants plays ``games`` games with colours alternating.

    Within a round nobody plays twice, so that all its games can be played at once. However many games a pair
    plays, no entrant begins two games more than another one, over all its games. Late entrants play their
    games after those of the others.
    """

    games: int = attrs.field(default=2, validator=ge(1))
    # What is known of the field that was looked at last, if any.
    _met: list[_Met] = attrs.field(factory=list, init=False, eq=False, repr=False)
    accepts_late = True

    def next_round(self, field: Field) -> Round | None:
        """Return the next round of the circle method, or one of games that late entrants still need."""
        early = field.entrants - len(field.joined)
        schedule = circle_rounds(early)
        turn, place = divmod(field.rounds, max(len(schedule), 1))
        if schedule and turn < self.games:
            return self._round(field, schedule[place], turn)
        wanted = [(a, b) for b in field.joined for a in range(1, b)]
        return _missing(field, self.games, wanted, _met_by(field, self._met))

    def _round(self, field: Field, pairs: Sequence[_Pair], turn: int) -> Round:
        # As many turns were complete before as this one is; each pairing of two turns is a pair.
        early = field.entrants - len(field.joined)
        before = turn // 2 * (early * (early - 1) // 2)
        games, numbers = [], []
        for low, high in pairs:
            if low in field.withdrawn or high in field.withdrawn:
                continue
            # Of the others, as many are at an odd distance below and at an even distance above as the other
            # way round, give or take one: so first moves are shared out evenly in every turn.
            low_begins = ((high - low) % 2 == 1) == (turn % 2 == 0)
            games.append((low, high) if low_begins else (high, low))
            place = (high - 1) * (high - 2) // 2 + low
            numbers.append(before + place if turn ^ 1 < self.games else 0)
        return Round(tuple(games), tuple(numbers))


@frozen
class Gauntlet(Format):
    """Entrant 1 plays ``games`` games against each of the others, with colours alternating."""

    games: int = attrs.field(default=2, validator=ge(1))
    # What is known of the field that was looked at last, if any.
    _met: list[_Met] = attrs.field(factory=list, init=False, eq=False, repr=False)
    accepts_late = True

    def next_round(self, field: Field) -> Round | None:
        """Return one game against each that has not played all of its games."""
        if field.rounds < self.games:
            return self._round(field, field.rounds)
        wanted = [(1, other) for other in range(2, field.entrants + 1)]
        return _missing(field, self.games, wanted, _met_by(field, self._met), at_once=True)

    def _round(self, field: Field, turn: int) -> Round:
        """Return the games of a turn between those that were there from the beginning."""
        early = field.entrants - len(field.joined)
        games, numbers = [], []
        for other in range(2, early + 1):
            if field.withdrawn.keys().isdisjoint((1, other)):
                games.append((1, other) if turn % 2 == 0 else (other, 1))
                numbers.append(turn // 2 * (early - 1) + other - 1 if turn ^ 1 < self.games else 0)
        return Round(tuple(games), tuple(numbers))


@lru_cache(maxsize=1)
def circle_rounds(entrants: int) -> tuple[tuple[_Pair, ...], ...]:
    """Return the pairs of each round of the circle method.

    One entrant stays where it is while the others move round a circle; with an odd number of entrants the
    one that stays is nobody, and whoever meets it has a rest.
    """
    circle = list(range(1, entrants + 1))
    if entrants % 2:
        circle.insert(0, 0)
    half = len(circle) // 2
    rounds = []
    for _ in range(len(circle) - 1):
        facing = zip(circle[:half], reversed(circle[half:]), strict=True)
        rounds.append(tuple(sorted((min(pair), max(pair)) for pair in facing if 0 not in pair)))
        circle.insert(1, circle.pop())
    return tuple(rounds)


def _met_by(field: Field, known: list[_Met]) -> _Met:
    """Return who met whom, and keep it in ``known``; only games that were paired since are looked at."""
    if not known or not known[0].precedes(field):
        known[:] = [_Met(field)]
    known[0].update(field)
    return known[0]


def _missing(
    field: Field, games: int, wanted: Sequence[_Pair], met: _Met, *, at_once: bool = False
) -> Round | None:
    """Return a round of one game for each of the pairs that have not met often enough.

    Args:
        field: what was played.
        games: how often a pair meets.
        wanted: the pairs.
        met: who met whom.
        at_once: whether an entrant may have several games in the round.
    """
    highest = met.highest
    chosen, numbers = [], []
    busy: set[int] = set()
    for low, high in wanted:
        both = frozenset((low, high))
        times, first = met.games[both], met.first
        if times >= games or not field.withdrawn.keys().isdisjoint(both):
            continue
        if not at_once and not busy.isdisjoint(both):
            continue
        busy |= both
        chosen.append((low, high) if first[low, high] <= first[high, low] else (high, low))
        if times % 2:
            numbers.append(met.pairs[both])
        else:
            highest += times + 1 < games
            numbers.append(highest if times + 1 < games else 0)
    return Round(tuple(chosen), tuple(numbers)) if chosen else None
