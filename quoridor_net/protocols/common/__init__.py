"""What every text protocol here shares: line buffer, table-driven role, errors, names, transcripts."""

from quoridor_net.protocols.common.errors import (
    LocalProtocolError,
    MessageError,
    ProtocolError,
    RemoteProtocolError,
)
from quoridor_net.protocols.common.line_buffer import LineBuffer, LineTooLongError
from quoridor_net.protocols.common.role import ERROR, MAX_IGNORED, NEED_DATA, Ignored, Need
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.text import MAX_NAME, clean_name

__all__ = [
    "ERROR",
    "MAX_IGNORED",
    "MAX_NAME",
    "NEED_DATA",
    "Ignored",
    "LineBuffer",
    "LineTooLongError",
    "LocalProtocolError",
    "MessageError",
    "Need",
    "ProtocolError",
    "RemoteProtocolError",
    "Transcript",
    "clean_name",
]
