"""A match that ends when a sequential probability ratio test is decided."""

from __future__ import annotations

from collections import defaultdict

from attrs import frozen

from quoridor_net.tournament.formats.base import Field, Format, Round
from quoridor_net.tournament.sprt import Decision, Pentanomial, Sprt, Verdict


@frozen
class SprtMatch(Format):
    """Two entrants play pairs of games, with swapped colours, until the test says which is stronger.

    Args:
        test: of entrant 1 against entrant 2.
        games: most games.
        ahead: how many games wait or are played at once; with more, more are played in vain in the end.
    """

    test: Sprt
    games: int
    ahead: int = 2

    def next_round(self, field: Field) -> Round | None:
        """Return one pair of games; None while enough wait, and after the decision."""
        open_games = sum(meeting.points is None for meeting in field.meetings)
        if open_games >= self.ahead or len(field.meetings) + 2 > self.games or field.withdrawn:
            return None
        if self.verdict(field).decision is not Decision.RUNNING:
            return None
        pair = field.rounds + 1
        return Round(((1, 2), (2, 1)), (pair, pair))

    def verdict(self, field: Field) -> Verdict:
        """Return the state of the test."""
        points: defaultdict[int, list[float]] = defaultdict(list)
        for meeting in field.meetings:
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
