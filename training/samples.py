"""Positions of self-play in files.

``training.games`` writes them, and ``training.examples`` converts them to inputs of the network. Squares and
moves have the numbers of the kernel, seats those of the game.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from tokenize import TokenError
from typing import Annotated, Any, BinaryIO
from zipfile import BadZipFile

import click
import numpy as np
from numpy.typing import NDArray

from quoridor_net.engine.board.moves import HORIZONTAL, VERTICAL
from quoridor_net.engine.evaluation.resizing import BOARD_SIZE, BOARD_SQUARES
from quoridor_net.jit.arrays import Numbers
from quoridor_net.jit.records import index_records, record_type

#: Number of moves kept per position.
MOVES = 12
MOST_WALLS = 20
#: One game of this many is held out.
HELD_OUT = 10
#: The integer that stands for 1 in a file.
ONE = 10_000

Samples = NDArray[np.void]


class Sample:
    """A searched position, the result of the search, and the result of the game."""

    game: Annotated[int, np.int32]
    turn: Annotated[int, np.int16]
    #: By seat.
    pawns: Annotated[Numbers, 2]
    walls_left: Annotated[Numbers, 2]
    wall_count: Annotated[int, np.int16]
    #: The walls on the board, padded with -1.
    walls: Annotated[Numbers, MOST_WALLS]
    #: The mean of the best move for the seat to move, from -ONE to ONE.
    value: Annotated[int, np.int16]
    #: The moves visited most, padded with -1, and their shares of the visits. All shares are 0 after a brief
    #: search, because few visits say little about the policy.
    moves: Annotated[Numbers, MOVES]
    shares: Annotated[Numbers, MOVES]
    #: 1 if the seat to move won, else 0.
    won: Annotated[int, np.int16]


sample_at = index_records(Sample)


def new_samples(count: int) -> Samples:
    """Return ``count`` samples of zeros."""
    return np.zeros(count, record_type(Sample))


def address_of(samples: Samples) -> int:
    """Return the address of contiguous ``samples`` for kernels; keep the array alive while it is used."""
    return int(samples.ctypes.data)


#: Errors that numpy raises, besides ValueError, for damaged files. RuntimeError is for zip files that are
#: encrypted or use an unsupported compression.
_DAMAGED = (
    *(OSError, EOFError, LookupError, TypeError, SyntaxError, RuntimeError, MemoryError),
    *(BadZipFile, TokenError, zlib.error),
)


def load_arrays(file: Path) -> dict[str, NDArray[Any]]:
    """Load the arrays in an ``.npz`` file, by name.

    Raises:
        ValueError: the file has another format, or is damaged.
    """
    try:
        with file.open("rb") as opened:
            return dict(np.load(opened))
    except _DAMAGED as error:
        raise ValueError(f"{file} does not contain arrays") from error


def read(files: Sequence[Path]) -> Samples:
    """Read the samples of all ``files``, and renumber the games so that their numbers are distinct.

    The held-out games of a file do not depend on the other files.

    Raises:
        click.ClickException: a file was not written by ``games``.
    """
    parts = []
    first = 0
    for file in files:
        try:
            found = load_arrays(file).get("samples", np.zeros(0))
        except ValueError:
            found = np.zeros(0)
        if found.dtype != record_type(Sample) or not len(found):
            raise click.ClickException(f"{file} does not contain games; run: python -m training games FILE")
        found["game"] += first
        first = (int(found["game"].max()) // HELD_OUT + 1) * HELD_OUT
        parts.append(found)
    return np.concatenate(parts)


def save_arrays(file: Path | BinaryIO, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write numeric arrays, compressed, to an NPZ file."""
    # Without allow_pickle=False, which numpy before 2.2 would write as one more array.
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


def write(file: Path, samples: Samples) -> None:
    """Write ``samples`` to ``file``, which keeps its old contents if the program is stopped meanwhile."""
    temporary = file.with_name(f"{file.stem}-new.npz")
    save_arrays(temporary, {"samples": samples})
    temporary.replace(file)


def hold_out(game: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which positions are held out, given the numbers of their games.

    Raises:
        click.ClickException: all positions are held out, or none.
    """
    held: NDArray[np.bool_] = game % HELD_OUT == 0
    if held.all() or not held.any():
        raise click.ClickException("too few games to hold out one in ten; play more games")
    return held


def mirror(samples: Samples) -> Samples:
    """Return the positions with left and right exchanged."""
    found = samples.copy()
    for name in ("pawns", "walls", "moves"):
        found[name] = np.where(samples[name] < 0, samples[name], _ACROSS[samples[name]])
    return found


def _across() -> NDArray[np.int16]:
    """Return the mirror image of each move."""
    found = np.arange(VERTICAL + BOARD_SQUARES, dtype=np.int16)
    for first, width in ((0, BOARD_SIZE), (HORIZONTAL, BOARD_SIZE - 1), (VERTICAL, BOARD_SIZE - 1)):
        numbers = np.arange(BOARD_SQUARES)
        column = numbers % BOARD_SIZE
        across = np.where(column < width, numbers + width - 1 - 2 * column, numbers)
        found[first : first + BOARD_SQUARES] = first + across
    return found


_ACROSS = _across()
