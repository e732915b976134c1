"""What games between two engines say about their strength."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from attrs import frozen

from quoridor_net.rules import Termination

from .games import GameRecord, Side

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
    """The result of a series, from the view of the engine named by ``--white``.

    Attributes:
        won: games that it won; drawn, lost likewise.
        void: games that do not count.
    """

    won: int
    drawn: int
    lost: int
    void: int = 0

    @classmethod
    def of(cls, records: Iterable[GameRecord]) -> Score:
        """Count the games of ``records``."""
        records = list(records)
        void = sum(record.result.termination.is_void for record in records)
        won = sum(record.winner is Side.WHITE for record in records)
        lost = sum(record.winner is Side.BLACK for record in records)
        return cls(won, len(records) - won - lost - void, lost, void)

    @property
    def games(self) -> int:
        """Games that count."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """Points per game, from 0 to 1; one half when there is no game."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.5

    @property
    def elo(self) -> EloDifference:
        """The difference in strength: the logistic model, with Wilson's score interval.

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
        # Rounding must not make a bound out of a score that knows none.
        low, high = (low if share > 0 else 0.0), (high if share < 1 else 1.0)
        return EloDifference(_elo(share), _elo(low), _elo(high))

    @property
    def superiority(self) -> float:
        """The likelihood that it is the stronger one, from wins and losses; draws say nothing."""
        decided = self.won + self.lost
        if not decided:
            return 0.5
        return 0.5 * (1 + math.erf((self.won - self.lost) / math.sqrt(2 * decided)))


def terminations(records: Iterable[GameRecord]) -> Counter[Termination]:
    """Count how the games ended."""
    return Counter(record.result.termination for record in records)


def _elo(share: float) -> float:
    if share <= 0:
        return -math.inf
    if share >= 1:
        return math.inf
    return 400 * math.log10(share / (1 - share))
