"""Cuts what a controller sends into commands, preprocessed by section 2.1 of the protocol."""

from __future__ import annotations

import re
from collections import deque
from typing import Final

#: Most characters a command may have. Section 2.2 needs few; file names of private commands are longest.
MAX_COMMAND = 4096

_BLANKS = re.compile(rb" {2,}")
_TAB_TO_SPACE: Final = bytes.maketrans(b"\t", b" ")
# Section 1.2: "all other control characters must be discarded on input".
_DISCARDED: Final = bytes(code for code in (*range(32), 127) if code not in b"\t\n")


class CommandTooLongError(Exception):
    """A command of more than :data:`MAX_COMMAND` characters, which is skipped."""


class CommandLines:
    """Bytes in, commands out: without control characters, comments, tabs and empty lines.

    Memory is bounded by what is fed at once: of a line that does not end, no more than
    :data:`MAX_COMMAND` characters are kept, and of its comment none.
    """

    def __init__(self) -> None:
        self._lines: deque[str | None] = deque()
        self._line = bytearray()
        self._is_comment = False
        self._is_too_long = False

    def receive(self, data: bytes) -> None:
        """Take what was read, in chunks of any size."""
        *whole, rest = data.translate(_TAB_TO_SPACE, _DISCARDED).split(b"\n")
        for piece in whole:
            self._add(piece)
            self.end_line()
        self._add(rest)

    def _add(self, piece: bytes) -> None:
        if self._is_comment:
            return
        text = piece
        if b"#" in piece:
            text = piece.partition(b"#")[0]
            self._is_comment = True
        if b"  " in text:
            text = _BLANKS.sub(b" ", text)
        if not self._line or self._line.endswith(b" "):
            text = text.lstrip(b" ")
        if len(self._line) + len(text) > MAX_COMMAND:
            self._is_too_long = True
            self._line.clear()
        elif not self._is_too_long:
            self._line += text

    def end_line(self) -> bool:
        """End the line here, at a newline or at the end of the input; return whether it is a command."""
        is_command = self._is_too_long or bool(self._line)
        if is_command:
            # Section 1.1: 8-bit characters; Latin-1 gives each byte one character.
            self._lines.append(None if self._is_too_long else self._line.decode("latin-1"))
        self._line.clear()
        self._is_comment = self._is_too_long = False
        return is_command

    def next_command(self) -> list[str] | None:
        """Return the words of the next command, the first being its name; None when there is none.

        Raises:
            CommandTooLongError: the next command is too long to be one.
        """
        if not self._lines:
            return None
        line = self._lines.popleft()
        if line is None:
            raise CommandTooLongError(f"a command has at most {MAX_COMMAND} characters")
        # Only SPACE separates words here: str.split() would also cut at the no-break space of Latin-1.
        return [word for word in line.split(" ") if word] if " " in line else [line]
