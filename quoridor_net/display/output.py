"""Where the lines of a display go."""

from __future__ import annotations

import os
from typing import TextIO


class Output:
    """Writes lines at once, and stops when nobody reads any more: that must not end a game.

    Args:
        file: a text file, which the caller closes.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._is_open = True

    def write_line(self, line: str) -> None:
        """Write ``line`` and a line end."""
        if not self._is_open:
            return
        try:
            self._file.write(f"{line}\n")
            self._file.flush()
        except BrokenPipeError:
            self._is_open = False
            # What is still buffered would raise again when the interpreter closes the file.
            with open(os.devnull, "w", encoding="ascii") as nowhere:  # noqa: PTH123 - no path, a device
                os.dup2(nowhere.fileno(), self._file.fileno())
