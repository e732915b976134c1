"""Training examples match the inputs that the engine computes for a position."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from quoridor_net.engine.alphabeta.move_ordering import score_root_moves
from quoridor_net.engine.board.convert import load_position, new_state, number_of
from quoridor_net.engine.board.distances import flood_all
from quoridor_net.engine.board.moves import HORIZONTAL, VERTICAL
from quoridor_net.engine.evaluation import network
from quoridor_net.engine.evaluation.accumulator import refresh
from quoridor_net.engine.evaluation.evaluate import evaluate
from quoridor_net.engine.evaluation.resizing import BOARD_SIZE, BOARD_SQUARES
from quoridor_net.engine.evaluation.weights import set_weights
from quoridor_net.rules import Move, Position, Step
from tests.support.network_file import FILE, columns, number_wall, wall_numbers
from tests.support.positions import random_position
from training.examples import SLOTS, WALLS, Examples, Extractor, PolicyExamples
from training.samples import ONE, Samples, mirror, new_samples

pytestmark = pytest.mark.compiled("engine")


def units_of(seen: Examples) -> NDArray[np.int64]:
    own, other = seen.pawns[0].tolist()
    total = columns("own")[own] + columns("other")[other]
    total = total + columns("apart")[(other // 9 - own // 9 + 8) * 17 + other % 9 - own % 9 + 8]
    total = total + columns("ways")[20 * seen.far[0, 0] + seen.far[0, 1]]
    total = total + columns("lefts")[11 * seen.left[0, 0] + seen.left[0, 1]]
    for name, threat in zip(network.THREATS, seen.threats[0], strict=True):
        total = total + columns(name)[threat]
    for wall in np.flatnonzero(seen.walls[0].reshape(-1)).tolist():
        total = total + columns("walls")[wall_numbers()[wall]]
        total = (
            total + columns("by_own")[number_wall(own, wall)] + columns("by_other")[number_wall(other, wall)]
        )
    cut_off: NDArray[np.int64] = total.clip(0, network.ONE)
    return cut_off


def prior_of(seen: PolicyExamples, units: NDArray[np.int64], move: int) -> int:
    if move >= WALLS:
        own, square = int(seen.pawns[0, 0]), move - WALLS
        down = min(max(square // BOARD_SIZE - own // BOARD_SIZE, -2), 2) + 2
        place = down * 5 + min(max(square % BOARD_SIZE - own % BOARD_SIZE, -2), 2) + 2
        gain = int(seen.gains[0, square])
        found = units @ (columns("step_moves")[place] + columns("step_gains")[gain])
        return int(found // 32 + FILE["step_bias"][place] + FILE["gain_bias"][gain])
    by_own, by_other = (number_wall(pawn, move) for pawn in seen.pawns[0].tolist())
    number = wall_numbers()[move]
    weights = (
        columns("wall_moves")[number] + columns("wall_by_own")[by_own] + columns("wall_by_other")[by_other]
    )
    total = units @ weights // 32
    total += FILE["wall_bias"][number] + FILE["own_bias"][by_own] + FILE["other_bias"][by_other]
    for flag in np.flatnonzero(seen.flags[0, :, move]):
        total += units @ columns("wall_flags")[flag] // 32 + FILE["flag_bias"][flag]
    for index, name in enumerate(("effect", "spoil")):
        effect = int(seen.effects[0, index, move])
        if effect:
            total += units @ columns(f"wall_{name}s")[effect] // 32 + FILE[f"{name}_bias"][effect]
    return int(total)


def kind_of(seen: Examples) -> int:
    """Return the number of the output column, by walls left and lead."""
    few = (1, 3, 6)
    left, other = (sum(int(walls) >= least for least in few) for walls in seen.left[0])
    near, rival = map(int, seen.far[0])
    lead = min(max(rival - near, -4), 4)
    return 9 * (4 * left + other) + lead + 4


def number_here(position: Position, move: Move) -> int:
    """Return the number of a move in the examples."""
    number = number_of(move, BOARD_SIZE)
    if isinstance(move, Step):
        return WALLS + (BOARD_SQUARES - 1 - number if position.turn == 2 else number)
    orientation, first = (1, VERTICAL) if number >= VERTICAL else (0, HORIZONTAL)
    anchor = number - first
    anchor = 70 - anchor if position.turn == 2 else anchor
    return orientation * 64 + anchor // BOARD_SIZE * SLOTS + anchor % BOARD_SIZE


def samples_of(positions: list[Position], moves: list[int]) -> Samples:
    """Return samples in which the first two of ``moves`` got 75 % and 25 % of the visits."""
    found = new_samples(len(positions))
    found["walls"] = found["moves"] = -1
    for sample, position in zip(found, positions, strict=True):
        walls = [number_of(wall, BOARD_SIZE) for wall in position.walls]
        sample["turn"] = position.order.index(position.turn or 0)
        for seat, player in enumerate(position.order):
            pawn = position.pawn(player)
            assert pawn is not None
            sample["pawns"][seat] = pawn.row * BOARD_SIZE + pawn.column
            sample["walls_left"][seat] = position.walls_left(player)
        sample["wall_count"] = len(walls)
        sample["walls"][: len(walls)] = walls
        sample["moves"][: len(moves)] = moves
        sample["shares"][:2] = 7500, 2500
    return found


@pytest.mark.parametrize("seed", range(12))
def test_model_and_engine_compute_the_same(seed: int) -> None:
    source = random.Random(seed)
    position = random_position(source, source.randrange(40))
    state, net = new_state(BOARD_SIZE, 2), network.new_network(BOARD_SIZE)
    seen = Extractor().policy_examples(samples_of([position], [0]))
    units = units_of(seen)
    state.has_network = 1
    set_weights(state, None, with_network=True)
    load_position(state, position)
    flood_all(state, 0)
    refresh(state, net, 0)
    linear = int(FILE["terms"].astype(np.int64) @ seen.terms[0].astype(np.int64)) // 16
    linear += int(FILE["counts"][seen.left[0, 0]]) - int(FILE["counts"][seen.left[0, 1]])
    value = int(units @ columns("value")[kind_of(seen)]) // network.ONE
    assert evaluate(state, net, 0) == value + linear
    moves = position.legal_moves
    order = [number_of(move, BOARD_SIZE) for move in moves]
    state.root_count = len(order)
    state.root_moves[: len(order)] = order
    score_root_moves(state, net)
    priors = [int(prior) for prior in state.lists[0].priors[: len(order)]]
    assert priors == [prior_of(seen, units, number_here(position, move)) for move in moves]


def test_targets_belong_to_their_positions() -> None:
    samples = samples_of([Position()] * 3, [0])
    samples["value"] = -ONE, 2500, ONE
    samples["won"] = 0, 1, 1
    for seen in (Extractor().examples(samples), Extractor().policy_examples(samples)):
        assert seen.value.tolist() == [-1, 0.25, 1]
        assert seen.won.tolist() == [0, 1, 1]


def test_mirrored_samples_give_mirrored_examples() -> None:
    source = random.Random(1)
    twins = [random_position(source, plies) for plies in range(40)]
    samples = samples_of(twins, [HORIZONTAL + 3, 4])
    assert (mirror(mirror(samples)) == samples).all()
    extractor = Extractor()
    once, across = (extractor.policy_examples(found) for found in (samples, mirror(samples)))
    assert (across.walls == once.walls[..., ::-1]).all()
    assert (across.pawns % BOARD_SIZE == BOARD_SIZE - 1 - once.pawns % BOARD_SIZE).all()
    assert (across.shares[:, :3] == [0.75, 0.25, 0]).all()
    assert (across.moves[:, 0] % SLOTS == SLOTS - 1 - once.moves[:, 0] % SLOTS).all()
    for name, width in (("steps", BOARD_SIZE), ("gains", BOARD_SIZE), ("flags", SLOTS), ("effects", SLOTS)):
        seen, there = getattr(once, name), getattr(across, name)
        assert (there.reshape(-1, width) == seen.reshape(-1, width)[:, ::-1]).all(), name
    for name in ("far", "left", "threats", "terms"):
        assert (getattr(across, name) == getattr(once, name)).all(), name
