"""Estimates of strength, in Elo: ``Score`` for the two sides of a match, ``rate`` for many entrants."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from attrs import field, frozen

from quoridor_net.outcome import Result
from quoridor_net.tournament.groups import find_connected_groups, find_strong_components
from quoridor_net.tournament.standings import DRAW, LOSS, WIN, EloDifference, GameResult

if TYPE_CHECKING:
    # numpy is imported only if ratings are requested.
    from quoridor_net.tournament.bradley_terry import Block, Comparison, Floats

#: Half width of the central 95 % of a normal distribution, in standard deviations.
CONFIDENCE = 1.959964

#: Elo for each natural unit of the logistic model.
NATURAL = 400 / math.log(10)

#: Maximum difference, in Elo, between strengths of a sample that count as equal.
_EQUAL = 0.001

#: Standard deviation of the prior of each strength, in Elo. It is about the spread of entrants from random
#: moves to a good engine; after twenty games it shrinks a small difference by less than 1 %.
PRIOR = 600.0


#: Standard deviation of the prior of a fixed rating, in Elo.
EXACT = 0.1


@frozen
class Score:
    """Numbers of games that an entrant won, drew and lost, and of void games, which do not count.

    Games that both entrants lost do not count either.
    """

    won: int
    drawn: int
    lost: int
    void: int = 0

    @classmethod
    def of(cls, results: Iterable[GameResult], entrant: int) -> Score:
        """Count the games of the entrant with this number."""
        won = drawn = lost = void = 0
        for pairing, result in results:
            if entrant not in pairing.seats:
                continue
            is_won = result.winner == pairing.seats.index(entrant) + 1
            won += is_won
            drawn += result.is_drawn
            lost += not is_won and result.winner is not None
            void += result.is_void
        return cls(won, drawn, lost, void)

    @property
    def games(self) -> int:
        """Number of games that count."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """Points per game, from 0 to 1; one half without games."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.5

    @property
    def elo(self) -> EloDifference:
        """The difference in strength from the opponents: the logistic model, with Wilson's score interval.

        The interval treats a draw as half a win and half a loss, which makes it a little too wide. It stays
        meaningful for few games and for scores of 0 % or 100 %. Source: E. B. Wilson, "Probable inference,
        the law of succession, and statistical inference", 1927.
        """
        if not self.games:
            return EloDifference(0.0, -math.inf, math.inf)
        share, count, z = self.share, self.games, CONFIDENCE
        middle = share + z * z / (2 * count)
        spread = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
        scale = 1 + z * z / count
        low, high = max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
        # Set exactly, because rounding could make the bound for a score of 0 % or 100 % finite.
        low, high = (low if share > 0 else 0.0), (high if share < 1 else 1.0)
        return EloDifference(elo_difference(share), elo_difference(low), elo_difference(high))

    @property
    def superiority(self) -> float:
        """The likelihood of being stronger than the opponents, from wins and losses without draws."""
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
        elo: its strength above the mean of its group, with a 95 % confidence interval. The interval is open
            if no result bounds it: above, if neither the entrant nor any that scored against it ever lost
            points to others; below, if none of them ever took points from others.
        games: number of games that bear on it.
    """

    entrant: int
    elo: EloDifference
    games: int


@frozen
class Ratings:
    """The strengths of all entrants.

    Attributes:
        entrants: the ratings, by number from 1.
        first_move: the value of the first move, in Elo. Its interval is open at an end that no result bounds.
        groups: numbers of the entrants that games connect, largest group first. Strengths can be compared
            only within a group.
    """

    entrants: tuple[Rating, ...]
    first_move: EloDifference
    groups: tuple[tuple[int, ...], ...]
    _samples: Floats = field(repr=False, eq=False)

    def superiority(self, entrant: int, opponent: int) -> float | None:
        """Return the likelihood that ``entrant`` is stronger than ``opponent``; None across groups.

        It is a share of the bootstrap samples, so it can be 0 or 1.
        """
        if not any(entrant in group and opponent in group for group in self.groups):
            return None
        differences = self._samples[:, entrant - 1] - self._samples[:, opponent - 1]
        above, below = (int((sign * differences > _EQUAL).sum()) for sign in (1, -1))
        return 0.5 + (above - below) / (2 * len(differences))


@frozen
class Scale:
    """A scale of absolute ratings.

    Attributes:
        fixed: the ratings of reference entrants, in Elo, by number.
        starts: the ratings that other entrants start with, in Elo, by number.
        mean: rating that all others start with.
        doubt: standard deviation of a rating that an entrant of ``starts`` starts with, in Elo.
    """

    fixed: Mapping[int, float] = field(factory=dict)
    starts: Mapping[int, float] = field(factory=dict)
    mean: float = 0.0
    doubt: float = 200.0

    def priors(self, entrants: int, usual: float) -> tuple[list[float], list[float]]:
        """Return the deviations and the means of the priors of all strengths and of the first move."""
        numbers = range(1, entrants + 1)
        deviations = [
            EXACT if each in self.fixed else self.doubt if each in self.starts else usual for each in numbers
        ]
        means = [self.fixed.get(each, self.starts.get(each, self.mean)) for each in numbers]
        return [*deviations, usual], [*means, 0.0]


def rate(
    entrants: int,
    results: Iterable[GameResult],
    *,
    resamples: int = 200,
    seed: int = 0,
    prior: float = PRIOR,
    scale: Scale | None = None,
) -> Ratings:
    """Return the strengths that explain the results best: Elo by maximum likelihood.

    A draw counts as half a win, a forfeit as a loss. Void games and games lost by all players carry no
    information. In a game of more than two, the winner beats each of the others, which are not compared with
    each other; in a draw all are compared. ``quoridor_net.tournament.bradley_terry`` describes the model.

    Intervals are percentiles of a bootstrap over pairs of games (with the same ``pair``) and single games.
    Resampling cannot produce results that never occurred. So where points went one way only, each pair of
    games gets a counterpart with the opposite result; all counterparts of an entrant together are drawn as
    often as one pair, as in the rule of succession. An interval always contains its estimate. With few games
    it is too narrow, as bootstrap intervals are.

    On a scale, intervals follow from the curvature of the likelihood instead. They include the priors, so
    that an entrant without games has a wide one.

    Args:
        entrants: number of entrants.
        results: the games, in the order of play.
        resamples: number of bootstrap samples, at least 1; on a scale, of samples for ``superiority``, or 0.
        seed: of the bootstrap, for reproducible intervals.
        prior: standard deviation of the prior of each strength and of the first move, in Elo, above 0.
        scale: the ratings that some entrants hold or start with; None for strengths relative to each other.

    Raises:
        ValueError: ``resamples`` or ``prior`` is out of range.
    """
    if resamples < 1 and scale is None:
        raise ValueError(f"intervals need at least 1 sample, not {resamples}")
    if not 0 < prior < math.inf:
        raise ValueError(f"the prior needs a standard deviation above 0, not {prior:g}")
    import numpy as np

    from quoridor_net.tournament.bradley_terry import BradleyTerry

    played, games = _blocks(results)
    edges = _find_beaten(entrants, played)
    components = find_strong_components(edges)
    if scale is not None:
        return _rate_on_scale(scale, entrants, played, games, edges, resamples, seed, prior)
    values, drawn = np.zeros(entrants + 1), np.zeros((resamples, entrants + 1))
    if played:
        counterparts = _counterparts(played, components)
        weights = [*played.values()]
        model = BradleyTerry([*played, *map(_mirror, counterparts)], entrants, prior / NATURAL)
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
        for entrant, (elo, opened) in enumerate(zip(bounds, _open_intervals(bounds, edges), strict=False), 1)
    )
    return Ratings(ratings, _first_move(bounds[-1], played, components), _group(edges), drawn)


def rate_on_scale(entrants: int, scores: Mapping[tuple[int, int, float], int], scale: Scale) -> Ratings:
    """Return the same as ``rate`` on a scale, from numbers of games, without samples for ``superiority``.

    Args:
        entrants: number of entrants.
        scores: numbers of games of two, by first entrant, second entrant and points of the first.
        scale: the ratings that some entrants hold or start with.
    """
    played: Counter[Block] = Counter()
    games: Counter[int] = Counter()
    for (first, second, points), count in scores.items():
        played[(_compare(first, second, 1, points),)] += count
        games[first] += count
        games[second] += count
    return _rate_on_scale(scale, entrants, played, games, _find_beaten(entrants, played), 0, 0, PRIOR)


def _rate_on_scale(
    scale: Scale,
    entrants: int,
    played: Counter[Block],
    games: Counter[int],
    edges: Sequence[set[int]],
    resamples: int,
    seed: int,
    prior: float,
) -> Ratings:
    import numpy as np

    from quoridor_net.tournament.bradley_terry import BradleyTerry

    deviations, means = scale.priors(entrants, prior)
    values, errors = np.array(means), np.array(deviations)
    samples = np.tile(values, (resamples, 1))
    if played:
        natural = [[each / NATURAL for each in numbers] for numbers in (deviations, means)]
        model = BradleyTerry([*played], entrants, *natural)
        weights = [*played.values()]
        fitted = model.fit(weights)
        errors, samples = (NATURAL * each for each in model.draw(weights, fitted, resamples, seed))
        values = NATURAL * fitted
    reach = CONFIDENCE * errors
    bounds = [
        EloDifference(value, value - half, value + half)
        for value, half in zip(values.tolist(), reach.tolist(), strict=True)
    ]
    ratings = tuple(
        Rating(entrant, bounds[entrant - 1], games[entrant]) for entrant in range(1, entrants + 1)
    )
    return Ratings(ratings, bounds[-1], _group(edges), samples)


def _group(edges: Sequence[set[int]]) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of the entrants that games connect, largest group first."""
    groups = sorted(find_connected_groups(edges), key=lambda group: (-len(group), group))
    return tuple(tuple(entrant + 1 for entrant in group) for group in groups)


def _blocks(results: Iterable[GameResult]) -> tuple[Counter[Block], Counter[int]]:
    """Return the number of occurrences of each block, and the number of games of each entrant that count.

    Equal blocks are counted together, because a long match of two has few different ones.
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
    """Yield the comparisons of a game that carries information."""
    is_drawn = result.is_drawn
    for seat, one in enumerate(seats, 1):
        for other_seat, other in enumerate(seats[seat:], seat + 1):
            if is_drawn or result.winner in {seat, other_seat}:
                points = DRAW if is_drawn else WIN if result.winner == seat else LOSS
                yield _compare(one, other, int(seat == 1), points)


def _compare(one: int, other: int, moved: int, points: float) -> Comparison:
    """Return the comparison of an entrant, which had the first move or not, with another one."""
    from quoridor_net.tournament.bradley_terry import Comparison

    if one < other:
        return Comparison(one - 1, other - 1, moved, points)
    return Comparison(other - 1, one - 1, -moved, 1 - points)


def _find_beaten(entrants: int, blocks: Iterable[Block]) -> list[set[int]]:
    """Return the opponents that each entrant, from 0, scored against."""
    scored: list[set[int]] = [set() for _ in range(entrants)]
    for one, other, _, points in chain.from_iterable(blocks):
        if points > LOSS:
            scored[one].add(other)
        if points < WIN:
            scored[other].add(one)
    return scored


def _counterparts(played: Mapping[Block, int], component: Sequence[int]) -> dict[Block, float]:
    """Return the blocks that have counterparts, with the weights of these; a game played has weight 1.

    Between entrants of different components, points went one way only.
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


def _mirror(block: Block) -> Block:
    return tuple(each.mirrored for each in block)


def _first_move(elo: EloDifference, blocks: Iterable[Block], components: Sequence[int]) -> EloDifference:
    """Return the value of the first move; the interval is open if it took every point, or none.

    Where points went one way only, the difference in strength explains them, with or without the first move.
    """
    # The points of the player with the first move.
    scored = {
        points if moved > 0 else 1 - points
        for one, other, moved, points in chain.from_iterable(blocks)
        if moved and components[one] == components[other]
    }
    low = elo.low if scored - {LOSS} else -math.inf
    return EloDifference(elo.value, low, elo.high if scored - {WIN} else math.inf)


def _open_intervals(bounds: Sequence[EloDifference], edges: Sequence[set[int]]) -> list[tuple[float, float]]:
    """Return the interval of each entrant, open if no result bounds it."""
    component = find_strong_components(edges)
    across = {
        (component[one], component[other])
        for one, others in enumerate(edges)
        for other in others
        if component[one] != component[other]
    }
    ahead, behind = {one for one, _ in across}, {other for _, other in across}
    sizes = Counter(component)
    # A strongly connected group bounds itself; an entrant without games does not.
    whole = {number for number in sizes if number not in ahead | behind and sizes[number] > 1}
    return [
        (
            elo.low if number in ahead | whole else -math.inf,
            elo.high if number in behind | whole else math.inf,
        )
        for elo, number in zip(bounds, component, strict=False)
    ]
