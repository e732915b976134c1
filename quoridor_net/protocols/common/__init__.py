"""What every text protocol here shares: the bounded line buffer, protocol errors, transcripts."""

from quoridor_net.protocols.common.errors import LocalProtocolError, ProtocolError, RemoteProtocolError
from quoridor_net.protocols.common.line_buffer import LineBuffer, LineTooLongError

__all__ = ["LineBuffer", "LineTooLongError", "LocalProtocolError", "ProtocolError", "RemoteProtocolError"]
