"""Standings and crosstable: points, tie-breaks, and the score of each entrant against each other one."""

from __future__ import annotations

import enum
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby, pairwise

from attrs import Factory, define, frozen

from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament.schedule import Pairing

#: A finished game: the pairing and the result.
GameResult = tuple[Pairing, Result]

WIN = 1.0
DRAW = 0.5
LOSS = 0.0
#: Points for a game without an opponent.
BYE = 1.0


@frozen
class Bye:
    """A game without an opponent: scored as a win or, on request, as half a point.

    A round has as many of them as it has games of each pairing, all alike.
    """

    round: int
    entrant: int
    points: float = BYE


class TieBreak(enum.Enum):
    """A criterion that ranks entrants with equal points."""

    BUCHHOLZ = "buchholz"
    SONNEBORN_BERGER = "sonneborn_berger"
    HEAD_TO_HEAD = "head_to_head"
    WINS = "wins"


#: The order of the tie-breaks if all entrants meet each other.
ROUND_ROBIN_TIE_BREAKS = (TieBreak.SONNEBORN_BERGER, TieBreak.HEAD_TO_HEAD, TieBreak.WINS)
#: The order of the tie-breaks if opponents differ, as in a Swiss.
SWISS_TIE_BREAKS = (TieBreak.BUCHHOLZ, *ROUND_ROBIN_TIE_BREAKS)


def points_of(pairing: Pairing, result: Result) -> tuple[float, ...]:
    """Return the points of each player of a game, by seat.

    1 for a win, ½ for a draw, 0 for a loss; 0 for all if the game is void or all are at fault.
    """
    if result.is_drawn:
        return (DRAW,) * len(pairing.seats)
    return tuple(WIN if seat == result.winner else LOSS for seat, _ in enumerate(pairing.seats, 1))


def _scores(pairing: Pairing, result: Result) -> Iterable[tuple[int, float]]:
    return zip(pairing.seats, points_of(pairing, result), strict=True)


@frozen
class EloDifference:
    """A difference in Elo, and its 95 % confidence interval.

    The value is infinite if one side scored everything; the ends of the interval can be infinite too.
    """

    value: float
    low: float
    high: float

    @property
    def halved(self) -> EloDifference:
        """The distance of the first side from the mean of both."""
        return EloDifference(self.value / 2, self.low / 2, self.high / 2)

    @property
    def reversed(self) -> EloDifference:
        """The same difference from the other side."""
        return EloDifference(-self.value, -self.high, -self.low)


@define
class PartialScore:
    """The points scored in some games, and their number."""

    points: float = 0.0
    played: int = 0

    def count(self, points: float) -> None:
        """Add a game."""
        self.points += points
        self.played += 1


@frozen
class OpeningScore:
    """The score of an opening.

    Attributes:
        opening: its moves in standard notation.
        played: number of games that count.
        first: points of the players who moved first.
    """

    opening: str
    played: int
    first: float


@define
class Standing:
    """One row of the table.

    Attributes:
        entrant: its number, from 1.
        rank: its place, from 1; entrants that no tie-break separates share one.
        points: its score, byes included.
        played: number of games that count, without byes.
        lost: games lost, including forfeits.
        forfeited: games lost by a fault.
        byes: rounds without an opponent; each scores 1 point for each game of a pairing.
        half_byes: rounds with a bye on request, or missed by a late entrant; each scores ½ point for each
            game of a pairing.
        has_left: whether it has left.
        is_counted: whether its games count. If not, they appear only in the crosstable, and the entrant comes
            last, without points.
        buchholz: the sum of the opponents' points, once for each game.
        sonneborn_berger: the same sum, each term times the score in that game. It rewards wins over strong
            opponents.
        head_to_head: the sum of the mean scores per game against each entrant that is equal in everything
            before this tie-break; 0 unless all of these have met.
        terminations: number of its games that ended in each way.
        faults: number of its games forfeited by each fault.
        as_first: its score with the first move.
        as_later: its score without the first move.
        pairs: numbers of its pairs of games with 0, ½, 1, 1½ and 2 points; None without pairs.
        moves: number of its moves in games with a result.
        average_time: seconds per move; None without moves.
        longest_time: seconds of its slowest move; None without moves.
        elo: its strength; None if ratings were not requested.
        rated: number of games that bear on ``elo``; None if ratings were not requested.
        superiority: the likelihood that it is stronger than the next entrant by ``elo``; None for the last
            one, or if ratings were not requested.
        leaving: its ``games`` when it left, how many it had ``played``, and the first ``round`` without it;
            None if it has not left.

    For Buchholz and Sonneborn-Berger, a bye counts as a game against an opponent with the same points (FIDE
    Handbook C.07, *Tie-Break Regulations*, article 16, *dummy opponent*).
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
    half_byes: int = 0
    buchholz: float = 0.0
    head_to_head: float = 0.0
    terminations: Counter[Termination] = Factory(Counter)
    faults: Counter[Termination] = Factory(Counter)
    has_left: bool = False
    is_counted: bool = True
    as_first: PartialScore = Factory(PartialScore)
    as_later: PartialScore = Factory(PartialScore)
    pairs: tuple[int, ...] | None = None
    moves: int = 0
    average_time: float | None = None
    longest_time: float | None = None
    elo: EloDifference | None = None
    rated: int | None = None
    superiority: float | None = None
    leaving: dict[str, int] | None = None

    def value(self, tie_break: TieBreak) -> float:
        """Return the value of a tie-break; higher is better."""
        match tie_break:
            case TieBreak.BUCHHOLZ:
                return self.buchholz
            case TieBreak.SONNEBORN_BERGER:
                return self.sonneborn_berger
            case TieBreak.HEAD_TO_HEAD:
                return self.head_to_head
            case TieBreak.WINS:
                return self.won

    def count(self, points: float, termination: Termination, seat: int) -> None:
        """Add a game of this entrant, with its points and its seat."""
        (self.as_first if seat == 1 else self.as_later).count(points)
        self.played += 1
        self.points += points
        self.won += points == WIN
        self.drawn += points == DRAW
        self.lost += points == LOSS
        self.terminations[termination] += 1
        if points == LOSS and termination.is_fault:
            self.forfeited += 1
            self.faults[termination] += 1


def score_openings(
    results: Iterable[GameResult], opening_of: Callable[[Pairing], str]
) -> tuple[OpeningScore, ...]:
    """Return the score of each opening, in the order of their first games; void games do not count."""
    found: dict[str, PartialScore] = {}
    for pairing, result in results:
        if not result.is_void:
            found.setdefault(opening_of(pairing), PartialScore()).count(points_of(pairing, result)[0])
    return tuple(OpeningScore(opening, score.played, score.points) for opening, score in found.items())


def standings(
    entrants: Sequence[str],
    results: Iterable[GameResult],
    byes: Iterable[Bye] = (),
    tie_breaks: Sequence[TieBreak] = ROUND_ROBIN_TIE_BREAKS,
    left: Mapping[int, bool] | None = None,
) -> list[Standing]:
    """Return the table, best first: by points, then by the tie-breaks in their order.

    Args:
        entrants: the names, by number from 1.
        results: the finished games; void ones do not count. In a game of more than two, all meet each other,
            and only the winner scores.
        byes: the games without an opponent.
        tie_breaks: the criteria that rank entrants with equal points.
        left: for each entrant that left, whether its games count, for it and for its opponents.
    """
    table = crosstable(entrants, results, byes, tie_breaks, left)
    return list(table.rows)


@frozen
class Crosstable:
    """The score of each entrant against each other one.

    Attributes:
        rows: the table, best first; the columns have the same order.
        cells: points of the first entrant of the key in its games against the second, in order of play. Both
            may have lost a game of more than two.
        tie_breaks: the criteria that rank entrants with equal points, in order.
    """

    rows: tuple[Standing, ...]
    cells: Mapping[tuple[int, int], tuple[float, ...]]
    tie_breaks: tuple[TieBreak, ...]

    def cell(self, entrant: int, opponent: int) -> tuple[float, ...]:
        """Return the points of ``entrant`` against ``opponent``, game by game."""
        return self.cells.get((entrant, opponent), ())


def crosstable(
    entrants: Sequence[str],
    results: Iterable[GameResult],
    byes: Iterable[Bye] = (),
    tie_breaks: Sequence[TieBreak] = ROUND_ROBIN_TIE_BREAKS,
    left: Mapping[int, bool] | None = None,
) -> Crosstable:
    """Return the crosstable of the finished games; the arguments are the same as for ``standings``."""
    left, byes = left or {}, tuple(byes)
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
                rows[entrant - 1].count(points, result.termination, pairing.seats.index(entrant) + 1)
            for opponent in pairing.seats:
                if opponent != entrant:
                    games[entrant, opponent].append(points)
    for bye in byes:
        rows[bye.entrant - 1].points += bye.points
    # The games of a round are alike.
    for bye in set(byes):
        rows[bye.entrant - 1].byes += bye.points == BYE
        rows[bye.entrant - 1].half_byes += bye.points != BYE
    for (entrant, opponent), scored in games.items():
        if not (rows[entrant - 1].is_counted and rows[opponent - 1].is_counted):
            continue
        strength = rows[opponent - 1].points
        rows[entrant - 1].buchholz += strength * len(scored)
        rows[entrant - 1].sonneborn_berger += strength * sum(scored)
    for bye in byes:
        row = rows[bye.entrant - 1]
        row.buchholz += row.points
        row.sonneborn_berger += row.points * bye.points
    cells = {key: tuple(scored) for key, scored in games.items()}
    return Crosstable(tuple(_rank(rows, cells, tie_breaks)), cells, tuple(tie_breaks))


_Cells = Mapping[tuple[int, int], Sequence[float]]


def _rank(rows: Sequence[Standing], cells: _Cells, tie_breaks: Sequence[TieBreak]) -> list[Standing]:
    """Set the ranks of the rows, and return these in order."""
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
    """Set the head-to-head scores of tied entrants."""
    met = [[cells.get((row.entrant, other.entrant)) for other in tied if other is not row] for row in tied]
    if any(scored is None for row in met for scored in row):
        return
    for row, others in zip(tied, met, strict=True):
        # Rounded, because the sum of inexact means must not depend on the order of the entrants.
        row.head_to_head = round(sum(sum(scored) / len(scored) for scored in others if scored), 9)


@define
class SeatScore:
    """The score of a seat over all entrants, which shows the value of the first move or of a corner.

    Attributes:
        seat: its number, from 1; the first seat moves first.
        played: number of games that count.
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
