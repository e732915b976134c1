"""A check that ends at the finding that a test is about."""

from __future__ import annotations

import trio

from quoridor_net.check.findings import CheckOutcome


class UntilFound:
    """The ``progress`` of a check, whose ``stop`` is cancelled when a check has found ``code``."""

    def __init__(self, code: str) -> None:
        self.stop = trio.CancelScope()
        self._code = code

    def __call__(self, outcome: CheckOutcome) -> None:
        if self._code in outcome.codes:
            self.stop.cancel()
