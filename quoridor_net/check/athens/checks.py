"""The checks of an engine of the Athens protocol."""

from __future__ import annotations

from attrs import evolve

from quoridor_net.check.athens import scripts
from quoridor_net.check.athens.engine import RULES, EngineUnderTest
from quoridor_net.check.athens.lines import (
    check_ahead,
    check_comments,
    check_controls,
    check_empty,
    check_quit,
)
from quoridor_net.check.athens.own_moves import play_itself, play_second_game, undo_own_moves
from quoridor_net.check.athens.probes import misreading_of, probes_of
from quoridor_net.check.athens.scripts import Row, rows_of
from quoridor_net.check.athens.sessions import (
    Run,
    UnpreparedError,
    begin,
    follow,
    in_session,
    in_turn,
    judge,
    session,
    try_illegal_move,
    try_move,
)
from quoridor_net.check.checklist import Check, FaultError
from quoridor_net.text import count_things

#: The commands of section 4 of the document.
REQUIRED = (
    *("name", "known_command", "list_commands", "quit", "boardsize", "clear_board", "walls"),
    *("playmove", "playwall", "genmove", "undo", "winner", "showboard"),
)


def script(text: str, walls: int = 10) -> Run:
    """Return the check that begins a game and runs the commands of a table."""
    rows = rows_of(text)

    async def check(engine: EngineUnderTest) -> str:
        await begin(engine, walls)
        await follow(engine, rows)
        return count_things(len(rows), "command")

    return session(check)


def _single(command: str, code: str) -> Run:
    """Return the check of a command that must succeed, and that begins every game."""

    async def check(engine: EngineUnderTest) -> str:
        # Controllers send the size first, and some engines need it.
        if not command.startswith("boardsize") and "boardsize" not in engine.left_out:
            try:
                await engine.ask("boardsize 9")
            except FaultError:
                raise UnpreparedError("boardsize") from None
        await follow(engine, [Row(command, True, None, code)])
        return ""

    return lambda engine: in_session(engine, check)


async def _name(engine: EngineUnderTest) -> str:
    name = await engine.ask("name")
    if not name.is_success or not name.text:
        raise engine.make_fault("QTP-111", "= and a name", name.data)
    return f"its name is {name.text[:40]}"


async def _commands(engine: EngineUnderTest) -> str:
    listed = await engine.ask("list_commands")
    commands = [line.strip() for line in listed.lines if line.strip()]
    missing = [command for command in REQUIRED if command not in commands]
    if not listed.is_success or missing:
        wanted = f"a line with {missing[0] if missing else 'every command'}"
        engine.report.add(engine.make_fault("QTP-114", wanted, listed.data).finding)
    await follow(engine, [Row(f"known_command {command}", True, "true", "QTP-112") for command in REQUIRED])
    return count_things(len(commands), "command")


async def _ask_unknown(engine: EngineUnderTest) -> str:
    row = Row("known_command play_trumpet", True, "false", "QTP-113")
    judge(engine, row, await engine.ask(row.command))
    await follow(engine, [Row("play_trumpet", False, "unknown command", "QTP-116")])
    return ""


async def _sizes(engine: EngineUnderTest) -> str:
    await follow(engine, [Row("boardsize 1000", False, "unacceptable size", "QTP-122")])
    return ""


async def _ends(engine: EngineUnderTest) -> str:
    """Find out whether a pawn stands where it starts, by a step of the color that begins."""
    await begin(engine)
    response = await try_move(engine, "playmove black E8")
    if response.is_success:
        return ""
    refused = engine.make_fault("QTP-131", "=", response.data)
    for step in ("playmove black E2", "playmove white E8"):
        await begin(engine)
        if (await engine.ask_to_succeed(step)).is_success:
            raise FaultError(evolve(refused.finding, rule=RULES["QTP-137"]))
    raise refused


async def _turns(engine: EngineUnderTest) -> str:
    """Play two moves of one colour in a row."""
    await begin(engine)
    await follow(
        engine,
        [
            Row("playmove black E8", True, None, "QTP-131"),
            Row("playmove white E2", True, None, "QTP-131"),
            Row("playmove black E7", True, None, "QTP-131"),
        ],
    )
    response = await try_move(engine, "playmove black E6")
    if response.is_success:
        return ""
    refused = engine.make_fault("QTP-135", "=", response.data)
    # The step itself is legal if the engine accepts it in turn.
    await follow(
        engine,
        [
            Row("playmove white E3", True, None, "QTP-131"),
            Row("playmove black E6", True, None, "QTP-131"),
        ],
    )
    raise refused


async def _placement(engine: EngineUnderTest) -> str:
    """Find out where the engine believes walls to be."""
    probes = probes_of()
    closed: list[bool] = []
    wrong: FaultError | None = None
    for probe in probes:
        await begin(engine)
        steps = in_turn(engine, (*probe.steps, probe.tried))
        *before, tried = steps
        if engine.takes_turns:
            # The wall is black's move before the step.
            before.pop()
        await follow(engine, [Row(step, True, None, "QTP-131") for step in before])
        # After the first probe, only a wall left from the previous game can be in the way.
        code = "QTP-126" if closed else "QTP-141"
        if wrong is None:
            await follow(engine, [Row(probe.wall, True, None, code)])
        else:
            await try_move(engine, probe.wall)
        response = await (try_illegal_move if probe.is_closed else try_move)(engine, tried)
        closed.append(response is None or not response.is_success)
        if wrong is None and response is not None and response.is_success is probe.is_closed:
            # The other probes show how the engine reads the wall.
            expected = "? illegal move" if probe.is_closed else "="
            wrong = engine.make_fault("QTP-146", expected, response.data, _describe(probe.wall))
    if wrong is None:
        return f"{count_things(len(probes), 'step')} beside walls"
    if not any(closed):
        # An engine that accepts every step does so with walls on its board, too.
        await begin(engine)
        response = await try_move(engine, "playmove black E5")
        if response.is_success:
            raise engine.make_fault("QTP-132", "? illegal move", response.data)
    raise FaultError(evolve(wrong.finding, rule=RULES[misreading_of(closed)]))


def _describe(wall: str) -> str:
    _, _, vertex, orientation = wall.split()
    squares = "E5 and F5" if orientation == "horizontal" else "E5 and E4"
    where = "below" if orientation == "horizontal" else "to the right of"
    return f"{vertex} {orientation} lies {where} {squares}."


def checks() -> list[Check[EngineUnderTest]]:
    """Return all checks, in order."""
    form = ("QTP-10",)
    legal = (*form, "QTP-13", "QTP-15", "QTP-21")
    return [
        Check("name", "its name", lambda e: in_session(e, _name), (*form, "QTP-111"), 1, is_first=True),
        Check(
            "boardsize",
            "a board of nine squares",
            _single("boardsize 9", "QTP-121"),
            ("QTP-121",),
            1,
            is_first=True,
        ),
        Check(
            "clear-board",
            "clearing the board",
            _single("clear_board", "QTP-124"),
            ("QTP-124",),
            2,
            is_first=True,
        ),
        Check(
            "walls-number",
            "setting the number of walls",
            _single("walls 10", "QTP-125"),
            ("QTP-125",),
            2,
            is_first=True,
        ),
        Check("ends", "where the pawns start", session(_ends), ("QTP-13",), 4, is_first=True),
        Check("steps", "steps", script(scripts.STEPS), legal, 14, is_first=True),
        Check("walls", "legal walls", script(scripts.WALLS), (*form, "QTP-14"), 9, is_first=True),
        Check("genmove", "moves of its own", session(play_itself), (*form, "QTP-16"), 15, is_first=True),
        Check("placement", "where walls lie", session(_placement), ("QTP-14", "QTP-126"), 97),
        Check("illegal-steps", "illegal steps", script(scripts.ILLEGAL_STEPS), legal, 13),
        Check("jumps", "jumps", script(scripts.JUMPS), legal, 13),
        Check("side-jumps", "jumps to the side in front of a wall", script(scripts.SIDE_JUMPS), legal, 25),
        Check("edge-jumps", "a jump to the side at the edge", script(scripts.EDGE_JUMPS), legal, 18),
        Check(
            "illegal-jumps", "steps and jumps onto and over a pawn", script(scripts.ILLEGAL_JUMPS), legal, 14
        ),
        Check(
            "illegal-walls",
            "walls that overlap or cross",
            script(scripts.ILLEGAL_WALLS),
            (*legal, "QTP-14"),
            14,
        ),
        Check("paths", "walls that cut a player off", script(scripts.PATHS), (*legal, "QTP-14"), 20),
        Check(
            "obstacles",
            "a wall while the only path leads past a pawn",
            script(scripts.OBSTACLES),
            ("QTP-14",),
            16,
        ),
        Check("counting", "the number of walls", script(scripts.COUNTING, 2), (*legal, "QTP-14"), 10),
        Check("clearing", "a new game after moves and walls", script(scripts.CLEARING), ("QTP-126",), 12),
        Check("second-game", "a second game in one process", session(play_second_game), ("QTP-213",), 10),
        Check("black-wins", "black wins", script(scripts.BLACK_WINS), (*form, "QTP-18"), 22),
        Check("white-wins", "white wins", script(scripts.WHITE_WINS), ("QTP-18",), 23),
        Check("undo", "undo", script(scripts.UNDO), ("QTP-17",), 14),
        Check("undone-walls", "undo of walls", script(scripts.UNDONE_WALLS, 1), ("QTP-17",), 8),
        Check(
            "cannot-undo",
            "undo of more moves than were played",
            script(scripts.CANNOT_UNDO),
            ("QTP-17", "QTP-21"),
            8,
        ),
        Check("undo-own", "undo of its own moves", session(undo_own_moves), ("QTP-17",), 7),
        Check("turns", "two moves of one color in a row", session(_turns), ("QTP-135",), 7),
        Check(
            "showboard",
            "its drawing of the board",
            _single("showboard", "QTP-191"),
            ("QTP-107", "QTP-191"),
            2,
        ),
        Check(
            "commands", "the list of commands", lambda e: in_session(e, _commands), ("QTP-112", "QTP-114"), 14
        ),
        Check(
            "unknown",
            "an unknown command",
            lambda e: in_session(e, _ask_unknown),
            ("QTP-113", "QTP-116", "QTP-21"),
            2,
        ),
        Check("sizes", "an impossible size", lambda e: in_session(e, _sizes), ("QTP-122", "QTP-21"), 1),
        Check(
            "arguments", "missing and wrong arguments", script(scripts.ARGUMENTS), ("QTP-123", "QTP-21"), 10
        ),
        Check(
            "spellings",
            "colors, vertices and orientations in any spelling",
            script(scripts.SPELLINGS),
            ("QTP-136",),
            11,
        ),
        Check("ahead", "commands sent before the previous response", check_ahead, ("QTP-201",), 4),
        Check("empty", "empty lines and comments", lambda e: in_session(e, check_empty), ("QTP-20",), 2),
        Check("comments", "comments after commands", check_comments, ("QTP-203",), 5),
        Check(
            "controls",
            "CR, tabs and control characters",
            check_controls,
            ("QTP-204",),
            6,
        ),
        Check("quit", "quit", lambda e: in_session(e, check_quit), ("QTP-19",), 2),
    ]
