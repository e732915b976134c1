"""One end of a connection, driven by transition tables, without any input or output.

Bytes that were read go into ``receive_data``; ``next_event`` returns what they mean; ``send`` checks a
message against a table and returns the bytes to write. A protocol adds its tables, parser and encoder.
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

#: How many lines without meaning one peer may send.
MAX_IGNORED = 100


class Need(enum.Enum):
    """What ``next_event`` returns when there is no event."""

    #: More bytes have to be read first.
    DATA = "data"


NEED_DATA: Final[Literal[Need.DATA]] = Need.DATA


class Broken(enum.Enum):
    """The state of a role, in every protocol, after an error."""

    ERROR = "error"


ERROR: Final[Literal[Broken.ERROR]] = Broken.ERROR


@frozen
class Ignored:
    """A line, made printable, that means nothing here and changes nothing, and why; for the log."""

    line: str
    sentence: str


class Label(enum.Enum):
    """Base of the states and kinds of messages that the tables consist of."""

    # Enum's own hash runs in Python, twice for every line.
    __hash__ = object.__hash__


S = TypeVar("S", bound=Label)
K = TypeVar("K", bound=Label)
Event = TypeVar("Event")
Message = TypeVar("Message")


class Lines(Protocol):
    """What cuts the bytes that were read into lines."""

    def receive(self, data: bytes) -> None:
        """Add what was read."""

    def next_line(self) -> bytes | None:
        """Return the next whole line without its end, or None; raise LineTooLongError."""


class Role(abc.ABC, Generic[S, K, Event]):
    """One end of a connection.

    After an error the role is in ERROR and raises it again. An error of the peer ends reading: what the peer
    is owed, such as the verdict, can still be sent. After an error of ours nothing works any more.

    Attributes:
        error: what ended the conversation; None as long as it goes on.
    """

    #: Who this is, in messages of errors, and what is said of a peer that sends a line without end.
    NAME: str
    LONG_LINE = VerdictPhrase.SENT_LONG_LINE
    START: S
    #: What may be sent and received, by state; the state that follows.
    SENDS: Mapping[tuple[S, K], S]
    RECEIVES: Mapping[tuple[S, K], S]

    def __init__(self, lines: Lines) -> None:
        self.error: ProtocolError | None = None
        self._state: S = self.START
        self._lines = lines
        self._ignored = 0

    @property
    def state(self) -> S | Literal[Broken.ERROR]:
        """Where the conversation stands."""
        return self._state if self.error is None else ERROR

    def receive_data(self, data: bytes) -> None:
        """Take what was read from the peer, in chunks of any size."""
        self._lines.receive(data)

    def next_event(self) -> Event | Literal[Need.DATA]:
        """Return what the next lines mean, or NEED_DATA.

        Raises:
            RemoteProtocolError: the peer broke the protocol; the error carries the verdict.
            LocalProtocolError: we broke it before.
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
        """Return what ``line`` means in this state; None if it is skipped."""

    def _following(self, kind: K) -> S:
        """Return the state that follows when a message of ``kind`` is sent, if that is allowed."""
        state = self.SENDS.get((self._state, kind))
        if state is None or isinstance(self.error, LocalProtocolError):
            self._refuse(f"{self.NAME} may not send {kind.value} while {self._state.value}")
        return state

    def _count_ignored(self, line: bytes, phrase: VerdictPhrase = VerdictPhrase.EMPTY_LINES) -> None:
        """Count a line that says nothing new, so that nobody can send such lines without end."""
        self._ignored += 1
        if self._ignored > MAX_IGNORED:
            self._fail(Termination.FLOODING, phrase(most=MAX_IGNORED), printable(line))

    def _fail(self, termination: Termination, sentence: Translatable, line: str) -> NoReturn:
        """Raise an error of the peer after which nothing that it sends can be understood."""
        self.error = RemoteProtocolError(termination, sentence, line)
        raise self.error from None

    def _refuse(self, sentence: str) -> NoReturn:
        """Raise an error of ours; the first one is kept."""
        if not isinstance(self.error, LocalProtocolError):
            self.error = LocalProtocolError(sentence)
        raise self.error


class MessageRole(Role[S, K, Message | Ignored], Generic[S, K, Message]):
    """A role of a protocol in which every line is a message.

    Lines that are none, or that the table does not have, are ignored unless a protocol says otherwise.
    """

    _lines: LineBuffer

    def __init__(self) -> None:
        super().__init__(LineBuffer())
        self._line = b""

    @property
    def last_line(self) -> str:
        """The last line that was read, made printable."""
        return printable(self._line)

    @property
    def unfinished(self) -> bytes:
        """What came after the last whole line."""
        return self._lines.unfinished

    @abc.abstractmethod
    def _parse(self, line: bytes) -> Message:
        """Return the message in ``line``; raise MessageError if there is none."""

    @abc.abstractmethod
    def _encode(self, message: Message) -> bytes:
        """Return the line for ``message``."""

    @abc.abstractmethod
    def _kind_of(self, message: Message) -> K:
        """Return what the tables call ``message``."""

    def send(self, message: Message) -> bytes:
        """Return the bytes of ``message`` and note that it is sent.

        Raises:
            LocalProtocolError: the state does not allow it.
        """
        self._state = self._following(self._kind_of(message))
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
        """Treat the last line, which holds no message or one that the state does not allow."""
        return self._ignore(why_unreadable or f"not expected while {self._state.value}")

    def _ignore(self, sentence: str) -> Ignored:
        self._count_ignored(self._line)
        return Ignored(self.last_line, sentence)
