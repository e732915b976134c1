"""Placement on the ladder: a sequential test that finds the rating of one program.

The rating has a posterior distribution (Bayes) on a grid. The prior is normal and wide; the likelihood is
that of the logistic model, in which a draw counts as half a win and half a loss, as in
``quoridor_net.tournament.bradley_terry``. The ratings of the ladder count as exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from attrs import field, frozen

from quoridor_net.players.ladder import LADDER, Rung, level_at
from quoridor_net.tournament.formats import Field, Format, Round
from quoridor_net.tournament.ratings import NATURAL

#: Mean and standard deviation of the prior, in Elo. The mean is near the simple player, about where programs
#: of classes stand; with the games of a placement the prior hardly matters.
PRIOR_MEAN, PRIOR_DEVIATION = 400.0, 800.0

#: Distance between two points of the grid, and how far it reaches beyond the ladder, in Elo.
_STEP, _BEYOND = 5, 600

#: Share of the posterior outside the interval, on each side.
_TAIL = 0.025

#: Maximum distance from the estimate to either end of its interval, in levels, when the level is known.
PRECISION = 0.5

#: Minimum number of games of a placement, so that luck in the first pair cannot end it.
FEWEST_GAMES = 8

#: The entrant number of the program to place; the players of the ladder follow it.
PROGRAM = 1

#: An opponent, and the points against it: 1, ½ or 0.
Score = tuple[Rung, float]


@frozen
class Placement:
    """The place of a program on the ladder.

    Attributes:
        elo: median of the posterior of its rating, level 1 at 0.
        elo_low: lower end of the central 95 %.
        elo_high: upper end.
        level: the same on the scale of levels.
        low: lower end of the interval, in levels.
        high: upper end.
        games: number of games that it rests on.
    """

    elo: float
    elo_low: float
    elo_high: float
    level: float
    low: float
    high: float
    games: int

    @property
    def is_known(self) -> bool:
        """Whether the level is known to half a level each way, from enough games."""
        width = max(self.high - self.level, self.level - self.low)
        return self.games >= FEWEST_GAMES and width <= PRECISION


def place(scores: Iterable[Score], ladder: Sequence[Rung] = LADDER) -> Placement:
    """Return the placement that follows from the games in ``scores``, in any order."""
    totals: dict[Rung, tuple[int, float]] = {}
    for rung, points in scores:
        games, total = totals.get(rung, (0, 0.0))
        totals[rung] = games + 1, total + points
    grid = range(ladder[0].elo - _BEYOND, ladder[-1].elo + _BEYOND + 1, _STEP)
    logarithms = []
    for elo in grid:
        logarithm = -(((elo - PRIOR_MEAN) / PRIOR_DEVIATION) ** 2) / 2
        for rung, (games, total) in totals.items():
            lead = (elo - rung.elo) / NATURAL
            # log p = lead - log(1 + exp(lead)) for a win, and the second term alone for a loss.
            logarithm += total * lead - games * _softplus(lead)
        logarithms.append(logarithm)
    most = max(logarithms)
    weights = [math.exp(logarithm - most) for logarithm in logarithms]
    low, middle, high = (_quantile(grid, weights, share) for share in (_TAIL, 0.5, 1 - _TAIL))
    level, lowest, highest = (level_at(elo, ladder) for elo in (middle, low, high))
    count = sum(games for games, _ in totals.values())
    return Placement(middle, low, high, level, lowest, highest, count)


def _softplus(value: float) -> float:
    """Return log(1 + exp(value)) without overflow."""
    return max(value, 0.0) + math.log1p(math.exp(-abs(value)))


def _quantile(grid: Sequence[int], weights: Sequence[float], share: float) -> float:
    """Return the point below which ``share`` of the weights lie, linear within a step of the grid."""
    rest = share * sum(weights)
    for elo, weight in zip(grid, weights, strict=True):
        if rest <= weight:
            return elo + _STEP * (rest / weight - 0.5)
        rest -= weight
    return float(grid[-1])


@frozen
class PlacementMatch(Format):
    """Pairs of games of one program against the nearest player of the ladder, until its level is known.

    Each pair has one opening and both colours. The results so far decide the next opponent, so the same
    results always give the same match.

    Args:
        games: maximum number of games.
        ladder: the opponents, weakest first.
    """

    games: int
    ladder: tuple[Rung, ...] = field(default=LADDER)
    needs_results = True

    def next_round(self, field: Field) -> Round | None:
        """Return the next pair; None if the level is known or the games are used up."""
        placement = place(self.scores(field), self.ladder)
        if len(field.meetings) + 2 > self.games or placement.is_known:
            return None
        opponent = PROGRAM + 1 + self.ladder.index(self._nearest(placement.elo))
        pair = field.rounds + 1
        return Round(((PROGRAM, opponent), (opponent, PROGRAM)), (pair, pair))

    def _nearest(self, elo: float) -> Rung:
        """Return the player of the ladder whose rating is nearest."""
        return min(self.ladder, key=lambda rung: abs(rung.elo - elo))

    def scores(self, field: Field) -> list[Score]:
        """Return the games with a result."""
        found: list[Score] = []
        for meeting in field.meetings:
            if meeting.points is not None and sum(meeting.points) == 1:
                seat = meeting.seats.index(PROGRAM)
                found.append((self.opponent(meeting.seats[1 - seat]), meeting.points[seat]))
        return found

    def opponent(self, entrant: int) -> Rung:
        """Return the player of the ladder with this entrant number."""
        return self.ladder[entrant - PROGRAM - 1]

    def count_unpaired(self, field: Field) -> None:
        """Return None, because the results decide."""
