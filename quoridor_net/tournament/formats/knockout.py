"""The knockout: the loser of a tie is out. Byes go to the best seeds, and the third place is played for."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping

import attrs
from attrs import frozen
from attrs.validators import ge

from quoridor_net.tournament.formats.base import Field, Format, Round

#: Maximum number of pairs of extra games in a level tie; after them the better seed advances.
MOST_EXTRA = 5

#: A tie, the better seed first; None for a missing opponent.
_Tie = tuple[int | None, int | None]


@frozen
class Knockout(Format):
    """A knockout, seeded in the order of entry; seeds 1 and 2 can meet only in the final.

    A tie is ``games`` games with alternating colours, then pairs of extra games until it is decided. A tie
    decided by games is final. An entrant that leaves an open tie loses it; if both leave, the one that left
    in an earlier round loses, or else the worse seed.
    """

    games: int = attrs.field(default=2, validator=ge(1))
    needs_results = True

    def next_round(self, field: Field) -> Round | None:
        """Return the games that the ties of the current stage still need."""
        scores = _Scores(field)
        for stage in _stages(field, scores, self.games):
            ties = [tie for tie in stage if scores.winner(tie, self.games) is None]
            if ties:
                return self._round(field, scores, ties)
        return None

    def _round(self, field: Field, scores: _Scores, ties: list[_Tie]) -> Round:
        highest = max((meeting.pair for meeting in field.meetings), default=0)
        games: list[tuple[int, ...]] = []
        numbers: list[int] = []
        for one, other in ties:
            assert one is not None
            assert other is not None
            played = scores.played[one, other]
            for number in range(played, self.games if played < self.games else played + 2):
                # The worse seed moves first in the first game, then they alternate.
                games.append((other, one) if number % 2 == 0 else (one, other))
                # The last of an odd number of games is a single game; the extra games after it are pairs.
                place, most = (number, self.games) if number < self.games else (number - played, 2)
                is_paired = place ^ 1 < most
                highest += is_paired and place % 2 == 0
                numbers.append(highest if is_paired else 0)
        return Round(tuple(games), tuple(numbers))

    def count_unpaired(self, field: Field) -> int:
        """Return the number of games of the remaining ties, without extra games."""
        ties = field.entrants - 1 + (field.entrants > 3)
        met = {frozenset(meeting.seats) for meeting in field.meetings}
        return max(ties - len(met), 0) * self.games if len(field.present) > 1 else 0

    def places(self, field: Field) -> Mapping[int, int]:
        """Return the places of entrants that are out or won the final; losers of a stage share one."""
        scores = _Scores(field)
        places: dict[int, int] = {}
        stages = list(_stages(field, scores, self.games))
        for number, stage in enumerate(stages):
            is_last = 2 * len(stage) <= 4 and number == len(stages) - 1
            for place, tie in enumerate(stage):
                winner = scores.winner(tie, self.games)
                if winner is None:
                    continue
                loser = next((entrant for entrant in tie if entrant not in (winner, None)), None)
                if is_last and _is_final(stages, stage):
                    places[winner] = 2 * place + 1
                    if loser is not None:
                        places[loser] = 2 * place + 2
                elif loser is not None and not (len(stage) == 2 and _size(field.entrants) > 2):
                    places[loser] = len(stage) + 1
        return places


class _Scores:
    """The scores of the ties."""

    def __init__(self, field: Field) -> None:
        self.points: defaultdict[tuple[int, int], float] = defaultdict(float)
        self.played: defaultdict[tuple[int, int], int] = defaultdict(int)
        self._open = {frozenset(meeting.seats) for meeting in field.meetings if meeting.points is None}
        self._withdrawn = field.withdrawn
        for meeting in field.meetings:
            one, other = meeting.seats
            first, second = meeting.points or (0.0, 0.0)
            self.points[one, other] += first
            self.points[other, one] += second
            self.played[one, other] += 1
            self.played[other, one] += 1

    def winner(self, tie: _Tie, games: int) -> int | None:
        """Return the entrant that advances; None while the tie is open."""
        one, other = tie
        if one is None or other is None:
            return other if one is None else one
        played, lead = self.played[one, other], self.points[one, other] - self.points[other, one]
        is_played = played >= games and frozenset((one, other)) not in self._open
        if is_played and (lead or played >= games + 2 * MOST_EXTRA):
            return other if lead < 0 else one
        # After the games, so that a winner that leaves later does not bring back the entrant it beat.
        left = [self._withdrawn.get(entrant, math.inf) for entrant in (one, other)]
        if min(left) == math.inf:
            return None
        return other if left[0] < left[1] else one


def _size(entrants: int) -> int:
    """Return the smallest power of two that is at least the number of entrants."""
    return 1 << (entrants - 1).bit_length()


def seed_order(size: int) -> list[int]:
    """Return the seeds in the order of the first stage; the two of each tie add up to ``size`` + 1."""
    order = [1]
    while len(order) < size:
        order = [seed for best in order for seed in (best, 2 * len(order) + 1 - best)]
    return order


def _stages(field: Field, scores: _Scores, games: int) -> Iterator[list[_Tie]]:
    """Yield the ties of each stage whose entrants are known; the last has the final and the third place."""
    seeds = seed_order(_size(field.entrants))
    standing: list[int | None] = [seed if seed <= field.entrants else None for seed in seeds]
    while True:
        ties = [_tie(standing[at], standing[at + 1]) for at in range(0, len(standing), 2)]
        winners = [scores.winner(tie, games) for tie in ties]
        is_open = any(w is None and None not in tie for w, tie in zip(winners, ties, strict=True))
        if len(ties) == 1:
            yield ties
            return
        yield ties
        if is_open:
            return
        if len(ties) == 2:
            losers = [
                next((entrant for entrant in tie if entrant != winner), None)
                for tie, winner in zip(ties, winners, strict=True)
            ]
            yield [_tie(*winners), _tie(*losers)]
            return
        standing = winners


def _tie(one: int | None, other: int | None) -> _Tie:
    return (one, other) if other is None or (one is not None and one < other) else (other, one)


def _is_final(stages: list[list[_Tie]], stage: list[_Tie]) -> bool:
    return stage is stages[-1] and (len(stage) == 1 or (len(stages) > 1 and len(stages[-2]) == 2))
