"""A match that ends when a sequential probability ratio test (SPRT) is decided."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
from attrs import frozen

from quoridor_net.tournament.formats.base import Field, Format, Meeting, Round
from quoridor_net.tournament.requirements import RequirementPhrase
from quoridor_net.tournament.sprt import Decision, PairTally, Sprt, Verdict


class _Counted:
    """Running totals of a match; the result of a game can change.

    Attributes:
        all: pairs among all games.
        judged: pairs among the first games, which decide whether another pair follows.
        open_games: the numbers of those first games that have no result.
    """

    def __init__(self, results: Sequence[int] | None) -> None:
        self.all = PairTally()
        self.judged = PairTally()
        self.open_games: set[int] = set()
        self._results = results
        # Numbers of results counted, games counted and games judged.
        self._seen = self._games = self._judged = 0

    def precedes(self, field: Field, judged: int) -> bool:
        """Return whether ``field`` is a later state of the field counted here."""
        return self._results is not None and field.results is self._results and judged >= self._judged

    def update(self, field: Field, judged: int) -> None:
        """Count new results, and judge the first ``judged`` games."""
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
    """Return the pair of a game, and the points of entrant 1; None for a game without information."""
    # Void games and games lost by both carry no information.
    tells = meeting.points is not None and sum(meeting.points) == 1
    return meeting.pair, meeting.points[meeting.seats.index(1)] if tells and meeting.points else None


@frozen
class SprtMatch(Format):
    """A match of pairs of games with swapped colours, until the test decides which entrant is stronger.

    Whether a pair is played depends on the results of earlier pairs, not on which running game ends first. So
    the same results always give the same match.

    Args:
        test: of entrant 1 against entrant 2.
        games: maximum number of games.
        ahead: number of games waiting or running at once. Games running at the decision are wasted.
    """

    test: Sprt
    games: int
    ahead: int = 2
    # Totals of the last field, if any.
    _counted: list[_Counted] = attrs.field(factory=list, init=False, eq=False, repr=False)
    watches_results = True

    def next_round(self, field: Field) -> Round | None:
        """Return a pair of games; None while enough games are waiting, and after the decision."""
        if len(field.meetings) + 2 > self.games or field.withdrawn:
            return None
        counted = self._count(field)
        if counted.open_games or self.test.judge(counted.judged.pentanomial).decision is not Decision.RUNNING:
            return None
        pair = field.rounds + 1
        return Round(((1, 2), (2, 1)), (pair, pair))

    def count_unpaired(self, field: Field) -> None:
        """Return None, because the results decide."""

    def verdict(self, field: Field) -> Verdict:
        """Return the decision that ended the match, or the state of the test after all games so far."""
        counted = self._count(field)
        if not counted.open_games:
            verdict = self.test.judge(counted.judged.pentanomial)
            if verdict.decision is not Decision.RUNNING:
                return verdict
        return self.test.judge(counted.all.pentanomial)

    def _count(self, field: Field) -> _Counted:
        """Return updated totals; only new results are counted."""
        # The next pair depends on all earlier pairs except those played ahead.
        judged = 2 * max(0, field.rounds + 1 - max(1, self.ahead // 2))
        if not self._counted or not self._counted[0].precedes(field, judged):
            self._counted[:] = [_Counted(field.results)]
        self._counted[0].update(field, judged)
        return self._counted[0]

    def check(self, names: Sequence[str]) -> None:
        """Refuse any number of entrants but two.

        Raises:
            ValueError: there are more or fewer.
        """
        if len(names) != 2:
            raise ValueError(RequirementPhrase.SPRT(entrants=len(names)))
