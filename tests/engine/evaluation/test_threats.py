"""The kernel's detours of single walls equal those of the rules library after the walls are played."""

from __future__ import annotations

import random

import pytest

from quoridor_net.engine.board.convert import load_position, new_state, number_of
from quoridor_net.engine.board.distances import flood_all
from quoridor_net.engine.board.make import make_step, make_wall
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.evaluation import threats
from quoridor_net.engine.evaluation.threats import find_threats
from quoridor_net.rules import Position, Wall
from tests.support.positions import random_position

pytestmark = pytest.mark.compiled("engine")


def read_threats(state: SearchState, ply: int, seat: int) -> tuple[list[int], dict[int, int]]:
    """Return gain, net and count of the threats to ``seat``, and the effect of each wall that is listed."""
    found = state.threats[ply, seat]
    walls = [found.walls[index] for index in range(found.wall_count)]
    effects = {int(wall.move): int(wall.effect) for wall in walls}
    return [int(found.gain), int(found.net_gain), int(found.strong)], effects


def examine(position: Position) -> SearchState:
    """Return the kernel's state with the threats of ``position`` at ply 0."""
    state = new_state(9, 2)
    load_position(state, position)
    flood_all(state, 0)
    find_threats(state, 0)
    return state


def away(position: Position, player: int) -> int:
    distance = position.distance(player)
    assert distance is not None
    return distance


def try_walls(position: Position, victim: int) -> dict[int, tuple[int, int]]:
    """Return for each wall that lengthens the path of ``victim`` its gain, and the gain less its costs."""
    rival = 3 - victim
    line = position.to_line().rpartition("/")[0]
    turned = Position.from_line(f"{line}/ {rival}")
    gains = {}
    for wall in turned.legal_walls:
        turned.push(wall)
        gain = away(turned, victim) - away(position, victim)
        if gain:
            gains[number_of(wall, 9)] = (gain, gain - away(turned, rival) + away(position, rival))
        turned.pop()
    return gains


@pytest.mark.parametrize("seed", range(25))
def test_threats_agree_with_playing_the_walls(seed: int) -> None:
    source = random.Random(seed)
    position = random_position(source, source.randrange(45))
    state = examine(position)
    for seat in range(2):
        worth = try_walls(position, seat + 1)
        (gain, net, count), effects = read_threats(state, 0, seat)
        assert effects == {wall: min(max(worth[wall][1], -1) + 2, 15) for wall in effects}
        assert gain == min(max((worth[wall][0] for wall in effects), default=0), 15)
        assert net == min(max((worth[wall][1] + 1 for wall in effects), default=0), 15)
        assert count == sum(worth[wall][1] >= threats.STRONG for wall in effects)


def test_walls_that_gain_are_seldom_overlooked() -> None:
    """Those that cut some shortest paths at one place and the rest at another are not looked for."""
    source = random.Random(7)
    listed = all_there_are = 0
    for _ in range(40):
        position = random_position(source, 30)
        state = examine(position)
        for seat in range(2):
            worth = try_walls(position, seat + 1)
            all_there_are += len(worth)
            listed += len(worth.keys() & read_threats(state, 0, seat)[1].keys())
    assert listed > 0.8 * all_there_are > 0


def test_a_player_without_walls_poses_no_threat() -> None:
    state = examine(Position.from_line(" /  / e1 e9 / 0 5 / 1"))
    assert read_threats(state, 0, 1) == ([0, 0, 0], {})
    assert read_threats(state, 0, 0)[1]


@pytest.mark.parametrize("seed", range(6))
def test_threats_along_a_line_are_those_of_its_positions(seed: int) -> None:
    """Layers that reach the pawns only, or are older than the last wall, do as well."""
    source = random.Random(seed)
    position = Position()
    state = examine(position)
    for ply in range(30):
        moves = position.legal_moves
        walls = [move for move in moves if isinstance(move, Wall)]
        move = source.choice(walls if walls and source.random() < 0.6 else moves)
        number = number_of(move, 9)
        if isinstance(move, Wall):
            make_wall(state, ply, number)
        else:
            # Only where the layers reach every square may a pawn step anywhere.
            flood_all(state, ply)
            make_step(state, ply, number)
        position.push(move)
        if position.turn is None:
            break
        find_threats(state, ply + 1)
        fresh = examine(position)
        for seat in range(2):
            assert read_threats(state, ply + 1, seat) == read_threats(fresh, 0, seat)
