"""Makes a Linux process look like Windows to the code of this project, as far as possible.

Simulated: modules that Windows lacks cannot be imported; names that its ``os`` and ``signal`` lack are gone;
``signal.signal`` accepts only the signals of Windows, including Ctrl-Break; ``sys.platform`` is ``win32``.

Not simulated: ``os.name`` stays ``posix``, because ``pathlib`` and ``subprocess`` would otherwise need
Windows itself; trio also stays on Linux. Paths, consoles, file sharing, sockets and speed are those of Linux.
Libraries that adapt to the system are imported before the change, as is the part of the standard library that
the project uses. The engine is left out, because its compiler adapts to the system too.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parents[2]

#: Modules of the standard library that Windows lacks.
MISSING = ("resource", "fcntl", "termios", "tty", "pty", "pwd", "grp", "syslog", "readline", "curses", "spwd")

#: Modules that adapt to the system when imported, or need names that are removed later.
_KEEPS_ITS_WAY = (
    *("asyncio", "getpass", "multiprocessing.pool", "platform", "shutil", "socketserver", "sqlite3", "ssl"),
    *("subprocess", "tempfile", "uuid", "webbrowser", "click", "rich.console", "rich.live", "trio"),
)
_OS = """
    chown chroot ctermid fchmod fchown fork forkpty getegid geteuid getgid getgroups getloadavg getpgid
    getpgrp getpriority getsid getuid initgroups killpg lchown lockf mkfifo mknod nice openpty pathconf
    posix_spawn pread pwrite readv sched_getaffinity sched_setaffinity sched_yield sendfile setegid
    seteuid setgid setpgid setpriority setsid setuid sync sysconf tcgetpgrp tcsetpgrp ttyname uname wait
    wait3 wait4 waitid P_PID P_PGID P_ALL WEXITED WNOWAIT WSTOPPED WUNTRACED O_CLOEXEC O_DIRECTORY
    O_NOCTTY O_NOFOLLOW O_NONBLOCK O_SYNC
"""
#: The signals of Windows except Ctrl-Break; all others are removed.
_SIGNALS = ("SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM")
_OF_UNIX = ("alarm", "getitimer", "pthread_kill", "pthread_sigmask", "setitimer", "sigpending", "sigwait")

#: The number of SIGBREAK on Windows. Linux has a signal with this number too, so it can be sent.
CTRL_BREAK = 21


class _Missing:
    """An import hook that fails for modules that Windows lacks."""

    def find_spec(self, name: str, _path: Sequence[str] | None, _target: ModuleType | None = None) -> None:
        if name in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def hide_modules() -> None:
    """Make the modules that Windows lacks impossible to import from now on."""
    for name in _KEEPS_ITS_WAY:
        importlib.import_module(name)
    for name in MISSING:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, _Missing())


def pretend(*modules: str) -> None:
    """Make this process look like Windows from now on.

    Args:
        modules: further modules to import before the change, but without the modules that Windows lacks.
    """
    hide_modules()
    for name in modules:
        importlib.import_module(name)
    # It caches the system's name.
    importlib.import_module("platform").uname()
    for name in _OS.split():
        vars(os).pop(name, None)
    _take_signals_away()
    sys.platform = "win32"


def _take_signals_away() -> None:
    allowed = {getattr(signal, name) for name in _SIGNALS} | {signal.Signals(CTRL_BREAK)}
    for name in [name for name in vars(signal) if name.startswith("SIG") and name.isupper()]:
        # SIG_DFL and SIG_IGN remain, and so does SIGKILL, because subprocess needs it on Linux.
        if not name.startswith("SIG_") and name not in (*_SIGNALS, "SIGKILL"):
            delattr(signal, name)
    for name in _OF_UNIX:
        vars(signal).pop(name, None)
    vars(signal)["SIGBREAK"] = signal.Signals(CTRL_BREAK)
    set_handler = signal.signal

    def as_on_windows(number: int, handler: Any) -> Any:
        if number not in allowed:
            raise ValueError("invalid signal value")
        return set_handler(number, handler)

    vars(signal)["signal"] = as_on_windows


def environment(folder: Path) -> dict[str, str]:
    """Return an environment that makes every Python process look like Windows from the start.

    Args:
        folder: an empty folder for the module that does it.
    """
    text = "from tests.support.like_windows import pretend\n\npretend()\n"
    (folder / "sitecustomize.py").write_text(text, encoding="utf-8")
    paths = os.pathsep.join((str(folder), str(ROOT), os.environ.get("PYTHONPATH", "")))
    return os.environ | {"PYTHONPATH": paths.strip(os.pathsep)}
