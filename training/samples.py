"""Positions of self-play, as files keep them.

``training.games`` writes them, and ``training.examples`` works out what the network sees in them. Squares and
moves have the numbers of the kernel, seats those of the game.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from tokenize import TokenError
from typing import Annotated, Any
from zipfile import BadZipFile

import click
import numpy as np
from numpy.typing import NDArray

from quoridor_net.engine.board.moves import HORIZONTAL, VERTICAL
from quoridor_net.engine.evaluation.resizing import BOARD_SIZE, BOARD_SQUARES
from quoridor_net.jit.arrays import Numbers
from quoridor_net.jit.records import indexed, record_type

#: So many moves of each position are kept.
MOVES = 12
MOST_WALLS = 20
#: One game of so many is not trained from but judged by.
HELD_OUT = 10
#: What the value 1, and a share of all visits, is in a file.
ONE = 10_000

Samples = NDArray[np.void]


class Sample:
    """A position that was searched, what the search found, and who won the game."""

    game: Annotated[int, np.int32]
    turn: Annotated[int, np.int16]
    #: By seat.
    pawns: Annotated[Numbers, 2]
    walls_left: Annotated[Numbers, 2]
    wall_count: Annotated[int, np.int16]
    #: The walls on the board, filled up with -1.
    walls: Annotated[Numbers, MOST_WALLS]
    #: The mean of the best move for the seat to move, from -ONE to ONE.
    value: Annotated[int, np.int16]
    #: The moves most visited, filled up with -1, and the share of the visits that each got. After a brief
    #: search all shares are 0: so few visits say little about the policy.
    moves: Annotated[Numbers, MOVES]
    shares: Annotated[Numbers, MOVES]
    #: 1 if the seat to move won, else 0.
    won: Annotated[int, np.int16]


sample_at = indexed(Sample)


def empty(count: int) -> Samples:
    """Return ``count`` samples full of zeros."""
    return np.zeros(count, record_type(Sample))


def address_of(samples: Samples) -> int:
    """Return where kernels find ``samples``, which lie side by side and are to be kept alive meanwhile."""
    return int(samples.ctypes.data)


#: What numpy raises, besides ValueError, for files of which single bytes were changed: RuntimeError for zip
#: files that are encrypted or packed in another way than its own.
_DAMAGED = (
    *(OSError, EOFError, LookupError, TypeError, SyntaxError, RuntimeError, MemoryError),
    *(BadZipFile, TokenError, zlib.error),
)


def arrays_in(file: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays in an ``.npz`` file by their names.

    Raises:
        ValueError: it is none, or damaged.
    """
    try:
        with file.open("rb") as opened:
            return dict(np.load(opened))
    except _DAMAGED as error:
        raise ValueError(f"there are no arrays in {file}") from error


def read(files: Sequence[Path]) -> Samples:
    """Return the samples of all ``files``; no two files have games of the same number.

    The games of a file that are held out are the same whatever other files there are.

    Raises:
        click.ClickException: a file is none that ``games`` has made.
    """
    parts = []
    first = 0
    for file in files:
        try:
            found = arrays_in(file).get("samples", np.zeros(0))
        except ValueError:
            found = np.zeros(0)
        if found.dtype != record_type(Sample) or not len(found):
            raise click.ClickException(f"there are no games in {file}; python -m training games makes some")
        found["game"] += first
        first = (int(found["game"].max()) // HELD_OUT + 1) * HELD_OUT
        parts.append(found)
    return np.concatenate(parts)


def write(file: Path, samples: Samples) -> None:
    """Write ``samples`` to ``file``; whoever stops the program meanwhile keeps what was there."""
    passing = file.with_name(f"{file.stem}-new.npz")
    np.savez_compressed(passing, samples=samples)
    passing.replace(file)


def held_out(game: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which positions are not trained from but judged by, given the numbers of their games.

    Raises:
        click.ClickException: all are, or none is.
    """
    held: NDArray[np.bool_] = game % HELD_OUT == 0
    if held.all() or not held.any():
        raise click.ClickException("one game in ten is held out, and the rest are too few; play more games")
    return held


def mirrored(samples: Samples) -> Samples:
    """Return the positions with left and right changed over."""
    found = samples.copy()
    for name in ("pawns", "walls", "moves"):
        found[name] = np.where(samples[name] < 0, samples[name], _ACROSS[samples[name]])
    return found


def _across() -> NDArray[np.int16]:
    """Return for each move the one on the other side of the board."""
    found = np.arange(VERTICAL + BOARD_SQUARES, dtype=np.int16)
    for first, width in ((0, BOARD_SIZE), (HORIZONTAL, BOARD_SIZE - 1), (VERTICAL, BOARD_SIZE - 1)):
        numbers = np.arange(BOARD_SQUARES)
        column = numbers % BOARD_SIZE
        across = np.where(column < width, numbers + width - 1 - 2 * column, numbers)
        found[first : first + BOARD_SQUARES] = first + across
    return found


_ACROSS = _across()
