"""Everybody against everybody, and one against all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import attrs
from attrs import frozen
from attrs.validators import ge

from quoridor_net.tournament.formats.base import Field, Format, Round

#: Two entrants.
_Pair = tuple[int, int]


class _Met:
    """Who met whom among the games that were paired.

    Attributes:
        games: how often two entrants met.
        first: how often the first of two had the first move against the other.
        balance: how many games more each entrant had the first move in than not.
        pairs: the pair of games to which the last game of two entrants belongs.
        highest: the highest number of a pair of games.
    """

    def __init__(self, field: Field) -> None:
        self.games: Counter[frozenset[int]] = Counter()
        self.first: Counter[tuple[int, ...]] = Counter()
        self.balance: Counter[int] = Counter()
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
            begins, follows = meeting.seats
            self.balance[begins] += 1
            self.balance[follows] -= 1
            self.pairs[both] = meeting.pair
            self.highest = max(self.highest, meeting.pair)
        self._counted = len(field.meetings)


@frozen
class RoundRobin(Format):
    """Every pair of entrants plays ``games`` games with colours alternating.

    Within a round nobody plays twice, so that all its games can be played at once. After every round, among
    the entrants that were there from the beginning and stayed:

    * The numbers of games of two pairs differ by at most 1, and so do those of two entrants.
    * The numbers of games that an entrant began and did not begin differ by at most 1.
    * No entrant has begun three games in a row, or not begun three in a row.

    Late entrants play their games after those of the others. In the first game of two, the first move then
    goes to the one that had it less often so far.
    """

    games: int = attrs.field(default=2, validator=ge(1))
    # What is known of the field that was looked at last, if any.
    _met: list[_Met] = attrs.field(factory=list, init=False, eq=False, repr=False)
    accepts_late = True
    is_round_robin = True

    def next_round(self, field: Field) -> Round | None:
        """Return the next round of the circle method, or one of games that late entrants still need."""
        early = field.entrants - len(field.joined)
        schedule = circle_rounds(early)
        turn, place = divmod(field.rounds, max(len(schedule), 1))
        if schedule and turn < self.games:
            # Every second turn goes back through the rounds with swapped colours.
            seats = schedule[place] if turn % 2 == 0 else [pair[::-1] for pair in schedule[-1 - place]]
            return self._round(field, seats, turn)
        # Also of entrants that were away when their rounds were paired.
        wanted = [(a, b) for b in range(2, field.entrants + 1) for a in range(1, b)]
        return _missing(field, self.games, wanted, _met_by(field, self._met))

    def _round(self, field: Field, pairs: Sequence[_Pair], turn: int) -> Round:
        # As many turns were complete before as this one is; each pairing of two turns is a pair.
        early = field.entrants - len(field.joined)
        before = turn // 2 * (early * (early - 1) // 2)
        games, numbers = [], []
        for seats in pairs:
            if not field.withdrawn.keys().isdisjoint(seats):
                continue
            low, high = sorted(seats)
            games.append(seats)
            place = (high - 1) * (high - 2) // 2 + low
            numbers.append(before + place if turn ^ 1 < self.games else 0)
        return Round(tuple(games), tuple(numbers))


@frozen
class Gauntlet(Format):
    """Entrant 1 plays ``games`` games against each of the others, with colours alternating.

    It meets the others in turn, and begins against every second of them. So after every game the numbers of
    its games against two of the others differ by at most 1, and so do those that it began and did not begin.
    This holds for the entrants that were there from the beginning and stayed; late ones play their games
    after those of the others.
    """

    games: int = attrs.field(default=2, validator=ge(1))
    # What is known of the field that was looked at last, if any.
    _met: list[_Met] = attrs.field(factory=list, init=False, eq=False, repr=False)
    accepts_late = True
    is_round_robin = True

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
                games.append((1, other) if (turn + other) % 2 == 0 else (other, 1))
                numbers.append(turn // 2 * (early - 1) + other - 1 if turn ^ 1 < self.games else 0)
        return Round(tuple(games), tuple(numbers))


@lru_cache(maxsize=1)
def circle_rounds(entrants: int) -> tuple[tuple[_Pair, ...], ...]:
    """Return the games of each round of the circle method, the entrant with the first move first.

    One entrant stays where it is while the others move round a circle; with an odd number of entrants the
    one that stays is nobody, and whoever meets it has a rest. Places take turns to have the first move, so an
    entrant that moves on has the other colour next. Only the one that moves past the place of nobody has the
    same again, which the colours of the game there put between an even and an odd round (D. de Werra,
    "Scheduling in sports", 1981): there it has had both colours equally often.
    """
    circle = list(range(1, entrants + 1))
    if entrants % 2:
        circle.insert(0, 0)
    half = len(circle) // 2
    rounds = []
    for number in range(len(circle) - 1):
        facing = list(zip(circle[:half], reversed(circle[half:]), strict=True))
        games = [pair if (place or number + 1) % 2 else pair[::-1] for place, pair in enumerate(facing)]
        rounds.append(tuple(sorted((pair for pair in games if 0 not in pair), key=sorted)))
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
    balance = met.balance.copy()
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
        seats = min((low, high), (high, low), key=lambda seats: (first[seats], balance[seats[0]]))
        balance[seats[0]] += 1
        balance[seats[1]] -= 1
        chosen.append(seats)
        if times % 2:
            numbers.append(met.pairs[both])
        else:
            highest += times + 1 < games
            numbers.append(highest if times + 1 < games else 0)
    return Round(tuple(chosen), tuple(numbers)) if chosen else None
