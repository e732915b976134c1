"""Starts the program that is checked, and gets rid of it again."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

import trio
from trio.abc import Stream

from quoridor_net.check.findings import Finding
from quoridor_net.net import deadlines
from quoridor_net.net.errors import LOST
from quoridor_net.net.sockets import tune
from quoridor_net.output import ignore
from quoridor_net.programs.plain import start_plain_process
from quoridor_net.programs.process import UNLIMITED, Program, ProgramLimits, start_process
from quoridor_net.programs.unix import can_limit_programs
from quoridor_net.text import visible

HOST = "127.0.0.1"

#: In a command: where the addresses of the checker's servers go, each as a word of its own.
ADDRESSES = "{addresses}"
#: The same where there is only one server; it may be a part of a word.
ADDRESS = "{address}"


#: Seconds in which connections of a program that has ended can still come in.
LAST_CONNECTIONS = 0.2


class LaunchError(Exception):
    """The program cannot be started, or did not connect; the message says why."""


class Launch(Protocol):
    """Starts a program that connects to ``servers`` servers, for as long as the context lasts.

    What its body raises comes out in a group.
    """

    def __call__(self, servers: int) -> AbstractAsyncContextManager[Sequence[Stream]]:
        """Give the servers' ends of its connections, as soon as one of them is there.

        Those of the others wait for theirs. If one does not come, the body is cancelled, and LaunchError
        raised.
        """


class AwaitedStream(Stream):
    """The end of a connection that may be still to come."""

    def __init__(self) -> None:
        self._stream: Stream | None = None
        self._has_come = trio.Event()

    def begin(self, stream: Stream) -> None:
        """Note that the connection is there."""
        self._stream = stream
        self._has_come.set()

    async def _connected(self) -> Stream:
        await self._has_come.wait()
        assert self._stream is not None
        return self._stream

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send ``data`` when the connection is there."""
        await (await self._connected()).send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        """Wait until sending might not block."""
        await (await self._connected()).wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Return what comes, once the connection is there."""
        return bytes(await (await self._connected()).receive_some(max_bytes))

    async def aclose(self) -> None:
        """Close the connection if it is there."""
        if self._stream is None:
            await trio.lowlevel.checkpoint()
        else:
            await self._stream.aclose()


@asynccontextmanager
async def running(
    command: Sequence[str],
    note: Callable[[str], None],
    limits: ProgramLimits = UNLIMITED,
    *,
    drains: bool = True,
) -> AsyncIterator[Program]:
    """Run ``command`` until the context ends; nothing of it is left then.

    Args:
        command: the program and its arguments.
        note: gets a sentence without its subject when the program has ended by a failure of its own.
        limits: of memory and processor time, where the system supports them.
        drains: whether its standard output is read and dropped.

    Raises:
        LaunchError: the system cannot start a process.
    """
    try:
        process: Program
        if can_limit_programs():
            # Not every referee helps a program to flush.
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
                nursery.start_soon(_drop, process)
            yield process
            if process.status is not None and process.status.code:
                note(await _end_of(process))
            nursery.cancel_scope.cancel()
    finally:
        await process.close()


async def _drop(process: Program) -> None:
    with contextlib.suppress(*LOST):
        while await process.stdout.receive_some(65536):
            pass


async def linger(finding: Finding) -> None:
    """Give a program that has closed its connection the time to say why."""
    if finding.closed:
        # Longer than it takes to find that others are missing, which says more.
        await trio.sleep(2 * LAST_CONNECTIONS)


def speaking(
    command: Sequence[str], note: Callable[[str], None] = ignore, limits: ProgramLimits | None = None
) -> Callable[[], AbstractAsyncContextManager[Stream]]:
    """Return how to start ``command``, whose standard input and output are the conversation.

    Args:
        command: the program and its arguments.
        note: gets a sentence without its subject when the program has ended by a failure of its own.
        limits: of memory and processor time; None for the defaults.
    """

    @asynccontextmanager
    async def start() -> AsyncIterator[Stream]:
        async with running(command, note, limits or ProgramLimits(), drains=False) as process:
            yield trio.StapledStream(process.stdin, process.stdout)

    return start


def connecting(command: Sequence[str], seconds: float, note: Callable[[str], None] = ignore) -> Launch:
    """Return how to start ``command``, whose words ``{addresses}`` or ``{address}`` say where to connect.

    Args:
        command: the program and its arguments.
        seconds: how long its connections are waited for.
        note: gets a sentence without its subject when the program has ended by a failure of its own.
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
            async with running(fill_in(command, addresses), note) as process, trio.open_nursery() as nursery:
                nursery.start_soon(accept_all, process, nursery.cancel_scope)
                await first.wait()
                yield streams
                nursery.cancel_scope.cancel()
            # Out here, where no nursery wraps it.
            if why:
                raise LaunchError(why)
        finally:
            for stream in (*streams, *listeners):
                await trio.aclose_forcefully(stream)

    return launch


async def _give_up(process: Program, scope: trio.CancelScope) -> None:
    """End the waiting for connections when the program has ended."""
    await process.ended.wait()
    await trio.sleep(LAST_CONNECTIONS)
    scope.cancel()


def fill_in(command: Sequence[str], addresses: Sequence[str]) -> list[str]:
    """Return ``command`` with addresses where they belong."""
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
    connections = "a connection is" if missing == 1 else f"{missing} connections are"
    if process.status is None:
        return f"{connections} missing after {seconds:g} s"
    return f"{connections} missing, and it {await _end_of(process)}"


async def _end_of(process: Program) -> str:
    """Return how a program ended, with the last line of what it wrote to its standard error."""
    words = (await process.last_words()).decode("utf-8", "replace").strip()
    last = visible(words.rpartition("\n")[2].rstrip("."))
    return f"{process.status}" + (f": {last}" if last else "")
