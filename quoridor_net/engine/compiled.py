"""The one door to numba: the decorator of every kernel function and the bit operations it lacks.

Importing this module imports numba; only modules that hold kernel functions do.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from quoridor_net.engine.layout import DEADLINE, NOW

# The settings of numba have no types.
_settings: Any = numba.config

_TRUE = ir.Constant(ir.IntType(1), 1)

Function = TypeVar("Function", bound=Callable[..., Any])


def _fingerprint() -> str:
    """Return a hash of all sources of the engine."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _folder() -> Path:
    """Return where compiled code is kept: beside the sources, or at home where that cannot be written to.

    Where neither can be, it is compiled anew for each process.
    """
    name = f"kernel-{_fingerprint()}"
    if _settings.CACHE_DIR:
        return Path(_settings.CACHE_DIR) / name
    beside = Path(__file__).parent / "__pycache__"
    for place in (str(beside), "~/.cache/quoridor-net"):
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


#: numba notices a change of a function's own file, not of those it calls: each state of the sources gets a
#: folder of its own.
_FOLDER = _folder()
#: Is there when everything has been compiled, and lists the files and how long they are.
_MARK = _FOLDER / "complete"


def is_all_compiled() -> bool:
    """Return whether all kernel functions need only be loaded."""
    return _MARK.exists()


def note_all_compiled() -> None:
    """Note for the next time that all kernel functions have been compiled."""
    if is_all_compiled():
        return
    try:
        files = [path for path in _FOLDER.rglob("*") if path.is_file()]
        lines = [f"{path.stat().st_size} {path.relative_to(_FOLDER)}" for path in files]
        passing = _MARK.with_name(f"{_MARK.name}-{os.getpid()}")
        passing.write_text("\n".join(lines), encoding="utf-8")
        passing.replace(_MARK)
    except OSError:
        # The next process will announce that it compiles, and find that it need not.
        return


def _is_damaged() -> bool:
    """Return whether a file of the compiled code is gone or cut short, so that numba could not load it.

    A machine that lost its power may keep files without their contents. Files grow when more is compiled.
    """
    if not is_all_compiled():
        return False
    try:
        lines = [line.partition(" ") for line in _MARK.read_text(encoding="utf-8").splitlines()]
        return not lines or any((_FOLDER / name).stat().st_size < int(size) for size, _, name in lines)
    except (OSError, ValueError):
        return True


if _is_damaged():
    shutil.rmtree(_FOLDER, ignore_errors=True)


@contextmanager
def _own_folder() -> Iterator[None]:
    before = _settings.CACHE_DIR
    _settings.CACHE_DIR = str(_FOLDER)
    try:
        yield
    finally:
        _settings.CACHE_DIR = before


#: Kernels make no arrays: whoever calls them keeps theirs alive, so that counting references would only cost
#: time, more than a tenth of a search.
_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}


def kernel(function: Function) -> Function:
    """Compile ``function`` on its first call, keep the code on disk, and free the GIL while it runs."""
    with _own_folder():
        return cast("Function", numba.njit(**_OPTIONS)(function))


def recursive(signature: str) -> Callable[[Function], Function]:
    """Compile a function that calls itself when its module is imported, for the one ``signature``.

    Left to itself numba compiles such a function once more for every constant argument, and the copies cannot
    find one another when they come from its disk cache. For the same reason the function must not pass itself
    constants, and no other kernel function may call it.
    """

    def decorate(function: Function) -> Function:
        with _own_folder():
            return cast("Function", numba.njit(signature, **_OPTIONS)(function))

    return decorate


#: Whether kernels can look at the clock themselves; elsewhere (Windows) the alarm alone stops them.
TELLS_TIME = hasattr(time, "CLOCK_MONOTONIC")
_CLOCK = int(time.CLOCK_MONOTONIC) if TELLS_TIME else 0

if TELLS_TIME:
    # Linked by its name, so that the functions that call it can be kept on disk. It takes some 30 ns.
    _external: Any = types.ExternalFunction
    _result: Any = types.int32
    _read_clock = _external("clock_gettime", _result(types.int32, types.voidptr))

    @kernel
    def is_late(memory: Any) -> int:
        """Return 1 if it is time to stop, else 0."""
        if memory[DEADLINE] == 0:
            return 0
        _read_clock(_CLOCK, memory[NOW:].ctypes)
        return 1 if memory[NOW] * 1_000_000_000 + memory[NOW + 1] >= memory[DEADLINE] else 0

else:

    @kernel
    def is_late(memory: Any) -> int:
        """Return 0, as the kernel cannot know; no deadline is negative."""
        return 1 if memory[DEADLINE] < 0 else 0


def deadline_after(seconds: float | None) -> int:
    """Return what to put at ``DEADLINE`` for so many seconds from now, None for ever."""
    if seconds is None or not TELLS_TIME:
        return 0
    return max(1, time.clock_gettime_ns(_CLOCK) + int(seconds * 1e9))


def _population(_typing: Any, _value: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def _trailing(_typing: Any, _value: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], _TRUE)

    return types.int64(types.int64), generate


#: Number of bits set in a word.
population: Callable[[int], int] = cast("Callable[[int], int]", intrinsic(_population))
#: Number of the lowest bit set in a word that is not zero.
trailing: Callable[[int], int] = cast("Callable[[int], int]", intrinsic(_trailing))
