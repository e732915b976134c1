r"""Wire transcripts: every line that crossed a connection, with its time and direction.

An entry looks like ``[   2.520] S1->C b'TESUJI (4, 1)\n'``. It starts with the seconds since the start. C is
the display client; S and a number is a move server or, in a move server's own log, a connection.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext

from quoridor_net.output import Writable, discard_unwritten
from quoridor_net.text import visible

_LOG = logging.getLogger(__name__)


class Transcript:
    """Writes each line at once, so that a crash loses nothing.

    If the file cannot be written, for example on a full disk, the transcript ends with a warning in the log;
    the game continues.

    Args:
        file: the file to write; the caller closes it.
        clock: returns seconds; the first call is time zero.
    """

    def __init__(self, file: Writable, clock: Callable[[], float]) -> None:
        self._file = file
        self._is_open = True
        self._clock = clock
        self._start = clock()

    def to_server(self, number: int, data: bytes) -> None:
        """Record bytes from the client to server ``number``."""
        self._note(f"C->S{number}", data)

    def to_client(self, number: int, data: bytes) -> None:
        """Record bytes from server ``number`` to the client."""
        self._note(f"S{number}->C", data)

    def note_last_words(self, lines: Iterable[bytes]) -> None:
        """Record the last lines that the program printed to standard error, as remarks."""
        for line in lines:
            self._note("--- standard error:", line)

    def close(self) -> None:
        """Stop recording."""
        self._is_open = False

    def _note(self, direction: str, data: bytes) -> None:
        if not self._is_open:
            return
        seconds = self._clock() - self._start
        try:
            for line in data.splitlines(keepends=True):
                self._file.write(f"[{seconds:8.3f}] {direction} {line!r}\n")
            self._file.flush()
        except OSError as error:
            self._is_open = False
            name = visible(str(getattr(self._file, "name", "the transcript")))
            _LOG.warning("cannot write %s: %s. No more lines are logged.", name, error.strerror)
            discard_unwritten(self._file)


#: Opens the transcript, or None, for the connection with this number; closed when the connection ends.
OpenTranscript = Callable[[int], AbstractContextManager[Transcript | None]]


def no_transcript(_number: int) -> AbstractContextManager[None]:
    """Keep no transcript."""
    return nullcontext()
