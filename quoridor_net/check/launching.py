"""Starts and stops the program to check."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Protocol

import trio
from attrs import define, frozen
from trio.abc import ReceiveStream, Stream

from quoridor_net.check.findings import Finding
from quoridor_net.net import deadlines
from quoridor_net.net.endpoint import Endpoint, parse_endpoint
from quoridor_net.net.errors import LOST
from quoridor_net.net.sockets import tune
from quoridor_net.output import ignore
from quoridor_net.programs.last_words import find_exception, find_telling_line, is_frame, last_lines
from quoridor_net.programs.plain import start_plain_process
from quoridor_net.programs.process import UNLIMITED, Program, ProgramLimits, start_process
from quoridor_net.programs.unix import can_limit_programs

HOST = "127.0.0.1"

#: Placeholder in a command for the addresses of the checker's servers, each as a word of its own.
ADDRESSES = "{addresses}"
#: Placeholder for the address of the only server; it may be part of a word.
ADDRESS = "{address}"

#: Time for connections of a program to arrive after it has ended, in seconds.
LAST_CONNECTIONS = 0.2

#: Time for a program to end after it has closed its connection, in seconds; longer than it takes to notice
#: missing connections, because that report says more.
LAST_WORDS = 2 * LAST_CONNECTIONS

#: Placeholder for a free port, which may be part of a word.
PORT = "{port}"

#: Time for a program that has printed an exception to end, in seconds.
ENDING_TIME = 0.5

#: Interval between attempts to connect to a server that has just been started, in seconds.
RETRY = 0.02

#: Time to keep retrying a server that has just ended a game, in seconds.
CONNECT_TIME = 1.0

#: Ports in the output of a server: a number after the word or a colon, or else any number that can be one.
_NAMED_PORT = re.compile(r"(?:port\D{0,20}|:)(\d{4,5})\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d{4,5}")
_AROUND_NUMBERS = "()[]'\".,;:!="
#: A port is looked for in this many bytes at the beginning of the output.
MAX_PRINTED = 16384
#: The ports that a server of a student can listen on, and the maximum number of those tried.
_PLAUSIBLE = range(1024, 65536)
_MOST_PORTS = 4

#: Opens a connection to a server.
Connect = Callable[[], Awaitable[Stream]]

#: Starts a server, yields a function that connects to it, and kills it with the end of the context.
ServerLaunch = Callable[[], AbstractAsyncContextManager[Connect]]


@frozen
class ProgramFailure:
    """How a program failed by itself.

    Attributes:
        sentence: a sentence without its subject and its full stop.
        last_words: the last lines of its standard error.
    """

    sentence: str
    last_words: Sequence[bytes] = ()


class LaunchError(Exception):
    """The program could not be started or did not connect; the message is a sentence without its subject."""


class Launch(Protocol):
    """A way to start a program that connects to ``servers`` servers, and to end it with the context.

    An exception raised in the body leaves the context inside an exception group.
    """

    def __call__(self, servers: int) -> AbstractAsyncContextManager[Sequence[Stream]]:
        """Yield the servers' ends of its connections as soon as the program has opened one of them.

        The other streams wait for their connection. If one does not arrive, the body is cancelled and
        LaunchError raised.
        """


class AwaitedStream(Stream):
    """A stream whose connection may not exist yet."""

    def __init__(self) -> None:
        self._stream: Stream | None = None
        self._has_come = trio.Event()

    def begin(self, stream: Stream) -> None:
        """Use ``stream`` as the connection."""
        self._stream = stream
        self._has_come.set()

    async def _wait_connected(self) -> Stream:
        await self._has_come.wait()
        assert self._stream is not None
        return self._stream

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send ``data`` once the connection exists."""
        await (await self._wait_connected()).send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        """Wait until sending might not block."""
        await (await self._wait_connected()).wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Receive bytes once the connection exists."""
        return bytes(await (await self._wait_connected()).receive_some(max_bytes))

    async def aclose(self) -> None:
        """Close the connection if it exists."""
        if self._stream is None:
            await trio.lowlevel.checkpoint()
        else:
            await self._stream.aclose()


def refuse_quoted(command: Sequence[str]) -> None:
    """Reject a command in quotation marks, which the shell passes on as the name of one program.

    Raises:
        ValueError: the message says how to write it.
    """
    if len(command) == 1 and " " in command[0] and not Path(command[0]).exists():
        raise ValueError(
            f"{command[0]!r} is a single word because of its quotation marks: leave them out, as in -- "
            f"{command[0]}"
        )


def parse_server(words: Sequence[str]) -> Endpoint | tuple[str, ...]:
    """Return the address of a running server, or the command that starts one.

    Raises:
        ValueError: the words are neither; the message says what is expected.
    """
    refuse_quoted(words)
    first = words[0]
    if len(words) > 1 or os.sep in first or PORT in first or shutil.which(first) is not None:
        return tuple(words)
    try:
        return parse_endpoint(first)
    except ValueError as error:
        raise ValueError(f"{error}, or a command") from None


@asynccontextmanager
async def run_program(
    command: Sequence[str],
    note: Callable[[ProgramFailure], None],
    limits: ProgramLimits = UNLIMITED,
    *,
    drains: bool = True,
    hear: Callable[[bytes], None] = ignore,
) -> AsyncIterator[Program]:
    """Run ``command`` until the context ends, then kill what is left of it.

    Args:
        command: the program and its arguments.
        note: called if the program fails by itself.
        limits: limits on memory and processor time, where the system supports them.
        drains: whether to read its standard output.
        hear: called with its standard output, piece by piece.

    Raises:
        LaunchError: the system cannot start a process.
    """
    try:
        process: Program
        if can_limit_programs():
            # Other referees may not disable buffering, so a program that does not flush must be found here.
            process = start_process(command, limits, is_unbuffered=False)
        else:
            process = await start_plain_process(command)
    except OSError as error:
        raise LaunchError(f"cannot be started: {error.strerror or error}") from None
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(process.drain_stderr)
            nursery.start_soon(process.wait)
            if drains:
                nursery.start_soon(_drain, process, hear)
            yield process
            await _note_failure(process, note)
            nursery.cancel_scope.cancel()
    finally:
        await process.close()


async def _note_failure(process: Program, note: Callable[[ProgramFailure], None]) -> None:
    exception = find_exception(process.said) if process.status is None else ""
    if exception:
        # It is about to end, unless it survives an exception in the thread of one connection.
        with trio.move_on_after(ENDING_TIME):
            await process.ended.wait()
    if process.status is None:
        if exception:
            note(ProgramFailure(f"printed {exception.rstrip('.')}", last_lines(process.said)))
    elif process.status.code:
        note(ProgramFailure(await _end_of(process), last_lines(await process.last_words())))


async def _drain(process: Program, hear: Callable[[bytes], None]) -> None:
    with contextlib.suppress(*LOST):
        while data := await process.stdout.receive_some(65536):
            hear(bytes(data))


async def linger(finding: Finding) -> None:
    """Give a program that has closed its connection time to say why."""
    if finding.closed:
        await trio.sleep(LAST_WORDS)


@frozen
class EngineOutput(ReceiveStream):
    """The output of an engine, which ends when the engine does, so that its exit status is known.

    Attributes:
        process: the engine.
    """

    process: Program

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Receive bytes; at the end of the output, wait for the engine to end."""
        data = bytes(await self.process.stdout.receive_some(max_bytes))
        if not data:
            with trio.move_on_after(LAST_WORDS):
                await self.process.ended.wait()
        return data

    async def aclose(self) -> None:
        """Close the output."""
        await self.process.stdout.aclose()


def launch_engine(
    command: Sequence[str],
    note: Callable[[ProgramFailure], None] = ignore,
    limits: ProgramLimits | None = None,
) -> Callable[[], AbstractAsyncContextManager[Stream]]:
    """Return a function that starts ``command`` and talks to its standard input and output.

    Args:
        command: the program and its arguments.
        note: called if the program fails by itself.
        limits: limits on memory and processor time; None for the defaults.
    """

    @asynccontextmanager
    async def start() -> AsyncIterator[Stream]:
        async with run_program(command, note, limits or ProgramLimits(), drains=False) as process:
            yield trio.StapledStream(process.stdin, EngineOutput(process))

    return start


def launch_client(
    command: Sequence[str], seconds: float, note: Callable[[ProgramFailure], None] = ignore
) -> Launch:
    """Return a function that starts ``command``, with addresses in place of ``{addresses}`` or ``{address}``.

    Args:
        command: the program and its arguments.
        seconds: time limit for its connections, in seconds.
        note: called if the program fails by itself.
    """

    @asynccontextmanager
    async def launch(servers: int) -> AsyncIterator[Sequence[Stream]]:
        listeners = [(await trio.open_tcp_listeners(0, host=HOST))[0] for _ in range(servers)]
        addresses = [f"{HOST}:{listener.socket.getsockname()[1]}" for listener in listeners]
        streams = [AwaitedStream() for _ in range(servers)]
        missing, why, first = servers, "", trio.Event()

        async def accept(number: int) -> None:
            nonlocal missing
            stream = await listeners[number].accept()
            tune(stream)
            streams[number].begin(stream)
            missing -= 1
            first.set()

        async def accept_all(process: Program, body: trio.CancelScope) -> None:
            nonlocal why
            with deadlines.move_on_after(seconds) as scope:
                async with trio.open_nursery() as watching:
                    watching.start_soon(_give_up, process, scope)
                    async with trio.open_nursery() as nursery:
                        for number in range(servers):
                            nursery.start_soon(accept, number)
                    watching.cancel_scope.cancel()
            if missing:
                why = await _why_missing(process, missing, seconds)
                body.cancel()

        try:
            filled_in = fill_in(command, addresses)
            async with run_program(filled_in, note) as process, trio.open_nursery() as nursery:
                nursery.start_soon(accept_all, process, nursery.cancel_scope)
                await first.wait()
                yield streams
                nursery.cancel_scope.cancel()
            # Raise it outside the nursery, which would wrap it in a group.
            if why:
                raise LaunchError(why)
        finally:
            for stream in (*streams, *listeners):
                await trio.aclose_forcefully(stream)

    return launch


def launch_server(
    command: Sequence[str],
    seconds: float,
    note: Callable[[ProgramFailure], None] = ignore,
    port: int | None = None,
) -> ServerLaunch:
    """Return a function that starts ``command``, with a free port in place of ``{port}``.

    Args:
        command: the program and its arguments.
        seconds: time limit for it to listen, in seconds.
        note: called if the program fails by itself.
        port: its port, if the command does not contain ``{port}``; None to read it from its output.
    """

    @asynccontextmanager
    async def launch() -> AsyncIterator[Connect]:
        number = port
        if any(PORT in word for word in command):
            number = await find_free_port()
        words = [word.replace(PORT, str(number)) for word in command]
        printed = bytearray()

        def hear(data: bytes) -> None:
            # The port stands among the first lines.
            printed.extend(data[: MAX_PRINTED - len(printed)])

        async with run_program(words, note, hear=hear) as process:
            yield StartedServer(process, number, printed, seconds).connect

    return launch


async def find_free_port() -> int:
    """Return a free port."""
    (listener,) = await trio.open_tcp_listeners(0, host=HOST)
    async with listener:
        return int(listener.socket.getsockname()[1])


@define
class StartedServer:
    """A server that the checker has started.

    Attributes:
        process: the process.
        port: its port; None to read it from its output.
        printed: the beginning of its standard output so far.
        seconds: time limit for it to listen, in seconds.
        is_reached: whether a connection has succeeded.
    """

    process: Program
    port: int | None
    printed: bytearray
    seconds: float
    is_reached: bool = False

    async def connect(self) -> Stream:
        """Return a connection.

        Raises:
            LaunchError: it ended or did not listen in time.
            OSError: it was reached before, but this connection failed.
        """
        until = trio.current_time() + (CONNECT_TIME if self.is_reached else self.seconds)
        error: OSError = ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
        while True:
            # Only then no connection can come after the program has ended.
            is_ended = self.process.ended.is_set()
            ports = [self.port] if self.port else self._find_printed_ports()
            for port in ports:
                try:
                    stream = await trio.open_tcp_stream("localhost", port)
                except OSError as failure:
                    error = error if failure.errno is None else failure
                else:
                    tune(stream)
                    # Other numbers in its output, such as sizes, do not matter any more.
                    self.port = port
                    self.is_reached = True
                    return stream
            if is_ended or trio.current_time() > until:
                if self.is_reached:
                    raise error
                raise LaunchError(await self._why_not_reached(ports, is_ended=is_ended))
            await trio.sleep(RETRY)

    def _find_printed_ports(self) -> list[int]:
        return find_ports(bytes(self.printed)) or find_ports(self.process.said)

    async def _why_not_reached(self, ports: Sequence[int], *, is_ended: bool) -> str:
        what = f"did not listen on port {ports[0]}" if ports else "did not print its port"
        if is_ended:
            return f"{what}, because it {await _end_of(self.process)}"
        within = f"{what} within {self.seconds:g} s"
        if not ports:
            return f"{within}. Put {PORT} among its arguments, or name the port with --port"
        for other in self._find_printed_ports():
            if other not in ports and await _listens(other):
                return (
                    f"{within}, but on port {other}, which it printed. Make it use its argument, or leave"
                    f" {PORT} out, so that the port is read from its output"
                )
        return within


async def _listens(port: int) -> bool:
    try:
        stream = await trio.open_tcp_stream("localhost", port)
    except OSError:
        return False
    await trio.aclose_forcefully(stream)
    return True


def find_ports(printed: bytes) -> list[int]:
    """Return the ports that a server's output may name, the likeliest first."""
    lines = [line for line in printed.decode("utf-8", "replace").splitlines() if not is_frame(line)]
    ports = [int(match[1]) for line in lines for match in _NAMED_PORT.finditer(line)]
    words = (word.strip(_AROUND_NUMBERS) for line in lines for word in line.split())
    ports += [int(word) for word in words if _NUMBER.fullmatch(word)]
    return list(dict.fromkeys(port for port in ports if port in _PLAUSIBLE))[:_MOST_PORTS]


async def _give_up(process: Program, scope: trio.CancelScope) -> None:
    """Stop waiting for connections once the program has ended."""
    await process.ended.wait()
    await trio.sleep(LAST_CONNECTIONS)
    scope.cancel()


def fill_in(command: Sequence[str], addresses: Sequence[str]) -> list[str]:
    """Return ``command`` with addresses in place of the placeholders."""
    words: list[str] = []
    for word in command:
        if word == ADDRESSES:
            words += addresses
        else:
            host, _, port = addresses[0].rpartition(":")
            filled_word = word.replace(ADDRESS, addresses[0]).replace("{host}", host).replace("{port}", port)
            words.append(filled_word)
    return words


async def _why_missing(process: Program, missing: int, seconds: float) -> str:
    connections = "a connection" if missing == 1 else f"{missing} connections"
    if process.status is None:
        return f"did not open {connections} within {seconds:g} s"
    return f"did not open {connections}, because it {await _end_of(process)}"


async def _end_of(process: Program) -> str:
    """Describe how a program ended, with the line of its standard error that tells why."""
    last = find_telling_line(await process.last_words()).rstrip(".")
    return f"{process.status}" + (f": {last}" if last else "")
