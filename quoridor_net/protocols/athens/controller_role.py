"""The controller's end of an Athens session, without any input or output; made for sloppy engines.

One command is under way at a time: foreign engines are sent nothing that they might read too early. A
response is taken as soon as its first line says all that the command needs, since some engines end it with
one newline instead of two; what else comes before the next command is reported as noise.
"""

from __future__ import annotations

import enum
import re
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Literal

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
from quoridor_net.protocols.common.role import NEED_DATA, Need, Role
from quoridor_net.rules import MAX_SIZE, Termination
from quoridor_net.text import UnparsableError, printable
from quoridor_net.verdicts import VerdictPhrase

#: Most bytes in one line of an engine's output.
MAX_LINE = 65536

#: Most bytes that an engine may write from one command to the next; some print their whole search.
MAX_OUTPUT = 8 << 20

# A sign at the start of a line, perhaps after blanks or prompts such as "quoridor> ". No two parts
# can read the same blanks: a matcher that tries all ways to share them out never ends.
_ANSWER = re.compile(r"(?:[\w .>$-]*[>$])? *([=?])(.*)")


class Shape(enum.Enum):
    """What a response has to contain to be whole."""

    #: Nothing but the sign.
    SIGN = "sign"
    #: A move.
    MOVE = "move"
    #: true or false, which some engines say without a sign or after the wrong one.
    BOOLEAN = "boolean"
    #: Lines up to a blank one.
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
    """The engine's answer to the command under way.

    Attributes:
        command: what was asked.
        is_success: whether the answer is ``=``, or means it.
        text: what follows the sign, without surrounding blanks; lines are separated by newlines.
        line: the deciding line as it came, made printable.
    """

    command: str
    is_success: bool
    text: str
    line: str


@frozen
class Noise:
    """Output that belongs to no response: debug text, a prompt, or a second reply."""

    line: str


@frozen
class EmptyAnswer:
    """A whole ``=`` response without the text that the command needs. The command is still under way.

    It may be a stray reply to an earlier command, so the real one may follow.
    """

    command: str
    line: str


@frozen
class Refusal:
    """A ``?`` response to a command that asks for a move. The command is still under way.

    Some engines complain of what they tried themselves (``? illegal placement``) before they answer.
    """

    response: Response


ControllerEvent = Response | Noise | EmptyAnswer | Refusal

#: What a line is, and the event that it makes.
_Step = tuple[ControllerKind, ControllerEvent | None]


class ControllerRole(Role[ControllerState, ControllerKind, ControllerEvent]):
    """A controller towards one engine.

    Attributes:
        command: the command under way, or the last one; empty before the first.
    """

    NAME = "the controller"
    LONG_LINE = VerdictPhrase.WROTE_LONG_LINE
    START = ControllerState.READY
    SENDS = CONTROLLER_SENDS
    RECEIVES = CONTROLLER_RECEIVES

    def __init__(self) -> None:
        super().__init__(LineBuffer(MAX_LINE))
        self.command = ""
        self._shape = Shape.SIGN
        self._received = 0
        # The parts of a response that is read up to its blank line.
        self._sign = ""
        self._text: list[str] = []
        self._first_line = ""
        self._stale: deque[ControllerEvent] = deque()

    def send(self, command: str) -> bytes:
        """Return the bytes of ``command``, after which its response is awaited.

        Raises:
            LocalProtocolError: another command is under way, or this is none.
            RemoteProtocolError: the engine has written a line without end (``flooding``).
        """
        if self._state is not ControllerState.READY:
            self._refuse(f"{self.command!r} must be answered before {command!r} is sent")
        if not command.isascii() or not command.isprintable() or not command.strip():
            self._refuse(f"{command!r} is not a command")
        state = self._following(ControllerKind.COMMAND)
        # What is here already cannot be the answer to what is sent now.
        while (event := super().next_event()) is not NEED_DATA:
            self._stale.append(event)
        self.command = command
        self._shape = _SHAPES.get(command.split(maxsplit=1)[0], Shape.SIGN)
        self._received = 0
        self._first_line = ""
        self._state = state
        return f"{command}\n".encode("ascii")

    def give_up(self) -> None:
        """Stop waiting for the response to the command under way."""
        self._state = self._following(ControllerKind.GIVE_UP)

    def receive_data(self, data: bytes) -> None:
        """Take what was read from the engine, in chunks of any size.

        Raises:
            RemoteProtocolError: the engine floods (``flooding``).
        """
        self._received += len(data)
        if self._received > MAX_OUTPUT:
            self._fail(Termination.FLOODING, VerdictPhrase.FLOOD(most=MAX_OUTPUT >> 20), printable(data))
        # Section 2.1: a controller discards control characters and converts tabs, and does no more.
        super().receive_data(without_controls(data))

    def next_event(self) -> ControllerEvent | Literal[Need.DATA]:
        """Return the response, a line that belongs to none, or NEED_DATA.

        Raises:
            RemoteProtocolError: the engine floods (``flooding``).
        """
        if self._stale and self.error is None:
            return self._stale.popleft()
        return super().next_event()

    def _read(self, line: bytes) -> ControllerEvent | None:
        text = line.decode("latin-1").rstrip(" ")
        state = self._state
        if state is ControllerState.READING:
            kind, event = self._take_more(text)
        elif not text:
            # A blank line means something inside of a response only.
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
            # After a "=" of its own, a move may stand alone: a reply that was split in two.
            if self._first_line and self._text_is_move(line):
                return self._answer(True, line.strip(" "), line)
            return _noise(line)
        sign, text = answer[1], answer[2].strip(" ")
        if self._shape is Shape.BOOLEAN and _is_boolean(text):
            return self._answer(True, text, line)
        if self._shape is Shape.MOVE and sign == "?":
            return ControllerKind.REFUSAL, Refusal(Response(self.command, False, text, _shown(line)))
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
            return ControllerKind.EMPTY, EmptyAnswer(self.command, _shown(self._first_line))
        if _ANSWER.fullmatch(line):
            return self._take_first(line)
        if self._text_is_move(line):
            return self._answer(True, line.strip(" "), line)
        return _noise(line)

    def _text_is_move(self, line: str) -> bool:
        return self._shape is Shape.MOVE and _is_parsed(partial(parse_genmove_answer, size=MAX_SIZE), line)

    def _answer(self, is_success: bool, text: str, line: str) -> _Step:
        self._first_line = ""
        return ControllerKind.ANSWER, Response(self.command, is_success, text, _shown(line))


def _noise(line: str) -> _Step:
    return ControllerKind.NOISE, Noise(_shown(line))


def _is_boolean(text: str) -> bool:
    return _is_parsed(parse_boolean_answer, text)


def _is_parsed(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except UnparsableError:
        return False
    return True


def _shown(line: str) -> str:
    return printable(line.encode("latin-1"))
