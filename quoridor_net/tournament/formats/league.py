"""A league: a standing ladder, where free entrants play opponents of about their strength."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import attrs
from attrs import frozen

from quoridor_net.tournament.formats.base import Field, Format, Meeting, Round

#: Elo of an entrant before its first game, if reference entrants fix the scale: about where programs of
#: classes stand. Without reference entrants, ratings are relative to 0.
NEWCOMER = 400.0

#: Maximum change of a rating by a game, in Elo, and by how much it is larger for the first one; half of that
#: after four games. These ratings only choose opponents.
STEP = 32.0
FIRST_STEP = 240.0

#: Maximum number of other opponents between two meetings of the same entrants.
REST = 3

#: Maximum difference of two entrants that meet at once, in Elo, and its growth for each second that one of
#: them has waited while others are busy. After ``PATIENCE`` seconds, an entrant may meet anybody.
NEAR = 100.0
WIDER = 3.0
PATIENCE = 120.0

#: A pair that has just met counts as this much further apart, in Elo; less after meetings with others.
REPETITION = 200.0

#: A reference entrant counts as this much closer, in Elo, because games against it hold the scale in place.
HOLD = 50.0

#: It counts as closer still after each meeting of the league without it, for each entrant present, in Elo, at
#: most ``REACH``. So all references within reach of an entrant play, and the scale is held at several places.
HUNGER = 100.0
REACH = 400.0

#: Number of first meetings of an entrant whose strength is still unknown, and by how much less its distance
#: from reference entrants counts until then.
PLACEMENT = 3
UNKNOWN = 4.0

#: A pair counts as this much further apart, in Elo, if a game would make colours uneven by more than 1.
UNEVEN = 10_000.0


class _Counted:
    """Running totals of a league.

    Attributes:
        elo: a rating of each entrant, for pairing.
        played: number of games of each entrant that changed it.
        lead: number of first moves of each entrant, less its other games.
        met: for each entrant, the number of meetings that it had had when it last met each other one.
        meetings: number of meetings of each entrant.
        total: number of all meetings.
        last: number of the last meeting of each entrant, among all.
        open_games: numbers of the games without a result.
    """

    def __init__(self, results: Sequence[int] | None) -> None:
        self.elo: dict[int, float] = {}
        self.played: Counter[int] = Counter()
        self.lead: Counter[int] = Counter()
        self.met: dict[int, dict[int, int]] = {}
        self.meetings: Counter[int] = Counter()
        self.total = 0
        self.last: dict[int, int] = {}
        self.open_games: set[int] = set()
        self._results = results
        self._seen = self._games = 0

    def precedes(self, field: Field) -> bool:
        """Return whether ``field`` is a later state of the field counted here."""
        return self._results is not None and field.results is self._results

    def update(self, field: Field) -> None:
        """Count new games and results."""
        meetings, results = field.meetings, field.results or ()
        for game in range(self._games + 1, len(meetings) + 1):
            self.open_games.add(game)
            before = meetings[game - 2] if game > 1 else None
            if before is None or before.round != meetings[game - 1].round:
                self._meet(meetings[game - 1].seats)
        self._games = len(meetings)
        if field.results is None:
            results = range(1, len(meetings) + 1)
        for game in results[self._seen :]:
            if field.results is not None or meetings[game - 1].points is not None:
                self._end(game, meetings[game - 1], field.fixed)
        self._seen = len(results)

    def _meet(self, seats: tuple[int, ...]) -> None:
        self.total += 1
        for entrant in seats:
            self.last[entrant] = self.total
        for one, other in (seats, seats[::-1]):
            self.met.setdefault(one, {})[other] = self.meetings[one]
            self.meetings[one] += 1

    def _end(self, game: int, meeting: Meeting, fixed: Mapping[int, float]) -> None:
        self.open_games.discard(game)
        if meeting.points is None or sum(meeting.points) != 1:
            # Void, or cancelled because an entrant was away.
            return
        first, second = meeting.seats
        self.lead[first] += 1
        self.lead[second] -= 1
        expected = 1 / (1 + 10 ** ((self.rating(second, fixed) - self.rating(first, fixed)) / 400))
        surprise = meeting.points[0] - expected
        for entrant, gain in ((first, surprise), (second, -surprise)):
            step = STEP + FIRST_STEP / (1 + self.played[entrant] / 4)
            self.elo[entrant] = self.rating(entrant, fixed) + step * gain
            self.played[entrant] += 1

    def rating(self, entrant: int, fixed: Mapping[int, float]) -> float:
        """Return the rating of an entrant for pairing, in Elo."""
        known = fixed.get(entrant)
        return self.elo.get(entrant, NEWCOMER if fixed else 0.0) if known is None else known

    def count_others(self, one: int, other: int, fixed: Collection[int]) -> int:
        """Return the number of meetings with others since two entrants met, of the one that had fewer.

        Those of a reference entrant do not count: it may have no other opponent of its strength.
        """
        is_new = other not in self.met.get(one, ())
        return min(
            self.meetings[a] + (REST if is_new else -self.met[a][b] - 1)
            for a, b in ((one, other), (other, one))
            if a not in fixed
        )


@frozen
class League(Format):
    """Games between entrants that are free, close in strength, that have not met for long.

    The entrant that has waited longest chooses. Reference entrants play only others: new entrants first, and
    then whoever is within reach, so that none of them is without games for long. While others are busy, two
    entrants wait up to two minutes for opponents that are closer or that they have not met for longer.
    While no entrant goes away or leaves, and ``games`` is even, an entrant's numbers of first and second
    moves differ by at most 1.

    Args:
        games: number of games of each meeting, with alternating colours.
    """

    games: int = 2
    is_open_ended = True
    accepts_late = True
    # Totals of the last field, if any.
    _counted: list[_Counted] = attrs.field(factory=list, init=False, eq=False, repr=False)

    def next_round(self, field: Field) -> Round | None:
        """Return a meeting of two free entrants; None if none of them may meet now."""
        if len(field.free) < 2:
            return None
        everybody = {*range(1, field.entrants + 1)} - field.withdrawn.keys()
        if everybody <= field.fixed.keys():
            # Only reference entrants, which then play each other.
            field = attrs.evolve(field, fixed={})
        counted = self._count(field)
        lead = self._find_lead(field, counted)
        present = len(field.present)

        def distance(one: int, other: int) -> float:
            apart = abs(counted.rating(one, field.fixed) - counted.rating(other, field.fixed))
            uneven = UNEVEN * (lead[one] == lead[other] != 0)
            if one in field.fixed or other in field.fixed:
                reference, entrant = (one, other) if one in field.fixed else (other, one)
                if counted.meetings[entrant] < PLACEMENT:
                    apart /= UNKNOWN
                since = counted.total - counted.last.get(reference, 0)
                apart -= HOLD + min(HUNGER * since / present, REACH)
            return apart + uneven + REPETITION / (1 + counted.count_others(one, other, field.fixed))

        rest = min(REST, (present - len(field.fixed) - 2) // 2)
        # A better opponent can only come from the entrants that are busy.
        is_complete = len(field.free) == present
        # Reference entrants never wait, because they play any number of games at once.
        waited = {one: 0.0 if one in field.fixed else since for one, since in field.free.items()}

        def may_meet(one: int, other: int) -> bool:
            if one in field.fixed and other in field.fixed:
                return False
            longest = max(waited[one], waited[other])
            if is_complete or longest >= PATIENCE:
                return True
            is_rested = counted.count_others(one, other, field.fixed) >= rest
            return is_rested and distance(one, other) <= NEAR + WIDER * longest

        order = sorted(waited, key=lambda one: (one in field.fixed, -waited[one], one))
        for place, one in enumerate(order):
            others = [other for other in order[place + 1 :] if may_meet(one, other)]
            if others:
                # Nobody meets the same opponent again while another one is free.
                other = min(
                    others,
                    key=lambda other: (
                        counted.count_others(one, other, field.fixed) == 0,
                        distance(one, other),
                        other,
                    ),
                )
                return self._meet(one, other, lead, field.rounds + 1)
        return None

    def _meet(self, one: int, other: int, lead: Mapping[int, int], number: int) -> Round:
        first, second = (one, other) if lead[one] <= lead[other] else (other, one)
        # A single game evens out the colours of an entrant whose last meeting was interrupted.
        games = 1 if self.games > 1 and lead[first] < lead[second] else self.games
        pairs = tuple(((first, second), (second, first))[game % 2] for game in range(games))
        return Round(pairs, (0 if games == 1 else number,) * games)

    def _find_lead(self, field: Field, counted: _Counted) -> Counter[int]:
        """Return the number of first moves of each entrant, less its other games, with games not over."""
        lead = counted.lead.copy()
        for game in counted.open_games:
            meeting = field.meetings[game - 1]
            # Games of former entrants are not played, unless they are running.
            if field.withdrawn.keys().isdisjoint(meeting.seats):
                lead[meeting.seats[0]] += 1
                lead[meeting.seats[1]] -= 1
        return lead

    def _count(self, field: Field) -> _Counted:
        """Return updated totals; only new games and results are counted."""
        if not self._counted or not self._counted[0].precedes(field):
            self._counted[:] = [_Counted(field.results)]
        self._counted[0].update(field)
        return self._counted[0]

    def count_unpaired(self, field: Field) -> None:
        """Return None, because a league does not end by itself."""
