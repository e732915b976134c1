"""The engine that is checked: asked one command after another, its responses read to the letter."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import trio
from attrs import define, field, frozen
from trio.abc import Stream

from quoridor_net.check.catalogue import catalogue
from quoridor_net.check.checklist import FaultError
from quoridor_net.check.dialogue import ClosedError, Dialogue, SilentError, strange_bytes
from quoridor_net.check.findings import Finding, Report
from quoridor_net.check.pace import Pace
from quoridor_net.protocols.common.line_buffer import LineTooLongError
from quoridor_net.protocols.common.transcript import Transcript

RULES = catalogue("athens").rules

#: Seconds in which a response has to end that has begun.
REST = 1.0

#: Seconds in which output that nobody asked for is noticed.
AFTERWARDS = 0.1

#: Most lines of one response.
MAX_LINES = 1000

#: Starts the engine, and gives its input and output as one stream.
Start = Callable[[], AbstractAsyncContextManager[Stream]]


@frozen
class EngineAnswer:
    """What an engine answered.

    Attributes:
        is_success: whether it began with ``=``.
        lines: what followed, the first without the sign.
        data: as it came.
    """

    is_success: bool
    lines: tuple[str, ...]
    data: bytes

    @property
    def text(self) -> str:
        """The first line without blanks around it."""
        return self.lines[0].strip()


@define
class EngineUnderTest:
    """An engine.

    Attributes:
        start: starts it, once for every check.
        report: gets the findings.
        seconds: how long it may take to answer.
        transcript: where all lines are noted.
        pace: how long its responses take.
        dialogue: the running session.
        starts: how often it was started.
    """

    start: Start
    report: Report
    seconds: float
    transcript: Transcript | None = None
    pace: Pace = field(factory=Pace)
    starts: int = 0
    dialogue: Dialogue = field(init=False)

    async def send(self, *lines: str) -> None:
        """Send commands, in one packet.

        Raises:
            FaultError: the engine has ended.
        """
        data = "".join(f"{line}\n" for line in lines).encode("latin-1")
        try:
            await self.dialogue.send(data)
        except ClosedError:
            raise self.fault("QTP-102", "a response") from None

    async def ask(self, command: str) -> EngineAnswer:
        """Send ``command`` and return the response.

        Raises:
            FaultError: there is none, or it is not of the form.
        """
        unasked = await self.unasked()
        if unasked is not None:
            code = "QTP-106" if unasked[:1] in {b"=", b"?"} else "QTP-105"
            raise self.fault(code, "nothing until the next command", unasked)
        await self.send(command)
        return await self.response()

    async def response(self) -> EngineAnswer:
        """Return the next response.

        Raises:
            FaultError: there is none, or it is not of the form.
        """
        start = trio.current_time()
        first, until = b"", start + self.seconds
        while not first.strip():
            # Blank lines are no answer, and give no more time for one.
            first = await self._line(until - trio.current_time(), "a response")
        if first[:1] not in {b"=", b"?"}:
            code = "QTP-105" if await self._answers_late() else "QTP-103"
            raise self.fault(code, "= or ?", first)
        lines = [first]
        while lines[-1].strip():
            try:
                line = await self.dialogue.line(min(REST, self.seconds))
            except SilentError:
                raise self.fault("QTP-104", "an empty line", b"\n".join(lines)) from None
            except ClosedError:
                # quit may end the program at once.
                raise self.fault("QTP-104", "an empty line", b"\n".join(lines)) from None
            except LineTooLongError as error:
                raise self.fault("QTP-103", "lines of a readable length", error.start[:80]) from None
            if len(lines) > MAX_LINES:
                raise self.fault("QTP-104", "an empty line", lines[0])
            lines.append(line)
        self.pace.note(trio.current_time() - start)
        data = b"\n".join(lines)
        if any(code < 32 and code not in b"\n\r" for code in data):
            self.report.add(self.fault("QTP-107", "printable characters", data).finding)
        texts = [line.decode("latin-1") for line in lines[:-1]]
        return EngineAnswer(first[:1] == b"=", (texts[0][1:], *texts[1:]), data)

    async def _answers_late(self) -> bool:
        """Return whether the response follows after lines that are none."""
        with trio.move_on_after(REST):
            for _ in range(MAX_LINES):
                line = await self.unasked(AFTERWARDS)
                if line is None or line[:1] in {b"=", b"?"}:
                    return line is not None
        return False

    async def unasked(self, seconds: float = 0.0) -> bytes | None:
        """Return a line that comes although nothing was asked; None if there is none, or blank ones only."""
        try:
            for _ in range(MAX_LINES):
                line = await self.dialogue.unasked(seconds)
                if line is None or line.strip():
                    return line
        except ClosedError:
            pass
        return None

    async def _line(self, seconds: float, expected: str) -> bytes:
        try:
            if seconds <= 0:
                raise SilentError
            return await self.dialogue.line(seconds)
        except SilentError:
            begun = self.dialogue.unfinished
            code = "QTP-104" if begun[:1] in {b"=", b"?"} else "QTP-101"
            raise self.fault(code, f"{expected} within {self.seconds:g} s", begun) from None
        except ClosedError:
            raise self.fault("QTP-102", expected, self.dialogue.unfinished) from None
        except LineTooLongError as error:
            raise self.fault("QTP-103", "= or ?", error.start[:80]) from None

    def fault(self, code: str, expected: str, received: bytes = b"", detail: str = "") -> FaultError:
        """Return the error that ends a check."""
        dialogue = self.dialogue
        return FaultError(
            Finding(
                RULES[code],
                expected,
                dialogue.last_sent,
                dialogue.as_it_came(received),
                tuple(dialogue.lines),
                detail=detail or strange_bytes(received.replace(b"\n", b"")),
                closed=dialogue.closed,
                silent=dialogue.silent,
            )
        )
