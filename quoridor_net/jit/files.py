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
        # Damaged files may raise anything, and so may sound ones if this process lacks memory.
        with suppress(Exception), self._guard_against_spurious_io_errors():
            return self._load_overload(signature, context)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Save the code for ``signature``, replacing damaged files, unless disk or memory is full."""
        with suppress(OSError, MemoryError):
            try:
                super().save_overload(signature, result)
            except (OSError, MemoryError):
                raise
            except Exception:
                # The list of files is unreadable.
                self.flush()
                super().save_overload(signature, result)


class FilesOnDemand:
    """The files of a kernel, which numba would look for at once, although few kernels are called from Python.

    Args:
        find: returns the files; called once.
    """

    def __init__(self, find: Callable[[], KernelFiles]) -> None:
        self.find = cache(find)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.find(), name)
