"""System calls for engine processes that only Unix has, some of them not on macOS.

On a system without them, every function except :func:`can_limit_programs` raises OSError.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import sys
from contextlib import closing
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from trio.abc import Stream

#: The advice on a system that cannot run engine programs.
NO_PROGRAMS = "this system cannot run engine programs: use Linux, macOS or WSL"

#: Unit of ``ru_maxrss``, in bytes: macOS counts bytes, other systems KiB.
_MEMORY_UNIT = 1 if sys.platform == "darwin" else 1024


def can_limit_programs() -> bool:
    """Return whether this system can limit, watch and kill a program and all its children."""
    try:
        for name in ("resource", "tty"):
            import_module(name)
    except ImportError:
        return False
    return sys.platform != "win32"


def _refuse() -> NoReturn:
    raise OSError(errno.ENOSYS, NO_PROGRAMS)


def open_stream(descriptor: int) -> Stream:
    """Return one end of a pipe or terminal as a trio stream."""
    if sys.platform == "win32":
        _refuse()
    else:
        # Imported here, because the other functions need no event loop.
        from trio.lowlevel import FdStream

        return FdStream(descriptor)


def open_terminal() -> tuple[int, int]:
    """Return the two ends (ours, the program's) of a terminal in raw mode."""
    if sys.platform == "win32":
        _refuse()
    else:
        import tty

        master, slave = os.openpty()
        tty.setraw(slave)
        return master, slave


def hard_limit(name: str) -> int | None:
    """Return the hard limit ``name`` of :mod:`resource`, the maximum for children; None if unlimited."""
    if sys.platform == "win32":
        _refuse()
    else:
        import resource

        _, highest = resource.getrlimit(getattr(resource, name))
        return None if highest == resource.RLIM_INFINITY else highest


def wait_for_end(pid: int) -> None:
    """Block until a child exits; it stays a zombie.

    Raises:
        ChildProcessError: it was already reaped.
    """
    if sys.platform == "win32":
        _refuse()
    elif sys.platform != "darwin":
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    else:
        _wait_on_macos(pid, None)


def has_ended(pid: int) -> bool:
    """Return whether a child has exited; it stays a zombie.

    Raises:
        ChildProcessError: it was already reaped.
    """
    if sys.platform == "win32":
        _refuse()
    elif sys.platform != "darwin":
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None
    else:
        return _wait_on_macos(pid, 0)


def _wait_on_macos(pid: int, seconds: float | None) -> bool:
    """Return whether a child exits within ``seconds``, None for no limit.

    On macOS, Python has ``waitid`` only since version 3.13.
    """
    if sys.platform != "darwin":
        _refuse()
    else:
        end = select.kevent(
            pid,
            filter=select.KQ_FILTER_PROC,
            flags=select.KQ_EV_ADD | select.KQ_EV_ONESHOT,
            fflags=select.KQ_NOTE_EXIT,
        )
        with closing(select.kqueue()) as queue:
            try:
                return bool(queue.control([end], 1, seconds))
            except ProcessLookupError:
                # A zombie cannot be watched.
                return True


def peak_memory() -> float:
    """Return the peak memory of this process, in MiB."""
    if sys.platform == "win32":
        _refuse()
    else:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _MEMORY_UNIT / (1 << 20)


def reap(pid: int) -> tuple[int, float, float]:
    """Wait until a child exits; return its exit status, peak memory in MiB and CPU time in seconds.

    The status is the negative number of the signal that killed it, if any.
    """
    if sys.platform == "win32":
        _refuse()
    else:
        _, status, usage = os.wait4(pid, 0)
        memory = usage.ru_maxrss * _MEMORY_UNIT / (1 << 20)
        return os.waitstatus_to_exitcode(status), memory, usage.ru_utime + usage.ru_stime


def kill_group(pid: int) -> None:
    """Kill all processes of a group.

    Raises:
        OSError: no such group, or no permission.
    """
    if sys.platform == "win32":
        _refuse()
    else:
        os.killpg(pid, signal.SIGKILL)


def kill(pid: int) -> None:
    """Kill a process.

    Raises:
        OSError: no such process, or no permission.
    """
    if sys.platform == "win32":
        _refuse()
    else:
        os.kill(pid, signal.SIGKILL)


def group_of(pid: int) -> int:
    """Return the ID of the group of a process.

    Raises:
        OSError: no such process.
    """
    if sys.platform == "win32":
        _refuse()
    else:
        return os.getpgid(pid)


def session() -> int:
    """Return the session ID of this process."""
    if sys.platform == "win32":
        _refuse()
    else:
        return os.getsid(0)


def reap_if_ended(pid: int) -> None:
    """Reap a child if it has exited, without waiting.

    Raises:
        ChildProcessError: it is not a child of this process.
    """
    if sys.platform == "win32":
        _refuse()
    else:
        os.waitpid(pid, os.WNOHANG)
