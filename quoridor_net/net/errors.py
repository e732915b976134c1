"""Exceptions of trio and of the operating system, in the words of this project."""

from __future__ import annotations

from types import TracebackType

import trio

from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.verdicts import VerdictPhrase

#: What reading from or writing to a peer raises when the connection is gone.
LOST = (trio.BrokenResourceError, trio.ClosedResourceError, OSError)


class _ConnectionFaults:
    # A class, because it is entered for every message and a generator would cost several times as much.

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, LOST):
            raise ForfeitError(Termination.DISCONNECTED, VerdictPhrase.LOST()) from None


#: ``with connection_faults:`` around what reads from or writes to a player: LOST becomes a ForfeitError.
connection_faults = _ConnectionFaults()


def first_error(error: BaseException) -> BaseException:
    """Return the first of the exceptions that nurseries wrapped in groups; any other as it is."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
