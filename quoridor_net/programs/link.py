"""A conversation with a running engine, over the pipes of a process or a TCP connection."""

from __future__ import annotations

import contextlib
import math
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

import trio

from quoridor_net.net import deadlines
from quoridor_net.net.errors import LOST
from quoridor_net.net.sockets import (
    close_gently,
    connect,
    has_input,
    receive,
    receive_now,
    send_in_time,
    wake_receiver,
)
from quoridor_net.outcome import ForfeitError, NotStartedError
from quoridor_net.output import ignore
from quoridor_net.phrases import Translatable
from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.last_words import find_telling_line, last_lines
from quoridor_net.programs.process import CANNOT_RUN, EngineProcess, ProcessEnd, ProgramLimits, start_process
from quoridor_net.protocols.athens import NEED_DATA, ControllerRole, EmptyAnswer, Refusal, Response
from quoridor_net.protocols.common.errors import RemoteProtocolError
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.rules import Termination
from quoridor_net.shortage import lack_of
from quoridor_net.system import command_line
from quoridor_net.text import writable
from quoridor_net.verdicts import VerdictPhrase, reason_of

#: Time limit for the real answer after an empty ``=`` or a ``?`` to a command that needs more, in seconds.
SECOND_CHANCE = 1.0

#: Time limit for an engine to exit after ``quit``, in seconds.
QUIT_TIME = 1.0

#: Interval between checks for unexpected output, in seconds. The end of a process is noticed at once.
WATCH_TIME = 1.0

#: Time limit for connecting to an engine over TCP, in seconds.
CONNECT_TIME = 10.0

#: Time to wait for the confirmation of a move before other tasks run, in seconds, if no other command is
#: pending. Simple engines confirm within this time, and parking the task would take about as long.
CONFIRMATION_TIME = 100e-6

#: Maximum number of bytes per read of an engine's output.
CHUNK = 65536

#: Maximum number of lines kept of an engine's output besides its answers.
KEPT_NOISE = 8

_OUT_OF_MEMORY = (
    *(b"MemoryError", b"bad_alloc", b"OutOfMemory", b"out of memory", b"Cannot allocate memory"),
    *(b"Could not reserve enough space", b"insufficient memory", b"Could not allocate"),
)
_JAVA = (b"Java", b"java", b"JVM", b"initialization of VM")


class _ProcessCarrier:
    def __init__(
        self, process: EngineProcess, limits: ProgramLimits, extra_arguments: Sequence[str] = ()
    ) -> None:
        self.send = process.stdin
        self.receive = process.stdout
        self.close = process.close
        self.ended = process.ended
        # The last lines of its standard error, after its end.
        self.last_words: list[bytes] = []
        self._process = process
        self._limits = limits
        self._extra_arguments = command_line(extra_arguments)

    async def explain_end(
        self, when: Translatable, noise: Sequence[str], _lost: str, *, has_answered: bool
    ) -> ForfeitError:
        """Return the fault of an engine whose output has ended, with details from its last lines."""
        if self._extra_arguments and not has_answered:
            # It may have ended because of them, and the user did not type them.
            when = VerdictPhrase.STARTED_WITH(when=when, arguments=self._extra_arguments)
        # Not only pipes come here: a terminal reports an error when its program is gone.
        with deadlines.move_on_after(QUIT_TIME):
            await self._process.ended.wait()
        status = self._process.status
        if status is None:
            return ForfeitError(Termination.ENGINE_CRASH, VerdictPhrase.CLOSED_OUTPUT(when=when))
        words = await self._process.last_words()
        said = "\n".join(noise).encode() + words
        termination, what = self._verdict(status, said)
        is_java = termination is Termination.MEMORY_LIMIT and any(word in said for word in _JAVA)
        phrase = VerdictPhrase.ENDED_BY_JAVA if is_java else VerdictPhrase.ENDED
        self.last_words = last_lines(words)
        line = writable(find_telling_line(words), "ascii") or (noise[-1] if noise else "")
        # An engine that has answered was started. Otherwise it could avoid losing by exiting with such a
        # status.
        is_started = has_answered or not (status.code in CANNOT_RUN or _could_not_fork(words))
        kind = ForfeitError if is_started else NotStartedError
        return kind(termination, phrase(status=what, when=when), line)

    def _verdict(self, status: ProcessEnd, said: bytes) -> tuple[Termination, Translatable]:
        limits = self._limits
        if limits.memory is not None and status.code != 0:
            is_full = status.memory > 0.85 * limits.memory
            if is_full or any(words in said for words in _OUT_OF_MEMORY):
                sentence = VerdictPhrase.OUT_OF_MEMORY(most=limits.memory, status=status.sentence)
                return Termination.MEMORY_LIMIT, sentence
        if limits.cpu is not None and status.code < 0 and status.cpu > limits.cpu - 1:
            sentence = VerdictPhrase.OUT_OF_CPU_TIME(seconds=limits.cpu, status=status.sentence)
            return Termination.TOO_SLOW, sentence
        if status.code in CANNOT_RUN:
            return Termination.ENGINE_CRASH, VerdictPhrase.CANNOT_RUN(status=status.sentence)
        return Termination.ENGINE_CRASH, status.sentence


def _could_not_fork(words: bytes) -> bool:
    """Return whether the last line of the launcher's shell says that it could not start a process."""
    line = words.rstrip().rpartition(b"\n")[2]
    return line.startswith((b"sh: ", b"/bin/sh: ")) and b"fork" in line.lower()


class _TcpCarrier:
    def __init__(self, stream: trio.SocketStream) -> None:
        self.send = self.receive = stream
        # Never set: only the connection shows the end of such an engine.
        self.ended = trio.Event()
        self.last_words: list[bytes] = []

    async def explain_end(
        self, when: Translatable, noise: Sequence[str], lost: str, *, has_answered: bool
    ) -> ForfeitError:
        """Return the fault of an engine that closed its connection, or lost it as ``lost`` says."""
        await trio.lowlevel.checkpoint()
        last = noise[-1] if noise else ""
        phrase = VerdictPhrase.CLOSED_AT(when=when)
        if lost:
            phrase = VerdictPhrase.LOST_WHEN(did=lost, when=when)
        return ForfeitError(Termination.DISCONNECTED, phrase, last)

    async def close(self) -> None:
        await close_gently(self.receive)


# The links with a task that waits for an answer.
_BUSY: set[EngineLink] = set()


class EngineLink:
    """Sends commands to one engine, one at a time. Created by :func:`open_link`.

    The task that sends a command also reads its answer, so that no other task wakes up. Unexpected output is
    read before the next command, and from time to time by :meth:`watch`.
    """

    def __init__(self, carrier: _ProcessCarrier | _TcpCarrier, transcript: Transcript | None = None) -> None:
        # The latest lines that belong to no response.
        self._noise: deque[str] = deque(maxlen=KEPT_NOISE)
        self._transcript = transcript
        self._carrier = carrier
        self._role = ControllerRole()
        # A fault of the engine outside its answers: it exited or floods.
        self._fault: ForfeitError | None = None
        self._response: Response | None = None
        self._unsettled: EmptyAnswer | Refusal | None = None
        self._is_asking = False
        self._has_answered = False
        # Set after a fault, when no task waits for an answer any more.
        self._idle = trio.Event()
        # Rings when the answer is late. A cancel scope for each command would cost more than the command.
        self._alarm = deadlines.Alarm(self._give_up)
        self._seconds = math.inf
        self._is_late = False

    @property
    def is_sound(self) -> bool:
        """Whether the engine can take a command: it has answered all others and has no fault.

        After an unanswered command this stays False, because a late answer could not be told from the answer
        to a later command.
        """
        return self._fault is None and not self._is_asking and not self._carrier.ended.is_set()

    async def ask(self, command: str, seconds: float = math.inf) -> Response:
        """Send ``command`` and return the response.

        The link is no longer sound if this is cancelled, raises, or returns a ``?`` to ``genmove``, because
        the response or the move may still arrive.

        Raises:
            ForfeitError: the engine exited, floods, gives an empty answer, or does not answer in time.
        """
        await self.send(command, seconds)
        return await self._wait()

    async def send(self, command: str, seconds: float = math.inf) -> None:
        """Send ``command``, which is to be answered within ``seconds``; :meth:`answer` must be called next.

        Raises:
            ForfeitError: the engine exited or floods.
        """
        assert not self._is_asking, "a late answer to the last command would be taken for the next one"
        _BUSY.add(self)
        try:
            # Mostly there is nothing, and calling a method to find that out takes longer than asking.
            if has_input(self._carrier.receive):
                await self._take_what_is_there()
            if self._fault is not None:
                raise self._fault
            self._is_asking = True
            self._is_late = False
            self._seconds = seconds
            self._alarm.restart(seconds)
            self._forget()
            data = self._role.send(command)
            if self._transcript is not None:
                self._transcript.to_server(1, data)
            await send_in_time(self._carrier.send, data, seconds)
        except ForfeitError:
            # If the engine is gone only now, the end of its output reports that later.
            if not self._is_asking:
                self._rest()
                raise
        except BaseException:
            self._rest()
            raise

    async def answer(self) -> Response:
        """Return the response to the command that was sent; otherwise like :meth:`ask`."""
        # For the first look only, because an engine that sends byte after byte must not hold up other tasks.
        patience = CONFIRMATION_TIME if len(_BUSY) == 1 else 0.0
        # It may have arrived, even if the time is up by now.
        while self._response is None and self._fault is None and await self._take_some(patience):
            patience = 0.0
        return await self._wait()

    async def _wait(self) -> Response:
        try:
            while self._is_open:
                if self._unsettled is not None:
                    await self._give_second_chance()
                    break
                await self._receive()
            self._is_asking = self._response is None
            return self._response or self._conclude()
        finally:
            self._rest()

    async def _give_second_chance(self) -> None:
        with trio.move_on_after(SECOND_CHANCE):
            while self._is_open:
                await self._receive()
        await self._take_what_is_there()

    def _rest(self) -> None:
        self._alarm.restart(math.inf)
        _BUSY.discard(self)
        if self._fault is not None:
            self._idle.set()

    def _give_up(self) -> None:
        self._is_late = True
        wake_receiver(self._carrier.receive)

    def _forget(self) -> None:
        self._response = self._unsettled = None
        self._noise.clear()

    @property
    def _is_open(self) -> bool:
        """Whether the response can still arrive in time."""
        return self._response is None and self._fault is None and not self._is_late

    def _conclude(self) -> Response:
        """Return a refusal as the response, or raise the fault."""
        command, seconds = self._role.command, self._seconds
        if self._fault is not None:
            raise self._fault
        if self._is_late:
            sentence = VerdictPhrase.NO_ANSWER_TO(command=repr(command), seconds=seconds)
            raise ForfeitError(Termination.TOO_SLOW, sentence)
        if isinstance(self._unsettled, Refusal):
            return self._unsettled.response
        line = "" if self._unsettled is None else self._unsettled.line
        sentence = VerdictPhrase.NO_CONTENT(command=repr(command))
        raise ForfeitError(Termination.UNPARSABLE_MOVE, sentence, line)

    async def _receive(self) -> None:
        """Wait for output and process its lines or its end."""
        try:
            data = await receive(self._carrier.receive, CHUNK)
        except ForfeitError as lost:
            if not self._is_late:
                await self._note_end(lost.sentence)
            return
        if data:
            self._note(data)
        else:
            await self._note_end()

    async def _take_what_is_there(self) -> None:
        """Process the available output."""
        while self._fault is None and await self._take_some():
            pass

    async def _take_some(self, patience: float = 0.0) -> bool:
        """Process available output, of at most CHUNK bytes, or its end; return False if there is none.

        Args:
            patience: see :func:`~quoridor_net.net.sockets.has_input`.
        """
        if not has_input(self._carrier.receive, patience):
            return False
        try:
            data = await receive_now(self._carrier.receive, CHUNK)
        except ForfeitError as lost:
            await self._note_end(lost.sentence)
            return True
        if data:
            self._note(data)
        elif data is not None:
            await self._note_end()
        return data is not None

    def _note(self, data: bytes) -> None:
        if self._transcript is not None:
            self._transcript.to_client(1, data)
        try:
            self._role.receive_data(data)
            while (event := self._role.next_event()) is not NEED_DATA:
                if isinstance(event, Response):
                    self._response = event
                    self._has_answered = True
                elif isinstance(event, EmptyAnswer | Refusal):
                    self._unsettled = event
                else:
                    self._noise.append(event.line)
        except RemoteProtocolError as error:
            self._fault = error

    async def _note_end(self, lost: str = "") -> None:
        if not self._has_answered:
            # Whether it ends before or after the first command is sent depends on the machine.
            when = VerdictPhrase.UNANSWERED()
        elif self._is_asking:
            when = VerdictPhrase.ON_COMMAND(command=repr(self._role.command))
        else:
            when = VerdictPhrase.UNASKED()
        noise = tuple(self._noise)
        self._fault = await self._carrier.explain_end(when, noise, lost, has_answered=self._has_answered)
        if self._transcript is not None:
            self._transcript.note_last_words(self._carrier.last_words)

    async def watch(self) -> ForfeitError:
        """Wait for a fault of the engine outside its answers and return it."""
        while self._fault is None:
            with trio.move_on_after(WATCH_TIME):
                await self._carrier.ended.wait()
            if self not in _BUSY:
                await self._take_what_is_there()
        # The task that waits for an answer gets the fault first.
        if self in _BUSY:
            await self._idle.wait()
        return self._fault

    async def answers_after_end_of_input(self, seconds: float) -> bool:
        """Close the engine's input; return whether it answers then, which shows that it does not flush."""
        await self._carrier.send.aclose()
        with deadlines.move_on_after(seconds):
            while self._response is None and self._fault is None:
                await self._receive()
        return self._response is not None

    async def quit(self) -> None:
        """Send ``quit`` and wait briefly for the engine to exit."""
        if not self.is_sound:
            return
        with contextlib.suppress(ForfeitError):
            await self.ask("quit", QUIT_TIME)
        with trio.move_on_after(QUIT_TIME):
            with contextlib.suppress(*LOST):
                await self._carrier.send.aclose()
            while self._fault is None:
                await self._receive()


@asynccontextmanager
async def open_link(
    address: EngineAddress,
    limits: ProgramLimits | None = None,
    extra_arguments: Sequence[str] = (),
    is_terminal: bool = False,
    transcript: Transcript | None = None,
    report: Callable[[str], None] = ignore,
) -> AsyncIterator[EngineLink]:
    """Start an engine or connect to one; stop all its processes at the end.

    Args:
        address: the engine.
        limits: resource limits of a program; they do not apply to engines reached over TCP.
        extra_arguments: arguments appended to the command.
        is_terminal: see :func:`~quoridor_net.programs.process.start_process`.
        transcript: records all lines; the engine is S1.
        report: see :meth:`~quoridor_net.programs.process.EngineProcess.drain_stderr`.

    Raises:
        ForfeitError: the engine accepts no connection.
        OSError: the system cannot start a process, or has no descriptors for a connection.
    """
    carrier: _ProcessCarrier | _TcpCarrier
    tasks: list[Callable[[], Awaitable[None]]] = []
    if address.command:
        limits = limits or ProgramLimits()
        command = [*address.command, *extra_arguments]
        process = start_process(command, limits, is_terminal, folder=address.folder)
        tasks += [partial(process.drain_stderr, report), process.wait]
        carrier = _ProcessCarrier(process, limits, extra_arguments)
    else:
        try:
            carrier = _TcpCarrier(await connect(address.host, address.port, CONNECT_TIME))
        except OSError as error:
            if lack_of(error) is not None:
                raise
            sentence = VerdictPhrase.NO_CONNECTION(reason=reason_of(error))
            raise ForfeitError(Termination.DISCONNECTED, sentence) from None
    link = EngineLink(carrier, transcript)
    try:
        async with trio.open_nursery() as nursery:
            for task in tasks:
                nursery.start_soon(task)
            yield link
            await link.quit()
            nursery.cancel_scope.cancel()
    finally:
        _BUSY.discard(link)
        await carrier.close()
