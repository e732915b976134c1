"""Programs that end, whatever their threads are doing."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import NoReturn


def is_compiling() -> bool:
    """Return whether the engine is being compiled; see the function of that name in ``ready``."""
    # Only commands that use the engine load it: others must not load it in order to end.
    ready = sys.modules.get("quoridor_net.engine.ready")
    return ready is not None and bool(ready.is_compiling())


def leave(status: int) -> NoReturn:
    """End the program with ``status``, at once also while the engine is being compiled in a thread."""
    if is_compiling():
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)
    sys.exit(status)
