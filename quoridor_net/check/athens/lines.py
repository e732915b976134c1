"""Checks of unusual lines: empty ones, comments, control characters, commands sent ahead, and quit."""

from __future__ import annotations

from collections.abc import Sequence

from quoridor_net.check.athens.engine import AFTERWARDS, EngineAnswer, EngineUnderTest
from quoridor_net.check.athens.sessions import Run, begin, compare, learn_turns, try_move
from quoridor_net.check.checklist import FaultError


async def check_quit(engine: EngineUnderTest) -> str:
    """Send quit, and wait for the response and the end."""
    await engine.ask("name")
    await engine.send("quit")
    try:
        response = await engine.response()
    except FaultError as error:
        if error.finding.code in {"QTP-101", "QTP-102", "QTP-104"}:
            raise engine.make_fault("QTP-195", "= and an empty line", error.finding.received) from None
        raise
    if not response.is_success:
        raise engine.make_fault("QTP-195", "= and an empty line", response.data)
    if not await engine.dialogue.wait_closed(engine.seconds):
        raise engine.make_fault("QTP-196", f"the end of the output within {engine.seconds:g} s")
    return ""


#: Independent commands for the check of commands sent ahead.
_AHEAD = ("name", "known_command name", "list_commands", "name")


async def check_ahead(engine: EngineUnderTest) -> str:
    """Send several commands at once, and compare the responses with those to single commands."""

    async def all_at_once(engine: EngineUnderTest) -> str:
        await engine.send(*_AHEAD)
        answers: list[EngineAnswer] = []
        for _ in _AHEAD:
            try:
                answers.append(await engine.response())
            except FaultError as error:
                raise engine.make_fault(
                    "QTP-201", f"{len(_AHEAD)} responses", error.finding.received
                ) from None
        if answers[0].text != answers[-1].text:
            raise engine.make_fault("QTP-201", "responses in the order of the commands")
        return ""

    await compare(engine, "QTP-201", all_at_once, _one_by_one)
    return ""


async def _one_by_one(engine: EngineUnderTest) -> str:
    for command in _AHEAD:
        await engine.ask(command)
    return ""


async def check_empty(engine: EngineUnderTest) -> str:
    """Send empty lines and comments, and expect no response."""
    await engine.ask("name")
    # The tab comes last, because an engine that rejects it here does so everywhere.
    lines = (("", "QTP-202"), ("   ", "QTP-202"), ("# nothing to do", "QTP-203"), ("\t", "QTP-204"))
    last = "QTP-202"
    try:
        for line, code in lines:
            await engine.send(line)
            answer = await engine.watch(AFTERWARDS)
            if answer is not None:
                raise engine.make_fault(code, "no response", answer)
            # The engine may end a moment after the line.
            last = code
        last = "QTP-202"
        await engine.ask("name")
    except FaultError as error:
        if error.finding.code in {"QTP-202", "QTP-203", "QTP-204"}:
            raise
        raise engine.make_fault(last, "a response to the next command", error.finding.received) from None
    return ""


def make_tolerance_check(code: str, lines: Sequence[tuple[str, str]]) -> Run:
    """Return a check that the engine takes a line as it takes the plain line beside it."""

    def make_taker(number: int) -> Run:
        async def run(engine: EngineUnderTest) -> str:
            await begin(engine)
            for pair in lines:
                response = await try_move(engine, pair[number])
                if not response.is_success:
                    raise engine.make_fault("QTP-131", "=", response.data)
            return ""

        return run

    async def check(engine: EngineUnderTest) -> str:
        await learn_turns(engine)
        await compare(engine, code, make_taker(0), make_taker(1))
        return ""

    return check


_COMMENTS = (
    ("playmove black E8 # down", "playmove black E8"),
    ("playmove white E2# up", "playmove white E2"),
    ("winner# nobody", "winner"),
)
_CONTROLS = (
    ("playmove black E8\r", "playmove black E8"),
    ("playmove\twhite\tE2", "playmove white E2"),
    ("play\bmove black E7", "playmove black E7"),
)

check_comments = make_tolerance_check("QTP-203", _COMMENTS)
check_controls = make_tolerance_check("QTP-204", _CONTROLS)
