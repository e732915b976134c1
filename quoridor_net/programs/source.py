"""Keep engines running between games, and hand them out to players."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import trio
from attrs import field, frozen

from quoridor_net.clocks import GameClock
from quoridor_net.outcome import ForfeitError
from quoridor_net.output import ignore
from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.link import EngineLink, open_link
from quoridor_net.programs.process import START_TIME, ProgramLimits
from quoridor_net.protocols.athens import is_understood
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.rules import Position, Termination
from quoridor_net.text import cut, visible
from quoridor_net.verdicts import VerdictPhrase

#: Time limit for answers of a program after the first, except to ``genmove``, in seconds.
REPLY_TIME = 10.0

#: Time limit for optional answers, to ``name``, ``known_command`` and ``winner``, in seconds.
NAME_TIME = 2.0

#: Maximum width of an engine's name, in columns.
_LONGEST_NAME = 80

#: The private command that gives this project's engine its time limits.
TIME_SETTINGS = "qn-time_settings"

#: Faults that may occur only because a process has played before.
_CRASHES = (Termination.ENGINE_CRASH, Termination.MEMORY_LIMIT, Termination.DISCONNECTED)

#: Time limit for a late answer after closing an engine's input, in seconds.
FLUSH_TIME = 1.0


@frozen
class EngineSettings:
    """Settings for starting engines and sending commands to them.

    Attributes:
        address: the program or TCP address.
        limits: resource limits of each program.
        seed: passed to the first program as ``-seed N``, as the course's referee does, and to the next as
            N + 1; None for no argument.
        is_kept: whether a program without a fault also plays the next game.
        start_time: time limit for the first answer of a program, in seconds.
        reply_time: time limit for later answers except to ``genmove``, in seconds.
        log: path of the transcripts without ``-1.log``, ``-2.log`` and so on, one for each program; None for
            no transcripts.
        times: clock and time limit of a move in seconds, sent to engines that have a command for them; None
            for no limit.
    """

    address: EngineAddress
    limits: ProgramLimits = field(factory=ProgramLimits)
    seed: int | None = None
    is_kept: bool = True
    start_time: float = START_TIME
    reply_time: float = REPLY_TIME
    log: Path | None = None
    times: tuple[GameClock | None, float | None] = (None, None)


class RunningEngine:
    """One running engine; ``seed`` is its ``-seed`` argument, None without one."""

    def __init__(self, link: EngineLink, settings: EngineSettings, seed: int | None) -> None:
        self.link = link
        #: Number of games it was set up for.
        self.games = 0
        #: Its answer to ``name``; empty without one.
        self.name = ""
        self.settings = settings
        self.seed = seed
        #: Size and walls of the trial game; None once it plays.
        self.tried_for: tuple[int, int] | None = None
        self.released = trio.Event()
        #: Set when all its processes are gone.
        self.gone = trio.Event()

    async def set_up(self, position: Position, walls: int) -> None:
        """Set the size, an empty board and the number of walls for a game like ``position``.

        Raises:
            ForfeitError: the engine is at fault or refuses.
        """
        first_time = self.settings.start_time if self.games == 0 else self.settings.reply_time
        self.games += 1
        commands = (f"boardsize {position.size}", "clear_board", f"walls {walls}")
        for command, seconds in zip(commands, (first_time, *[self.settings.reply_time] * 2), strict=True):
            response = await self.link.ask(command, seconds)
            if not response.is_success:
                # Stop here, because some engines crash on further commands after a refusal.
                is_read = is_understood(response.text)
                phrase = VerdictPhrase.REFUSED if is_read else VerdictPhrase.NOT_UNDERSTOOD
                raise ForfeitError(Termination.REFUSED_GAME, phrase(command=repr(command)), response.line)

    async def ask_optional_questions(self) -> bool:
        """Ask for the name and send the time limits; return whether the engine answered in time.

        Some engines ignore unknown commands or answer them late, and can then take no more commands.

        Raises:
            ForfeitError: the engine exited or floods.
        """
        try:
            named = await self.link.ask("name", NAME_TIME)
            if named.is_success:
                # One line, without characters that could control a terminal.
                text = named.text.encode("latin-1").decode("utf-8", "replace")
                self.name = cut(visible(" ".join(text.split())), _LONGEST_NAME, "...")
            if self.settings.times != (None, None):
                await self._tell_times()
        except ForfeitError as fault:
            if fault.termination is not Termination.TOO_SLOW:
                raise
        return self.link.is_sound

    async def _tell_times(self) -> None:
        response = await self.link.ask(f"known_command {TIME_SETTINGS}", NAME_TIME)
        if not response.is_success or response.text.lower() != "true":
            return
        clock, move_time = self.settings.times
        # Whole seconds and at least 1, because 0 means no limit.
        limits = (None if clock is None else clock.seconds, move_time)
        game, move = (0 if seconds is None else max(1, int(seconds)) for seconds in limits)
        await self.link.ask(f"{TIME_SETTINGS} {game} {move}", NAME_TIME)


class EngineSource:
    """A source of engines of one kind. Created by :func:`open_engines`."""

    def __init__(
        self, settings: EngineSettings, nursery: trio.Nursery, report: Callable[[str], None] = ignore
    ) -> None:
        self.settings = settings
        #: Remarks about harmless quirks.
        self.remarks: list[str] = []
        self._report = report
        #: Name of the engine started last; empty if it gave none.
        self.name = ""
        #: Whether every ``winner`` so far was answered.
        self.answers_winner = True
        # The same for all other optional commands.
        self._answers_questions = True
        self._nursery = nursery
        self._seeds: Iterator[int] = itertools.count(settings.seed or 0)
        self._logs = itertools.count(1)
        self._spare: list[RunningEngine] = []
        self._is_kept = settings.is_kept
        self._is_terminal = False

    async def acquire(
        self, position: Position, walls: int, trying: Callable[[RunningEngine], None] = ignore
    ) -> RunningEngine:
        """Return an engine, set up for a game like ``position``.

        Args:
            position: the start of the game.
            walls: number of walls of each player.
            trying: called with each engine before its setup, which may fail.

        Raises:
            ForfeitError: the engine is not available, or cannot play this game.
            OSError: the system cannot start a process or write the transcript, which is not the engine's
                fault.
        """
        while True:
            engine = self._spare.pop() if self._spare else await self._launch()
            trying(engine)
            if engine.tried_for == (position.size, walls):
                engine.tried_for = None
                return engine
            is_new = engine.games == 0
            try:
                await engine.set_up(position, walls)
                if is_new and not await self._get_to_know(engine):
                    await self._replace(engine)
                    continue
            except ForfeitError as fault:
                if is_new and not await self._needs_terminal(engine, fault):
                    self.release(engine)
                    raise
                if is_new:
                    self._is_terminal = True
                    self.remark("does not flush its output, so it is given a terminal")
                else:
                    # It may support one game only. Try a new process.
                    self._keep_none()
                    self.remark(f"{fault.sentence} before another game, so each game gets a new process")
                self.release(engine)
            except BaseException:
                self.release(engine)
                raise
            else:
                return engine

    async def introduce(self, position: Position, walls: int) -> None:
        """Set an engine up for a game like ``position``, and keep it for its first game.

        Raises:
            ForfeitError: the engine is not available, or cannot play this game.
            OSError: the system cannot start a process or write the transcript.
        """
        engine = await self.acquire(position, walls)
        engine.tried_for = (position.size, walls)
        self.release(engine)

    async def _get_to_know(self, engine: RunningEngine) -> bool:
        """Ask a new engine for its name; return False if it can take no more commands afterwards."""
        if not self._answers_questions:
            engine.name = self.name
            return True
        answers = await engine.ask_optional_questions()
        self.name = engine.name
        # Combined, because several new processes may be asked at the same time.
        self._answers_questions &= answers
        return answers

    async def _replace(self, engine: RunningEngine) -> None:
        """Stop a new engine; the next one gets its seed."""
        if engine.seed is not None:
            self._seeds = itertools.chain([engine.seed], self._seeds)
        self.release(engine)
        await engine.gone.wait()

    @property
    def has_spare(self) -> bool:
        """Whether a running or connected engine is idle."""
        return bool(self._spare)

    async def _needs_terminal(self, engine: RunningEngine, fault: ForfeitError) -> bool:
        """Return whether a silent engine only fails to flush its output into a pipe."""
        if fault.termination is not Termination.TOO_SLOW or not self.settings.address.command:
            return False
        return not self._is_terminal and await engine.link.answers_after_end_of_input(FLUSH_TIME)

    async def prepare(self) -> None:
        """Start or connect an engine for the first game.

        Raises:
            ForfeitError: the engine accepts no connection.
            OSError: the system cannot start a process or write the transcript.
        """
        self._spare.append(await self._launch())

    async def _launch(self) -> RunningEngine:
        started: RunningEngine | ForfeitError = await self._nursery.start(self._run_one)
        if isinstance(started, ForfeitError):
            raise started
        return started

    async def _run_one(self, task_status: trio.TaskStatus[RunningEngine | ForfeitError]) -> None:
        settings = self.settings
        engine: RunningEngine | None = None
        seed = None if settings.seed is None else next(self._seeds)
        arguments = [] if seed is None else ["-seed", str(seed)]
        try:
            with ExitStack() as stack:
                transcript = None
                if settings.log is not None:
                    path = settings.log.with_name(f"{settings.log.name}-{next(self._logs)}.log")
                    file = stack.enter_context(path.open("w", encoding="ascii", newline="\n"))
                    transcript = Transcript(file, trio.current_time)
                async with open_link(
                    settings.address, settings.limits, arguments, self._is_terminal, transcript, self._quote
                ) as link:
                    engine = RunningEngine(link, settings, seed)
                    task_status.started(engine)
                    await engine.released.wait()
        except ForfeitError as fault:
            task_status.started(fault)
        finally:
            if engine is not None:
                engine.gone.set()

    def release(self, engine: RunningEngine) -> None:
        """Take an engine back: keep it for the next game if possible, otherwise stop it."""
        if self._is_kept and engine.link.is_sound:
            self._spare.append(engine)
        else:
            engine.released.set()

    def judge(self, engine: RunningEngine, fault: ForfeitError) -> ForfeitError:
        """Return the verdict on a fault during a game: ``aborted`` if a reused process crashed.

        Some engines can play one game only, so from then on each game gets a new process. If that one crashes
        too, it loses.
        """
        if engine.games == 1 or fault.termination not in _CRASHES:
            return fault
        self._keep_none()
        self.remark(f"{fault.sentence} in a later game, so each game gets a new process")
        sentence = VerdictPhrase.IN_USED_PROCESS(did=fault.sentence)
        return ForfeitError(Termination.ABORTED, sentence, fault.line)

    def remark(self, sentence: str) -> None:
        """Keep a remark and report it, once even if several processes show the same quirk."""
        remark = f"{self.settings.address} {sentence}"
        if remark not in self.remarks:
            self.remarks.append(remark)
            self._report(remark)

    def _quote(self, line: str) -> None:
        self.remark(f"says {line!r}")

    def close(self) -> None:
        """Stop the idle engines now, and the others after their games."""
        self._is_kept = False
        for engine in self._spare:
            engine.released.set()
        self._spare.clear()

    def _keep_none(self) -> None:
        """Stop idle engines that have already played, and keep none from now on."""
        self._is_kept = False
        for engine in self._spare:
            if engine.games:
                engine.released.set()
        self._spare = [engine for engine in self._spare if not engine.games]


@asynccontextmanager
async def open_engines(
    settings: EngineSettings, report: Callable[[str], None] = ignore
) -> AsyncIterator[EngineSource]:
    """Provide engines for the duration of the context; none is left running afterwards.

    Args:
        settings: settings of the engines.
        report: gets each remark about them, once.
    """
    async with trio.open_nursery() as nursery:
        source = EngineSource(settings, nursery, report)
        try:
            yield source
        finally:
            source.close()
            # Give each engine time to quit, then kill it.
            nursery.cancel_scope.deadline = trio.current_time() + 5.0
