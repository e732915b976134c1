"""The learned network: what is added up from ply to ply is what the position itself says."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from quoridor_net.engine import Limits, Searcher, layout, network
from quoridor_net.engine.evaluation import evaluate
from quoridor_net.engine.floods import flood_all
from quoridor_net.engine.memory import load, new_memory, number_of
from quoridor_net.engine.neurons import excite, feed, feed_all, value_of_units
from quoridor_net.engine.ordering import PRIOR, rank_root
from quoridor_net.engine.plays import flood_rest, play_step, play_wall
from quoridor_net.engine.weights import set_weights
from quoridor_net.engine.words import Numbers, Words
from quoridor_net.rules import Move, Orientation, Position, Square, Step, Wall
from tests.support.network_file import columns, seen_from, wall_numbers

pytestmark = pytest.mark.compiled("engine")


def made(position: Position) -> tuple[Words, Numbers]:
    """Return the kernel's memory and numbers, fed with ``position``."""
    memory, numbers = new_memory(9, 2), network.new_numbers(is_used=True)
    memory[layout.HAS_NETWORK] = 1
    set_weights(memory, None, with_network=True)
    load(memory, position)
    flood_all(memory, 0)
    feed_all(numbers, memory, 0)
    return memory, numbers


def some_move(source: random.Random, position: Position) -> Move:
    moves = position.legal_moves
    steps = [move for move in moves if isinstance(move, Step)]
    return source.choice(steps if steps and source.random() < 0.6 else moves)


@pytest.mark.parametrize("seed", range(8))
def test_sums_kept_from_ply_to_ply_are_those_of_the_position(seed: int) -> None:
    source = random.Random(seed)
    position = Position()
    memory, numbers = made(position)
    for ply in range(80):
        move = some_move(source, position)
        number = number_of(move, 9)
        if number < layout.HORIZONTAL:
            play_step(memory, ply, number)
        else:
            play_wall(memory, ply, number)
        flood_rest(memory, ply + 1)
        position.push(move)
        if position.turn is None:
            break
        feed(numbers, memory, ply + 1, 0)
        feed(numbers, memory, ply + 1, 1)
        fresh, others = made(position)
        assert evaluate(memory, numbers, ply + 1) == evaluate(fresh, others, 0)


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
    numbers = network.new_numbers(is_used=True)
    assert len(numbers) == network.NUMBERS
    assert not any(numbers[: network.UNITS])
    moves = abs(numbers[network.VALUE : network.WALL_BIAS].astype(np.int64)).reshape(-1, network.UNITS)
    # Three columns of weights for a wall.
    assert 3 * moves.max() < 2**15
    assert 3 * moves.sum(axis=1).max() * network.ONE < 2**31


def test_the_prior_prefers_steps_forward_at_the_start() -> None:
    position = Position()
    memory, numbers = made(position)
    order = [number_of(move, 9) for move in position.legal_moves]
    memory[layout.ROOT_COUNT] = len(order)
    memory[layout.ROOT_MOVES : layout.ROOT_MOVES + len(order)] = order
    rank_root(numbers, memory)
    place = layout.LISTS + PRIOR
    priors = dict(zip(order, memory[place : place + len(order)], strict=True))
    assert max(priors, key=priors.__getitem__) == number_of(Step(Square(4, 1)), 9)


def test_the_value_knows_that_walls_are_worth_having() -> None:
    rich, poor = Position(), Position(9, 2, 10)
    for column in (0, 2, 4, 6):
        poor.push(Wall(column, 0, Orientation.HORIZONTAL))
        poor.push(Step(Square(4, 7 if column % 4 == 0 else 8)))
    memory, numbers = made(rich)
    fresh, others = made(poor)
    assert evaluate(memory, numbers, 0) > evaluate(fresh, others, 0)


def test_units_are_cut_off() -> None:
    memory, numbers = made(Position())
    excite(numbers, memory, 0)
    units = numbers[network.SUMS + network.ACTIVE : network.SUMS + network.ACTIVE + network.UNITS]
    assert units.min() >= 0
    assert units.max() <= network.ONE
    assert isinstance(int(value_of_units(numbers, memory, 0)), int)


@pytest.mark.parametrize(("size", "players"), [(7, 2), (9, 4), (11, 2)])
def test_other_games_are_judged_without_it(size: int, players: int) -> None:
    assert not network.knows(size, players)
    assert len(network.new_numbers(is_used=False)) == 1
    assert Searcher(size, players, 1).choose(Position(size, players), Limits(depth=2)).depth == 2
