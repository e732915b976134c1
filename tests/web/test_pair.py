"""Games of two people in the browser, in memory: the invitation, offers and their acceptance."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from attrs import define
from starlette.types import ASGIApp
from trio.testing import MockClock

from quoridor_net.players.simple import SimplePlayer
from quoridor_net.replay import parse_replay
from quoridor_net.web.play import ABANDONED_TIME, MAX_PAIRS, OwnGames
from quoridor_net.web.sites import play as site_of
from quoridor_net.web.sitting import SILENCE
from tests.support.browser import Browser, Tab, in_memory

KEY, OTHER_KEY = "k" * 20, "o" * 20

#: Both pawns step forth and back, so that the start position occurs again.
DANCE = ("(4, 1)", "(4, 7)", "(4, 0)", "(4, 8)")


@define
class Meeting:
    """A host and a guest at one board."""

    app: ASGIApp
    games: OwnGames
    number: int
    tokens: tuple[str, str]
    host: Tab
    guest: Tab

    @property
    def browser(self) -> Browser:
        return Browser(self.app)

    @property
    def tabs(self) -> tuple[Tab, Tab]:
        return self.host, self.guest

    async def play(self, *moves: str, first: int = 0) -> None:
        """Make moves in turn from ply ``first`` on; the host moves first."""
        for ply, move in enumerate(moves, first):
            await self.tabs[ply % 2].send({"move": move, "ply": ply})
            for tab in self.tabs:
                assert (await tab.until("move_made"))["ply"] == ply + 1

    async def replay(self) -> str:
        saved = await self.browser.get(f"/games/{self.number}/replay.txt")
        return saved.body.decode()


@asynccontextmanager
async def offer() -> AsyncIterator[tuple[ASGIApp, OwnGames]]:
    async with trio.open_nursery() as nursery:
        games = OwnGames(nursery, SimplePlayer)
        yield in_memory(site_of(games)), games
        nursery.cancel_scope.cancel()


async def invite(app: ASGIApp, host: Tab, token: str) -> str:
    """Sit down as the host, and return the invitation."""
    await host.send({"sit": token})
    invitation: str = (await host.until("pair"))["pair"]["invitation"]
    return invitation


async def join(app: ASGIApp, invitation: str, key: str = KEY) -> Any:
    return (await Browser(app).post("/join", {"invitation": invitation, "key": key})).json


async def settle(tab: Tab) -> None:
    """Wait until the browser knows its player and that the other person is there."""
    is_here = is_seated = False
    while not (is_here and is_seated):
        message = await tab.receive()
        is_here = is_here or message.get("pair", {}).get("is_here", False)
        is_seated = is_seated or message.get("seated", {}).get("player") is not None


@asynccontextmanager
async def meet(**wish: Any) -> AsyncIterator[Meeting]:
    """Start a game in which the host moves first, and have the guest join it."""
    async with offer() as (app, games):
        begun = (await Browser(app).post("/play", {"opponent": "friend", "side": "first"} | wish)).json
        number, token = begun["game"], begun["token"]
        path = f"/boards/{number}/live"
        async with Browser(app).tab(path) as host, Browser(app).tab(path) as guest:
            invitation = await invite(app, host, token)
            joined = await join(app, invitation)
            await guest.send({"sit": joined["token"]})
            for tab in (host, guest):
                await settle(tab)
            yield Meeting(app, games, number, (token, joined["token"]), host, guest)


async def refused(tab: Tab) -> str:
    code: str = (await tab.until("refused"))["code"]
    return code


async def offers(tab: Tab) -> dict[str, bool]:
    found: dict[str, bool] = (await tab.until("pair"))["pair"]["offers"]
    return found


async def test_two_people_play_and_their_game_is_recorded(autojump_clock: MockClock) -> None:
    async with meet(clock="60+2") as met:
        await met.play("(4, 1)", "(4, 7)")
        await met.guest.send({"resign": True})
        ended = await met.host.until("game_ended")
        assert (ended["winner"], ended["termination"]) == (1, "resigned")
        game = parse_replay(await met.replay())
        assert game.complete
        assert len(game.plies) == 2
        assert game.names == ("host", "guest")


async def test_nobody_moves_for_the_other(autojump_clock: MockClock) -> None:
    async with meet() as met:
        await met.guest.send({"move": "(4, 1)", "ply": 0})
        assert await refused(met.guest) == "out_of_turn"
        await met.play("(4, 1)")
        await met.host.send({"move": "(4, 7)", "ply": 1})
        assert await refused(met.host) == "out_of_turn"


async def test_the_first_browser_gets_the_seat_and_others_look_on(autojump_clock: MockClock) -> None:
    async with offer() as (app, _):
        begun = (await Browser(app).post("/play", {"opponent": "friend"})).json
        async with Browser(app).tab(f"/boards/{begun['game']}/live") as host:
            invitation = await invite(app, host, begun["token"])
            first = await join(app, invitation)
            assert first["token"] not in {None, begun["token"]}
            # A browser that lost the answer asks again.
            assert await join(app, invitation) == first
            assert await join(app, invitation, OTHER_KEY) == {"game": begun["game"], "token": None}
            assert (await host.until("pair"))["pair"]["invitation"] is None


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ({}, 400),
        ([], 400),
        ({"invitation": 1, "key": KEY}, 400),
        ({"invitation": "1-guess", "key": "short"}, 400),
        ({"invitation": "1-guess", "key": KEY}, 404),
        ({"invitation": "1-\ud800", "key": "\ud800" * 20}, 404),
        ({"invitation": "9-guess", "key": KEY}, 404),
    ],
)
async def test_guessed_and_malformed_invitations_are_refused(message: object, status: int) -> None:
    async with offer() as (app, _):
        await Browser(app).post("/play", {"opponent": "friend"})
        assert (await Browser(app).post("/join", message)).status == status


async def test_a_move_is_taken_back_when_the_other_agrees(autojump_clock: MockClock) -> None:
    async with meet() as met:
        await met.play("(4, 1)", "(4, 7)", "(4, 2)")
        # The guest is thinking: only the host's move goes back.
        await met.host.send({"offer": "takeback"})
        assert await offers(met.guest) == {"takeback": False}
        await met.guest.send({"accept": "takeback"})
        back = await met.host.until("moves_taken_back")
        assert (back["player"], back["plies"]) == (1, 1)
        # Now the host is thinking: the guest's move is the last one.
        await met.guest.send({"offer": "takeback"})
        while await offers(met.host) != {"takeback": False}:
            pass
        await met.host.send({"accept": "takeback"})
        back = await met.guest.until("moves_taken_back")
        assert back["plies"] == 1
        while back["player"] != 2:
            back = await met.guest.until("moves_taken_back")
        await met.guest.send({"move": "(3, 8)", "ply": 1})
        assert (await met.host.until("move_made"))["ply"] == 2


async def test_nobody_takes_back_alone(autojump_clock: MockClock) -> None:
    async with meet() as met:
        await met.host.send({"offer": "takeback"})
        assert await refused(met.host) == "not_possible"
        await met.play("(4, 1)")
        for message in (
            {"undo": True},
            {"accept": "takeback"},
            {"decline": "draw"},
            {"rematch": True},
            {"hint": True},
        ):
            await met.host.send(message)
            assert await refused(met.host) == "not_possible", message
        await met.host.send({"offer": "takeback"})
        await met.host.send({"accept": "takeback"})
        assert await refused(met.host) == "not_possible"
        await met.host.send({"offer": "the moon"})
        assert await refused(met.host) == "malformed"


async def test_a_declined_offer_waits_for_the_next_move(autojump_clock: MockClock) -> None:
    async with meet() as met:
        await met.play("(4, 1)")
        await met.host.send({"offer": "takeback"})
        assert await offers(met.guest) == {"takeback": False}
        await met.guest.send({"decline": "takeback"})
        while (await met.host.until("pair"))["pair"]["declined"] != ["takeback"]:
            pass
        assert await offers(met.guest) == {}
        await met.host.send({"offer": "takeback"})
        assert await refused(met.host) == "not_possible"
        await met.play("(4, 7)", first=1)
        await met.host.send({"offer": "takeback"})
        assert await offers(met.guest) == {"takeback": False}
        # A move ends the offer.
        await met.play("(4, 2)", first=2)
        await met.guest.send({"accept": "takeback"})
        assert await refused(met.guest) == "not_possible"


async def test_a_draw_is_agreed_only_in_a_position_that_occurred_before(autojump_clock: MockClock) -> None:
    async with meet() as met:
        await met.play(*DANCE[:3])
        await met.host.send({"offer": "draw"})
        assert await refused(met.host) == "not_possible"
        await met.play(DANCE[3], first=3)
        await met.host.send({"offer": "draw"})
        while "draw" not in await offers(met.guest):
            pass
        await met.guest.send({"offer": "draw"})
        ended = await met.host.until("game_ended")
        assert (ended["winner"], ended["termination"]) == (None, "repetition")
        assert ended["sentence"] == "Drawn by agreement: the position occurred 2 times."
        assert parse_replay(await met.replay()).complete


async def test_a_rematch_needs_both_and_swaps_sides(autojump_clock: MockClock) -> None:
    async with meet(clock="60") as met:
        await met.host.send({"offer": "rematch"})
        assert await refused(met.host) == "not_possible"
        await met.host.send({"resign": True})
        await met.guest.until("game_ended")
        await met.guest.send({"offer": "rematch"})
        while "rematch" not in await offers(met.host):
            pass
        await met.host.send({"accept": "rematch"})
        started = (await met.host.until("reset"))["reset"][0]
        assert started["names"] == ["guest", "host"]
        assert started["clocks"] == [[60, 0], [60, 0]]
        assert (await met.host.until("seated"))["seated"]["player"] == 2


async def test_thinking_before_a_takeback_costs_time(autojump_clock: MockClock) -> None:
    async with meet(clock="60") as met:
        await met.play("(4, 1)")
        await trio.sleep(20)
        await met.host.send({"offer": "takeback"})
        await met.guest.until("pair")
        await met.guest.send({"accept": "takeback"})
        await met.host.until("moves_taken_back")
        await met.host.send({"move": "(4, 1)", "ply": 0})
        asked = await met.guest.until("move_requested")
        while asked["ply"] != 1 or asked["left"] == 60:
            asked = await met.guest.until("move_requested")
        assert asked["left"] == pytest.approx(40, abs=0.1)


async def test_a_player_who_stays_away_runs_out_of_time(autojump_clock: MockClock) -> None:
    async with meet(clock="60") as met:
        async with met.browser.tab(f"/boards/{met.number}/live") as again:
            await again.send({"sit": met.tokens[1]})
            await again.until("pair")
            # The seat counts as taken while one of its browsers is there.
            await met.guest.raw({"type": "websocket.disconnect", "code": 1006})
            await trio.sleep(1)
        while (await met.host.until("pair"))["pair"]["is_here"]:
            pass
        await met.host.send({"move": "(4, 1)", "ply": 0})
        ended = await met.host.until("game_ended")
        assert (ended["winner"], ended["termination"]) == (1, "too_slow")


async def test_a_silent_player_counts_as_away_until_heard_again(autojump_clock: MockClock) -> None:
    async with meet() as met:

        async def stay() -> None:
            while True:
                await met.host.send({"ping": True})
                await trio.sleep(4)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(stay)
            began = trio.current_time()
            while (await met.host.until("pair"))["pair"]["is_here"]:
                pass
            assert trio.current_time() - began >= SILENCE - 4
            await met.guest.send({"ping": True})
            while not (await met.host.until("pair"))["pair"]["is_here"]:
                pass
            nursery.cancel_scope.cancel()


async def test_games_of_friends_are_bounded_apart_from_those_against_the_engine(
    autojump_clock: MockClock,
) -> None:
    async with offer() as (app, games):
        for _ in range(MAX_PAIRS):
            assert (await Browser(app).post("/play", {"opponent": "friend"})).status == 200
        assert (await Browser(app).post("/play", {"opponent": "friend"})).status == 503
        assert (await Browser(app).post("/play", {})).status == 200
        await trio.sleep(ABANDONED_TIME)
        assert (await Browser(app).post("/play", {"opponent": "friend"})).status == 200
        assert games.find(1) is None
