"""Simulated leagues on a virtual clock: invented results, absences and faults of this machine."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence

import trio
from trio.testing import MockClock

from quoridor_net.match import GameEnded, GameStarted, Listener
from quoridor_net.outcome import Result, Termination
from quoridor_net.rules import Position
from quoridor_net.tournament import Event, Pairing, Tournament, TournamentStarted, TournamentState
from quoridor_net.tournament.errors import AbsenceError, ShortageError
from quoridor_net.tournament.formats import League
from quoridor_net.tournament.lobby import Lobby, QuietHours
from quoridor_net.tournament.ratings import expected_score
from quoridor_net.verdicts import VerdictPhrase

HOUR = 3600.0
ABSENT = VerdictPhrase.NOT_CONNECTED(seconds=30)


class SimulatedLeague:
    """A league of entrants with true strengths.

    Args:
        strengths: of the entrants, in Elo; references hold theirs.
        references: the numbers of the reference entrants.
        capacities: games at once; 1 unless given.
        concurrency: maximum number of games at once.
        rate: maximum number of games per hour.
        quiet: hours without games.
        seed: of results and durations.
        longest: maximum duration of a game, in seconds; the minimum is a tenth of it.
    """

    def __init__(
        self,
        strengths: Sequence[float],
        *,
        references: Sequence[int] = (),
        capacities: Mapping[int, int] | None = None,
        concurrency: int | None = None,
        rate: float | None = None,
        quiet: QuietHours | None = None,
        seed: int = 0,
        longest: float = 300.0,
        games: int = 2,
    ) -> None:
        self.strengths = list(strengths)
        self._fixed = {entrant: strengths[entrant - 1] for entrant in references}
        self._capacities = {**(capacities or {}), **dict.fromkeys(references, 1000)}
        self._concurrency = concurrency
        self._rate, self._quiet = rate, quiet
        self._seed, self._longest = seed, longest
        self.form = League(games)
        self.state = TournamentState()
        self.events: list[tuple[float, Event]] = []
        #: The entrants that do not answer, and the times at which they were tried.
        self.absent: set[int] = set()
        self.calls: list[tuple[float, int]] = []
        #: The entrants that lose every game by a fault, and those that resign every game.
        self.faulty: set[int] = set()
        self.resigning: set[int] = set()
        #: What this machine lacks for every game, and whether every game comes out void.
        self.lack = ""
        self.is_void = False
        self.tournament: Tournament | None = None

    async def answers(self, entrant: int) -> bool:
        """Try an entrant that is away."""
        self.calls.append((trio.current_time(), entrant))
        return entrant not in self.absent

    async def run(self, seconds: float, *meanwhile: Callable[[SimulatedLeague], Awaitable[object]]) -> None:
        """Play for this time; tasks may interfere. A league that was played before is resumed."""
        lobby = Lobby(self.answers, lambda: self._fixed, self._rate, self._quiet, now=self._now)
        names = tuple(f"e{number}" for number, _ in enumerate(self.strengths, 1))
        self.tournament = Tournament(
            TournamentStarted("hex", names),
            self.form,
            self._play,
            [lambda event: self.events.append((trio.current_time(), event))],
            state=self.state,
            concurrency=self._concurrency,
            capacities=self._capacities,
            lobby=lobby,
            missing=dict.fromkeys(self.absent, ABSENT),
        )
        with trio.move_on_after(seconds):
            async with trio.open_nursery() as nursery:
                for task in meanwhile:
                    nursery.start_soon(task, self)
                await self.tournament.run()

    def simulate(self, seconds: float, *meanwhile: Callable[[SimulatedLeague], Awaitable[object]]) -> None:
        """Play on a virtual clock of its own."""
        trio.run(self.run, seconds, *meanwhile, clock=MockClock(autojump_threshold=0))

    def _now(self) -> dt.datetime:
        return dt.datetime(2026, 3, 2, tzinfo=dt.UTC) + dt.timedelta(seconds=trio.current_time())

    async def _play(self, pairing: Pairing, listener: Listener) -> Result:
        missing = [entrant for entrant in pairing.seats if entrant in self.absent]
        if missing:
            await trio.sleep(1)
            raise AbsenceError(dict.fromkeys(missing, ABSENT))
        chance = random.Random(f"{self._seed} {pairing.number}")
        names = tuple(self.state.entrants[entrant - 1] for entrant in pairing.seats)
        listener(GameStarted(names, Position(), 30.0, 1000))
        if self.lack:
            raise ShortageError(self.lack)
        if self.is_void:
            result = Result(None, Termination.ABORTED, "It does not count.", 0)
            listener(GameEnded(result, names, Position()))
            return result
        for losers, termination in (
            (self.faulty, Termination.UNPARSABLE_MOVE),
            (self.resigning, Termination.RESIGNED),
        ):
            loser = next((seat for seat, each in enumerate(pairing.seats, 1) if each in losers), None)
            if loser is not None:
                await trio.sleep(1)
                result = Result(3 - loser, termination, "It is over.", loser - 1)
                listener(GameEnded(result, names, Position()))
                return result
        await trio.sleep(self._longest * chance.uniform(0.1, 1))
        first, second = (self.strengths[entrant - 1] for entrant in pairing.seats)
        winner = 1 if chance.random() < expected_score(first - second) else 2
        result = Result(winner, Termination.GOAL, "It is over.", 10)
        listener(GameEnded(result, names, Position()))
        return result
