"""Refusals of a site: pages of other sites, unknown host names, and invalid messages."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from attrs import frozen
from starlette.types import ASGIApp, Message
from starlette.websockets import WebSocket
from trio.testing import MockClock, wait_all_tasks_blocked

from quoridor_net.match import MatchSettings, play_match
from quoridor_net.outcome import Result, Termination
from quoridor_net.web import messages
from quoridor_net.web.application import Site
from quoridor_net.web.live import LiveGame
from quoridor_net.web.messages import BURST, MAX_MESSAGE, PATIENCE, sender
from quoridor_net.web.seat import Seat, WebPlayer
from quoridor_net.web.sites import tournament as site_of
from quoridor_net.web.tournament import TournamentFeed
from tests.support.browser import NAME, Browser, ClosedError, Tab, in_memory
from tests.support.site import seat_people
from tests.tournament.quoridor.test_leaderboard import Course


@frozen
class Table:
    """A game between two people at browsers."""

    app: ASGIApp
    live: LiveGame
    seats: tuple[Seat, Seat]
    results: list[Result]

    @property
    def plies(self) -> int:
        events = json.loads(self.live.document())["events"]
        return sum(event["event"] == "move_made" for event in events)


@asynccontextmanager
async def table() -> AsyncIterator[Table]:
    seats, results = (Seat(1), Seat(1)), list[Result]()
    games, live = seat_people(*seats)
    players = [WebPlayer("ann", takes_back=True), WebPlayer("bob", takes_back=True)]
    for number, (seat, player) in enumerate(zip(seats, players, strict=True), 1):
        seat.take(player, number)
    site = Site("play", "Quoridor", games, frozenset({"seats"}))

    async def play() -> None:
        results.append(await play_match(players, MatchSettings(takes_back=True), [live]))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(play)
        await wait_all_tasks_blocked()
        yield Table(in_memory(site), live, seats, results)
        nursery.cancel_scope.cancel()


async def sit(tab: Tab, seat: Seat) -> Any:
    await tab.send({"sit": seat.token})
    return (await tab.until("seated"))["seated"]


FIRST = {"move": "(4, 1)", "ply": 0}


async def test_the_holder_of_the_link_moves(autojump_clock: MockClock) -> None:
    async with table() as playing, Browser(playing.app).tab("/boards/1/live") as tab:
        assert await sit(tab, playing.seats[0]) == {
            "player": 1,
            "can_undo": True,
            "can_hint": True,
            "can_rematch": False,
            "next_levels": None,
        }
        await tab.send(FIRST)
        assert (await tab.until("move_made"))["move"] == "(4, 1)"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (FIRST, "no_seat"),
        ({"resign": True}, "no_seat"),
        ({"undo": True}, "no_seat"),
        ({"hint": True}, "no_seat"),
        ({"rematch": True}, "no_seat"),
        ({"sit": "1-guessed"}, "no_seat"),
        ({"sit": ""}, "no_seat"),
        ({"sit": "1-\ud800"}, "no_seat"),
        ({"sit": 1}, "malformed"),
    ],
)
async def test_a_spectator_changes_nothing(
    autojump_clock: MockClock, message: dict[str, object], code: str
) -> None:
    async with table() as playing, Browser(playing.app).tab("/boards/1/live") as tab:
        await tab.send(message)
        assert (await tab.until("refused"))["code"] == code
        assert playing.plies == 0
        assert not playing.results


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"move": "(4, 3)", "ply": 0}, "illegal_move"),
        ({"move": "[(8, 8), h]", "ply": 0}, "illegal_move"),
        ({"move": "up", "ply": 0}, "malformed"),
        ({"move": "", "ply": 0}, "malformed"),
        ({"move": 4, "ply": 0}, "malformed"),
        ({"move": None, "ply": 0}, "malformed"),
        ({"move": "(4, 1)", "ply": True}, "malformed"),
        ({"move": "(4, 1)", "ply": "0"}, "malformed"),
        ({"move": "(4, 1)"}, "malformed"),
        ({"move": "(4, 1)", "ply": 1}, "stale"),
        ({"move": "(4, 1)", "ply": 10**30}, "stale"),
        ({"move": "(4, 1)", "ply": -1}, "stale"),
        ({"undo": True}, "not_possible"),
        ({"rematch": True}, "not_possible"),
        ({"resign": False}, "malformed"),
        ({}, "malformed"),
        ("", "malformed"),
        ("{", "malformed"),
        ("[]", "malformed"),
        ("1", "malformed"),
        ("[" * 2000, "malformed"),
        ("NaN", "malformed"),
    ],
)
async def test_invalid_messages_of_a_player_change_nothing(
    autojump_clock: MockClock, message: object, code: str
) -> None:
    async with table() as playing, Browser(playing.app).tab("/boards/1/live") as tab:
        await sit(tab, playing.seats[0])
        await tab.send(message)
        assert (await tab.until("refused"))["code"] == code
        assert playing.plies == 0
        # The game continues.
        await tab.send(FIRST)
        await tab.until("move_made")


async def test_moves_out_of_turn_are_refused(autojump_clock: MockClock) -> None:
    async with table() as playing, Browser(playing.app).tab("/boards/1/live") as tab:
        await sit(tab, playing.seats[1])
        await tab.send({"move": "(4, 7)", "ply": 0})
        assert (await tab.until("refused"))["code"] == "out_of_turn"
        await tab.send({"hint": True})
        assert (await tab.until("refused"))["code"] == "out_of_turn"
        assert playing.plies == 0


async def test_a_player_takes_moves_back_and_gets_hints(autojump_clock: MockClock) -> None:
    async with table() as playing, Browser(playing.app).tab("/boards/1/live") as tab:
        await sit(tab, playing.seats[0])
        await tab.send({"hint": True})
        hint = (await tab.until("hint"))["hint"]
        assert hint["ply"] == 0
        await tab.send({"move": hint["move"], "ply": 0})
        await tab.until("move_made")
        async with Browser(playing.app).tab("/boards/1/live") as other:
            await sit(other, playing.seats[1])
            await other.send({"move": "(4, 7)", "ply": 1})
            await other.until("move_made")
        await tab.send({"undo": True})
        assert (await tab.until("moves_taken_back"))["plies"] == 2
        await tab.send({"undo": True})
        assert (await tab.until("refused"))["code"] == "not_possible"
        await tab.send(FIRST)
        assert (await tab.until("move_made"))["ply"] == 1


@pytest.mark.parametrize("player", [1, 2])
async def test_resigning_loses_during_any_players_turn(autojump_clock: MockClock, player: int) -> None:
    async with table() as playing, Browser(playing.app).tab("/boards/1/live") as tab:
        await sit(tab, playing.seats[player - 1])
        await tab.send({"resign": True})
        assert (await tab.until("game_ended"))["winner"] == 3 - player
        assert playing.results[0].termination is Termination.RESIGNED
        await tab.send(FIRST)
        assert (await tab.until("refused"))["code"] == "game_over"


@pytest.mark.parametrize(
    "origin", [None, "http://evil.example", "null", "http://localhost", "http://localhost:8001", "file://"]
)
async def test_pages_of_other_sites_change_nothing(autojump_clock: MockClock, origin: str | None) -> None:
    async with table() as playing:
        browser = Browser(playing.app, origin)
        async with browser.tab("/boards/1/live") as tab:
            await tab.send({"sit": playing.seats[0].token})
            await tab.send(FIRST)
            await expect_close(tab, 403)
        assert (await browser.post("/replay", b"")).status == 403
        await trio.sleep(1)
        assert playing.plies == 0


@pytest.mark.parametrize("name", ["origin", "host"])
@pytest.mark.parametrize("value", ["evil.example", NAME])
async def test_requests_with_a_duplicated_header_change_nothing(
    autojump_clock: MockClock, name: str, value: str
) -> None:
    more = [(name, value if name == "host" else f"http://{value}")]
    async with table() as playing:
        browser = Browser(playing.app, more=more)
        status = 421 if name == "host" else 403
        async with browser.tab("/boards/1/live") as tab:
            await tab.send({"sit": playing.seats[0].token})
            await tab.send(FIRST)
            await expect_close(tab, status)
        assert (await browser.post("/replay", b"")).status == status
        await trio.sleep(1)
        assert playing.plies == 0


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example", 421),
        ("evil.example:8000", 421),
        ("", 421),
        ("127.0.0.1.evil.example:8000", 421),
        ("localhost", 200),
        ("LOCALHOST:8000", 200),
        ("127.0.0.1:8000", 200),
        ("[::1]:8000", 200),
        ("[::1]", 200),
        ("localhost:x", 421),
        ("192.168.1.7:80", 200),
    ],
)
async def test_only_host_names_of_this_machine_are_accepted(host: str, status: int) -> None:
    """Another site must not reach this machine under its own name (DNS rebinding)."""
    async with table() as playing:
        browser = Browser(playing.app, f"http://{host}", host)
        assert (await browser.get("/site.json")).status == status


async def test_every_response_has_security_headers() -> None:
    async with table() as playing:
        for path in ("/site.json", "/games/1/events.json", "/games/9/events.json", "/static/none.js"):
            headers = (await Browser(playing.app).get(path)).headers
            assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
            assert "unsafe" not in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/static/../seat.py", "/static/%2e%2e/seat.py", "/static//etc/passwd"])
async def test_only_files_of_the_page_are_served(path: str) -> None:
    async with table() as playing:
        assert (await Browser(playing.app).get(path)).status == 404


async def test_a_message_that_is_too_long_ends_the_connection(autojump_clock: MockClock) -> None:
    async with table() as playing, Browser(playing.app).tab("/boards/1/live") as tab:
        await sit(tab, playing.seats[0])
        await tab.send({"move": "(4, 1)", "ply": 0, "more": "x" * MAX_MESSAGE})
        await expect_close(tab, 1009)
        assert playing.plies == 0


@pytest.mark.parametrize("message", [{"bytes": b"{}"}, {"bytes": b"{}", "text": None}])
async def test_a_binary_message_is_refused(autojump_clock: MockClock, message: dict[str, object]) -> None:
    async with table() as playing, Browser(playing.app).tab("/boards/1/live") as tab:
        await tab.raw({"type": "websocket.receive", **message})
        assert (await tab.until("refused"))["code"] == "malformed"


async def test_too_many_messages_end_the_connection(autojump_clock: MockClock) -> None:
    async with table() as playing, Browser(playing.app).tab("/boards/1/live") as tab:
        for _ in range(BURST):
            await tab.send({"resign": "please"})
        await tab.send(FIRST)
        await expect_close(tab, 1008)
        assert playing.plies == 0


async def test_the_rate_limit_recovers_after_a_while(autojump_clock: MockClock) -> None:
    async with table() as playing, Browser(playing.app).tab("/boards/1/live") as tab:
        await sit(tab, playing.seats[0])
        for _ in range(BURST - 1):
            await tab.send({"hello": "there"})
        await trio.sleep(10)
        await tab.send(FIRST)
        await tab.until("move_made")


async def test_too_many_refused_messages_end_the_connection(autojump_clock: MockClock) -> None:
    async with table() as playing, Browser(playing.app).tab("/boards/1/live") as tab:
        for _ in range(PATIENCE):
            await tab.send("nonsense")
            await trio.sleep(1)
        await expect_close(tab, 1008)
        assert playing.live.spectators == 0


async def test_a_game_that_does_not_exist_cannot_be_followed() -> None:
    async with table() as playing:
        for path in ("/boards/2/live", "/games/2/live"):
            async with Browser(playing.app).tab(path) as tab:
                assert (await tab.receive())["code"] == "no_game"
                await expect_close(tab, 1000)
        assert (await Browser(playing.app).get("/games/2/events.json")).json == {
            "error": "This game does not exist.",
            "phrase": {"code": "refusal.no_game", "values": {}},
        }


async def expect_close(tab: Tab, code: int) -> None:
    with pytest.raises(ClosedError) as closed:
        await tab.until("never")
    assert closed.value.code == code


async def test_tokens_are_long_and_unique() -> None:
    tokens = {Seat(3).token for _ in range(100)}
    assert len(tokens) == 100
    assert all(token.startswith("3-") and len(token) >= 24 for token in tokens)
    assert not Seat(1).admits(Seat(1).token)


async def test_nothing_is_sent_while_a_connection_closes(autojump_clock: MockClock) -> None:
    """Found by fuzzing: a move was sent while the connection closed for a message that was too long."""
    sent: list[str] = []

    async def receive() -> Message:
        await trio.lowlevel.checkpoint()
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message["type"])
        await trio.sleep(1)

    socket = WebSocket({"type": "websocket"}, receive, send)
    await socket.accept()
    tell = sender(socket)
    await tell("one")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(socket.close)
        await wait_all_tasks_blocked()
        await tell("two")
    await tell("three")
    assert sent == ["websocket.accept", "websocket.send", "websocket.close"]


#: Longer than the numbers that Python converts, and that a database holds.
LONG_NUMBERS = ("9" * 5000, "9" * 20, str(2**63), str(10**9))


@pytest.mark.threads
@pytest.mark.parametrize("number", LONG_NUMBERS, ids=len)
async def test_a_number_of_any_length_is_that_of_nothing(number: str, tmp_path: Path) -> None:
    course = Course(tmp_path / "league.db")
    course.play(2, 3, 1)
    browser = Browser(in_memory(site_of(TournamentFeed(course.state, course.path, "t", "league"))))
    for path in (
        *(f"/tournament/entrants/{number}.json", f"/games/{number}/events.json"),
        f"/games/{number}/replay.txt",
    ):
        answer = await browser.get(path)
        assert (answer.status, "error" in answer.json) == (404, True), path
    for path in (f"/games/{number}", f"/games/1/{number}", f"/boards/{number}", f"/puzzles/{number}"):
        answer = await browser.get(path)
        assert (answer.status, answer.headers["location"].endswith(f"#{path}")) == (307, True)
    games = (await browser.get(f"/tournament/games.json?offset={number}&limit={number}")).json
    assert games["games"] == []
    for path in (f"/games/{number}/live", f"/boards/{number}/live"):
        async with browser.tab(path) as tab:
            assert (await tab.receive())["code"] == "no_game"


async def test_a_message_with_a_number_of_any_length_is_refused(autojump_clock: MockClock) -> None:
    async with table() as playing, Browser(playing.app).tab("/boards/1/live") as tab:
        await sit(tab, playing.seats[0])
        for number in ("9" * 2000, "-" + "9" * 2000, "1e999"):
            await tab.send(f'{{"move": "(4, 1)", "ply": {number}}}')
            assert (await tab.until("refused"))["code"]


def test_every_route_takes_numbers_of_any_length() -> None:
    for path in Path(messages.__file__).parent.glob("*.py"):
        assert ":int}" not in path.read_text(encoding="utf-8"), path
