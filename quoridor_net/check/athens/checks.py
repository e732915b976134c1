"""The checks of an engine of the Athens protocol."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from attrs import evolve

from quoridor_net.check.athens.engine import AFTERWARDS, RULES, EngineAnswer, EngineUnderTest
from quoridor_net.check.athens.probes import misreading_of, probes_of
from quoridor_net.check.athens.scripts import (
    JUMPS,
    NEW_GAME,
    OTHER_MESSAGE,
    SETUP,
    SPELLINGS,
    STEPS,
    UNDO,
    WALLS,
    WINNER,
    Row,
    rows_of,
)
from quoridor_net.check.checklist import Check, FaultError
from quoridor_net.check.dialogue import Dialogue
from quoridor_net.check.launching import linger
from quoridor_net.notation.athens import COLOUR_OF_PLAYER, parse_move
from quoridor_net.protocols.athens import AthensGame
from quoridor_net.rules import Illegality, IllegalMoveError
from quoridor_net.text import UnparsableError

#: The commands of section 4 of the document.
REQUIRED = (
    *("name", "known_command", "list_commands", "quit", "boardsize", "clear_board", "walls"),
    *("playmove", "playwall", "genmove", "undo", "winner", "showboard"),
)

#: Number of moves of the engine in a game against itself.
GENERATED = 12
#: The same for a slow engine.
FEW = 4

Run = Callable[[EngineUnderTest], Awaitable[str]]


def session(run: Run) -> Run:
    """Return a check that starts the engine, does ``run`` and ends the engine."""

    async def in_a_session(engine: EngineUnderTest) -> str:
        fault, remark = None, ""
        async with engine.start() as stream:
            engine.starts += 1
            engine.dialogue = Dialogue(stream, transcript=engine.transcript, number=engine.starts)
            try:
                remark = await run(engine)
            except FaultError as error:
                fault = error
                await linger(fault.finding)
            await engine.dialogue.hang_up()
        # Raise it outside the nursery, which would wrap it in a group.
        if fault is not None:
            raise fault
        return remark

    return in_a_session


async def follow(engine: EngineUnderTest, rows: Sequence[Row]) -> None:
    """Send the commands of ``rows``, and judge the responses."""
    for row in rows:
        judge(engine, row, await engine.ask(row.command))


def judge(engine: EngineUnderTest, row: Row, response: EngineAnswer) -> None:
    """Compare a response with the one that the row expects.

    Raises:
        FaultError: it is different.
    """
    sign = "=" if row.is_success else "?"
    expected = sign if row.text is None else f"{sign} {row.text}"
    if response.is_success is not row.is_success:
        raise engine.fault(row.code, expected, response.data)
    if row.text is not None and response.text.lower() != row.text:
        code = row.code if row.is_success else OTHER_MESSAGE[row.text]
        raise engine.fault(code, expected, response.data)


def script(text: str) -> Run:
    """Return the check that runs the commands of a table."""
    rows = rows_of(text)

    async def check(engine: EngineUnderTest) -> str:
        await follow(engine, rows)
        return f"{len(rows)} commands"

    return session(check)


async def _administration(engine: EngineUnderTest) -> str:
    name = await engine.ask("name")
    if not name.is_success or not name.text:
        raise engine.fault("QTP-111", "= and a name", name.data)
    listed = await engine.ask("list_commands")
    commands = [line.strip() for line in listed.lines if line.strip()]
    missing = [command for command in REQUIRED if command not in commands]
    if not listed.is_success or missing:
        raise engine.fault(
            "QTP-114", f"a line with {missing[0] if missing else 'every command'}", listed.data
        )
    await follow(engine, [Row(f"known_command {command}", True, "true", "QTP-112") for command in REQUIRED])
    await follow(
        engine,
        [
            Row("known_command play_trumpet", True, "false", "QTP-113"),
            Row("play_trumpet", False, "unknown command", "QTP-116"),
        ],
    )
    return f"its name is {name.text[:40]}"


async def _placement(engine: EngineUnderTest) -> str:
    """Find out where the engine believes walls to be."""
    rows = rows_of(NEW_GAME)
    probes = probes_of()
    closed: list[bool] = []
    for probe in probes:
        await follow(engine, rows)
        await follow(engine, [Row(step, True, None, "QTP-131") for step in probe.steps])
        # After the first probe, only a wall left from the previous game can be in the way.
        await follow(engine, [Row(probe.wall, True, None, "QTP-126" if closed else "QTP-141")])
        response = await engine.ask(probe.tried)
        closed.append(not response.is_success)
        if response.is_success is probe.is_closed:
            wrong = engine.fault(
                "QTP-146", "? illegal move" if probe.is_closed else "=", response.data, _describe(probe.wall)
            )
            break
    else:
        return f"{len(probes)} steps beside walls"
    # The other probes show how the engine reads the wall.
    for probe in probes[len(closed) :]:
        await follow(engine, rows)
        await follow(engine, [Row(step, True, None, "QTP-131") for step in probe.steps])
        await engine.ask(probe.wall)
        closed.append(not (await engine.ask(probe.tried)).is_success)
    code = misreading_of(closed)
    raise FaultError(evolve(wrong.finding, rule=RULES[code]))


def _describe(wall: str) -> str:
    _, _, vertex, orientation = wall.split()
    squares = "E5 and F5" if orientation == "horizontal" else "E5 and E4"
    where = "below" if orientation == "horizontal" else "to the right of"
    return f"{vertex} {orientation} lies {where} {squares}."


async def _generation(engine: EngineUnderTest) -> str:
    """Let the engine play against itself, and follow its game."""
    await follow(engine, rows_of(NEW_GAME))
    game = AthensGame()
    # Black begins, and moves twice in the end, because colors need not alternate.
    colours = [1, 2] * (GENERATED // 2) + [1, 1]
    played = 0
    for player in colours:
        if game.position.is_over:
            break
        colour = COLOUR_OF_PLAYER[player]
        response = await engine.ask(f"genmove {colour}")
        if not response.is_success:
            raise engine.fault("QTP-164", "= and a move", response.data)
        try:
            move = parse_move(response.text)
        except UnparsableError:
            raise engine.fault(
                "QTP-161", "= and a move, as in = E8 or = E3 horizontal", response.data
            ) from None
        try:
            game.play(player, move)
        except IllegalMoveError as error:
            # An engine that prints its moves without making them repeats them.
            is_again = error.reason.kind is Illegality.SAME_SQUARE or move in game.position.walls
            code = "QTP-163" if is_again else "QTP-162"
            raise engine.fault(code, f"a legal move: {error}", response.data) from None
        played += 1
        if played >= FEW and not engine.pace.allows(GENERATED):
            break
    if not game.position.is_over:
        # If the engine has made the moves, it can undo all of them but no more.
        await follow(
            engine,
            [
                Row(f"undo {played}", True, None, "QTP-163"),
                Row("undo", False, "cannot undo", "QTP-173"),
            ],
        )
    return f"{played} moves"


async def _quit(engine: EngineUnderTest) -> str:
    await engine.ask("name")
    await engine.send("quit")
    try:
        response = await engine.response()
    except FaultError as error:
        if error.finding.code in {"QTP-101", "QTP-102", "QTP-104"}:
            raise engine.fault("QTP-195", "= and an empty line", error.finding.received) from None
        raise
    if not response.is_success:
        raise engine.fault("QTP-195", "= and an empty line", response.data)
    if not await engine.dialogue.wait_closed(engine.seconds):
        raise engine.fault("QTP-196", f"the end of the output within {engine.seconds:g} s")
    return ""


async def _ahead(engine: EngineUnderTest) -> str:
    commands = ("boardsize 9", "clear_board", "walls 10", "playmove white E2", "winner")
    await engine.send(*commands)
    try:
        answers = [(await engine.response()).text.lower() for _ in commands]
    except FaultError as error:
        raise engine.fault("QTP-201", f"{len(commands)} responses", error.finding.received) from None
    if answers[-1] != "false":
        raise engine.fault("QTP-201", "responses in the order of the commands")
    return ""


async def _empty(engine: EngineUnderTest) -> str:
    await engine.ask("name")
    # The tab comes last, because an engine that rejects it here does so everywhere.
    lines = (("", "QTP-202"), ("   ", "QTP-202"), ("# nothing to do", "QTP-203"), ("\t", "QTP-204"))
    for line, code in lines:
        await engine.send(line)
        answer = await engine.watch(AFTERWARDS)
        if answer is not None:
            raise engine.fault(code, "no response", answer)
    try:
        await engine.ask("name")
    except FaultError as error:
        raise engine.fault("QTP-202", "a response to the next command", error.finding.received) from None
    return ""


def _tolerance(code: str, lines: Sequence[tuple[str, bool]]) -> Run:
    async def check(engine: EngineUnderTest) -> str:
        await follow(engine, rows_of(NEW_GAME))
        for line, is_success in lines:
            try:
                response = await engine.ask(line)
            except FaultError as error:
                raise engine.fault(code, "=", error.finding.received) from None
            if response.is_success is not is_success:
                raise engine.fault(code, "=" if is_success else "?", response.data)
        return ""

    return session(check)


def checks() -> list[Check[EngineUnderTest]]:
    """Return all checks, in order."""
    core = ("setup", "steps", "placement", "jumps", "walls")
    return [
        Check("setup", "setting up a game", script(SETUP), (), ("QTP-10", "QTP-12", "QTP-181", "QTP-191"), 9),
        Check("steps", "steps and jumps", script(STEPS), ("setup",), ("QTP-12", "QTP-13", "QTP-15"), 25),
        Check("placement", "where walls lie", session(_placement), ("setup", "steps"), ("QTP-14",), 97),
        Check("jumps", "a jump in front of a wall", script(JUMPS), core[:3], ("QTP-13",), 13),
        Check("walls", "which walls are legal", script(WALLS), core[:3], ("QTP-14",), 27),
        Check("undo", "undo", script(UNDO), core, ("QTP-17",), 22),
        Check("winner", "the winner", script(WINNER), (*core, "undo"), ("QTP-18",), 27),
        Check("genmove", "moves of its own", session(_generation), (*core, "undo"), ("QTP-16",), 10),
        Check(
            "administration",
            "the administrative commands",
            session(_administration),
            ("setup",),
            ("QTP-11",),
            17,
        ),
        Check("quit", "quit", session(_quit), ("setup",), ("QTP-19",), 2),
        Check(
            "spellings",
            "colors, vertices and orientations in any spelling",
            script(SPELLINGS),
            core,
            ("QTP-136",),
            11,
        ),
        Check(
            "ahead",
            "commands sent before the previous response",
            session(_ahead),
            ("setup", "winner"),
            ("QTP-201",),
            5,
        ),
        Check("empty", "empty lines and comments", session(_empty), ("setup",), ("QTP-20",), 2),
        Check(
            "comments",
            "comments after commands",
            _tolerance("QTP-203", (("playmove white E2 # up", True), ("winner# nobody", True))),
            (*core, "winner"),
            ("QTP-203",),
            5,
        ),
        Check(
            "controls",
            "CR, tabs and control characters",
            _tolerance(
                "QTP-204", (("playmove white E2\r", True), ("playmove\twhite\tE3", True), ("win\bner", True))
            ),
            (*core, "winner"),
            ("QTP-204",),
            6,
        ),
    ]
