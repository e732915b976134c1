"""Splits a controller's bytes into commands, preprocessed as in section 2.1 of the protocol."""

from __future__ import annotations

import re
from collections import deque
from typing import Final

#: Maximum length of a command, in characters: enough for the file names of private commands.
MAX_COMMAND = 4096

_SPACES = re.compile(rb" {2,}")
_TAB_TO_SPACE: Final = bytes.maketrans(b"\t", b" ")
# Section 1.2: "all other control characters must be discarded on input".
_DISCARDED: Final = bytes(code for code in (*range(32), 127) if code not in b"\t\n")


def without_controls(data: bytes) -> bytes:
    """Return ``data`` with tabs replaced by spaces, and without control characters other than line feeds."""
    return data.translate(_TAB_TO_SPACE, _DISCARDED)


class CommandLines:
    """Bytes in, commands out, without control characters, comments, tabs and empty lines.

    Of an overlong line, only about :data:`MAX_COMMAND` characters are kept, so that memory stays bounded.
    """

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque()
        self._line = b""
        self._is_comment = False

    def receive(self, data: bytes) -> None:
        """Add received bytes, in chunks of any size."""
        *whole, rest = without_controls(data).split(b"\n")
        for piece in whole:
            self._add(piece)
            self.end_line()
        self._add(rest)

    def _add(self, piece: bytes) -> None:
        if self._is_comment or not piece:
            return
        text = piece
        if b"#" in piece:
            text = piece.partition(b"#")[0]
            self._is_comment = True
        if b"  " in text:
            text = _SPACES.sub(b" ", text)
        if not self._line or self._line.endswith(b" "):
            text = text.lstrip(b" ")
        self._line = (self._line + text)[: MAX_COMMAND + 1]

    def end_line(self) -> bool:
        """End the line, at a newline or the end of the input; return whether it holds a command."""
        self._is_comment = False
        if not self._line:
            return False
        self._lines.append(self._line)
        self._line = b""
        return True

    def next_line(self) -> bytes | None:
        """Return the next command, or None; an overlong one is cut to one byte above the maximum."""
        return self._lines.popleft() if self._lines else None
