"""The round robin (all play all) and the gauntlet (one plays all others)."""

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
    """Totals of the games paired so far.

    Attributes:
        games: number of meetings of two entrants.
        first: number of games in which the first of two moved first against the other.
        balance: games moved first minus games moved second, for each entrant.
        pairs: the pair of games that the last game of two entrants belongs to.
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
        """Return whether ``field`` is a later state of the field counted here."""
        is_same = self._results is not None and field.results is self._results
        return is_same and len(field.meetings) >= self._counted

    def update(self, field: Field) -> None:
        """Count newly paired games."""
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
    """A round robin: each pair of entrants plays ``games`` games with alternating colours.

    An entrant plays at most once in a round, so all games of a round can run at once. After every round,
    among the entrants present from the start:

    * The numbers of games of two pairs differ by at most 1, and so do those of two entrants.
    * The numbers of games in which an entrant moved first and second differ by at most 1.
    * No entrant has moved first, or second, in three games in a row.

    Late entrants play their games after the others have played theirs. In the first game against an opponent,
    the entrant that moved first less often moves first.
    """

    games: int = attrs.field(default=2, validator=ge(1))
    # Totals of the last field, if any.
    _met: list[_Met] = attrs.field(factory=list, init=False, eq=False, repr=False)
    accepts_late = True
    is_round_robin = True

    def next_round(self, field: Field) -> Round | None:
        """Return the next round of the circle method, or a round of games that late entrants still need."""
        early = field.entrants - len(field.joined)
        schedule = circle_rounds(early)
        turn, place = divmod(field.rounds, max(len(schedule), 1))
        if schedule and turn < self.games:
            # Every second turn goes backwards through the rounds, with swapped colours.
            seats = schedule[place] if turn % 2 == 0 else [pair[::-1] for pair in schedule[-1 - place]]
            return self._round(field, seats, turn)
        # Includes entrants that were away when their rounds were paired.
        wanted = [(a, b) for b in range(2, field.entrants + 1) for a in range(1, b)]
        return _find_missing(field, self.games, wanted, _count_meetings(field, self._met))

    def _round(self, field: Field, pairs: Sequence[_Pair], turn: int) -> Round:
        # The games of two entrants in two successive turns are a pair.
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
    """A gauntlet: entrant 1 plays ``games`` games against each other one, with alternating colours.

    It meets the others in turn, and moves first against every second of them. So after every game its numbers
    of games against two of the others differ by at most 1, and so do its numbers of first and second moves.
    This holds for the entrants present from the start; late ones play their games after the others.
    """

    games: int = attrs.field(default=2, validator=ge(1))
    # Totals of the last field, if any.
    _met: list[_Met] = attrs.field(factory=list, init=False, eq=False, repr=False)
    accepts_late = True
    is_round_robin = True

    def next_round(self, field: Field) -> Round | None:
        """Return one game against each entrant that has games left."""
        if field.rounds < self.games:
            return self._round(field, field.rounds)
        wanted = [(1, other) for other in range(2, field.entrants + 1)]
        return _find_missing(field, self.games, wanted, _count_meetings(field, self._met), at_once=True)

    def _round(self, field: Field, turn: int) -> Round:
        """Return the games of a turn, among the entrants present from the start."""
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

    One place is fixed while the others move round a circle; with an odd number of entrants the fixed place is
    empty, and its opponent rests. Neighbouring places have opposite colours, so an entrant that moves on
    changes colour. Only the entrant that passes the fixed place keeps its colour. The colours of the game at
    that place make this happen between an even and an odd round (D. de Werra, "Scheduling in sports", 1981),
    when that entrant has had both colours equally often.
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


def _count_meetings(field: Field, known: list[_Met]) -> _Met:
    """Return updated totals, kept in ``known``; only newly paired games are counted."""
    if not known or not known[0].precedes(field):
        known[:] = [_Met(field)]
    known[0].update(field)
    return known[0]


def _find_missing(
    field: Field, games: int, wanted: Sequence[_Pair], met: _Met, *, at_once: bool = False
) -> Round | None:
    """Return a round with a game for each pair of entrants that has games left; None if none has.

    Args:
        field: the games so far.
        games: number of games of each pair.
        wanted: the pairs of entrants.
        met: totals of ``field``.
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
