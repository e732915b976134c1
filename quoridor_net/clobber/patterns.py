"""Learned worth of the 3x3 pattern around a stone.

Rotated and mirrored patterns have the same worth, patterns with exchanged colours the opposite one. So each
class of patterns has one number. The numbers come from a logistic regression of the winner on the patterns
of positions from self-play; ``python -m training clobber`` continues from them.
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
    """Return the class and the sign of each pattern (0 if it is worth nothing), and the number of classes.

    A pattern is a number of nine ternary digits: 0 empty, 1 black, 2 white. The fifth digit is the centre.
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


def read_worth() -> tuple[NDArray[np.int64], int]:
    """Return the worth of each pattern to Black and of the right to move, in thousandths of log-odds."""
    classes, sign, count = pattern_classes()
    numbers = np.frombuffer(zlib.decompress(base64.b85decode("".join(WORTH))), "<i2").astype(np.int64)
    assert len(numbers) == count
    return numbers[classes] * sign, TEMPO


def encode_patterns(numbers: NDArray[np.int64]) -> list[str]:
    """Encode the worth of the classes as lines of text for :func:`read_worth`."""
    text = base64.b85encode(zlib.compress(numbers.astype("<i2").tobytes(), 9)).decode()
    return [text[at : at + 100] for at in range(0, len(text), 100)]
