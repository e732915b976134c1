"""Compilation of kernels to native code, without the interpreter lock and cached on disk.

Importing this module imports numba, so only modules with kernels do.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import stat
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import typeinfer, types
from numba.extending import register_jitable

from quoridor_net.jit.bitcode import BitcodeDispatcher, BitcodeFiles
from quoridor_net.jit.files import FilesOnDemand, KernelFiles
from quoridor_net.system import lock

# These parts of numba have no types.
_settings: Any = numba.config
_unliteral: Any = types.unliteral
_known_while_compiled: Any = typeinfer.register_dispatcher

#: The mode of new folders for compiled code, and the mode bits that let others write.
_PRIVATE = 0o700
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH

Function = TypeVar("Function", bound=Callable[..., Any])


def shared(function: Function) -> Function:
    """Make ``function`` callable from kernels of every package; it is compiled into each caller."""
    return register_jitable(function)


# numba's cache folder is a setting of the process, and several threads may import modules.
_settings_lock = threading.Lock()


class KernelCache:
    """The compiled code of one package.

    numba notices changes in a function's own file, but not in the functions it calls. So each state of the
    sources gets a folder of its own.

    Args:
        package: the folder with the package's sources.
        used: the folders of other packages whose kernels it calls.
        options: options of ``numba.njit``, in addition to those of all kernels.

    Attributes:
        folder: the folder of the compiled code.
    """

    def __init__(self, package: Path, *used: Path, **options: Any) -> None:
        self.folder = _cache_folder(package, used)
        # Only calls from C would need the wrapper.
        self._options = {"nogil": True, "no_cfunc_wrapper": True, **options}
        if self._is_damaged():
            shutil.rmtree(self.folder, ignore_errors=True)
            with suppress(OSError):
                self.folder.mkdir(mode=_PRIVATE)

    def is_complete(self, use: str) -> bool:
        """Return whether all kernels for one ``use`` of the package need only be loaded."""
        return self._mark(use).exists()

    def note_complete(self, use: str) -> None:
        """Record on disk that all kernels for this use are compiled."""
        if self.is_complete(use):
            return
        try:
            files = [path for path in self.folder.rglob("*") if path.is_file()]
            lines = [f"{path.stat().st_size} {path.relative_to(self.folder)}" for path in files]
            mark = self._mark(use)
            passing = mark.with_name(f"{os.getpid()}-{mark.name}")
            passing.write_text("\n".join(lines), encoding="utf-8")
            passing.replace(mark)
        except OSError:
            # The next process will announce compiling, and find nothing to do.
            return

    @contextmanager
    def hold_compile_lock(self, use: str, progress: Callable[[str], None]) -> Iterator[None]:
        """Hold the lock within which one process at a time compiles for this use.

        If a process dies, the next one continues with the code it finished. ``progress`` reports a wait.
        """
        if self.is_complete(use):
            yield
            return
        with ExitStack() as stack:
            # If files cannot be locked, every process compiles.
            with suppress(OSError):
                self.folder.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
                file = stack.enter_context((self.folder / "lock").open("wb"))
                lock(file, lambda: progress("waiting for another program that compiles it"))
            yield

    def _is_damaged(self) -> bool:
        """Return whether a file of compiled code is missing or truncated, so that numba could not load it.

        After a power failure files may be empty. Files grow when more is compiled. Files that cannot be read,
        for example for lack of descriptors, may still be whole, and other processes use them.
        """
        try:
            for mark in self.folder.glob("complete-*"):
                lines = [line.partition(" ") for line in mark.read_text(encoding="utf-8").splitlines()]
                sizes = {self.folder / name: int(size) for size, _, name in lines}
                if not sizes or any(path.stat().st_size < size for path, size in sizes.items()):
                    return True
        except (FileNotFoundError, ValueError):
            return True
        except OSError:
            pass
        return False

    def _mark(self, use: str) -> Path:
        """Return the file that marks a complete compilation; it lists the other files and their sizes."""
        return self.folder / f"complete-{use}"

    def kernel(self, function: Function) -> Function:
        """Compile ``function`` on its first call from Python or from another kernel."""
        dispatcher = self._dispatcher(function)

        # Most programs find the code that Python calls on disk, and need no bitcode.
        @cache
        def bitcode() -> Any:
            made: Any = BitcodeDispatcher(function, **self._options)
            made._cache = FilesOnDemand(lambda: self._files(BitcodeFiles, function))
            return made

        dispatcher.bitcode = bitcode
        # numba uses these when it compiles a call from another kernel.
        dispatcher.get_call_template = _with_plain_arguments(
            lambda arguments, by_name: bitcode().get_call_template(arguments, by_name)
        )
        dispatcher.get_overload = lambda signature: bitcode().get_overload(signature)
        return cast("Function", dispatcher)

    def typed(self, signature: Any) -> Callable[[Function], Function]:
        """Return a decorator that compiles a function for the one ``signature`` when its module is imported.

        A recursive function needs this. By default numba compiles it again for every constant argument, and
        the copies cannot find one another when they come from the disk cache.
        """

        def decorate(function: Function) -> Function:
            dispatcher = self._dispatcher(function)
            with _known_while_compiled(dispatcher):
                dispatcher.compile(signature)
            dispatcher.disable_compile()
            return cast("Function", dispatcher)

        return decorate

    def _dispatcher(self, function: Callable[..., Any]) -> Any:
        """Return a dispatcher that compiles ``function``, or loads its code from the folder."""
        dispatcher: Any = numba.njit(**self._options)(function)
        dispatcher._cache = FilesOnDemand(lambda: self._files(KernelFiles, function))
        return dispatcher

    def _files(self, kind: type[KernelFiles], function: Callable[..., Any]) -> KernelFiles:
        """Return the files in the folder for ``function``."""
        with _settings_lock:
            before, _settings.CACHE_DIR = _settings.CACHE_DIR, str(self.folder)
            try:
                return kind(function)
            finally:
                _settings.CACHE_DIR = before


def compile_for(kernel: Callable[..., Any], *arguments: Any) -> None:
    """Compile ``kernel`` for arguments of these types from Python, without calling it."""
    cast("Any", kernel).compile(arguments)


def compile_bitcode_for(kernel: Callable[..., Any], *arguments: Any) -> None:
    """Compile ``kernel`` for arguments of these types from other kernels."""
    cast("Any", kernel).bitcode().compile(arguments)


def _with_plain_arguments(find: Callable[..., Any]) -> Callable[..., Any]:
    """Use one version of a kernel for all whole numbers that other kernels pass to it.

    By default numba compiles a kernel again for each constant argument and each width of a number, together
    with all kernels to which it passes them.
    """

    def get_call_template(arguments: Any, by_name: Any) -> Any:
        plain = {name: _plain(kind) for name, kind in by_name.items()}
        return find(tuple(map(_plain, arguments)), plain)

    return get_call_template


def _plain(kind: Any) -> Any:
    """Return the type that values of the type ``kind`` are handed on as."""
    plain: Any = _unliteral(kind)
    return types.int64 if plain in types.signed_domain else plain


@cache
def _private_folder(place: str, name: str) -> Path | None:
    """Return the folder ``name`` in a folder for compiled code; None where that cannot be used.

    The code is executed, so a folder in which others can write is rejected, with a line on standard error.
    """
    try:
        parent = Path(place).expanduser()
        parent.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
        if not os.access(parent, os.W_OK | os.X_OK):
            return None
        for folder in (parent, parent / name):
            if folder.exists() and (reason := _reason_against(folder.stat())):
                _warn(f"{folder} is not used for compiled code: {reason}. Choose another NUMBA_CACHE_DIR.")
                return None
        (parent / name).mkdir(mode=_PRIVATE, exist_ok=True)
    except (OSError, RuntimeError):
        # The second where nobody knows a home.
        return None
    return parent / name


def _reason_against(status: os.stat_result) -> str:
    """Return the reason why code from a folder may be somebody else's; empty if there is none."""
    get_user: Callable[[], int] | None = getattr(os, "getuid", None)
    if get_user is None:
        # Windows, where a folder's rights are not in its status.
        return ""
    if status.st_uid != get_user():
        return "it belongs to another user"
    return "other users can write there (chmod go-w allows it)" if status.st_mode & _OTHERS_WRITE else ""


@cache
def _warn(line: str) -> None:
    """Write a line to standard error, once."""
    with suppress(OSError, ValueError):
        print(f"quoridor: {line}", file=sys.stderr, flush=True)


def _cache_folder(package: Path, used: Iterable[Path]) -> Path:
    """Return where compiled code is kept: beside the sources, or at home where that cannot be written to.

    A folder that the user chose comes first, if only this user can write there. Without any folder, every
    process compiles for itself.
    """
    digest = hashlib.sha256()
    for folder in (Path(__file__).parent, package, *used):
        for source in sorted(folder.rglob("*.py")):
            digest.update(source.read_bytes())
    name = f"{package.name}-{digest.hexdigest()[:16]}"
    if _settings.CACHE_DIR and (chosen := _private_folder(_settings.CACHE_DIR, name)) is not None:
        return chosen
    for place in (str(package / "__pycache__"), "~/.cache/quoridor-net"):
        try:
            parent = Path(place).expanduser()
            parent.mkdir(parents=True, exist_ok=True)
        except (OSError, RuntimeError):
            # RuntimeError if there is no home folder.
            continue
        if os.access(parent, os.W_OK | os.X_OK):
            return parent / name
    # An unpredictable name, because the code in this folder is executed.
    passing = tempfile.mkdtemp(prefix="quoridor-net-")
    atexit.register(shutil.rmtree, passing, ignore_errors=True)
    return Path(passing) / name
