"""The text of a file with recorded games: bytes to text, text to lines, both of limited size."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import IO

from quoridor_net.moves import require
from quoridor_net.replay.errors import Fault, RecordPhrase, ReplayError

#: Bytes that a file with recorded games has at most; nobody should read more of one. Thousands of games fit.
MAX_BYTES = 1 << 26

#: Characters of a line at most. A whole game in standard notation fits.
MAX_LINE = 1 << 16

# Bytes that are looked at to guess an encoding; control characters that no text has.
_LOOKED_AT = 4096
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")

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
    if _is_utf_16(data):
        raise ReplayError(Fault.SYNTAX, RecordPhrase.UTF_16(), 1, 1)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
        phrase = RecordPhrase.LATIN_1 if _is_latin_1(data) else RecordPhrase.NO_TEXT
        raise ReplayError(Fault.SYNTAX, phrase(), line, column) from None


def _is_utf_16(data: bytes) -> bool:
    """Return whether ``data`` has a byte order mark of UTF-16, or every other byte of its beginning is 0."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    even, odd = data[:_LOOKED_AT:2], data[1:_LOOKED_AT:2]
    return any(
        len(zeros) > 1 and not any(zeros) and all(others) for zeros, others in ((even, odd), (odd, even))
    )


def _is_latin_1(data: bytes) -> bool:
    """Return whether ``data`` is mostly ASCII text: the rest are probably accented letters of a byte each."""
    head = data[:_LOOKED_AT]
    return not _CONTROL.search(head) and sum(byte < 0x80 for byte in head) > len(head) // 2


def unify_line_ends(text: str) -> str:
    """Return ``text`` with LF for CR LF and for the lone CR of old Macs."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


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
