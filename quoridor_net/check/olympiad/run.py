"""Runs all checks of a Clobber client."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable

from attrs import define, evolve

from quoridor_net.check.catalogue import report_on
from quoridor_net.check.checklist import Check, FaultError, UnavailableError, run_checks
from quoridor_net.check.dialogue import Dialogue
from quoridor_net.check.findings import Finding, Outcome, Report, Severity
from quoridor_net.check.launching import Launch, LaunchError
from quoridor_net.check.olympiad.game import RULES, ClobberGame
from quoridor_net.clobber import Move
from quoridor_net.output import ignore
from quoridor_net.protocols.common.transcript import Transcript

#: Moves of the client in a game that is not played to its end.
MOVES = 6


@define
class ClobberUnderTest:
    """A Clobber client.

    Attributes:
        launch: starts it.
        report: gets the findings.
        seconds: how long it may take to answer.
        transcript: where all lines are noted.
        connections: how often it has connected.
    """

    launch: Launch
    report: Report
    seconds: float
    transcript: Transcript | None = None
    connections: int = 0


Play = Callable[[ClobberGame], Awaitable[str]]


async def check_clobber(
    launch: Launch,
    subject: str = "the client",
    seconds: float = 10.0,
    progress: Callable[[Outcome], None] = ignore,
    only: str | None = None,
    transcript: Transcript | None = None,
) -> Report:
    """Check a client of the 2006 Clobber protocol.

    Args:
        launch: starts it, as often as needed.
        subject: what it is called.
        seconds: how long it may take to answer.
        progress: called with the outcome of every check.
        only: the code of the only finding that is looked for.
        transcript: where all lines are noted.
    """
    report = report_on("olympiad", subject)
    client = ClobberUnderTest(launch, report, seconds, transcript)
    games = ("games", "whole")
    checks = [
        Check("games", "its name, a game as black and one as white", _served(_games), (), ("CLB-1",)),
        Check("whole", "a game to its end, and the next", _served(_whole), ("games",), ("CLB-12", "CLB-13")),
        Check("split", "lines in two packets", _served(_games, "CLB-141", in_two=True), games, ("CLB-141",)),
        Check(
            "cr-lf",
            "lines that end with CR LF",
            _served(_games, "CLB-142", with_cr=True),
            games,
            ("CLB-142",),
        ),
    ]
    await run_checks(checks, client, report, progress, only)
    return report if only is None else report.only(only)


def _served(
    play: Play, code: str = "", *, in_two: bool = False, with_cr: bool = False
) -> Callable[[ClobberUnderTest], Awaitable[str]]:
    """Return the check that starts the client and plays; ``code`` is that of every fault, if there is one."""

    async def check(client: ClobberUnderTest) -> str:
        fault, remark = None, ""
        try:
            async with client.launch(1) as (stream,):
                client.connections += 1
                dialogue = Dialogue(
                    stream, transcript=client.transcript, number=client.connections, is_server=True
                )
                game = ClobberGame(dialogue, client.report, client.seconds, in_two, with_cr)
                try:
                    remark = await play(game)
                except FaultError as error:
                    fault = error
        except LaunchError as error:
            if client.connections:
                raise UnavailableError(f"the client {error}") from None
            missing = Finding(RULES["CLB-101"], "a connection", detail=f"The program: {error}.")
            raise FaultError(missing) from None
        if fault is None:
            return remark
        is_other = code and fault.finding.severity is Severity.MUST
        raise FaultError(evolve(fault.finding, rule=RULES[code])) if is_other else fault

    return check


async def _games(game: ClobberGame) -> str:
    """Play a few moves as white against the client, then as black; then the checker loses by a mistake."""
    await game.greet()
    for client_begins in (True, False, True):
        await game.begin(client_begins=client_begins)
        is_clients_turn = client_begins
        for _ in range(2 * MOVES):
            if is_clients_turn:
                await game.receive()
            else:
                await game.move(_reply(game))
            is_clients_turn = not is_clients_turn
        if is_clients_turn:
            await game.receive()
        await game.end()
    return f"it is called {game.name}"


async def _whole(game: ClobberGame) -> str:
    """Play to the end, twice."""
    await game.greet()
    choose = random.Random(1)
    for client_begins in (True, False):
        await game.begin(client_begins=client_begins)
        is_clients_turn = client_begins
        while not game.position.is_over:
            if is_clients_turn:
                await game.receive()
            else:
                await game.move(choose.choice(game.position.legal_moves))
            is_clients_turn = not is_clients_turn
    await game.begin(client_begins=True)
    await game.receive()
    return ""


def _reply(game: ClobberGame) -> Move:
    """Return the move that matters most to the client: onto the stone that it has just moved, if possible."""
    position = game.position
    last = position.history[-1].target if position.history else None
    moves = position.legal_moves
    return next((move for move in moves if move.target == last), moves[0])
