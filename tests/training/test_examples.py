"""The network is taught with what the engine will show it: both work out the same numbers for a position."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from quoridor_net.engine.alphabeta.move_ordering import score_root_moves
from quoridor_net.engine.board.convert import load_position, new_state, number_of
from quoridor_net.engine.board.distances import flood_all
from quoridor_net.engine.board.moves import HORIZONTAL, VERTICAL
from quoridor_net.engine.board.state import State
from quoridor_net.engine.evaluation import network
from quoridor_net.engine.evaluation.accumulator import refresh
from quoridor_net.engine.evaluation.evaluate import evaluate
from quoridor_net.engine.evaluation.resizing import BOARD_SIZE, BOARD_SQUARES
from quoridor_net.engine.evaluation.weights import set_weights
from quoridor_net.rules import Move, Position, Step
from tests.support.network_file import FILE, columns, seen_from, wall_numbers
from tests.support.positions import random_position
from training.examples import SLOTS, WALLS, Examples, examples
from training.games import MOVES, line_of

pytestmark = pytest.mark.compiled("engine")


def units_of(seen: Examples) -> NDArray[np.int64]:
    own, other = int(seen.own[0]), int(seen.other[0])
    total = columns("own")[own] + columns("other")[other]
    total = total + columns("apart")[(other // 9 - own // 9 + 8) * 17 + other % 9 - own % 9 + 8]
    total = total + columns("ways")[20 * seen.near[0] + seen.rival[0]]
    total = total + columns("lefts")[11 * seen.left[0] + seen.other_left[0]]
    for name, threat in zip(network.THREATS, seen.threats[0], strict=True):
        total = total + columns(name)[threat]
    for wall in np.flatnonzero(seen.walls[0].reshape(-1)).tolist():
        total = total + columns("walls")[wall_numbers()[wall]]
        total = total + columns("by_own")[seen_from(own, wall)] + columns("by_other")[seen_from(other, wall)]
    cut_off: NDArray[np.int64] = total.clip(0, network.ONE)
    return cut_off


def prior_of(seen: Examples, units: NDArray[np.int64], move: int) -> int:
    if move >= WALLS:
        own, square = int(seen.own[0]), move - WALLS
        down = min(max(square // BOARD_SIZE - own // BOARD_SIZE, -2), 2) + 2
        place = down * 5 + min(max(square % BOARD_SIZE - own % BOARD_SIZE, -2), 2) + 2
        gain = int(seen.gains[0, square])
        found = units @ (columns("step_moves")[place] + columns("step_gains")[gain])
        return int(found // 32 + FILE["step_bias"][place] + FILE["gain_bias"][gain])
    by_own, by_other = seen_from(int(seen.own[0]), move), seen_from(int(seen.other[0]), move)
    number = wall_numbers()[move]
    weights = (
        columns("wall_moves")[number] + columns("wall_by_own")[by_own] + columns("wall_by_other")[by_other]
    )
    total = units @ weights // 32
    total += FILE["wall_bias"][number] + FILE["own_bias"][by_own] + FILE["other_bias"][by_other]
    for flag in np.flatnonzero(seen.flags[0].reshape(-1, WALLS)[:, move]):
        total += units @ columns("wall_flags")[flag] // 32 + FILE["flag_bias"][flag]
    for index, name in enumerate(("effect", "spoil")):
        effect = int(seen.effects[0, index, move])
        if effect:
            total += units @ columns(f"wall_{name}s")[effect] // 32 + FILE[f"{name}_bias"][effect]
    return int(total)


def kind_of(seen: Examples) -> int:
    """Return the number of the column that weighs the units for the value."""
    few = (1, 3, 6)
    left, other = (sum(int(walls[0]) >= least for least in few) for walls in (seen.left, seen.other_left))
    lead = min(max(int(seen.rival[0] - seen.near[0]), -4), 4)
    return 9 * (4 * left + other) + lead + 4


def number_here(position: Position, move: Move) -> int:
    """Return the number that the examples give a move."""
    number = number_of(move, BOARD_SIZE)
    if isinstance(move, Step):
        return WALLS + (BOARD_SQUARES - 1 - number if position.turn == 2 else number)
    orientation, first = (1, VERTICAL) if number >= VERTICAL else (0, HORIZONTAL)
    anchor = number - first
    anchor = 70 - anchor if position.turn == 2 else anchor
    return orientation * 64 + anchor // BOARD_SIZE * SLOTS + anchor % BOARD_SIZE


def whole_line(state: State, position: Position, moves: list[int]) -> list[int]:
    """Return a line of a file in which the first of ``moves`` got three visits and the second one."""
    empty = [-1] * (MOVES - len(moves))
    return [0, *line_of(state, position), *moves, *empty, 3, len(moves) - 1, *([0] * (MOVES - 2)), 0, 0, 0]


@pytest.mark.parametrize("seed", range(12))
def test_teacher_and_engine_see_the_same(seed: int) -> None:
    source = random.Random(seed)
    position = random_position(source, source.randrange(40))
    state, net = new_state(BOARD_SIZE, 2), network.new_network(BOARD_SIZE)
    seen = examples(np.array([whole_line(state, position, [0])]))
    units = units_of(seen)
    state.has_network = 1
    set_weights(state, None, with_network=True)
    load_position(state, position)
    flood_all(state, 0)
    refresh(state, net, 0)
    linear = int(FILE["terms"].astype(np.int64) @ seen.terms[0]) // 16
    linear += int(FILE["counts"][seen.left[0]]) - int(FILE["counts"][seen.other_left[0]])
    value = int(units @ columns("value")[kind_of(seen)]) // network.ONE
    assert evaluate(state, net, 0) == value + linear
    moves = position.legal_moves
    order = [number_of(move, BOARD_SIZE) for move in moves]
    state.root_count = len(order)
    state.root_moves[: len(order)] = order
    score_root_moves(state, net)
    priors = [int(prior) for prior in state.lists[0].priors[: len(order)]]
    assert priors == [prior_of(seen, units, number_here(position, move)) for move in moves]


def test_mirroring_twice_changes_nothing() -> None:
    position = Position()
    state = new_state(BOARD_SIZE, 2)
    lines = []
    for move in list(position.legal_moves)[::9]:
        twin = position.copy()
        twin.push(move)
        lines.append(whole_line(state, twin, [HORIZONTAL + 3, 4]))
    once = examples(np.array(lines)).mirrored()
    again = once.mirrored().mirrored()
    assert (once.walls == again.walls).all()
    assert (once.moves == again.moves).all()
    assert (once.shares[:, :3] == [0.75, 0.25, 0]).all()
    assert (once.steps == again.steps).all()
    assert (once.own == again.own).all()
    assert (once.effects == again.effects).all()
    assert (once.mirrored().own == examples(np.array(lines)).own).all()
