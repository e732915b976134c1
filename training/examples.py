"""Positions of self-play as the network is to see them.

The files come from ``training.games``. Each position is seen as the player to move sees it,
its goal line at the bottom. Walls are numbered 0 to 127, row by row, horizontal ones first; moves likewise,
with the 81 squares after them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from attrs import asdict, frozen
from numpy.typing import NDArray

from quoridor_net.engine.board.convert import load_position, new_state
from quoridor_net.engine.board.distances import flood_all
from quoridor_net.engine.board.make import place_wall
from quoridor_net.engine.board.moves import HORIZONTAL, VERTICAL
from quoridor_net.engine.board.state import State
from quoridor_net.engine.evaluation.network import DISTANCES
from quoridor_net.engine.evaluation.network import THREATS as _THREATS
from quoridor_net.engine.evaluation.resizing import BOARD_SIZE, BOARD_SQUARES
from quoridor_net.engine.evaluation.threats import find_threats
from quoridor_net.engine.jit import kernel
from quoridor_net.rules import Position
from training.games import columns, lines_of

SLOTS = BOARD_SIZE - 1
WALLS = 2 * SLOTS * SLOTS
#: What is known of the threats to one seat.
THREAT_NUMBERS = len(_THREATS) // 2

Ints = NDArray[np.int64]
Truths = NDArray[np.bool_]
Bytes = NDArray[np.int8]
Reals = NDArray[np.float32]


@frozen(eq=False)
class Examples:
    """Positions, one in each row of every array.

    Attributes:
        game: number of the game; every file has its own numbers.
        walls: whether there is a wall: 2 orientations, 8 rows, 8 columns.
        own: square of the player to move.
        other: square of its rival.
        steps: whether the player may step to each of 81 squares.
        gains: by how much a step to each of them would shorten its way, from 0 (longer by 2 or more) to 4.
        near: steps from the goal line, of the player to move, or 19 if they are more.
        rival: the same of its rival.
        left: walls the player to move has left.
        other_left: walls its rival has left.
        flags: for each wall whether it cuts a shortest path of the rival, all of them, and the same of the
            player to move: 4 sets, 2 orientations, 8 rows, 8 columns.
        threats: gain, net and count of walls against the rival, and of the rival's against the player, see
            ``quoridor_net.engine.evaluation.threats``.
        effects: for each wall its effect if the player plays it, and that of the rival's wall which it
            crosses: 2 sets of 128 walls, 0 where there is none.
        terms: what the evaluation looks at.
        moves: the moves looked at.
        shares: how much of the attention each of them got; 0 for those that fill up a row.
        score: what the search thought, in hundredths of a step.
        won: 1 if the player to move won, else 0.
    """

    game: Ints
    walls: Truths
    own: Ints
    other: Ints
    steps: Truths
    gains: Bytes
    near: Ints
    rival: Ints
    left: Ints
    other_left: Ints
    flags: Truths
    threats: Ints
    effects: Bytes
    terms: Ints
    moves: Ints
    shares: Reals
    score: Ints
    won: Ints

    def part(self, rows: Ints) -> Examples:
        """Return the positions in these rows."""
        return Examples(**{name: values[rows] for name, values in asdict(self).items()})

    def mirrored(self) -> Examples:
        """Return the positions with left and right changed over."""
        square = self.moves - WALLS
        return Examples(
            game=self.game,
            walls=self.walls[..., ::-1],
            own=_across(self.own),
            other=_across(self.other),
            steps=self.steps.reshape(-1, BOARD_SIZE, BOARD_SIZE)[..., ::-1].reshape(-1, BOARD_SQUARES),
            gains=self.gains.reshape(-1, BOARD_SIZE, BOARD_SIZE)[..., ::-1].reshape(-1, BOARD_SQUARES),
            near=self.near,
            rival=self.rival,
            left=self.left,
            other_left=self.other_left,
            flags=self.flags[..., ::-1],
            threats=self.threats,
            effects=self.effects.reshape(-1, 2, 2, SLOTS, SLOTS)[..., ::-1].reshape(-1, 2, WALLS),
            terms=self.terms,
            moves=np.where(
                self.moves < WALLS, self.moves + 7 - 2 * (self.moves % SLOTS), WALLS + _across(square)
            ),
            shares=self.shares,
            score=self.score,
            won=self.won,
        )


def _across(squares: Ints) -> Ints:
    return squares + BOARD_SIZE - 1 - 2 * (squares % BOARD_SIZE)


def read(files: Sequence[Path]) -> Examples:
    """Return the positions of all ``files`` together."""
    parts = [asdict(examples(lines)) for lines in lines_of(files)]
    # One array after the other, so that there are not two of all at any time.
    return Examples(**{name: np.concatenate([part.pop(name) for part in parts]) for name in list(parts[0])})


def examples(lines: Ints) -> Examples:
    """Return the positions in the lines of a file."""
    found = columns(lines)
    turn = found["turn"][:, 0]
    rows = np.arange(len(turn))
    is_turned = turn == 1
    across, along = (
        _anchors(_anchor_numbers(found["walls"], first), is_turned) for first in (HORIZONTAL, VERTICAL)
    )
    own, other = (
        _turn(found["pawns"][rows, turn], is_turned),
        _turn(found["pawns"][rows, 1 - turn], is_turned),
    )
    steps = _bits(found["steps"], BOARD_SQUARES)
    steps[is_turned] = steps[is_turned, ::-1]
    far = _distances(across, along).reshape(-1, BOARD_SQUARES)
    back = _distances(across[:, ::-1, ::-1], along[:, ::-1, ::-1]).reshape(-1, BOARD_SQUARES)[:, ::-1]
    left, other_left = found["left"][rows, turn], found["left"][rows, 1 - turn]
    corridors = found["corridors"].reshape(-1, 2, 4, 2)
    flags = []
    # A corridor is found only if there is somebody left to cut it.
    for seat, cutters in ((1 - turn, left), (turn, other_left)):
        for across_at, along_at in ((0, 1), (2, 3)):
            pair = [
                _anchors(_bits(corridors[rows, seat, index], BOARD_SQUARES), is_turned)
                for index in (across_at, along_at)
            ]
            flags.append(np.stack(pair, 1) & (cutters > 0)[:, None, None, None])
    dangers, effects = _threats(found)
    moves = found["moves"].clip(0)
    _rename_all(moves, found["turn"])
    return Examples(
        game=found["game"][:, 0],
        walls=np.stack([across, along], 1),
        own=own,
        other=other,
        steps=steps,
        gains=((far[rows, own][:, None] - far).clip(-2, 2) + 2).astype(np.int8),
        near=far[rows, own].clip(0, DISTANCES - 1),
        rival=back[rows, other].clip(0, DISTANCES - 1),
        left=left,
        other_left=other_left,
        flags=np.stack(flags, 1),
        threats=dangers,
        effects=effects,
        terms=found["terms"],
        moves=moves,
        shares=(found["visits"] / found["visits"].sum(1, keepdims=True).clip(1)).astype(np.float32),
        score=found["score"][:, 0],
        won=found["won"][:, 0],
    )


def _threats(found: dict[str, Ints]) -> tuple[Ints, Bytes]:
    """Return what the kernel finds of threats and effects."""
    state = new_state(BOARD_SIZE, 2)
    load_position(state, Position(BOARD_SIZE))
    total = len(found["turn"])
    dangers = np.zeros((total, 2 * THREAT_NUMBERS), dtype=np.int64)
    effects = np.zeros((total, 2, WALLS), dtype=np.int8)
    turns, pawns, left = found["turn"], found["pawns"], found["left"]
    _find_all_threats(state, turns, pawns, left, found["walls"], dangers, effects)
    return dangers, effects


@kernel
def _find_all_threats(
    state: State,
    turns: Ints,
    pawns: Ints,
    left: Ints,
    walls: Ints,
    dangers: Ints,
    effects: Bytes,
) -> None:
    """Fill ``dangers`` and ``effects`` with what there is in the positions of the other arrays.

    The first frame has an empty board.
    """
    state.frames[1] = state.frames[0]
    frame = state.frames[0]
    for index in range(len(turns)):
        turn = turns[index, 0]
        state.frames[0] = state.frames[1]
        frame.turn = turn
        for seat in range(2):
            frame.pawns[seat] = pawns[index, seat]
            frame.walls_left[seat] = left[index, seat]
        for number in range(walls.shape[1]):
            if walls[index, number] >= 0:
                place_wall(state, frame, walls[index, number])
        flood_all(state, 0)
        find_threats(state, 0)
        for side in range(2):
            threats = state.threats[0, 1 - turn if side == 0 else turn]
            dangers[index, THREAT_NUMBERS * side] = threats.gain
            dangers[index, THREAT_NUMBERS * side + 1] = threats.net_gain
            dangers[index, THREAT_NUMBERS * side + 2] = threats.strong
            for number in range(threats.wall_count):
                slot = _number_here(threats.walls[number].move, turn)
                if side == 1:
                    # Crossing walls have the same place in the other half.
                    slot = (slot + WALLS // 2) % WALLS
                effects[index, side, slot] = threats.walls[number].effect


@kernel
def _number_here(move: int, turn: int) -> int:
    """Return the number here of the kernel's ``move``, as the player to move sees it."""
    if move < HORIZONTAL:
        return WALLS + (BOARD_SQUARES - 1 - move if turn == 1 else move)
    is_vertical = move >= VERTICAL
    anchor = move - VERTICAL if is_vertical else move - HORIZONTAL
    if turn == 1:
        anchor = BOARD_SQUARES - BOARD_SIZE - 2 - anchor
    return anchor // BOARD_SIZE * SLOTS + anchor % BOARD_SIZE + (SLOTS * SLOTS if is_vertical else 0)


@kernel
def _rename_all(moves: Ints, turns: Ints) -> None:
    """Put the numbers here in place of the kernel's ``moves``; each row has those of one position."""
    for index in range(len(moves)):
        for place in range(moves.shape[1]):
            moves[index, place] = _number_here(moves[index, place], turns[index, 0])


def _turn(squares: Ints, is_turned: Truths) -> Ints:
    return np.where(is_turned, BOARD_SQUARES - 1 - squares, squares)


def _bits(words: Ints, count: int) -> Truths:
    """Return sets of two words each as one row of ``count`` truth values for each."""
    numbers = np.arange(count)
    return (words[:, numbers // 64] >> numbers % 64 & 1).astype(bool)


def _anchor_numbers(walls: Ints, first: int) -> Truths:
    """Return which of 81 squares are the anchor of a wall of those with the numbers from ``first`` on."""
    numbers = np.arange(first, first + BOARD_SQUARES)
    found: Truths = (walls[:, :, None] == numbers).any(1)
    return found


def _anchors(squares: Truths, is_turned: Truths) -> Truths:
    """Return sets of wall anchors as 8 rows of 8."""
    found = squares.reshape(-1, BOARD_SIZE, BOARD_SIZE)[:, :SLOTS, :SLOTS].copy()
    found[is_turned] = found[is_turned, ::-1, ::-1]
    return found


def _distances(across: Truths, along: Truths) -> Ints:
    """Return the steps from each square to the bottom row; 99 where there is no way."""
    found = np.full((len(across), BOARD_SIZE, BOARD_SIZE), 99, dtype=np.int64)
    squares = np.empty(BOARD_SQUARES, dtype=np.int64)
    _flood_all_boards(np.ascontiguousarray(across), np.ascontiguousarray(along), squares, found)
    return found


@kernel
def _flood_all_boards(across: Truths, along: Truths, squares: Ints, found: Ints) -> None:
    """Put the steps from each square to the bottom row into ``found`` wherever there is a way.

    There must be room for all squares of a board in ``squares``.
    """
    for index in range(len(across)):
        board, walls_across, walls_along = found[index], across[index], along[index]
        for column in range(BOARD_SIZE):
            board[BOARD_SIZE - 1, column] = 0
            squares[column] = (BOARD_SIZE - 1) * BOARD_SIZE + column
        first, last = 0, BOARD_SIZE
        while first < last:
            row, column = squares[first] // BOARD_SIZE, squares[first] % BOARD_SIZE
            first += 1
            for direction in range(4):
                if direction < 2:
                    next_row, next_column = row + 2 * direction - 1, column
                    gate = min(row, next_row)
                    is_shut = not 0 <= next_row < BOARD_SIZE or _is_shut(walls_across[gate], column)
                else:
                    next_row, next_column = row, column + 2 * direction - 5
                    gate = min(column, next_column)
                    is_shut = not 0 <= next_column < BOARD_SIZE or _is_shut(walls_along[:, gate], row)
                if not is_shut and board[next_row, next_column] == 99:
                    board[next_row, next_column] = board[row, column] + 1
                    squares[last] = next_row * BOARD_SIZE + next_column
                    last += 1


@kernel
def _is_shut(walls: Truths, place: int) -> bool:
    """Return whether one of the walls in a line across the board stands in the way at ``place``."""
    return bool((place < SLOTS and walls[place]) or (place > 0 and walls[place - 1]))
