"""A stream combined with the role that interprets its bytes, for all conversations over a socket."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from trio.abc import Stream

from quoridor_net.net import deadlines
from quoridor_net.net.sockets import receive, send_in_time
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.protocols.common.role import NEED_DATA, Ignored, MessageRole
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.text import printable
from quoridor_net.verdicts import VerdictPhrase

Message = TypeVar("Message")


class Connection(Generic[Message]):
    """One end of a conversation in messages.

    Args:
        stream: carries the bytes; the caller closes it.
        role: the role of this end.
        transcript: records all lines.
        number: number of the server in the transcript.
        is_server: whether this is the server's end.
    """

    def __init__(
        self,
        stream: Stream,
        role: MessageRole[Any, Any, Message],
        transcript: Transcript | None = None,
        number: int = 1,
        *,
        is_server: bool = False,
    ) -> None:
        self._stream = stream
        self._role = role
        self._number = number
        self._note_received = self._note_sent = None
        if transcript is not None:
            notes = transcript.to_client, transcript.to_server
            self._note_received, self._note_sent = reversed(notes) if is_server else notes

    async def send(self, message: Message) -> None:
        """Send ``message``.

        Raises:
            LocalProtocolError: the state does not allow it.
            ForfeitError: the peer is gone or does not read.
        """
        await self.send_data(self._role.send(message))

    async def send_data(self, data: bytes) -> None:
        """Send the bytes that the role returned for a message.

        Raises:
            ForfeitError: the peer is gone or does not read.
        """
        if self._note_sent is not None:
            self._note_sent(self._number, data)
        try:
            await send_in_time(self._stream, data)
        except ForfeitError:
            # Let the reading task take the lines that arrived before the loss, because they are judged first.
            await deadlines.take_input()
            raise

    async def receive(self) -> bool:
        """Read once; return False at the end of the connection.

        Raises:
            ForfeitError: the connection is lost.
        """
        data = await receive(self._stream)
        if not data:
            return False
        if self._note_received is not None:
            self._note_received(self._number, data)
        self._role.receive_data(data)
        return True

    async def next_event(self) -> Message | Ignored | None:
        """Return the peer's next message; None at the end.

        Raises:
            RemoteProtocolError: the peer broke the protocol.
            ForfeitError: the connection is lost.
        """
        while (event := self._role.next_event()) is NEED_DATA:
            if not await self.receive():
                return None
        return event

    @property
    def closing_fault(self) -> ForfeitError:
        """The fault of a peer that closed the connection while a message was expected."""
        rest = self._role.unfinished
        said = VerdictPhrase.CLOSED_IN_LINE if rest else VerdictPhrase.CLOSED
        return ForfeitError(Termination.DISCONNECTED, said(), printable(rest))
