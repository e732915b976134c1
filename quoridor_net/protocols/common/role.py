"""One end of a connection, sans-I/O and driven by transition tables.

Pass the bytes you read to ``receive_data`` and take events from ``next_event``. ``send`` checks a message
against a table and returns the bytes to write. A protocol adds its tables, parser and encoder.
"""

from __future__ import annotations

import abc
import enum
from collections.abc import Mapping
from typing import Final, Generic, Literal, NoReturn, Protocol, TypeVar

from attrs import frozen

from quoridor_net.outcome import Termination
from quoridor_net.phrases import Translatable, text_of
from quoridor_net.protocols.common.errors import (
    LocalProtocolError,
    MessageError,
    ProtocolError,
    RemoteProtocolError,
)
from quoridor_net.protocols.common.line_buffer import LineBuffer, LineTooLongError
from quoridor_net.text import printable
from quoridor_net.verdicts import VerdictPhrase

#: Maximum number of lines without meaning from one peer.
MAX_IGNORED = 100


class Need(enum.Enum):
    """The return value of ``next_event`` when there is no event."""

    #: Read more bytes first.
    DATA = "data"


NEED_DATA: Final[Literal[Need.DATA]] = Need.DATA


class Broken(enum.Enum):
    """The state of a role, in every protocol, after an error."""

    ERROR = "error"


ERROR: Final[Literal[Broken.ERROR]] = Broken.ERROR


@frozen
class Ignored:
    """A line that is ignored, made printable, and the reason; for the log."""

    line: str
    sentence: str


class Label(enum.Enum):
    """Base class of the states and kinds of messages in the tables."""

    # Faster than Enum's own hash, which is Python code and would run twice for every line.
    __hash__ = object.__hash__


S = TypeVar("S", bound=Label)
K = TypeVar("K", bound=Label)
Event = TypeVar("Event")
Message = TypeVar("Message")


class Lines(Protocol):
    """Splits received bytes into lines."""

    def receive(self, data: bytes) -> None:
        """Add received bytes."""

    def next_line(self) -> bytes | None:
        """Return the next complete line without its end, or None; raise LineTooLongError."""


class Role(abc.ABC, Generic[S, K, Event]):
    """One end of a connection.

    After an error the role is in ERROR and raises the error again. After an error of the peer, the role reads
    no more but can still send, for example the verdict. After a local error it can do neither.

    Attributes:
        error: the error that ended the conversation; None before that.
    """

    #: The name of this end in error messages, and the verdict on a peer that sends an overlong line.
    NAME: str
    LONG_LINE = VerdictPhrase.SENT_LONG_LINE
    START: S
    #: Messages allowed in each state, and the state that follows.
    SENDS: Mapping[tuple[S, K], S]
    RECEIVES: Mapping[tuple[S, K], S]

    def __init__(self, lines: Lines) -> None:
        self.error: ProtocolError | None = None
        self._state: S = self.START
        self._lines = lines
        self._ignored = 0

    @property
    def state(self) -> S | Literal[Broken.ERROR]:
        """The state of the conversation."""
        return self._state if self.error is None else ERROR

    def receive_data(self, data: bytes) -> None:
        """Add bytes read from the peer, in chunks of any size."""
        self._lines.receive(data)

    def next_event(self) -> Event | Literal[Need.DATA]:
        """Return the next event, or NEED_DATA.

        Raises:
            RemoteProtocolError: the peer broke the protocol; the error carries the verdict.
            LocalProtocolError: an earlier ``send`` was not allowed.
        """
        if self.error is not None:
            raise self.error
        try:
            while (line := self._lines.next_line()) is not None:
                event = self._read(line)
                if event is not None:
                    return event
        except LineTooLongError as error:
            sentence = self.LONG_LINE(limit=error.limit)
            self._fail(Termination.FLOODING, sentence, printable(error.start))
        return NEED_DATA

    @abc.abstractmethod
    def _read(self, line: bytes) -> Event | None:
        """Return the event of ``line`` in this state; None if it is skipped."""

    def _state_after(self, kind: K) -> S:
        """Return the state after sending a message of ``kind``; raise if sending it is not allowed."""
        state = self.SENDS.get((self._state, kind))
        if state is None or isinstance(self.error, LocalProtocolError):
            self._refuse(f"{self.NAME} may not send {kind.value} while {self._state.value}")
        return state

    def _count_ignored(self, line: bytes, phrase: VerdictPhrase = VerdictPhrase.EMPTY_LINES) -> None:
        """Count an ignored line, so that a peer cannot send such lines forever."""
        self._ignored += 1
        if self._ignored > MAX_IGNORED:
            self._fail(Termination.FLOODING, phrase(most=MAX_IGNORED), printable(line))

    def _fail(self, termination: Termination, sentence: Translatable, line: str) -> NoReturn:
        """Raise an error of the peer and read no more from it."""
        self.error = RemoteProtocolError(termination, sentence, line)
        raise self.error from None

    def _refuse(self, sentence: str) -> NoReturn:
        """Raise a local error; the first one is kept."""
        if not isinstance(self.error, LocalProtocolError):
            self.error = LocalProtocolError(sentence)
        raise self.error


class MessageRole(Role[S, K, Message | Ignored], Generic[S, K, Message]):
    """A role of a protocol in which every line is a message.

    By default, lines that are not messages or not in the table are ignored; subclasses may differ.
    """

    _lines: LineBuffer

    def __init__(self) -> None:
        super().__init__(LineBuffer())
        self._line = b""

    @property
    def last_line(self) -> str:
        """The last line read, made printable."""
        return printable(self._line)

    @property
    def unfinished(self) -> bytes:
        """The bytes after the last complete line."""
        return self._lines.unfinished

    @abc.abstractmethod
    def _parse(self, line: bytes) -> Message:
        """Return the message in ``line``; raise MessageError if there is none."""

    @abc.abstractmethod
    def _encode(self, message: Message) -> bytes:
        """Return the line for ``message``."""

    @abc.abstractmethod
    def _kind_of(self, message: Message) -> K:
        """Return the kind of ``message`` in the tables."""

    def send(self, message: Message) -> bytes:
        """Return the bytes of ``message`` and change the state as if it were sent.

        Raises:
            LocalProtocolError: the state does not allow it.
        """
        self._state = self._state_after(self._kind_of(message))
        return self._encode(message)

    def _read(self, line: bytes) -> Message | Ignored | None:
        self._line = line
        try:
            message = self._parse(line)
        except MessageError as error:
            return self._take_other(text_of(error))
        state = self.RECEIVES.get((self._state, self._kind_of(message)))
        if state is None:
            return self._take_other("")
        self._state = state
        return message

    def _take_other(self, why_unreadable: str) -> Ignored:
        """Handle a last line that holds no message or one that the state does not allow."""
        return self._ignore(why_unreadable or f"not expected while {self._state.value}")

    def _ignore(self, sentence: str) -> Ignored:
        self._count_ignored(self._line)
        return Ignored(self.last_line, sentence)
