"""People at browsers behind a move server, in games with a real display client, in memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from quoridor_net.match import MatchSettings, MoveMade, PlayerOut
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.players import Clock, Seating
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Position
from quoridor_net.testing import Linked
from quoridor_net.verdicts import VerdictPhrase
from quoridor_net.web.remote import RemoteSeats
from quoridor_net.web.sites import seats as site_of
from tests.support.browser import Browser, Tab, in_memory
from tests.support.linked_game import play_linked, simple_server

#: Reaction of the person at a browser to an event.
Person = Callable[[Tab, dict[str, Any]], Any]


async def play_simply(tab: Tab, event: dict[str, Any]) -> None:
    """Play like the simple player."""
    position = Position.from_line(event["position"]) if "position" in event else Position()
    move = await SimplePlayer(1).choose(position, Clock())
    await tab.send({"move": str(move), "ply": event.get("ply", 0)})


async def play(
    seats: RemoteSeats, person: Person, move_time: float | None = None, players: int = 2
) -> tuple[Linked, list[Any]]:
    """Play a game in which player 1 is a person at a browser; return it and what the browser saw."""
    # Slowly enough for the rate limit.
    settings = MatchSettings(move_time=move_time, delay=1.0)
    seen: list[Any] = []
    app = in_memory(site_of(seats))

    async def sit() -> None:
        async with Browser(app).tab("/boards/1/live") as tab:
            await tab.send({"sit": seats.seats[1].token})
            last: dict[str, Any] = {}
            while True:
                said = await tab.receive()
                events = said if isinstance(said, list) else said.get("reset", [said])
                seen.extend(events)
                last = next((event for event in reversed(events) if "position" in event), last)
                if events and events[-1].get("event") == "move_requested":
                    await person(tab, {**last, "ply": events[-1]["ply"]})

    async with trio.open_nursery() as nursery:
        nursery.start_soon(sit)
        played = await play_linked({1: simple_server(make_player=seats.make_player)}, players, settings)
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    return played, seen


def endings(seen: list[Any]) -> list[tuple[str, int | None, str]]:
    """Return the events without moves that a browser saw: the player in each, and the reason."""
    named = {"player_out": "player", "game_ended": "winner"}
    return [
        (event["event"], event[named[event["event"]]], event["termination"])
        for event in seen
        if event.get("event") in named
    ]


async def test_a_person_plays_a_whole_game(autojump_clock: MockClock) -> None:
    seats = RemoteSeats("ann", 1)
    played, seen = await play(seats, play_simply)
    assert played.result.termination is Termination.GOAL
    shown = [event["move"] for event in seen if event.get("event") == "move_made"]
    told = [str(event.move) for event in played.events if isinstance(event, MoveMade)]
    assert shown == told
    ended = next(event for event in seen if event.get("event") == "game_ended")
    assert (ended["winner"], ended["termination"]) == (played.result.winner, "goal")
    assert {
        "seated": {
            "player": None,
            "can_undo": False,
            "can_hint": False,
            "can_rematch": False,
            "next_levels": None,
        }
    } in seen
    assert {
        "seated": {
            "player": 1,
            "can_undo": False,
            "can_hint": True,
            "can_rematch": False,
            "next_levels": None,
        }
    } in seen


async def test_the_same_link_leads_to_the_next_game(autojump_clock: MockClock) -> None:
    seats = RemoteSeats("ann", 1)
    for _ in range(2):
        played, _ = await play(seats, play_simply)
        assert played.result.termination is Termination.GOAL
        assert seats.seats[1].player is None


async def test_resigning_closes_the_connection(autojump_clock: MockClock) -> None:
    async def resign(tab: Tab, _event: dict[str, Any]) -> None:
        await tab.send({"resign": True})

    played, seen = await play(RemoteSeats("ann", 1), resign)
    assert (played.result.winner, played.result.termination) == (2, Termination.DISCONNECTED)
    assert endings(seen) == [("player_out", 1, "resigned"), ("game_ended", 2, "resigned")]


async def test_resigning_among_four_players_loses(autojump_clock: MockClock) -> None:
    async def resign(tab: Tab, _event: dict[str, Any]) -> None:
        await tab.send({"resign": True})

    played, seen = await play(RemoteSeats("ann", 1), resign, players=4)
    assert played.result.winner != 1
    assert endings(seen) == [("player_out", 1, "resigned"), ("game_ended", None, "resigned")]
    assert seen[-1]["sentence"] == "qnt:test (player 1) resigned and loses."


async def test_a_slow_player_sees_the_reason(autojump_clock: MockClock) -> None:
    async def sleep(_tab: Tab, _event: dict[str, Any]) -> None:
        await trio.lowlevel.checkpoint()

    played, seen = await play(RemoteSeats("ann", 1), sleep, 5.0)
    assert played.result.termination is Termination.TOO_SLOW
    assert endings(seen) == [("player_out", 1, "too_slow"), ("game_ended", 2, "too_slow")]


async def test_a_game_without_a_free_seat_is_refused(autojump_clock: MockClock) -> None:
    seats = RemoteSeats("ann", 1)
    seats.take(seats.make_player())
    played, _ = await play(seats, play_simply)
    assert played.result.termination is Termination.DISCONNECTED


async def test_a_taken_seat_is_not_given_away() -> None:
    seats = RemoteSeats("ann", 2)
    first, second, third = (seats.make_player() for _ in range(3))
    for player in (first, second):
        await player.begin(Seating(1, ("ann", "bob"), Position()))
    with pytest.raises(ForfeitError) as caught:
        await third.begin(Seating(1, ("ann", "bob"), Position()))
    assert caught.value.termination is Termination.REFUSED_GAME
    assert caught.value.sentence == VerdictPhrase.NO_SEAT()
    await third.leave()
    assert [seat.player for seat in seats.seats.values()] == [first, second]
    await first.leave()
    assert [seat.player for seat in seats.seats.values()] == [None, second]


async def test_every_seat_has_its_own_link() -> None:
    seats = RemoteSeats("ann", 3)
    assert [seat.token.split("-")[0] for seat in seats.seats.values()] == ["1", "2", "3"]
    app = in_memory(site_of(seats))
    assert json.loads((await Browser(app).get("/site.json")).body)["seats"] is True
    async with Browser(app).tab("/boards/2/live") as tab:
        await tab.send({"sit": seats.seats[1].token})
        assert (await tab.until("refused"))["code"] == "no_seat"


async def test_the_faults_of_other_players_are_unknown() -> None:
    seats = RemoteSeats("ann", 1)
    player = seats.make_player()
    await player.begin(Seating(1, ("ann", "bob", "cid", "dan"), Position(players=4)))
    live = seats.games.find(1)
    assert live is not None
    unknown = ForfeitError(Termination.PUT_OUT, VerdictPhrase.PUT_OUT())
    await player.notify(PlayerOut(3, unknown, Position(players=4)))
    events = json.loads(live.document())["events"]
    outs = [(event["player"], event["termination"], event["sentence"]) for event in events[1:]]
    assert outs == [(3, "put_out", "was eliminated for an unknown reason")]
    await player.leave()
