"""Cuts a stream of bytes into lines, however it was chunked, and never keeps more than one line's worth."""

from __future__ import annotations

DEFAULT_MAX_LINE = 1024


class LineTooLongError(Exception):
    """The peer sent more bytes without a line end than any message can hold.

    Attributes:
        start: the first bytes of that line.
        limit: the most bytes that it may have.
    """

    def __init__(self, start: bytes, limit: int) -> None:
        super().__init__(f"a line of more than {limit} bytes")
        self.start = start
        self.limit = limit


class LineBuffer:
    """Bytes in, lines out.

    Args:
        max_line: most bytes a line may have, its end not counted.
    """

    def __init__(self, max_line: int = DEFAULT_MAX_LINE) -> None:
        self._max_line = max_line
        self._data = bytearray()
        # Bytes up to here are known to hold no line end.
        self._searched = 0

    def receive(self, data: bytes) -> None:
        """Add what was read from the peer, in chunks of any size."""
        self._data += data

    def next_line(self) -> bytes | None:
        """Return the next whole line without its end, LF or CR LF, or None when there is none.

        Raises:
            LineTooLongError: the next line exceeds the maximum, complete or not. The buffer is emptied.
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
        """What came after the last line end."""
        return bytes(self._data)
