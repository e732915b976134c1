"""The pairing of a bracket (article 3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import islice, product

from quoridor_net.tournament.formats.dutch.colours import judge_colours
from quoridor_net.tournament.formats.dutch.constraints import BYE, MANY, Constraints, count_violations
from quoridor_net.tournament.formats.dutch.matching import make_graph, match, widen
from quoridor_net.tournament.formats.dutch.order import MovedOrder, Order, RemainderOrder
from quoridor_net.tournament.formats.dutch.player import Float, Pair, Player, leave_out

#: Of more than ``MANY`` players, only those are considered at first whose places differ by about as much as
#: those of the opponents that article 3 tries first.
NEAR = 16


class Bracket:
    """A bracket: players moved down, residents, and the score groups below (article 1.3)."""

    def __init__(
        self,
        constraints: Constraints,
        moved: Sequence[Player],
        residents: Sequence[Player],
        below: Sequence[Sequence[Player]],
    ) -> None:
        self._constraints = constraints
        self._moved = moved
        self._residents = residents
        self._following = below[0] if below else ()
        self._rest = [player for group in below[1:] for player in group]
        self._moved_scores = sorted({player.score for player in moved}, reverse=True)
        self._scores = [*self._moved_scores, residents[0].score]
        # Players of the bracket that can have the bye. Then no lower one can, by C5.
        self._has_candidates = any(each.number in constraints.candidates for each in (*moved, *residents))

    def pair(self) -> list[Pair]:
        """Return the pairs of the bracket, the higher rank first (article 3)."""
        free = [*self._moved, *self._residents]
        pairs = self._pair_by_rank()
        if self._is_perfect(pairs, leave_out(free, pairs)):
            return pairs
        pairs = []
        size = len(free) // 2
        if self._moved:
            found = self._pair_best(free, MovedOrder(self._moved, self._residents), size - len(self._moved))
            pairs = [pair for pair in found if self._is_moved(pair[0])]
            size = len(found) - len(pairs)
            free = leave_out(free, pairs)
        remainder = [player for player in free if not self._is_moved(player)]
        found = self._pair_best(free, RemainderOrder(remainder, size), size)
        if len(found) < size:
            # S1 is smaller than the number of players suggests.
            size = len(found)
            found = self._pair_best(free, RemainderOrder(remainder, size), size)
        return pairs + found

    def _pair_by_rank(self) -> list[Pair]:
        """Return the first candidate (article 3.3)."""
        remainder = self._residents[len(self._moved) :]
        half = len(remainder) // 2
        upper, lower = remainder[:half], remainder[half:]
        return [*zip(self._moved, self._residents, strict=False), *zip(upper, lower, strict=False)]

    def _is_perfect(self, pairs: Iterable[Pair], left: Sequence[Player]) -> bool:
        """Return whether no candidate can be better (article 3.4)."""
        if not self._constraints.is_strict or len(left) > 1 or any(self._is_moved(each) for each in left):
            return False
        if any(Float.DOWN in each.floats for each in left):
            return False
        if any(not self._constraints.may_meet(*pair) or min(self._judge(*pair)) < 0 for pair in pairs):
            return False
        if not self._has_candidates:
            return self._is_final(left)
        # The bye goes to one with the most games (C9).
        candidates = [each for each in self._residents if each.number in self._constraints.candidates]
        most = max((each.played for each in candidates), default=0)
        return not self._following and any(each in candidates and each.played == most for each in left)

    def _is_moved(self, player: Player) -> bool:
        return player.score > self._residents[0].score

    def _pair_best(self, free: Sequence[Player], order: Order, size: int) -> list[Pair]:
        """Return the first of the best pairings of the players that are still free.

        ``size`` is the number of places between opponents if nothing opposes it.
        """
        residents = free[sum(map(self._is_moved, free)) :]
        if not any(
            self._constraints.may_meet(*pair) for pair in product(free, residents) if pair[0] is not pair[1]
        ):
            return []
        # Usually those that play lower do not matter.
        if self._constraints.is_strict and not self._has_candidates:
            matching = self._solve(free, order, size)
            found = _list_pairs(matching, free)
            if self._is_final(leave_out(free, found)):
                return found
            # Usually those that play still lower do not matter.
            near = [*free, *self._following]
            matching = self._solve(near, order, size, len(self._following), is_largest=False)
            left = leave_out(near, _list_pairs(matching, near))
            if self._constraints.can_complete([*left, *self._rest]):
                return _list_pairs(matching, free)
        players = [*free, *self._following, *self._rest]
        below = len(players) - len(free)
        if self._has_candidates and self._constraints.byes == 1:
            # Criterion C9 applies only if one player is left, who has the bye.
            matching = self._solve(players, order, size, below, 1, has_c9=True)
            found = _list_pairs(matching, free)
            left = leave_out(free, found)
            if len(left) == 1 and {(left[0].number, BYE), (BYE, left[0].number)} & matching:
                return found
        return _list_pairs(self._solve(players, order, size, below, self._constraints.byes), free)

    def _is_final(self, floaters: Sequence[Player]) -> bool:
        """Return whether floaters leave those that play lower nothing to be desired (C4, C5, C8)."""
        below = [*floaters, *self._following, *self._rest]
        return self._constraints.can_complete(below, len(floaters), len(self._following))

    def _solve(
        self,
        players: Sequence[Player],
        order: Order,
        size: int,
        below: int = 0,
        byes: int = 0,
        *,
        has_c9: bool = False,
        is_largest: bool = True,
    ) -> set[tuple[int, int]]:
        """Return the best pairs and byes, by number.

        Args:
            players: those of the bracket that are still free, then those that play lower.
            order: the order of equally good candidates.
            size: number of places between opponents if nothing opposes it.
            below: number of players that play lower.
            byes: number of byes.
            has_c9: whether criterion C9 applies.
            is_largest: whether as many players as possible are paired, even if less well.
        """
        free = players[: len(players) - below]
        for reach in widen(NEAR if len(players) > MANY else len(players), len(players)):
            edges = self._weigh_bracket(free, order, size, reach)
            if below or byes:
                edges += self._weigh_below(players, len(free), order, reach, byes, has_c9=has_c9)
            matching = match(make_graph(edges), is_largest=is_largest)
            if len(matching) == (len(players) + byes) // 2:
                break
        return matching

    def _weigh_bracket(
        self, free: Sequence[Player], order: Order, size: int, reach: int
    ) -> list[tuple[int, int, int]]:
        """Return the weights of the pairs in the bracket, whose places differ by about ``size``."""
        moved = sum(map(self._is_moved, free))
        edges = []
        for place, one in enumerate(free):
            is_moved = place < moved
            nearest = moved if is_moved else max(place + 1, place + size - reach)
            farthest = len(free) if is_moved else place + size + reach + 1
            for other in free[nearest:farthest]:
                if self._constraints.may_meet(one, other):
                    quality = self._judge(one, other)
                    weight = self._weigh(one, other, pairs=1, quality=quality) << order.bits
                    edges.append((one.number, other.number, weight + order.weigh(one, other)))
        return edges

    def _weigh_below(
        self, players: Sequence[Player], free: int, order: Order, reach: int, byes: int, *, has_c9: bool
    ) -> list[tuple[int, int, int]]:
        """Return the weights of byes and of pairs with players below the bracket.

        The first ``free`` of ``players`` belong to the bracket.
        """
        edges = []
        for place, one in enumerate(players):
            below = range(max(place + 1, free), len(players))
            others = (other for other in below if self._constraints.may_meet(one, players[other]))
            for other in islice(others, reach):
                is_next = other < free + len(self._following)
                c8 = [is_next, *(is_next and one.score == score for score in self._scores)]
                weight = self._weigh(one, players[other], c8=c8) << order.bits
                edges.append((one.number, players[other].number, weight))
            if byes and one.number in self._constraints.candidates:
                weight = self._weigh(one, None, c9=one.played * (has_c9 and place < free)) << order.bits
                edges += ((one.number, BYE - bye, weight) for bye in range(byes))
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
            *count_violations(one, other),
            pairs,
            *c7,
            *(c8 or [0] * (1 + len(self._scores))),
            c9,
            *(quality or [0] * (8 + 4 * len(self._moved_scores))),
        ]
        return reduce(lambda weight, digit: weight * self._constraints.radix + digit, digits, 0)

    def _judge(self, one: Player, other: Player) -> list[int]:
        """Return how well a pair meets the criteria C10 to C21; higher numbers are better."""
        is_moved = self._is_moved(one)
        numbers: list[int] = []
        differences: list[int] = []
        for back in range(2):
            # Paired players do not float down again.
            floats = one.floats[back], other.floats[back]
            residents = floats[1:] if is_moved else floats
            is_again_up = is_moved and floats[1] is Float.UP
            numbers += [residents.count(Float.DOWN), -is_again_up]
            levels = [one.score == score for score in self._moved_scores]
            differences += [is_level and floats[0] is Float.DOWN for is_level in levels]
            differences += [-(is_level and is_again_up) for is_level in levels]
        return [*judge_colours(one, other), *numbers, *differences]


def _list_pairs(matching: Iterable[tuple[int, int]], players: Sequence[Player]) -> list[Pair]:
    """Return the pairs of a matching that are among ``players``, who are sorted by rank."""
    partners = dict(matching) | {other: one for one, other in matching}
    by_number = {player.number: player for player in players}
    places = {player.number: place for place, player in enumerate(players)}
    return [
        (player, by_number[partner])
        for player in players
        if places.get(partner := partners.get(player.number, player.number), -1) > places[player.number]
    ]
