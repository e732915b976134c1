"""Read text files given by users: encoding, byte order mark, line ends, size limit, error messages."""

from __future__ import annotations

import codecs
import enum
import errno
import os
import re
import sys
from contextlib import nullcontext
from typing import IO

from attrs import define

from quoridor_net.moves import require
from quoridor_net.phrases import Phrase
from quoridor_net.text import visible

# Bytes examined to guess an encoding; control characters that do not occur in text.
_LOOKED_AT = 4096
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")


@enum.unique
class FilePhrase(Phrase):
    """Reasons to refuse the contents of a file."""

    LARGE = "the file is too large: more than {most}"
    NO_TEXT = "the file is not text (UTF-8)"
    UTF_16 = "the file is encoded in UTF-16: save it as UTF-8"
    LATIN_1 = "the file is not UTF-8, but probably Latin-1 or Windows-1252: save it as UTF-8"


@define
class TextFileError(ValueError):
    """A file that is too large or not text.

    Attributes:
        sentence: the problem, for people.
        line: line of the first problem, from 1.
        column: column of the first problem, from 1.
    """

    sentence: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.sentence}"


def read_text(file: str | os.PathLike[str] | IO[bytes], most: int) -> str:
    """Return the text of a file given by a user, with its line ends unchanged.

    Args:
        file: its path, or the open file, which stays open.
        most: maximum size in bytes. Reading stops just beyond it, so that a device or a huge file given by
            mistake does not fill the memory.

    Raises:
        OSError: the file cannot be opened or read.
        TextFileError: :func:`decode` rejects it.
    """
    with open(file, "rb") if isinstance(file, str | os.PathLike) else nullcontext(file) as stream:  # noqa: PTH123
        return decode(stream.read(most + 1), most)


def decode(data: bytes, most: int) -> str:
    """Return the text of a file of at most ``most`` bytes, without a byte order mark.

    Raises:
        TypeError: ``data`` is not bytes.
        TextFileError: ``data`` is not UTF-8, or larger.
    """
    require("the contents of a file", bytes, data)
    if len(data) > most:
        size = f"{most >> 20} MiB" if most >= 1 << 20 else f"{most >> 10} KiB"
        raise TextFileError(FilePhrase.LARGE(most=size))
    if _is_utf_16(data):
        raise TextFileError(FilePhrase.UTF_16())
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
        phrase = FilePhrase.LATIN_1 if _is_latin_1(data) else FilePhrase.NO_TEXT
        raise TextFileError(phrase(), line, column) from None


def _is_utf_16(data: bytes) -> bool:
    """Return whether ``data`` has a UTF-16 byte order mark, or every other byte at its start is 0."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    even, odd = data[:_LOOKED_AT:2], data[1:_LOOKED_AT:2]
    return any(
        len(zeros) > 1 and not any(zeros) and all(others) for zeros, others in ((even, odd), (odd, even))
    )


def _is_latin_1(data: bytes) -> bool:
    """Return whether ``data`` is mostly ASCII text, so that the rest are probably accented letters."""
    head = data[:_LOOKED_AT]
    return not _CONTROL.search(head) and sum(byte < 0x80 for byte in head) > len(head) // 2


def unify_line_ends(text: str) -> str:
    """Return ``text`` with LF for CR LF and for the lone CR of old Macs."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def standard_input() -> IO[bytes]:
    """Return standard input for :func:`read_text`.

    Raises:
        OSError: it is closed.
    """
    if sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed")
    return sys.stdin.buffer


def reason_for(error: OSError) -> str:
    """Return why a file cannot be read, for people."""
    if isinstance(error, FileNotFoundError):
        return "no such file"
    # Windows reports a permission error for a folder.
    if isinstance(error, IsADirectoryError) or (
        isinstance(error, PermissionError) and error.filename is not None and os.path.isdir(error.filename)  # noqa: PTH112
    ):
        return "it is a folder, not a file"
    return error.strerror or str(error)


def explain(name: str, error: OSError | TextFileError) -> str:
    """Return one line about the file ``name``: its name, the place and the problem."""
    name = visible(name)
    if isinstance(error, OSError):
        return f"{name}: the file cannot be read: {reason_for(error)}"
    return f"{name}:{error.line}:{error.column}: {error.sentence}"
