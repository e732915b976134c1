"""Games that people start in the browser, in memory, with simple players as engines."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from attrs import frozen
from starlette.types import ASGIApp
from trio.testing import MockClock, wait_all_tasks_blocked

from quoridor_net.events import MoveMade
from quoridor_net.moves import Square, Step
from quoridor_net.players import Clock
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.replay import parse_replay
from quoridor_net.rules import Move, Position
from quoridor_net.web.play import ABANDONED_TIME, LEFT_TIME, MAX_GAMES, OwnGames
from quoridor_net.web.refusals import RefusedError
from quoridor_net.web.seat import WebPlayer
from quoridor_net.web.sites import play as site_of
from quoridor_net.web.turns import Turns
from tests.support.browser import Browser, Tab, in_memory


@frozen
class Offer:
    app: ASGIApp
    games: OwnGames
    levels: list[int]

    @property
    def browser(self) -> Browser:
        return Browser(self.app)

    async def begin_at(self, address: str) -> int:
        """Start a game from an address; return its number, or 0 if there is no room."""
        answer = await Browser(self.app, address=address).post("/play", {})
        assert answer.status in {200, 503}
        return answer.json.get("game", 0)  # type: ignore[no-any-return]

    @property
    def numbers(self) -> list[int]:
        """Return the numbers of all games."""
        return [number for number in range(1, 100) if self.games.find(number) is not None]

    async def begin(self, **wish: Any) -> tuple[int, str]:
        answer = await self.browser.post("/play", wish)
        assert answer.status == 200, answer.body
        return answer.json["game"], answer.json["token"]


@asynccontextmanager
async def offer() -> AsyncIterator[Offer]:
    levels: list[int] = []

    def make_engine(level: int) -> SimplePlayer:
        levels.append(level)
        return SimplePlayer(level)

    async with trio.open_nursery() as nursery:
        games = OwnGames(nursery, make_engine)
        yield Offer(in_memory(site_of(games)), games, levels)
        nursery.cancel_scope.cancel()


async def play_on(tab: Tab, first: dict[str, Any] | None = None) -> dict[str, Any]:
    """Play simple moves until the game is over; return its last event."""
    # Slowly enough for the rate limit.
    asked = first or await tab.until("move_requested")
    me = asked["player"]
    position, ply = " /  / e1 e9 / 10 10 / 1", asked["ply"]
    while True:
        move = await SimplePlayer(1).choose(Position.from_line(position), Clock())
        await trio.sleep(1)
        await tab.send({"move": str(move), "ply": ply})
        while True:
            said = await tab.receive()
            events = said if isinstance(said, list) else [said]
            for event in events:
                assert "refused" not in event, event
                position = event.get("position", position)
            if events[-1].get("event") == "game_ended":
                return events[-1]  # type: ignore[no-any-return]
            if events[-1].get("event") == "move_requested" and events[-1]["player"] == me:
                ply = events[-1]["ply"]
                break


async def sit(tab: Tab, token: str) -> list[dict[str, Any]]:
    """Take the seat; return the events of the game so far."""
    events = (await tab.until("reset"))["reset"]
    await tab.send({"sit": token})
    await tab.until("seated")
    return events  # type: ignore[no-any-return]


async def test_an_error_in_one_game_does_not_end_others(autojump_clock: MockClock) -> None:
    sentences: list[str] = []

    def make_engine(level: int) -> SimplePlayer:
        if level == 7:
            raise MemoryError("too large")
        return SimplePlayer(level)

    async with trio.open_nursery() as nursery:
        games = OwnGames(nursery, make_engine, report=sentences.append)
        offered = Offer(in_memory(site_of(games)), games, [])
        number, token = await offered.begin(level=3)
        await offered.begin(level=7)
        await trio.testing.wait_all_tasks_blocked()
        assert sentences == ["ERROR: internal error in the web view: MemoryError('too large')"]
        async with offered.browser.tab(f"/boards/{number}/live") as tab:
            events = await sit(tab, token)
            assert (await play_on(tab, events[-1]))["termination"] == "goal"
        nursery.cancel_scope.cancel()


async def test_a_person_plays_the_engine_and_asks_for_a_rematch(autojump_clock: MockClock) -> None:
    async with offer() as offered:
        number, token = await offered.begin(level=3)
        async with offered.browser.tab(f"/boards/{number}/live") as tab:
            events = await sit(tab, token)
            assert events[0]["names"] == ["person", "engine:level=3"]
            assert events[-1] == {"event": "move_requested", "player": 1, "ply": 0, "left": None}
            ended = await play_on(tab, events[-1])
            assert ended["termination"] == "goal"
            saved = await offered.browser.get(f"/games/{number}/replay.txt")
            game = parse_replay(saved.body.decode())
            assert game.complete
            assert len(game.plies) == ended["plies"]
            assert saved.headers["content-disposition"] == f'attachment; filename="game-{number}.qtp"'
            await tab.send({"rematch": True})
            started = (await tab.until("reset"))["reset"]
            assert started[0]["names"] == ["engine:level=3", "person"]
            assert (await tab.until("seated"))["seated"]["player"] == 2
        # Hints come from the strongest level.
        assert offered.levels == [10, 3, 10, 3]


async def test_the_level_of_a_rematch_follows_the_result(autojump_clock: MockClock) -> None:
    async with offer() as offered:
        number, token = await offered.begin(level=3, auto_level=True)
        async with offered.browser.tab(f"/boards/{number}/live") as tab:
            await tab.send({"sit": token})
            seated = (await tab.until("seated"))["seated"]
            assert seated["next_levels"] == {"won": 4, "drawn": 3, "lost": 2}
            await tab.send({"resign": True})
            await tab.until("game_ended")
            await tab.send({"rematch": True})
            assert (await tab.until("reset"))["reset"][0]["names"] == ["engine:level=2", "person"]
            assert (await tab.until("seated"))["seated"]["next_levels"] == {"won": 3, "drawn": 2, "lost": 1}


async def test_a_move_that_a_browser_repeats_is_made_once(autojump_clock: MockClock) -> None:
    async with offer() as offered:
        number, token = await offered.begin(level=3)
        async with offered.browser.tab(f"/boards/{number}/live") as tab:
            await sit(tab, token)
            await tab.send({"move": "(4, 1)", "ply": 0})
            await tab.send({"move": "(4, 1)", "ply": 0})
            # The engine answers.
            await trio.sleep(1)
            await tab.send({"move": "(4, 1)", "ply": 0})
            await tab.send({"move": "(3, 0)", "ply": 0})
            assert (await tab.until("refused"))["code"] == "stale"
        events = json.loads((await offered.browser.get(f"/games/{number}/events.json")).body)["events"]
        assert [event["ply"] for event in events if event["event"] == "move_made"] == [1, 2]


async def test_a_ping_is_answered(autojump_clock: MockClock) -> None:
    async with offer() as offered:
        number, _ = await offered.begin(level=3)
        async with offered.browser.tab(f"/boards/{number}/live") as tab:
            await tab.send({"ping": True})
            assert await tab.until("pong") == {"pong": True}


@pytest.mark.parametrize(
    ("wish", "names"),
    [
        ({}, ["person", "engine:level=4"]),
        ({"side": "second", "level": 1}, ["engine:level=1", "person"]),
        ({"players": 4, "level": 2}, ["person", *["engine:level=2"] * 3]),
        ({"players": 4, "side": "second", "level": 2}, [*["engine:level=2"] * 3, "person"]),
        ({"size": 5, "walls": 3, "jumps": "classroom", "level": None}, ["person", "engine:level=4"]),
    ],
)
async def test_games_have_the_requested_settings(
    autojump_clock: MockClock, wish: dict[str, Any], names: list[str]
) -> None:
    async with offer() as offered:
        number, token = await offered.begin(**wish)
        async with offered.browser.tab(f"/boards/{number}/live") as tab:
            start = (await sit(tab, token))[0]
        assert start["names"] == names
        assert start["size"] == wish.get("size", 9)
        assert start["jumps"] == wish.get("jumps", "official")
        if "walls" in wish:
            assert start["position"] == " /  / c1 c5 / 3 3 / 1 / 5"


@pytest.mark.parametrize(
    "wish",
    [
        {"level": 0},
        {"level": 11},
        {"level": True},
        {"level": "3"},
        {"size": 2},
        {"size": 10**9},
        {"walls": -1},
        {"walls": 10**6},
        {"players": 3},
        {"players": 2.0},
        {"players": [2]},
        {"side": "third"},
        {"side": ["first"]},
        {"jumps": "any"},
        {"jumps": {}},
        {"engine": "rm"},
        {"opponent": "mallory"},
        {"opponent": "friend", "players": 4},
        {"auto_level": 1},
        {"clock": "soon"},
        {"clock": 300},
        {"clock": "0+5"},
        {"clock": "999999"},
        [],
        "level",
        1,
    ],
)
async def test_invalid_settings_are_refused(wish: object) -> None:
    async with offer() as offered:
        answer = await offered.browser.post("/play", wish)
        assert answer.status == 400
        assert answer.json["error"].endswith(".")
        assert offered.games.find(1) is None


async def test_only_pages_of_the_site_start_games() -> None:
    async with offer() as offered:
        foreign = Browser(offered.app, "http://evil.example")
        assert (await foreign.post("/play", {})).status == 403
        # A form of another site can send these without a preflight request.
        assert (await offered.browser.post("/play", {}, content_type="text/plain")).status == 400
        assert offered.games.find(1) is None


async def test_the_token_of_one_game_does_not_open_another(autojump_clock: MockClock) -> None:
    async with offer() as offered:
        _, first = await offered.begin()
        number, _ = await offered.begin()
        async with offered.browser.tab(f"/boards/{number}/live") as tab:
            await tab.send({"sit": first})
            assert (await tab.until("refused"))["code"] == "no_seat"


async def test_the_number_of_games_is_limited(autojump_clock: MockClock) -> None:
    async with offer() as offered:
        for _ in range(MAX_GAMES):
            await offered.begin()
        refused = await offered.browser.post("/play", {})
        assert refused.status == 503
        assert "Try again later" in refused.json["error"]
        async with offered.browser.tab("/boards/1/live"):
            await trio.sleep(ABANDONED_TIME)
            number, _ = await offered.begin()
            assert offered.games.find(1) is not None
        assert number == MAX_GAMES + 1
        assert offered.games.find(2) is None
        # A reloaded page finds its game.
        await offered.begin()
        assert offered.games.find(1) is not None


async def test_games_that_a_person_left_make_room_for_that_person(autojump_clock: MockClock) -> None:
    async with offer() as offered:
        assert await offered.begin_at("ann") == 1
        async with offered.browser.tab("/boards/1/live") as tab:
            assert await tab.until("reset")
            for number in range(2, MAX_GAMES + 1):
                assert await offered.begin_at("ann") == number
            # A browser may be reconnecting to one of them.
            assert await offered.begin_at("ann") == 0
            await trio.sleep(LEFT_TIME)
            assert await offered.begin_at("ann") == MAX_GAMES + 1
        assert offered.numbers == [1, *range(3, MAX_GAMES + 2)]


async def test_no_address_shuts_out_others_by_starting_many_games(autojump_clock: MockClock) -> None:
    async with offer() as offered:
        for number in range(1, MAX_GAMES + 1):
            assert await offered.begin_at("greedy") == number
            await trio.sleep(1)
        assert await offered.begin_at("greedy") == 0
        # The game idle for longest makes room first; games with spectators come last.
        async with offered.browser.tab("/boards/1/live") as tab:
            assert await tab.until("reset")
            assert await offered.begin_at("ann") == MAX_GAMES + 1
            assert await offered.begin_at("bob") == MAX_GAMES + 2
            assert offered.numbers == [1, *range(4, MAX_GAMES + 3)]
            # Until the numbers differ by one at most: greedy 3, ann 3, bob 1; then bob 2 and cid 1.
            begun = [await offered.begin_at(name) for name in ("ann", "ann", "ann", "bob", "cid")]
            assert [number > 0 for number in begun] == [True, True, False, True, True]
            assert 1 in offered.numbers
        assert len(offered.numbers) == MAX_GAMES


async def test_spectators_see_that_their_game_was_removed(autojump_clock: MockClock) -> None:
    async with offer() as offered:
        number, token = await offered.begin()
        async with offered.browser.tab(f"/boards/{number}/live") as tab:
            await sit(tab, token)
            for _ in range(MAX_GAMES - 1):
                await offered.begin()
            for name in "abcdefg":
                assert await offered.begin_at(name) > 0
            # Two games of an address are more than any other has.
            assert offered.numbers[0] == number
            assert await offered.begin_at("127.0.0.1") == 0
            offered.games._end(number)
            assert (await tab.until("game_ended"))["termination"] == "aborted"
            await tab.send({"rematch": True})
            assert (await tab.until("refused"))["code"] == "not_possible"
            await tab.send({"move": "(4, 1)", "ply": 0})
            assert (await tab.until("refused"))["code"] == "game_over"


class Adviser(SimplePlayer):
    """An adviser that thinks for a second about each hint."""

    def __init__(self, asked: list[str], name: str) -> None:
        super().__init__(0)
        self._asked = asked
        self._name = name

    async def choose(self, position: Position, clock: Clock) -> Move:
        self._asked.append(self._name)
        await trio.sleep(1)
        return await super().choose(position, clock)


async def test_hints_are_shared_fairly_among_addresses(autojump_clock: MockClock) -> None:
    turns, asked, stale = Turns(1), list[str](), list[tuple[str, str]]()
    players = [WebPlayer(name, Adviser(asked, name), turns=turns) for name in ("a1", "a2", "a3", "b1")]

    async def ask(player: WebPlayer) -> None:
        try:
            await player.hint(player.name[0])
        except RefusedError as error:
            stale.append((player.name, error.code))

    async with trio.open_nursery() as nursery:
        for player in players:
            nursery.start_soon(player.choose, Position(), Clock())
        await wait_all_tasks_blocked()
        for player in players:
            nursery.start_soon(ask, player)
            await wait_all_tasks_blocked()
        # The move belongs to the position of the hint.
        await players[2].notify(MoveMade(1, Step(Square(4, 1)), 1, 1.0, Position()))
        await trio.sleep(10)
        nursery.cancel_scope.cancel()
    assert asked == ["a1", "b1", "a2"]
    assert stale == [("a3", "stale")]


async def test_the_page_knows_the_default_settings() -> None:
    async with offer() as offered:
        about = (await offered.browser.get("/site.json")).json
        assert about["mode"] == "play"
        assert about["defaults"] == {
            "level": 4,
            "side": "first",
            "size": 9,
            "walls": None,
            "players": 2,
            "jumps": "official",
            "opponent": "engine",
            "clock": None,
            "auto_level": False,
        }
