"""Programs under test that live in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import trio

from quoridor_net.check.catalogue import report_on
from quoridor_net.check.findings import CheckOutcome, CheckVerdict, Report
from quoridor_net.check.launching import LaunchError
from quoridor_net.check.pace import Pace
from quoridor_net.grading.run import GradeSettings
from quoridor_net.grading.subjects import Allowance, GoneError, Progress, Subject
from quoridor_net.players import Clock, Player
from quoridor_net.players.ladder import Rung
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Move, Position, Square, Step
from quoridor_net.rules.picture import BoardPicture

#: Players without search, so that no test waits for the engine.
SHORT_LADDER = (Rung("random", "random", -800, 0), Rung("simple", "simple", 387, 1))
SETTINGS = GradeSettings(ladder=SHORT_LADDER)

Choose = Callable[[Position], Awaitable[Move]]


class Scripted(Player[Position, Move]):
    """A player that calls a function for each move."""

    def __init__(self, choose: Choose) -> None:
        self.name = "ann:bot"
        self._choose = choose

    async def choose(self, position: Position, clock: Clock) -> Move:
        return await self._choose(position)


async def jump_across(position: Position) -> Move:
    """Return a move that is never legal here."""
    return Step(Square(0, 0))


async def think_forever(position: Position) -> Move:
    await trio.sleep_forever()
    raise AssertionError


class Program(Subject):
    """A program whose checks pass and whose players come from a function.

    Args:
        players: makes its player for game after game; raises GoneError when the program is gone.
        before_check: awaited before the checks.
        passed: whether its only check passes.
    """

    def __init__(
        self,
        players: Callable[[int], Player[Position, Move]] = lambda _: SimplePlayer(1),
        before_check: Callable[[], Awaitable[object]] = trio.lowlevel.checkpoint,
        *,
        verdict: CheckVerdict = CheckVerdict.PASSED,
    ) -> None:
        super().__init__("move server ann:5858", BoardPicture.LAN, Allowance())
        self._players = players
        self._before_check = before_check
        self._verdict = verdict
        self.games = 0
        self.is_open = False

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        self.is_open = True
        try:
            yield
        finally:
            self.is_open = False

    async def check(self, progress: Progress, stop: trio.CancelScope, pace: Pace) -> Report:
        report = report_on("lan_server", self.title)
        with stop:
            await self._before_check()
            report.outcomes.append(CheckOutcome("greeting", "HELLO and IAM", self._verdict, "no answer"))
            progress(report.outcomes[0])
        report.is_interrupted = stop.cancelled_caught
        return report

    async def player(self) -> Player[Position, Move]:
        await trio.lowlevel.checkpoint()
        self.games += 1
        return self._players(self.games)


def never_started(_game: int) -> Player[Position, Move]:
    raise GoneError("cannot be reached: Connection refused")


async def fail_to_start() -> None:
    raise LaunchError("cannot be started: No such file or directory")
