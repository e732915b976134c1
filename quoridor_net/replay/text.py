"""The text of a file with recorded games: bytes to text, text to lines, both of limited size."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from quoridor_net import text_file
from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError
from quoridor_net.text_file import TextFileError

#: Bytes that a file with recorded games has at most; nobody should read more of one. Thousands of games fit.
MAX_BYTES = 1 << 26

#: Characters of a line at most. A whole game in standard notation fits.
MAX_LINE = 1 << 16

# Characters that are cut into lines at once: fast, and little memory.
_BLOCK = 1 << 16


def read_text(file: str | os.PathLike[str] | IO[bytes]) -> str:
    """Return the text of a file with recorded games; line ends stay, as the strict reader judges them.

    Raises:
        OSError: it cannot be opened or read.
        ReplayError: it is too long or no text.
    """
    with _as_replay_error():
        return text_file.read_text(file, MAX_BYTES)


def decode(data: bytes) -> str:
    """Return the text of a file.

    Raises:
        TypeError: ``data`` is not bytes.
        ReplayError: it is not UTF-8, or has more than :data:`MAX_BYTES`.
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
    """Yield number, text and whether it was ended for each line; LF and CR LF end one.

    They are cut block by block, as a file has room for many millions of them.

    Raises:
        ReplayError: a line is longer than :data:`MAX_LINE`, or has a CR inside.
    """
    start = number = 0
    while start < len(text):
        longest = start + _BLOCK + MAX_LINE + len("\r\n")
        stop = text.find("\n", start + _BLOCK, longest) + 1 or longest
        *lines, rest = text[start:stop].split("\n")
        for number, line in enumerate(lines, number + 1):  # noqa: B020 - counted on from block to block
            yield number, _checked(line.removesuffix("\r"), number), True
        if rest:
            yield number + 1, _checked(rest, number + 1), False
        start = stop


def _checked(line: str, number: int) -> str:
    if "\r" in line:
        raise ReplayError(Fault.SYNTAX, RecordPhrase.CARRIAGE_RETURN(), number, line.index("\r") + 1)
    if len(line) > MAX_LINE:
        raise ReplayError(Fault.SYNTAX, RecordPhrase.LONG_LINE(most=MAX_LINE), number, MAX_LINE + 1)
    return line
