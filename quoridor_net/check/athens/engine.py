"""The engine to check: sends it commands one by one, and parses its responses strictly."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import trio
from attrs import define, evolve, field, frozen
from trio.abc import Stream

from quoridor_net.check.athens.board import draw_refused
from quoridor_net.check.catalogue import catalogue
from quoridor_net.check.checklist import FaultError
from quoridor_net.check.dialogue import ClosedError, Dialogue, SilentError, describe_strange_bytes
from quoridor_net.check.findings import Finding, Report, Rule
from quoridor_net.check.pace import Pace
from quoridor_net.protocols.common.line_buffer import LineTooLongError
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.text import count_things

RULES = catalogue("athens").rules

#: Time limit for the rest of a response after its first line, in seconds.
REST = 1.0

#: Time to watch for unrequested output, in seconds.
AFTERWARDS = 0.1

#: Maximum number of lines in one response.
MAX_LINES = 1000

#: Starts the engine, and yields its input and output as one stream.
Start = Callable[[], AbstractAsyncContextManager[Stream]]


@frozen
class EngineAnswer:
    """A response of an engine.

    Attributes:
        is_success: whether it starts with ``=``.
        lines: its lines, the first without the sign.
        data: the bytes received.
    """

    is_success: bool
    lines: tuple[str, ...]
    data: bytes

    @property
    def text(self) -> str:
        """The first line without surrounding spaces."""
        return self.lines[0].strip()


@define
class EngineUnderTest:
    """An engine and its running session.

    Attributes:
        start: starts the engine, once for every check.
        report: receives the findings.
        seconds: time limit for each response, in seconds.
        transcript: log of all lines.
        pace: time spent on its responses.
        start_with_seed: starts it with ``-seed 1`` among its arguments; None if nothing can.
        starts: number of starts so far.
        left_out: commands of every new game that the engine cannot take, in the running check.
        silent: those that it does not answer, in all checks.
        takes_turns: whether it accepts moves only in turn; None while unknown.
        is_mirrored: whether white begins in an engine that accepts moves only in turn.
        dialogue: the running session.
    """

    start: Start
    report: Report
    seconds: float
    transcript: Transcript | None = None
    pace: Pace = field(factory=Pace)
    start_with_seed: Start | None = None
    starts: int = 0
    left_out: set[str] = field(factory=set)
    silent: set[str] = field(factory=set)
    takes_turns: bool | None = None
    is_mirrored: bool = False
    dialogue: Dialogue = field(init=False)
    # Number of responses to commands that failed that the engine may still send.
    _owed: int = field(default=0, init=False)

    async def send(self, *lines: str) -> None:
        """Send commands in one packet.

        Raises:
            FaultError: the engine has ended.
        """
        data = "".join(f"{line}\n" for line in lines).encode("latin-1")
        try:
            await self.dialogue.send(data)
        except ClosedError:
            raise self.make_fault("QTP-102", "a response") from None

    async def ask(self, command: str, kind: str = "command") -> EngineAnswer:
        """Send ``command`` and return the response.

        Args:
            command: the command to send.
            kind: kind of the command; the checker soon waits less for kinds that never get a response.

        Raises:
            FaultError: the response is missing or malformed.
        """
        unrequested = await self.watch()
        if unrequested is not None:
            code = "QTP-106" if unrequested[:1] in {b"=", b"?"} else "QTP-105"
            raise self.make_fault(code, "nothing until the next command", unrequested)
        await self.send(command)
        return await self.response(kind)

    async def ask_to_fail(self, command: str) -> EngineAnswer | None:
        """Send a command that must fail, and return the response; None if the engine owes it.

        Raises:
            FaultError: the response is malformed, or the engine has ended.
        """
        try:
            return await self.ask(command, "failing")
        except FaultError as error:
            if error.finding.code == "QTP-101" and not self.dialogue.unfinished:
                self.report.add(evolve(error.finding, rule=RULES["QTP-211"]))
                self._owed += 1
                return None
            code = "QTP-212" if error.finding.code == "QTP-102" else error.finding.code
            raise FaultError(evolve(error.finding, rule=RULES[code])) from None

    async def ask_to_succeed(self, command: str) -> EngineAnswer:
        """Send a command that must succeed, and return the response; skip one that the engine still owes.

        Raises:
            FaultError: the response is missing or malformed.
        """
        response = await self.ask(command)
        # Some engines flush the response to a failed command only with a later one.
        while self._owed and not response.is_success:
            self._owed -= 1
            try:
                response = await self.response("late")
            except FaultError:
                break
        return response

    async def response(self, kind: str = "command") -> EngineAnswer:
        """Return the next response.

        Raises:
            FaultError: the response is missing or malformed.
        """
        start = trio.current_time()
        patience = self.pace.patience(kind, REST if kind == "late" else self.seconds)
        first, until = b"", start + patience
        while not first.strip():
            # Empty lines before the response are allowed, but do not extend the time limit.
            first = await self._line(until - trio.current_time(), patience, kind)
        self.pace.note_answer(kind)
        if first[:1] not in {b"=", b"?"}:
            code = "QTP-105" if await self._answers_late() else "QTP-103"
            raise self.make_fault(code, "= or ?", first)
        lines = [first]
        while lines[-1].strip():
            try:
                line = await self.dialogue.line(min(REST, self.seconds))
            except (SilentError, ClosedError):
                raise self.make_fault("QTP-104", "an empty line", b"\n".join(lines)) from None
            except LineTooLongError as error:
                raise self.make_fault("QTP-103", "lines of a reasonable length", error.start[:80]) from None
            if len(lines) > MAX_LINES:
                raise self.make_fault("QTP-104", "an empty line", lines[0])
            lines.append(line)
        self.pace.note(trio.current_time() - start)
        data = b"\n".join(lines)
        if any(code < 32 and code not in b"\n\r" for code in data):
            self.report.add(self.make_fault("QTP-107", "printable characters", data).finding)
        texts = [line.decode("latin-1") for line in lines[:-1]]
        return EngineAnswer(first[:1] == b"=", (texts[0][1:], *texts[1:]), data)

    async def _answers_late(self) -> bool:
        """Return whether a response follows after other lines."""
        with trio.move_on_after(REST):
            for _ in range(MAX_LINES):
                line = await self.watch(AFTERWARDS)
                if line is None or line[:1] in {b"=", b"?"}:
                    return line is not None
        return False

    async def watch(self, seconds: float = 0.0) -> bytes | None:
        """Watch for an unrequested line that is not empty for ``seconds``; return None if none arrives."""
        try:
            for _ in range(MAX_LINES):
                line = await self.dialogue.watch(seconds)
                if line is None or line.strip():
                    return line
        except ClosedError:
            pass
        return None

    async def _line(self, seconds: float, patience: float, kind: str) -> bytes:
        try:
            if seconds <= 0:
                raise SilentError
            return await self.dialogue.line(seconds)
        except SilentError:
            self.pace.note_silence(kind)
            begun = self.dialogue.unfinished
            code = "QTP-104" if begun[:1] in {b"=", b"?"} else "QTP-101"
            raise self.make_fault(code, f"a response within {patience:g} s", begun) from None
        except ClosedError:
            raise self.make_fault("QTP-102", "a response", self.dialogue.unfinished) from None
        except LineTooLongError as error:
            raise self.make_fault("QTP-103", "= or ?", error.start[:80]) from None

    def begin(self, dialogue: Dialogue) -> None:
        """Begin a session."""
        self.dialogue = dialogue
        self._owed = 0

    def _rule_of(self, code: str) -> Rule:
        """Return the rule of a code; an engine that has answered before gets a cause of its own."""
        answers = sum(not line.is_sent and line.data[:1] in {b"=", b"?"} for line in self.dialogue.lines)
        if code != "QTP-101" or not answers or self.dialogue.unfinished:
            return RULES[code]
        before = count_things(answers, "command")
        cause = (
            f"The engine answered {before} before, so its output arrives: the last command ends in an endless"
            " loop, takes too long, or gets no response."
        )
        hint = (
            "Print to standard error where the engine is while it works on this command. Every command gets a"
            " response, an unknown one ? unknown command."
        )
        return evolve(RULES[code], cause=cause, hint=hint)

    def make_fault(self, code: str, expected: str, received: bytes = b"", detail: str = "") -> FaultError:
        """Return the error that ends a check."""
        dialogue = self.dialogue
        drawing, why = draw_refused(dialogue.lines)
        return FaultError(
            Finding(
                self._rule_of(code),
                expected,
                dialogue.last_sent,
                dialogue.restore_end(received),
                tuple(dialogue.lines),
                drawing,
                detail=detail or describe_strange_bytes(received.replace(b"\n", b"")) or why,
                closed=dialogue.closed,
                silent=dialogue.silent,
            )
        )
