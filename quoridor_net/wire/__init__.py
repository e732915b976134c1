"""What every text protocol here shares: the bounded line buffer, protocol errors, text fit to be shown."""

from quoridor_net.wire.errors import LocalProtocolError, ProtocolError, RemoteProtocolError
from quoridor_net.wire.line_buffer import LineBuffer, LineTooLong
from quoridor_net.wire.streams import Writable, discard_unwritten, prepare_streams
from quoridor_net.wire.text import printable, visible

__all__ = [
    "LineBuffer",
    "LineTooLong",
    "LocalProtocolError",
    "ProtocolError",
    "RemoteProtocolError",
    "Writable",
    "discard_unwritten",
    "prepare_streams",
    "printable",
    "visible",
]
