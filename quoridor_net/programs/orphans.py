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

import trio

from quoridor_net.programs import unix

#: The request of prctl(2) to be given orphans.
_PR_SET_CHILD_SUBREAPER = 36

#: Seconds between two looks for orphans that ended.
COLLECTING = 1.0

#: Processes that adopt orphans, with the children that they had before.
_adopters: dict[int, frozenset[int]] = {}


@contextlib.contextmanager
def adopt_orphans() -> Iterator[None]:
    """Make this process the parent of every orphan among its descendants, where the system can (Linux).

    Only while nothing but engines is started: all new children that are not of this program's session count
    as processes left behind by engines.
    """
    process = os.getpid()
    if process in _adopters or not _set_adopting(is_adopting=True):
        yield
        return
    _adopters[process] = frozenset(_children())
    try:
        yield
    finally:
        del _adopters[process]
        _set_adopting(is_adopting=False)


def _set_adopting(*, is_adopting: bool) -> bool:
    """Tell the system whether this process gets orphans; return whether it took notice."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            return bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(is_adopting), 0, 0, 0) == 0)
    return False


def processes() -> list[int]:
    """Return the numbers of all processes of this machine, where the system tells (Linux)."""
    try:
        with os.scandir("/proc") as entries:
            return [int(entry.name) for entry in entries if entry.name.isdecimal()]
    except OSError:
        return []


def _children() -> list[int]:
    """Return the numbers of this process's children, or of all processes where the system does not tell."""
    found: list[int] = []
    try:
        with os.scandir("/proc/self/task") as threads:
            for thread in threads:
                with io.FileIO(f"{thread.path}/children") as file:
                    found += map(int, file.readall().split())
    except OSError:
        return processes()
    return found


async def collect_zombies(engines: Collection[int]) -> None:
    """Wait for orphans that end, again and again, so that they do not fill the table of processes.

    Args:
        engines: as for :func:`adopted`; it may change meanwhile.
    """
    if os.getpid() not in _adopters:
        return
    while True:
        for _ in adopted(engines):
            pass
        await trio.sleep(COLLECTING)


def adopted(engines: Collection[int]) -> Iterator[int]:
    """Yield the numbers of the living orphans this process was given; those that ended are forgotten.

    Args:
        engines: the numbers of the engines this process started and has not waited for yet.
    """
    parent = os.getpid()
    if parent not in _adopters:
        return
    session = unix.session()
    for process in _children():
        if process in _adopters[parent]:
            continue
        try:
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
