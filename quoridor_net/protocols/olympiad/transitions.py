"""Who may say what when: one transition table for each role of the 2006 Clobber protocol.

The roles follow these tables and the diagrams in the documentation are drawn from them. The document leaves
open how a game ends on the wire; the decisions are: the final move goes to the loser, the winner gets
nothing; ``error`` and ``end`` end the game at once; there is no second handshake.
"""

from __future__ import annotations

from quoridor_net.protocols.common.role import Label
from quoridor_net.protocols.olympiad.messages import Message, Settings


class Kind(Label):
    """What the tables tell apart: messages, and two things that are none."""

    PLAY = "play clobber name"
    #: The receiver begins.
    BLACK = "m n 1"
    WHITE = "m n 0"
    PLAYED = "c1 r1 c2 r2"
    ERROR = "error"
    END = "end"
    #: Nothing is sent: both sides see by the rules that the game is over.
    FINISH = "(nothing: the rules end the game)"
    #: Any line that the state has no other place for.
    OTHER = "(any other line)"


def kind_of(message: Message) -> Kind:
    """Return the kind of ``message``."""
    if isinstance(message, Settings):
        return Kind.BLACK if message.begins else Kind.WHITE
    return Kind[type(message).__name__.upper()]


class ServerState(Label):
    """States of the server, which is the referee, towards one client."""

    #: Nothing was heard yet; the handshake is awaited.
    CONNECTED = "connected"
    #: The first line was no handshake; ``error`` is due.
    STRANGER = "stranger"
    #: The client is known and in no game. Whatever it sends is dropped.
    IDLE = "idle"
    #: The client's move is awaited.
    ASKING = "asking"
    #: The opponent's move is awaited; the client has to be silent.
    WATCHING = "watching"
    #: The client sent what it may not; ``error`` is due and whatever else it sends is dropped.
    OFFENDING = "offending"
    #: The game was ended while the client's move was awaited, so a late move may still come.
    LATE = "late"
    #: The client was refused. Nothing more is ever sent to it.
    CLOSED = "closed"


class ClientState(Label):
    """States of a client, which is a player, towards the server."""

    #: Nothing was said yet.
    CONNECTED = "connected"
    #: The handshake was sent; the first game is awaited.
    GREETED = "greeted"
    #: This player is to move.
    TO_MOVE = "to move"
    #: The opponent's move is awaited.
    WAITING = "waiting"
    #: The game is over by the rules; a verdict that crossed the last move may still come.
    FINISHED = "finished"
    #: The game is over by a verdict.
    OVER = "over"
    #: The server did not accept the handshake.
    REFUSED = "refused"


#: What the server may send, by state; the state that follows.
SERVER_SENDS: dict[tuple[ServerState, Kind], ServerState] = {
    (ServerState.CONNECTED, Kind.ERROR): ServerState.CLOSED,
    (ServerState.STRANGER, Kind.ERROR): ServerState.CLOSED,
    # It came too late, or is not one of those that are waited for.
    (ServerState.IDLE, Kind.ERROR): ServerState.CLOSED,
    (ServerState.IDLE, Kind.BLACK): ServerState.ASKING,
    (ServerState.IDLE, Kind.WHITE): ServerState.WATCHING,
    (ServerState.LATE, Kind.BLACK): ServerState.ASKING,
    (ServerState.LATE, Kind.WHITE): ServerState.WATCHING,
    (ServerState.WATCHING, Kind.PLAYED): ServerState.ASKING,
    (ServerState.WATCHING, Kind.ERROR): ServerState.IDLE,
    (ServerState.WATCHING, Kind.END): ServerState.IDLE,
    (ServerState.WATCHING, Kind.FINISH): ServerState.IDLE,
    # The client may have sent its move, or be about to, before it reads this.
    (ServerState.ASKING, Kind.ERROR): ServerState.LATE,
    (ServerState.ASKING, Kind.END): ServerState.LATE,
    (ServerState.ASKING, Kind.FINISH): ServerState.IDLE,
    # The opponent's move, or its own fault, may end the game before the offence does.
    (ServerState.OFFENDING, Kind.PLAYED): ServerState.OFFENDING,
    (ServerState.OFFENDING, Kind.ERROR): ServerState.IDLE,
    (ServerState.OFFENDING, Kind.END): ServerState.IDLE,
    (ServerState.OFFENDING, Kind.FINISH): ServerState.IDLE,
}

#: What the server takes, by state. What is not listed for a state counts as its OTHER.
SERVER_RECEIVES: dict[tuple[ServerState, Kind], ServerState] = {
    (ServerState.CONNECTED, Kind.PLAY): ServerState.IDLE,
    (ServerState.CONNECTED, Kind.OTHER): ServerState.STRANGER,
    (ServerState.STRANGER, Kind.OTHER): ServerState.STRANGER,
    (ServerState.IDLE, Kind.OTHER): ServerState.IDLE,
    (ServerState.ASKING, Kind.PLAYED): ServerState.WATCHING,
    (ServerState.ASKING, Kind.OTHER): ServerState.OFFENDING,
    (ServerState.WATCHING, Kind.OTHER): ServerState.OFFENDING,
    (ServerState.OFFENDING, Kind.OTHER): ServerState.OFFENDING,
    (ServerState.LATE, Kind.OTHER): ServerState.IDLE,
    (ServerState.CLOSED, Kind.OTHER): ServerState.CLOSED,
}

#: What a client may send, by state; the state that follows.
CLIENT_SENDS: dict[tuple[ClientState, Kind], ClientState] = {
    (ClientState.CONNECTED, Kind.PLAY): ClientState.GREETED,
    (ClientState.TO_MOVE, Kind.PLAYED): ClientState.WAITING,
    # Lost, and won.
    (ClientState.TO_MOVE, Kind.FINISH): ClientState.FINISHED,
    (ClientState.WAITING, Kind.FINISH): ClientState.FINISHED,
}

#: What a client takes, by state. A new game ends one that was going on; other lines are ignored.
CLIENT_RECEIVES: dict[tuple[ClientState, Kind], ClientState] = {
    (ClientState.GREETED, Kind.ERROR): ClientState.REFUSED,
    (ClientState.WAITING, Kind.PLAYED): ClientState.TO_MOVE,
    (ClientState.WAITING, Kind.ERROR): ClientState.OVER,
    (ClientState.WAITING, Kind.END): ClientState.OVER,
    (ClientState.TO_MOVE, Kind.ERROR): ClientState.OVER,
    (ClientState.TO_MOVE, Kind.END): ClientState.OVER,
    (ClientState.FINISHED, Kind.ERROR): ClientState.OVER,
    (ClientState.FINISHED, Kind.END): ClientState.OVER,
    (ClientState.GREETED, Kind.BLACK): ClientState.TO_MOVE,
    (ClientState.WAITING, Kind.BLACK): ClientState.TO_MOVE,
    (ClientState.TO_MOVE, Kind.BLACK): ClientState.TO_MOVE,
    (ClientState.FINISHED, Kind.BLACK): ClientState.TO_MOVE,
    (ClientState.OVER, Kind.BLACK): ClientState.TO_MOVE,
    (ClientState.GREETED, Kind.WHITE): ClientState.WAITING,
    (ClientState.WAITING, Kind.WHITE): ClientState.WAITING,
    (ClientState.TO_MOVE, Kind.WHITE): ClientState.WAITING,
    (ClientState.FINISHED, Kind.WHITE): ClientState.WAITING,
    (ClientState.OVER, Kind.WHITE): ClientState.WAITING,
}
