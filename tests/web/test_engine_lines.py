"""The live analysis of positions."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
import trio.testing

from quoridor_net.notation.standard import parse_move
from quoridor_net.players.engine import SharedEngine
from quoridor_net.replay import Replay
from quoridor_net.rules import Jumps, Position
from quoridor_net.web import engine_lines
from quoridor_net.web.application import application
from quoridor_net.web.engine_lines import EngineLines
from quoridor_net.web.sites import replay
from tests.support.browser import Browser, Tab

pytestmark = [pytest.mark.compiled("engine"), pytest.mark.threads]

START = " /  / e1 e9 / 10 10 / 1"
#: Player 1 is one step from its goal line.
WON = " /  / d4 b3 / 0 0 / 1 / 5"


def wait_until_ready(_progress: Callable[[str], None], /, *_players: int) -> None:
    """Do nothing, because the kernels are compiled before these tests."""


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Browser:
    monkeypatch.setattr(engine_lines, "SEARCHES", (0.01, 0.02, 0.04))
    return browser_of(SharedEngine(prepare=wait_until_ready, players=(2, 4)))


def browser_of(engine: SharedEngine) -> Browser:
    return Browser(application(replay(Replay(), EngineLines(engine))))


async def ask_engine(tab: Tab, **question: Any) -> list[Any]:
    """Return all answers to a request that is sent when the engine is ready."""
    await tab.send(question)
    found = [await tab.receive()]
    while len(found) < len(engine_lines.SEARCHES) and not is_proven(found[-1]):
        found.append(await tab.receive())
    return found


def is_proven(answer: Any) -> bool:
    return bool(answer["lines"]) and answer["lines"][0]["wins_in"] is not None


async def make_ready(tab: Tab) -> None:
    """Send a first request, which waits for the engine, and read its answer."""
    await tab.send({"position": WON})
    assert "is being prepared" in (await tab.receive())["refused"]
    assert is_proven(await tab.receive())


async def test_each_answer_is_based_on_more_nodes(browser: Browser) -> None:
    assert (await browser.get("/site.json")).json["analysis"] is True
    async with browser.tab("/analysis") as tab:
        await make_ready(tab)
        answers = await ask_engine(tab, position=START, jumps="official", lines=10)
    assert {answer["position"] for answer in answers} == {START}
    nodes = [answer["nodes"] for answer in answers]
    assert nodes == sorted(set(nodes))
    for answer in answers:
        assert 1 <= len(answer["lines"]) <= 10
        for line in answer["lines"]:
            position = Position()
            for move in line["moves"]:
                position.push(parse_move(move))
            assert 0 < line["chance"] < 1
            assert line["wins_in"] is None


async def test_a_proven_win_ends_the_answer(browser: Browser) -> None:
    async with browser.tab("/analysis") as tab:
        await make_ready(tab)
        [answer] = await ask_engine(tab, position=WON, lines=2)
    assert (answer["lines"][0]["moves"][0], answer["lines"][0]["chance"]) == ("d5", 1.0)


@pytest.mark.parametrize("jumps", Jumps)
@pytest.mark.parametrize("line", [" /  / e1 e9 a5 i5 / 5 5 5 5 / 1", " /  / g1 g12 / 10 10 / 2 / 12"])
async def test_other_boards_and_rules_are_analysed(browser: Browser, line: str, jumps: Jumps) -> None:
    async with browser.tab("/analysis") as tab:
        await make_ready(tab)
        for answer in await ask_engine(tab, position=line, jumps=str(jumps)):
            assert (answer["position"], len(answer["lines"])) == (line, 1)


async def test_a_game_that_is_over_has_no_lines(browser: Browser) -> None:
    over = Position.from_line(WON)
    over.push(parse_move("d5", 5))
    async with browser.tab("/analysis") as tab:
        await tab.send({"position": over.to_line()})
        assert await tab.receive() == {"position": over.to_line(), "depth": 0, "nodes": 0, "lines": []}


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> Browser:
    """Return a browser for which searches end only in decided positions."""
    monkeypatch.setattr(engine_lines, "SEARCHES", (1e5,))
    return browser_of(SharedEngine(prepare=wait_until_ready, players=(2, 4)))


async def test_only_the_last_request_is_answered(endless: Browser) -> None:
    async with endless.tab("/analysis") as tab:
        await make_ready(tab)
        for message in ({"position": START}, {"stop": True}, {"position": START}, {"position": WON}):
            await tab.send(message)
            await trio.testing.wait_all_tasks_blocked()
        assert (await tab.receive())["position"] == WON


async def test_a_request_waits_while_others_are_searched(endless: Browser) -> None:
    path = "/analysis"
    async with endless.tab(path) as one, endless.tab(path) as two, endless.tab(path) as last:
        await make_ready(one)
        for tab, position in ((one, START), (two, START), (last, WON)):
            await tab.send({"position": position})
            await trio.testing.wait_all_tasks_blocked()
        with trio.move_on_after(0.01):
            pytest.fail(f"{await last.receive()} came before its turn")
        await two.send({"stop": True})
        assert (await last.receive())["position"] == WON


async def test_a_closed_page_ends_its_search(endless: Browser) -> None:
    path = "/analysis"
    async with endless.tab(path) as one, endless.tab(path) as two, endless.tab(path) as last:
        await make_ready(one)
        for tab, position in ((one, START), (two, START), (last, WON)):
            await tab.send({"position": position})
            await trio.testing.wait_all_tasks_blocked()
        await two.raw({"type": "websocket.disconnect", "code": 1001})
        assert (await last.receive())["position"] == WON


async def test_a_missing_engine_is_reported() -> None:
    def fail(_progress: Callable[[str], None], /, *_players: int) -> None:
        raise MemoryError("no room")

    async with browser_of(SharedEngine(prepare=fail)).tab("/analysis") as tab:
        await tab.send({"position": START})
        assert "is being prepared" in (await tab.receive())["refused"]
        assert (await tab.receive())["refused"] == "The engine is not available on this machine."


async def test_requests_are_read_while_the_engine_compiles() -> None:
    compiled = threading.Event()

    def compile_slowly(_progress: Callable[[str], None], /, *_players: int) -> None:
        compiled.wait()

    try:
        async with browser_of(SharedEngine(prepare=compile_slowly)).tab("/analysis") as tab:
            await tab.send({"position": START})
            assert "is being prepared" in (await tab.receive())["refused"]
            await tab.send({"position": "nonsense"})
            assert (await tab.receive())["code"] == "malformed"
    finally:
        compiled.set()


UNCLEAR = "A request needs a position and a jump rule (official or classroom)."
TOO_MANY = "Ask for 1 to 10 lines."


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({}, UNCLEAR),
        ({"position": 5}, UNCLEAR),
        ({"position": START, "jumps": "none"}, UNCLEAR),
        ({"position": START, "jumps": []}, UNCLEAR),
        ({"position": START, "lines": 0}, TOO_MANY),
        ({"position": START, "lines": 11}, TOO_MANY),
        ({"position": START, "lines": True}, TOO_MANY),
        ({"position": START, "lines": "3"}, TOO_MANY),
        ({"position": "<b>"}, "This position is not valid: "),
        ({"position": " /  / e1 e1 / 10 10 / 1"}, "This position is not valid: "),
    ],
)
async def test_invalid_requests_are_refused(browser: Browser, message: object, sentence: str) -> None:
    async with browser.tab("/analysis") as tab:
        await tab.send(message)
        answer = await tab.receive()
    assert answer["code"] == "malformed"
    assert answer["refused"].startswith(sentence)
