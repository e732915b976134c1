"""A grade: everything that was found out about a program, in one object that all outputs show."""

from __future__ import annotations

import enum
from collections import Counter

from attrs import define, field, frozen

from quoridor_net.check.findings import CheckVerdict, Report, Severity
from quoridor_net.events import MoveTimes
from quoridor_net.grading.placement import Placement, place
from quoridor_net.moves import STANDARD_SIZE, Move
from quoridor_net.notation import Notation
from quoridor_net.outcome import Result, Termination
from quoridor_net.players.ladder import Rung
from quoridor_net.rules import Ply, Position
from quoridor_net.rules.picture import BoardPicture


class Ending(enum.StrEnum):
    """Why the placement ended. JSON contains the values."""

    #: The level is known to half a level each way.
    KNOWN = "known"
    #: The maximum number of games was played.
    GAMES = "games"
    #: The time for games was up.
    TIME = "time"
    #: The program lost all of its first games by faults.
    FAULTS = "faults"
    #: The program could not be reached or started for another game.
    GONE = "gone"
    #: The grading was interrupted.
    INTERRUPTED = "interrupted"
    #: The program could not be reached or started at all.
    UNAVAILABLE = "unavailable"

    @property
    def is_partial(self) -> bool:
        """Whether the grade lacks something that another run may add."""
        return self in {Ending.GONE, Ending.INTERRUPTED, Ending.UNAVAILABLE}


@frozen
class GradedGame:
    """One game of the program against the ladder.

    Attributes:
        number: from 1.
        opponent: the reference player.
        seat: player number of the program; player 1 moves first.
        result: the result.
        plies: the moves, those of the opening included.
        opening: number of plies of the opening.
        fault: the program's fault as a clause without a subject; empty without one.
    """

    number: int
    opponent: Rung
    seat: int
    result: Result
    plies: tuple[Ply, ...] = ()
    opening: int = 0
    fault: str = ""

    @property
    def points(self) -> float:
        """1 for a win, ½ for a draw, 0 for a loss."""
        if self.result.winner is None:
            return 0.5 if self.result.is_drawn else 0.0
        return 1.0 if self.result.winner == self.seat else 0.0

    @property
    def is_lost_by_fault(self) -> bool:
        """Whether the program lost by a fault, not on the board. Resigning is not a fault."""
        termination = self.result.termination
        return not self.points and termination.is_fault and termination is not Termination.RESIGNED


@frozen
class Mistake:
    """A position in which the program lost much of its winning chance.

    Attributes:
        game: the game.
        ply: number of the ply, from 1.
        position: the position before it.
        played: the move of the program.
        better: the move that the engine prefers.
        chance: winning chance with the better move, 0 to 1.
        loss: winning chance that the played move lost, 0 to 1.
    """

    game: GradedGame
    ply: int
    position: Position
    played: Move
    better: Move
    chance: float
    loss: float


@define
class Grade:
    """The grade of one program.

    Attributes:
        subject: kind and address of the program.
        picture: the picture of boards for its author, with the notation of moves.
        seed: the seed of the grading.
        ladder: the reference players.
        ending: why the placement ended.
        name: the name that the program gave; empty before its first game.
        detail: how the program was gone or not available, as a clause without a subject; may be empty.
        report: the report of the checker; None if no check could run.
        games: the games, by number.
        times: the times of its moves in these games.
        mistakes: the positions where it lost most, the largest loss first.
        remarks: clauses about its failures and quirks, without a subject.
    """

    subject: str
    picture: BoardPicture
    seed: int
    ladder: tuple[Rung, ...]
    ending: Ending = Ending.INTERRUPTED
    name: str = ""
    detail: str = ""
    report: Report | None = None
    games: list[GradedGame] = field(factory=list)
    times: MoveTimes = field(factory=MoveTimes)
    mistakes: list[Mistake] = field(factory=list)
    remarks: list[str] = field(factory=list)

    @property
    def notation(self) -> Notation:
        """The notation of moves for its author."""
        return self.picture.notation(STANDARD_SIZE)

    @property
    def is_partial(self) -> bool:
        """Whether something is missing that another run may add."""
        return self.ending.is_partial

    @property
    def placement(self) -> Placement | None:
        """The place on the ladder; None without games."""
        if not self.games:
            return None
        return place(((game.opponent, game.points) for game in self.games), self.ladder)

    @property
    def faults(self) -> list[GradedGame]:
        """The games that it lost by faults."""
        return [game for game in self.games if game.is_lost_by_fault]

    @property
    def checks(self) -> Counter[CheckVerdict]:
        """The number of checks with each verdict."""
        return Counter(outcome.verdict for outcome in (self.report.outcomes if self.report else ()))

    @property
    def checks_counted(self) -> int:
        """The number of checks without those left out because the program is slow."""
        outcomes = self.report.outcomes if self.report else ()
        return sum(not outcome.is_late for outcome in outcomes)

    @property
    def severities(self) -> Counter[Severity]:
        """The number of findings of each severity."""
        return Counter(finding.severity for finding in (self.report.findings if self.report else ()))

    def scores(self) -> list[tuple[Rung, int, int, int]]:
        """Return games won, drawn and lost against each opponent, the weakest first."""
        rows = []
        for rung in self.ladder:
            points = [game.points for game in self.games if game.opponent == rung]
            if points:
                rows.append((rung, points.count(1.0), points.count(0.5), points.count(0.0)))
        return rows
