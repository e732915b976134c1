"""Splits a stream of bytes into lines, with a limit on the length of a line."""

from __future__ import annotations

from collections import deque

DEFAULT_MAX_LINE = 1024


class LineTooLongError(Exception):
    """The peer sent a line longer than any message.

    Attributes:
        start: the first ``limit`` bytes of that line.
        limit: maximum length of a line, in bytes.
    """

    def __init__(self, start: bytes, limit: int) -> None:
        super().__init__(f"a line of more than {limit} bytes")
        self.start = start
        self.limit = limit


class LineBuffer:
    """Bytes in, lines out.

    Args:
        max_line: maximum length of a line without its end, in bytes.
    """

    def __init__(self, max_line: int = DEFAULT_MAX_LINE) -> None:
        self._max_line = max_line
        self._lines: deque[bytes] = deque()
        # The bytes after the last line end.
        self._rest = bytearray()

    def receive(self, data: bytes) -> None:
        """Add bytes read from the peer, in chunks of any size."""
        *lines, rest = data.split(b"\n")
        if lines:
            if self._rest:
                lines[0] = bytes(self._rest) + lines[0]
                self._rest.clear()
            self._lines += lines
        self._rest += rest

    def next_line(self) -> bytes | None:
        """Return the next complete line without its end, LF or CR LF; None if there is none yet.

        Raises:
            LineTooLongError: the next line, complete or not, exceeds the maximum. The buffer is emptied.
        """
        if self._lines:
            line = self._lines.popleft()
            if len(line) <= self._max_line:
                return line.removesuffix(b"\r")
        elif len(self._rest) <= self._max_line:
            return None
        else:
            line = bytes(self._rest)
        self._lines.clear()
        self._rest.clear()
        raise LineTooLongError(line[: self._max_line], self._max_line)

    def count(self) -> int:
        """Return the number of complete lines."""
        return len(self._lines)

    @property
    def unfinished(self) -> bytes:
        """The bytes after the last line end."""
        return bytes(self._rest)
