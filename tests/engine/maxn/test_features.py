"""The features of the network for four players agree with the rules library."""

from __future__ import annotations

import random

import pytest

from quoridor_net.engine.board.convert import load_position, new_state
from quoridor_net.engine.board.distances import flood_all
from quoridor_net.engine.board.moves import SEATS
from quoridor_net.engine.maxn import network
from quoridor_net.engine.maxn.evaluate import estimate
from quoridor_net.engine.maxn.features import find_features, find_gains
from quoridor_net.engine.maxn.network import load_network
from quoridor_net.engine.maxn.tree import MaxNTree
from quoridor_net.jit.records import new_record
from quoridor_net.rules import Jumps, Orientation, Position, Square, Wall
from tests.support.positions import play_randomly

pytestmark = pytest.mark.compiled("engine")


def examine(position: Position) -> MaxNTree:
    """Return a tree with the features, gains and chances of ``position``."""
    state, tree = new_state(position.size, SEATS), new_record(MaxNTree)
    load_network(tree.network)
    load_position(state, position)
    assert flood_all(state, 0)
    find_gains(state, tree, 0)
    find_features(state, tree, 0)
    estimate(state, tree, 0)
    return tree


def play_at_random(seed: int, size: int) -> Position:
    """Return a position after random moves, half of them walls; in every other one somebody is out."""
    source = random.Random(f"{seed} {size}")
    position = Position(size, SEATS, 4, source.choice(list(Jumps)))
    play_randomly(position, source, source.randrange(16))
    if seed % 2:
        position.eliminate(source.choice(position.alive))
    return position


def away(position: Position, player: int) -> int:
    distance = position.distance(player)
    assert distance is not None
    return distance


@pytest.mark.parametrize("size", [5, 9, 11])
@pytest.mark.parametrize("seed", range(12))
def test_features_are_distances_and_walls_as_each_seat_sees_them(seed: int, size: int) -> None:
    position = play_at_random(seed, size)
    tree = examine(position)
    for seat, player in enumerate(position.order):
        if player not in position.alive:
            continue
        found = [int(number) for number in tree.features[seat]]
        in_turn = position.order[seat:] + position.order[:seat]
        for place, other in enumerate(in_turn):
            is_out = other not in position.alive
            distance = network.OUT if is_out else min(away(position, other), network.LONGEST)
            assert found[place] == network.DISTANCES + place * (network.LONGEST + 2) + distance
            left = 0 if is_out else position.walls_left(other)
            gain = int(tree.gains[position.order.index(other)])
            assert found[2 * SEATS + place] == network.GAINS + place * (network.MOST_GAIN + 1) + gain
            assert found[SEATS + place] == network.WALLS + place * (network.MOST_WALLS + 1) + left
        rivals = [other for other in position.alive if other != player]
        assert found[3 * SEATS] == network.TURNS + in_turn.index(position.turn or 0)
        own = away(position, player)
        lead = min(away(position, other) for other in rivals) - own
        lead = max(min(lead, network.MOST_LEAD), -network.MOST_LEAD) + network.MOST_LEAD
        walls = min(sum(map(position.walls_left, rivals)), network.MOST_RIVAL_WALLS)
        assert found[3 * SEATS + 1] == network.LEADS + lead * (network.MOST_RIVAL_WALLS + 1) + walls
        nearer = sum(away(position, other) < own for other in rivals)
        assert found[3 * SEATS + 2] == network.AHEAD + nearer
        assert all(0 <= number < network.COLUMNS for number in found)


@pytest.mark.parametrize("seed", range(12))
def test_gains_agree_with_playing_the_walls(seed: int) -> None:
    position = play_at_random(seed, 9)
    tree = examine(position)
    for seat, player in enumerate(position.order):
        if player not in position.alive:
            continue
        gains = [0]
        for wall in [move for move in position.legal_moves if isinstance(move, Wall)]:
            before = away(position, player)
            position.push(wall)
            gains.append(away(position, player) - before)
            position.pop()
        # Walls that cut some shortest paths at one place and the rest at another are not looked for.
        assert int(tree.gains[seat]) <= min(max(gains), network.MOST_GAIN)


def test_only_walls_of_rivals_are_a_threat() -> None:
    walls = [Wall(3, 6, Orientation.HORIZONTAL), Wall(5, 6, Orientation.HORIZONTAL)]
    pawns = [Square(4, 5), Square(4, 2), Square(0, 4), Square(8, 4)]
    for left in ([1, 0, 0, 0], [0, 0, 1, 0]):
        position = Position.setup(pawns, left, walls, size=9)
        gain = int(examine(position).gains[position.order.index(1)])
        assert (gain > 0) == (left[0] == 0)


def test_all_seats_are_judged_alike() -> None:
    """The same position turned a quarter gives the same chances one seat further on."""
    pawns = [Square(2, 3), Square(6, 2), Square(5, 6), Square(1, 5)]
    left = [3, 1, 2, 0]
    order = Position(9, SEATS).order
    before = list(examine(Position.setup(pawns, left, size=9, turn=order[0])).value)
    turned_pawns, turned_left = list(pawns), list(left)
    for seat, player in enumerate(order):
        following = order[(seat + 1) % SEATS]
        pawn = pawns[player - 1]
        turned_pawns[following - 1] = Square(8 - pawn.row, pawn.column)
        turned_left[following - 1] = left[player - 1]
    after = list(examine(Position.setup(turned_pawns, turned_left, size=9, turn=order[1])).value)
    assert after == pytest.approx([before[-1], *before[:-1]])
