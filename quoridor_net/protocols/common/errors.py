"""Protocol errors: local ones, which are bugs, and the peer's, which carry the verdict."""

from __future__ import annotations

from quoridor_net.outcome import ForfeitError


class ProtocolError(Exception):
    """A violation of a protocol."""


class MessageError(ValueError):
    """The line is not a message of the protocol; the exception's message says why."""


class LocalProtocolError(ProtocolError):
    """This program tried to send a message that the state of the connection does not allow."""


class RemoteProtocolError(ProtocolError, ForfeitError):
    """The peer broke the protocol, which is a fault of that player."""
