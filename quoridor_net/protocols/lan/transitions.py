"""Transition tables of the 2016 protocol: the messages that each role may send and receive in each state.

The tables drive the roles, and the diagrams in the documentation are drawn from them.
"""

from __future__ import annotations

from typing import get_args

from quoridor_net.protocols.common.role import Label
from quoridor_net.protocols.lan.messages import Gote, Message


class LanKind(Label):
    """Kinds of messages in the tables. GOTE has two, because it ends the game for the player it names."""

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
    """Return the kind of ``message`` on the connection to the server of ``player``."""
    if isinstance(message, Gote):
        return LanKind.GOTE_SELF if message.player == player else LanKind.GOTE_OTHER
    return _KINDS[type(message)]


class ClientState(Label):
    """States of the display client towards one move server."""

    #: No message yet.
    CONNECTED = "connected"
    #: HELLO was sent; waiting for IAM.
    GREETING = "greeting"
    #: The server gave its name; waiting for the other servers.
    GREETED = "greeted"
    #: In a game; no answer is due from this server.
    PLAYING = "playing"
    #: MYOUSHU was sent; waiting for TESUJI.
    ASKING = "asking"
    #: GOTE with the server's own number was sent. No message may follow.
    ELIMINATED = "eliminated"
    #: KIKASHI was sent. No message may follow.
    OVER = "over"


class ServerState(Label):
    """States of a move server towards one display client."""

    #: No message yet.
    CONNECTED = "connected"
    #: HELLO has arrived; waiting for GAME.
    GREETED = "greeted"
    #: In a game; no answer is due.
    PLAYING = "playing"
    #: MYOUSHU has arrived; TESUJI is due.
    THINKING = "thinking"
    #: This player is out of the game.
    ELIMINATED = "eliminated"
    #: The game is over.
    OVER = "over"


#: Messages that the display client may send in each state, and the state that follows.
CLIENT_SENDS: dict[tuple[ClientState, LanKind], ClientState] = {
    (ClientState.CONNECTED, LanKind.HELLO): ClientState.GREETING,
    (ClientState.GREETED, LanKind.GAME): ClientState.PLAYING,
    (ClientState.PLAYING, LanKind.MYOUSHU): ClientState.ASKING,
    (ClientState.PLAYING, LanKind.ATARI): ClientState.PLAYING,
    (ClientState.PLAYING, LanKind.GOTE_OTHER): ClientState.PLAYING,
    (ClientState.PLAYING, LanKind.GOTE_SELF): ClientState.ELIMINATED,
    (ClientState.PLAYING, LanKind.KIKASHI): ClientState.OVER,
    # While an answer is due, only eliminations and the end of the game may be announced.
    (ClientState.ASKING, LanKind.GOTE_OTHER): ClientState.ASKING,
    (ClientState.ASKING, LanKind.GOTE_SELF): ClientState.ELIMINATED,
    (ClientState.ASKING, LanKind.KIKASHI): ClientState.OVER,
}

#: Messages that the display client accepts in each state.
CLIENT_RECEIVES: dict[tuple[ClientState, LanKind], ClientState] = {
    (ClientState.GREETING, LanKind.IAM): ClientState.GREETED,
    (ClientState.ASKING, LanKind.TESUJI): ClientState.PLAYING,
}

#: Messages that a move server may send in each state.
SERVER_SENDS: dict[tuple[ServerState, LanKind], ServerState] = {
    (ServerState.GREETED, LanKind.IAM): ServerState.GREETED,
    (ServerState.PLAYING, LanKind.IAM): ServerState.PLAYING,
    (ServerState.THINKING, LanKind.IAM): ServerState.THINKING,
    (ServerState.THINKING, LanKind.TESUJI): ServerState.PLAYING,
}

#: Messages that a move server accepts in each state. A second HELLO is answered like the first.
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
