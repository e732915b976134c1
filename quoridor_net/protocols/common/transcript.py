r"""Wire transcripts: every line that crossed a connection, with the time and the direction.

One line for each, as in ``[   2.520] S1->C b'TESUJI (4, 1)\n'``: seconds since the start, C for the display
client, S and a number for a move server (in the log of a move server, the number of the connection).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from quoridor_net.output import Writable, discard_unwritten
from quoridor_net.text import visible

_LOG = logging.getLogger(__name__)


class Transcript:
    """Writes a transcript as it happens, so that a crash loses nothing.

    A file that cannot be written any more, say on a full disk, ends the transcript with a warning in the log,
    not the game.

    Args:
        file: where to write; the caller closes it.
        clock: returns seconds; the first call is time zero.
    """

    def __init__(self, file: Writable, clock: Callable[[], float]) -> None:
        self._file = file
        self._is_open = True
        self._clock = clock
        self._start = clock()

    def to_server(self, number: int, data: bytes) -> None:
        """Note bytes from the client to server ``number``."""
        self._note(f"C->S{number}", data)

    def to_client(self, number: int, data: bytes) -> None:
        """Note bytes from server ``number`` to the client."""
        self._note(f"S{number}->C", data)

    def close(self) -> None:
        """Note nothing more."""
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
            _LOG.warning("%s cannot be written, so no more lines are logged: %s", name, error.strerror)
            discard_unwritten(self._file)


#: Gives the transcript of the connection of that number, or none, while the connection lasts.
OpenTranscript = Callable[[int], AbstractContextManager[Transcript | None]]


def no_transcript(_number: int) -> AbstractContextManager[None]:
    """Keep no transcript."""
    return nullcontext()
