"""The numbers of games that people play one after another, in memory."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import trio
from attrs import frozen
from starlette.types import ASGIApp
from trio.testing import MockClock

from quoridor_net.players import Seating
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Position, Step
from quoridor_net.web.board import Board
from quoridor_net.web.games import FIRST_NUMBERS, KEPT_GAMES, Boards, draw_first_number
from quoridor_net.web.play import MAX_GAMES, OwnGames
from quoridor_net.web.remote import RemoteSeats
from quoridor_net.web.sites import play as site_of
from quoridor_net.web.sites import seats as site_of_seats
from tests.support.browser import Browser, Tab, in_memory
from tests.support.site import events_of


@frozen
class Start:
    """A board against the engine, whose person moves first."""

    app: ASGIApp
    games: OwnGames
    board: int
    token: str

    @property
    def browser(self) -> Browser:
        return Browser(self.app)

    @asynccontextmanager
    async def seat(self) -> AsyncIterator[Tab]:
        async with self.browser.tab(f"/boards/{self.board}/live") as tab:
            await tab.send({"sit": self.token})
            await tab.until("seated")
            yield tab

    async def events(self, game: int) -> list[dict[str, Any]]:
        answer = await self.browser.get(f"/games/{game}/events.json")
        return [] if answer.status == 404 else answer.json["events"]


@asynccontextmanager
async def start(first: int = 7) -> AsyncIterator[Start]:
    async with trio.open_nursery() as nursery:
        games = OwnGames(nursery, SimplePlayer, first=first)
        app = in_memory(site_of(games))
        begun = (await Browser(app).post("/play", {"level": 1, "side": "first"})).json
        yield Start(app, games, begun["game"], begun["token"])
        nursery.cancel_scope.cancel()


async def resign(tab: Tab) -> None:
    await tab.send({"resign": True})
    await tab.until("game_ended")
    # Slowly enough for the rate limit.
    await trio.sleep(1)


async def wait_for_game(tab: Tab) -> int:
    number: int = (await tab.until("game"))["game"]
    return number


async def test_a_rematch_has_a_number_of_its_own(autojump_clock: MockClock) -> None:
    async with start() as began, began.seat() as tab:
        await tab.send({"move": "(4, 1)", "ply": 0})
        await tab.until("move_made")
        await resign(tab)
        finished = await began.events(7)
        await tab.send({"rematch": True})
        assert await wait_for_game(tab) == 8
        assert (await tab.until("seated"))["seated"]["player"] == 2
        assert await began.events(7) == finished
        assert finished[-1]["event"] == "game_ended"
        assert [event["event"] for event in finished].count("move_made") >= 1
        saved = (await began.browser.get("/games/7/replay.txt")).body.decode()
        assert "resigned" in saved
        assert (await began.events(8))[0]["names"] == ["engine:level=1", "person"]
        # The link of the seat leads to the newest game.
        async with began.browser.tab(f"/boards/{began.board}/live") as again:
            assert await again.receive() == {"game": 8, "before": 7}


async def test_spectators_are_told_the_next_game(autojump_clock: MockClock) -> None:
    async with start() as began, began.seat() as tab:
        async with began.browser.tab("/games/7/live") as spectator:
            await resign(tab)
            await tab.send({"rematch": True})
            assert (await spectator.until("game_ended"))["winner"] == 2
            assert await spectator.receive() == {"next": 8}
            await spectator.send({"ping": True})
            assert await spectator.receive() == {"pong": True}
        # Somebody who opens the finished game later sees it, and the number of the next one.
        async with began.browser.tab("/games/7/live") as late:
            assert (await late.receive())["reset"][-1]["event"] == "game_ended"
            assert await late.receive() == {"next": 8}


async def test_a_spectator_of_a_board_sees_one_game_after_another(autojump_clock: MockClock) -> None:
    async with start() as began, began.seat() as tab, began.browser.tab("/boards/7/live") as spectator:
        await resign(tab)
        await tab.send({"rematch": True})
        assert await wait_for_game(spectator) == 7
        assert await wait_for_game(spectator) == 8
        told = (await spectator.until("reset"))["reset"]
        # Empty if the game has not started yet.
        started = told[0] if told else await spectator.until("game_started")
        assert started["names"] == ["engine:level=1", "person"]


async def test_a_double_click_asks_for_one_rematch(autojump_clock: MockClock) -> None:
    async with start() as began, began.seat() as tab:
        await resign(tab)
        await tab.send({"rematch": True})
        await tab.send({"rematch": True})
        assert await wait_for_game(tab) == 8
        await resign(tab)
        await trio.sleep(5)
        assert began.games.find(9) is None


async def test_the_numbers_of_finished_games_are_kept_within_a_bound(autojump_clock: MockClock) -> None:
    rematches = KEPT_GAMES + 5
    async with start(first=1) as began:
        async with began.browser.tab("/games/1/live") as spectator, began.seat() as tab:
            for number in range(2, rematches + 2):
                await resign(tab)
                await tab.send({"rematch": True})
                assert await wait_for_game(tab) == number
            assert (await spectator.until("next"))["next"] == 2
        numbers = [number for number in range(1, rematches + 9) if began.games.find(number) is not None]
        assert numbers == list(range(rematches + 1 - KEPT_GAMES, rematches + 2))
        async with began.browser.tab("/games/1/live") as tab:
            assert (await tab.receive())["code"] == "no_game"


async def test_finishing_many_games_does_not_push_out_those_of_others(autojump_clock: MockClock) -> None:
    boards = Boards[Board]()
    events = events_of([Step((1, 1)), Step((1, 0))], Position(3), ("ann", "bob"))

    def finish_game(address: str) -> int:
        number, live = boards.begin_game()
        board = Board(number, live, address=address)
        boards.add(number, board)
        for event in events:
            boards.show(board, event)
        boards.remove(number)
        return number

    others = [finish_game("10.0.0.1"), finish_game("10.0.0.2")]
    numbers = [finish_game("10.0.0.3") for _ in range(KEPT_GAMES)]
    kept = [number for number in others + numbers if boards.find(number) is not None]
    assert kept == others + numbers[2:]


async def test_a_finished_game_stays_when_its_board_makes_room(autojump_clock: MockClock) -> None:
    async with start(first=1) as began:
        async with began.seat() as tab:
            await resign(tab)
        for _ in range(MAX_GAMES):
            assert (await began.browser.post("/play", {})).status == 200
        assert began.games.board(1) is None
        assert (await began.events(1))[-1]["termination"] == "resigned"
        # Another game takes its place, and that one is not over.
        assert began.games.board(2) is not None


async def test_a_reload_after_the_end_knows_whose_seat_it_is(autojump_clock: MockClock) -> None:
    async with start() as began:
        async with began.seat() as tab:
            await resign(tab)
        async with began.browser.tab(f"/boards/{began.board}/live") as again:
            await again.send({"sit": began.token})
            seated = (await again.until("seated"))["seated"]
            assert (seated["player"], seated["can_undo"]) == (1, False)
            await again.send({"move": "(4, 1)", "ply": 0})
            assert (await again.until("refused"))["code"] == "game_over"


async def test_the_games_of_a_move_server_have_their_own_numbers(autojump_clock: MockClock) -> None:
    seats = RemoteSeats("ann", 2, first=7)
    app = in_memory(site_of_seats(seats))
    async with Browser(app).tab("/boards/1/live") as tab:
        assert await wait_for_game(tab) == 7
        for number in (7, 9):
            player = seats.make_player()
            await player.begin(Seating(1, ("ann", "bob"), Position()))
            await trio.sleep(1)
            await player.leave()
            events = json.loads((await Browser(app).get(f"/games/{number}/events.json")).body)["events"]
            assert [event["event"] for event in events] == ["game_started", "game_ended"]
        assert await wait_for_game(tab) == 9
        # The first game is still there.
        assert (await Browser(app).get("/games/7/events.json")).status == 200


def test_the_first_number_is_drawn() -> None:
    numbers = {draw_first_number() for _ in range(20)}
    assert len(numbers) > 1
    assert all(number in FIRST_NUMBERS for number in numbers)
