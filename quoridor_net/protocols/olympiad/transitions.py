"""Transition tables of the 2006 Clobber protocol: the messages that each role may send and receive.

The tables drive the roles, and the diagrams in the documentation are drawn from them. The specification does
not say how a game ends on the wire. Here, the final move goes to the loser and the winner gets nothing;
``error`` and ``end`` end the game at once; a client sends its handshake only once.
"""

from __future__ import annotations

from quoridor_net.protocols.common.role import Label
from quoridor_net.protocols.olympiad.messages import Message, Settings


class ClobberKind(Label):
    """Kinds of messages in the tables, and two kinds that are not messages."""

    PLAY = "play clobber name"
    #: The receiver begins.
    BLACK = "m n 1"
    WHITE = "m n 0"
    PLAYED = "c1 r1 c2 r2"
    ERROR = "error"
    END = "end"
    #: Nothing is sent: both sides know from the rules that the game is over.
    FINISH = "(nothing: the rules end the game)"
    #: Any line not listed for the state.
    OTHER = "(any other line)"


def kind_of(message: Message) -> ClobberKind:
    """Return the kind of ``message``."""
    if isinstance(message, Settings):
        return ClobberKind.BLACK if message.begins else ClobberKind.WHITE
    return ClobberKind[type(message).__name__.upper()]


class ClobberServerState(Label):
    """States of the server, which is the referee, towards one client."""

    #: Waiting for the handshake.
    CONNECTED = "connected"
    #: The first line was not a handshake; ``error`` is due.
    STRANGER = "stranger"
    #: The client is known and not in a game. Its lines are dropped.
    IDLE = "idle"
    #: Waiting for the client's move.
    ASKING = "asking"
    #: Waiting for the opponent's move; the client must not send anything.
    WATCHING = "watching"
    #: The client broke the protocol; ``error`` is due and its further lines are dropped.
    OFFENDING = "offending"
    #: The game ended while the client's move was due, so a late move may still arrive.
    LATE = "late"
    #: The client was refused. No message may follow.
    CLOSED = "closed"


class ClobberClientState(Label):
    """States of a client, which is a player, towards the server."""

    #: No message yet.
    CONNECTED = "connected"
    #: The handshake was sent; waiting for the first game.
    GREETED = "greeted"
    #: This player is to move.
    TO_MOVE = "to move"
    #: Waiting for the opponent's move.
    WAITING = "waiting"
    #: The game is over by the rules; a verdict that crossed the last move may still arrive.
    FINISHED = "finished"
    #: The game is over by a verdict.
    OVER = "over"
    #: The server did not accept the handshake.
    REFUSED = "refused"


#: Messages that the server may send in each state, and the state that follows.
SERVER_SENDS: dict[tuple[ClobberServerState, ClobberKind], ClobberServerState] = {
    (ClobberServerState.CONNECTED, ClobberKind.ERROR): ClobberServerState.CLOSED,
    (ClobberServerState.STRANGER, ClobberKind.ERROR): ClobberServerState.CLOSED,
    # The client is too late, or not one of the expected entrants.
    (ClobberServerState.IDLE, ClobberKind.ERROR): ClobberServerState.CLOSED,
    (ClobberServerState.IDLE, ClobberKind.BLACK): ClobberServerState.ASKING,
    (ClobberServerState.IDLE, ClobberKind.WHITE): ClobberServerState.WATCHING,
    (ClobberServerState.LATE, ClobberKind.BLACK): ClobberServerState.ASKING,
    (ClobberServerState.LATE, ClobberKind.WHITE): ClobberServerState.WATCHING,
    (ClobberServerState.WATCHING, ClobberKind.PLAYED): ClobberServerState.ASKING,
    (ClobberServerState.WATCHING, ClobberKind.ERROR): ClobberServerState.IDLE,
    (ClobberServerState.WATCHING, ClobberKind.END): ClobberServerState.IDLE,
    (ClobberServerState.WATCHING, ClobberKind.FINISH): ClobberServerState.IDLE,
    # The client may send its move before it reads this.
    (ClobberServerState.ASKING, ClobberKind.ERROR): ClobberServerState.LATE,
    (ClobberServerState.ASKING, ClobberKind.END): ClobberServerState.LATE,
    (ClobberServerState.ASKING, ClobberKind.FINISH): ClobberServerState.IDLE,
    # The opponent's move, or its own fault, may end the game before the offence does.
    (ClobberServerState.OFFENDING, ClobberKind.PLAYED): ClobberServerState.OFFENDING,
    (ClobberServerState.OFFENDING, ClobberKind.ERROR): ClobberServerState.IDLE,
    (ClobberServerState.OFFENDING, ClobberKind.END): ClobberServerState.IDLE,
    (ClobberServerState.OFFENDING, ClobberKind.FINISH): ClobberServerState.IDLE,
}

#: Messages that the server accepts in each state. Messages not listed count as OTHER.
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

#: Messages that a client may send in each state, and the state that follows.
CLIENT_SENDS: dict[tuple[ClobberClientState, ClobberKind], ClobberClientState] = {
    (ClobberClientState.CONNECTED, ClobberKind.PLAY): ClobberClientState.GREETED,
    (ClobberClientState.TO_MOVE, ClobberKind.PLAYED): ClobberClientState.WAITING,
    # Lost, and won.
    (ClobberClientState.TO_MOVE, ClobberKind.FINISH): ClobberClientState.FINISHED,
    (ClobberClientState.WAITING, ClobberKind.FINISH): ClobberClientState.FINISHED,
}

#: Messages that a client accepts in each state. A new game ends a running one; other lines are ignored.
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
