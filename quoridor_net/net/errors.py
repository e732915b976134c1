"""Translate exceptions of trio and the operating system into faults."""

from __future__ import annotations

from types import TracebackType

import trio

from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.verdicts import VerdictPhrase

#: Exceptions of reading or writing on a lost connection.
LOST = (trio.BrokenResourceError, trio.ClosedResourceError, OSError)


class _ConnectionFaults:
    # A class, because a generator would be several times slower, and every message enters this.

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, LOST):
            raise ForfeitError(Termination.DISCONNECTED, VerdictPhrase.LOST()) from None


#: Use ``with connection_faults:`` around reading and writing: it turns LOST into a ForfeitError.
connection_faults = _ConnectionFaults()


def first_error(error: BaseException) -> BaseException:
    """Return the first exception inside nested groups; return any other exception itself."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
