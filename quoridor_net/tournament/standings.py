"""Who stands where, and who scored what against whom."""

from __future__ import annotations

import enum
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby, pairwise

from attrs import Factory, define, frozen

from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament.schedule import Pairing

#: A game that is over: who sat where, and how it ended.
GameResult = tuple[Pairing, Result]

WIN = 1.0
DRAW = 0.5
LOSS = 0.0
#: What a round without an opponent counts.
BYE = 1.0


class TieBreak(enum.Enum):
    """What separates entrants that have the same points."""

    BUCHHOLZ = "buchholz"
    SONNEBORN_BERGER = "sonneborn_berger"
    HEAD_TO_HEAD = "head_to_head"
    WINS = "wins"


#: The order of the tie-breaks where everybody meets everybody.
ROUND_ROBIN_TIE_BREAKS = (TieBreak.SONNEBORN_BERGER, TieBreak.HEAD_TO_HEAD, TieBreak.WINS)
#: The order of the tie-breaks where opponents differ, as in a Swiss.
SWISS_TIE_BREAKS = (TieBreak.BUCHHOLZ, *ROUND_ROBIN_TIE_BREAKS)


def points_of(pairing: Pairing, result: Result) -> tuple[float, ...]:
    """Return what a game counts for each of its players, by seat.

    1 for a win, ½ for a draw, 0 for a loss; 0 for all when the game is void or everybody is at fault.
    """
    if result.is_drawn:
        return (DRAW,) * len(pairing.seats)
    return tuple(WIN if seat == result.winner else LOSS for seat, _ in enumerate(pairing.seats, 1))


def _scores(pairing: Pairing, result: Result) -> Iterable[tuple[int, float]]:
    return zip(pairing.seats, points_of(pairing, result), strict=True)


@frozen
class EloDifference:
    """A difference in Elo points, and its interval of 95 % confidence.

    All are infinite where one side scored everything; so may be the ends of the interval.
    """

    value: float
    low: float
    high: float


@define
class Standing:
    """One line of the table.

    Attributes:
        entrant: its number, from 1.
        rank: its place, from 1; those that nothing separates share one.
        points: what it scored, byes included.
        played: number of games that count; byes are none.
        lost: games lost, those forfeited included.
        forfeited: games lost by a fault.
        byes: rounds without an opponent; each counts 1 point.
        has_left: whether it plays no more.
        is_counted: whether its games count. If not, only the crosstable has them, and the entrant comes last,
            without points.
        buchholz: the points of the opponents, of each as often as it was met.
        sonneborn_berger: the opponents' points, each times what was scored against it. It values a win over a
            strong opponent more.
        head_to_head: what was scored against those with which everything before this tie-break is equal: the
            mean points of a game against each of them, added up. 0 where not all of them have met.
        terminations: how many of its games ended in each way.
        faults: how many of its games it forfeited by each fault.
        moves: number of its moves in games with a result.
        average_time: seconds per move; None without moves, like ``longest_time``, that of its slowest one.
        elo: its strength; None where ratings were not asked for, like ``rated``, the games that bear on it.
        leaving: how many games it had ``played`` when it left, of how many ``games``; None if it did not.

    A bye counts for Buchholz and Sonneborn-Berger like a game won against an opponent that has the entrant's
    own points (FIDE Handbook C.07, *Tie-Break Regulations*, article 16, *dummy opponent*).
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
    byes: int = 0
    buchholz: float = 0.0
    head_to_head: float = 0.0
    terminations: Counter[Termination] = Factory(Counter)
    faults: Counter[Termination] = Factory(Counter)
    has_left: bool = False
    is_counted: bool = True
    moves: int = 0
    average_time: float | None = None
    longest_time: float | None = None
    elo: EloDifference | None = None
    rated: int | None = None
    leaving: dict[str, int] | None = None

    def value(self, tie_break: TieBreak) -> float:
        """Return what a tie-break compares; more is better."""
        match tie_break:
            case TieBreak.BUCHHOLZ:
                return self.buchholz
            case TieBreak.SONNEBORN_BERGER:
                return self.sonneborn_berger
            case TieBreak.HEAD_TO_HEAD:
                return self.head_to_head
            case TieBreak.WINS:
                return self.won

    def count(self, points: float, termination: Termination) -> None:
        """Add one game, in which this entrant got ``points``."""
        self.played += 1
        self.points += points
        self.won += points == WIN
        self.drawn += points == DRAW
        self.lost += points == LOSS
        self.terminations[termination] += 1
        if points == LOSS and termination.is_fault:
            self.forfeited += 1
            self.faults[termination] += 1

    def count_bye(self) -> None:
        """Add one round without an opponent."""
        self.byes += 1
        self.points += BYE


def standings(
    entrants: Sequence[str],
    results: Iterable[GameResult],
    byes: Iterable[int] = (),
    tie_breaks: Sequence[TieBreak] = ROUND_ROBIN_TIE_BREAKS,
    left: Mapping[int, bool] | None = None,
) -> list[Standing]:
    """Return the table, best first: by points, then by the tie-breaks in their order.

    Args:
        entrants: the names, by number from 1.
        results: the games that were played; void ones do not count. In a game of more than two everybody
            met everybody, and points are the winner's.
        byes: the entrants without an opponent, a number for each round in which it had none.
        tie_breaks: what separates entrants with equal points.
        left: the entrants that left, each with whether its games count, for it and for its opponents.
    """
    table = crosstable(entrants, results, byes, tie_breaks, left)
    return list(table.rows)


@frozen
class Crosstable:
    """What everybody scored against everybody.

    Attributes:
        rows: the table, best first; the columns have the same order.
        cells: points of the first entrant of the key in its games against the second, in order of play. In a
            game of more than two both may have lost.
        tie_breaks: what separates entrants with equal points, in this order.
    """

    rows: tuple[Standing, ...]
    cells: Mapping[tuple[int, int], tuple[float, ...]]
    tie_breaks: tuple[TieBreak, ...]

    def cell(self, entrant: int, opponent: int) -> tuple[float, ...]:
        """Return what ``entrant`` scored against ``opponent``, game by game."""
        return self.cells.get((entrant, opponent), ())


def crosstable(
    entrants: Sequence[str],
    results: Iterable[GameResult],
    byes: Iterable[int] = (),
    tie_breaks: Sequence[TieBreak] = ROUND_ROBIN_TIE_BREAKS,
    left: Mapping[int, bool] | None = None,
) -> Crosstable:
    """Return the crosstable of the games that were played; the arguments are those of ``standings``."""
    left = left or {}
    rows = [
        Standing(number, name, has_left=number in left, is_counted=left.get(number, True))
        for number, name in enumerate(entrants, 1)
    ]
    games: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    for pairing, result in results:
        if result.is_void:
            continue
        is_counted = all(rows[entrant - 1].is_counted for entrant in pairing.seats)
        for entrant, points in _scores(pairing, result):
            if is_counted:
                rows[entrant - 1].count(points, result.termination)
            for opponent in pairing.seats:
                if opponent != entrant:
                    games[entrant, opponent].append(points)
    for entrant in byes:
        rows[entrant - 1].count_bye()
    for (entrant, opponent), scored in games.items():
        if not (rows[entrant - 1].is_counted and rows[opponent - 1].is_counted):
            continue
        strength = rows[opponent - 1].points
        rows[entrant - 1].buchholz += strength * len(scored)
        rows[entrant - 1].sonneborn_berger += strength * sum(scored)
    for row in rows:
        row.buchholz += row.points * row.byes
        row.sonneborn_berger += row.points * BYE * row.byes
    cells = {key: tuple(scored) for key, scored in games.items()}
    return Crosstable(tuple(_ranked(rows, cells, tie_breaks)), cells, tuple(tie_breaks))


_Cells = Mapping[tuple[int, int], Sequence[float]]


def _ranked(rows: Sequence[Standing], cells: _Cells, tie_breaks: Sequence[TieBreak]) -> list[Standing]:
    """Return the rows in the order of their places, which they are given."""
    keys: dict[int, tuple[float, ...]] = {row.entrant: (not row.is_counted, -row.points) for row in rows}

    def key(row: Standing) -> tuple[float, ...]:
        return keys[row.entrant]

    for tie_break in tie_breaks:
        if tie_break is TieBreak.HEAD_TO_HEAD:
            for _, tied in groupby(sorted(rows, key=key), key):
                _meet([row for row in tied if row.is_counted], cells)
        for row in rows:
            keys[row.entrant] += (-row.value(tie_break),)
    ranked = sorted(rows, key=key)
    for place, (above, row) in enumerate(pairwise(ranked), 2):
        row.rank = above.rank if key(row) == key(above) else place
    return ranked


def _meet(tied: Collection[Standing], cells: _Cells) -> None:
    """Set the head-to-head score of entrants that are equal so far."""
    met = [[cells.get((row.entrant, other.entrant)) for other in tied if other is not row] for row in tied]
    if any(scored is None for row in met for scored in row):
        return
    for row, others in zip(tied, met, strict=True):
        # Means are not exact, and their sum must not depend on the order of the entrants.
        row.head_to_head = round(sum(sum(scored) / len(scored) for scored in others if scored), 9)


@define
class SeatScore:
    """What was scored from one seat, whoever sat there: the first move, or a better corner, in points.

    Attributes:
        seat: from 1; the first seat begins.
        played: games of the seat that count.
        points: points scored from it.
    """

    seat: int
    played: int = 0
    points: float = 0.0


def seat_scores(results: Iterable[GameResult]) -> list[SeatScore]:
    """Return the score of each seat; void games do not count."""
    scores: list[SeatScore] = []
    for pairing, result in results:
        if result.is_void:
            continue
        points = points_of(pairing, result)
        scores += [SeatScore(seat) for seat in range(len(scores) + 1, len(points) + 1)]
        for score, scored in zip(scores, points, strict=False):
            score.played += 1
            score.points += scored
    return scores
