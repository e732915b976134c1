"""What results say about the strength of the entrants, in Elo.

For the two sides of a match there are closed forms, ``Score``; for any number of entrants there is ``rate``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from attrs import field, frozen

from quoridor_net.outcome import Result
from quoridor_net.tournament.groups import connected_groups, strong_components
from quoridor_net.tournament.standings import DRAW, LOSS, WIN, EloDifference, GameResult

if TYPE_CHECKING:
    # numpy is loaded only when ratings are asked for.
    from quoridor_net.tournament.bradley_terry import Block, Comparison, Floats

#: Standard deviations of a normal distribution on either side that hold 95 % of it.
CONFIDENCE = 1.959964

#: Elo for each natural unit of the logistic model.
NATURAL = 400 / math.log(10)

#: Elo by which the strengths of a sample may differ though its results say that they are equal.
_EQUAL = 0.001

#: Standard deviation of the prior of each strength, in Elo. It is about the spread of entrants that range
#: from random moves to a good engine; after twenty games it shrinks a small difference by less than 1 %.
PRIOR = 600.0


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
        return EloDifference(elo_difference(share), elo_difference(low), elo_difference(high))

    @property
    def superiority(self) -> float:
        """The likelihood of being stronger than the opponents, from wins and losses; draws do not count."""
        decided = self.won + self.lost
        if not decided:
            return 0.5
        return 0.5 * (1 + math.erf((self.won - self.lost) / math.sqrt(2 * decided)))


def elo_difference(share: float) -> float:
    """Return the Elo difference that gives this share of the points, 0 to 1."""
    if share <= 0:
        return -math.inf
    if share >= 1:
        return math.inf
    return 400 * math.log10(share / (1 - share))


def expected_score(elo: float) -> float:
    """Return the share of the points, 0 to 1, that an Elo difference gives."""
    return 1 / (1 + 10 ** (-elo / 400))


@frozen
class Rating:
    """The strength of one entrant.

    Attributes:
        entrant: its number, from 1.
        elo: its strength above the mean of its group, with the interval in which it lies with 95 %
            confidence. The interval is open where no result bounds it: above when neither the entrant nor any
            that scored against it ever lost a point to others, below when none of them ever took one.
        games: number of games that tell something about it.
    """

    entrant: int
    elo: EloDifference
    games: int


@frozen
class Ratings:
    """The strengths of all entrants.

    Attributes:
        entrants: the ratings, by number from 1.
        first_move: what the first move is worth, in Elo.
        groups: numbers of the entrants that games connect, largest group first. Strengths can be compared
            within a group only.
    """

    entrants: tuple[Rating, ...]
    first_move: EloDifference
    groups: tuple[tuple[int, ...], ...]
    _samples: Floats = field(repr=False, eq=False)

    def superiority(self, entrant: int, opponent: int) -> float | None:
        """Return the likelihood that ``entrant`` is the stronger one; None for entrants of different groups.

        It is the share of the samples of the bootstrap in which it is, so it can be 0 or 1.
        """
        if not any(entrant in group and opponent in group for group in self.groups):
            return None
        differences = self._samples[:, entrant - 1] - self._samples[:, opponent - 1]
        above, below = (int((sign * differences > _EQUAL).sum()) for sign in (1, -1))
        return 0.5 + (above - below) / (2 * len(differences))


def rate(
    entrants: int,
    results: Iterable[GameResult],
    *,
    resamples: int = 200,
    seed: int = 0,
    prior: float = PRIOR,
) -> Ratings:
    """Return the strengths that explain the results best: Elo by maximum likelihood.

    A draw counts as half a win, a forfeit as a loss. Void games, and those that all players lost, tell
    nothing. In a game of more than two the winner beats each of the others, and these are not compared; in a
    draw all are. The model is described in ``quoridor_net.tournament.bradley_terry``.

    Intervals are percentiles of a bootstrap over pairs of games (those with the same ``pair``), or single
    games where they have none. Resampling cannot invent what never happened: where points went one way only,
    each pair of games has a counterpart that ended the other way round, and all counterparts of an entrant
    together are drawn as often as one pair, as in the rule of succession. An interval always holds its
    estimate. With few games it is too narrow, as bootstrap intervals are.

    Args:
        entrants: number of entrants.
        results: the games, in the order of play.
        resamples: number of samples of the bootstrap, at least 1.
        seed: of the bootstrap; same games, same seed, same intervals.
        prior: standard deviation of the prior of each strength and of the first move, in Elo, above 0.

    Raises:
        ValueError: ``resamples`` or ``prior`` is out of range.
    """
    if resamples < 1:
        raise ValueError(f"intervals need at least 1 sample, not {resamples}")
    if not 0 < prior < math.inf:
        raise ValueError(f"the prior has a standard deviation above 0, not {prior:g}")
    import numpy as np

    from quoridor_net.tournament.bradley_terry import BradleyTerry

    played, games = _blocks(results)
    edges = _scored_against(entrants, played)
    values, drawn = np.zeros(entrants + 1), np.zeros((resamples, entrants + 1))
    if played:
        counterparts = _counterparts(played, strong_components(edges))
        weights = [*played.values()]
        model = BradleyTerry([*played, *map(_mirrored, counterparts)], entrants, prior / NATURAL)
        fitted = model.fit(weights + [0] * len(counterparts))
        mass = [*weights, *counterparts.values()]
        values = NATURAL * fitted
        drawn = NATURAL * model.bootstrap(mass, sum(weights), resamples, seed, fitted)
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    bounds = [
        EloDifference(value, min(value, below), max(value, above))
        for value, below, above in zip(values.tolist(), low.tolist(), high.tolist(), strict=True)
    ]
    ratings = tuple(
        Rating(entrant, EloDifference(elo.value, *opened), games[entrant])
        for entrant, (elo, opened) in enumerate(zip(bounds, _opened(bounds, edges), strict=False), 1)
    )
    groups = sorted(connected_groups(edges), key=lambda group: (-len(group), group))
    numbers = tuple(tuple(entrant + 1 for entrant in group) for group in groups)
    return Ratings(ratings, _first_move(bounds[-1], played), numbers, drawn)


def _blocks(results: Iterable[GameResult]) -> tuple[Counter[Block], Counter[int]]:
    """Return how often games were played that are drawn together, and how many of each entrant count.

    What happened twice is there once: a long match of two has few different blocks.
    """
    blocks: dict[tuple[int, int], list[Comparison]] = {}
    games: Counter[int] = Counter()
    for index, (pairing, result) in enumerate(results):
        if result.winner is None and not result.is_drawn:
            continue
        for entrant in pairing.seats:
            games[entrant] += 1
        block = blocks.setdefault((pairing.pair, 0) if pairing.pair else (0, index), [])
        block += _comparisons(pairing.seats, result)
    return Counter(tuple(sorted(block)) for block in blocks.values()), games


def _comparisons(seats: Sequence[int], result: Result) -> Iterator[Comparison]:
    """Yield who scored what against whom in a game that tells something."""
    from quoridor_net.tournament.bradley_terry import Comparison

    is_drawn = result.is_drawn
    for seat, one in enumerate(seats, 1):
        for other_seat, other in enumerate(seats[seat:], seat + 1):
            if is_drawn or result.winner in {seat, other_seat}:
                points = DRAW if is_drawn else WIN if result.winner == seat else LOSS
                moved = int(seat == 1)
                if one < other:
                    yield Comparison(one - 1, other - 1, moved, points)
                else:
                    yield Comparison(other - 1, one - 1, -moved, 1 - points)


def _scored_against(entrants: int, blocks: Iterable[Block]) -> list[set[int]]:
    """Return for each entrant, from 0, against whom it scored."""
    scored: list[set[int]] = [set() for _ in range(entrants)]
    for one, other, _, points in chain.from_iterable(blocks):
        if points > LOSS:
            scored[one].add(other)
        if points < WIN:
            scored[other].add(one)
    return scored


def _counterparts(played: Mapping[Block, int], component: Sequence[int]) -> dict[Block, float]:
    """Return the blocks that have counterparts, and how likely these are drawn: what was played counts 1.

    Entrants of different components took points from each other one way only.
    """
    one_sided = {
        block: entrants
        for block in played
        if (
            entrants := {
                entrant
                for one, other, _, _ in block
                if component[one] != component[other]
                for entrant in (one, other)
            }
        )
    }
    blocks: Counter[int] = Counter()
    for block, entrants in one_sided.items():
        for entrant in entrants:
            blocks[entrant] += played[block]
    return {
        block: played[block] / max(blocks[entrant] for entrant in entrants)
        for block, entrants in one_sided.items()
    }


def _mirrored(block: Block) -> Block:
    return tuple(each.mirrored for each in block)


def _first_move(elo: EloDifference, blocks: Iterable[Block]) -> EloDifference:
    """Return what the first move is worth; the interval is open where it took every point, or none."""
    # The points of whoever had it.
    scored = {
        points if moved > 0 else 1 - points for _, _, moved, points in chain.from_iterable(blocks) if moved
    }
    low = elo.low if scored - {LOSS} else -math.inf
    return EloDifference(elo.value, low, elo.high if scored - {WIN} else math.inf)


def _opened(bounds: Sequence[EloDifference], edges: Sequence[set[int]]) -> list[tuple[float, float]]:
    """Return the interval of each entrant, open where no result bounds it."""
    component = strong_components(edges)
    across = {
        (component[one], component[other])
        for one, others in enumerate(edges)
        for other in others
        if component[one] != component[other]
    }
    ahead, behind = {one for one, _ in across}, {other for _, other in across}
    sizes = Counter(component)
    # A group in which everybody is reached from everybody bounds itself; an entrant without games does not.
    whole = {number for number in sizes if number not in ahead | behind and sizes[number] > 1}
    return [
        (
            elo.low if number in ahead | whole else -math.inf,
            elo.high if number in behind | whole else math.inf,
        )
        for elo, number in zip(bounds, component, strict=False)
    ]
