"""The runner plays side by side what can be, everything once, and void games again."""

from __future__ import annotations

from collections import Counter

import pytest
import trio
from trio.testing import MockClock

from quoridor_net.match import GameEnded, GameStarted, Listener
from quoridor_net.outcome import Result, Termination
from quoridor_net.rules import Position
from quoridor_net.tournament import (
    Event,
    GameEvent,
    Pairing,
    TournamentEnded,
    TournamentResumed,
    TournamentStarted,
    TournamentState,
    play_tournament,
    round_robin,
)
from quoridor_net.tournament.runner import ATTEMPTS
from tests.support.tournament_events import NAMES, ended, started

FIRST_WINS = Result(1, Termination.NO_MOVES, "The first wins.", 1)
VOID = Result(None, Termination.ABORTED, "The game was aborted.", 0)


def begin(listener: Listener) -> None:
    listener(GameStarted(NAMES, Position(), 30.0, 1000))


def end(listener: Listener, result: Result) -> Result:
    listener(GameEnded(result, NAMES, Position()))
    return result


def plan(entrants: int, games: int) -> TournamentStarted:
    names = tuple(f"e{number}" for number in range(entrants))
    return TournamentStarted("hex", names, round_robin(entrants, games))


async def test_tables_play_side_by_side_and_nobody_twice_at_once(autojump_clock: MockClock) -> None:
    playing: set[int] = set()
    most = 0
    events: list[Event] = []

    async def play(pairing: Pairing, listener: Listener) -> Result:
        nonlocal most
        begin(listener)
        assert playing.isdisjoint(pairing.seats)
        playing.update(pairing.seats)
        most = max(most, len(playing))
        await trio.sleep(1)
        playing.difference_update(pairing.seats)
        return end(listener, FIRST_WINS)

    results = await play_tournament(plan(8, 2), play, [events.append])
    assert most == 8
    assert trio.current_time() < 14 + 1
    assert isinstance(events[0], TournamentStarted)
    assert events[-1] == TournamentEnded()
    games = [event for event in events if isinstance(event, GameEvent)]
    assert Counter(type(event.event) for event in games) == {GameStarted: 56, GameEnded: 56}
    assert len(events) == 2 + len(games)
    assert results == [(pairing, FIRST_WINS) for pairing in round_robin(8, 2)]


@pytest.mark.parametrize(
    ("concurrency", "capacities", "most"),
    [(None, {}, 1), (None, {1: 3, 2: 3}, 3), (2, {1: 3, 2: 3}, 2), (4, {1: 4}, 1)],
)
async def test_as_many_games_at_once_as_entrants_and_machine_allow(
    concurrency: int | None, capacities: dict[int, int], most: int, autojump_clock: MockClock
) -> None:
    running: list[int] = []
    seen = 0

    async def play(pairing: Pairing, listener: Listener) -> Result:
        nonlocal seen
        begin(listener)
        running.append(pairing.number)
        seen = max(seen, len(running))
        # The later a game begins, the sooner it ends.
        await trio.sleep(10 - pairing.number)
        running.remove(pairing.number)
        return end(listener, FIRST_WINS)

    results = await play_tournament(plan(2, 6), play, concurrency=concurrency, capacities=capacities)
    assert seen == most
    assert [pairing.number for pairing, _ in results] == [1, 2, 3, 4, 5, 6]


async def test_nobody_waits_for_the_slowest_table(autojump_clock: MockClock) -> None:
    async def play(pairing: Pairing, listener: Listener) -> Result:
        begin(listener)
        await trio.sleep(100 if 1 in pairing.seats else 1)
        return end(listener, FIRST_WINS)

    started = trio.current_time()
    await play_tournament(plan(6, 1), play)
    assert trio.current_time() - started < 5 * 100 + 5


async def test_a_void_game_is_played_again_but_not_for_ever(autojump_clock: MockClock) -> None:
    events: list[Event] = []

    async def play(pairing: Pairing, listener: Listener) -> Result:
        begin(listener)
        await trio.sleep(1)
        begun = events.count(started(pairing.number))
        return end(listener, VOID if pairing.number == 1 or begun == 1 else FIRST_WINS)

    results = await play_tournament(plan(2, 2), play, [events.append])
    assert events.count(ended(1, VOID)) == ATTEMPTS
    assert events.count(ended(2, VOID)) == 1
    assert [result for _, result in results] == [FIRST_WINS]


async def test_a_void_game_is_played_again_though_no_other_game_waits(autojump_clock: MockClock) -> None:
    attempts: Counter[int] = Counter()

    async def play(pairing: Pairing, listener: Listener) -> Result:
        begin(listener)
        attempts[pairing.number] += 1
        await trio.sleep(pairing.number)
        return end(listener, VOID if attempts[pairing.number] == 1 else FIRST_WINS)

    results = await play_tournament(plan(4, 1), play, attempts=2)
    assert [result for _, result in results] == [FIRST_WINS] * 6
    assert set(attempts.values()) == {2}


async def test_what_was_played_before_an_end_is_kept_and_the_rest_is_played_later(
    autojump_clock: MockClock,
) -> None:
    state = TournamentState()
    played: list[int] = []

    async def play(pairing: Pairing, listener: Listener) -> Result:
        begin(listener)
        await trio.sleep(1)
        played.append(pairing.number)
        return end(listener, FIRST_WINS)

    with trio.move_on_after(2.5):
        await play_tournament(plan(2, 4), play, state=state)
    assert list(state.decided) == [1, 2]
    events: list[Event] = []
    results = await play_tournament(plan(2, 4), play, [events.append], state=state)
    assert events[0] == TournamentResumed()
    assert played == [1, 2, 3, 4]
    assert len(results) == 4


async def test_nothing_to_play() -> None:
    async def play(pairing: Pairing, listener: Listener) -> Result:
        raise AssertionError(pairing)

    assert await play_tournament(TournamentStarted("hex", ("ann", "bob"), ()), play) == []
