"""The kernel's memory made from a position of the rules library, and moves translated both ways."""

from __future__ import annotations

import random
from collections.abc import Iterable

from quoridor_net.engine import layout
from quoridor_net.engine.words import Words
from quoridor_net.rules import Jumps, Move, Orientation, Position, Square, Step, Wall

_KEY_SEED = 20160407


def split(numbers: Iterable[int]) -> tuple[int, int]:
    """Return the set of ``numbers`` as two words."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return _words(bits)


def _words(bits: int) -> tuple[int, int]:
    return bits & layout.FULL, bits >> layout.WORD


def numbers_in(low: int, high: int) -> list[int]:
    """Return the numbers in a set of two words, lowest first."""
    bits = low | high << layout.WORD
    return [number for number in range(layout.CELLS) if bits >> number & 1]


def new_memory(size: int, players: int) -> Words:
    """Return memory for games of ``players`` on a board of ``size``.

    Raises:
        ValueError: the kernel does not handle boards of this size.
    """
    import numpy as np

    if not 3 <= size <= layout.LARGEST:
        raise ValueError(f"the kernel plays on boards of 3 to {layout.LARGEST} squares, not {size}")
    memory: Words = np.zeros(layout.WORDS, dtype=np.int64)
    memory[layout.SIZE] = size
    memory[layout.PLAYERS] = players
    last = range(size * size - size, size * size)
    bottom, top = split(last), split(range(size))
    west, east = split(range(0, size * size, size)), split(range(size - 1, size * size, size))
    goals = (bottom, top) if players == 2 else (bottom, west, top, east)
    for seat, goal in enumerate(goals):
        memory[layout.GOALS + 2 * seat : layout.GOALS + 2 * seat + 2] = goal
    inner = range(size - 1)
    memory[layout.LEFT_EDGE : layout.LEFT_EDGE + 2] = split(row * size for row in inner)
    memory[layout.RIGHT_EDGE : layout.RIGHT_EDGE + 2] = split(row * size + size - 2 for row in inner)
    memory[layout.TOP_EDGE : layout.TOP_EDGE + 2] = split(inner)
    memory[layout.BOTTOM_EDGE : layout.BOTTOM_EDGE + 2] = split(
        (size - 2) * size + column for column in inner
    )
    for anchor in (row * size + column for row in inner for column in inner):
        for wall, along in ((layout.HORIZONTAL + anchor, 1), (layout.VERTICAL + anchor, size)):
            place = layout.WALL_SETS + wall * layout.WALL_SET
            memory[place : place + 2] = split((anchor, anchor + along))
            memory[place + 2 : place + 4] = split((anchor, anchor + 1, anchor + size, anchor + size + 1))
    source = random.Random(_KEY_SEED)
    keys = [source.getrandbits(64) - 2**63 for _ in range(layout.HISTORY - layout.PAWN_KEYS)]
    memory[layout.PAWN_KEYS : layout.HISTORY] = keys
    return memory


def load(memory: Words, position: Position) -> None:
    """Write ``position`` into the first row. Distances and layers are left to the kernel.

    The size and number of players must be those the memory was made for.
    """
    size, row = position.size, layout.ROWS
    memory[layout.JUMPS] = position.jumps is Jumps.CLASSROOM
    memory[row : row + layout.ROW] = 0
    edges = _Edges(size)
    key = 0
    for number, wall in enumerate(position.walls):
        move = number_of(wall, size)
        memory[layout.PLACED + number] = move
        edges.close(move)
        key ^= int(memory[layout.WALL_KEYS + move])
    for offset, numbers in (
        (layout.EAST, edges.east),
        (layout.SOUTH, edges.south),
        (layout.FIT_HORIZONTAL, edges.fit_horizontal),
        (layout.FIT_VERTICAL, edges.fit_vertical),
        (layout.TOUCHED, edges.touched),
    ):
        memory[row + offset : row + offset + 2] = _words(numbers)
    memory[row + layout.WALL_KEY] = key
    memory[row + layout.WALL_COUNT] = len(position.walls)
    memory[row + layout.FOUND_AT : row + layout.FOUND_AT + layout.SEATS] = -1
    for seat, player in enumerate(position.order):
        pawn = position.pawn(player)
        left = min(position.walls_left(player), layout.LEFT_LIMIT - 1)
        number = -1 if pawn is None else pawn.row * size + pawn.column
        memory[row + layout.PAWN + seat] = number
        memory[row + layout.LEFT + seat] = left
        if number >= 0:
            key ^= int(memory[layout.PAWN_KEYS + seat * layout.CELLS + number])
        key ^= int(memory[layout.LEFT_KEYS + seat * layout.LEFT_LIMIT + left])
    turn = 0 if position.turn is None else position.order.index(position.turn)
    memory[row + layout.TURN] = turn
    memory[row + layout.KEY] = key ^ int(memory[layout.TURN_KEYS + turn])
    memory[row + layout.MOVE] = layout.NO_MOVE


class _Edges:
    """What walls leave open, as sets of squares and anchors: whole integers change faster than the memory."""

    def __init__(self, size: int) -> None:
        self._size = size
        line, short = (1 << size) - 1, (1 << size - 1) - 1
        self.east = sum(short << size * row for row in range(size))
        self.south = sum(line << size * row for row in range(size - 1))
        self.fit_horizontal = self.fit_vertical = self.east & self.south
        self.touched = 0

    def close(self, move: int) -> None:
        """Take away what the wall ``move`` closes."""
        if move >= layout.VERTICAL:
            anchor, along = move - layout.VERTICAL, self._size
            middle, near = 1 << anchor, _near(anchor, along)
            self.east &= ~(middle | middle << along)
            self.fit_vertical &= ~near
            self.fit_horizontal &= ~middle
        else:
            anchor, along = move - layout.HORIZONTAL, 1
            middle, near = 1 << anchor, _near(anchor, along)
            self.south &= ~(middle | middle << along)
            self.fit_horizontal &= ~near
            self.fit_vertical &= ~middle
        self.touched |= near


def _near(anchor: int, along: int) -> int:
    middle = 1 << anchor
    return middle | middle << along | (middle >> along)


def number_of(move: Move, size: int) -> int:
    """Return the kernel's number of ``move``."""
    if isinstance(move, Step):
        return move.square.row * size + move.square.column
    anchor = move.row * size + move.column
    return anchor + (layout.VERTICAL if move.orientation is Orientation.VERTICAL else layout.HORIZONTAL)


def move_of(number: int, size: int) -> Move:
    """Return the move that the kernel calls ``number``."""
    row, column = divmod(number % 128, size)
    if number >= layout.VERTICAL:
        return Wall(column, row, Orientation.VERTICAL)
    if number >= layout.HORIZONTAL:
        return Wall(column, row, Orientation.HORIZONTAL)
    return Step(Square(column, row))
