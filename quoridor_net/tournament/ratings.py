"""What the results of an entrant say about its strength."""

from __future__ import annotations

import math
from collections.abc import Iterable

from attrs import frozen

from quoridor_net.tournament.standings import GameResult

#: Standard deviations of a normal distribution on either side that hold 95 % of it.
CONFIDENCE = 1.959964


@frozen
class EloDifference:
    """A difference in Elo points, and the interval in which it lies with 95 % confidence.

    All are infinite where one side scored everything; so may be the ends of the interval.
    """

    value: float
    low: float
    high: float


@frozen
class Score:
    """How many games an entrant won, drew and lost, and how many were void and do not count."""

    won: int
    drawn: int
    lost: int
    void: int = 0

    @classmethod
    def of(cls, results: Iterable[GameResult], entrant: int) -> Score:
        """Count the games that the entrant of this number played."""
        won = drawn = lost = void = 0
        for pairing, result in results:
            if entrant not in pairing.seats:
                continue
            won += (is_won := result.winner == pairing.seats.index(entrant) + 1)
            drawn += result.is_drawn
            void += result.is_void
            lost += not (is_won or result.is_drawn or result.is_void)
        return cls(won, drawn, lost, void)

    @property
    def games(self) -> int:
        """Games that count."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """Points per game, from 0 to 1; one half without games."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.5

    @property
    def elo(self) -> EloDifference:
        """The difference in strength from the opponents: the logistic model, with Wilson's score interval.

        The interval treats a draw as half a win and half a loss, which makes it a little too wide, and it
        stays meaningful for few games and for scores of nothing or everything. Source: E. B. Wilson,
        "Probable inference, the law of succession, and statistical inference", 1927.
        """
        if not self.games:
            return EloDifference(0.0, -math.inf, math.inf)
        share, count, z = self.share, self.games, CONFIDENCE
        middle = share + z * z / (2 * count)
        spread = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
        scale = 1 + z * z / count
        low, high = max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
        # Rounding must not make a finite bound of a score of nothing or everything.
        low, high = (low if share > 0 else 0.0), (high if share < 1 else 1.0)
        return EloDifference(_elo(share), _elo(low), _elo(high))

    @property
    def superiority(self) -> float:
        """The likelihood of being stronger than the opponents, from wins and losses; draws do not count."""
        decided = self.won + self.lost
        if not decided:
            return 0.5
        return 0.5 * (1 + math.erf((self.won - self.lost) / math.sqrt(2 * decided)))


def _elo(share: float) -> float:
    if share <= 0:
        return -math.inf
    if share >= 1:
        return math.inf
    return 400 * math.log10(share / (1 - share))
