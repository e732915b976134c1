"""Protocol errors: ours, which are bugs, and the peer's, which carry the verdict."""

from __future__ import annotations

from quoridor_net.outcome import ForfeitError


class ProtocolError(Exception):
    """Somebody broke a protocol."""


class MessageError(ValueError):
    """The line is not a message of the protocol; the message of this exception says what is wrong."""


class LocalProtocolError(ProtocolError):
    """We tried to send what the state of the connection does not allow."""


class RemoteProtocolError(ProtocolError, ForfeitError):
    """The peer broke the protocol, for which it is out of the game."""
