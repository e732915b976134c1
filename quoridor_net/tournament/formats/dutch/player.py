"""A player as the pairing sees it: points, colours, opponents and floats."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from functools import cached_property

from attrs import field, frozen


class Float(enum.Enum):
    """A game against an opponent with another score; points without a game are DOWN (article 1.4)."""

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
    """All about a player that the pairing of a round depends on.

    Attributes:
        number: the pairing number (article 1.1).
        score: points in any unit, as a whole number.
        colours: the colours of its games, oldest first: 1 for the first move, -1 for the second.
        met: how often it has met each other player, by number.
        byes: number of rounds that it won without playing.
        played: number of rounds with a game.
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

    @cached_property
    def width(self) -> int:
        """The colour difference that decides between equal preferences; 0 if they are not absolute."""
        return abs(self.difference) if self.strength is Strength.ABSOLUTE else 0


#: Two players, the higher rank first.
Pair = tuple[Player, Player]


def leave_out(players: Iterable[Player], pairs: Iterable[Pair]) -> list[Player]:
    """Return the players that are not in ``pairs``."""
    paired = {player.number for pair in pairs for player in pair}
    return [player for player in players if player.number not in paired]
