"""Finds processes of engines that left their group, dropped their mark and lost their parents.

Linux gives a process whose parent ended to the nearest ancestor that asked for such orphans. A program whose
only children are engines can therefore tell what came from them, whatever it did to hide.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import os
import sys
from collections.abc import Collection, Iterator

from quoridor_net.programs import unix

#: The request of prctl(2) to be given orphans.
_PR_SET_CHILD_SUBREAPER = 36

_adopters: set[int] = set()


def adopt_orphans() -> None:
    """Make this process the parent of every orphan among its descendants, where the system can (Linux).

    Only for programs that start nothing but engines: all other children that are not of this program's
    session count as processes left behind by engines.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            if ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0:
                _adopters.add(os.getpid())


def processes() -> list[int]:
    """Return the numbers of all processes of this machine, where the system tells (Linux)."""
    try:
        with os.scandir("/proc") as entries:
            return [int(entry.name) for entry in entries if entry.name.isdecimal()]
    except OSError:
        return []


def adopted(engines: Collection[int]) -> Iterator[int]:
    """Yield the numbers of the living orphans this process was given; those that ended are forgotten.

    Args:
        engines: the numbers of the engines this process started and has not waited for yet.
    """
    parent = os.getpid()
    if parent not in _adopters:
        return
    session = unix.session()
    for process in processes():
        try:
            # Every process of the machine is looked at, which pathlib would make more than twice as slow.
            with io.FileIO(f"/proc/{process}/stat") as file:
                # The name of the program, in parentheses, can contain anything.
                fields = file.readall().rpartition(b")")[2].split()
        except OSError:
            continue
        if int(fields[1]) != parent or int(fields[3]) == session or process in engines:
            continue
        if fields[0] == b"Z":
            with contextlib.suppress(ChildProcessError):
                unix.reap_if_ended(process)
        else:
            yield process
