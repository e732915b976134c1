"""The public test kit: peers that do one thing wrong, connections that do, and the promises on the wire.

Everything works on streams in memory with a virtual clock, and on sockets. It needs no test framework.
"""

from quoridor_net.testing.move_servers import Peer, Script
from quoridor_net.testing.proxies import (
    Cutting,
    Delaying,
    Dribbling,
    Lying,
    Proxy,
    Reordering,
    through,
)
from quoridor_net.testing.wire import Wired, WireLog, check_promises, read_transcript

__all__ = [
    "Cutting",
    "Delaying",
    "Dribbling",
    "Lying",
    "Peer",
    "Proxy",
    "Reordering",
    "Script",
    "WireLog",
    "Wired",
    "check_promises",
    "read_transcript",
    "through",
]
