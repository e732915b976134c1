"""The order of candidates that meet the criteria equally well (article 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from quoridor_net.tournament.formats.dutch.player import Player


class Order(Protocol):
    """The order of the candidates (article 4): the first one has the highest sum of weights.

    Attributes:
        bits: more than the sum of all weights of a candidate has.
    """

    bits: int

    def weigh(self, one: Player, other: Player) -> int:
        """Return the weight of a pair; ``one`` has the higher rank."""


class MovedOrder:
    """The order of the pairings of players that were moved down with residents."""

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


class RemainderOrder:
    """The order of the candidates of a homogeneous bracket or of a remainder.

    The higher rank of each pair is in S1, others are in S2. Without exchanges, the first ``size`` are in S1.
    """

    def __init__(self, residents: Sequence[Player], size: int) -> None:
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
