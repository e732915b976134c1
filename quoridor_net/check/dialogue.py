"""A conversation of the checker with one peer, line by line, recorded for the findings."""

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

#: Maximum number of recorded lines; a game of the checker has far fewer.
MAX_LINES = 5000

#: Maximum length of a recorded line without a line end, in bytes.
MAX_PART = 4096

# Messages that contain names, and the bytes that only these messages may contain.
_NAMED = re.compile(rb"\s*(IAM|GAME|play\s+clobber)\s", re.IGNORECASE)
_BEYOND = re.compile(rb"[\x80-\xff]+")


def describe_strange_bytes(line: bytes) -> str:
    """Describe the first byte in ``line`` that no message may contain; return an empty string if all may."""
    text = line.rstrip(b"\r\n")

    rest = _BEYOND.sub(b"", text) if _NAMED.match(text) and _is_utf8(text) else text
    strange = next((byte for byte in rest if not 32 <= byte < 127 and byte != 9), None)
    if strange is None:
        return ""
    sentence = f"The line contains the byte {strange:#04x}, which is not printable ASCII."
    return f"{sentence} {_guess_origin(text)}".rstrip()


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _guess_origin(text: bytes) -> str:
    """Explain why a program sends bytes like ``text``; return an empty string if unknown."""
    if text.startswith(b"\xac\xed"):
        return "Java's ObjectOutputStream starts like this: send text with a PrintWriter instead."
    if text.startswith(b"\xef\xbb\xbf"):
        return "The line starts with a byte order mark: send ASCII."
    if text.count(0) * 3 > len(text):
        return "Each letter takes two bytes, as in UTF-16: send ASCII."
    if text.startswith(b"\0") and len(text) > 2 and text[1] in {len(text) - 2, len(text) - 1}:
        # The length includes the line feed if there is one.
        return (
            "The length comes before the text, as from Java's writeUTF: send text with a PrintWriter instead."
        )
    # A NUL ends a string in C; sending the whole array sends it and the memory after it.
    return "In C, send strlen(text) bytes instead of the whole array." if 0 in text else ""


class ClosedError(Exception):
    """The peer closed the connection, or the connection was lost."""


class SilentError(Exception):
    """The peer did not send a whole line in time."""


class Dialogue:
    """A connection to a peer.

    Args:
        stream: the connection; :meth:`close` closes it.
        gap: minimum delay between two messages without a reply in between, in seconds.
        transcript: log of all lines.
        number: number of the peer in the transcript and in the lines.
        lines: list to record the lines in; a new one by default.
        is_server: whether the checker is the server in this protocol.

    Attributes:
        lines: the recorded lines in both directions.
        closed: whether the peer has closed the connection.
        silent: whether the peer exceeded the last time limit and has sent nothing since.
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
        """The bytes that the checker sent last."""
        return next((line.data for line in reversed(self.lines) if line.is_sent), b"")

    @property
    def last_end(self) -> bytes:
        """The line end of the last received line: LF or CR LF."""
        received = next(
            (line.data for line in reversed(self.lines) if not line.is_sent and line.peer == self._number),
            b"",
        )
        return b"\r\n" if received.endswith(b"\r\n") else b"\n"

    @property
    def unfinished(self) -> bytes:
        """The bytes received after the last line end."""
        return self._buffer.unfinished

    def restore_end(self, line: bytes) -> bytes:
        """Return a received line with its original line end, or ``line`` itself if none matches."""
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
            SilentError: no whole line arrives within ``seconds``.
            ClosedError: the connection ended.
            LineTooLongError: the line is longer than any message.
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
            LineTooLongError: the line is longer than any message.
        """
        while (line := self._buffer.next_line()) is None:
            await self._read()
        self._spoke = False
        return line

    async def watch(self, seconds: float) -> bytes | None:
        """Watch for an unrequested line for ``seconds``; return None if none arrives.

        Raises:
            ClosedError: the connection ended.
        """
        # Not a time limit for the peer, so the usual deadlines do not apply.
        with trio.move_on_after(seconds):
            try:
                return await self.next_line()
            except LineTooLongError as error:
                return error.start
        return None

    async def wait_closed(self, seconds: float) -> bool:
        """Return whether the peer closes the connection within ``seconds``; record what it sends."""
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
        """Return whether ``line`` continues ``last``, the received beginning of the same line."""
        is_same = not line.is_sent and not last.is_sent and last.peer == line.peer and last is not line
        return is_same and not last.data.endswith(b"\n") and len(last.data) < MAX_PART

    async def hang_up(self) -> None:
        """Close the connection at once, even while another task reads or writes."""
        await trio.aclose_forcefully(self._stream)

    async def close(self) -> None:
        """Close the connection, but let the peer read what was already sent."""
        await close_gently(self._stream)
