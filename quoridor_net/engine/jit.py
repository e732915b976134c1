"""How kernels are compiled: to native code, without the interpreter lock, kept on disk.

Importing this module imports numba; only modules that hold kernels do.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import types

# The settings of numba have no types.
_settings: Any = numba.config

Function = TypeVar("Function", bound=Callable[..., Any])

#: Whether kernels can look at the clock themselves; elsewhere (Windows) somebody else has to stop them.
TELLS_TIME = hasattr(time, "CLOCK_MONOTONIC")
#: What :data:`read_clock` is to read.
CLOCK = int(time.CLOCK_MONOTONIC) if TELLS_TIME else 0

_external: Any = types.ExternalFunction
_result: Any = types.int32
#: ``clock_gettime`` for kernels, where :data:`TELLS_TIME`: it writes seconds and nanoseconds into two words,
#: in some 30 ns. Linked by its name, so that the kernels that call it can be kept on disk.
read_clock = _external("clock_gettime", _result(types.int32, types.voidptr))


def deadline_after(seconds: float | None) -> int:
    """Return the nanosecond of :data:`CLOCK` that is so many seconds from now; 0 for never."""
    if seconds is None or not TELLS_TIME:
        return 0
    return max(1, time.clock_gettime_ns(CLOCK) + int(seconds * 1e9))


class KernelCache:
    """The compiled code of one package.

    numba notices a change of a function's own file, not of those it calls: each state of the sources gets a
    folder of its own.

    Args:
        package: the folder with the package's sources.
        options: of ``numba.njit``, besides what all kernels have in common.

    Attributes:
        folder: where the code is kept.
    """

    def __init__(self, package: Path, **options: Any) -> None:
        self.folder = _cache_folder(package)
        # Is there when everything has been compiled, and lists the files and how long they are.
        self._mark = self.folder / "complete"
        self._options = {"cache": True, "nogil": True, **options}
        if self._is_damaged():
            shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def is_complete(self) -> bool:
        """Whether all kernels need only be loaded."""
        return self._mark.exists()

    def note_complete(self) -> None:
        """Note for the next time that all kernels have been compiled."""
        if self.is_complete:
            return
        try:
            files = [path for path in self.folder.rglob("*") if path.is_file()]
            lines = [f"{path.stat().st_size} {path.relative_to(self.folder)}" for path in files]
            passing = self._mark.with_name(f"{self._mark.name}-{os.getpid()}")
            passing.write_text("\n".join(lines), encoding="utf-8")
            passing.replace(self._mark)
        except OSError:
            # The next process will announce that it compiles, and find that it need not.
            return

    @contextmanager
    def compiling(self, progress: Callable[[str], None]) -> Iterator[None]:
        """Have one process at a time compile what is not complete.

        A process that dies lets the next one go on with what it finished. ``progress`` is told about a wait.
        """
        if self.is_complete:
            yield
            return
        with ExitStack() as stack:
            if sys.platform != "win32":
                import fcntl

                # Where files cannot be locked, everybody compiles.
                with suppress(OSError):
                    self.folder.mkdir(parents=True, exist_ok=True)
                    lock = stack.enter_context((self.folder / "lock").open("wb"))
                    try:
                        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    except BlockingIOError:
                        progress("waiting for another program that compiles it")
                        fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _is_damaged(self) -> bool:
        """Return whether a file of the compiled code is gone or cut short, so that numba could not load it.

        A machine that lost its power may keep files without their contents. Files grow when more is compiled.
        """
        if not self.is_complete:
            return False
        try:
            lines = [line.partition(" ") for line in self._mark.read_text(encoding="utf-8").splitlines()]
            return not lines or any(
                (self.folder / name).stat().st_size < int(size) for size, _, name in lines
            )
        except (OSError, ValueError):
            return True

    def kernel(self, function: Function) -> Function:
        """Compile ``function`` on its first call."""
        with self._own_folder():
            return cast("Function", numba.njit(**self._options)(function))

    def typed(self, signature: Any) -> Callable[[Function], Function]:
        """Return a decorator that compiles a function for the one ``signature`` when its module is imported.

        A function that calls itself needs this: left to itself numba compiles it once more for every constant
        argument, and the copies cannot find one another when they come from its disk cache.
        """

        def decorate(function: Function) -> Function:
            with self._own_folder():
                return cast("Function", numba.njit(signature, **self._options)(function))

        return decorate

    @contextmanager
    def _own_folder(self) -> Iterator[None]:
        before = _settings.CACHE_DIR
        _settings.CACHE_DIR = str(self.folder)
        try:
            yield
        finally:
            _settings.CACHE_DIR = before


def _cache_folder(package: Path) -> Path:
    """Return where compiled code is kept: beside the sources, or at home where that cannot be written to.

    Where neither can be, it is compiled anew for each process.
    """
    digest = hashlib.sha256()
    for source in (Path(__file__), *sorted(package.glob("*.py"))):
        digest.update(source.read_bytes())
    name = f"{package.name}-{digest.hexdigest()[:16]}"
    if _settings.CACHE_DIR:
        return Path(_settings.CACHE_DIR) / name
    for place in (str(package / "__pycache__"), "~/.cache/quoridor-net"):
        try:
            parent = Path(place).expanduser()
            parent.mkdir(parents=True, exist_ok=True)
        except (OSError, RuntimeError):
            # The second where nobody knows a home.
            continue
        if os.access(parent, os.W_OK | os.X_OK):
            return parent / name
    # Not a name that others could know: what lies there is run.
    passing = tempfile.mkdtemp(prefix="quoridor-net-")
    atexit.register(shutil.rmtree, passing, ignore_errors=True)
    return Path(passing) / name
