"""The conversion of positions of the rules library to the state, and of moves both ways."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from quoridor_net.engine.board.moves import HORIZONTAL, LARGEST, NO_MOVE, SEATS, VERTICAL
from quoridor_net.engine.board.state import WALLS_LEFT_LIMIT, SearchState
from quoridor_net.jit.arrays import Words
from quoridor_net.jit.records import new_record
from quoridor_net.rules import Jumps, Move, Orientation, Position, Square, Step, Wall

_KEY_SEED = 20160407
_WORD = 64


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def _write(words: Words | list[int], bits: int) -> None:
    """Write a set of numbers, given as the bits of an integer."""
    for index in range(2):
        part = bits >> index * _WORD & ((1 << _WORD) - 1)
        words[index] = part - (1 << _WORD) if part >> _WORD - 1 else part


def words_of(numbers: Iterable[int]) -> list[int]:
    """Return a set of numbers as the two words of a bitboard."""
    words = [0, 0]
    _write(words, _bits(numbers))
    return words


def numbers_in(words: Words) -> list[int]:
    """Return the numbers in a set of two words, lowest first."""
    bits = sum((int(words[index]) & (1 << _WORD) - 1) << index * _WORD for index in range(2))
    return [number for number in range(2 * _WORD) if bits >> number & 1]


def new_state(size: int, players: int) -> SearchState:
    """Return the state for games of ``players`` on a board of ``size``, without a position.

    Raises:
        ValueError: the kernel does not handle boards of this size.
    """
    if not 3 <= size <= LARGEST:
        raise ValueError(f"the kernel plays on boards of 3 to {LARGEST} squares, not {size}")
    state = new_record(SearchState)
    state.board_size, state.players = size, players
    line, inner = range(size), range(size - 1)
    first_row, last_row = _bits(line), _bits(size * size - size + column for column in line)
    first_column = _bits(size * row for row in line)
    last_column = first_column << size - 1
    goals = (last_row, first_row) if players == 2 else (last_row, first_column, first_row, last_column)
    for seat, goal in enumerate(goals):
        _write(state.goals[seat], goal)
    _write(state.near_edges[0], _bits(row * size for row in inner))
    _write(state.far_edges[0], _bits(row * size + size - 2 for row in inner))
    _write(state.near_edges[1], _bits(inner))
    _write(state.far_edges[1], _bits((size - 2) * size + column for column in inner))
    for anchor in (row * size + column for row in inner for column in inner):
        for move, along in ((HORIZONTAL + anchor, 1), (VERTICAL + anchor, size)):
            wall = state.walls[move]
            _write(wall.closes, _bits((anchor, anchor + along)))
            _write(wall.beside, _bits((anchor, anchor + 1, anchor + size, anchor + size + 1)))
    source = random.Random(_KEY_SEED)
    tables: tuple[Any, ...] = (state.pawn_keys, state.wall_keys, state.walls_left_keys, state.turn_keys)
    for keys in tables:
        keys.flat = [source.getrandbits(64) - 2**63 for _ in range(keys.size)]
    return state


def load_position(state: SearchState, position: Position) -> None:
    """Write ``position`` to the first frame, except for distances and layers, which kernels find.

    The size and number of players must be those of the state.
    """
    size, frame = position.size, state.frames[0]
    state.has_classroom_jumps = position.jumps is Jumps.CLASSROOM
    board = _Board(size)
    key = 0
    for number, wall in enumerate(position.walls):
        move = number_of(wall, size)
        state.placed[number] = move
        board.close(move)
        key ^= int(state.wall_keys[move])
    for orientation in range(2):
        _write(frame.passages[orientation], board.passages[orientation])
        _write(frame.fits[orientation], board.fits[orientation])
    _write(frame.touched, board.touched)
    _write(frame.tied, board.find_tied())
    frame.wall_count = len(position.walls)
    frame.wall_ply = frame.reversible = frame.flooded = 0
    frame.move = NO_MOVE
    for seat in range(SEATS):
        frame.corridor_ply[seat] = frame.path_ply[seat] = -1
        frame.pawns[seat] = frame.walls_left[seat] = frame.distances[seat] = frame.wall_sum_ply[seat] = 0
    for seat, player in enumerate(position.order):
        pawn = position.pawn(player)
        left = min(position.walls_left(player), WALLS_LEFT_LIMIT - 1)
        number = -1 if pawn is None else pawn.row * size + pawn.column
        frame.pawns[seat], frame.walls_left[seat] = number, left
        if number >= 0:
            key ^= int(state.pawn_keys[seat, number])
        key ^= int(state.walls_left_keys[seat, left])
    frame.turn = 0 if position.turn is None else position.order.index(position.turn)
    frame.key = key ^ int(state.turn_keys[frame.turn])


class _Board:
    """The passages and places that walls leave open, as integers, which are faster to change than words."""

    def __init__(self, size: int) -> None:
        self._size = size
        line, short = (1 << size) - 1, (1 << size - 1) - 1
        east = sum(short << size * row for row in range(size))
        south = sum(line << size * row for row in range(size - 1))
        self.passages = [south, east]
        self.fits = [east & south, east & south]
        self.touched = 0

    def close(self, move: int) -> None:
        """Close the passages that the wall ``move`` blocks."""
        orientation = 1 if move >= VERTICAL else 0
        along = self._size if orientation else 1
        middle = 1 << move % 128
        points = middle | middle << along | middle >> along
        self.passages[orientation] &= ~(middle | middle << along)
        self.fits[orientation] &= ~points
        self.fits[1 - orientation] &= ~middle
        self.touched |= points

    def find_tied(self) -> int:
        """Return the points of walls that are connected to the edge, directly or by other walls."""
        size, south, east = self._size, ~self.passages[0], ~self.passages[1]
        row, column = (1 << size - 1) - 1, sum(1 << size * row for row in range(size - 1))
        found = south & column | south >> 1 & column << size - 2
        found |= east & row | east >> size & row << size * (size - 2)
        new = found = found & self.touched
        while new:
            beside = new << 1 & south | (new & south) >> 1 | new << size & east | (new & east) >> size
            new = beside & self.touched & ~found
            found |= new
        return found


def number_of(move: Move, size: int) -> int:
    """Return the kernel's number of ``move``."""
    if isinstance(move, Step):
        return move.square.row * size + move.square.column
    anchor = move.row * size + move.column
    return anchor + (VERTICAL if move.orientation is Orientation.VERTICAL else HORIZONTAL)


def moves_since(before: Position, position: Position) -> list[int] | None:
    """Return the kernel's numbers of the moves from ``before`` to ``position``.

    Return None if ``position`` does not follow from ``before`` by moves alone.
    """
    twin = position.copy()
    moves = []
    while twin.ply > before.ply:
        move = twin.pop().move
        if move is None:
            return None
        moves.append(number_of(move, position.size))
    if twin != before or twin.history != before.history:
        return None
    return moves[::-1]


def move_of(number: int, size: int) -> Move:
    """Return the move with the kernel's ``number``."""
    row, column = divmod(number % 128, size)
    if number >= VERTICAL:
        return Wall(column, row, Orientation.VERTICAL)
    if number >= HORIZONTAL:
        return Wall(column, row, Orientation.HORIZONTAL)
    return Step(Square(column, row))
