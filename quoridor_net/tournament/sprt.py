"""The sequential probability ratio test (SPRT) over pairs of games, which decides when to stop a match.

The two games of a pair share an opening and swap seats, so that the value of the opening cancels out. A pair
is therefore one observation, with five outcomes (*pentanomial*): 0, ½, 1, 1½ or 2 points.

Normalised Elo measures a difference in strength by the number of games needed to detect it: the mean of a
game's points above one half, in standard deviations of a game, times 800 / ln 10. A number of games always
detects the same difference in normalised Elo; in logistic Elo it depends on the draw rate and the openings.

The log-likelihood ratio is that of the generalised test. It compares the likelihoods of two distributions:
the best fit among those with one difference, and the best fit among those with the other. Fishtest
(``server/fishtest/stats/LLRcalc.py``: ``LLR_normalized``, ``LLR_logistic``) and fastchess
(``app/src/matchmaking/sprt/sprt.cpp``) compute the same.

Sources: A. Wald, *Sequential Analysis*, 1947 (bounds); M. Van den Bergh, *Comments on Normalized Elo*,
https://www.cantate.be/Fishtest/normalized_elo_practical.pdf, section 4.1 (normalised Elo);
https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1 (logistic Elo).
"""

from __future__ import annotations

import enum
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from attrs import field, frozen

from quoridor_net.tournament.ratings import CONFIDENCE, expected_score
from quoridor_net.tournament.standings import EloDifference, GameResult, points_of

#: Normalised Elo for each standard deviation of a game's points.
NORMALISED_ELO = 800 / math.log(10)

#: Largest normalised hypothesis. Beyond it the iteration may not converge, and such a difference shows within
#: a few games without any test.
LARGEST_NORMALISED_ELO = 200.0

#: Count of an outcome that never occurred, so that no likelihood is zero; fishtest uses the same value.
_UNSEEN = 1e-3

_OUTCOMES = 5
#: Points per game in each outcome of a pair.
_VALUES = tuple(outcome / (_OUTCOMES - 1) for outcome in range(_OUTCOMES))


class EloModel(enum.Enum):
    """The scale of the hypotheses."""

    NORMALISED = "normalised"
    LOGISTIC = "logistic"


class Decision(enum.Enum):
    """The decision of the test."""

    RUNNING = "running"
    #: H1, the larger difference, is accepted.
    ACCEPTED = "accepted"
    #: H0, the smaller difference, is accepted.
    REJECTED = "rejected"


def _outcomes(_pentanomial: object, _attribute: object, counts: tuple[int, ...]) -> None:
    if len(counts) != _OUTCOMES or any(count < 0 for count in counts):
        raise ValueError(f"expected {_OUTCOMES} counts that are not negative, not {counts}")


@frozen
class Pentanomial:
    """The results of the pairs of games between two sides.

    Attributes:
        counts: numbers of pairs in which the first side scored 0, ½, 1, 1½ and 2 points.

    Raises:
        ValueError: there are not five counts, or one is negative.
    """

    counts: tuple[int, ...] = field(default=(0,) * _OUTCOMES, validator=_outcomes)

    @classmethod
    def of(cls, results: Iterable[GameResult], entrant: int) -> Pentanomial:
        """Count the pairs that the entrant with this number played against any opponent.

        Single games do not count, nor do pairs with a game that is missing, void or lost by both sides.
        """
        points: defaultdict[int, list[float]] = defaultdict(list)
        for pairing, result in results:
            if pairing.pair and entrant in pairing.seats and (result.winner is not None or result.is_drawn):
                points[pairing.pair].append(points_of(pairing, result)[pairing.seats.index(entrant)])
        return cls.of_pairs(points.values())

    @classmethod
    def of_pairs(cls, pairs: Iterable[Sequence[float]]) -> Pentanomial:
        """Count pairs, given as the points of the first side in each game; incomplete ones do not count."""
        counts = [0] * _OUTCOMES
        for points in pairs:
            if len(points) == 2:
                counts[round(2 * sum(points))] += 1
        return cls(tuple(counts))

    @property
    def pairs(self) -> int:
        """Number of pairs that count."""
        return sum(self.counts)

    @property
    def share(self) -> float:
        """Points per game, from 0 to 1; one half without games."""
        if not self.pairs:
            return 0.5
        return sum(value * count for value, count in zip(_VALUES, self.counts, strict=True)) / self.pairs

    @property
    def deviation(self) -> float:
        """The standard deviation of the points of one game, estimated from the variance between pairs."""
        if not self.pairs:
            return 0.0
        share = self.share
        squares = ((value - share) ** 2 * count for value, count in zip(_VALUES, self.counts, strict=True))
        return math.sqrt(2 * math.fsum(squares) / self.pairs)

    @property
    def normalised_elo(self) -> EloDifference:
        """The difference in normalised Elo with its interval, as in fastchess.

        If all pairs had the same outcome, the interval is infinite; so is the value, unless each had 1 point.
        """
        if not self.pairs:
            return EloDifference(0.0, -math.inf, math.inf)
        distance, deviation = self.share - 0.5, self.deviation
        if not deviation:
            value = math.copysign(math.inf, distance) if distance else 0.0
            return EloDifference(value, -math.inf, math.inf)
        value = distance / deviation * NORMALISED_ELO
        error = CONFIDENCE * NORMALISED_ELO / math.sqrt(2 * self.pairs)
        return EloDifference(value, value - error, value + error)

    @property
    def superiority(self) -> float:
        """The likelihood that the first side is stronger."""
        distance, deviation = self.share - 0.5, self.deviation
        if not distance:
            return 0.5
        if not deviation:
            return float(distance > 0)
        return 0.5 * (1 + math.erf(distance / deviation * math.sqrt(self.pairs)))


def count_pairs(results: Iterable[GameResult]) -> dict[int, Pentanomial]:
    """Return the pairs of games of two that each entrant played; see :meth:`Pentanomial.of`."""
    scored: defaultdict[int, dict[int, list[float]]] = defaultdict(dict)
    for pairing, result in results:
        if pairing.pair and len(pairing.seats) == 2 and (result.winner is not None or result.is_drawn):
            for entrant, points in zip(pairing.seats, points_of(pairing, result), strict=True):
                scored[entrant].setdefault(pairing.pair, []).append(points)
    counted = {entrant: Pentanomial.of_pairs(pairs.values()) for entrant, pairs in scored.items()}
    return {entrant: pairs for entrant, pairs in counted.items() if pairs.pairs}


class PairTally:
    """A running count of pairs of games; results can change."""

    def __init__(self) -> None:
        self._scored: defaultdict[int, dict[int, float]] = defaultdict(dict)
        self._counts = [0] * _OUTCOMES

    def put(self, game: int, pair: int, points: float | None) -> None:
        """Set the points of the first side in a game of a pair; None for a game without information."""
        scored = self._scored[pair]
        self._count(scored, -1)
        if points is None:
            scored.pop(game, None)
        else:
            scored[game] = points
        self._count(scored, 1)

    def _count(self, scored: Mapping[int, float], number: int) -> None:
        if len(scored) == 2:
            self._counts[round(2 * sum(scored.values()))] += number

    @property
    def pentanomial(self) -> Pentanomial:
        """The results of the complete pairs."""
        return Pentanomial(tuple(self._counts))


@frozen
class Verdict:
    """The state of a test.

    Attributes:
        ratio: the log-likelihood ratio, H1 over H0.
        lower: H0 is accepted at this ratio or below.
        upper: H1 is accepted at this ratio or above.
        decision: the decision at this ratio.
    """

    ratio: float
    lower: float
    upper: float
    decision: Decision


@frozen
class Sprt:
    """A sequential probability ratio test: is the first side ``elo1`` stronger (H1), or only ``elo0`` (H0)?

    Attributes:
        elo0: the difference under H0, in Elo.
        elo1: the difference under H1, in Elo; larger than ``elo0``.
        alpha: maximum probability of accepting H1 if H0 is true.
        beta: maximum probability of accepting H0 if H1 is true.
        model: the scale of the two differences.

    Raises:
        ValueError: a value is out of range.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: EloModel = EloModel.NORMALISED

    def __attrs_post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(
                f"the first Elo difference must be below the second: {self.elo0:g} {self.elo1:g}"
            )
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError(
                f"the error rates must be above 0 and add up to less than 1: {self.alpha:g} {self.beta:g}"
            )
        largest = max(-self.elo0, self.elo1)
        if self.model is EloModel.NORMALISED and largest > LARGEST_NORMALISED_ELO:
            raise ValueError(
                f"normalised Elo differences must be within ±{LARGEST_NORMALISED_ELO:g}: {largest:g}"
            )

    @property
    def lower(self) -> float:
        """The ratio at which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The ratio at which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def ratio(self, results: Pentanomial) -> float:
        """Return the log-likelihood ratio of these results, H1 over H0; 0 without results."""
        if not results.pairs:
            return 0.0
        counts = [count or _UNSEEN for count in results.counts]
        pairs = math.fsum(counts)
        seen = [count / pairs for count in counts]
        under = [self._best_fit(seen, elo) for elo in (self.elo0, self.elo1)]
        terms = (count * math.log(one / zero) for count, zero, one in zip(counts, *under, strict=True))
        return math.fsum(terms)

    def judge(self, results: Pentanomial) -> Verdict:
        """Return the state of the test after these results."""
        ratio = self.ratio(results)
        if ratio >= self.upper:
            decision = Decision.ACCEPTED
        else:
            decision = Decision.REJECTED if ratio <= self.lower else Decision.RUNNING
        return Verdict(ratio, self.lower, self.upper, decision)

    def expected_pairs(self, elo: float) -> float:
        """Return the expected number of pairs until the decision, if ``elo`` is the true difference.

        By Wald's approximation for normal observations. Without results, games in logistic Elo count as
        decided ones.

        Args:
            elo: on the scale of the test.
        """
        low, high, true = (self._t_value(each) for each in (self.elo0, self.elo1, elo))
        step = high - low
        drift = step * (true - (low + high) / 2)
        if abs(drift) < 1e-9 * step:
            return -self.lower * self.upper / step**2
        # The probability of accepting H1, from the root of the generating function.
        root = 1 - 2 * (true - low) / step
        up, down = math.exp(root * self.upper), math.exp(root * self.lower)
        accepted = (1 - down) / (up - down)
        return (accepted * self.upper + (1 - accepted) * self.lower) / drift

    def _t_value(self, elo: float) -> float:
        """Return the mean of a pair above one half in standard deviations of a pair."""
        if self.model is EloModel.LOGISTIC:
            share = expected_score(elo)
            return (share - 0.5) / math.sqrt(share * (1 - share)) * math.sqrt(2)
        return elo / NORMALISED_ELO * math.sqrt(2)

    def _best_fit(self, seen: Sequence[float], elo: float) -> list[float]:
        if self.model is EloModel.LOGISTIC:
            return _best_with_mean(seen, expected_score(elo))
        # A pair is the mean of two games, so its deviation is that of a game divided by the root of 2.
        return _best_with_t_value(seen, self._t_value(elo))


def _best_with_mean(seen: Sequence[float], mean: float) -> list[float]:
    """Return the most likely distribution over the outcomes with mean ``mean``."""
    return _best_with_zero(seen, [value - mean for value in _VALUES])


def _best_with_t_value(seen: Sequence[float], t_value: float) -> list[float]:
    """Return the most likely distribution whose (mean − ½) / deviation is ``t_value``.

    With the mean and deviation of the previous distribution, the condition becomes linear. Starting from the
    uniform distribution, this is repeated until nothing changes.
    """
    best = [1 / _OUTCOMES] * _OUTCOMES
    # A few rounds suffice, unless a count is a millionth of another one; then rounding never settles.
    for _ in range(500):
        mean = math.fsum(value * share for value, share in zip(_VALUES, best, strict=True))
        squares = ((value - mean) ** 2 * share for value, share in zip(_VALUES, best, strict=True))
        deviation = math.sqrt(math.fsum(squares))
        zero = [
            value - 0.5 - t_value * deviation * (1 + ((mean - value) / deviation) ** 2) / 2
            for value in _VALUES
        ]
        before, best = best, _best_with_zero(seen, zero)
        if max(abs(old - new) for old, new in zip(before, best, strict=True)) < 1e-9:
            break
    return best


def _best_with_zero(seen: Sequence[float], values: Sequence[float]) -> list[float]:
    """Return the most likely distribution in which the mean of ``values`` is zero.

    It is ``seen / (1 + x · values)``. On the interval of x where all shares are positive, the left side of
    the *secular equation* Σ seen · values / (1 + x · values) = 0 falls from +∞ to −∞, so one x solves it.
    """
    low, high = -1 / max(values), -1 / min(values)
    x = 0.0
    for _ in range(200):
        shares = [share / (1 + x * value) for share, value in zip(seen, values, strict=True)]
        error = math.fsum(value * share for value, share in zip(values, shares, strict=True))
        low, high = (x, high) if error > 0 else (low, x)
        slope = math.fsum(
            value * value * share / (1 + x * value) for value, share in zip(values, shares, strict=True)
        )
        # Newton's method, with bisection if it leaves the interval.
        step = x + error / slope
        if not low < step < high:
            step = (low + high) / 2
        if abs(step - x) <= 1e-15 * (1 + abs(x)):
            break
        x = step
    return [share / (1 + x * value) for share, value in zip(seen, values, strict=True)]
