"""Reports of internal errors while serving browsers."""

from __future__ import annotations

from collections.abc import Callable

from quoridor_net.net.errors import first_error


class Faults:
    """A reporter that reports each kind of error once, because a browser can cause one again and again."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._told: set[type[BaseException]] = set()

    def tell(self, error: BaseException) -> None:
        """Report ``error`` in one line, because a traceback does not help players."""
        error = first_error(error)
        if type(error) not in self._told:
            self._told.add(type(error))
            self._report(f"ERROR: internal error in the web view: {error!r}")
