"""Sessions with an engine, one for each check, and the beginning of a game in them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from attrs import evolve

from quoridor_net.check.athens.engine import RULES, EngineAnswer, EngineUnderTest
from quoridor_net.check.athens.scripts import OTHER_MESSAGE, Row, mirror, mirror_command
from quoridor_net.check.checklist import FaultError, UnavailableError
from quoridor_net.check.dialogue import Dialogue
from quoridor_net.check.findings import Severity

#: The check of an engine, which has just been started.
Run = Callable[[EngineUnderTest], Awaitable[str]]

#: Commands that change the position, after whose wrong success a script cannot continue.
_MOVES = ("playmove", "playwall", "undo")

#: Moves of black to and fro, for engines that accept moves only in turn.
_FILLERS = ("D9", "E9")


class UnpreparedError(Exception):
    """The engine does not answer a command of every new game in the right form."""

    def __init__(self, command: str, *, is_silent: bool = False) -> None:
        super().__init__(command)
        self.command = command
        self.is_silent = is_silent


async def in_session(engine: EngineUnderTest, run: Run) -> str:
    """Start the engine, do ``run`` and end the engine.

    A command of every new game that gets no proper response is left out in a further attempt, because only
    its own check is about it.
    """
    engine.left_out = set(engine.silent)
    while True:
        if engine.pace.is_hopeless:
            raise UnavailableError("the engine has not answered any command")
        fault, unprepared, remark = None, None, ""
        async with engine.start() as stream:
            engine.starts += 1
            engine.begin(Dialogue(stream, transcript=engine.transcript, number=engine.starts))
            try:
                remark = await run(engine)
            except FaultError as error:
                fault = error
            except UnpreparedError as error:
                unprepared = error
            await engine.dialogue.hang_up()
        # Raise it outside the nursery, which would wrap it in a group.
        if fault is not None:
            raise fault
        if unprepared is None:
            return remark
        engine.left_out.add(unprepared.command)
        if unprepared.is_silent:
            # Waiting for it takes too long to find out again in every check.
            engine.silent.add(unprepared.command)


async def begin(engine: EngineUnderTest, walls: int = 10) -> None:
    """Begin a game as controllers do.

    Whether the commands succeed is the subject of other checks.

    Raises:
        UnpreparedError: a command gets no proper response.
    """
    for command in ("boardsize 9", "clear_board", f"walls {walls}"):
        name = command.partition(" ")[0]
        if name in engine.left_out:
            continue
        try:
            await engine.ask_to_succeed(command)
        except FaultError as error:
            raise UnpreparedError(name, is_silent=error.finding.code == "QTP-101") from None


async def learn_turns(engine: EngineUnderTest) -> None:
    """Find out whether the engine accepts moves only in turn, and which colour begins."""
    if engine.takes_turns is not None:
        return
    engine.takes_turns = False
    if await _accepts(engine, "playmove black E8"):
        moves = ("playmove black E8", "playmove black E7", "playmove white E2", "playmove black E7")
        engine.takes_turns = await _accepts(engine, *moves, refused=1)
    elif await _accepts(engine, "playmove white E2"):
        engine.takes_turns = engine.is_mirrored = True


async def _accepts(engine: EngineUnderTest, *moves: str, refused: int | None = None) -> bool:
    """Return whether the engine accepts ``moves`` in a new game, except the one at index ``refused``."""

    async def run(engine: EngineUnderTest) -> str:
        await begin(engine)
        for number, move in enumerate(moves):
            if (await engine.ask(move)).is_success is (number == refused):
                return ""
        return "yes"

    known = list(engine.report.findings)
    try:
        return bool(await in_session(engine, run))
    except FaultError:
        return False
    finally:
        # This question is not a check.
        engine.report.findings[:] = known


def session(run: Run) -> Run:
    """Return a check that learns about turns first, and then does ``run`` with a newly started engine."""

    async def check(engine: EngineUnderTest) -> str:
        await learn_turns(engine)
        return await in_session(engine, run)

    return check


def in_turn(engine: EngineUnderTest, moves: Sequence[str]) -> list[str]:
    """Return ``moves`` of white, with moves of black between them if the engine wants them in turn."""
    if not engine.takes_turns:
        return list(moves)
    filled = [(f"playmove black {_FILLERS[number % 2]}", move) for number, move in enumerate(moves)]
    return [move for pair in filled for move in pair]


async def follow(engine: EngineUnderTest, rows: Sequence[Row]) -> None:
    """Send the commands of ``rows``, and judge the responses.

    Only a *must*, or a fault that leaves the position unknown, ends the check.
    """
    for row in rows:
        asked = mirror(row) if engine.is_mirrored else row
        if asked.is_success:
            judge(engine, asked, await engine.ask_to_succeed(asked.command))
            continue
        response = await engine.ask_to_fail(asked.command)
        if response is not None:
            judge(engine, asked, response)


async def try_move(engine: EngineUnderTest, command: str) -> EngineAnswer:
    """Send a move, turned if white begins, and return the response."""
    return await engine.ask_to_succeed(mirror_command(command) if engine.is_mirrored else command)


async def try_illegal_move(engine: EngineUnderTest, command: str) -> EngineAnswer | None:
    """Send an illegal move, turned if white begins, and return the response; None if it is missing."""
    return await engine.ask_to_fail(mirror_command(command) if engine.is_mirrored else command)


def judge(engine: EngineUnderTest, row: Row, response: EngineAnswer) -> None:
    """Compare a response with the one that the row expects, and report a difference.

    Raises:
        FaultError: it is different, and the session cannot continue.
    """
    sign = "=" if row.is_success else "?"
    expected = sign if row.text is None else f"{sign} {row.text}"
    if response.is_success is not row.is_success:
        code = row.code
    elif row.text is not None and not _is_expected(row, response.text.lower()):
        code = row.code if row.is_success else OTHER_MESSAGE[row.text]
    else:
        return
    fault = engine.make_fault(code, expected, response.data)
    is_lost = response.is_success is not row.is_success and row.command.startswith(_MOVES)
    if RULES[code].severity is Severity.MUST or is_lost:
        raise fault
    engine.report.add(fault.finding)


def _is_expected(row: Row, text: str) -> bool:
    """Return whether ``text`` is the expected text.

    The document calls the failure of a wall "illegal placement", and its error message "illegal move"
    (section 4.3), so the checker accepts both.
    """
    if text == "illegal placement":
        return row.command.startswith("playwall") and row.text == "illegal move"
    return text == row.text


async def compare(engine: EngineUnderTest, code: str, unusual: Run, usual: Run) -> None:
    """Do ``unusual``; report its fault as ``code``, unless ``usual`` has a fault as well.

    Raises:
        FaultError: the fault.
    """
    try:
        await in_session(engine, unusual)
    except FaultError as error:
        fault = error
    else:
        return
    await in_session(engine, usual)
    raise FaultError(evolve(fault.finding, rule=RULES[code]))
