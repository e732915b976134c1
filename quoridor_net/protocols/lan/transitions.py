"""Who may say what when: one transition table for each role of the 2016 protocol.

The roles follow these tables and the diagrams in the documentation are drawn from them.
"""

from __future__ import annotations

from typing import get_args

from quoridor_net.protocols.common.role import Label
from quoridor_net.protocols.lan.messages import Gote, Message


class LanKind(Label):
    """What the tables tell apart. GOTE means another thing to the player it names."""

    HELLO = "HELLO"
    IAM = "IAM"
    GAME = "GAME"
    MYOUSHU = "MYOUSHU"
    TESUJI = "TESUJI"
    ATARI = "ATARI"
    GOTE_OTHER = "GOTE (another player)"
    GOTE_SELF = "GOTE (this player)"
    KIKASHI = "KIKASHI"


_KINDS = {kind: LanKind[kind.__name__.upper()] for kind in get_args(Message) if kind is not Gote}


def kind_of(message: Message, player: int | None) -> LanKind:
    """Return the kind of ``message`` on the connection of the server that is ``player``."""
    if isinstance(message, Gote):
        return LanKind.GOTE_SELF if message.player == player else LanKind.GOTE_OTHER
    return _KINDS[type(message)]


class ClientState(Label):
    """States of the display client towards one move server."""

    #: Nothing was said yet.
    CONNECTED = "connected"
    #: HELLO was sent, IAM is awaited.
    GREETING = "greeting"
    #: The server gave its name; the others are awaited.
    GREETED = "greeted"
    #: The game goes on and this server owes nothing.
    PLAYING = "playing"
    #: MYOUSHU was sent, TESUJI is awaited.
    ASKING = "asking"
    #: The server was told that it is out. Nothing more is ever sent to it.
    ELIMINATED = "eliminated"
    #: The server was told who won. Nothing more is ever sent to it.
    OVER = "over"


class ServerState(Label):
    """States of a move server towards one display client."""

    #: Nothing was said yet.
    CONNECTED = "connected"
    #: The client said HELLO; its game is awaited.
    GREETED = "greeted"
    #: The game goes on and the client awaits nothing.
    PLAYING = "playing"
    #: MYOUSHU came; the client awaits TESUJI.
    THINKING = "thinking"
    #: This player is out of the game.
    ELIMINATED = "eliminated"
    #: The game is over.
    OVER = "over"


#: What the display client may send, by state; the state that follows.
CLIENT_SENDS: dict[tuple[ClientState, LanKind], ClientState] = {
    (ClientState.CONNECTED, LanKind.HELLO): ClientState.GREETING,
    (ClientState.GREETED, LanKind.GAME): ClientState.PLAYING,
    (ClientState.PLAYING, LanKind.MYOUSHU): ClientState.ASKING,
    (ClientState.PLAYING, LanKind.ATARI): ClientState.PLAYING,
    (ClientState.PLAYING, LanKind.GOTE_OTHER): ClientState.PLAYING,
    (ClientState.PLAYING, LanKind.GOTE_SELF): ClientState.ELIMINATED,
    (ClientState.PLAYING, LanKind.KIKASHI): ClientState.OVER,
    # While an answer is awaited only the end may be announced: of this server's game, or of the whole
    # game when the last opponent left.
    (ClientState.ASKING, LanKind.GOTE_OTHER): ClientState.ASKING,
    (ClientState.ASKING, LanKind.GOTE_SELF): ClientState.ELIMINATED,
    (ClientState.ASKING, LanKind.KIKASHI): ClientState.OVER,
}

#: What the display client accepts, by state.
CLIENT_RECEIVES: dict[tuple[ClientState, LanKind], ClientState] = {
    (ClientState.GREETING, LanKind.IAM): ClientState.GREETED,
    (ClientState.ASKING, LanKind.TESUJI): ClientState.PLAYING,
}

#: What a move server may send, by state.
SERVER_SENDS: dict[tuple[ServerState, LanKind], ServerState] = {
    (ServerState.GREETED, LanKind.IAM): ServerState.GREETED,
    (ServerState.PLAYING, LanKind.IAM): ServerState.PLAYING,
    (ServerState.THINKING, LanKind.IAM): ServerState.THINKING,
    (ServerState.THINKING, LanKind.TESUJI): ServerState.PLAYING,
}

#: What a move server accepts, by state. A second HELLO is answered like the first.
SERVER_RECEIVES: dict[tuple[ServerState, LanKind], ServerState] = {
    (ServerState.CONNECTED, LanKind.HELLO): ServerState.GREETED,
    (ServerState.GREETED, LanKind.HELLO): ServerState.GREETED,
    (ServerState.PLAYING, LanKind.HELLO): ServerState.PLAYING,
    (ServerState.THINKING, LanKind.HELLO): ServerState.THINKING,
    (ServerState.GREETED, LanKind.GAME): ServerState.PLAYING,
    (ServerState.PLAYING, LanKind.MYOUSHU): ServerState.THINKING,
    (ServerState.PLAYING, LanKind.ATARI): ServerState.PLAYING,
    (ServerState.PLAYING, LanKind.GOTE_OTHER): ServerState.PLAYING,
    (ServerState.PLAYING, LanKind.GOTE_SELF): ServerState.ELIMINATED,
    (ServerState.PLAYING, LanKind.KIKASHI): ServerState.OVER,
    (ServerState.THINKING, LanKind.GOTE_OTHER): ServerState.THINKING,
    (ServerState.THINKING, LanKind.GOTE_SELF): ServerState.ELIMINATED,
    (ServerState.THINKING, LanKind.KIKASHI): ServerState.OVER,
}
