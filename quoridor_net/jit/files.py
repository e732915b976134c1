"""Files of compiled code."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from numba.core import caching, runtime

# These parts of numba have no types.
_runtime: Any = runtime
_FunctionCache: Any = caching.FunctionCache


class KernelFiles(_FunctionCache):  # type: ignore[misc]
    """The files with the compiled code of one kernel."""

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Load the code for ``signature``; return None if there is none or it is unreadable.

        numba would first load its compiler, which takes as long as the rest of a start from disk.
        """
        _runtime.rtsys.initialize(context)
        try:
            with self._guard_against_spurious_io_errors():
                return self._load_overload(signature, context)
        except Exception:
            # Damaged files may raise anything. Without the list of files the kernel is compiled again.
            with suppress(OSError):
                self.flush()
            return None


class FilesOnDemand:
    """The files of a kernel, which numba would look for at once, although few kernels are called from Python.

    Args:
        find: returns the files; called once.
    """

    def __init__(self, find: Callable[[], KernelFiles]) -> None:
        self.find = cache(find)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.find(), name)
