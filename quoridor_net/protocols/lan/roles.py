"""Both ends of one connection of the 2016 protocol, without any input or output.

Bytes that were read go into ``receive_data``; ``next_event`` hands out what they mean; ``send`` checks a
message against the transition table and returns the bytes to write.
"""

from __future__ import annotations

import enum
from typing import Final, Literal

from attrs import frozen

from quoridor_net.outcome import Termination
from quoridor_net.protocols.common.errors import LocalProtocolError, RemoteProtocolError
from quoridor_net.protocols.common.line_buffer import LineBuffer, LineTooLongError
from quoridor_net.protocols.lan.messages import (
    Game,
    Hello,
    Iam,
    Message,
    MessageError,
    Tesuji,
    encode,
    parse_message,
)
from quoridor_net.protocols.lan.transitions import (
    CLIENT_RECEIVES,
    CLIENT_SENDS,
    SERVER_RECEIVES,
    SERVER_SENDS,
    ClientState,
    ServerState,
    kind_of,
)
from quoridor_net.text import printable

#: How many lines without meaning, or greetings after the first, one peer may send in one connection.
MAX_IGNORED = 100


class Need(enum.Enum):
    """What ``next_event`` returns when there is no event."""

    #: More bytes have to be read first.
    DATA = "data"


NEED_DATA: Final[Literal[Need.DATA]] = Need.DATA


@frozen
class Ignored:
    """A line that means nothing here and changes nothing; for the log.

    Attributes:
        line: the line, made printable.
        sentence: why it was ignored.
    """

    line: str
    sentence: str


class ClientRole:
    """The display client's end of the connection to one move server.

    Attributes:
        state: where the conversation stands.
        player: the server's player number, once GAME was sent.
        last_line: the last line that was received, made printable.
    """

    def __init__(self) -> None:
        self.state = ClientState.CONNECTED
        self.player: int | None = None
        self.last_line = ""
        self._lines = LineBuffer()
        self._blank = 0

    def receive_data(self, data: bytes) -> None:
        """Take what was read from the server, in chunks of any size."""
        self._lines.receive(data)

    @property
    def unfinished(self) -> bytes:
        """What came after the last whole line."""
        return self._lines.unfinished

    def next_event(self) -> Iam | Tesuji | Literal[Need.DATA]:
        """Return the next message of the server, or NEED_DATA. Blank lines are skipped.

        Raises:
            RemoteProtocolError: the server broke the protocol; its verdict is ``unparsable_move``,
                ``out_of_turn`` or ``flooding``.
        """
        line = self._next_line()
        if line is None:
            return NEED_DATA
        self.last_line = printable(line)
        try:
            message = parse_message(line)
        except MessageError as error:
            if not any(state is self.state for state, _ in CLIENT_RECEIVES):
                raise self._out_of_turn() from None
            raise RemoteProtocolError(
                Termination.UNPARSABLE_MOVE, f"sent an unreadable line: {error}", self.last_line
            ) from None
        state = CLIENT_RECEIVES.get((self.state, kind_of(message, self.player)))
        if state is None or not isinstance(message, Iam | Tesuji):
            raise self._out_of_turn()
        self.state = state
        return message

    def _next_line(self) -> bytes | None:
        while True:
            try:
                line = self._lines.next_line()
            except LineTooLongError as error:
                raise RemoteProtocolError(
                    Termination.FLOODING, f"sent {error}", printable(error.start)
                ) from None
            if line is None or line.strip():
                return line
            self._blank += 1
            if self._blank > MAX_IGNORED:
                raise RemoteProtocolError(Termination.FLOODING, f"sent more than {MAX_IGNORED} blank lines")

    def _out_of_turn(self) -> RemoteProtocolError:
        expected = {
            ClientState.GREETING: "when its name (IAM) was expected",
            ClientState.ASKING: "when its move (TESUJI) was expected",
        }.get(self.state, "when nothing was expected from it")
        return RemoteProtocolError(Termination.OUT_OF_TURN, f"sent a line {expected}", self.last_line)

    def send(self, message: Message) -> bytes:
        """Return the bytes of ``message`` and note that it is sent.

        Raises:
            LocalProtocolError: the state does not allow it.
        """
        player = message.player if isinstance(message, Game) else self.player
        state = CLIENT_SENDS.get((self.state, kind_of(message, player)))
        if state is None:
            raise LocalProtocolError(f"the client may not send {message} while {self.state.value}")
        self.state = state
        self.player = player
        return encode(message)


class ServerRole:
    """A move server's end of the connection to one display client.

    Attributes:
        state: where the conversation stands.
        player: this server's player number, once GAME came.
    """

    def __init__(self) -> None:
        self.state = ServerState.CONNECTED
        self.player: int | None = None
        self._lines = LineBuffer()
        self._ignored = 0

    def receive_data(self, data: bytes) -> None:
        """Take what was read from the client, in chunks of any size."""
        self._lines.receive(data)

    def next_event(self) -> Message | Ignored | Literal[Need.DATA]:
        """Return the next message of the client, a line that is ignored, or NEED_DATA.

        Raises:
            RemoteProtocolError: the client sends lines without end or nothing but nonsense (``flooding``).
        """
        try:
            line = self._lines.next_line()
        except LineTooLongError as error:
            raise RemoteProtocolError(Termination.FLOODING, f"sent {error}", printable(error.start)) from None
        if line is None:
            return NEED_DATA
        try:
            message = parse_message(line)
        except MessageError as error:
            return self._ignore(line, str(error))
        player = message.player if isinstance(message, Game) else self.player
        state = SERVER_RECEIVES.get((self.state, kind_of(message, player)))
        if state is None:
            return self._ignore(line, f"not expected while {self.state.value}")
        if isinstance(message, Hello) and self.state is not ServerState.CONNECTED:
            self._count(line)
        self.state = state
        self.player = player
        return message

    def _ignore(self, line: bytes, sentence: str) -> Ignored:
        self._count(line)
        return Ignored(printable(line), sentence)

    def _count(self, line: bytes) -> None:
        """Count a line that says nothing new, so that nobody can send such lines without end."""
        self._ignored += 1
        if self._ignored > MAX_IGNORED:
            raise RemoteProtocolError(
                Termination.FLOODING, f"sent more than {MAX_IGNORED} lines without meaning", printable(line)
            )

    def send(self, message: Iam | Tesuji) -> bytes:
        """Return the bytes of ``message`` and note that it is sent.

        Raises:
            LocalProtocolError: the state does not allow it.
        """
        state = SERVER_SENDS.get((self.state, kind_of(message, self.player)))
        if state is None:
            raise LocalProtocolError(f"the server may not send {message} while {self.state.value}")
        self.state = state
        return encode(message)
