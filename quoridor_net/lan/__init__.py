"""The 2016 client/server protocol, sans-I/O: messages, transition tables and both roles."""

from quoridor_net.lan.following import FollowedGame, ImpossibleReport
from quoridor_net.lan.messages import (
    Atari,
    Game,
    Gote,
    Hello,
    Iam,
    Kikashi,
    Message,
    Myoushu,
    Tesuji,
    UnparsableMessage,
    encode,
    parse_message,
)
from quoridor_net.lan.roles import NEED_DATA, ClientRole, Ignored, Need, ServerRole

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
    "ImpossibleReport",
    "Kikashi",
    "Message",
    "Myoushu",
    "Need",
    "ServerRole",
    "Tesuji",
    "UnparsableMessage",
    "encode",
    "parse_message",
]
