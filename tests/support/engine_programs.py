"""The engines of the tests as programs: how they are called, and which of their processes are still there."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection
from pathlib import Path

from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.process import MARK
from tests.support.patience import PATIENCE

#: Plays well-formed moves and has the habits that its arguments name.
SLOPPY = Path(__file__).with_name("sloppy_engine.py")
#: Python that starts quickly.
PYTHON = (sys.executable, "-S", "-E")
#: How such an engine is called by its program.
PROGRAM = Path(sys.executable).name


def sloppy(habit: str) -> EngineAddress:
    """Return the address of the sloppy engine with ``habit``."""
    return EngineAddress((*PYTHON, str(SLOPPY), habit))


def sloppy_command(habit: str) -> str:
    """Return the command line of the sloppy engine with ``habit``, which may be several words."""
    return f"{' '.join(PYTHON)} {SLOPPY} {habit}"


def marked(pid: int) -> list[int]:
    """Return the processes that came from engines which the process ``pid`` started, and are not over yet."""
    mark = f"{MARK}={pid}-".encode()
    return _processes("environ", lambda variables: any(variable.startswith(mark) for variable in variables))


def asleep(tag: str) -> list[int]:
    """Return the processes that the sloppy engine started to sleep with ``tag`` as their last argument."""
    return _processes(
        "cmdline", lambda words: b"import time; time.sleep(600)" in words and tag.encode() in words
    )


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait until ``is_so``, or for :data:`PATIENCE`: whoever calls then asserts what it waited for."""
    deadline = time.monotonic() + PATIENCE
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.01)


def _processes(file: str, is_meant: Callable[[Collection[bytes]], bool]) -> list[int]:
    """Return the processes whose ``file`` in ``/proc``, cut at its zero bytes, is the one that is meant."""
    found = []
    for directory in Path("/proc").glob("[0-9]*"):
        try:
            parts = (directory / file).read_bytes().split(b"\0")
        except OSError:
            # It ended meanwhile, or belongs to somebody else.
            continue
        if is_meant(parts):
            found.append(int(directory.name))
    return found
