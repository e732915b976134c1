"""Runs all checks of a Clobber client."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable

import trio
from attrs import define, evolve, field

from quoridor_net.check.catalogue import report_on
from quoridor_net.check.checklist import Check, FaultError, UnavailableError, run_checks
from quoridor_net.check.dialogue import Dialogue
from quoridor_net.check.findings import CheckOutcome, Finding, Report, Severity
from quoridor_net.check.launching import Launch, LaunchError, linger
from quoridor_net.check.olympiad.clobber_game import RULES, ClobberGame
from quoridor_net.check.pace import Pace
from quoridor_net.clobber import ClobberSquare, Move
from quoridor_net.output import ignore
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.text import visible

#: Moves of the client in a game that is not played to its end.
MOVES = 6
#: The same for a slow client.
FEW_MOVES = 2

#: About how many moves a client makes in all checks.
USUAL_MOVES = 170

#: Columns and rows of boards that are smaller than that of the tournament, and of one that is larger.
SMALL = (6, 4)
LARGE = 12


@define
class ClobberUnderTest:
    """A Clobber client.

    Attributes:
        launch: starts it.
        report: gets the findings.
        seconds: how long it may take to answer.
        transcript: where all lines are noted.
        pace: how long its moves take.
        connections: how often it has connected.
    """

    launch: Launch
    report: Report
    seconds: float
    transcript: Transcript | None = None
    pace: Pace = field(factory=Pace)
    connections: int = 0


Play = Callable[[ClobberGame], Awaitable[str]]


async def check_clobber(
    launch: Launch,
    subject: str = "the client",
    seconds: float = 10.0,
    progress: Callable[[CheckOutcome], None] = ignore,
    only: str | None = None,
    transcript: Transcript | None = None,
    stop: trio.CancelScope | None = None,
    pace: Pace | None = None,
) -> Report:
    """Check a client of the 2006 Clobber protocol.

    Args:
        launch: starts it, as often as needed.
        subject: what it is called.
        seconds: how long it may take to answer.
        progress: called with the outcome of every check.
        only: the code of the only finding that is looked for.
        transcript: where all lines are noted.
        stop: cancelled to end early; the report has what was found until then.
        pace: how long its answers may take, all together.
    """
    report = report_on("olympiad", subject)
    pace = Pace() if pace is None else pace
    client = ClobberUnderTest(launch, report, seconds, transcript, pace)
    games = ("games", "whole")
    split, cr_lf = _served(_games, "CLB-141", in_two=True), _served(_games, "CLB-142", with_cr=True)
    checks = [
        Check("games", "its name, a game as black and one as white", _served(_games), (), ("CLB-1",), 9),
        Check(
            "whole", "a game to its end, and the next", _served(_whole), ("games",), ("CLB-12", "CLB-13"), 80
        ),
        Check("split", "lines in two packets", split, games, ("CLB-141",), 9),
        Check("cr-lf", "lines that end with CR LF", cr_lf, games, ("CLB-142",), 9),
        Check("sizes", "boards of other sizes", _served(_sizes, "CLB-143"), games, ("CLB-143",), 20),
        Check(
            "shapes",
            "a board of seven columns and five rows",
            _served(_shapes, "CLB-144"),
            (*games, "sizes"),
            ("CLB-144",),
            3,
        ),
    ]
    await run_checks(checks, client, report, progress, only, stop, pace)
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
                game = ClobberGame(dialogue, client.report, client.seconds, client.pace, in_two, with_cr)
                try:
                    remark = await play(game)
                except FaultError as error:
                    fault = error
                    await linger(fault.finding)
        except LaunchError as error:
            if client.connections:
                raise UnavailableError(f"the client {error}") from None
            missing = Finding(RULES["CLB-101"], "a connection", detail=f"The program: {error}.")
            raise FaultError(missing) from None
        if fault is None:
            return remark
        # Introducing itself again is the same whatever is tried.
        is_other = code and fault.finding.severity is Severity.MUST and fault.finding.code != "CLB-131"
        raise FaultError(evolve(fault.finding, rule=RULES[code])) if is_other else fault

    return check


async def _games(game: ClobberGame) -> str:
    """Play a few moves as white against the client, then as black; then the checker loses by a mistake."""
    await game.greet()
    for client_begins in (True, False, True):
        await game.begin(client_begins=client_begins)
        moves = FEW_MOVES if game.pace.is_too_slow(USUAL_MOVES) else MOVES
        await _play_on(game, 2 * moves, is_clients_turn=client_begins)
    return f"it is called {visible(game.name)}"


async def _play_on(game: ClobberGame, moves: int, *, is_clients_turn: bool) -> None:
    """Make some moves and end the game after one of the client."""
    for _ in range(moves):
        if is_clients_turn:
            await game.receive()
        else:
            await game.move(_reply(game))
        is_clients_turn = not is_clients_turn
    if is_clients_turn:
        await game.receive()
    await game.end()


async def _sizes(game: ClobberGame) -> str:
    """Play on smaller boards to the end, and begin in the last column of a larger one."""
    await game.greet()
    for size in SMALL:
        await game.begin(client_begins=True, columns=size, rows=size)
        await _to_the_end(game, is_clients_turn=True)
    await game.begin(client_begins=False, columns=LARGE, rows=LARGE)
    await game.move(Move(ClobberSquare(LARGE - 1, LARGE - 1), ClobberSquare(LARGE - 2, LARGE - 1)))
    await _play_on(game, 4, is_clients_turn=True)
    return f"{', '.join(map(str, (*SMALL, LARGE)))} squares a side"


async def _shapes(game: ClobberGame) -> str:
    """Begin in a column that there is not if the first number is that of the rows."""
    await game.greet()
    await game.begin(client_begins=False, columns=7, rows=5)
    await game.move(Move(ClobberSquare(6, 0), ClobberSquare(5, 0)))
    await _play_on(game, 4, is_clients_turn=True)
    return ""


async def _whole(game: ClobberGame) -> str:
    """Play to the end, twice."""
    await game.greet()
    for client_begins in (True, False):
        await game.begin(client_begins=client_begins)
        await _to_the_end(game, is_clients_turn=client_begins)
    await game.begin(client_begins=True)
    await game.receive()
    return ""


async def _to_the_end(game: ClobberGame, *, is_clients_turn: bool) -> None:
    choose = random.Random(1)
    while not game.position.is_over:
        if is_clients_turn:
            await game.receive()
        else:
            await game.move(choose.choice(game.position.legal_moves))
        is_clients_turn = not is_clients_turn


def _reply(game: ClobberGame) -> Move:
    """Return the move that matters most to the client: onto the stone that it has just moved, if possible."""
    position = game.position
    last = position.history[-1].target if position.history else None
    moves = position.legal_moves
    return next((move for move in moves if move.target == last), moves[0])
