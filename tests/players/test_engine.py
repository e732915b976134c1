"""The engines as players: their time, and their memory between games."""

from __future__ import annotations

import gc
import os
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
import trio
from attrs import evolve

from quoridor_net import clobber
from quoridor_net.clobber.engine import ClobberLimits
from quoridor_net.engine import Analysis, Engine, Limits
from quoridor_net.engine import engine as engine_module
from quoridor_net.engine.searcher import Searcher
from quoridor_net.match import MatchEvent, MatchSettings, MoveMade, play_match
from quoridor_net.players import Clock, Seating
from quoridor_net.players.engine import (
    CLOBBER_MOVE_TIME,
    ClobberEnginePlayer,
    EnginePlayer,
    clobber_limits_within,
    limits_within,
)
from quoridor_net.players.random import RandomPlayer
from quoridor_net.rules import Position, Termination
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.compiled("engine")


@pytest.fixture(autouse=True)
def _no_garbage_collection() -> Iterator[None]:
    """Nothing waits for the garbage collector, which does not know how large a table is."""
    gc.disable()
    yield
    gc.enable()


async def test_a_player_that_is_cancelled_at_once_can_be_asked_again_soon() -> None:
    player, position = EnginePlayer(1, Limits(time=10_000)), Position(7)
    await player.begin(Seating(1, ("a", "b"), position))
    # Wherever in its way to the search the thread is when nobody waits any more.
    for milliseconds in range(20):
        with trio.move_on_after(milliseconds / 1000):
            await player.choose(position.copy(), Clock())
    assert position.is_legal(await player.choose(position.copy(), Clock(move_time=0.1)))


@pytest.mark.parametrize(
    ("own", "clock", "expected"),
    [
        (Limits(), Clock(), Limits()),
        (Limits(), Clock(5, 60, 1), Limits(time=4.5, game_time=60, increment=1)),
        (Limits(time=2, nodes=9), Clock(5, 60), Limits(time=2, game_time=60, nodes=9)),
        (Limits(time=8), Clock(2), Limits(time=1.8)),
        (Limits(), Clock(20), Limits(time=19.5)),
        (Limits(), Clock(0.1), Limits(time=0.08)),
        (Limits(), Clock(0.01), Limits(time=0.005)),
    ],
)
def test_a_search_ends_some_time_before_the_clock_does(own: Limits, clock: Clock, expected: Limits) -> None:
    assert limits_within(clock, own) == expected


@pytest.mark.parametrize(
    ("own", "clock", "seconds"),
    [
        (ClobberLimits(seconds=None), Clock(), CLOBBER_MOVE_TIME),
        (ClobberLimits(seconds=None), Clock(5), 4.5),
        (ClobberLimits(seconds=2), Clock(5), 2),
        # A number of nodes is a limit, too.
        (ClobberLimits(seconds=None, nodes=9), Clock(), None),
    ],
)
def test_a_search_in_clobber_always_has_a_limit(
    own: ClobberLimits, clock: Clock, seconds: float | None
) -> None:
    assert clobber_limits_within(clock, own, 0) == evolve(own, seconds=seconds)


async def test_searches_with_a_time_limit_do_not_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    search, both = Engine.play, threading.Barrier(2)

    def play(engine: Engine, position: Position, limits: Limits, *, abandoned: threading.Event) -> Analysis:
        both.wait(PATIENCE)
        return search(engine, position, limits, abandoned=abandoned)

    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    monkeypatch.setattr(Engine, "play", play)
    async with trio.open_nursery() as nursery:
        for player in (EnginePlayer(1, Limits(nodes=9)), EnginePlayer(2, Limits(nodes=9))):
            nursery.start_soon(player.choose, Position(5), Clock(PATIENCE))


@pytest.mark.parametrize("walls", [0, 10])
async def test_leaving_frees_the_memory_at_once(monkeypatch: pytest.MonkeyPatch, walls: int) -> None:
    made: list[weakref.ref[Searcher]] = []

    def make(size: int, players: int, table_mb: int | None, seed: int, **_settings: Any) -> Searcher:
        searcher = Searcher(size, players, 1, seed)
        made.append(weakref.ref(searcher))
        return searcher

    monkeypatch.setattr(engine_module, "Searcher", make)
    player, position = EnginePlayer(1, Limits(nodes=20_000)), Position(walls=walls)
    await player.begin(Seating(1, ("a", "b"), position))
    await player.choose(position, Clock())
    await player.leave()
    assert [searcher() for searcher in made] == [None]


async def test_the_next_search_does_not_need_the_memory_of_the_last_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[weakref.ref[Searcher]] = []
    alive: list[int] = []

    def make(size: int, players: int, table_mb: int | None, seed: int, **_settings: Any) -> Searcher:
        alive.append(sum(searcher() is not None for searcher in made))
        searcher = Searcher(size, players, 1, seed)
        made.append(weakref.ref(searcher))
        return searcher

    monkeypatch.setattr(engine_module, "Searcher", make)
    player = EnginePlayer(1)
    for size in (9, 7, 9):
        await player.begin(Seating(1, ("a", "b"), Position(size)))
    assert alive == [0, 0, 0]


@pytest.mark.slow
@pytest.mark.compiled("clobber")
async def test_the_clobber_engine_keeps_its_time_and_beats_random() -> None:
    player = ClobberEnginePlayer(1, ClobberLimits(seconds=0.3))
    assert await player.settle()
    events: list[MatchEvent[clobber.ClobberPosition, clobber.Move]] = []
    settings = MatchSettings(clobber.ClobberPosition.start(8, 8), 3.0)
    result = await play_match([player, RandomPlayer(1)], settings, [events.append])
    assert (result.winner, result.termination) == (1, Termination.NO_MOVES)
    assert max(event.seconds for event in events if isinstance(event, MoveMade)) < 1.0


@pytest.mark.slow
@pytest.mark.compiled("clobber")
async def test_the_clobber_engine_stops_when_cancelled() -> None:
    player = ClobberEnginePlayer(1, ClobberLimits(seconds=60))
    assert await player.settle()
    started = trio.current_time()
    for _ in range(3):
        with trio.move_on_after(0.2) as scope:
            await player.choose(clobber.ClobberPosition.start(), Clock())
        assert scope.cancelled_caught
    assert trio.current_time() - started < 5
    # The search that was stopped does not stand in the way of the next.
    assert clobber.ClobberPosition.start(2, 3).is_legal(
        await player.choose(clobber.ClobberPosition.start(2, 3), Clock())
    )
    assert trio.current_time() - started < 10
