"""What to do with a file that cannot be written any more."""

from __future__ import annotations

import os
from typing import TextIO


def discard_unwritten(file: TextIO) -> None:
    """Have ``file`` write nowhere from now on, so that closing it does not raise what writing it raised.

    Files without a descriptor of their own keep nothing back, and are left alone.
    """
    try:
        descriptor = file.fileno()
    except OSError:
        return
    with open(os.devnull, "w", encoding="ascii") as nowhere:  # noqa: PTH123 - no path, a device
        os.dup2(nowhere.fileno(), descriptor)
