"""Protocol errors: ours, which are bugs, and the peer's, which carry the verdict."""

from __future__ import annotations

from quoridor_net.outcome import Termination


class ProtocolError(Exception):
    """Somebody broke a protocol."""


class MessageError(ValueError):
    """The line is not a message of the protocol; the message of this exception says what is wrong."""


class LocalProtocolError(ProtocolError):
    """We tried to send what the state of the connection does not allow."""


class RemoteProtocolError(ProtocolError):
    """The peer broke the protocol.

    Attributes:
        termination: the verdict this deserves.
        sentence: what the peer did, for people.
        line: what it sent, made printable and shortened; empty when it is not one line's fault.
    """

    def __init__(self, termination: Termination, sentence: str, line: str = "") -> None:
        super().__init__(sentence)
        self.termination = termination
        self.sentence = sentence
        self.line = line
