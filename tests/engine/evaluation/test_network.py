"""The learned network: what is added up from ply to ply is what the position itself says."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from quoridor_net.engine import Limits, Searcher
from quoridor_net.engine.board.convert import load_position, new_state, number_of
from quoridor_net.engine.board.distances import flood_all, flood_rest
from quoridor_net.engine.board.make import make_move
from quoridor_net.engine.board.state import State
from quoridor_net.engine.evaluation import network
from quoridor_net.engine.evaluation.accumulator import refresh, update
from quoridor_net.engine.evaluation.evaluate import evaluate
from quoridor_net.engine.evaluation.forward import forward, value
from quoridor_net.engine.evaluation.network import Network
from quoridor_net.engine.evaluation.policy import find_priors
from quoridor_net.engine.evaluation.weights import set_weights
from quoridor_net.rules import Move, Orientation, Position, Square, Step, Wall
from tests.support.network_file import FILE, columns, seen_from, wall_numbers

pytestmark = pytest.mark.compiled("engine")


def made(position: Position) -> tuple[State, Network]:
    """Return the kernels' state and network, with ``position`` in the first frame and accumulator."""
    state, net = new_state(9, 2), network.new_network(is_used=True)
    state.has_network = 1
    set_weights(state, None, with_network=True)
    load_position(state, position)
    flood_all(state, 0)
    refresh(state, net, 0)
    return state, net


def some_move(source: random.Random, position: Position) -> Move:
    moves = position.legal_moves
    steps = [move for move in moves if isinstance(move, Step)]
    return source.choice(steps if steps and source.random() < 0.6 else moves)


@pytest.mark.parametrize("seed", range(8))
def test_sums_kept_from_ply_to_ply_are_those_of_the_position(seed: int) -> None:
    source = random.Random(seed)
    position = Position()
    state, net = made(position)
    for ply in range(80):
        move = some_move(source, position)
        make_move(state, ply, number_of(move, 9))
        flood_rest(state, ply + 1)
        position.push(move)
        if position.turn is None:
            break
        update(state, net, ply + 1, 0)
        update(state, net, ply + 1, 1)
        fresh, other_net = made(position)
        assert evaluate(state, net, ply + 1) == evaluate(fresh, other_net, 0)
        units, fresh_units = net.accumulators[ply + 1].active, other_net.accumulators[0].active
        assert all(units[unit] == fresh_units[unit] for unit in range(network.UNITS))


def most_of_walls(seen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what twenty walls add up to for each unit at most; row by row the walls are in ``seen``."""
    found: NDArray[np.int64] = np.partition(seen, -20, axis=0)[-20:].clip(0).sum(axis=0)
    return found


@pytest.mark.parametrize("sign", [1, -1])
def test_no_position_has_sums_beyond_16_bits(sign: int) -> None:
    walls = sign * columns("walls")[wall_numbers()]
    by_own, by_other = (
        [sign * columns(name)[[seen_from(pawn, wall) for wall in range(128)]] for pawn in range(81)]
        for name in ("by_own", "by_other")
    )
    rest = sum((sign * columns(name)).max(axis=0).clip(0) for name in ("ways", "lefts", *network.THREATS))
    most = 0
    for own in range(81):
        for other in range(81):
            apart = (other // 9 - own // 9 + 8) * 17 + other % 9 - own % 9 + 8
            total = most_of_walls(walls + by_own[own] + by_other[other]) + rest
            for name, place in (("own", own), ("other", other), ("apart", apart)):
                total = total + (sign * columns(name)[place]).clip(0)
            most = max(most, total.max())
        # What walls add up to is kept in parts, too.
        for part in (walls, by_own[own], by_other[own], walls + by_own[own]):
            most = max(most, most_of_walls(part).max())
    assert 0 < most < 2**15


def test_every_number_of_the_file_has_its_place_and_sums_are_exact() -> None:
    net = network.new_network(is_used=True)
    fields = network.TABLES | network.SCALARS
    assert set(fields) | {"terms", "counts"} == set(FILE)
    assert {*fields.values(), "accumulators"} == set(Network.__annotations__)
    assert all((np.ravel(getattr(net, field)) == FILE[name]).all() for name, field in fields.items())
    heads = [field for field in fields.values() if field == "value" or field.startswith("policy")]
    weights = abs(np.concatenate([getattr(net, field) for field in heads]).astype(np.int64))
    # Three columns of weights for a wall.
    assert 3 * weights.max() < 2**15
    assert 3 * weights.sum(axis=1).max() * network.ONE < 2**31


def test_the_prior_prefers_steps_forward_at_the_start() -> None:
    position = Position()
    state, net = made(position)
    order = [number_of(move, 9) for move in position.legal_moves]
    moves = state.lists[0]
    for index, number in enumerate(order):
        moves.moves[index] = number
    forward(state, net, 0)
    top = find_priors(state, net, 0, len(order))
    priors = dict(zip(order, moves.priors[: len(order)], strict=True))
    assert max(priors, key=priors.__getitem__) == number_of(Step(Square(4, 1)), 9)
    assert top == max(priors.values())


def test_the_value_knows_that_walls_are_worth_having() -> None:
    rich, poor = Position(), Position(9, 2, 10)
    for column in (0, 2, 4, 6):
        poor.push(Wall(column, 0, Orientation.HORIZONTAL))
        poor.push(Step(Square(4, 7 if column % 4 == 0 else 8)))
    state, net = made(rich)
    fresh, other_net = made(poor)
    assert evaluate(state, net, 0) > evaluate(fresh, other_net, 0)


def test_units_are_cut_off() -> None:
    state, net = made(Position())
    forward(state, net, 0)
    units = np.asarray(net.accumulators[0].active).astype(np.int64)
    assert 0 <= units.min() < units.max() <= network.ONE
    # The clipped units are what the value head weighs: with equal distances and all walls left.
    assert value(state, net, 0) == units @ columns("value")[9 * 15 + 4] // network.ONE


@pytest.mark.parametrize(("size", "players"), [(7, 2), (9, 4), (11, 2)])
def test_other_games_are_judged_without_it(size: int, players: int) -> None:
    assert not network.knows(size, players)
    assert not np.any(np.asarray(network.new_network(is_used=False).value))
    assert Searcher(size, players, 1).choose(Position(size, players), Limits(depth=2)).depth == 2
