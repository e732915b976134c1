"""Where the lines of a display go."""

from __future__ import annotations

import sys
from typing import TextIO

from quoridor_net.wire.streams import discard_unwritten
from quoridor_net.wire.text import writable


class Output:
    """Writes lines at once, and stops when that fails, which must not end a game.

    A reader that went away is what often happens to a pipe; any other reason is told on standard error.

    Args:
        file: a text file, which the caller closes.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._is_open = True

    def write_line(self, line: str) -> None:
        """Write ``line`` and a line end, with escapes for characters that the file cannot take."""
        if not self._is_open:
            return
        try:
            self._file.write(f"{writable(line, self._file.encoding)}\n")
            self._file.flush()
        except OSError as error:
            self._is_open = False
            if not isinstance(error, BrokenPipeError):
                print(f"Error: the game goes on unseen: {error.strerror or error}.", file=sys.stderr)
            discard_unwritten(self._file)
