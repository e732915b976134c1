"""One conversation of the checker, line by line; what crossed the wire is kept for the findings."""

from __future__ import annotations

import re
from collections.abc import Callable

import trio
from attrs import evolve
from trio.abc import Stream

from quoridor_net.check.findings import WireLine
from quoridor_net.net import deadlines
from quoridor_net.net.sockets import close_gently, receive, send_in_time
from quoridor_net.outcome import ForfeitError
from quoridor_net.protocols.common.line_buffer import LineBuffer, LineTooLongError
from quoridor_net.protocols.common.transcript import Transcript

#: Most lines that one conversation keeps; a game of the checker has far fewer.
MAX_LINES = 5000

#: Bytes that are kept as one line although no line end came.
MAX_PART = 4096

# A message with names, and what only those may have in them.
_NAMED = re.compile(rb"\s*(IAM|GAME|play\s+clobber)\s", re.IGNORECASE)
_BEYOND = re.compile(rb"[\x80-\xff]+")


def strange_bytes(line: bytes) -> str:
    """Explain the first byte in ``line`` that does not belong in a message; empty if there is none."""
    text = line.rstrip(b"\r\n")
    # Only messages with names may have more than ASCII in them.
    rest = _BEYOND.sub(b"", text) if _NAMED.match(text) and _is_utf8(text) else text
    strange = next((byte for byte in rest if not 32 <= byte < 127 and byte != 9), None)
    if strange is None:
        return ""
    sentence = f"The line has the byte {strange:#04x} in it, which is no printable character of ASCII."
    return f"{sentence} {_origin_of_bytes(text)}".rstrip()


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _origin_of_bytes(text: bytes) -> str:
    """Return where bytes like those of ``text`` usually come from; empty if nothing is known."""
    if text.startswith(b"\xac\xed"):
        return "Java's ObjectOutputStream begins like this: send text with a PrintWriter."
    if text.startswith(b"\xef\xbb\xbf"):
        return "The line begins with a byte order mark: send ASCII."
    if text.count(0) * 3 > len(text):
        return "Each letter has two bytes, as in UTF-16: send ASCII."
    if text.startswith(b"\0") and len(text) > 2 and text[1] in {len(text) - 2, len(text) - 1}:
        # With a line feed in the text, the length is greater by one.
        return "The length of the text comes first, as from Java's writeUTF: send text with a PrintWriter."
    # The end of a string in C, and whatever follows it in memory.
    return "In C, send strlen(text) bytes, not its whole array." if 0 in text else ""


class ClosedError(Exception):
    """The peer closed the connection, or it is lost."""


class SilentError(Exception):
    """The peer did not send a whole line in time."""


class Dialogue:
    """A connection to a peer.

    Args:
        stream: carries the bytes; :meth:`close` closes it.
        gap: least seconds between two messages to a peer that said nothing in between.
        transcript: where all lines are noted.
        number: of the peer, in the transcript and in the lines.
        lines: where the lines are kept; a list of its own unless given.
        is_server: whether the checker is the server of this protocol.

    Attributes:
        lines: what crossed the wire, as far as it is kept.
        closed: whether the peer has closed the connection.
        silent: whether it let the last time limit go by, and has sent nothing since.
    """

    def __init__(
        self,
        stream: Stream,
        gap: float = 0.0,
        transcript: Transcript | None = None,
        number: int = 1,
        lines: list[WireLine] | None = None,
        *,
        is_server: bool = False,
    ) -> None:
        self.lines: list[WireLine] = [] if lines is None else lines
        self.closed = False
        self.silent = False
        self._stream = stream
        self._gap = gap
        self._buffer = LineBuffer()
        self._number = number
        self._spoke = False
        self._note_sent: Callable[[int, bytes], None] | None = None
        self._note_received: Callable[[int, bytes], None] | None = None
        if transcript is not None:
            notes = transcript.to_server, transcript.to_client
            self._note_sent, self._note_received = reversed(notes) if is_server else notes

    @property
    def last_sent(self) -> bytes:
        """What the checker sent last."""
        return next((line.data for line in reversed(self.lines) if line.is_sent), b"")

    @property
    def last_end(self) -> bytes:
        """How the line that was received last ended: LF, or CR LF."""
        received = next(
            (line.data for line in reversed(self.lines) if not line.is_sent and line.peer == self._number),
            b"",
        )
        return b"\r\n" if received.endswith(b"\r\n") else b"\n"

    @property
    def unfinished(self) -> bytes:
        """What came after the last line end."""
        return self._buffer.unfinished

    def as_it_came(self, line: bytes) -> bytes:
        """Return a line that was received with the end that it had; as it is if there is no such line."""
        if not line:
            last = self.lines[-1] if self.lines else WireLine(True, b"")
            return b"" if last.is_sent or last.data.strip(b"\r\n") else last.data
        received = (kept.data for kept in reversed(self.lines) if not kept.is_sent)
        return next((data for data in received if data.rstrip(b"\r\n") == line), line)

    async def send(self, *pieces: bytes) -> None:
        """Send a message, cut into ``pieces`` if there are several.

        Raises:
            ClosedError: the peer is gone.
        """
        for piece in pieces:
            if self._spoke:
                await trio.sleep(self._gap)
            self._spoke = True
            self._note(WireLine(True, piece, self._number))
            try:
                await send_in_time(self._stream, piece)
            except ForfeitError:
                self.closed = True
                raise ClosedError from None

    async def line(self, seconds: float) -> bytes:
        """Return the next line without its end.

        Raises:
            SilentError: there is none within ``seconds``.
            ClosedError: the connection ended.
            LineTooLongError: it is longer than any message.
        """
        with deadlines.move_on_after(seconds) as scope:
            return await self.next_line()
        assert scope.cancelled_caught
        self.silent = True
        raise SilentError

    async def next_line(self) -> bytes:
        """Return the next line without its end, however long it takes.

        Raises:
            ClosedError: the connection ended.
            LineTooLongError: it is longer than any message.
        """
        while (line := self._buffer.next_line()) is None:
            await self._read()
        self._spoke = False
        return line

    async def unasked(self, seconds: float) -> bytes | None:
        """Return a line that comes within ``seconds`` although nothing was asked; None if none does.

        Raises:
            ClosedError: the connection ended.
        """
        # Nobody is judged by this time.
        with trio.move_on_after(seconds):
            try:
                return await self.next_line()
            except LineTooLongError as error:
                return error.start
        return None

    async def ends(self, seconds: float) -> bool:
        """Return whether the peer closes the connection within ``seconds``; what it sends is kept."""
        with deadlines.move_on_after(seconds):
            try:
                while True:
                    await self._read()
            except ClosedError:
                return True
        self.silent = True
        return False

    async def _read(self) -> None:
        try:
            data = await receive(self._stream)
        except ForfeitError:
            data = b""
        if not data:
            self.closed = True
            raise ClosedError
        self.silent = False
        self._buffer.receive(data)
        for part in data.splitlines(keepends=True):
            self._note(WireLine(False, part, self._number))

    def _note(self, line: WireLine) -> None:
        note = self._note_sent if line.is_sent else self._note_received
        if note is not None:
            note(self._number, line.data)
        last = self.lines[-1] if self.lines else line
        if self._continues(last, line):
            self.lines[-1] = evolve(last, data=last.data + line.data)
        elif len(self.lines) < MAX_LINES:
            self.lines.append(line)

    def _continues(self, last: WireLine, line: WireLine) -> bool:
        """Return whether ``line`` is the rest of a line of which ``last`` was received earlier."""
        is_same = not line.is_sent and not last.is_sent and last.peer == line.peer and last is not line
        return is_same and not last.data.endswith(b"\n") and len(last.data) < MAX_PART

    async def hang_up(self) -> None:
        """Close the connection at once, whoever reads or writes."""
        await trio.aclose_forcefully(self._stream)

    async def close(self) -> None:
        """Close the connection; the peer may read what was sent before."""
        await close_gently(self._stream)
