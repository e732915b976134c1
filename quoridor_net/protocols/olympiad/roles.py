"""Both ends of one connection of the 2006 Clobber protocol, without any input or output.

Bytes that were read go into ``receive_data``; ``next_event`` hands out what they mean; ``send`` checks a
message against the transition table and returns the bytes to write. Neither role knows the rules: whoever
uses it calls ``finish`` when the rules end the game, which puts nothing on the wire.
"""

from __future__ import annotations

from typing import Literal

from quoridor_net.outcome import Termination
from quoridor_net.protocols.common.errors import LocalProtocolError, RemoteProtocolError
from quoridor_net.protocols.common.line_buffer import LineBuffer, LineTooLongError
from quoridor_net.protocols.lan.roles import MAX_IGNORED, NEED_DATA, Ignored, Need
from quoridor_net.protocols.olympiad.messages import (
    Message,
    MessageError,
    Play,
    Played,
    Settings,
    encode,
    parse_message,
)
from quoridor_net.protocols.olympiad.transitions import (
    CLIENT_RECEIVES,
    CLIENT_SENDS,
    SERVER_RECEIVES,
    SERVER_SENDS,
    ClientState,
    Kind,
    ServerState,
    kind_of,
)
from quoridor_net.text import printable

_BETWEEN_GAMES = frozenset({ClientState.GREETED, ClientState.FINISHED, ClientState.OVER})


class _Role:
    """What both roles share: lines, and the limit on those without meaning."""

    def __init__(self, *, rows_first: bool) -> None:
        self._rows_first = rows_first
        self._lines = LineBuffer()
        self._ignored = 0

    def receive_data(self, data: bytes) -> None:
        """Take what was read from the peer, in chunks of any size."""
        self._lines.receive(data)

    @property
    def unfinished(self) -> bytes:
        """What came after the last whole line."""
        return self._lines.unfinished

    def _next_line(self) -> bytes | None:
        """Return the next line that is not blank, or None.

        Raises:
            RemoteProtocolError: the line is too long, or too many were blank (``flooding``).
        """
        while True:
            try:
                line = self._lines.next_line()
            except LineTooLongError as error:
                raise RemoteProtocolError(
                    Termination.FLOODING, f"sent {error}", printable(error.start)
                ) from None
            if line is None or line.strip():
                return line
            self._count_ignored(line)

    def _count_ignored(self, line: bytes) -> None:
        self._ignored += 1
        if self._ignored > MAX_IGNORED:
            raise RemoteProtocolError(
                Termination.FLOODING, f"sent more than {MAX_IGNORED} lines without meaning", printable(line)
            )

    def _as_written(self, message: Message) -> Message:
        """Return the message with m and n in the order in which this connection writes them."""
        return message.swapped if self._rows_first and isinstance(message, Settings) else message


class ServerRole(_Role):
    """The server's end of the connection to one client.

    Args:
        rows_first: write the number of rows before the number of columns in ``m n b``.

    Attributes:
        state: where the conversation stands.
        last_line: the last line that was received, made printable.
    """

    def __init__(self, *, rows_first: bool = False) -> None:
        super().__init__(rows_first=rows_first)
        self.state = ServerState.CONNECTED
        self.last_line = ""

    def next_event(self) -> Play | Played | Ignored | Literal[Need.DATA]:
        """Return the handshake, a move that was awaited, a line that is dropped, or NEED_DATA.

        Raises:
            RemoteProtocolError: the client broke the protocol; its verdict is ``unparsable_move``,
                ``out_of_turn`` or ``flooding``. After ``flooding`` nothing it sends can be trusted to start
                at the start of a line; after the others only ``error`` may be sent.
        """
        line = self._next_line()
        if line is None:
            return NEED_DATA
        self.last_line = printable(line)
        message: Message | None = None
        wrong = ""
        try:
            message = parse_message(line)
        except MessageError as error:
            wrong = f": {error}"
        before = self.state
        if message is not None and (before, kind_of(message)) in SERVER_RECEIVES:
            self.state = SERVER_RECEIVES[before, kind_of(message)]
            # A client that plays has the right to some slips in every game.
            self._ignored = 0
            assert isinstance(message, Play | Played)
            return message
        self.state = SERVER_RECEIVES[before, Kind.OTHER]
        match before:
            case ServerState.CONNECTED:
                raise self._fault(Termination.UNPARSABLE_MOVE, f"did not say play clobber NAME{wrong}")
            case ServerState.ASKING:
                said = wrong or f": {self.last_line} is no move"
                raise self._fault(Termination.UNPARSABLE_MOVE, f"did not send a move{said}")
            case ServerState.WATCHING:
                raise self._fault(Termination.OUT_OF_TURN, "sent a line when it was not its turn")
        self._count_ignored(line)
        return Ignored(self.last_line, f"nothing was expected while {before.value}")

    def _fault(self, termination: Termination, sentence: str) -> RemoteProtocolError:
        return RemoteProtocolError(termination, sentence, self.last_line)

    def send(self, message: Message) -> bytes:
        """Return the bytes of ``message`` and note that it is sent.

        Raises:
            LocalProtocolError: the state does not allow it.
        """
        self._follow(kind_of(message))
        return encode(self._as_written(message))

    def finish(self) -> None:
        """Note that the rules ended the game.

        Raises:
            LocalProtocolError: there is no game.
        """
        self._follow(Kind.FINISH)

    def _follow(self, kind: Kind) -> None:
        state = SERVER_SENDS.get((self.state, kind))
        if state is None:
            raise LocalProtocolError(f"the server may not send {kind.value} while {self.state.value}")
        self.state = state


class ClientRole(_Role):
    """A client's end of the connection to the server.

    Args:
        rows_first: take the first number of ``m n b`` for the rows.

    Attributes:
        state: where the conversation stands.
    """

    def __init__(self, *, rows_first: bool = False) -> None:
        super().__init__(rows_first=rows_first)
        self.state = ClientState.CONNECTED

    @property
    def is_between_games(self) -> bool:
        """Whether this is step 2, where the server's closing is the normal end."""
        return self.state in _BETWEEN_GAMES

    def next_event(self) -> Message | Ignored | Literal[Need.DATA]:
        """Return the next message of the server, a line that is ignored, or NEED_DATA.

        Raises:
            RemoteProtocolError: the server sends lines without end or nothing but nonsense (``flooding``).
        """
        line = self._next_line()
        if line is None:
            return NEED_DATA
        try:
            message = self._as_written(parse_message(line))
        except MessageError as error:
            return self._ignore(line, str(error))
        state = CLIENT_RECEIVES.get((self.state, kind_of(message)))
        if state is None:
            return self._ignore(line, f"not expected while {self.state.value}")
        self.state = state
        self._ignored = 0
        return message

    def _ignore(self, line: bytes, sentence: str) -> Ignored:
        self._count_ignored(line)
        return Ignored(printable(line), sentence)

    def send(self, message: Play | Played) -> bytes:
        """Return the bytes of ``message`` and note that it is sent.

        Raises:
            LocalProtocolError: the state does not allow it.
        """
        self._follow(kind_of(message))
        return encode(message)

    def finish(self) -> None:
        """Note that the game is over by the rules, or that this player cannot go on with it.

        Raises:
            LocalProtocolError: there is no game.
        """
        self._follow(Kind.FINISH)

    def _follow(self, kind: Kind) -> None:
        state = CLIENT_SENDS.get((self.state, kind))
        if state is None:
            raise LocalProtocolError(f"a client may not send {kind.value} while {self.state.value}")
        self.state = state
