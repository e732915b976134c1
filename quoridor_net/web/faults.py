"""Errors of this program that show while browsers are served."""

from __future__ import annotations

from collections.abc import Callable

from quoridor_net.net.errors import first_error


class Faults:
    """Tells of each kind of error once: a browser that causes one can do so as often as it likes."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._told: set[type[BaseException]] = set()

    def tell(self, error: BaseException) -> None:
        """Report ``error`` in one line, as a traceback helps nobody who only plays."""
        error = first_error(error)
        if type(error) not in self._told:
            self._told.add(type(error))
            self._report(f"ERROR: internal error in the web view: {error!r}")
