"""A match that ends when a sequential probability ratio test is decided."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
from attrs import frozen

from quoridor_net.tournament.formats.base import Field, Format, Meeting, Round
from quoridor_net.tournament.requirements import RequirementPhrase
from quoridor_net.tournament.sprt import Decision, PairTally, Sprt, Verdict


class _Counted:
    """The games of a match, counted as their results come in; the result of a game can change.

    Attributes:
        all: pairs among all games.
        judged: pairs among the first games, on which the next pair depends.
        open_games: which of these have no result.
    """

    def __init__(self, results: Sequence[int] | None) -> None:
        self.all = PairTally()
        self.judged = PairTally()
        self.open_games: set[int] = set()
        self._results = results
        # How much of the results and of the games was counted, and how many games are judged.
        self._seen = self._games = self._judged = 0

    def precedes(self, field: Field, judged: int) -> bool:
        """Return whether ``field`` is the one that was counted, at a later time."""
        return self._results is not None and field.results is self._results and judged >= self._judged

    def update(self, field: Field, judged: int) -> None:
        """Count what happened since, and judge the first ``judged`` games."""
        meetings, results = field.meetings, field.results or ()
        before, self._judged = self._judged, min(judged, len(meetings))
        again = set(results[self._seen :])
        for game in sorted(again | {*range(self._games + 1, len(meetings) + 1)}):
            self.all.put(game, *_points(meetings[game - 1]))
        changed = {game for game in again if game <= before}
        for game in sorted(changed | {*range(before + 1, self._judged + 1)}):
            self.judged.put(game, *_points(meetings[game - 1]))
            if meetings[game - 1].points is None:
                self.open_games.add(game)
            else:
                self.open_games.discard(game)
        self._seen, self._games = len(results), len(meetings)


def _points(meeting: Meeting) -> tuple[int, float | None]:
    """Return the pair of a game, and what entrant 1 scored; None where that tells nothing."""
    # Void games, and those that both lost by faults, tell nothing.
    tells = meeting.points is not None and sum(meeting.points) == 1
    return meeting.pair, meeting.points[meeting.seats.index(1)] if tells and meeting.points else None


@frozen
class SprtMatch(Format):
    """Two entrants play pairs of games, with swapped colours, until the test says which is stronger.

    A pair is paired by the results of the pairs so far, whichever of the games that go on ends first: so the
    same results always make the same match.

    Args:
        test: of entrant 1 against entrant 2.
        games: most games.
        ahead: how many games wait or are played at once; with more, more are played in vain in the end.
    """

    test: Sprt
    games: int
    ahead: int = 2
    # What is known of the field that was looked at last, if any.
    _counted: list[_Counted] = attrs.field(factory=list, init=False, eq=False, repr=False)
    watches_results = True

    def next_round(self, field: Field) -> Round | None:
        """Return one pair of games; None while enough wait, and after the decision."""
        if len(field.meetings) + 2 > self.games or field.withdrawn:
            return None
        counted = self._count(field)
        if counted.open_games or self.test.judge(counted.judged.pentanomial).decision is not Decision.RUNNING:
            return None
        pair = field.rounds + 1
        return Round(((1, 2), (2, 1)), (pair, pair))

    def unpaired(self, field: Field) -> None:
        """Return None: the results decide."""

    def verdict(self, field: Field) -> Verdict:
        """Return the state of the test: the decision that ended the match, or what all games say so far."""
        counted = self._count(field)
        if not counted.open_games:
            verdict = self.test.judge(counted.judged.pentanomial)
            if verdict.decision is not Decision.RUNNING:
                return verdict
        return self.test.judge(counted.all.pentanomial)

    def _count(self, field: Field) -> _Counted:
        """Return what was counted, brought up to date; only what happened since is looked at."""
        # The next pair depends on those before it that are not among the ones played ahead.
        judged = 2 * max(0, field.rounds + 1 - max(1, self.ahead // 2))
        if not self._counted or not self._counted[0].precedes(field, judged):
            self._counted[:] = [_Counted(field.results)]
        self._counted[0].update(field, judged)
        return self._counted[0]

    def check(self, entrants: int) -> None:
        """Refuse any other number than two.

        Raises:
            ValueError: there are more or less.
        """
        if entrants != 2:
            raise ValueError(RequirementPhrase.SPRT(entrants=entrants))
