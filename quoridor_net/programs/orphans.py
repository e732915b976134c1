"""Find processes of engines that left their group, dropped their mark and lost their parents.

Linux hands a process whose parent has exited to the nearest ancestor that adopts orphans. A program whose
only children are engines can therefore find all their descendants, however they hide.
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

#: The prctl(2) option that makes a process adopt orphans.
_PR_SET_CHILD_SUBREAPER = 36

#: Interval between checks for exited orphans, in seconds.
COLLECTING = 1.0

#: Processes that adopt orphans, with the children they had before.
_adopters: dict[int, frozenset[int]] = {}


@contextlib.contextmanager
def adopt_orphans() -> Iterator[None]:
    """Make this process the parent of every orphan among its descendants, on Linux.

    Start nothing but engines meanwhile: all new children outside this program's session count as processes
    left behind by engines.
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
    """Tell the system whether this process adopts orphans; return whether that succeeded."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            return bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(is_adopting), 0, 0, 0) == 0)
    return False


def list_processes() -> list[int]:
    """Return the IDs of all processes of this machine, on Linux; elsewhere an empty list."""
    try:
        with os.scandir("/proc") as entries:
            return [int(entry.name) for entry in entries if entry.name.isdecimal()]
    except OSError:
        return []


def _children() -> list[int]:
    """Return the IDs of this process's children, or of all processes if the system does not list children."""
    found: list[int] = []
    try:
        with os.scandir("/proc/self/task") as threads:
            for thread in threads:
                with io.FileIO(f"{thread.path}/children") as file:
                    found += map(int, file.readall().split())
    except OSError:
        return list_processes()
    return found


async def collect_zombies(engines: Collection[int]) -> None:
    """Reap exited orphans until cancelled, so that they do not fill the process table.

    Args:
        engines: as for :func:`adopted`; it may change meanwhile.
    """
    if os.getpid() not in _adopters:
        return
    while True:
        for _ in find_adopted(engines):
            pass
        await trio.sleep(COLLECTING)


def find_adopted(engines: Collection[int]) -> Iterator[int]:
    """Yield the IDs of the living orphans that this process has adopted, and reap the exited ones.

    Args:
        engines: the IDs of the engines that this process started and has not yet reaped.
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
                # Skip the program's name in parentheses, which can contain anything.
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
