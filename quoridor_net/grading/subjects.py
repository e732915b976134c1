"""Programs to grade: how to reach or start them, check them, and get a player for each game."""

from __future__ import annotations

import abc
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import trio
from attrs import frozen

from quoridor_net.check.athens.run import check_engine
from quoridor_net.check.findings import CheckOutcome, Report
from quoridor_net.check.lan_server.run import check_server
from quoridor_net.check.lan_server.server import GAP, Patience
from quoridor_net.check.launching import (
    HOST,
    LaunchError,
    fill_in,
    find_free_port,
    launch_engine,
    run_program,
)
from quoridor_net.check.pace import Pace
from quoridor_net.net.endpoint import Endpoint, parse_endpoint
from quoridor_net.notation import Notation, athens, lan
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.output import ignore
from quoridor_net.players import Player
from quoridor_net.players.athens import AthensPlayer
from quoridor_net.players.greeting import RETRY, Greeting, connect, greet_on
from quoridor_net.players.server import ServerSource
from quoridor_net.players.source import SourceSettings
from quoridor_net.players.spec import parse_spec
from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.process import MEMORY_LIMIT, Program, ProgramLimits
from quoridor_net.programs.source import EngineSettings, EngineSource, open_engines
from quoridor_net.rules import STANDARD_SIZE, Move, Position
from quoridor_net.system import command_line

#: Placeholder in the command of a move server for the port that it must listen on.
PORT = "{port}"

#: Time to keep retrying a connection of the checker to a server that has just ended a game, in seconds.
CONNECT_TIME = 1.0

#: Advice about a server that is gone and was not started by the grading.
_ADVICE = f"If it plays one game only, grade it by its command: quoridor grade server -- COMMAND {PORT}"

#: Called with the outcome of every check.
Progress = Callable[[CheckOutcome], None]


@frozen
class Allowance:
    """What a program may use.

    Attributes:
        move_time: time limit for each answer and each move, in seconds.
        start_time: timeout for its start and its greeting, in seconds.
        gap: minimum delay between messages to a server that has sent nothing in between, in seconds.
        memory: address space of each process of an engine, in MiB; None for no limit.
    """

    move_time: float = 10.0
    start_time: float = 10.0
    gap: float = GAP
    memory: int | None = MEMORY_LIMIT


class GoneError(Exception):
    """The program cannot play another game; the message is a clause without its subject."""


class Subject(abc.ABC):
    """A program to grade.

    Args:
        title: its kind and address, for people.
        notation: the notation of its protocol.
        allowance: what it may use.

    Attributes:
        remarks: clauses about its failures and quirks, without a subject.
    """

    def __init__(self, title: str, notation: Notation, allowance: Allowance) -> None:
        self.title = title
        self.notation = notation
        self.allowance = allowance
        self.remarks: list[str] = []

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Keep what its games need for the duration of the context; nothing of it runs afterwards."""
        yield

    @abc.abstractmethod
    async def check(self, progress: Progress, stop: trio.CancelScope, pace: Pace) -> Report:
        """Run all checks.

        Args:
            progress: called with the outcome of every check.
            stop: cancelled to end early, with the findings so far.
            pace: time limit for all answers together.

        Raises:
            LaunchError: the program cannot be started.
        """

    @abc.abstractmethod
    async def player(self) -> Player[Position, Move]:
        """Return its player for one game.

        Raises:
            GoneError: it cannot be reached or started any more.
            OSError: this machine lacks the resources for it.
        """

    def remark(self, clause: str) -> None:
        """Add a remark, once."""
        if clause not in self.remarks:
            self.remarks.append(clause)


class _Server(Subject):
    """A move server of the 2016 protocol."""

    async def check(self, progress: Progress, stop: trio.CancelScope, pace: Pace) -> Report:
        """Run all checks; see :meth:`Subject.check`."""
        patience = Patience(self.allowance.move_time, self.allowance.gap)
        return await check_server(
            self._connect, self.title, patience, progress=progress, stop=stop, pace=pace
        )

    @abc.abstractmethod
    async def _connect(self) -> trio.SocketStream:
        """Open a connection; raise OSError if that fails."""


class RunningServer(_Server):
    """A move server that is already running at ``endpoint``."""

    def __init__(self, endpoint: Endpoint, allowance: Allowance) -> None:
        super().__init__(f"move server {endpoint}", lan.LAN, allowance)
        self._endpoint = endpoint

    async def _connect(self) -> trio.SocketStream:
        return await connect(self._endpoint, CONNECT_TIME)

    async def player(self) -> Player[Position, Move]:
        """Return the player of a new connection; see :meth:`Subject.player`."""
        settings = SourceSettings(patience=self.allowance.start_time, gap=self.allowance.gap)
        try:
            return await ServerSource(parse_spec(str(self._endpoint)), settings).player(None)
        except ForfeitError as fault:
            raise GoneError(f"{fault.sentence}. {_ADVICE}") from None


class _Run:
    """One run of a server's program.

    Attributes:
        endpoint: where it should listen.
        process: its process.
        scope: cancelled to kill it.
        over: set when it is gone.
        why: how it failed, without a subject; empty if it did not.
        is_reached: whether it has accepted a connection.
    """

    def __init__(self, endpoint: Endpoint, process: Program) -> None:
        self.endpoint = endpoint
        self.process = process
        self.scope = trio.CancelScope()
        self.over = trio.Event()
        self.why = ""
        self.is_reached = False


class StartedServer(_Server):
    """A move server that is started for the grading, and again when it ends.

    Each run gets a port of its own, because the system keeps the port of a program that has just ended
    reserved for a while.

    Args:
        command: the program and its arguments, one of which contains ``{port}``.
        allowance: what it may use.
    """

    def __init__(self, command: Sequence[str], allowance: Allowance) -> None:
        shown = command_line(command).replace(f"'{PORT}'", PORT)
        super().__init__(f"move server {shown}", lan.LAN, allowance)
        self._command = tuple(command)
        self._nursery: trio.Nursery | None = None
        self._run: _Run | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Run the program when it is needed, and kill it at the end."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            yield
            nursery.cancel_scope.cancel()

    async def _connect(self) -> trio.SocketStream:
        deadline = trio.current_time() + self.allowance.start_time
        try:
            while True:
                run = await self._start()
                try:
                    # Every connection is used, because some servers accept only one.
                    stream = await connect(run.endpoint, 0.0)
                except OSError:
                    await self._wait_for(run, deadline)
                else:
                    run.is_reached = True
                    return stream
        except LaunchError as error:
            raise OSError(None, str(error)) from None

    async def _start(self) -> _Run:
        """Return the running program; start it if there is none.

        Raises:
            LaunchError: it cannot be started.
        """
        if self._run is None or self._run.process.ended.is_set():
            assert self._nursery is not None
            started: _Run | LaunchError = await self._nursery.start(self._run_once)
            if isinstance(started, LaunchError):
                raise started
            self._run = started
        return self._run

    async def _wait_for(self, run: _Run, deadline: float) -> None:
        """Wait a moment for a program that does not listen.

        Raises:
            LaunchError: it ended before it listened, or the deadline has passed.
        """
        with trio.move_on_after(RETRY):
            await run.over.wait()
        if run.over.is_set() and not run.is_reached:
            raise LaunchError(f"did not listen on its port, because it {run.why or run.process.status}")
        if trio.current_time() >= deadline:
            raise LaunchError(f"did not listen on its port within {self.allowance.start_time:g} s")

    async def _run_once(self, task_status: trio.TaskStatus[_Run | LaunchError]) -> None:
        """Run the program until it ends or is killed."""
        endpoint = Endpoint(HOST, await find_free_port())
        run: _Run | None = None

        def note(clause: str) -> None:
            assert run is not None
            run.why = clause
            self.remark(clause)

        try:
            async with run_program(fill_in(self._command, [str(endpoint)]), note) as process:
                run = _Run(endpoint, process)
                task_status.started(run)
                with run.scope:
                    await process.ended.wait()
        except LaunchError as error:
            task_status.started(error)
        if run is not None:
            run.over.set()

    async def player(self) -> Player[Position, Move]:
        """Return the player of a new connection; see :meth:`Subject.player`."""
        allowance = self.allowance
        greeting = Greeting(0.0, allowance.start_time, allowance.gap)
        deadline = trio.current_time() + allowance.start_time
        has_restarted = False
        while True:
            try:
                return await greet_on(await self._connect(), greeting)
            except OSError as error:
                raise GoneError(error.strerror or str(error)) from None
            except ForfeitError as fault:
                # A program that plays only one game ends, or never answers again.
                is_ending = fault.termination is Termination.DISCONNECTED
                if not is_ending or trio.current_time() >= deadline:
                    if has_restarted or self._run is None:
                        raise GoneError(fault.sentence) from None
                    self.remark(f"{fault.sentence}, and was restarted")
                    has_restarted = True
                    await self._kill(self._run)
            await trio.sleep(RETRY)

    async def _kill(self, run: _Run) -> None:
        run.scope.cancel()
        await run.over.wait()
        self._run = None


def server_of(words: Sequence[str], allowance: Allowance) -> Subject:
    """Return the server that is running at ``HOST:PORT``, or that a command with ``{port}`` starts.

    Raises:
        ValueError: the words are neither; the message says what is expected.
    """
    if any(PORT in word for word in words):
        return StartedServer(words, allowance)
    if len(words) > 1:
        raise ValueError(f"COMMAND must contain {PORT} in place of the port to listen on")
    try:
        return RunningServer(parse_endpoint("".join(words)), allowance)
    except ValueError as error:
        raise ValueError(f"{error}, or a command with {PORT}") from None


class EngineProgram(Subject):
    """An engine of the Athens protocol.

    Args:
        command: the program and its arguments.
        allowance: what it may use.
    """

    def __init__(self, command: Sequence[str], allowance: Allowance) -> None:
        super().__init__(f"engine {command_line(command)}", athens.notation(STANDARD_SIZE), allowance)
        self._command = tuple(command)
        self._engines: EngineSource | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Keep the processes between games, and kill them at the end."""
        settings = EngineSettings(
            EngineAddress(self._command),
            ProgramLimits(self.allowance.memory),
            start_time=self.allowance.start_time,
        )
        async with open_engines(settings, ignore) as engines:
            self._engines = engines
            yield
            for sentence in engines.remarks:
                self.remark(sentence)

    async def check(self, progress: Progress, stop: trio.CancelScope, pace: Pace) -> Report:
        """Run all checks; see :meth:`Subject.check`."""
        start = launch_engine(self._command, self.remark, ProgramLimits(self.allowance.memory))
        seconds = self.allowance.move_time
        return await check_engine(start, self.title, seconds, progress=progress, stop=stop, pace=pace)

    async def player(self) -> Player[Position, Move]:
        """Return a player that starts its process when the game begins, unless one is idle."""
        assert self._engines is not None
        await trio.lowlevel.checkpoint()
        return AthensPlayer(self._engines)
