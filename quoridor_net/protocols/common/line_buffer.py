"""Splits a stream of bytes into lines, with a limit on the length of a line."""

from __future__ import annotations

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
        self._data = bytearray()
        # The bytes before this index contain no line end.
        self._searched = 0

    def receive(self, data: bytes) -> None:
        """Add bytes read from the peer, in chunks of any size."""
        self._data += data

    def next_line(self) -> bytes | None:
        """Return the next complete line without its end, LF or CR LF; None if there is none yet.

        Raises:
            LineTooLongError: the next line, complete or not, exceeds the maximum. The buffer is emptied.
        """
        if self._searched == len(self._data):
            return None
        end = self._data.find(b"\n", self._searched)
        length = len(self._data) if end < 0 else end
        if length > self._max_line:
            start = bytes(self._data[: self._max_line])
            self._data.clear()
            self._searched = 0
            raise LineTooLongError(start, self._max_line)
        if end < 0:
            self._searched = length
            return None
        line = bytes(self._data[:end]).removesuffix(b"\r")
        del self._data[: end + 1]
        self._searched = 0
        return line

    @property
    def unfinished(self) -> bytes:
        """The bytes after the last line end."""
        return bytes(self._data)
