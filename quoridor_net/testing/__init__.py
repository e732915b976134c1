"""The public test kit: correct and faulty peers, linked games, faulty connections, and protocol checks.

Everything works on in-memory streams with a virtual clock, and on sockets. It needs no test framework.
"""

from quoridor_net.testing.linked import Linked, play_linked
from quoridor_net.testing.move_servers import Peer, Script, plays
from quoridor_net.testing.proxies import (
    Cutting,
    Delaying,
    Dribbling,
    Lying,
    Proxy,
    Reordering,
    Vanishing,
    through,
)
from quoridor_net.testing.wire import Wired, WireLog, check_promises, read_transcript

__all__ = [
    "Cutting",
    "Delaying",
    "Dribbling",
    "Linked",
    "Lying",
    "Peer",
    "Proxy",
    "Reordering",
    "Script",
    "Vanishing",
    "WireLog",
    "Wired",
    "check_promises",
    "play_linked",
    "plays",
    "read_transcript",
    "through",
]
