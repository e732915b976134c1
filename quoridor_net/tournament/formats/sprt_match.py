"""A match that ends when a sequential probability ratio test is decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from attrs import frozen

from quoridor_net.tournament.formats.base import Field, Format, Meeting, Round
from quoridor_net.tournament.sprt import Decision, Pentanomial, Sprt, Verdict


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
    watches_results = True

    def next_round(self, field: Field) -> Round | None:
        """Return one pair of games; None while enough wait, and after the decision."""
        if len(field.meetings) + 2 > self.games or field.withdrawn:
            return None
        judged = self._judged(field)
        if judged is None or self._verdict(judged).decision is not Decision.RUNNING:
            return None
        pair = field.rounds + 1
        return Round(((1, 2), (2, 1)), (pair, pair))

    def unpaired(self, field: Field) -> None:
        """Return None: the results decide."""

    def verdict(self, field: Field) -> Verdict:
        """Return the state of the test: the decision that ended the match, or what all games say so far."""
        judged = self._judged(field)
        if judged:
            verdict = self._verdict(judged)
            if verdict.decision is not Decision.RUNNING:
                return verdict
        return self._verdict(field.meetings)

    def _judged(self, field: Field) -> Sequence[Meeting] | None:
        """Return the games on which the next pair depends; None as long as one of them is going on."""
        pairs = max(0, field.rounds + 1 - max(1, self.ahead // 2))
        judged = field.meetings[: 2 * pairs]
        return None if any(meeting.points is None for meeting in judged) else judged

    def _verdict(self, meetings: Iterable[Meeting]) -> Verdict:
        points: defaultdict[int, list[float]] = defaultdict(list)
        for meeting in meetings:
            # Void games, and those that both lost by faults, tell nothing.
            if meeting.points is not None and sum(meeting.points) == 1:
                points[meeting.pair].append(meeting.points[meeting.seats.index(1)])
        return self.test.judge(Pentanomial.of_pairs(points.values()))

    def check(self, entrants: int) -> None:
        """Refuse any other number than two.

        Raises:
            ValueError: there are more or less.
        """
        if entrants != 2:
            raise ValueError(f"an SPRT is between 2 entrants, not {entrants}")
