"""The test engines as programs: their commands, and their running processes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection
from pathlib import Path

from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.process import MARK
from tests.support.patience import PATIENCE

#: An engine that plays well-formed moves and has the habits that its arguments name.
SLOPPY = Path(__file__).with_name("sloppy_engine.py")
#: Command of a Python that starts quickly.
PYTHON = (sys.executable, "-S", "-E")
#: Name that such an engine gets from its program.
PROGRAM = Path(sys.executable).name


def sloppy(habit: str) -> EngineAddress:
    """Return the address of the sloppy engine with ``habit``."""
    return EngineAddress((*PYTHON, str(SLOPPY), habit))


def sloppy_command(habit: str) -> str:
    """Return the command line of the sloppy engine with ``habit``, which may consist of several words."""
    return f"{' '.join(PYTHON)} {SLOPPY} {habit}"


def find_marked(pid: int) -> list[int]:
    """Return the running processes that descend from engines started by the process ``pid``."""
    mark = f"{MARK}={pid}-".encode()
    return _processes("environ", lambda variables: any(variable.startswith(mark) for variable in variables))


def find_sleepers(tag: str) -> list[int]:
    """Return the sleeping processes of the sloppy engine whose last argument is ``tag``."""
    return _processes(
        "cmdline", lambda words: b"import time; time.sleep(600)" in words and tag.encode() in words
    )


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait until ``is_so`` holds, for at most :data:`PATIENCE`; the caller must assert the result."""
    deadline = time.monotonic() + PATIENCE
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.01)


def _processes(file: str, is_meant: Callable[[Collection[bytes]], bool]) -> list[int]:
    """Return the processes whose ``file`` in ``/proc``, split at its zero bytes, passes ``is_meant``."""
    found = []
    for directory in Path("/proc").glob("[0-9]*"):
        try:
            parts = (directory / file).read_bytes().split(b"\0")
        except OSError:
            # The process has ended, or belongs to another user.
            continue
        if is_meant(parts):
            found.append(int(directory.name))
    return found
