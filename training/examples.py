"""Training examples: positions of self-play as inputs of the network.

Each position is seen by the player to move, with its goal line at the bottom. Walls are numbered 0 to 127,
row by row, horizontal ones first; moves likewise, followed by the 81 squares.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from quoridor_net.engine.board.bitboard import Bitboard, holds, load, lowest, without_lowest
from quoridor_net.engine.board.convert import load_position, new_state
from quoridor_net.engine.board.distances import corridor_of, distance_of
from quoridor_net.engine.board.make import place_wall
from quoridor_net.engine.board.movegen import steps
from quoridor_net.engine.board.moves import HORIZONTAL, VERTICAL
from quoridor_net.engine.board.state import Frame, SearchState
from quoridor_net.engine.evaluation.linear import measure
from quoridor_net.engine.evaluation.network import DISTANCES, FLAGS, WALL_COUNTS
from quoridor_net.engine.evaluation.network import THREATS as _THREATS
from quoridor_net.engine.evaluation.resizing import BOARD_SIZE, BOARD_SQUARES
from quoridor_net.engine.evaluation.threats import find_threats
from quoridor_net.engine.evaluation.weights import TERM_COUNT
from quoridor_net.engine.mcts import stack
from quoridor_net.engine.mcts.tree import int64
from quoridor_net.rules import Position
from training.jit import kernel
from training.samples import MOVES, ONE, Sample, Samples, address_of, sample_at

SLOTS = BOARD_SIZE - 1
WALLS = 2 * SLOTS * SLOTS
#: Number of threat features per seat.
THREAT_NUMBERS = len(_THREATS) // 2

Ints = NDArray[np.int64]
Truths = NDArray[np.bool_]
Reals = NDArray[np.float32]


@frozen(eq=False)
class Examples:
    """Examples for the value, one per row of every array.

    Attributes:
        walls: whether a wall is placed: 2 orientations, 8 rows, 8 columns.
        pawns: squares of the player to move and of its rival.
        far: distances of both from their goal lines, at most 19 steps.
        left: walls left of both.
        threats: gain, net and count of walls against the rival, and of the rival's against the player, see
            ``quoridor_net.engine.evaluation.threats``.
        terms: terms of the linear evaluation.
        value: value found by the search, from -1 to 1.
        won: 1 if the player to move won, else 0.
    """

    walls: Truths
    pawns: Ints
    far: Ints
    left: Ints
    threats: Ints
    terms: Reals
    value: Reals
    won: Reals


@frozen(eq=False)
class PolicyExamples(Examples):
    """Examples for the value and the policy.

    Attributes:
        steps: whether the player may step to each of 81 squares.
        gains: how much a step to each of them shortens the path, from 0 (2 or more longer) to 4.
        flags: whether each wall cuts some shortest path of the rival, or all of them, and the same for the
            player to move: 4 sets of 128 walls.
        effects: effect of each wall for the player, and of the rival's wall that it crosses: 2 sets of 128
            walls, 0 without effect.
        moves: the moves visited most.
        shares: share of the visits of each of them; 0 for the padding of a row.
    """

    steps: Truths
    gains: Ints
    flags: Truths
    effects: Ints
    moves: Ints
    shares: Reals


class Extractor:
    """Converts samples to examples. It has scratch memory, so each thread needs its own."""

    def __init__(self) -> None:
        self._state = new_state(BOARD_SIZE, 2)

    def examples(self, samples: Samples) -> Examples:
        """Convert ``samples`` to examples for the value."""
        return Examples(**self._common(samples))

    def policy_examples(self, samples: Samples) -> PolicyExamples:
        """Convert ``samples`` to examples for the value and the policy."""
        common = self._common(samples)
        count = len(samples)
        found = PolicyExamples(
            **common,
            steps=np.zeros((count, BOARD_SQUARES), bool),
            gains=np.zeros((count, BOARD_SQUARES), np.int64),
            flags=np.zeros((count, FLAGS, WALLS), bool),
            effects=np.zeros((count, 2, WALLS), np.int64),
            moves=np.zeros((count, MOVES), np.int64),
            shares=samples["shares"].astype(np.float32),
        )
        _find_policy(
            *(self._state, address_of(samples), count, found.steps, found.gains),
            *(found.flags, found.effects, found.moves),
        )
        found.shares[:] /= found.shares.sum(1, keepdims=True).clip(1)
        return found

    def _common(self, samples: Samples) -> dict[str, Any]:
        count = len(samples)
        found: dict[str, Any] = {
            "walls": np.zeros((count, WALLS), bool),
            "pawns": np.zeros((count, 2), np.int64),
            "far": np.zeros((count, 2), np.int64),
            "left": np.zeros((count, 2), np.int64),
            "threats": np.zeros((count, 2 * THREAT_NUMBERS), np.int64),
            "terms": np.zeros((count, TERM_COUNT), np.float32),
        }
        load_position(self._state, Position(BOARD_SIZE))
        _keep_empty_board(self._state)
        _find_common(self._state, address_of(samples), count, *found.values())
        found["walls"] = found["walls"].reshape(-1, 2, SLOTS, SLOTS)
        found["value"] = samples["value"].astype(np.float32) / ONE
        found["won"] = samples["won"].astype(np.float32)
        return found


@kernel
def _keep_empty_board(state: SearchState) -> None:
    """Copy the first frame, which has an empty board, to the second."""
    state.frames[1] = state.frames[0]


@kernel
def _place(state: SearchState, sample: Sample) -> Frame:
    """Set up the position of ``sample`` in the first frame, from the empty board in the second."""
    state.frames[0] = state.frames[1]
    frame = state.frames[0]
    frame.turn = int64(sample.turn)
    for seat in range(2):
        frame.pawns[seat] = sample.pawns[seat]
        frame.walls_left[seat] = sample.walls_left[seat]
    frame.wall_count = sample.wall_count
    for index in range(sample.wall_count):
        place_wall(state, frame, int64(sample.walls[index]))
    stack.flood_frame(state, int64(0))
    find_threats(state, int64(0))
    return frame


@kernel
def _find_common(
    state: SearchState,
    samples: int,
    count: int,
    walls: Truths,
    pawns: Ints,
    far: Ints,
    left: Ints,
    threats: Ints,
    terms: Reals,
) -> None:
    """Fill the arrays with the inputs of the value."""
    for index in range(count):
        sample = sample_at(samples, index)
        frame = _place(state, sample)
        turn = frame.turn
        for number in range(frame.wall_count):
            walls[index, _number_here(int64(sample.walls[number]), turn)] = True
        measure(state, int64(0))
        for term in range(TERM_COUNT):
            terms[index, term] = state.terms[term]
        for side in range(2):
            seat = turn if side == 0 else 1 - turn
            pawn = frame.pawns[seat]
            pawns[index, side] = BOARD_SQUARES - 1 - pawn if turn == 1 else pawn
            far[index, side] = min(frame.distances[seat], DISTANCES - 1)
            left[index, side] = min(frame.walls_left[seat], WALL_COUNTS - 1)
            found = state.threats[0, 1 - seat]
            threats[index, THREAT_NUMBERS * side] = found.gain
            threats[index, THREAT_NUMBERS * side + 1] = found.net_gain
            threats[index, THREAT_NUMBERS * side + 2] = found.strong


@kernel
def _find_policy(
    state: SearchState,
    samples: int,
    count: int,
    where: Truths,
    gains: Ints,
    flags: Truths,
    effects: Ints,
    moves: Ints,
) -> None:
    """Fill the arrays with the inputs and targets of the policy."""
    for index in range(count):
        sample = sample_at(samples, index)
        frame = _place(state, sample)
        turn = frame.turn
        near = frame.distances[turn]
        board = steps(state, frame)
        while board:
            square = lowest(board)
            board = without_lowest(board)
            here = BOARD_SQUARES - 1 - square if turn == 1 else square
            where[index, here] = True
            gain = near - distance_of(state, int64(0), turn, square, near)
            gains[index, here] = min(max(gain, -2), 2) + 2
        for side in range(2):
            # The rival comes first: its paths are cut by walls of the player.
            seat = 1 - turn if side == 0 else turn
            if frame.walls_left[1 - seat] > 0:
                corridor = corridor_of(state, int64(0), seat)
                for orientation in range(2):
                    first = VERTICAL if orientation else HORIZONTAL
                    _flag(flags[index, 2 * side], load(corridor.cuts[orientation]), first, turn)
                    _flag(flags[index, 2 * side + 1], load(corridor.chokes[orientation]), first, turn)
            found = state.threats[0, seat]
            for number in range(found.wall_count):
                here = _number_here(found.walls[number].move, turn)
                if side == 1:
                    # Crossing walls have the same number in the other half.
                    here = (here + WALLS // 2) % WALLS
                effects[index, side, here] = found.walls[number].effect
        for number in range(MOVES):
            if sample.moves[number] >= 0:
                moves[index, number] = _number_here(int64(sample.moves[number]), turn)


@kernel
def _flag(flags: Truths, walls: Bitboard, first: int, turn: int) -> None:
    """Set a flag for each wall in the set, ignoring bits beyond the last anchors."""
    for row in range(SLOTS):
        for column in range(SLOTS):
            anchor = BOARD_SIZE * row + column
            if holds(walls, anchor):
                flags[_number_here(first + anchor, turn)] = True


@kernel
def _number_here(move: int, turn: int) -> int:
    """Return the number in examples of the kernel's ``move``, as seen by the player to move."""
    if move < HORIZONTAL:
        return WALLS + (BOARD_SQUARES - 1 - move if turn == 1 else move)
    is_vertical = move >= VERTICAL
    anchor = move - VERTICAL if is_vertical else move - HORIZONTAL
    if turn == 1:
        anchor = BOARD_SQUARES - BOARD_SIZE - 2 - anchor
    return anchor // BOARD_SIZE * SLOTS + anchor % BOARD_SIZE + (SLOTS * SLOTS if is_vertical else 0)
