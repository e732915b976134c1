"""What the kernel says single walls do to either way is what the rules library finds when they are played."""

from __future__ import annotations

import random

import pytest

from quoridor_net.engine import threats
from quoridor_net.engine.floods import flood_all
from quoridor_net.engine.memory import load, new_memory, number_of
from quoridor_net.engine.plays import play_step, play_wall
from quoridor_net.engine.threats import find_threats, threats_at
from quoridor_net.engine.words import Words
from quoridor_net.rules import Position, Wall
from tests.support.positions import random_position

pytestmark = pytest.mark.compiled("engine")


def found_at(memory: Words, ply: int, seat: int) -> tuple[list[int], dict[int, int]]:
    """Return gain, net and count of the threats to ``seat``, and the effect of each wall that is listed."""
    at = threats_at(ply, seat)
    listed = int(memory[at + threats.LISTED])
    pairs = memory[at + threats.LIST : at + threats.LIST + 2 * listed].reshape(-1, 2).tolist()
    return memory[at : at + threats.LISTED].tolist(), dict(pairs)


def examined(position: Position) -> Words:
    """Return the kernel's memory with the threats of ``position`` at ply 0."""
    memory = new_memory(9, 2)
    load(memory, position)
    flood_all(memory, 0)
    find_threats(memory, 0)
    return memory


def away(position: Position, player: int) -> int:
    distance = position.distance(player)
    assert distance is not None
    return distance


def played(position: Position, victim: int) -> dict[int, tuple[int, int]]:
    """Return for each wall that lengthens the way of ``victim`` its gain, and the gain less its costs."""
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
def test_threats_are_what_playing_the_walls_shows(seed: int) -> None:
    source = random.Random(seed)
    position = random_position(source, source.randrange(45))
    memory = examined(position)
    for seat in range(2):
        worth = played(position, seat + 1)
        (gain, net, count), effects = found_at(memory, 0, seat)
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
        memory = examined(position)
        for seat in range(2):
            worth = played(position, seat + 1)
            all_there_are += len(worth)
            listed += len(worth.keys() & found_at(memory, 0, seat)[1].keys())
    assert listed > 0.8 * all_there_are > 0


def test_nobody_is_threatened_by_who_has_no_walls() -> None:
    memory = examined(Position.from_line(" /  / e1 e9 / 0 5 / 1"))
    assert found_at(memory, 0, 1) == ([0, 0, 0], {})
    assert found_at(memory, 0, 0)[1]


@pytest.mark.parametrize("seed", range(6))
def test_threats_along_a_line_are_those_of_its_positions(seed: int) -> None:
    """Layers that reach the pawns only, or are older than the last wall, do as well."""
    source = random.Random(seed)
    position = Position()
    memory = examined(position)
    for ply in range(30):
        moves = position.legal_moves
        walls = [move for move in moves if isinstance(move, Wall)]
        move = source.choice(walls if walls and source.random() < 0.6 else moves)
        number = number_of(move, 9)
        if isinstance(move, Wall):
            play_wall(memory, ply, number)
        else:
            # Only where the layers reach every square may a pawn step anywhere.
            flood_all(memory, ply)
            play_step(memory, ply, number)
        position.push(move)
        if position.turn is None:
            break
        find_threats(memory, ply + 1)
        fresh = examined(position)
        for seat in range(2):
            assert found_at(memory, ply + 1, seat) == found_at(fresh, 0, seat)
