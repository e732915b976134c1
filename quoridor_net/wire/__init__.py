"""What every text protocol here shares: the bounded line buffer and the protocol errors."""

from quoridor_net.wire.errors import LocalProtocolError, ProtocolError, RemoteProtocolError
from quoridor_net.wire.line_buffer import LineBuffer, LineTooLong
from quoridor_net.wire.text import printable
from quoridor_net.wire.unwritten import Writable, discard_unwritten, open_missing_streams

__all__ = [
    "LineBuffer",
    "LineTooLong",
    "LocalProtocolError",
    "ProtocolError",
    "RemoteProtocolError",
    "Writable",
    "discard_unwritten",
    "open_missing_streams",
    "printable",
]
