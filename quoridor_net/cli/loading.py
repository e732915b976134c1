"""Imports the modules of a command without pauses for garbage collection."""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from types import ModuleType


def load(name: str) -> ModuleType:
    """Import the module ``name`` of a command.

    Modules stay until the program ends. The garbage collector would scan them several times while they are
    imported, and all of them once more at the end: a quarter of the processor time of a short command.
    """
    if name in sys.modules:
        return sys.modules[name]
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return import_module(name)
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
