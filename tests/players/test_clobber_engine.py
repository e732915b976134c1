"""The engine behind the player interface; slow, because it may have to be compiled first."""

from __future__ import annotations

import pytest
import trio

from quoridor_net.clobber import Move, Position
from quoridor_net.clobber.engine import Limits
from quoridor_net.match import MatchEvent, MatchSettings, MoveMade, play_match
from quoridor_net.players import Clock
from quoridor_net.players.engine import ClobberEnginePlayer
from quoridor_net.players.random import RandomPlayer
from quoridor_net.rules import Termination

pytestmark = pytest.mark.slow


async def test_it_keeps_its_time_and_beats_random() -> None:
    engine = ClobberEnginePlayer(1, Limits(seconds=0.3))
    engine.warm_up()
    events: list[MatchEvent[Position, Move]] = []
    settings = MatchSettings(Position.start(8, 8), 3.0)
    result = await play_match([engine, RandomPlayer(1)], settings, [events.append])
    assert (result.winner, result.termination) == (1, Termination.NO_MOVES)
    assert max(event.seconds for event in events if isinstance(event, MoveMade)) < 1.0


async def test_it_stops_when_nobody_waits() -> None:
    engine = ClobberEnginePlayer(1, Limits(seconds=60))
    engine.warm_up()
    started = trio.current_time()
    for _ in range(3):
        with trio.move_on_after(0.2) as scope:
            await engine.choose(Position.start(), Clock())
        assert scope.cancelled_caught
    assert trio.current_time() - started < 5
    # The search that was stopped does not stand in the way of the next.
    assert Position.start(2, 3).is_legal(await engine.choose(Position.start(2, 3), Clock()))
    assert trio.current_time() - started < 10
