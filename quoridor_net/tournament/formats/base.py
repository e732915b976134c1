"""What all formats of tournaments share: what they look at, and what they answer."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence

from attrs import field, frozen

from quoridor_net.tournament.requirements import RequirementPhrase
from quoridor_net.tournament.standings import ROUND_ROBIN_TIE_BREAKS, TieBreak


@frozen
class Meeting:
    """A game that was paired.

    Attributes:
        round: from 1.
        seats: the numbers of the entrants, by seat.
        points: what each scored, by seat; None until the game is decided.
        pair: games of one pair share an opening and have their colours swapped; 0 for a game of its own.
        is_played: false for a game that was won since the opponent did not come to it, or had left.
    """

    round: int
    seats: tuple[int, ...]
    points: tuple[float, ...] | None = None
    pair: int = 0
    is_played: bool = True


@frozen
class Bye:
    """An entrant had no opponent in a round, and scored as for a win."""

    round: int
    entrant: int


@frozen
class Field:
    """Everything that the next round may depend on, until the next event.

    Attributes:
        entrants: how many entered; their numbers are 1 to that.
        joined: the first round of each entrant that came late.
        withdrawn: the first round without each entrant that left.
        meetings: all games, by number.
        rounds: how many rounds were paired.
        results: the number of a game for each time that a result came in, in that order; None where only the
            meetings tell. The list grows with ``meetings``, so that what was counted need not be again.
    """

    entrants: int
    joined: Mapping[int, int] = field(factory=dict)
    withdrawn: Mapping[int, int] = field(factory=dict)
    meetings: Sequence[Meeting] = ()
    byes: tuple[Bye, ...] = ()
    rounds: int = 0
    results: Sequence[int] | None = None

    @property
    def present(self) -> list[int]:
        """The entrants that have not left, by number."""
        return [entrant for entrant in range(1, self.entrants + 1) if entrant not in self.withdrawn]


@frozen
class Round:
    """The games of one round.

    Attributes:
        games: the seats of each.
        pairs: the pair of each, see :class:`Meeting`.
        byes: the entrants without an opponent.
    """

    games: tuple[tuple[int, ...], ...]
    pairs: tuple[int, ...]
    byes: tuple[int, ...] = ()


class Format(abc.ABC):
    """Who plays whom. The same field always gets the same answer.

    Attributes:
        players: how many play in each game.
        needs_results: whether a round depends on the results of the one before.
        depends_on_presence: whether a round depends on who is there when the games before it have begun.
        watches_results: whether a result can call for another round, though none waits for it.
        accepts_late: whether entrants can join after the beginning.
        awards_unplayed: whether the opponent of one that left wins the games that were paired.
        is_round_robin: whether the opponents of everybody are fixed, so that FIDE's rule for those that leave
            a round robin holds (FIDE Tournament Rules, Handbook C.06, article V.4). The games of an entrant
            that leaves with fewer than half of its games played count for nobody. When one leaves later, its
            opponents win the games that are left.
        tie_breaks: what separates entrants with the same points, in this order.
    """

    players: int = 2
    needs_results: bool = False
    depends_on_presence: bool = False
    watches_results: bool = False
    accepts_late: bool = False
    awards_unplayed: bool = False
    is_round_robin: bool = False
    tie_breaks: tuple[TieBreak, ...] = ROUND_ROBIN_TIE_BREAKS

    @abc.abstractmethod
    def next_round(self, field: Field) -> Round | None:
        """Return the next round; None when all are paired."""

    def unpaired(self, field: Field) -> int | None:
        """Return how many games are still to be paired, as far as is foreseen; None where nobody knows.

        It is 0 where all rounds are paired at the beginning.
        """
        return 0

    def places(self, field: Field) -> Mapping[int, int] | None:
        """Return the places of the entrants that are out; None where points decide the places."""
        return None

    def check(self, entrants: int) -> None:
        """Refuse a number of entrants with which this format cannot be played.

        Raises:
            ValueError: the message says what is needed.
        """
        if entrants < 2:
            raise ValueError(RequirementPhrase.TWO(entrants=entrants))
