"""Finds the programs that command lines name."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from attrs import evolve

from quoridor_net.programs.link import EngineAddress


def located(address: EngineAddress) -> EngineAddress:
    """Return ``address`` with a program that can be run; ``./`` is implied for one in this folder.

    A program of that name in the search path comes first. TCP addresses are returned as they are.

    Raises:
        ValueError: there is no such program, or it is not executable; the message says what to do.
    """
    if not address.command:
        return address
    program, *arguments = address.command
    if shutil.which(program) is not None:
        return address
    here = Path(program)
    if not here.is_file():
        raise ValueError(f"there is no program {program!r} that can be run")
    if not os.access(here, os.X_OK):
        raise ValueError(f"{program!r} is not executable: try chmod +x {program}")
    return evolve(address, command=(f"./{program}", *arguments))
