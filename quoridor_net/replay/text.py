"""Decode files with recorded games and split them into lines, both with size limits."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from quoridor_net import text_file
from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError
from quoridor_net.text_file import TextFileError

#: Maximum size of a file with recorded games, in bytes. Thousands of games fit.
MAX_BYTES = 1 << 26

#: Maximum length of a line, in characters. A whole game in standard notation fits.
MAX_LINE = 1 << 16

# Number of characters split into lines at once, a compromise between speed and memory.
_BLOCK = 1 << 16


def read_text(file: str | os.PathLike[str] | IO[bytes]) -> str:
    """Return the text of a file with recorded games, with its line ends, which the strict reader checks.

    Raises:
        OSError: the file cannot be opened or read.
        ReplayError: the file is too large or not text.
    """
    with _as_replay_error():
        return text_file.read_text(file, MAX_BYTES)


def decode(data: bytes) -> str:
    """Return the text of a file.

    Raises:
        TypeError: ``data`` is not bytes.
        ReplayError: ``data`` is not UTF-8, or larger than :data:`MAX_BYTES`.
    """
    with _as_replay_error():
        return text_file.decode(data, MAX_BYTES)


@contextmanager
def _as_replay_error() -> Iterator[None]:
    try:
        yield
    except TextFileError as error:
        raise ReplayError(Fault.SYNTAX, error.sentence, error.line, error.column) from None


def text_lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the number and text of each line, and whether it has a line end, LF or CR LF.

    Lines are split block by block, because a file may have many millions of them.

    Raises:
        ReplayError: a line is longer than :data:`MAX_LINE`, or contains a CR.
    """
    start = number = 0
    while start < len(text):
        longest = start + _BLOCK + MAX_LINE + len("\r\n")
        stop = text.find("\n", start + _BLOCK, longest) + 1 or longest
        *lines, rest = text[start:stop].split("\n")
        for number, line in enumerate(lines, number + 1):  # noqa: B020 - counted on from block to block
            yield number, _check(line.removesuffix("\r"), number), True
        if rest:
            yield number + 1, _check(rest, number + 1), False
        start = stop


def _check(line: str, number: int) -> str:
    if "\r" in line:
        raise ReplayError(Fault.SYNTAX, RecordPhrase.CARRIAGE_RETURN(), number, line.index("\r") + 1)
    if len(line) > MAX_LINE:
        raise ReplayError(Fault.SYNTAX, RecordPhrase.LONG_LINE(most=MAX_LINE), number, MAX_LINE + 1)
    return line
