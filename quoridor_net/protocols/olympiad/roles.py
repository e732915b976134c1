"""Both ends of a connection of the 2006 Clobber protocol, sans-I/O.

The roles do not know the rules of the game: call ``finish`` when the rules end it. It sends nothing.
"""

from __future__ import annotations

from typing import TypeVar

from quoridor_net.outcome import Termination
from quoridor_net.phrases import Translatable
from quoridor_net.protocols.common.errors import RemoteProtocolError
from quoridor_net.protocols.common.role import Ignored, Label, MessageRole
from quoridor_net.protocols.olympiad.messages import Message, Settings, encode, parse_message
from quoridor_net.protocols.olympiad.transitions import (
    CLIENT_RECEIVES,
    CLIENT_SENDS,
    SERVER_RECEIVES,
    SERVER_SENDS,
    ClobberClientState,
    ClobberKind,
    ClobberServerState,
    kind_of,
)

S = TypeVar("S", bound=Label)

_BETWEEN_GAMES = frozenset({ClobberClientState.GREETED, ClobberClientState.FINISHED, ClobberClientState.OVER})


class _ClobberRole(MessageRole[S, ClobberKind, Message]):
    def __init__(self, *, rows_first: bool = False) -> None:
        """Create a role; with ``rows_first`` the first number of ``m n b`` is the number of rows."""
        super().__init__()
        self._rows_first = rows_first

    def finish(self) -> None:
        """End the game, because the rules ended it or a client cannot continue it.

        Raises:
            LocalProtocolError: no game is in progress.
        """
        self._state = self._state_after(ClobberKind.FINISH)

    def _parse(self, line: bytes) -> Message:
        return self._swap(parse_message(line))

    def _encode(self, message: Message) -> bytes:
        return encode(self._swap(message))

    def _kind_of(self, message: Message) -> ClobberKind:
        return kind_of(message)

    def _swap(self, message: Message) -> Message:
        return message.swapped if self._rows_first and isinstance(message, Settings) else message

    def _read(self, line: bytes) -> Message | Ignored | None:
        if not line.strip():
            self._count_ignored(line)
            return None
        event = super()._read(line)
        if not isinstance(event, Ignored):
            # A client that plays may send a stray line in every game.
            self._ignored = 0
        return event


class ClobberServerRole(_ClobberRole[ClobberServerState]):
    """The server's end of the connection to one client.

    A wrong message is an error (``unparsable_move``, ``out_of_turn``), but the conversation continues: the
    client gets ``error`` and can play the next game.
    """

    NAME = "the server"
    START = ClobberServerState.CONNECTED
    SENDS = SERVER_SENDS
    RECEIVES = SERVER_RECEIVES

    def _take_other(self, why_unreadable: str) -> Ignored:
        before = self._state
        self._state = SERVER_RECEIVES[before, ClobberKind.OTHER]
        wrong = why_unreadable and f": {why_unreadable}"
        termination = Termination.UNPARSABLE_MOVE
        match before:
            case ClobberServerState.CONNECTED:
                sentence = f"did not send play clobber NAME{wrong}"
            case ClobberServerState.ASKING:
                sentence = f"did not send a move{wrong or f': {self.last_line} is not a move'}"
            case ClobberServerState.WATCHING:
                termination, sentence = Termination.OUT_OF_TURN, "sent a line when it was not its turn"
            case _:
                return self._ignore(f"no message expected while {before.value}")
        raise RemoteProtocolError(termination, Translatable(sentence), self.last_line) from None


class ClobberClientRole(_ClobberRole[ClobberClientState]):
    """A client's end of the connection to the server; unexpected lines are ignored."""

    NAME = "a client"
    START = ClobberClientState.CONNECTED
    SENDS = CLIENT_SENDS
    RECEIVES = CLIENT_RECEIVES

    @property
    def is_between_games(self) -> bool:
        """Whether the client is in step 2, where the server may normally close the connection."""
        return self._state in _BETWEEN_GAMES
