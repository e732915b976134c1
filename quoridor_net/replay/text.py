"""The text of a file with recorded games: bytes to text, text to lines, both of limited size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from quoridor_net.moves import require
from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError

#: Bytes that a file with recorded games has at most; nobody should read more of one. Thousands of games fit.
MAX_BYTES = 1 << 26

#: Characters of a line at most. A whole game in standard notation fits.
MAX_LINE = 1 << 16

# Characters that are cut into lines at once: fast, and little memory.
_BLOCK = 1 << 16


def read_text(file: IO[bytes]) -> str:
    """Return the text of an open file, which :func:`decode` refuses where it is too long or no text."""
    # No more than can be accepted, so that a device or a huge file by mistake does not fill the memory.
    return decode(file.read(MAX_BYTES + 1))


def decode(data: bytes) -> str:
    """Return the text of a file.

    Raises:
        TypeError: ``data`` is not bytes.
        ReplayError: it is not UTF-8, or has more than :data:`MAX_BYTES`.
    """
    require("the contents of a file", bytes, data)
    if len(data) > MAX_BYTES:
        raise ReplayError(Fault.SYNTAX, RecordPhrase.LARGE(most=MAX_BYTES >> 20), 1, 1)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise ReplayError(Fault.SYNTAX, RecordPhrase.NO_TEXT(), line, column) from None


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
