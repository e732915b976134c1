r"""Wire transcripts: every line that crossed a connection, with the time and the direction.

One line for each, as in ``[   2.520] S1->C b'TESUJI (4, 1)\n'``: seconds since the start, C for the display
client, S and a number for a move server (in the log of a move server, the number of its connection).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO


class Transcript:
    """Writes a transcript as it happens, so that a crash loses nothing.

    Args:
        file: where to write; the caller closes it.
        clock: returns seconds; the first call is time zero.
    """

    def __init__(self, file: TextIO, clock: Callable[[], float]) -> None:
        self._file = file
        self._clock = clock
        self._start = clock()

    def to_server(self, number: int, data: bytes) -> None:
        """Note bytes from the client to server ``number``."""
        self._write(f"C->S{number}", data)

    def to_client(self, number: int, data: bytes) -> None:
        """Note bytes from server ``number`` to the client."""
        self._write(f"S{number}->C", data)

    def remark(self, sentence: str) -> None:
        """Note something that is not a message."""
        self._file.write(f"[{self._clock() - self._start:8.3f}] --- {sentence}\n")
        self._file.flush()

    def _write(self, direction: str, data: bytes) -> None:
        seconds = self._clock() - self._start
        for line in data.splitlines(keepends=True):
            self._file.write(f"[{seconds:8.3f}] {direction} {line!r}\n")
        self._file.flush()
