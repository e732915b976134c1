"""What the engine has learned about the three by three squares around a stone.

Patterns that differ by turning or mirroring are worth the same; with the colours exchanged, the opposite.
That leaves one number for each class of patterns. The numbers are those of a logistic regression of who won
on the patterns of positions from games of the engine against itself; ``python -m training clobber`` goes on
from them.
"""

from __future__ import annotations

import base64
import zlib

import numpy as np
from numpy.typing import NDArray

from quoridor_net.clobber.learned import TEMPO, WORTH

SQUARES = 9
PATTERNS = 3**SQUARES


def pattern_classes() -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Return for each pattern its class and its sign, 0 for one worth nothing, and the number of classes.

    A pattern is a number of nine ternary digits, 0 empty, 1 black, 2 white; the fifth is its middle.
    """
    powers = 3 ** np.arange(SQUARES).reshape(3, 3)
    boards = np.arange(PATTERNS)[:, None, None] // powers % 3
    exchanged = np.array([0, 2, 1])[boards]
    numbers = []
    for colouring in (boards, exchanged):
        for turns in range(4):
            turned = np.rot90(colouring, turns, axes=(1, 2))
            numbers += [(board * powers).sum((1, 2)) for board in (turned, turned[:, :, ::-1])]
    as_it_is, with_exchange = np.min(numbers[:8], axis=0), np.min(numbers[8:], axis=0)
    sign = np.sign(with_exchange - as_it_is)
    sign[boards[:, 1, 1] == 0] = 0
    lowest = np.minimum(as_it_is, with_exchange)
    representatives = np.unique(lowest[sign != 0])
    classes = np.searchsorted(representatives, lowest)
    classes[sign == 0] = 0
    return classes, sign, len(representatives)


def learned_worth() -> tuple[NDArray[np.int64], int]:
    """Return what each pattern is worth to Black and what the move is worth, in thousandths of log-odds."""
    classes, sign, count = pattern_classes()
    numbers = np.frombuffer(zlib.decompress(base64.b85decode("".join(WORTH))), "<i2").astype(np.int64)
    assert len(numbers) == count
    return numbers[classes] * sign, TEMPO


def encode_patterns(numbers: NDArray[np.int64]) -> list[str]:
    """Return the worth of the classes as the lines of text that :func:`learned_worth` reads."""
    text = base64.b85encode(zlib.compress(numbers.astype("<i2").tobytes(), 9)).decode()
    return [text[at : at + 100] for at in range(0, len(text), 100)]
