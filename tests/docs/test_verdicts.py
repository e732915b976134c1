"""The page "Errors and verdicts" defines every termination and shows the printed lines."""

from __future__ import annotations

import io
import re
from collections.abc import Awaitable, Callable

import pytest
import trio
from trio.testing import MockClock

from quoridor_net.cli.clobber import COMMANDS as CLOBBER
from quoridor_net.cli.exit_status import ExitStatus
from quoridor_net.cli.main import COMMANDS as MAIN
from quoridor_net.match import Event, MatchSettings, TurnPassed, play_match
from quoridor_net.outcome import ForfeitError
from quoridor_net.output import Output
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock, Player
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Move, Position, Termination
from quoridor_net.testing import move_servers as scripts
from quoridor_net.testing.move_servers import Script
from quoridor_net.ui.display import PlainDisplay
from tests.docs.pages import DOCS, section
from tests.support.linked_game import play_linked

PAGE = DOCS / "verdicts.md"

Case = Callable[[], Awaitable[list[Event]]]


def link_culprits(culprits: dict[int, Script], players: int = 2, ply_limit: int = 1000) -> Case:
    async def play() -> list[Event]:
        settings = MatchSettings(move_time=5, ply_limit=ply_limit)
        return (await play_linked(culprits, players, settings)).events

    return play


class Walker(Player[Position, Move]):
    """Walks to and fro."""

    name = "qnt:test"

    async def choose(self, position: Position, clock: Clock) -> Move:
        await trio.lowlevel.checkpoint()
        return next(step for step in position.legal_steps if step.square.row in {0, 1, 7, 8})


async def repeat_start() -> list[Event]:
    events: list[Event] = []
    await play_match([Walker(), Walker()], MatchSettings(repetition=2), [events.append])
    return events


class Faulty(Player[Position, Move]):
    """Commits one fault instead of a first move."""

    name = "evil:twin"

    def __init__(self, fault: ForfeitError) -> None:
        self._fault = fault

    async def choose(self, position: Position, clock: Clock) -> Move:
        raise self._fault


class Sleeper(Player[Position, Move]):
    """Thinks for ever."""

    name = "qnt:test"

    async def choose(self, position: Position, clock: Clock) -> Move:
        await trio.sleep_forever()
        raise AssertionError("unreachable")


def play_direct(termination: Termination, sentence: str, line: str = "") -> Case:
    async def play() -> list[Event]:
        events: list[Event] = []
        culprit = Faulty(ForfeitError(termination, Translatable(sentence), line))
        await play_match([SimplePlayer(1), culprit], listeners=[events.append])
        return events

    return play


async def abort_match() -> list[Event]:
    events: list[Event] = []
    with trio.move_on_after(1):
        await play_match([Sleeper(), Sleeper()], listeners=[events.append])
    return events


#: Faults of Athens programs; the tests of their adapters produce such sentences with real programs.
ILLEGAL, SIZE = "? illegal move", "? unacceptable size"
REFUSED_MOVE = "refused a legal move: 'playmove black E8'"
REFUSED_GAME = "refused 'boardsize 11'"
OUT_OF_MEMORY = "ran out of its 950 MiB of memory and was killed by SIGABRT"

LAST = {1: scripts.never_answers, 4: scripts.never_answers, 2: scripts.answers_and_closes(b"")}
CASES: dict[str, tuple[Termination, Case]] = {
    "goal": (Termination.GOAL, link_culprits({})),
    "last of four": (Termination.LAST_PLAYER, link_culprits(LAST, 4)),
    "ply limit": (Termination.PLY_LIMIT, link_culprits({}, ply_limit=10)),
    "repetition": (Termination.REPETITION, repeat_start),
    "illegal": (Termination.ILLEGAL_MOVE, link_culprits({2: scripts.answers(b"TESUJI (4, 4)\n")})),
    "unparsable": (Termination.UNPARSABLE_MOVE, link_culprits({2: scripts.answers(b"TESUJI e4\n")})),
    "unasked": (Termination.OUT_OF_TURN, link_culprits({2: scripts.chatters})),
    "wrong message": (Termination.OUT_OF_TURN, link_culprits({2: scripts.answers(b"KIKASHI 1\n")})),
    "silence": (Termination.TOO_SLOW, link_culprits({2: scripts.never_answers})),
    "closed": (Termination.DISCONNECTED, link_culprits({2: scripts.answers_and_closes(b"")})),
    "half a line": (Termination.DISCONNECTED, link_culprits({2: scripts.answers_and_closes(b"TESUJI (4,")})),
    "blank lines": (Termination.FLOODING, link_culprits({2: scripts.answers(b"\r\n" * 1000)})),
    "resigned": (Termination.RESIGNED, play_direct(Termination.RESIGNED, "resigned")),
    "refused move": (Termination.REFUSED_MOVE, play_direct(Termination.REFUSED_MOVE, REFUSED_MOVE, ILLEGAL)),
    "refused game": (Termination.REFUSED_GAME, play_direct(Termination.REFUSED_GAME, REFUSED_GAME, SIZE)),
    "crash": (Termination.ENGINE_CRASH, play_direct(Termination.ENGINE_CRASH, "ended with exit status 1")),
    "memory": (Termination.MEMORY_LIMIT, play_direct(Termination.MEMORY_LIMIT, OUT_OF_MEMORY)),
    "aborted": (Termination.ABORTED, abort_match),
}


@pytest.mark.parametrize("termination", Termination, ids=str)
def test_every_termination_has_a_section_of_its_kind(termination: Termination) -> None:
    if termination.is_void:
        kind = "Void"
    elif termination.is_fault:
        kind = "Faults of a player"
    else:
        kind = "Decided or drawn"
    assert re.search(rf"^### {termination}$", section(PAGE, kind), re.MULTILINE)
    assert "```text\n" in section(PAGE, str(termination)), "no line is shown"


@pytest.mark.parametrize("case", CASES)
async def test_the_documented_lines_are_printed(case: str, autojump_clock: MockClock) -> None:
    termination, play = CASES[case]
    shown = comparable(section(PAGE, str(termination)))
    lines = collect_lines(await play())
    verdicts = [line for line in lines if f"[{termination}" in line]
    assert verdicts, lines
    # With two players the result repeats the elimination, so one of the lines is enough.
    assert comparable(verdicts[0]) in shown


async def test_the_documented_line_of_a_passed_turn_is_printed(autojump_clock: MockClock) -> None:
    events = await link_culprits({2: scripts.vanishes_after_game})()
    assert comparable(collect_lines([*events[:1], TurnPassed(2)])[1]) in section(PAGE, "no_moves")


def test_the_documented_exit_statuses_are_returned() -> None:
    table = re.findall(r"^\| .*\|$", section(PAGE, "Exit status"), re.MULTILINE)
    rows = [re.split(r"\s*\|\s*", row.strip("| ")) for row in table[1:]]
    numbers = {int(number) for row in rows for number in re.findall(r"(\d+): ", row[-1])} | {0, 2}
    assert numbers == set(ExitStatus)
    commands = {name for row in rows for name in re.findall(r"`quoridor ([a-z ]+)`", row[0])}
    assert commands == (MAIN.keys() - {"clobber"}) | {f"clobber {name}" for name in CLOBBER}


def collect_lines(events: list[Event]) -> list[str]:
    written = io.StringIO()
    display = PlainDisplay(Output(written))
    for event in events:
        display.listen(event)
    return written.getvalue().splitlines()


def comparable(text: str) -> str:
    """Return ``text`` with the names on the page and a placeholder for the number of moves."""
    named = text.replace("qnt:test", "ann:bot").replace("evil:twin", "bob:bot")
    return re.sub(r"\d+ moves?\]", "N moves]", named)
