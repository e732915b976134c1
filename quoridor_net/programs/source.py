"""Keeps engines running between games, and hands them out as players."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import trio
from attrs import field, frozen

from quoridor_net.outcome import ForfeitError
from quoridor_net.output import ignore
from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.link import EngineLink, open_link
from quoridor_net.programs.process import ProgramLimits
from quoridor_net.protocols.athens import is_understood
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.rules import Position, Termination
from quoridor_net.text import cut, visible
from quoridor_net.verdicts import VerdictPhrase

#: Seconds for the first answer of a program, and for every later one but that to ``genmove``.
START_TIME = 30.0
REPLY_TIME = 10.0

#: Seconds for the answers that nothing depends on: to ``name``, ``known_command`` and ``winner``.
NAME_TIME = 2.0

#: Columns of the longest name of an engine.
_LONGEST_NAME = 80

#: The private command by which an engine of this project learns its limits.
TIME_SETTINGS = "qn-time_settings"

#: Faults that a process may show only because it played before.
_CRASHES = (Termination.ENGINE_CRASH, Termination.MEMORY_LIMIT, Termination.DISCONNECTED)

#: Seconds that are waited for an engine that did not answer to do so when its input ends.
FLUSH_TIME = 1.0


@frozen
class EngineSettings:
    """How engines are started and asked.

    Attributes:
        address: the program, or where it listens.
        limits: what each program may use.
        seed: given to the first program as ``-seed N``, which the course's referee does too; the next one
            gets N + 1. None to add no argument.
        is_kept: whether a program that did nothing wrong plays the next game too.
        start_time: seconds for the first answer of a program.
        reply_time: seconds for every other answer but that to ``genmove``.
        log: where the transcripts go, one file for each program: this path with ``-1.log`` and so on added.
            None for none.
        times: seconds for a game and for a move, which engines are told that know the command for it.
    """

    address: EngineAddress
    limits: ProgramLimits = field(factory=ProgramLimits)
    seed: int | None = None
    is_kept: bool = True
    start_time: float = START_TIME
    reply_time: float = REPLY_TIME
    log: Path | None = None
    times: tuple[float, float] | None = None


class RunningEngine:
    """One running engine; ``seed`` is what it was given as ``-seed``, None if nothing."""

    def __init__(self, link: EngineLink, settings: EngineSettings, seed: int | None) -> None:
        self.link = link
        #: How many games it was set up for.
        self.games = 0
        #: What it calls itself; empty if it does not say.
        self.name = ""
        self.settings = settings
        self.seed = seed
        #: Size and walls of the game it was tried with; None once it plays.
        self.tried_for: tuple[int, int] | None = None
        self.released = trio.Event()
        #: Set when nothing of it is left.
        self.gone = trio.Event()

    async def set_up(self, position: Position, walls: int) -> None:
        """Clear the board for a game from the start that ``position`` has.

        Raises:
            ForfeitError: the engine does not play along.
        """
        first_time = self.settings.start_time if self.games == 0 else self.settings.reply_time
        self.games += 1
        commands = (f"boardsize {position.size}", "clear_board", f"walls {walls}")
        for command, seconds in zip(commands, (first_time, *[self.settings.reply_time] * 2), strict=True):
            response = await self.link.ask(command, seconds)
            if not response.is_success:
                # Some engines cannot bear anything after a refusal.
                is_read = is_understood(response.text)
                phrase = VerdictPhrase.REFUSED if is_read else VerdictPhrase.NOT_UNDERSTOOD
                raise ForfeitError(Termination.REFUSED_GAME, phrase(command=repr(command)), response.line)

    async def ask_optional_questions(self) -> bool:
        """Ask what no game depends on, and tell the limits; return whether the engine answered in time.

        Some engines ignore unknown commands, or answer them late. After that nothing more can be asked.

        Raises:
            ForfeitError: the engine ended, or floods.
        """
        try:
            named = await self.link.ask("name", NAME_TIME)
            if named.is_success:
                # Of one line, and nothing in it that could steer a terminal.
                text = named.text.encode("latin-1").decode("utf-8", "replace")
                self.name = cut(visible(" ".join(text.split())), _LONGEST_NAME, "...")
            if self.settings.times is not None:
                await self._tell_times(self.settings.times)
        except ForfeitError as fault:
            if fault.termination is not Termination.TOO_SLOW:
                raise
        return self.link.is_sound

    async def _tell_times(self, times: tuple[float, float]) -> None:
        response = await self.link.ask(f"known_command {TIME_SETTINGS}", NAME_TIME)
        if not response.is_success or response.text.lower() != "true":
            return
        # Whole seconds, none of them 0, which would mean no limit.
        game, move = (max(1, int(seconds)) for seconds in times)
        await self.link.ask(f"{TIME_SETTINGS} {game} {move}", NAME_TIME)


class EngineSource:
    """Engines of one kind. Made by :func:`open_engines`."""

    def __init__(
        self, settings: EngineSettings, nursery: trio.Nursery, report: Callable[[str], None] = ignore
    ) -> None:
        self.settings = settings
        #: What was noticed about them that costs no game.
        self.remarks: list[str] = []
        self._report = report
        #: What the last one that was started calls itself; empty if none says.
        self.name = ""
        #: Whether ``winner`` was never left without an answer.
        self.answers_winner = True
        # The same of all other questions that no game depends on.
        self._answers_questions = True
        self._nursery = nursery
        self._seeds: Iterator[int] = itertools.count(settings.seed or 0)
        self._logs = itertools.count(1)
        self._spare: list[RunningEngine] = []
        self._is_kept = settings.is_kept
        self._is_terminal = False

    async def acquire(self, position: Position, walls: int) -> RunningEngine:
        """Return an engine that is set up for a game from the start of ``position``.

        Raises:
            ForfeitError: it is not available, or cannot play that game.
            OSError: the system cannot start a process, or write the transcript; that is nobody's fault.
        """
        while True:
            engine = self._spare.pop() if self._spare else await self._launch()
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
                    # It may be able to play one game only; a fresh one decides.
                    self._keep_none()
                    self.remark(f"{fault.sentence} before another game, so each game gets a new process")
                self.release(engine)
            except BaseException:
                self.release(engine)
                raise
            else:
                return engine

    async def introduce(self, position: Position, walls: int) -> None:
        """Try an engine with a game from the start of ``position``; that is then the first game it plays.

        Raises:
            ForfeitError: it is not available, or cannot play that game.
            OSError: the system cannot start a process, or write the transcript.
        """
        engine = await self.acquire(position, walls)
        engine.tried_for = (position.size, walls)
        self.release(engine)

    async def _get_to_know(self, engine: RunningEngine) -> bool:
        """Ask a new engine for its name; return False if it cannot be asked anything more because of that."""
        if not self._answers_questions:
            engine.name = self.name
            return True
        answers = await engine.ask_optional_questions()
        self.name = engine.name
        # Several new processes can be asked at the same time.
        self._answers_questions &= answers
        return answers

    async def _replace(self, engine: RunningEngine) -> None:
        """End a new engine; the next one gets its seed."""
        if engine.seed is not None:
            self._seeds = itertools.chain([engine.seed], self._seeds)
        self.release(engine)
        await engine.gone.wait()

    @property
    def has_spare(self) -> bool:
        """Whether an engine that was started or connected to waits for a game."""
        return bool(self._spare)

    async def _needs_terminal(self, engine: RunningEngine, fault: ForfeitError) -> bool:
        """Return whether an engine that was at fault only keeps back what it writes into a pipe."""
        if fault.termination is not Termination.TOO_SLOW or not self.settings.address.command:
            return False
        return not self._is_terminal and await engine.link.hears_after_end_of_input(FLUSH_TIME)

    async def prepare(self) -> None:
        """Have an engine ready for the first game: start the program, or connect to it.

        Raises:
            ForfeitError: there is no connection to be had.
            OSError: the system cannot start a process, or write the transcript.
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
        """Take an engine back: keep it for the next game if that is possible, else end it."""
        if self._is_kept and engine.link.is_sound:
            self._spare.append(engine)
        else:
            engine.released.set()

    def judge(self, engine: RunningEngine, fault: ForfeitError) -> ForfeitError:
        """Return the fault of an engine during a game, which is void if the engine crashed in a later one.

        Some engines can play one game only, so from then on each game gets a new process. If that one crashes
        too, it pays.
        """
        if engine.games == 1 or fault.termination not in _CRASHES:
            return fault
        self._keep_none()
        self.remark(f"{fault.sentence} in a later game, so each game gets a new process")
        sentence = VerdictPhrase.IN_USED_PROCESS(did=fault.sentence)
        return ForfeitError(Termination.ABORTED, sentence, fault.line)

    def remark(self, sentence: str) -> None:
        """Keep what was noticed; several processes can show the same habit, which is one remark."""
        remark = f"{self.settings.address} {sentence}"
        if remark not in self.remarks:
            self.remarks.append(remark)
            self._report(remark)

    def _quote(self, line: str) -> None:
        self.remark(f"says {line!r}")

    def close(self) -> None:
        """End the engines that wait for a game."""
        self._keep_none()
        for engine in self._spare:
            engine.released.set()
        self._spare.clear()

    def _keep_none(self) -> None:
        """End the engines that wait for another game than their first, now and from now on."""
        self._is_kept = False
        for engine in self._spare:
            if engine.games:
                engine.released.set()
        self._spare = [engine for engine in self._spare if not engine.games]


@asynccontextmanager
async def open_engines(
    settings: EngineSettings, report: Callable[[str], None] = ignore
) -> AsyncIterator[EngineSource]:
    """Offer engines as long as the context lasts; nothing of them is left running after it.

    Args:
        settings: how they are started and asked.
        report: gets every remark about them once, as soon as there is a reason for it.
    """
    async with trio.open_nursery() as nursery:
        source = EngineSource(settings, nursery, report)
        try:
            yield source
        finally:
            source.close()
            # Each gets the time that quitting takes, and is killed then.
            nursery.cancel_scope.deadline = trio.current_time() + 5.0
