"""Ends a program whatever its threads are doing."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import NoReturn


def is_compiling() -> bool:
    """Return whether the engine is being compiled; see the function of that name in ``ready``."""
    # A command that has not loaded the engine must not load it only to exit.
    ready = sys.modules.get("quoridor_net.engine.ready")
    return ready is not None and bool(ready.is_compiling())


def leave(status: int) -> NoReturn:
    """Exit with ``status``, without waiting for a thread that compiles the engine."""
    if is_compiling():
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)
    sys.exit(status)
