"""The live analysis of a game, in memory."""

from __future__ import annotations

from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from quoridor_net.analysis import BestLine, Mark, PlyAnalysis
from quoridor_net.analysis.encoding import as_object
from quoridor_net.players.engine import SharedEngine
from quoridor_net.replay import parse_game
from quoridor_net.web.application import Site, application
from quoridor_net.web.engine_lines import EngineLines
from quoridor_net.web.game_analysis import GameAnalysis
from quoridor_net.web.messages import PATIENCE
from quoridor_net.web.sites import analysis
from tests.support.browser import Browser, ClosedError, Tab

GAME = parse_game("e2 e8 e3 e7", partial=True)
PATH = "/games/1/analysis"


def plies() -> list[PlyAnalysis]:
    found = []
    for number, ply in enumerate(GAME.plies, 1):
        assert ply.move is not None
        line = BestLine((ply.move,), 10, 0.52, None)
        is_bad = number == 3
        found.append(
            PlyAnalysis(
                number,
                ply.player,
                ply.move,
                (line,),
                line,
                0.1 if is_bad else 0.0,
                Mark.MISTAKE if is_bad else None,
            )
        )
    return found


def site_of(game: GameAnalysis) -> Site:
    return analysis(game, EngineLines(SharedEngine()))


async def receive_analysis(tab: Tab) -> tuple[list[Any], list[float]]:
    """Return the plies and the final accuracies that a browser receives."""
    found: list[Any] = (await tab.receive())["reset"]
    while True:
        message = await tab.receive()
        if isinstance(message, dict):
            return found, message["accuracy"]
        found += message


async def test_the_site_reports_its_mode() -> None:
    browser = Browser(application(site_of(GameAnalysis(GAME))))
    assert (await browser.get("/site.json")).json["mode"] == "analysis"
    assert len((await browser.get("/games/1/events.json")).json["events"]) == 5


@pytest.mark.parametrize("before", range(5))
async def test_each_browser_gets_every_ply_once(before: int, autojump_clock: MockClock) -> None:
    game = GameAnalysis(GAME)
    browser = Browser(application(site_of(game)))
    for ply in plies()[:before]:
        game.add(ply)
    async with browser.tab(PATH) as tab:
        await wait_all_tasks_blocked()
        for ply in plies()[before:]:
            game.add(ply)
            await wait_all_tasks_blocked()
        game.finish()
        found, accuracy = await receive_analysis(tab)
    assert found == [as_object(ply) for ply in plies()]
    assert accuracy == [81.8, 100.0]
    async with browser.tab(PATH) as late:
        assert await receive_analysis(late) == (found, accuracy)


async def test_plies_are_sent_as_they_arrive(autojump_clock: MockClock) -> None:
    game = GameAnalysis(GAME)
    async with Browser(application(site_of(game))).tab(PATH) as tab:
        assert await tab.receive() == {"reset": []}
        game.add(plies()[0])
        assert await tab.receive() == [as_object(plies()[0])]


async def test_other_games_have_no_analysis(autojump_clock: MockClock) -> None:
    async with Browser(application(site_of(GameAnalysis(GAME)))).tab("/games/2/analysis") as tab:
        assert (await tab.receive())["code"] == "no_game"


async def test_messages_are_refused(autojump_clock: MockClock) -> None:
    async with Browser(application(site_of(GameAnalysis(GAME)))).tab(PATH) as tab:
        assert await tab.receive() == {"reset": []}
        for _ in range(PATIENCE):
            # Slowly enough for the rate limit.
            await trio.sleep(1)
            await tab.send({"move": "(4, 1)", "ply": 0})
            assert (await tab.receive())["code"] == "malformed"
        with pytest.raises(ClosedError):
            await tab.receive()
