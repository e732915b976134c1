"""The interface of tournament formats, with their input and output."""

from __future__ import annotations

import abc
from collections.abc import Collection, Iterable, Mapping, Sequence

from attrs import field, frozen

from quoridor_net.tournament.requirements import RequirementPhrase
from quoridor_net.tournament.standings import ROUND_ROBIN_TIE_BREAKS, Bye, TieBreak


@frozen
class Meeting:
    """A game that was paired.

    Attributes:
        round: from 1.
        seats: the numbers of the entrants, by seat.
        points: the points of each entrant, by seat; None until the game is decided.
        pair: the number of its pair of games, which share an opening and swap colours; 0 for a single game.
        is_played: false for a game won because the opponent did not show up or had left.
    """

    round: int
    seats: tuple[int, ...]
    points: tuple[float, ...] | None = None
    pair: int = 0
    is_played: bool = True


@frozen
class Field:
    """Everything that the next round may depend on, until the next event.

    Attributes:
        entrants: number of entrants; they are numbered from 1.
        joined: the first round of each late entrant.
        withdrawn: the first round without each entrant that left.
        meetings: all games, by number.
        rounds: number of rounds paired.
        results: the game numbers in the order in which results arrived; None if that order is unknown. The
            list only grows, so that formats can count new results only.
        chosen: pairings of the next round that the organiser chose, by seat.
        away: the entrants of a league that do not answer.
        free: the entrants of a league that can start a game now, with the seconds that each has waited.
        fixed: the ratings of the reference entrants of a league, in Elo.
    """

    entrants: int
    joined: Mapping[int, int] = field(factory=dict)
    withdrawn: Mapping[int, int] = field(factory=dict)
    meetings: Sequence[Meeting] = ()
    byes: tuple[Bye, ...] = ()
    rounds: int = 0
    results: Sequence[int] | None = None
    chosen: tuple[tuple[int, int], ...] = ()
    away: Collection[int] = ()
    free: Mapping[int, float] = field(factory=dict)
    fixed: Mapping[int, float] = field(factory=dict)

    @property
    def present(self) -> list[int]:
        """The entrants that have not left and are not away, by number."""
        return [
            entrant
            for entrant in range(1, self.entrants + 1)
            if entrant not in self.withdrawn and entrant not in self.away
        ]


@frozen
class Round:
    """The games of one round.

    Attributes:
        games: the seats of each game.
        pairs: the pair of each game, see :class:`Meeting`.
        byes: the entrants without an opponent, once for each game that the others play.
        half_byes: the same, of those that asked for a bye with half a point.
    """

    games: tuple[tuple[int, ...], ...]
    pairs: tuple[int, ...]
    byes: tuple[int, ...] = ()
    half_byes: tuple[int, ...] = ()


class Format(abc.ABC):
    """A rule that decides who plays whom. The same field always gives the same round.

    Attributes:
        players: number of players in each game.
        needs_results: whether a round depends on all results of the round before it.
        depends_on_presence: whether a round depends on the entrants present when earlier games have started.
        watches_results: whether a result can lead to another round that nothing waits for.
        is_open_ended: whether games are paired for entrants that are free, until the tournament is stopped.
            An entrant that does not answer is away then, and loses no game.
        accepts_late: whether entrants can join after the start.
        accepts_chosen: whether the organiser can choose pairings of the next round.
        awards_unplayed: whether the opponents of an entrant that left win the games already paired.
        is_round_robin: whether all opponents are fixed, so that FIDE's rule for leaving a round robin applies
            (FIDE Tournament Rules, Handbook C.06, article V.4). If an entrant leaves before half of its games
            are played, none of its games count. If it leaves later, its opponents win the remaining games.
        tie_breaks: the criteria that rank entrants with equal points, in order.
    """

    players: int = 2
    needs_results: bool = False
    depends_on_presence: bool = False
    watches_results: bool = False
    is_open_ended: bool = False
    accepts_late: bool = False
    accepts_chosen: bool = False
    awards_unplayed: bool = False
    is_round_robin: bool = False
    tie_breaks: tuple[TieBreak, ...] = ROUND_ROBIN_TIE_BREAKS

    @abc.abstractmethod
    def next_round(self, field: Field) -> Round | None:
        """Return the next round; None when all are paired."""

    def count_unpaired(self, field: Field) -> int | None:
        """Return the expected number of games still to be paired; None if that is unknown.

        It is 0 for formats that pair all rounds at the start.
        """
        return 0

    def list_resting(self, number: int) -> tuple[int, ...]:
        """Return the entrants that asked for a bye in round ``number``."""
        return ()

    def list_apart(self) -> Collection[frozenset[int]]:
        """Return the pairs of entrants that never meet, unless the organiser chooses so."""
        return ()

    def check_chosen(self, number: int, pairs: Iterable[tuple[int, int]], names: Sequence[str]) -> None:
        """Refuse pairings that the organiser chose for round ``number``.

        Raises:
            ValueError: an entrant asked for a bye in that round; ``names`` has the names of all entrants.
        """
        resting = self.list_resting(number)
        for entrant in (entrant for pair in pairs for entrant in pair):
            if entrant in resting:
                raise ValueError(f"{names[entrant - 1]} asked for a bye in round {number}")

    def half_byes_of_late(self, field: Field) -> tuple[int, ...]:
        """Return the rounds that give half a point to an entrant that joins now, once for each game."""
        return ()

    def places(self, field: Field) -> Mapping[int, int] | None:
        """Return the places of the entrants that are out; None if points decide."""
        return None

    def check(self, names: Sequence[str]) -> None:
        """Refuse entrants, given by name, that this format cannot pair.

        Raises:
            ValueError: it cannot pair them; the message says why.
        """
        if len(names) < 2:
            raise ValueError(RequirementPhrase.TWO(entrants=len(names)))
