"""Grades a program: first the checker, then games against the ladder, then an analysis of lost games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

import trio
from attrs import field, frozen

from quoridor_net.check.findings import CheckOutcome, CheckVerdict
from quoridor_net.check.launching import LaunchError
from quoridor_net.check.pace import CHECK_TIME, Pace
from quoridor_net.events import GameEnded, Listener, PlayerOut
from quoridor_net.grading.grade import Ending, Grade, GradedGame
from quoridor_net.grading.mistakes import find_mistakes
from quoridor_net.grading.placement import PROGRAM, PlacementMatch
from quoridor_net.grading.subjects import GoneError, Subject
from quoridor_net.match import MatchSettings
from quoridor_net.outcome import Result, Termination
from quoridor_net.output import ignore
from quoridor_net.players.ladder import LADDER, Rung
from quoridor_net.players.source import make_player, warm_up
from quoridor_net.players.spec import parse_spec
from quoridor_net.rules import Position
from quoridor_net.tournament import (
    Event,
    GameEvent,
    Pairing,
    Tournament,
    TournamentStarted,
    TournamentState,
    unique_names,
)
from quoridor_net.tournament.quoridor.openings import Opening, parse_openings, read_balanced_openings
from quoridor_net.tournament.quoridor.plan import RULES
from quoridor_net.tournament.quoridor.roster import play_game
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.verdicts import VerdictPhrase, reason_of

#: The placement ends if the program loses this many first games, all by faults.
GIVE_UP = 6

#: Default time limit for the games, in seconds, and default maximum number of games.
GAME_TIME = 600.0
GAMES = 80

#: Number of plies after which a game is drawn; games between sound programs take about a hundred.
PLY_LIMIT = 300

#: Time limit for the analysis of lost games, in seconds.
ANALYSIS_TIME = 120.0


@lru_cache(maxsize=1)
def _read_balanced() -> tuple[Opening, ...]:
    return tuple(opening for _, opening in parse_openings(read_balanced_openings(), Position()))


@frozen
class GradeSettings:
    """The settings of a grading, the same for all programs of a class.

    Attributes:
        seed: of openings and reference players.
        games: maximum number of games.
        seconds: time limit for the games, in seconds.
        check_time: time limit for all answers to the checker together, in seconds.
        ladder: the reference players, weakest first.
        openings: the openings of the games; each is played twice, with both colours.
    """

    seed: int = 1
    games: int = GAMES
    seconds: float = GAME_TIME
    check_time: float = CHECK_TIME
    ladder: tuple[Rung, ...] = LADDER
    openings: tuple[Opening, ...] = field(factory=_read_balanced)


async def grade_program(
    subject: Subject,
    settings: GradeSettings | None = None,
    report: Callable[[str], None] = ignore,
    stop: trio.CancelScope | None = None,
) -> Grade:
    """Grade a program. Whatever it does, the result is a grade.

    With the same seed, a program whose moves depend on the position alone gets the same grade, unless the
    time is up.

    Args:
        subject: the program.
        settings: seed, limits and ladder.
        report: gets a line for each step.
        stop: cancelled to end early, with the grade so far.
    """
    return await _Grading(subject, settings or GradeSettings(), report, stop or trio.CancelScope()).run()


class _Grading:
    """One grading."""

    def __init__(
        self, subject: Subject, settings: GradeSettings, report: Callable[[str], None], stop: trio.CancelScope
    ) -> None:
        self._subject = subject
        self._settings = settings
        self._report = report
        self._stop = stop
        self._is_stopped = False
        # The scope of the current phase, which an interruption cancels.
        self._phase = trio.CancelScope()
        self._grade = Grade(subject.title, subject.picture, settings.seed, settings.ladder)
        self._terms = GameTerms(
            move_time=subject.allowance.move_time,
            ply_limit=PLY_LIMIT,
            openings=settings.openings,
            seed=settings.seed,
        )
        self._match = PlacementMatch(settings.games, settings.ladder)
        self._tournament: Tournament | None = None
        # The program's fault in each game that has one.
        self._faults: dict[int, str] = {}

    async def run(self) -> Grade:
        """Run all phases that an interruption leaves."""
        grade = self._grade
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._watch)
            async with self._subject.open():
                await self._check()
                if grade.report is None or not grade.report.is_checked:
                    grade.ending = Ending.UNAVAILABLE
                else:
                    await self._prepare()
                    await self._place()
                    await self._analyse()
            nursery.cancel_scope.cancel()
        if self._is_stopped:
            grade.ending = Ending.INTERRUPTED
        grade.remarks += self._subject.remarks
        return grade

    async def _watch(self) -> None:
        """Cancel the current phase when ``stop`` is cancelled."""
        with self._stop:
            await trio.sleep_forever()
        self._is_stopped = True
        self._phase.cancel()

    @contextmanager
    def _limit_time(self, seconds: float) -> Iterator[trio.CancelScope]:
        """Limit a phase to ``seconds``, and let an interruption cancel it."""
        with trio.move_on_after(seconds) as self._phase:
            if self._is_stopped:
                self._phase.cancel()
            yield self._phase

    async def _check(self) -> None:
        """Run the checker."""
        self._report("Checking.")
        self._phase = trio.CancelScope()
        if self._is_stopped:
            self._phase.cancel()
        pace = Pace(self._settings.check_time)
        try:
            self._grade.report = await self._subject.check(self._tell_outcome, self._phase, pace)
        except LaunchError as error:
            self._grade.detail = str(error)
            return
        if not self._grade.report.is_checked and self._grade.report.outcomes:
            self._grade.detail = self._grade.report.outcomes[0].remark

    def _tell_outcome(self, outcome: CheckOutcome) -> None:
        if outcome.verdict is CheckVerdict.SKIPPED and not outcome.codes:
            return
        codes = "".join(f" {code}" for code in outcome.codes)
        self._report(f"{outcome.title}: {outcome.verdict}{codes}")

    async def _prepare(self) -> None:
        """Load the engine before any clock runs."""
        with self._limit_time(float("inf")):
            specs = [parse_spec(rung.spec) for rung in self._settings.ladder]
            await warm_up(specs, self._report)

    async def _place(self) -> None:
        """Play games until the level is known or a limit is reached."""
        grade, state = self._grade, TournamentState()
        names = unique_names(["program", *(rung.name for rung in self._settings.ladder)])
        tournament = self._tournament = Tournament(
            TournamentStarted(RULES, names), self._match, self._play, [self._hear], state=state
        )
        with self._limit_time(self._settings.seconds) as scope:
            await tournament.run()
        is_late = scope.cancelled_caught
        grade.times = state.times.get(PROGRAM, grade.times)
        placement = grade.placement
        if grade.detail or tournament.undecided:
            grade.ending = Ending.GONE
            why = "; ".join(dict.fromkeys(tournament.undecided.values()))
            grade.detail = grade.detail or f"could not finish a game: {why.rstrip('.')}"
        elif self._gives_up:
            grade.ending = Ending.FAULTS
        elif is_late:
            grade.ending = Ending.TIME
        else:
            is_known = placement is not None and placement.is_known
            grade.ending = Ending.KNOWN if is_known else Ending.GAMES

    async def _play(self, pairing: Pairing, listener: Listener) -> Result:
        """Play one game; see :data:`quoridor_net.tournament.Play`."""
        terms, players = self._terms, []
        try:
            for seat, entrant in enumerate(pairing.seats, 1):
                if entrant == PROGRAM:
                    player = program = await self._subject.player()
                    self._grade.name = self._subject.name_of(program)
                else:
                    rung = self._match.opponent(entrant)
                    player = make_player(rung.spec, terms.seed_of(pairing, seat))
                players.append(player)
        except (GoneError, OSError) as error:
            self._grade.detail = reason_of(error) if isinstance(error, OSError) else str(error)
            assert self._tournament is not None
            self._tournament.stop()
            return Result(None, Termination.ABORTED, VerdictPhrase.VOID(reason=self._grade.detail), 0)
        settings = MatchSettings(
            terms.position(pairing), terms.move_time, terms.ply_limit, notation=self._grade.notation
        )
        result = await play_game(players, settings, [listener])
        # An engine tells its name when it has been started.
        self._grade.name = self._subject.name_of(program)
        return result

    @property
    def _gives_up(self) -> bool:
        """Whether the program has lost all games by faults, and enough of them."""
        games = self._grade.games
        return len(games) >= GIVE_UP and len(self._grade.faults) == len(games)

    def _hear(self, happened: Event) -> None:
        """Keep the games, and stop after too many faults."""
        match happened:
            case GameEvent(game, PlayerOut() as out):
                assert self._tournament is not None
                if self._tournament.state.pairing(game).seats[out.player - 1] == PROGRAM:
                    line = f" {out.fault.line!r}" if out.fault.line else ""
                    self._faults[game] = f"{out.fault.sentence}{line and ':'}{line}"
            case GameEvent(game, GameEnded() as ended) if not ended.result.is_void:
                self._keep(game, ended)

    def _keep(self, number: int, ended: GameEnded[Position]) -> None:
        """Add a finished game."""
        assert self._tournament is not None
        pairing = self._tournament.state.pairing(number)
        seat = pairing.seats.index(PROGRAM) + 1
        opponent = self._match.opponent(pairing.seats[2 - seat])
        opening = len(self._terms.opening(pairing))
        fault = self._faults.get(number, "")
        plies = tuple(ended.position.history)
        game = GradedGame(number, opponent, seat, ended.result, plies, opening, fault)
        self._grade.games.append(game)
        placement = self._grade.placement
        assert placement is not None
        outcome = {1.0: "won", 0.5: "drawn", 0.0: "lost"}[game.points]
        cause = f" by a fault ({ended.result.termination})" if game.is_lost_by_fault else ""
        self._report(
            f"game {number} against {opponent.name}: {outcome}{cause}; level {placement.level:.1f}"
            f" ({placement.low:.1f} to {placement.high:.1f})"
        )
        if self._gives_up:
            self._tournament.stop()

    async def _analyse(self) -> None:
        """Find the largest mistakes."""
        if self._grade.games:
            self._report("Analysing lost games.")
            with self._limit_time(ANALYSIS_TIME):
                await find_mistakes(self._grade.games, self._terms.start(), self._grade.mistakes)
