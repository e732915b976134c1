"""When the player without search runs, and when it spends a wall."""

from __future__ import annotations

import pytest
import trio

from quoridor_net.players import Clock
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Move, Position, Square, Step, Wall

ASIDE: tuple[Move, ...] = (Step(Square(5, 0)), Step(Square(3, 8)))
AHEAD: tuple[Move, ...] = (Step(Square(4, 1)), Step(Square(3, 8)))


@pytest.mark.parametrize(("moves", "kind"), [(ASIDE, Wall), (AHEAD, Step)], ids=["tie", "ahead"])
async def test_the_simple_player_runs_only_when_it_is_ahead(
    moves: tuple[Move, ...], kind: type[Move]
) -> None:
    position = Position()
    for move in moves:
        position.push(move)
    assert isinstance(await SimplePlayer(1).choose(position, Clock()), kind)


async def test_seeds_choose_among_equally_short_ways() -> None:
    # Two pawns in a row are passed on either side.
    position = Position.setup([Square(4, 4), Square(4, 5), Square(4, 6), None], [0] * 4)
    chosen = {await SimplePlayer(seed).choose(position, Clock()) for seed in range(30)}
    assert chosen == {Step(Square(3, 5)), Step(Square(5, 5))}


def test_a_player_that_chooses_otherwise_is_not_taken_for_an_instant_one() -> None:
    class Slow(SimplePlayer):
        async def choose(self, position: Position, clock: Clock) -> Move:
            await trio.sleep(1)
            return await super().choose(position, clock)

    assert SimplePlayer().is_instant
    assert not Slow().is_instant
