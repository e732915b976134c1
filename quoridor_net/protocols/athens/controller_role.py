"""The controller's end of an Athens session, sans-I/O and tolerant of sloppy engines.

Only one command is pending at a time, so that an engine cannot read the next one too early. A response counts
as soon as its first line holds all that the command needs, because some engines end it with one newline
instead of two. Any other output before the next command is reported as noise.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from functools import partial

from attrs import frozen

from quoridor_net.protocols.athens.answers import parse_boolean_answer, parse_genmove_answer
from quoridor_net.protocols.athens.command_lines import without_controls
from quoridor_net.protocols.athens.transitions import (
    CONTROLLER_RECEIVES,
    CONTROLLER_SENDS,
    ControllerKind,
    ControllerState,
)
from quoridor_net.protocols.common.line_buffer import LineBuffer
from quoridor_net.protocols.common.role import Role
from quoridor_net.rules import MAX_SIZE, Termination
from quoridor_net.text import UnparsableError, printable
from quoridor_net.verdicts import VerdictPhrase

#: Maximum length of a line of engine output, in bytes.
MAX_LINE = 65536

#: Maximum output of an engine between two commands, in bytes; some print their whole search.
MAX_OUTPUT = 8 << 20

# A sign at the start of a line, perhaps after spaces or prompts such as "quoridor> ". No two parts may match
# the same spaces, because backtracking over them would take exponential time.
_ANSWER = re.compile(r"(?:[\w .>$-]*[>$])? *([=?])(.*)")


class Shape(enum.Enum):
    """The contents that make a response complete."""

    #: Only the sign.
    SIGN = "sign"
    #: A move.
    MOVE = "move"
    #: true or false, which some engines write without a sign or after the wrong one.
    BOOLEAN = "boolean"
    #: Lines up to an empty one.
    LINES = "lines"


_SHAPES: dict[str, Shape] = {
    "known_command": Shape.BOOLEAN,
    "list_commands": Shape.LINES,
    "genmove": Shape.MOVE,
    "winner": Shape.BOOLEAN,
    "showboard": Shape.LINES,
}


@frozen
class Response:
    """The engine's answer to the pending command.

    Attributes:
        command: the command.
        is_success: whether the answer is ``=`` or equivalent.
        text: the text after the sign, without surrounding spaces; lines are separated by newlines.
        raw: the deciding line as received, in Latin-1.
    """

    command: str
    is_success: bool
    text: str
    raw: str

    @property
    def line(self) -> str:
        """The deciding line, made printable."""
        return _show(self.raw)


@frozen
class Noise:
    """Output that belongs to no response: debug text, a prompt, or a second reply."""

    line: str


@frozen
class EmptyAnswer:
    """A complete ``=`` response without the text that the command needs. The command is still pending.

    It may be a stray reply to an earlier command, so the real one may follow.
    """

    command: str
    line: str


@frozen
class Refusal:
    """A ``?`` response to a command that asks for a move. The command is still pending.

    Some engines complain about their own attempts (``? illegal placement``) before they answer.
    """

    response: Response


ControllerEvent = Response | Noise | EmptyAnswer | Refusal

#: The kind of a line, and its event.
_Step = tuple[ControllerKind, ControllerEvent | None]


class ControllerRole(Role[ControllerState, ControllerKind, ControllerEvent]):
    """The controller of one engine.

    Attributes:
        command: the pending command, or the last one; empty before the first.
    """

    NAME = "the controller"
    LONG_LINE = VerdictPhrase.WROTE_LONG_LINE
    START = ControllerState.READY
    SENDS = CONTROLLER_SENDS
    RECEIVES = CONTROLLER_RECEIVES
    _lines: LineBuffer

    def __init__(self) -> None:
        super().__init__(LineBuffer(MAX_LINE))
        self.command = ""
        self._shape = Shape.SIGN
        self._received = 0
        # The parts of a response that ends with an empty line.
        self._sign = ""
        self._text: list[str] = []
        self._first_line = ""
        # The number of lines that arrived before the pending command and are still unread.
        self._stale = 0

    def send(self, command: str) -> bytes:
        """Return the bytes of ``command`` and wait for its response.

        Raises:
            LocalProtocolError: another command is pending, or ``command`` is not a command.
        """
        if self._state is not ControllerState.READY:
            self._refuse(f"{self.command!r} must be answered before {command!r} is sent")
        words = command.split(maxsplit=1)
        if not words or not command.isascii() or not command.isprintable():
            self._refuse(f"{command!r} is not a command")
        state = self._state_after(ControllerKind.COMMAND)
        # Output that is already here cannot be the answer to this command.
        self._stale = self._lines.count()
        self.command = command
        self._shape = _SHAPES.get(words[0], Shape.SIGN)
        self._received = 0
        self._first_line = ""
        self._state = state
        return f"{command}\n".encode("ascii")

    def give_up(self) -> None:
        """Stop waiting for the response to the pending command."""
        self._state = self._state_after(ControllerKind.GIVE_UP)

    def receive_data(self, data: bytes) -> None:
        """Add bytes read from the engine, in chunks of any size.

        Raises:
            RemoteProtocolError: the engine floods (``flooding``).
        """
        self._received += len(data)
        if self._received > MAX_OUTPUT:
            self._fail(Termination.FLOODING, VerdictPhrase.FLOOD(most=MAX_OUTPUT >> 20), printable(data))
        # Section 2.1: a controller only discards control characters and converts tabs.
        self._lines.receive(without_controls(data))

    def _read(self, line: bytes) -> ControllerEvent | None:
        text = line.decode("latin-1").rstrip(" ")
        if self._stale:
            self._stale -= 1
            return Noise(_show(text)) if text else None
        state = self._state
        if state is ControllerState.READING:
            kind, event = self._take_more(text)
        elif not text:
            # An empty line matters only inside a response.
            return None
        elif state is ControllerState.WAITING:
            kind, event = self._take_first(text)
        else:
            kind, event = _noise(text)
        self._state = CONTROLLER_RECEIVES[self._state, kind]
        return event

    def _take_first(self, line: str) -> _Step:
        answer = _ANSWER.fullmatch(line)
        if answer is None:
            if self._shape is Shape.BOOLEAN and _is_boolean(line):
                return self._answer(True, line.strip(" "), line)
            # After a line with only "=", the next line may be the move.
            if self._first_line and self._text_is_move(line):
                return self._answer(True, line.strip(" "), line)
            return _noise(line)
        sign, text = answer[1], answer[2].strip(" ")
        if self._shape is Shape.SIGN:
            return self._answer(sign == "=", text, line)
        if self._shape is Shape.BOOLEAN and _is_boolean(text):
            return self._answer(True, text, line)
        if self._shape is Shape.MOVE and sign == "?":
            return ControllerKind.REFUSAL, Refusal(Response(self.command, False, text, line))
        is_bare = self._shape is Shape.MOVE and not text.partition("#")[0].strip(" ")
        if self._shape is Shape.LINES or is_bare:
            self._sign, self._first_line, self._text = sign, line, [text] if text else []
            return ControllerKind.BEGINNING, None
        return self._answer(sign == "=", text, line)

    def _take_more(self, line: str) -> _Step:
        if self._shape is Shape.LINES:
            if line:
                self._text.append(line)
                return ControllerKind.TEXT, None
            return self._answer(self._sign == "=", "\n".join(self._text), self._first_line)
        if not line:
            return ControllerKind.EMPTY, EmptyAnswer(self.command, _show(self._first_line))
        if _ANSWER.fullmatch(line):
            return self._take_first(line)
        if self._text_is_move(line):
            return self._answer(True, line.strip(" "), line)
        return _noise(line)

    def _text_is_move(self, line: str) -> bool:
        return self._shape is Shape.MOVE and _is_parsed(partial(parse_genmove_answer, size=MAX_SIZE), line)

    def _answer(self, is_success: bool, text: str, line: str) -> _Step:
        self._first_line = ""
        return ControllerKind.ANSWER, Response(self.command, is_success, text, line)


def _noise(line: str) -> _Step:
    return ControllerKind.NOISE, Noise(_show(line))


def _is_boolean(text: str) -> bool:
    return _is_parsed(parse_boolean_answer, text)


def _is_parsed(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except UnparsableError:
        return False
    return True


def _show(line: str) -> str:
    return printable(line.encode("latin-1"))
