"""When the player without search runs, and when it spends a wall."""

from __future__ import annotations

import pytest

from quoridor_net.players import Clock
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Move, Position, Square, Step, Wall

ASIDE: tuple[Move, ...] = (Step(Square(5, 0)), Step(Square(3, 8)))
AHEAD: tuple[Move, ...] = (Step(Square(4, 1)), Step(Square(3, 8)))


@pytest.mark.parametrize(("moves", "kind"), [(ASIDE, Wall), (AHEAD, Step)], ids=["tie", "ahead"])
async def test_it_runs_only_when_it_is_ahead(moves: tuple[Move, ...], kind: type[Move]) -> None:
    position = Position()
    for move in moves:
        position.push(move)
    assert isinstance(await SimplePlayer(1).choose(position, Clock()), kind)
