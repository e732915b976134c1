"""The FIDE (Dutch) System as an arbiter applies it: all candidates of a bracket, in order, by all criteria.

It takes far too long for more than about eight players.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from itertools import combinations, groupby, permutations

from attrs import frozen

from quoridor_net.tournament.formats.dutch.colours import allot
from quoridor_net.tournament.formats.dutch.player import Float, Player, Strength

Pair = tuple[Player, Player]


@frozen
class Arbiter:
    """Pairs a round.

    Attributes:
        players: by rank.
        apart: pairs of players, by number, that never meet.
    """

    players: tuple[Player, ...]
    apart: frozenset[frozenset[int]] = frozenset()

    def pair(self) -> tuple[set[tuple[int, int]], set[int]] | None:
        """Return the pairs, without colours, and the byes; None if the absolute criteria cannot be kept."""
        scores = sorted({player.score for player in self.players})
        bye_score = next((score for score in scores if self._can_complete(self.players, score)), None)
        if bye_score is None:
            return None
        groups = [tuple(group) for _, group in groupby(self.players, lambda player: player.score)]
        moved: tuple[Player, ...] = ()
        pairs: list[Pair] = []
        for place, residents in enumerate(groups):
            found, moved = self._pair_bracket(moved, residents, groups[place + 1 :], bye_score)
            pairs += found
        return {(one.number, other.number) for one, other in pairs}, {player.number for player in moved}

    def _may_meet(self, one: Player, other: Player) -> bool:
        """C1 and C3."""
        if other.number in one.met or frozenset((one.number, other.number)) in self.apart:
            return False
        if one.is_topscorer or other.is_topscorer or one.preference != other.preference:
            return True
        return not one.strength == other.strength == Strength.ABSOLUTE

    def _can_complete(self, players: Sequence[Player], bye_score: int) -> bool:
        """C4, with C2 and C5: one player with this score can have the bye, if their number is odd."""
        if len(players) % 2:
            return any(
                not player.byes
                and player.score == bye_score
                and self._can_be_paired(_without(players, player))
                for player in players
            )
        return self._can_be_paired(tuple(players))

    def _can_be_paired(self, players: tuple[Player, ...]) -> bool:
        if not players:
            return True
        first, *others = players
        return any(
            self._may_meet(first, other) and self._can_be_paired(_without(others, other)) for other in others
        )

    def _pair_bracket(
        self,
        moved: tuple[Player, ...],
        residents: tuple[Player, ...],
        below: Sequence[tuple[Player, ...]],
        bye_score: int,
    ) -> tuple[tuple[Pair, ...], tuple[Player, ...]]:
        """Return the first of the best candidates, and the players that it moves down."""

        @cache
        def look_ahead(floaters: tuple[Player, ...]) -> tuple[list[int], ...] | None:
            """Return how well C6 and C7 can be met in the following bracket; None if C4 cannot be met."""
            lower = tuple(player for group in below for player in group)
            if not self._can_complete((*floaters, *lower), bye_score):
                return None
            if not below:
                return ([],)
            levels = (
                [len(left), *sorted((player.score for player in left), reverse=True)]
                for _, left in _list_sets(floaters, below[0], self._may_meet)
                if self._can_complete((*left, *(each for group in below[1:] for each in group)), bye_score)
            )
            return (min(levels),)

        best = None
        for pairs in self._list_candidates(moved, residents):
            paired = {player.number for pair in pairs for player in pair}
            left = tuple(player for player in (*moved, *residents) if player.number not in paired)
            ahead = look_ahead(left)
            if ahead is None:
                continue
            gets_bye = len(left) == 1 and left[0].score == bye_score and not left[0].byes
            gets_bye = gets_bye and sum(map(len, below)) % 2 == 0
            value = (
                len(left),
                sorted((player.score for player in left), reverse=True),
                ahead,
                -left[0].played if gets_bye else 0,
                _judge_colours(pairs),
                _judge_floats(pairs, left, residents[0].score),
            )
            if best is None or value < best[0]:
                best = value, pairs, left
        assert best is not None
        return best[1], best[2]

    def _list_candidates(
        self, moved: tuple[Player, ...], residents: tuple[Player, ...]
    ) -> Iterator[tuple[Pair, ...]]:
        """Yield all pairings of a bracket without violations, in order (articles 3 and 4)."""
        for count in range(min(len(moved), len(residents)), -1, -1):
            for upper in combinations(moved, count):
                for lower in permutations(residents, count):
                    pairs = tuple(zip(upper, lower, strict=True))
                    if not all(self._may_meet(*pair) for pair in pairs):
                        continue
                    remainder = [player for player in residents if player not in lower]
                    for size in range(len(remainder) // 2, -1, -1):
                        for others in _list_remainders(remainder, size):
                            if all(self._may_meet(*pair) for pair in others):
                                yield (*pairs, *others)


def _without(players: Sequence[Player], player: Player) -> tuple[Player, ...]:
    return tuple(each for each in players if each is not player)


def _list_remainders(players: Sequence[Player], size: int) -> Iterator[tuple[Pair, ...]]:
    """Yield all pairings with ``size`` pairs of a homogeneous bracket: exchanges, then transpositions."""
    numbers = range(len(players))
    exchanges = [
        (down, up)
        for count in range(size + 1)
        for down in combinations(numbers[:size], count)
        for up in combinations(numbers[size:], count)
    ]
    exchanges.sort(
        key=lambda exchange: (
            len(exchange[0]),
            sum(exchange[1]) - sum(exchange[0]),
            [-number for number in reversed(exchange[0])],
            exchange[1],
        )
    )
    for down, up in exchanges:
        first = sorted({*numbers[:size], *up} - {*down})
        second = sorted({*numbers[size:], *down} - {*up})
        for transposed in permutations(second, size):
            # A pair whose lower rank is in S1 occurs before, with another exchange.
            if all(one < other for one, other in zip(first, transposed, strict=True)):
                yield tuple(
                    (players[one], players[other]) for one, other in zip(first, transposed, strict=True)
                )


def _list_sets(
    moved: Sequence[Player], residents: Sequence[Player], may_meet: Callable[[Player, Player], bool]
) -> Iterator[tuple[tuple[Pair, ...], tuple[Player, ...]]]:
    """Yield all pairings of a bracket in any order, with the players that are left."""
    if not residents:
        yield (), tuple(moved)
        return
    *others, last = residents
    for pairs, left in _list_sets(moved, others, may_meet):
        yield pairs, (*left, last)
    for place, one in enumerate((*moved, *others)):
        if may_meet(one, last):
            rest = [player for player in (*moved, *others) if player is not one]
            inside = len(moved) - (place < len(moved))
            for pairs, left in _list_sets(rest[:inside], rest[inside:], may_meet):
                yield (*pairs, (one, last)), left


def _judge_colours(pairs: Collection[Pair]) -> tuple[int, ...]:
    """C10 to C13, from the colours that the players get."""
    wide = third = unwanted = strong = 0
    for pair in pairs:
        for player, colour in zip(allot(*pair, 1), (1, -1), strict=True):
            wide += abs(player.difference + colour) > 2 and _has_topscorer(pair)
            third += player.colours[-2:] == (colour, colour) and _has_topscorer(pair)
            is_unwanted = player.preference == -colour
            unwanted += is_unwanted
            strong += is_unwanted and player.strength is Strength.STRONG
    return wide, third, unwanted, strong


def _has_topscorer(pair: Pair) -> bool:
    return any(player.is_topscorer for player in pair)


def _judge_floats(pairs: Collection[Pair], left: Collection[Player], score: int) -> list[object]:
    """C14 to C21; ``score`` is that of the residents."""
    numbers: list[object] = []
    differences: list[object] = []
    for back in range(2):
        # Half points; who floats down again counts as meeting one with a point less.
        down = [player.score - score + 2 for player in left if player.floats[back] is Float.DOWN]
        numbers.append(sum(difference == 2 for difference in down))
        moved = [pair for pair in pairs if pair[0].score > score]
        up = [one.score - score for one, other in moved if other.floats[back] is Float.UP]
        numbers.append(len(up))
        again = [one.score - score for one, _ in moved if one.floats[back] is Float.DOWN]
        differences.append(sorted([*again, *(each for each in down if each > 2)], reverse=True))
        differences.append(sorted(up, reverse=True))
    return [*numbers, *differences]
