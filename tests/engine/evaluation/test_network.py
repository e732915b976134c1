"""The learned network: sums updated from ply to ply equal those computed from the position."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from quoridor_net.engine import Limits
from quoridor_net.engine.alphabeta.move_ordering import score_root_moves
from quoridor_net.engine.board.convert import load_position, new_state, number_of
from quoridor_net.engine.board.distances import flood_all, flood_rest
from quoridor_net.engine.board.make import make_move
from quoridor_net.engine.board.moves import HORIZONTAL, LARGEST, VERTICAL
from quoridor_net.engine.board.state import SearchState
from quoridor_net.engine.evaluation import network
from quoridor_net.engine.evaluation.accumulator import refresh, update
from quoridor_net.engine.evaluation.evaluate import evaluate
from quoridor_net.engine.evaluation.forward import forward, value
from quoridor_net.engine.evaluation.network import Network
from quoridor_net.engine.evaluation.places import MIDDLE, PAWN_OFFSETS
from quoridor_net.engine.evaluation.policy import find_priors
from quoridor_net.engine.evaluation.weights import set_weights
from quoridor_net.engine.searcher import Searcher
from quoridor_net.rules import Move, Orientation, Position, Square, Step, Wall, default_walls
from quoridor_net.rules.symmetry import reflect
from tests.support.network_file import FILE, columns
from tests.support.positions import random_position

pytestmark = pytest.mark.compiled("engine")

#: The boards that the network judges.
SIZES = range(network.SMALLEST, LARGEST + 1)


def set_up(position: Position) -> tuple[SearchState, Network]:
    """Return the kernels' state and network, with ``position`` in the first frame and accumulator."""
    state, net = new_state(position.size, 2), network.new_network(position.size)
    state.has_network = 1
    set_weights(state, None, with_network=True)
    fill(state, net, position)
    return state, net


def fill(state: SearchState, net: Network, position: Position) -> None:
    """Write ``position`` to the first frame and accumulator."""
    load_position(state, position)
    flood_all(state, 0)
    refresh(state, net, 0)


def some_move(source: random.Random, position: Position) -> Move:
    moves = position.legal_moves
    steps = [move for move in moves if isinstance(move, Step)]
    return source.choice(steps if steps and source.random() < 0.6 else moves)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_sums_kept_from_ply_to_ply_are_those_of_the_position(size: int, seed: int) -> None:
    source = random.Random(seed)
    position = Position(size)
    state, net = set_up(position)
    fresh, fresh_net = set_up(position)
    for ply in range(80):
        move = some_move(source, position)
        make_move(state, ply, number_of(move, size))
        flood_rest(state, ply + 1)
        position.push(move)
        if position.turn is None:
            break
        update(state, net, ply + 1, 0)
        update(state, net, ply + 1, 1)
        fill(fresh, fresh_net, position)
        assert evaluate(state, net, ply + 1) == evaluate(fresh, fresh_net, 0)
        units, fresh_units = net.accumulators[ply + 1].active, fresh_net.accumulators[0].active
        assert np.array_equal(np.asarray(units), np.asarray(fresh_units))


def turn_position(position: Position) -> Position:
    """Return ``position`` turned by half, with the players changed over."""
    size = position.size
    pawns = [position.pawn(player) for player in (2, 1)]
    return Position.setup(
        [pawn and reflect(pawn, size, columns=True, rows=True) for pawn in pawns],
        [position.walls_left(player) for player in (2, 1)],
        [reflect(wall, size, columns=True, rows=True) for wall in position.walls],
        3 - (position.turn or 1),
        size,
    )


def judge_position(position: Position) -> tuple[int, dict[Move, int]]:
    """Return the network's output for a position: its value, and a logit for each legal move."""
    size, moves = position.size, position.legal_moves
    state, net = set_up(position)
    state.root_count = len(moves)
    state.root_moves[: len(moves)] = [number_of(move, size) for move in moves]
    score_root_moves(state, net)
    priors = {
        move: int(prior) for move, prior in zip(moves, state.lists[0].priors[: len(moves)], strict=True)
    }
    return evaluate(state, net, 0), priors


@pytest.mark.parametrize("size", SIZES)
def test_both_players_are_judged_by_the_same_measure(size: int) -> None:
    source = random.Random(size)
    for _ in range(10):
        position = random_position(source, source.randrange(30), size)
        value_before, priors = judge_position(position)
        value_after, turned_priors = judge_position(turn_position(position))
        assert value_after == value_before
        assert turned_priors == {
            reflect(move, size, columns=True, rows=True): prior for move, prior in priors.items()
        }


def most_of_walls(seen: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return what ``count`` walls add up to for each unit at most; row by row the walls are in ``seen``."""
    found: NDArray[np.int64] = np.partition(seen, -count, axis=0)[-count:].clip(0).sum(axis=0)
    return found


@pytest.mark.parametrize(
    "size", [pytest.param(size, marks=pytest.mark.slow) if size > 9 else size for size in SIZES]
)
@pytest.mark.parametrize("sign", [1, -1])
def test_no_position_has_sums_beyond_16_bits(size: int, sign: int) -> None:
    net = network.new_network(size)
    count = 2 * default_walls(size, 2)
    line = range(size - 1)
    anchors = np.array([row * size + column for row in line for column in line])
    numbers = np.concatenate([anchors, VERTICAL - HORIZONTAL + anchors])
    places = np.asarray(net.places)

    def columns_of(field: str) -> NDArray[np.int64]:
        return sign * np.asarray(getattr(net, field)).astype(np.int64)

    def take_columns(pawn: int, table: NDArray[np.int64]) -> NDArray[np.int64]:
        horizontal = MIDDLE + places[anchors] - places[pawn]
        return table.take(np.concatenate([horizontal, PAWN_OFFSETS + horizontal]), axis=0)

    walls = columns_of("walls")[numbers]
    squares = range(size * size)
    by_own, by_other = (
        [take_columns(pawn, columns_of(field)) for pawn in squares]
        for field in ("walls_by_own", "walls_by_other")
    )
    own_pawn, other_pawn, apart = map(columns_of, ("own_pawn", "other_pawn", "pawn_offsets"))
    rest = sum(
        columns_of(field).max(axis=0).clip(0) for field in ("distances", "walls_left", *network.THREATS)
    )
    most_by_other = [most_of_walls(part, count) for part in by_other]
    most = 0
    for own in squares:
        most_by_own = most_of_walls(walls + by_own[own], count)
        for other in squares:
            total = rest
            offset = MIDDLE + places[other] - places[own]
            for column in (own_pawn[own], other_pawn[other], apart[offset]):
                total = total + column.clip(0)
            # Adding up each part by itself is a bound, which is quick to find and usually enough.
            highest = (total + most_by_own + most_by_other[other]).max()
            if highest >= 2**15:
                highest = (total + most_of_walls(walls + by_own[own] + by_other[other], count)).max()
            most = max(most, highest)
        # What walls add up to is kept in parts, too.
        for part in (walls, by_own[own], by_other[own], walls + by_own[own]):
            most = max(most, most_of_walls(part, count).max())
    assert 0 < most < 2**15


def test_every_number_of_the_file_has_its_place() -> None:
    fields = network.TABLES | network.SCALARS
    assert set(fields) | {"terms", "counts"} == set(FILE)
    assert {*fields.values(), "places", "last_square", "last_anchor", "accumulators"} == set(
        Network.__annotations__
    )


@pytest.mark.parametrize("size", SIZES)
def test_sums_of_the_heads_are_exact(size: int) -> None:
    net = network.new_network(size)
    fields = network.TABLES.values()
    heads = [field for field in fields if field == "value" or field.startswith("policy")]
    weights = abs(np.concatenate([getattr(net, field) for field in heads]).astype(np.int64))
    # Three columns of weights for a wall.
    assert 3 * weights.max() < 2**15
    assert 3 * weights.sum(axis=1).max() * network.ONE < 2**31


def test_the_prior_prefers_steps_forward_at_the_start() -> None:
    position = Position()
    state, net = set_up(position)
    order = [number_of(move, 9) for move in position.legal_moves]
    moves = state.lists[0]
    for index, number in enumerate(order):
        moves.moves[index] = number
    forward(state, net, 0)
    top = find_priors(state, net, 0, len(order))
    priors = dict(zip(order, moves.priors[: len(order)], strict=True))
    assert max(priors, key=priors.__getitem__) == number_of(Step(Square(4, 1)), 9)
    assert top == max(priors.values())


@pytest.mark.parametrize(
    "line",
    [
        "f1a3d3f3a4c8g8 / b1e3c7 / d3 i8 / 5 5 / 1",
        "d1e3c4c6 / e1f1c3b4f5g6c7a8b8 / d1 c7 / 5 2 / 1",
        "g1h2f6h6e7g7 / e1a3d3b5h5 / d1 a5 / 3 6 / 1",
    ],
)
def test_the_prior_prefers_a_wall_that_costs_the_rival_many_steps(line: str) -> None:
    position = Position.from_line(line)
    _, priors = judge_position(position)
    before = position.distance(2)
    position.push(max(priors, key=priors.__getitem__))
    after = position.distance(2)
    assert before is not None
    assert after is not None
    assert after >= before + 6


def test_the_value_knows_that_walls_are_worth_having() -> None:
    rich, poor = Position(), Position(9, 2, 10)
    for column in (0, 2, 4, 6):
        poor.push(Wall(column, 0, Orientation.HORIZONTAL))
        poor.push(Step(Square(4, 7 if column % 4 == 0 else 8)))
    state, net = set_up(rich)
    fresh, other_net = set_up(poor)
    assert evaluate(state, net, 0) > evaluate(fresh, other_net, 0)


def test_units_are_cut_off() -> None:
    state, net = set_up(Position())
    forward(state, net, 0)
    units = np.asarray(net.accumulators[0].active).astype(np.int64)
    assert 0 <= units.min() < units.max() <= network.ONE
    # With equal distances and all walls left, the value head weighs only the clipped units.
    assert value(state, net, 0) == units @ columns("value")[9 * 15 + 4] // network.ONE


@pytest.mark.parametrize("size", [6, 11])
def test_games_of_two_on_6_to_11_squares_are_judged_with_it(size: int) -> None:
    assert network.knows(size, 2)


@pytest.mark.parametrize(("size", "players"), [(5, 2), (9, 4), (7, 4)])
def test_other_games_are_judged_without_it(size: int, players: int) -> None:
    assert not network.knows(size, players)
    assert not np.any(np.asarray(network.new_network(None).value))
    assert Searcher(size, players, 1).choose(Position(size, players), Limits(depth=2)).depth == 2
