"""The absolute criteria, and whether a pairing that keeps them can be completed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations, groupby, islice

from quoridor_net.tournament.formats.dutch.colours import clash
from quoridor_net.tournament.formats.dutch.matching import make_graph, match, widen
from quoridor_net.tournament.formats.dutch.player import Player

#: Number of opponents, nearest in rank, among which a pairing of the players that are left is sought first,
#: and of those considered at all if another way is open.
NEAREST = 8
MANY = 100

#: The opponent of a player with a bye; further byes have lower numbers.
BYE = -1


class Constraints:
    """The criteria C1 to C5, which the pairing of a whole round has to keep.

    If no pairing keeps them, any two players may meet that need not be kept apart.

    Attributes:
        radix: that of the weights; no criterion, summed over all pairs, reaches half of it.
        is_strict: whether C1 to C3 are kept.
        byes: number of players without an opponent.
        candidates: the players, by number, that can have a bye.
    """

    def __init__(self, ranked: Sequence[Player], apart: Collection[frozenset[int]]) -> None:
        self._ranked = ranked
        self._apart = apart
        numbers = ((each.score, each.byes, each.played, *each.met.values()) for each in ranked)
        largest = max(map(max, numbers), default=0)
        self.radix = 4 * len(ranked) * (largest + 2)
        self.is_strict = True
        self.byes = len(ranked) % 2
        self.candidates: frozenset[int] = frozenset()
        self._choose_candidates()

    def _choose_candidates(self) -> None:
        """Find the lowest score with a player that can have the bye (C2, C5), or give up strictness."""
        eligible = [player for player in reversed(self._ranked) if not player.byes]
        groups = [list(group) for _, group in groupby(eligible, lambda player: player.score)]
        for group in groups if self.byes else [[]]:
            self.candidates = frozenset(player.number for player in group)
            if self.can_complete(self._ranked, most=len(self._ranked)):
                return
        self.is_strict = False
        self.candidates = frozenset(player.number for player in self._ranked)
        graph = make_graph(
            (one.number, other.number, 1)
            for one, other in combinations(self._ranked, 2)
            if self.may_meet(one, other)
        )
        self.byes = len(self._ranked) - 2 * len(match(graph))

    def may_meet(self, one: Player, other: Player) -> bool:
        """Return whether two players may be paired."""
        if self._apart and frozenset((one.number, other.number)) in self._apart:
            return False
        return not self.is_strict or not (other.number in one.met or clash(one, other))

    def can_complete(
        self, players: Sequence[Player], floaters: int = 0, residents: int = 0, *, most: int = MANY
    ) -> bool:
        """Return whether all players can be paired, except one with the bye.

        Args:
            players: by rank.
            floaters: how many of them, the first ones, come from brackets above.
            residents: how many, the next ones, belong to the following bracket. As many pairs as possible
                must then be made there, with all floaters (C8).
            most: how many opponents of each player are considered. If they are not all, the answer can be
                false although a pairing exists.
        """
        if floaters > residents:
            return False
        last = floaters + residents
        for reach in widen(NEAREST, min(most, len(players))):
            edges: list[tuple[int, int, int]] = []
            for place, one in enumerate(players):
                choice = range(floaters, last) if place < floaters else range(place + 1, len(players))
                others = (other for other in choice if self.may_meet(one, players[other]))
                edges += (
                    (one.number, players[other].number, 2 if other < last else 1)
                    for other in islice(others, reach)
                )
            edges += ((player.number, BYE, 1) for player in players if player.number in self.candidates)
            graph = make_graph(edges)
            found = match(graph)
            inside = sum(graph[one][other]["weight"] for one, other in found) - len(found)
            if 2 * len(found) == len(players) + self.byes and inside == last // 2:
                return True
        return False


def count_violations(one: Player, other: Player | None) -> tuple[int, ...]:
    """Return how a pair, or a bye without ``other``, breaks C2, C1, C3 and C5, as negative numbers."""
    if other is None:
        return -one.byes, 0, 0, -one.score
    return 0, -one.met.get(other.number, 0), -clash(one, other), 0
