"""Live games for spectators, in memory."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from quoridor_net.match import (
    Event,
    GameEnded,
    GameStarted,
    MatchSettings,
    MoveMade,
    MoveRequested,
    PlayerOut,
    play_match,
)
from quoridor_net.match.encoding import as_object
from quoridor_net.moves import Square, Step
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Position
from quoridor_net.verdicts import VerdictPhrase
from quoridor_net.web.budget import LONGEST_WAIT, SAVED, SHARE, Budget
from quoridor_net.web.live import TOGETHER, LiveGame, Send, Urgency
from quoridor_net.web.sites import watch
from tests.support.browser import Browser, in_memory

MOVED = "move_made"


async def do_nothing() -> None:
    await trio.lowlevel.checkpoint()


def flat(messages: list[str]) -> list[Any]:
    """Return the events in the messages since the last reset."""
    events: list[Any] = []
    for message in map(json.loads, messages):
        if isinstance(message, dict) and "reset" in message:
            events = message["reset"]
        else:
            events += message if isinstance(message, list) else [message]
    return events


class Game:
    """A game of simple players, with its events and its live game."""

    def __init__(self, budget: Budget | None = None) -> None:
        self.live = LiveGame(budget)
        self.events: list[Any] = []

    async def play(self, delay: float = 0.0) -> None:
        players = [SimplePlayer(1), SimplePlayer(2)]
        await play_match(players, MatchSettings(delay=delay), [self.live, self.note])

    def note(self, event: Event) -> None:
        self.events.append(as_object(event))


async def test_a_spectator_sees_every_event(autojump_clock: MockClock) -> None:
    # Without a limit for spectators, whose budget counts the time that this machine really takes.
    game, messages = Game(Budget(share=1)), list[str]()

    async def send(text: str) -> None:
        messages.append(text)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(game.live.follow, send, do_nothing)
        await game.play(delay=1.0)
        await wait_all_tasks_blocked()
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    assert flat(messages) == game.events
    assert max(len(text) for text in messages) < 1024


async def test_a_late_spectator_gets_the_whole_game_in_one_message(autojump_clock: MockClock) -> None:
    game, messages = Game(), list[str]()
    await game.play()

    async def send(text: str) -> None:
        messages.append(text)

    with trio.move_on_after(1):
        await game.live.follow(send, do_nothing)
    assert [json.loads(text) for text in messages] == [{"reset": game.events}]


async def test_a_late_spectator_gets_the_thinking_time_so_far(autojump_clock: MockClock) -> None:
    live, messages = LiveGame(), list[str]()
    live(GameStarted(("ann", "bob"), Position(), 30.0, 1000))
    live(MoveRequested(1, 0))

    async def send(text: str) -> None:
        messages.append(text)

    await trio.sleep(12.5)
    with trio.move_on_after(1):
        await live.follow(send, do_nothing)
    position = Position()
    step = Step(Square(4, 1))
    position.push(step)
    live(MoveMade(1, step, 1, 13.5, position))
    with trio.move_on_after(1):
        await live.follow(send, do_nothing)
    first, second = map(json.loads, messages)
    # On a busy machine, the first message waits for the budget.
    assert 12.5 <= first["thinking"] <= 13.5
    assert "thinking" not in second


async def test_the_holder_of_a_seat_does_not_wait_for_the_budget(autojump_clock: MockClock) -> None:
    # Each message uses up the budget for a long time.
    ticks = count()
    live, urgency = LiveGame(Budget(timer=lambda: float(next(ticks)))), Urgency()
    seen: dict[str, list[tuple[float, Any]]] = {"seated": [], "watching": []}

    def receiver(name: str) -> Send:
        async def send(text: str) -> None:
            seen[name].append((trio.current_time(), json.loads(text)))

        return send

    async with trio.open_nursery() as nursery:
        nursery.start_soon(live.follow, receiver("watching"), do_nothing)
        nursery.start_soon(live.follow, receiver("seated"), do_nothing, urgency)
        await wait_all_tasks_blocked()
        # It waits like all others, until its browser shows its right to the seat.
        urgency.demand()
        await wait_all_tasks_blocked()
        happened = trio.current_time()
        live(GameStarted(("ann", "bob"), Position(), 30.0, 1000))
        live(MoveRequested(1, 0))
        await trio.sleep(2 * LONGEST_WAIT)
        nursery.cancel_scope.cancel()
    (seated_at, seated), (watching_at, watching) = seen["seated"][-1], seen["watching"][-1]
    assert [event["event"] for event in seated["reset"]] == ["game_started", "move_requested"]
    assert watching["reset"] == seated["reset"]
    assert seated_at - happened <= TOGETHER
    assert watching_at - happened > LONGEST_WAIT / 2


async def test_a_spectator_that_does_not_read_delays_no_others(autojump_clock: MockClock) -> None:
    game, messages = Game(), list[str]()

    async def send(text: str) -> None:
        messages.append(text)

    async def stall(_text: str) -> None:
        await trio.sleep_forever()

    async with trio.open_nursery() as nursery:
        for _ in range(20):
            nursery.start_soon(game.live.follow, stall, do_nothing)
        nursery.start_soon(game.live.follow, send, do_nothing)
        started = trio.current_time()
        await game.play()
        assert trio.current_time() == started
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    assert flat(messages) == game.events


async def test_a_slow_spectator_misses_no_event(autojump_clock: MockClock) -> None:
    game, messages = Game(), list[str]()

    async def send(text: str) -> None:
        await trio.sleep(10)
        messages.append(text)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(game.live.follow, send, do_nothing)
        await game.play(delay=0.5)
        await trio.sleep(100)
        nursery.cancel_scope.cancel()
    assert flat(messages) == game.events
    # Events during one message are sent in the next one.
    assert len(messages) < len(game.events) / 10


class Spectators:
    """The spectators of a game; sending to one takes a tenth of a millisecond."""

    COST = 0.0001

    def __init__(self, number: int) -> None:
        self._number = number
        self._now = 0.0
        self.live = LiveGame(Budget(lambda: self._now))
        #: Times of the messages with new events; the messages are too large to keep.
        self.news: list[float] = []

    async def _send(self, text: str) -> None:
        self._now += self.COST
        if text.startswith("["):
            self.news.append(trio.current_time())

    @property
    def spent(self) -> float:
        return self._now

    async def see(self, moves: int, seconds: float) -> list[float]:
        """Show a game with a move every ``seconds``; return the times of the moves."""
        moved_at = []
        async with trio.open_nursery() as nursery:
            for _ in range(self._number):
                nursery.start_soon(self.live.follow, self._send, do_nothing)
            position = Position()
            self.live(GameStarted(("a", "b"), position, None, 1000))
            step = next(iter(position.legal_moves))
            for ply in range(1, moves + 1):
                await trio.sleep(seconds)
                moved_at.append(trio.current_time())
                self.live(MoveMade(1, step, ply, seconds, position))
                self.live(MoveRequested(2, ply))
            await trio.sleep(1)
            nursery.cancel_scope.cancel()
        return moved_at


@pytest.mark.parametrize("spectators", [1, 200])
async def test_a_fast_game_spends_little_on_spectators(autojump_clock: MockClock, spectators: int) -> None:
    looking_on = Spectators(spectators)
    await looking_on.see(10_000, 0.01)
    # In a hundred seconds; the first messages may exceed the budget.
    assert looking_on.spent <= (100 + SAVED) * SHARE + 2 * spectators * Spectators.COST


@pytest.mark.parametrize(("spectators", "seconds"), [(30, 0.65), (200, 4.1), (500, 10.1)])
async def test_each_move_of_a_slow_game_is_shown_at_once(
    autojump_clock: MockClock, spectators: int, seconds: float
) -> None:
    looking_on = Spectators(spectators)
    moved_at = await looking_on.see(20, seconds)
    # A move and the next request share a message.
    assert len(looking_on.news) == len(moved_at) * spectators
    assert sorted(set(looking_on.news)) == pytest.approx([at + TOGETHER for at in moved_at], abs=1e-6)


async def test_another_spectator_takes_over_when_the_waiting_one_leaves(autojump_clock: MockClock) -> None:
    live, messages = LiveGame(), list[str]()

    async def send(text: str) -> None:
        messages.append(text)

    async with trio.open_nursery() as nursery:
        scopes = [trio.CancelScope() for _ in range(3)]

        async def look(scope: trio.CancelScope) -> None:
            with scope:
                await live.follow(send, do_nothing)

        for scope in scopes:
            nursery.start_soon(look, scope)
            await wait_all_tasks_blocked()
        messages.clear()
        scopes[0].cancel()
        await trio.sleep(1)
        live(GameStarted(("a", "b"), Position(), None, 1000))
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    assert len(messages) == 2


async def test_another_game_starts_with_a_reset(autojump_clock: MockClock) -> None:
    game = Game()
    app = in_memory(watch(game.live))
    await game.play()
    first = len(game.events)
    async with Browser(app).tab("/games/1/live") as tab:
        assert (await tab.receive())["reset"] == game.events
        await game.play()
        while "reset" not in (said := await tab.receive()):
            pass
        assert said["reset"][0]["event"] == "game_started"
    answer = await Browser(app).get("/games/1/events.json")
    assert answer.json == {"events": game.events[first:]}


async def test_a_game_that_never_started_has_a_separate_result() -> None:
    game = Game()
    await game.play()
    assert game.events[-1]["event"] == "game_ended"
    result = Result(None, Termination.ABORTED, "The game was aborted.", 0)
    game.live(GameEnded(result, ("a", "b"), Position()))
    assert [event["event"] for event in json.loads(game.live.document())["events"]] == ["game_ended"]


async def test_the_time_of_a_move_that_is_never_made_is_known(autojump_clock: MockClock) -> None:
    live = LiveGame()
    position = Position()
    live(GameStarted(("ann", "bob"), position, None, 1000))
    live(MoveRequested(1, 0))
    await trio.sleep(12.5)
    fault = ForfeitError(Termination.RESIGNED, VerdictPhrase.RESIGNED())
    live(PlayerOut(2, fault, position))
    await trio.sleep(1)
    live(GameEnded(Result(1, Termination.RESIGNED, VerdictPhrase.RESIGNED(), 0), ("ann", "bob"), position))
    events = json.loads(live.document())["events"]
    assert [event.get("thought") for event in events] == [None, None, 12.5, None]
