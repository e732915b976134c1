"""Programs to grade: how to reach or start them, check them, and get a player for each game."""

from __future__ import annotations

import abc
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

import trio
from attrs import frozen

from quoridor_net.check.athens.run import check_engine
from quoridor_net.check.athens.seed import SEED
from quoridor_net.check.findings import CheckOutcome, Report
from quoridor_net.check.lan_server.run import check_launched_server, check_server
from quoridor_net.check.lan_server.server import GAP, Patience
from quoridor_net.check.launching import (
    CONNECT_TIME,
    PORT,
    Connect,
    LaunchError,
    ProgramFailure,
    launch_engine,
    launch_server,
    parse_server,
)
from quoridor_net.check.pace import Pace
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.output import ignore
from quoridor_net.players import Player
from quoridor_net.players.athens import AthensPlayer
from quoridor_net.players.greeting import Greeting, connect, greet_on
from quoridor_net.players.server import ServerSource
from quoridor_net.players.source import SourceSettings
from quoridor_net.players.spec import parse_spec
from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.process import MEMORY_LIMIT, ProgramLimits
from quoridor_net.programs.source import EngineSettings, EngineSource, open_engines
from quoridor_net.rules import Move, Position
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.system import command_line

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
        picture: the picture of boards in its protocol.
        allowance: what it may use.

    Attributes:
        remarks: clauses about its failures and quirks, without a subject.
    """

    def __init__(self, title: str, picture: BoardPicture, allowance: Allowance) -> None:
        self.title = title
        self.picture = picture
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

    def name_of(self, player: Player[Position, Move]) -> str:
        """Return the name that the program gave, after a game of ``player``."""
        return player.name

    def remark_failure(self, failure: ProgramFailure) -> None:
        """Add a remark on how the program failed, once."""
        self.remark(failure.sentence)

    def remark(self, clause: str) -> None:
        """Add a remark, once."""
        if clause not in self.remarks:
            self.remarks.append(clause)


class RunningServer(Subject):
    """A move server of the 2016 protocol that is already running at ``endpoint``."""

    def __init__(self, endpoint: Endpoint, allowance: Allowance) -> None:
        super().__init__(f"move server {endpoint}", BoardPicture.LAN, allowance)
        self._endpoint = endpoint

    async def check(self, progress: Progress, stop: trio.CancelScope, pace: Pace) -> Report:
        """Run all checks; see :meth:`Subject.check`."""
        dial = partial(connect, self._endpoint, CONNECT_TIME)
        patience = Patience(self.allowance.move_time, self.allowance.gap)
        return await check_server(dial, self.title, patience, progress=progress, stop=stop, pace=pace)

    async def player(self) -> Player[Position, Move]:
        """Return the player of a new connection; see :meth:`Subject.player`."""
        settings = SourceSettings(patience=self.allowance.start_time, gap=self.allowance.gap)
        try:
            return await ServerSource(parse_spec(str(self._endpoint)), settings).player(None)
        except ForfeitError as fault:
            raise GoneError(f"{fault.sentence}. {_ADVICE}") from None


@frozen
class _Run:
    """One run of a server's program.

    Attributes:
        connect: opens a connection to it.
        scope: cancelled to kill it.
        over: set when nothing of it is left.
    """

    connect: Connect
    scope: trio.CancelScope
    over: trio.Event


class StartedServer(Subject):
    """A move server of the 2016 protocol, started for each check and for its games, again when it ends.

    Args:
        command: the program and its arguments, with ``{port}`` unless its output names its port.
        allowance: what it may use.
        port: its port, if the command does not contain ``{port}``; None to read it from its output.
    """

    def __init__(self, command: Sequence[str], allowance: Allowance, port: int | None = None) -> None:
        shown = command_line(command).replace(f"'{PORT}'", PORT)
        super().__init__(f"move server {shown}", BoardPicture.LAN, allowance)
        self._launch = launch_server(command, allowance.start_time, self.remark_failure, port)
        self._nursery: trio.Nursery | None = None
        self._run: _Run | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Run the program when it is needed for a game, and kill it at the end."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            yield
            nursery.cancel_scope.cancel()

    async def check(self, progress: Progress, stop: trio.CancelScope, pace: Pace) -> Report:
        """Run all checks; see :meth:`Subject.check`."""
        patience = Patience(self.allowance.move_time, self.allowance.gap)
        return await check_launched_server(
            self._launch, self.title, patience, progress=progress, stop=stop, pace=pace
        )

    async def player(self) -> Player[Position, Move]:
        """Return the player of a new connection; see :meth:`Subject.player`."""
        # A program that plays only one game accepts no other connection, or never answers on it.
        is_new = self._run is None
        try:
            return await self._greet()
        except (OSError, ForfeitError) as failure:
            if is_new:
                raise GoneError(_sentence_of(failure)) from None
            if isinstance(failure, ForfeitError) and failure.termination is not Termination.DISCONNECTED:
                self.remark(f"{failure.sentence}, and was restarted")
        await self._kill()
        try:
            return await self._greet()
        except (OSError, ForfeitError) as failure:
            raise GoneError(_sentence_of(failure)) from None

    async def _greet(self) -> Player[Position, Move]:
        """Return the player of a new connection, to a new run if there is none.

        Raises:
            OSError: it cannot be reached.
            ForfeitError: it does not give its name.
            GoneError: it cannot be started, or does not listen.
        """
        try:
            if self._run is None:
                assert self._nursery is not None
                started: _Run | LaunchError = await self._nursery.start(self._run_once)
                if isinstance(started, LaunchError):
                    raise started
                self._run = started
            stream = await self._run.connect()
        except LaunchError as error:
            raise GoneError(str(error)) from None
        assert isinstance(stream, trio.SocketStream)
        return await greet_on(stream, Greeting(0.0, self.allowance.start_time, self.allowance.gap))

    async def _run_once(self, task_status: trio.TaskStatus[_Run | LaunchError]) -> None:
        """Run the program until it is killed."""
        over = trio.Event()
        try:
            with trio.CancelScope() as scope:
                async with self._launch() as connect:
                    task_status.started(_Run(connect, scope, over))
                    await trio.sleep_forever()
        except LaunchError as error:
            task_status.started(error)
        over.set()

    async def _kill(self) -> None:
        run, self._run = self._run, None
        if run is not None:
            run.scope.cancel()
            await run.over.wait()


def _sentence_of(failure: OSError | ForfeitError) -> str:
    if isinstance(failure, ForfeitError):
        return failure.sentence
    return failure.strerror or str(failure)


def server_of(words: Sequence[str], allowance: Allowance) -> Subject:
    """Return the server that is running at ``HOST:PORT``, or that a command starts.

    Raises:
        ValueError: the words are neither; the message says what is expected.
    """
    program = parse_server(words)
    if isinstance(program, Endpoint):
        return RunningServer(program, allowance)
    return StartedServer(program, allowance)


class EngineProgram(Subject):
    """An engine of the Athens protocol.

    Args:
        command: the program and its arguments.
        allowance: what it may use.
    """

    def __init__(self, command: Sequence[str], allowance: Allowance) -> None:
        super().__init__(f"engine {command_line(command)}", BoardPicture.ATHENS, allowance)
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
        limits = ProgramLimits(self.allowance.memory)
        return await check_engine(
            launch_engine(self._command, self.remark_failure, limits),
            self.title,
            self.allowance.move_time,
            progress=progress,
            stop=stop,
            pace=pace,
            start_with_seed=launch_engine((*self._command, *SEED), limits=limits),
        )

    async def player(self) -> Player[Position, Move]:
        """Return a player that starts its process when the game begins, unless one is idle."""
        assert self._engines is not None
        await trio.lowlevel.checkpoint()
        return AthensPlayer(self._engines)

    def name_of(self, player: Player[Position, Move]) -> str:
        """Return the answer of the engine to ``name``; see :meth:`Subject.name_of`."""
        assert self._engines is not None
        return self._engines.name or player.name
