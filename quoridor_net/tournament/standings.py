"""Who stands where, and who scored what against whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from attrs import define, frozen

from quoridor_net.outcome import Result
from quoridor_net.tournament.schedule import Pairing

#: A game that is over: who sat where, and how it ended.
GameResult = tuple[Pairing, Result]

WIN = 1.0
DRAW = 0.5
LOSS = 0.0


def points_of(pairing: Pairing, result: Result) -> tuple[float, ...]:
    """Return what a game counts for each of its players, by seat.

    1 for a win, ½ for a draw, 0 for a loss; 0 for all when the game is void or everybody is at fault.
    """
    if result.is_drawn:
        return (DRAW,) * len(pairing.seats)
    return tuple(WIN if seat == result.winner else LOSS for seat, _ in enumerate(pairing.seats, 1))


def _scores(pairing: Pairing, result: Result) -> Iterable[tuple[int, float]]:
    return zip(pairing.seats, points_of(pairing, result), strict=True)


@define
class Standing:
    """One line of the table.

    Attributes:
        entrant: its number, from 1.
        rank: its place, from 1; those that nothing separates share one.
        played: number of games that count.
        lost: games lost, those forfeited included.
        forfeited: games lost by a fault.
        sonneborn_berger: the opponents' points, each times what was scored against it. It values a win over a
            strong opponent more.
    """

    entrant: int
    name: str
    rank: int = 1
    points: float = 0.0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    forfeited: int = 0
    sonneborn_berger: float = 0.0

    @property
    def _order(self) -> tuple[float, float, int]:
        return (-self.points, -self.sonneborn_berger, -self.won)

    def count(self, points: float, *, is_forfeit: bool) -> None:
        """Add one game, in which this entrant got ``points``."""
        self.played += 1
        self.points += points
        self.won += points == WIN
        self.drawn += points == DRAW
        self.lost += points == LOSS
        self.forfeited += points == LOSS and is_forfeit


def standings(entrants: Sequence[str], results: Iterable[GameResult]) -> list[Standing]:
    """Return the table, best first: by points, then Sonneborn-Berger score, then number of wins.

    Args:
        entrants: the names, by number from 1.
        results: the games that were played; void ones do not count.
    """
    rows = [Standing(number, name) for number, name in enumerate(entrants, 1)]
    counted = [(pairing, result) for pairing, result in results if not result.is_void]
    for pairing, result in counted:
        for entrant, points in _scores(pairing, result):
            rows[entrant - 1].count(points, is_forfeit=result.termination.is_fault)
    for pairing, result in counted:
        for entrant, points in _scores(pairing, result):
            others = (other for other in pairing.seats if other != entrant)
            rows[entrant - 1].sonneborn_berger += points * sum(rows[other - 1].points for other in others)
    rows.sort(key=lambda row: row._order)
    for place, (above, row) in enumerate(pairwise(rows), 2):
        row.rank = above.rank if row._order == above._order else place
    return rows


@frozen
class Crosstable:
    """What everybody scored against everybody.

    Attributes:
        rows: the table, best first; the columns have the same order.
        cells: points of the first entrant of the key in its games against the second, in order of play.
    """

    rows: tuple[Standing, ...]
    cells: Mapping[tuple[int, int], tuple[float, ...]]

    def cell(self, entrant: int, opponent: int) -> tuple[float, ...]:
        """Return what ``entrant`` scored against ``opponent``, game by game."""
        return self.cells.get((entrant, opponent), ())


def crosstable(entrants: Sequence[str], results: Iterable[GameResult]) -> Crosstable:
    """Return the crosstable of the games that were played; void ones do not count."""
    counted = [(pairing, result) for pairing, result in results if not result.is_void]
    cells: dict[tuple[int, int], tuple[float, ...]] = {}
    for pairing, result in counted:
        for entrant, points in _scores(pairing, result):
            for opponent in pairing.seats:
                if opponent != entrant:
                    cells[entrant, opponent] = (*cells.get((entrant, opponent), ()), points)
    return Crosstable(tuple(standings(entrants, counted)), cells)
