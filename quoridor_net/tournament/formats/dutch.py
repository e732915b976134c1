"""The pairings of a round by the FIDE (Dutch) System.

Articles are those of FIDE's Handbook C.04.3, *FIDE (Dutch) System*, applied from 1 February 2026. C1 to C21
are its criteria, the most important first.

Score groups are paired from the top. The candidates for the pairing of a bracket are not tried one by one, as
an arbiter would. Instead, every pair has a weight, a number whose digits are the criteria and then the place in
the order of candidates, so that the matching of maximum weight is the first of the best candidates.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import combinations, groupby, islice, product
from typing import TYPE_CHECKING, Protocol

from attrs import field, frozen

if TYPE_CHECKING:
    import networkx as nx

#: Number of opponents, nearest in rank, among which a pairing of the players that are left is sought first.
_NEAREST = 8

#: Of more than this many players, only those are considered at first whose places differ by about as much as
#: those of the opponents that article 3 tries first.
_MANY = 100
_NEAR = 16

#: The opponent of a player with a bye; further byes have lower numbers.
_BYE = -1


class Float(enum.Enum):
    """What a game against an opponent with another score gives, or points without a game (article 1.4)."""

    DOWN = "down"
    UP = "up"


class Strength(enum.IntEnum):
    """The strength of a colour preference (article 1.7)."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@frozen(eq=False)
class Player:
    """What the pairing of a round depends on, for one player.

    Attributes:
        number: the pairing number (article 1.1).
        score: points in any unit, as a whole number.
        colours: the colours of its games, oldest first: 1 for the first move, -1 for the second.
        met: how often it has met each other player, by number.
        byes: number of rounds that it won without playing.
        played: number of rounds in which it played.
        floats: its floats in the last round and in the one before.
        is_topscorer: whether it has more than half of the possible points, before the last round (article
            1.8).
    """

    number: int
    score: int = 0
    colours: tuple[int, ...] = ()
    met: Mapping[int, int] = field(factory=dict)
    byes: int = 0
    played: int = 0
    floats: tuple[Float | None, Float | None] = (None, None)
    is_topscorer: bool = False

    @property
    def rank(self) -> tuple[int, int]:
        """The key that orders players, best first (article 1.2)."""
        return -self.score, self.number

    @cached_property
    def difference(self) -> int:
        """First moves minus second moves (article 1.6)."""
        return sum(self.colours)

    @cached_property
    def repeated(self) -> int:
        """The colour of both of the last two games; 0 if they differ."""
        last = self.colours[-2:]
        return last[0] if len(last) == 2 and last[0] == last[1] else 0

    @cached_property
    def strength(self) -> Strength:
        """The strength of its colour preference (article 1.7)."""
        if abs(self.difference) > 1 or self.repeated:
            return Strength.ABSOLUTE
        if self.difference:
            return Strength.STRONG
        return Strength.MILD if self.colours else Strength.NONE

    @cached_property
    def preference(self) -> int:
        """The colour that it should have next (article 1.7); 0 without a game."""
        if not self.colours:
            return 0
        if abs(self.difference) <= 1 and self.repeated:
            return -self.repeated
        return -self.colours[-1] if self.difference == 0 else -1 if self.difference > 0 else 1


@frozen
class Pairings:
    """The pairs of a round, each with the first move first and in order of importance, and the byes."""

    pairs: tuple[tuple[int, int], ...]
    byes: tuple[int, ...]


def pair_round(
    players: Iterable[Player], apart: Collection[frozenset[int]] = (), initial_colour: int = 1
) -> Pairings:
    """Return the pairings of a round.

    If no complete pairing keeps the absolute criteria C1 to C3, the best one that breaks them least is taken:
    in this order, the fewest further byes, repeated meetings, and pairs with the same absolute preference.

    Args:
        players: the players to be paired.
        apart: pairs of players, by number, that never meet. If no other opponents are left, they have byes.
        initial_colour: the colour of the player with the lowest number in the first round (article 5.1).
    """
    ranked = sorted(players, key=lambda player: player.rank)
    pairs, byes = _Pairer(ranked, apart).pair() if ranked else ([], [])
    # The order of publication (General Handling Rules for Swiss Tournaments, Handbook C.04.2).
    pairs.sort(key=lambda pair: (-pair[0].score, -pair[1].score, pair[0].number))
    seats = (allot(*pair, initial_colour) for pair in pairs)
    return Pairings(
        tuple((first.number, second.number) for first, second in seats),
        tuple(player.number for player in byes),
    )


def allot(higher: Player, lower: Player, initial_colour: int) -> tuple[Player, Player]:
    """Return two players by seat (article 5.2); the first one has the higher rank."""
    return (higher, lower) if _choose_colour(higher, lower, initial_colour) > 0 else (lower, higher)


def _choose_colour(higher: Player, lower: Player, initial_colour: int) -> int:
    """Return the colour of the player with the higher rank."""
    wishes = higher.preference, -lower.preference
    if wishes[0] != -wishes[1]:
        return wishes[0] or wishes[1]
    if wishes[0]:
        claims = [(each.strength, _width(each)) for each in (higher, lower)]
        if claims[0] != claims[1]:
            return wishes[claims[0] < claims[1]]
        for one, other in zip(reversed(higher.colours), reversed(lower.colours), strict=False):
            if one != other:
                return other
        return wishes[0]
    return initial_colour if higher.number % 2 else -initial_colour


def _width(player: Player) -> int:
    """Return what decides between equal preferences: only absolute ones are compared by colour difference."""
    return abs(player.difference) if player.strength is Strength.ABSOLUTE else 0


_Pair = tuple[Player, Player]


class _Pairer:
    """Pairs a round, bracket by bracket."""

    def __init__(self, ranked: Sequence[Player], apart: Collection[frozenset[int]]) -> None:
        self.ranked = ranked
        self.apart = apart
        # No digit, summed over all pairs, reaches half of the radix.
        largest = max(max(2, each.score, each.byes, each.played, *each.met.values()) for each in ranked)
        self.radix = 4 * len(ranked) * (largest + 1)
        #: Whether the criteria C1 to C3 can be kept.
        self.is_strict = True
        self.byes = len(ranked) % 2
        #: The players, by number, one of which gets the bye.
        self.candidates: frozenset[int] = frozenset()
        self._choose_candidates()

    def _choose_candidates(self) -> None:
        """Find the lowest score with a player that can have the bye (C2, C5), or give up strictness."""
        eligible = [player for player in reversed(self.ranked) if not player.byes]
        groups = [list(group) for _, group in groupby(eligible, lambda player: player.score)]
        for group in groups if self.byes else [[]]:
            self.candidates = frozenset(player.number for player in group)
            if self.can_complete(self.ranked):
                return
        self.is_strict = False
        self.candidates = frozenset(player.number for player in self.ranked)
        graph = _make_graph(
            (one.number, other.number, 1)
            for one, other in combinations(self.ranked, 2)
            if self.may_meet(one, other)
        )
        self.byes = len(self.ranked) - 2 * len(_match(graph))

    def pair(self) -> tuple[list[_Pair], list[Player]]:
        """Return the pairs, the higher rank first, and the players with a bye."""
        groups = [list(group) for _, group in groupby(self.ranked, lambda player: player.score)]
        pairs: list[_Pair] = []
        moved: list[Player] = []
        for place, residents in enumerate(groups, 1):
            pairs += _Bracket(self, moved, residents, groups[place:]).pair()
            moved = _leave_out([*moved, *residents], pairs)
        return pairs, moved

    def may_meet(self, one: Player, other: Player) -> bool:
        """Return whether two players may be paired."""
        if self.apart and frozenset((one.number, other.number)) in self.apart:
            return False
        return not self.is_strict or not (other.number in one.met or _clash(one, other))

    def can_complete(self, players: Sequence[Player], floaters: int = 0, residents: int = 0) -> bool:
        """Return whether all players can be paired, except one with the bye.

        Args:
            players: by rank.
            floaters: how many of them, the first ones, come from brackets above.
            residents: how many, the next ones, belong to the following bracket. As many pairs as possible
                must then be made there, with all floaters (C8).
        """
        if floaters > residents:
            return False
        last = floaters + residents
        for reach in _widen(_NEAREST, len(players)):
            edges: list[tuple[int, int, int]] = []
            for place, one in enumerate(players):
                choice = range(floaters, last) if place < floaters else range(place + 1, len(players))
                others = (other for other in choice if self.may_meet(one, players[other]))
                edges += (
                    (one.number, players[other].number, 2 if other < last else 1)
                    for other in islice(others, reach)
                )
            edges += ((player.number, _BYE, 1) for player in players if player.number in self.candidates)
            graph = _make_graph(edges)
            found = _match(graph)
            inside = sum(graph[one][other]["weight"] for one, other in found) - len(found)
            if 2 * len(found) == len(players) + self.byes and inside == last // 2:
                return True
        return False


class _Bracket:
    """A bracket: players moved down, residents, and the score groups below (article 1.3)."""

    def __init__(
        self,
        pairer: _Pairer,
        moved: Sequence[Player],
        residents: Sequence[Player],
        below: Sequence[Sequence[Player]],
    ) -> None:
        self._pairer = pairer
        self._moved = moved
        self._residents = residents
        self._following = below[0] if below else ()
        self._rest = [player for group in below[1:] for player in group]
        self._moved_scores = sorted({player.score for player in moved}, reverse=True)
        self._scores = [*self._moved_scores, residents[0].score]
        # Players of the bracket that can have the bye. Then no lower one can, by C5.
        self._has_candidates = any(each.number in pairer.candidates for each in (*moved, *residents))

    def pair(self) -> list[_Pair]:
        """Return the pairs of the bracket, the higher rank first (article 3)."""
        free = [*self._moved, *self._residents]
        pairs = self._pair_by_rank()
        if self._is_perfect(pairs, _leave_out(free, pairs)):
            return pairs
        pairs = []
        size = len(free) // 2
        if self._moved:
            found = self._pair_best(free, _MovedOrder(self._moved, self._residents), size - len(self._moved))
            pairs = [pair for pair in found if self._is_moved(pair[0])]
            size = len(found) - len(pairs)
            free = _leave_out(free, pairs)
        remainder = [player for player in free if not self._is_moved(player)]
        found = self._pair_best(free, _RemainderOrder(remainder, size), size)
        if len(found) < size:
            # S1 is smaller than the number of players suggests.
            size = len(found)
            found = self._pair_best(free, _RemainderOrder(remainder, size), size)
        return pairs + found

    def _pair_by_rank(self) -> list[_Pair]:
        """Return the first candidate (article 3.3)."""
        remainder = self._residents[len(self._moved) :]
        half = len(remainder) // 2
        upper, lower = remainder[:half], remainder[half:]
        return [*zip(self._moved, self._residents, strict=False), *zip(upper, lower, strict=False)]

    def _is_perfect(self, pairs: Iterable[_Pair], left: Sequence[Player]) -> bool:
        """Return whether no candidate can be better (article 3.4)."""
        if not self._pairer.is_strict or len(left) > 1 or any(self._is_moved(each) for each in left):
            return False
        if any(Float.DOWN in each.floats for each in left):
            return False
        if any(not self._pairer.may_meet(*pair) or min(self._judge(*pair)) < 0 for pair in pairs):
            return False
        if not self._has_candidates:
            return self._is_final(left)
        # The bye goes to one with the most games (C9).
        candidates = [each for each in self._residents if each.number in self._pairer.candidates]
        most = max((each.played for each in candidates), default=0)
        return not self._following and any(each in candidates and each.played == most for each in left)

    def _is_moved(self, player: Player) -> bool:
        return player.score > self._residents[0].score

    def _pair_best(self, free: Sequence[Player], order: _Order, size: int) -> list[_Pair]:
        """Return the first of the best pairings of the players that are still free.

        ``size`` is the number of places between opponents if nothing opposes it.
        """
        residents = free[sum(map(self._is_moved, free)) :]
        if not any(
            self._pairer.may_meet(*pair) for pair in product(free, residents) if pair[0] is not pair[1]
        ):
            return []
        # Usually those that play lower do not matter.
        if self._pairer.is_strict and not self._has_candidates:
            found = self._solve(free, order, size)[0]
            if self._is_final(_leave_out(free, found)):
                return found
        if self._has_candidates and self._pairer.byes == 1:
            # Criterion C9 applies only if one player is left, who has the bye.
            found, is_only_bye = self._solve(free, order, size, has_below=True, has_c9=True)
            if is_only_bye:
                return found
        return self._solve(free, order, size, has_below=True)[0]

    def _is_final(self, floaters: Sequence[Player]) -> bool:
        """Return whether floaters leave those that play lower nothing to be desired (C4, C5, C8)."""
        below = [*floaters, *self._following, *self._rest]
        return self._pairer.can_complete(below, len(floaters), len(self._following))

    def _solve(
        self,
        free: Sequence[Player],
        order: _Order,
        size: int,
        *,
        has_below: bool = False,
        has_c9: bool = False,
    ) -> tuple[list[_Pair], bool]:
        """Return the best pairs, and whether only one player of the bracket is left, who has the bye.

        Args:
            free: the players of the bracket that are still free.
            order: the order of equally good candidates.
            size: number of places between opponents if nothing opposes it.
            has_below: whether the players that play lower are taken into account.
            has_c9: whether criterion C9 applies.
        """
        players = [*free, *self._following, *self._rest] if has_below else free
        byes = self._pairer.byes if has_below else 0
        for reach in _widen(_NEAR if len(players) > _MANY else len(players), len(players)):
            edges = self._weigh_bracket(free, order, size, reach)
            if has_below:
                edges += self._weigh_below(players, len(free), order, reach, has_c9=has_c9)
            matching = _match(_make_graph(edges))
            if len(matching) == (len(players) + byes) // 2:
                break
        pairs = _list_pairs(matching, free)
        left = {player.number for player in _leave_out(free, pairs)}
        is_only_bye = len(left) == 1 and any(min(pair) <= _BYE and max(pair) in left for pair in matching)
        return pairs, is_only_bye

    def _weigh_bracket(
        self, free: Sequence[Player], order: _Order, size: int, reach: int
    ) -> list[tuple[int, int, int]]:
        """Return the weights of the pairs in the bracket, whose places differ by about ``size``."""
        moved = sum(map(self._is_moved, free))
        edges = []
        for place, one in enumerate(free):
            is_moved = place < moved
            nearest = moved if is_moved else max(place + 1, place + size - reach)
            farthest = len(free) if is_moved else place + size + reach + 1
            for other in free[nearest:farthest]:
                if self._pairer.may_meet(one, other):
                    quality = self._judge(one, other)
                    weight = self._weigh(one, other, pairs=1, quality=quality) << order.bits
                    edges.append((one.number, other.number, weight + order.weigh(one, other)))
        return edges

    def _weigh_below(
        self, players: Sequence[Player], free: int, order: _Order, reach: int, *, has_c9: bool
    ) -> list[tuple[int, int, int]]:
        """Return the weights of byes and of pairs with players below the bracket.

        The first ``free`` of ``players`` belong to the bracket.
        """
        edges = []
        for place, one in enumerate(players):
            below = range(max(place + 1, free), len(players))
            others = (other for other in below if self._pairer.may_meet(one, players[other]))
            for other in islice(others, reach):
                is_next = other < free + len(self._following)
                c8 = [is_next, *(is_next and one.score == score for score in self._scores)]
                weight = self._weigh(one, players[other], c8=c8) << order.bits
                edges.append((one.number, players[other].number, weight))
            if one.number in self._pairer.candidates:
                weight = self._weigh(one, None, c9=one.played * (has_c9 and place < free)) << order.bits
                edges += ((one.number, _BYE - bye, weight) for bye in range(self._pairer.byes))
        return edges

    def _weigh(
        self,
        one: Player,
        other: Player | None,
        pairs: int = 0,
        c8: Sequence[int] = (),
        c9: int = 0,
        quality: Sequence[int] = (),
    ) -> int:
        """Return the weight of a pair, or of a bye without ``other``, by the criteria C1 to C21."""
        c7 = [pairs * (one.score == score) for score in self._moved_scores]
        digits = [
            *_count_violations(one, other),
            pairs,
            *c7,
            *(c8 or [0] * (1 + len(self._scores))),
            c9,
            *(quality or [0] * (8 + 4 * len(self._moved_scores))),
        ]
        return reduce(lambda weight, digit: weight * self._pairer.radix + digit, digits, 0)

    def _judge(self, one: Player, other: Player) -> list[int]:
        """Return how well a pair meets the criteria C10 to C21; higher numbers are better."""
        is_moved = self._is_moved(one)
        numbers: list[int] = []
        differences: list[int] = []
        for back in range(2):
            # Who is paired does not float down again.
            floats = one.floats[back], other.floats[back]
            residents = floats[1:] if is_moved else floats
            is_again_up = is_moved and floats[1] is Float.UP
            numbers += [residents.count(Float.DOWN), -is_again_up]
            levels = [one.score == score for score in self._moved_scores]
            differences += [is_level and floats[0] is Float.DOWN for is_level in levels]
            differences += [-(is_level and is_again_up) for is_level in levels]
        return [*_judge_colours(one, other), *numbers, *differences]


def _clash(one: Player, other: Player) -> bool:
    """Return whether two players must not meet because of their colours (C3)."""
    return (
        one.strength is other.strength is Strength.ABSOLUTE
        and one.preference == other.preference
        and not (one.is_topscorer or other.is_topscorer)
    )


def _count_violations(one: Player, other: Player | None) -> tuple[int, ...]:
    """Return how a pair, or a bye without ``other``, breaks C2, C1, C3 and C5, as negative numbers."""
    if other is None:
        return -one.byes, 0, 0, -one.score
    return 0, -one.met.get(other.number, 0), -_clash(one, other), 0


def _judge_colours(one: Player, other: Player) -> tuple[int, ...]:
    """Return how a pair breaks the criteria C10 to C13, as negative numbers."""
    if one.preference != other.preference or not one.preference:
        return 0, 0, 0, 0
    weaker, stronger = sorted((one, other), key=lambda player: (player.strength, _width(player)))
    if weaker.strength is not Strength.ABSOLUTE:
        return 0, 0, -1, -(weaker.strength is Strength.STRONG)
    # One of two topscorers or their opponents does not get its absolute preference.
    is_equal = _width(weaker) == _width(stronger)
    is_third = bool(weaker.repeated) and (bool(stronger.repeated) or not is_equal)
    return -(_width(weaker) > 1), -is_third, -1, 0


class _Order(Protocol):
    """The order of the candidates (article 4): the first one has the highest sum of weights.

    Attributes:
        bits: more than the sum of all weights of a candidate has.
    """

    bits: int

    def weigh(self, one: Player, other: Player) -> int:
        """Return the weight of a pair; ``one`` has the higher rank."""


class _MovedOrder:
    """The order in which players that were moved down are paired with residents."""

    def __init__(self, moved: Sequence[Player], residents: Sequence[Player]) -> None:
        self._moved = {player.number: place for place, player in enumerate(reversed(moved))}
        self._residents = {player.number: place for place, player in enumerate(residents)}
        self._width = (2 * len(residents) + 2).bit_length()
        self._bits = self._width * len(moved)
        self.bits = self._bits + len(moved) + 2

    def weigh(self, one: Player, other: Player) -> int:
        """Prefer players moved down by rank (article 4.3), then the first transposition (article 4.1)."""
        place = self._moved.get(one.number)
        if place is None:
            return 0
        return (1 << place + self._bits) - (self._residents[other.number] << place * self._width)


class _RemainderOrder:
    """The order of the candidates of a homogeneous bracket or of a remainder.

    The higher rank of each pair is in S1, all others in S2.
    """

    def __init__(self, residents: Sequence[Player], size: int) -> None:
        """Args: the residents by rank, and the number of pairs."""
        self._places = {player.number: place for place, player in enumerate(residents)}
        self._size = size
        self._width = (2 * len(residents) + 2).bit_length()
        self.bits = (self._width + 3) * len(residents) + 4 * self._width + 10

    def weigh(self, one: Player, other: Player) -> int:
        """Prefer the first exchange (article 4.2), then the first transposition (article 4.1)."""
        first, second = self._places.get(one.number), self._places.get(other.number)
        if first is None or second is None:
            return 0
        last = len(self._places) - 1
        is_original = first < self._size
        # The fewest exchanges; the smallest difference of numbers; the lowest players of S1 and the highest
        # of S2; the highest opponent of each player of S1, the first one most important.
        weight = (is_original << 2 * self._width) - first
        weight = (weight << last + 2) - (is_original << first)
        weight = (weight << last + 2) + (not is_original << last - first)
        return (weight << self._width * (last + 1) + 1) - (second << self._width * (last - first))


def _make_graph(edges: Iterable[tuple[int, int, int]]) -> nx.Graph[int]:
    # Imported here, because importing it takes as long as the rest of the program.
    import networkx as nx

    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from(edges)
    return graph


def _match(graph: nx.Graph[int]) -> set[tuple[int, int]]:
    """Return the matching of maximum weight among those with most pairs."""
    import networkx as nx

    found: set[tuple[int, int]] = nx.max_weight_matching(graph, maxcardinality=True)
    return found


def _widen(reach: int, most: int) -> Iterator[int]:
    """Yield growing numbers of opponents to consider, up to all."""
    while reach < most:
        yield reach
        reach *= 4
    yield most


def _leave_out(players: Iterable[Player], pairs: Iterable[_Pair]) -> list[Player]:
    """Return the players that are not in ``pairs``."""
    paired = {player.number for pair in pairs for player in pair}
    return [player for player in players if player.number not in paired]


def _list_pairs(matching: Iterable[tuple[int, int]], players: Sequence[Player]) -> list[_Pair]:
    """Return the pairs of a matching that are among ``players``, who are sorted by rank."""
    partners = dict(matching) | {other: one for one, other in matching}
    by_number = {player.number: player for player in players}
    places = {player.number: place for place, player in enumerate(players)}
    return [
        (player, by_number[partner])
        for player in players
        if places.get(partner := partners.get(player.number, player.number), -1) > places[player.number]
    ]
