"""Translate exceptions of trio and the operating system into faults."""

from __future__ import annotations

import trio

from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.verdicts import VerdictPhrase

#: Exceptions of reading or writing on a lost connection.
LOST = (trio.BrokenResourceError, trio.ClosedResourceError, OSError)


def lost_connection() -> ForfeitError:
    """Return the fault of a peer whose connection is lost, for one of LOST."""
    return ForfeitError(Termination.DISCONNECTED, VerdictPhrase.LOST())


def first_error(error: BaseException) -> BaseException:
    """Return the first exception inside nested groups; return any other exception itself."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
