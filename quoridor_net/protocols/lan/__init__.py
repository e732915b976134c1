"""The 2016 client/server protocol, sans-I/O: messages, transition tables and both roles."""

from quoridor_net.protocols.common.errors import MessageError
from quoridor_net.protocols.common.role import NEED_DATA, Ignored, Need
from quoridor_net.protocols.lan.following import FollowedGame, ImpossibleReportError
from quoridor_net.protocols.lan.messages import (
    Atari,
    Game,
    Gote,
    Hello,
    Iam,
    Kikashi,
    Message,
    Myoushu,
    Tesuji,
    encode,
    parse_message,
)
from quoridor_net.protocols.lan.roles import ClientRole, ServerRole

__all__ = [
    "NEED_DATA",
    "Atari",
    "ClientRole",
    "FollowedGame",
    "Game",
    "Gote",
    "Hello",
    "Iam",
    "Ignored",
    "ImpossibleReportError",
    "Kikashi",
    "Message",
    "MessageError",
    "Myoushu",
    "Need",
    "ServerRole",
    "Tesuji",
    "encode",
    "parse_message",
]
