"""Analyses of finished games while browsers follow them, in memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from quoridor_net.engine import Limits
from quoridor_net.notation.standard import parse_move
from quoridor_net.players.engine import SharedEngine, think
from quoridor_net.rules import Position
from quoridor_net.web.analyses import PLIES_OF_TURN, Analyses
from quoridor_net.web.application import Site, application
from quoridor_net.web.engine_lines import EngineLines
from quoridor_net.web.games import LiveGames
from quoridor_net.web.live import LiveGame
from tests.support.browser import Browser, Tab
from tests.support.site import events_of

pytestmark = [pytest.mark.compiled("engine"), pytest.mark.threads]

#: Player 1 walks to its goal line.
MOVES = ["e2", "d9", "e3", "c9", "e4", "d9", "e5", "c9", "e6", "d9", "e7", "c9", "e8", "d9", "e9"]

#: Player 1 is one step from its goal line.
WON = " /  / d4 b3 / 0 0 / 1 / 5"

#: Limits of short searches, and of searches that end in decided positions only.
SHORT, ENDLESS = Limits(nodes=100), Limits(time=1e5)


def wait_until_ready(_progress: Callable[[str], None], /, *_players: int) -> None:
    """Do nothing, because the kernels are compiled before these tests."""


def play(live: LiveGame, moves: list[str] = MOVES) -> None:
    """Play a game."""
    for event in events_of([parse_move(move) for move in moves], Position(), ("host", "guest")):
        live(event)


class Room:
    """A site with two finished games."""

    def __init__(self, limits: Limits = SHORT, engine: SharedEngine | None = None) -> None:
        self.lives = {1: LiveGame(), 2: LiveGame()}
        lines = EngineLines(engine or SharedEngine(prepare=wait_until_ready))
        games = LiveGames(self.lives)
        routes = (*Analyses(games, lines, limits).routes, *lines.routes)
        self.app = application(Site("play", "Quoridor", games, routes=routes))
        for live in self.lives.values():
            play(live)

    def browser(self, address: str = "192.0.2.1") -> Browser:
        return Browser(self.app, address=address)


async def receive_plies(tab: Tab, count: int) -> list[Any]:
    """Return the next ``count`` plies."""
    found: list[Any] = []
    while len(found) < count:
        match await tab.receive():
            case {"reset": plies} | [*plies]:
                found += plies
    return found


async def test_a_finished_game_is_analysed_once_for_all_browsers() -> None:
    assert len(MOVES) > PLIES_OF_TURN
    room = Room()
    async with (
        room.browser().tab("/games/1/analysis") as one,
        room.browser("192.0.2.2").tab("/games/1/analysis") as two,
    ):
        plies = await receive_plies(one, len(MOVES))
        assert [(ply["ply"], ply["move"]) for ply in plies] == list(enumerate(MOVES, 1))
        accuracy = await one.receive()
        assert [0 <= each <= 100 for each in accuracy["accuracy"]] == [True, True]
        assert (await receive_plies(two, len(MOVES)), await two.receive()) == (plies, accuracy)


async def test_a_running_game_has_no_analysis() -> None:
    room = Room()
    play(room.lives[1], MOVES[:4])
    async with room.browser().tab("/games/1/analysis") as tab:
        assert (await tab.receive())["code"] == "no_game"


async def search(asker: Tab) -> None:
    """Ask for a search of a decided position, and wait for the answer."""
    await asker.send({"position": WON})
    while "lines" not in await asker.receive():
        pass


async def test_an_address_has_one_analysis_in_progress() -> None:
    room = Room(ENDLESS)
    async with room.browser("192.0.2.3").tab("/analysis") as asker:
        await search(asker)
        async with room.browser().tab("/games/1/analysis"), room.browser().tab("/games/2/analysis"):
            await wait_all_tasks_blocked()
            await search(asker)
            async with room.browser("192.0.2.2").tab("/games/2/analysis"):
                await wait_all_tasks_blocked()
                with trio.move_on_after(0.01):
                    await search(asker)
                    pytest.fail("the search came before its turn")
            # This browser has left, so its analysis has ended.
            await search(asker)


async def test_players_do_not_wait_for_analyses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    room = Room(ENDLESS)
    async with room.browser("192.0.2.3").tab("/analysis") as asker:
        await search(asker)
        async with (
            room.browser().tab("/games/1/analysis"),
            room.browser("192.0.2.2").tab("/games/2/analysis"),
        ):
            await wait_all_tasks_blocked()
            with trio.fail_after(30):
                assert await think(lambda _abandoned: "a move", lambda: None) == "a move"


async def test_a_missing_engine_is_reported() -> None:
    def fail(_progress: Callable[[str], None], /, *_players: int) -> None:
        raise MemoryError("no room")

    async with Room(engine=SharedEngine(prepare=fail)).browser().tab("/games/1/analysis") as tab:
        said = [await tab.receive() for _ in range(3)]
    assert [each["refused"] for each in said if "refused" in each] == [
        "The engine is being prepared. This takes up to a minute.",
        "The engine is not available on this machine.",
    ]
