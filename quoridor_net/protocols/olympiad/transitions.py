"""Who may say what when: one transition table for each role of the 2006 Clobber protocol.

The roles follow these tables and the diagrams in the documentation are drawn from them. The document leaves
open how a game ends on the wire; the decisions are: the final move goes to the loser, the winner gets
nothing; ``error`` and ``end`` end the game at once; there is no second handshake.
"""

from __future__ import annotations

from quoridor_net.protocols.common.role import Label
from quoridor_net.protocols.olympiad.messages import Message, Settings


class ClobberKind(Label):
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


def kind_of(message: Message) -> ClobberKind:
    """Return the kind of ``message``."""
    if isinstance(message, Settings):
        return ClobberKind.BLACK if message.begins else ClobberKind.WHITE
    return ClobberKind[type(message).__name__.upper()]


class ClobberServerState(Label):
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


class ClobberClientState(Label):
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
SERVER_SENDS: dict[tuple[ClobberServerState, ClobberKind], ClobberServerState] = {
    (ClobberServerState.CONNECTED, ClobberKind.ERROR): ClobberServerState.CLOSED,
    (ClobberServerState.STRANGER, ClobberKind.ERROR): ClobberServerState.CLOSED,
    # It came too late, or is not one of those that are waited for.
    (ClobberServerState.IDLE, ClobberKind.ERROR): ClobberServerState.CLOSED,
    (ClobberServerState.IDLE, ClobberKind.BLACK): ClobberServerState.ASKING,
    (ClobberServerState.IDLE, ClobberKind.WHITE): ClobberServerState.WATCHING,
    (ClobberServerState.LATE, ClobberKind.BLACK): ClobberServerState.ASKING,
    (ClobberServerState.LATE, ClobberKind.WHITE): ClobberServerState.WATCHING,
    (ClobberServerState.WATCHING, ClobberKind.PLAYED): ClobberServerState.ASKING,
    (ClobberServerState.WATCHING, ClobberKind.ERROR): ClobberServerState.IDLE,
    (ClobberServerState.WATCHING, ClobberKind.END): ClobberServerState.IDLE,
    (ClobberServerState.WATCHING, ClobberKind.FINISH): ClobberServerState.IDLE,
    # The client may have sent its move, or be about to, before it reads this.
    (ClobberServerState.ASKING, ClobberKind.ERROR): ClobberServerState.LATE,
    (ClobberServerState.ASKING, ClobberKind.END): ClobberServerState.LATE,
    (ClobberServerState.ASKING, ClobberKind.FINISH): ClobberServerState.IDLE,
    # The opponent's move, or its own fault, may end the game before the offence does.
    (ClobberServerState.OFFENDING, ClobberKind.PLAYED): ClobberServerState.OFFENDING,
    (ClobberServerState.OFFENDING, ClobberKind.ERROR): ClobberServerState.IDLE,
    (ClobberServerState.OFFENDING, ClobberKind.END): ClobberServerState.IDLE,
    (ClobberServerState.OFFENDING, ClobberKind.FINISH): ClobberServerState.IDLE,
}

#: What the server takes, by state. What is not listed for a state counts as its OTHER.
SERVER_RECEIVES: dict[tuple[ClobberServerState, ClobberKind], ClobberServerState] = {
    (ClobberServerState.CONNECTED, ClobberKind.PLAY): ClobberServerState.IDLE,
    (ClobberServerState.CONNECTED, ClobberKind.OTHER): ClobberServerState.STRANGER,
    (ClobberServerState.STRANGER, ClobberKind.OTHER): ClobberServerState.STRANGER,
    (ClobberServerState.IDLE, ClobberKind.OTHER): ClobberServerState.IDLE,
    (ClobberServerState.ASKING, ClobberKind.PLAYED): ClobberServerState.WATCHING,
    (ClobberServerState.ASKING, ClobberKind.OTHER): ClobberServerState.OFFENDING,
    (ClobberServerState.WATCHING, ClobberKind.OTHER): ClobberServerState.OFFENDING,
    (ClobberServerState.OFFENDING, ClobberKind.OTHER): ClobberServerState.OFFENDING,
    (ClobberServerState.LATE, ClobberKind.OTHER): ClobberServerState.IDLE,
    (ClobberServerState.CLOSED, ClobberKind.OTHER): ClobberServerState.CLOSED,
}

#: What a client may send, by state; the state that follows.
CLIENT_SENDS: dict[tuple[ClobberClientState, ClobberKind], ClobberClientState] = {
    (ClobberClientState.CONNECTED, ClobberKind.PLAY): ClobberClientState.GREETED,
    (ClobberClientState.TO_MOVE, ClobberKind.PLAYED): ClobberClientState.WAITING,
    # Lost, and won.
    (ClobberClientState.TO_MOVE, ClobberKind.FINISH): ClobberClientState.FINISHED,
    (ClobberClientState.WAITING, ClobberKind.FINISH): ClobberClientState.FINISHED,
}

#: What a client takes, by state. A new game ends one that was going on; other lines are ignored.
CLIENT_RECEIVES: dict[tuple[ClobberClientState, ClobberKind], ClobberClientState] = {
    (ClobberClientState.GREETED, ClobberKind.ERROR): ClobberClientState.REFUSED,
    (ClobberClientState.WAITING, ClobberKind.PLAYED): ClobberClientState.TO_MOVE,
    (ClobberClientState.WAITING, ClobberKind.ERROR): ClobberClientState.OVER,
    (ClobberClientState.WAITING, ClobberKind.END): ClobberClientState.OVER,
    (ClobberClientState.TO_MOVE, ClobberKind.ERROR): ClobberClientState.OVER,
    (ClobberClientState.TO_MOVE, ClobberKind.END): ClobberClientState.OVER,
    (ClobberClientState.FINISHED, ClobberKind.ERROR): ClobberClientState.OVER,
    (ClobberClientState.FINISHED, ClobberKind.END): ClobberClientState.OVER,
    (ClobberClientState.GREETED, ClobberKind.BLACK): ClobberClientState.TO_MOVE,
    (ClobberClientState.WAITING, ClobberKind.BLACK): ClobberClientState.TO_MOVE,
    (ClobberClientState.TO_MOVE, ClobberKind.BLACK): ClobberClientState.TO_MOVE,
    (ClobberClientState.FINISHED, ClobberKind.BLACK): ClobberClientState.TO_MOVE,
    (ClobberClientState.OVER, ClobberKind.BLACK): ClobberClientState.TO_MOVE,
    (ClobberClientState.GREETED, ClobberKind.WHITE): ClobberClientState.WAITING,
    (ClobberClientState.WAITING, ClobberKind.WHITE): ClobberClientState.WAITING,
    (ClobberClientState.TO_MOVE, ClobberKind.WHITE): ClobberClientState.WAITING,
    (ClobberClientState.FINISHED, ClobberKind.WHITE): ClobberClientState.WAITING,
    (ClobberClientState.OVER, ClobberKind.WHITE): ClobberClientState.WAITING,
}
