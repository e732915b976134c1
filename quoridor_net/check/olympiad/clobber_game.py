"""The checker's side of a conversation with a Clobber client: the server and the other player."""

from __future__ import annotations

from collections.abc import Iterable

import trio
from attrs import define, field

from quoridor_net.check.catalogue import catalogue
from quoridor_net.check.checklist import FaultError
from quoridor_net.check.dialogue import ClosedError, Dialogue, SilentError, describe_strange_bytes
from quoridor_net.check.findings import Finding, Report
from quoridor_net.check.pace import Pace
from quoridor_net.clobber import STANDARD_SIZE, ClobberPosition, ClobberSquare, Move
from quoridor_net.clobber.diagram import draw
from quoridor_net.clobber.errors import ClobberIllegality, ClobberReason
from quoridor_net.protocols.common.errors import MessageError
from quoridor_net.protocols.common.line_buffer import LineTooLongError
from quoridor_net.protocols.olympiad.messages import (
    End,
    Message,
    Play,
    Played,
    Settings,
    encode,
    parse_message,
)
from quoridor_net.rules.diagram import UNICODE, plain

RULES = catalogue("olympiad").rules

#: Description of the client's first message.
INTRODUCTION = "play clobber and a name"

#: Time to watch for an unrequested line, in seconds.
GAP = 0.05

#: The same for a client that has sent at least ``FEW_MOVES`` moves without extra lines.
SHORT_GAP = 0.002
FEW_MOVES = 20

_COLOURS = {ClobberIllegality.OPPOSING_ORIGIN, ClobberIllegality.OWN_TARGET}


@define
class ClobberGame:
    """A conversation over one or several games.

    Attributes:
        dialogue: the connection.
        report: receives the findings that do not end the check.
        seconds: time limit for each answer, in seconds.
        pace: time spent on the client's moves.
        in_two: whether to send each line in two pieces.
        with_cr: whether to end lines with CR LF.
        position: the true position.
        games: number of games so far.
        moves: number of the client's moves so far.
        name: the client's name.
    """

    dialogue: Dialogue
    report: Report
    seconds: float
    pace: Pace
    in_two: bool = False
    with_cr: bool = False
    position: ClobberPosition = field(factory=ClobberPosition.start)
    games: int = 0
    moves: int = 0
    name: str = ""
    # The client's moves in this game.
    _own: list[Move] = field(factory=list)
    # The final position of the previous game.
    _last: ClobberPosition | None = None

    async def greet(self) -> None:
        """Wait for the client's name."""
        line = await self._line("CLB-102", "CLB-102", INTRODUCTION)
        try:
            message = parse_message(line)
        except MessageError as error:
            why = str(error) if line.startswith(b"play ") else INTRODUCTION
            raise self.make_fault("CLB-103", why.removeprefix("expected: "), line) from None
        if not isinstance(message, Play):
            raise self.make_fault("CLB-103", INTRODUCTION, line)
        self._note_form(message, line)
        self.name = message.name

    async def begin(
        self, *, client_begins: bool, columns: int = STANDARD_SIZE, rows: int = STANDARD_SIZE
    ) -> None:
        """Send the settings of a game."""
        early = await self._watch()
        if early is not None:
            code = "CLB-131" if _is(early, Play) else "CLB-134"
            if code == "CLB-131" or not self.games:
                raise self.make_fault("CLB-103" if not self.games else code, "nothing more", early)
            self.report.add(self.make_fault(code, "nothing until it is its turn", early).finding)
        self._last = self.position if self.games else None
        self.games += 1
        self.position = ClobberPosition.start(columns, rows)
        self._own.clear()
        await self._say(Settings(columns, rows, begins=client_begins))
        if not client_begins:
            early = await self._watch()
            if early is not None:
                raise self.make_fault("CLB-131" if _is(early, Play) else "CLB-112", "nothing", early)

    async def receive(self) -> None:
        """Wait for the client's move, judge it and make it."""
        start = trio.current_time()
        is_first = self.games > 1 and not self._own
        line = await self._line(
            "CLB-132" if is_first else "CLB-111", "CLB-132" if is_first else "CLB-107", "a move"
        )
        try:
            message = parse_message(line)
        except MessageError as error:
            raise self.make_fault("CLB-121", str(error).removeprefix("expected "), line) from None
        if not isinstance(message, Played):
            raise self.make_fault("CLB-131" if isinstance(message, Play) else "CLB-121", "a move", line)
        self.pace.note(trio.current_time() - start)
        self._note_form(message, line)
        reason = self.position.why_illegal(message.move)
        if reason is not None:
            raise self.make_fault(self._code_of(message.move, reason), f"a legal move: {reason}", line)
        self.position.push(message.move)
        self.moves += 1
        self._own.append(message.move)
        extra = await self._watch()
        if extra is not None:
            raise self.make_fault("CLB-113", "one line", extra)

    async def move(self, move: Move) -> None:
        """Make a move of the other side."""
        self.position.push(move)
        await self._say(Played(move))

    async def end(self) -> None:
        """Announce that the other side has lost by an illegal move."""
        await self._say(End())

    def _code_of(self, move: Move, reason: ClobberReason) -> str:
        """Return the code of an illegal move, according to what the client may have missed."""
        is_opposing = reason.kind is ClobberIllegality.OPPOSING_ORIGIN
        before = () if self._last is None else self._last.history
        if {move.origin, move.target} & _find_changed(before) and (self._own or not is_opposing):
            # The previous game changed these squares, so the client may still have its board.
            return "CLB-133"
        if reason.kind in _COLOURS and self.position.ply < 2:
            return "CLB-123"
        made = {own.origin for own in self._own}
        if move.origin in made or move in self._own:
            return "CLB-125"
        theirs = [other for other in self.position.history if other not in self._own]
        if {move.origin, move.target} & _find_changed(theirs):
            return "CLB-124"
        return "CLB-123" if is_opposing else "CLB-122"

    async def _say(self, message: Message) -> None:
        data = encode(message)
        if self.with_cr:
            data = data.replace(b"\n", b"\r\n")
        half = len(data) // 2
        try:
            if self.in_two:
                await self.dialogue.send(data[:half])
                await self.dialogue.watch(GAP)
                data = data[half:]
            await self.dialogue.send(data)
        except ClosedError:
            raise self.make_fault("CLB-107", "the connection stays open") from None

    async def _line(self, silent: str, closed: str, expected: str) -> bytes:
        dialogue = self.dialogue
        try:
            return await dialogue.line(self.seconds)
        except SilentError:
            within = f"{expected} within {self.seconds:g} s"
            if dialogue.unfinished:
                raise self.make_fault("CLB-104", f"{within}, and a line end", dialogue.unfinished) from None
            raise self.make_fault(silent, within) from None
        except LineTooLongError as error:
            raise self.make_fault(
                "CLB-121" if self.games else "CLB-103", expected, error.start[:80]
            ) from None
        except ClosedError:
            raise self.make_fault(closed, expected, dialogue.unfinished) from None

    async def _watch(self) -> bytes | None:
        try:
            return await self.dialogue.watch(GAP if self.moves < FEW_MOVES else SHORT_GAP)
        except ClosedError:
            code = "CLB-132" if self.games else "CLB-107"
            raise self.make_fault(code, "the connection stays open") from None

    def make_fault(self, code: str, expected: str, received: bytes = b"") -> FaultError:
        """Return the error that ends the check."""
        dialogue = self.dialogue
        drawing = tuple(plain(draw(self.position, UNICODE))) if self.games else ()
        finding = Finding(
            RULES[code],
            expected,
            dialogue.last_sent,
            dialogue.restore_end(received),
            tuple(dialogue.lines),
            drawing,
            describe_strange_bytes(received),
            closed=dialogue.closed,
            silent=dialogue.silent,
        )
        return FaultError(finding)

    def _note_form(self, message: Message, line: bytes) -> None:
        if self.dialogue.last_end == b"\r\n":
            self.report.add(self.make_fault("CLB-106", "one line feed", line).finding)
        if line + b"\n" != encode(message):
            self.report.add(self.make_fault("CLB-105", str(message), line).finding)


def _is(line: bytes, kind: type[Message]) -> bool:
    try:
        return isinstance(parse_message(line), kind)
    except MessageError:
        return False


def _find_changed(moves: Iterable[Move]) -> set[ClobberSquare]:
    """Return the squares that ``moves`` changed."""
    return {square for move in moves for square in (move.origin, move.target)}
