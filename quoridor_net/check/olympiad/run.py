"""Runs all checks of a Clobber client."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable

import trio
from attrs import define, evolve, field

from quoridor_net.check.catalogue import report_on
from quoridor_net.check.checklist import Check, FaultError, SkipError, run_checks
from quoridor_net.check.dialogue import Dialogue
from quoridor_net.check.findings import CheckOutcome, Finding, Report, Severity
from quoridor_net.check.launching import Launch, LaunchError, linger
from quoridor_net.check.olympiad.clobber_game import RULES, ClobberGame
from quoridor_net.check.pace import Pace
from quoridor_net.clobber import ClobberSquare, Move
from quoridor_net.output import ignore
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.text import visible

#: Number of moves of the client in an unfinished game.
MOVES = 6
#: The same for a slow client.
FEW_MOVES = 2

#: Approximate number of moves that a client makes in all checks.
USUAL_MOVES = 170

#: Side lengths of boards that are smaller and larger than that of the tournament, in squares.
SMALL = (6, 4)
LARGE = 12


@define
class ClobberUnderTest:
    """A Clobber client.

    Attributes:
        launch: starts the client.
        report: receives the findings.
        seconds: time limit for each answer, in seconds.
        transcript: log of all lines.
        pace: time spent on its moves.
        connections: number of connections so far.
    """

    launch: Launch
    report: Report
    seconds: float
    transcript: Transcript | None = None
    pace: Pace = field(factory=Pace)
    connections: int = 0


Play = Callable[[ClobberGame], Awaitable[str]]
Run = Callable[[ClobberUnderTest], Awaitable[str]]


async def check_clobber(
    launch: Launch,
    subject: str = "the client",
    seconds: float = 10.0,
    progress: Callable[[CheckOutcome], None] = ignore,
    only: str | None = None,
    transcript: Transcript | None = None,
    stop: trio.CancelScope | None = None,
    pace: Pace | None = None,
    after_first: Callable[[Report], None] = ignore,
) -> Report:
    """Check a client of the 2006 Clobber protocol.

    Args:
        launch: starts the client, once for every check.
        subject: name of the client in the report.
        seconds: time limit for each answer, in seconds.
        progress: called with the outcome of every check.
        only: the only code to look for; None for all.
        transcript: log of all lines.
        stop: cancelled to end early, with the findings so far.
        pace: time limit for all answers together.
        after_first: called with the report so far after the fast first pass.
    """
    report = report_on("olympiad", subject)
    pace = Pace() if pace is None else pace
    client = ClobberUnderTest(launch, report, seconds, transcript, pace)
    games = _serve(_play_games)
    sizes = _serve(_play_sizes, "CLB-143", games)
    split = _serve(_play_games, "CLB-141", games, in_two=True)
    cr_lf = _serve(_play_games, "CLB-142", games, with_cr=True)
    checks = [
        Check("games", "its name, and games as black and as white", games, ("CLB-1",), 9, is_first=True),
        Check("whole", "whole games, and the next one", _serve(_play_whole), ("CLB-12", "CLB-13"), 80),
        Check("split", "lines split over two packets", split, ("CLB-141",), 9),
        Check("cr-lf", "lines that end with CR LF", cr_lf, ("CLB-142",), 9),
        Check("sizes", "boards of other sizes", sizes, ("CLB-143",), 20),
        Check(
            "shapes",
            "a board of seven columns and five rows",
            _serve(_play_oblong, "CLB-144", sizes),
            ("CLB-144",),
            3,
        ),
    ]
    await run_checks(checks, client, report, progress, only, stop, pace, after_first)
    return report if only is None else report.only(only)


def _serve(
    play: Play, code: str = "", control: Run | None = None, *, in_two: bool = False, with_cr: bool = False
) -> Run:
    """Return the check that starts the client and plays.

    Args:
        play: plays the games.
        code: code of any fault in them that ``control`` does not have; empty to report its own.
        control: the check of ordinary games.
        in_two: whether to send each line in two pieces.
        with_cr: whether to end lines with CR LF.
    """

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
                raise SkipError(f"the client {error}") from None
            missing = Finding(RULES["CLB-101"], "a connection", detail=f"The program {error}.")
            raise FaultError(missing) from None
        if fault is None:
            return remark
        if control is None or fault.finding.severity is not Severity.MUST:
            raise fault
        await control(client)
        raise FaultError(evolve(fault.finding, rule=RULES[code]))

    return check


async def _play_games(game: ClobberGame) -> str:
    """Play unfinished games as white, black and white, each ended by an illegal move of the checker."""
    await game.greet()
    for client_begins in (True, False, True):
        await game.begin(client_begins=client_begins)
        moves = FEW_MOVES if game.pace.is_too_slow(USUAL_MOVES) else MOVES
        await _play_moves(game, 2 * moves, is_clients_turn=client_begins)
    return f"its name is {visible(game.name)}"


async def _play_moves(game: ClobberGame, moves: int, *, is_clients_turn: bool) -> None:
    """Play some moves, and end the game after a move of the client."""
    for _ in range(moves):
        if is_clients_turn:
            await game.receive()
        else:
            await game.move(_reply(game))
        is_clients_turn = not is_clients_turn
    if is_clients_turn:
        await game.receive()
    await game.end()


async def _play_sizes(game: ClobberGame) -> str:
    """Play whole games on smaller boards, and start in the last column of a larger one."""
    await game.greet()
    for size in SMALL:
        await game.begin(client_begins=True, columns=size, rows=size)
        await _play_to_end(game, is_clients_turn=True)
    await game.begin(client_begins=False, columns=LARGE, rows=LARGE)
    await game.move(Move(ClobberSquare(LARGE - 1, LARGE - 1), ClobberSquare(LARGE - 2, LARGE - 1)))
    await _play_moves(game, 4, is_clients_turn=True)
    return f"{', '.join(map(str, (*SMALL, LARGE)))} squares a side"


async def _play_oblong(game: ClobberGame) -> str:
    """Start in a column that does not exist if the first number of the size means the rows."""
    await game.greet()
    await game.begin(client_begins=False, columns=7, rows=5)
    await game.move(Move(ClobberSquare(6, 0), ClobberSquare(5, 0)))
    await _play_moves(game, 4, is_clients_turn=True)
    return ""


async def _play_whole(game: ClobberGame) -> str:
    """Play two whole games, and start a third."""
    await game.greet()
    for client_begins in (True, False):
        await game.begin(client_begins=client_begins)
        await _play_to_end(game, is_clients_turn=client_begins)
    await game.begin(client_begins=True)
    await game.receive()
    return ""


async def _play_to_end(game: ClobberGame, *, is_clients_turn: bool) -> None:
    choose = random.Random(1)
    while not game.position.is_over:
        if is_clients_turn:
            await game.receive()
        else:
            await game.move(choose.choice(game.position.legal_moves))
        is_clients_turn = not is_clients_turn


def _reply(game: ClobberGame) -> Move:
    """Return a move that captures the stone that the client has just moved, if possible."""
    position = game.position
    last = position.history[-1].target if position.history else None
    moves = position.legal_moves
    return next((move for move in moves if move.target == last), moves[0])
