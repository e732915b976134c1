"""Both ends of a connection of the 2016 protocol, sans-I/O."""

from __future__ import annotations

from typing import NoReturn, TypeVar

from quoridor_net.outcome import Termination
from quoridor_net.protocols.common.role import Ignored, Label, MessageRole
from quoridor_net.protocols.lan.messages import Game, Hello, Message, encode, parse_message
from quoridor_net.protocols.lan.transitions import (
    CLIENT_RECEIVES,
    CLIENT_SENDS,
    SERVER_RECEIVES,
    SERVER_SENDS,
    ClientState,
    LanKind,
    ServerState,
    kind_of,
)
from quoridor_net.verdicts import VerdictPhrase

S = TypeVar("S", bound=Label)

_EXPECTATIONS = {
    ClientState.GREETING: VerdictPhrase.NOT_ITS_NAME,
    ClientState.ASKING: VerdictPhrase.NOT_ITS_MOVE,
}


class _LanRole(MessageRole[S, LanKind, Message]):
    def __init__(self) -> None:
        super().__init__()
        self.player: int | None = None

    _parse = staticmethod(parse_message)
    _encode = staticmethod(encode)

    def _kind_of(self, message: Message) -> LanKind:
        return kind_of(message, self.player)


class ClientRole(_LanRole[ClientState]):
    """The display client's end of the connection to one move server.

    Any message other than a name or move that was requested is an error (``unparsable_move``,
    ``out_of_turn``). Blank lines are skipped.

    Attributes:
        player: the server's player number; None before GAME is sent.
    """

    NAME = "the client"
    START = ClientState.CONNECTED
    SENDS = CLIENT_SENDS
    RECEIVES = CLIENT_RECEIVES

    def send(self, message: Message) -> bytes:
        """Return the bytes of ``message`` and change the state as if it were sent.

        Raises:
            LocalProtocolError: the state does not allow it.
        """
        data = super().send(message)
        if isinstance(message, Game):
            self.player = message.player
        return data

    def _read(self, line: bytes) -> Message | Ignored | None:
        if line.strip():
            return super()._read(line)
        self._count_ignored(line, VerdictPhrase.BLANK_LINES)
        return None

    def _take_other(self, why_unreadable: str) -> NoReturn:
        if why_unreadable and self._state in _EXPECTATIONS:
            sentence = VerdictPhrase.UNREADABLE(reason=why_unreadable)
            self._fail(Termination.UNPARSABLE_MOVE, sentence, self.last_line)
        unexpected = _EXPECTATIONS.get(self._state, VerdictPhrase.UNEXPECTED)
        self._fail(Termination.OUT_OF_TURN, unexpected(), self.last_line)


class ServerRole(_LanRole[ServerState]):
    """A move server's end of the connection to one display client.

    Attributes:
        player: this server's player number; None before GAME arrives.
    """

    NAME = "the server"
    START = ServerState.CONNECTED
    SENDS = SERVER_SENDS
    RECEIVES = SERVER_RECEIVES

    def _read(self, line: bytes) -> Message | Ignored | None:
        before = self._state
        message = super()._read(line)
        if isinstance(message, Hello) and before is not ServerState.CONNECTED:
            self._count_ignored(line)
        elif isinstance(message, Game):
            self.player = message.player
        return message
