"""The project's engines as players, which search in worker threads and can be cancelled."""

from __future__ import annotations

import math
import os
import random
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

import trio
from attrs import evolve
from trio.lowlevel import RunVar

from quoridor_net import clobber
from quoridor_net.clobber.engine import ClobberEngine, ClobberLimits
from quoridor_net.engine import Analysis, Engine, Limits, book
from quoridor_net.engine.ready import Prepare, Readiness, prepare
from quoridor_net.engine.time_management import allot_time, search_time
from quoridor_net.output import Output, ignore
from quoridor_net.players.base import Clock, Player, Seating
from quoridor_net.players.simple import MobilityPlayer, SimplePlayer
from quoridor_net.players.source import InstantSource, SourceSettings
from quoridor_net.players.spec import PlayerSpec
from quoridor_net.rules import Move, Position
from quoridor_net.verdicts import STAND_INS

T = TypeVar("T")

#: Limits the number of simultaneous searches without time limit to that of processors. One limiter for each
#: event loop, because event loops in several threads must not share one.
_processors: RunVar[trio.CapacityLimiter] = RunVar("processors")

#: Time for a move of Clobber without any other limit, in seconds.
CLOBBER_MOVE_TIME = 2.0

#: Maximum time that all moves together wait for the engine, in seconds, and maximum share of its own time
#: that a move waits. That is enough to load compiled code; without a clock no game waits for the compiler.
LONGEST_WAIT = 3.0
SHARE_OF_TIME = 0.2

#: With a clock, moves wait longer, because a game begun by a stand-in may be lost by it: maximum time that
#: all moves together wait, in seconds, maximum shares of the clock's times, and seconds that always remain.
LONGEST_WAIT_BY_CLOCK = 120.0
SHARE_OF_MOVE = 0.5
SHARE_OF_GAME = 0.25
REMAINING_TIME = 2.0

#: Share of a move's time limit, and its bounds in seconds, that a search leaves unused. On a busy machine it
#: begins and ends late, and the referee notices its move later still.
RESERVE, LEAST_RESERVE, MOST_RESERVE = 0.1, 0.02, 0.5

#: Maximum time that commands which begin a game wait for the engine, in total and each, in seconds. No clock
#: runs then. Other commands do not wait, because some controllers allow only two seconds for ``name``.
START_TIME = 2.0
COMMAND_TIME = 1.0


async def think(
    search: Callable[[threading.Event], T],
    cancel: Callable[[], None],
    limiter: trio.CapacityLimiter | None = None,
) -> T:
    """Run ``search`` in a thread and return its result. On cancellation, return without waiting for it.

    Args:
        search: gets an event that is set on cancellation, before ``cancel`` is called. A search that is just
            starting would miss ``cancel``.
        cancel: stops the running search.
        limiter: limits the number of simultaneous searches; by default to that of processors.
    """
    abandoned = threading.Event()
    try:
        return await trio.to_thread.run_sync(
            search, abandoned, abandon_on_cancel=True, limiter=limiter or _limiter()
        )
    except trio.Cancelled:
        abandoned.set()
        cancel()
        raise


def _limiter(seconds: float | None = None) -> trio.CapacityLimiter:
    """Return the limiter of a search that may take ``seconds``; None for no limit.

    A search with a time limit begins at once, because its clock runs. Several of them share the processors.
    """
    if seconds is not None:
        return trio.CapacityLimiter(math.inf)
    try:
        return _processors.get()
    except LookupError:
        _processors.set(trio.CapacityLimiter(os.cpu_count() or 1))
        return _processors.get()


async def warm_up(report: Callable[[str], None]) -> None:
    """Prepare the engine before any game; ``report`` gets a line about each step, in another thread.

    Raises:
        MemoryError: the limit on the address space is too low.
        ImportError: a library that the engine needs is not installed.
    """
    # In a thread, because the compiler does not react to Ctrl-C.
    await trio.to_thread.run_sync(prepare, report, abandon_on_cancel=True)


class BackgroundEngine:
    """An engine that is prepared in the background, while a stand-in moves.

    Args:
        report: gets a line about each step and about stand-ins, also from other threads.
        prepare: prepares the engine.
        players: numbers of players to prepare for, the most likely first.
        is_patient: whether moves without a time limit wait for the engine.
        stand_in_moves: the stand-in and its verb, for messages.
    """

    def __init__(
        self,
        report: Callable[[str], None],
        prepare: Prepare,
        players: Sequence[int] = (2,),
        *,
        is_patient: bool = False,
        stand_in_moves: str = f"{STAND_INS} move",
    ) -> None:
        self._write_line = report
        self._readiness = Readiness(self._report, prepare, players, self._tell_failure)
        self._is_patient = is_patient
        self._stand_in_moves = stand_in_moves
        self._has_told = False
        self._has_told_of_waiting = False
        self._has_told_of_memory = False
        self._first_wait: float | None = None
        self._start_time = START_TIME

    def start(self) -> None:
        """Start preparing the engine, unless already started."""
        self._readiness.start()

    def is_ready(self, players: int = 2) -> bool:
        """Return whether the engine can play games of this many players."""
        return self._readiness.is_ready(players)

    async def settle(self, players: int = 2, seconds: float | None = None) -> bool:
        """Wait up to ``seconds`` until preparing succeeds or fails; return whether the engine is ready."""
        token, event = trio.lowlevel.current_trio_token(), trio.Event()

        def wake() -> None:
            try:
                token.run_sync_soon(event.set)
            except trio.RunFinishedError:
                # The program has stopped waiting.
                return

        with self._readiness.call_when_settled(players, wake):
            with trio.move_on_after(float("inf") if seconds is None else seconds):
                await event.wait()
        return self.is_ready(players)

    async def linger(self) -> None:
        """Wait briefly for the engine, for commands that begin a game of two; at most START_TIME in total."""
        # With a patient engine, moves wait instead.
        if self._is_patient or self._readiness.is_settled() or self._start_time <= 0:
            return
        started = trio.current_time()
        await self.settle(2, min(COMMAND_TIME, self._start_time))
        self._start_time -= trio.current_time() - started

    async def wait(self, time: float | None, players: int = 2, *, affordable: float = 0.0) -> bool:
        """Wait for the engine before a move.

        Args:
            time: seconds that the move should take, None for no limit.
            players: number of players of the game.
            affordable: seconds that the move can wait without risk for its clock; see
                :func:`find_affordable_wait`.

        Returns:
            Whether the engine can play games of this many players.
        """
        if self.is_ready(players):
            return True
        if time is None and self._is_patient:
            seconds = None
        else:
            now = trio.current_time()
            if self._first_wait is None:
                self._first_wait = now
            spent = now - self._first_wait
            seconds = max(0.0, LONGEST_WAIT - spent)
            if time is not None:
                seconds = min(seconds, SHARE_OF_TIME * time)
            longer = min(affordable, LONGEST_WAIT_BY_CLOCK - spent)
            if longer > seconds and not self._readiness.is_settled(players):
                seconds = longer
                self._tell_of_waiting()
        if await self.settle(players, seconds):
            return True
        self._tell(f"not ready yet: {self._stand_in_moves} until then")
        return False

    def tell_no_memory(self) -> None:
        """Report, once, that there is no memory for a search."""
        if not self._has_told_of_memory:
            self._has_told_of_memory = True
            self._report(f"out of memory for a search: {self._stand_in_moves} instead")

    def _tell_of_waiting(self) -> None:
        """Report, once, that moves wait for the engine."""
        if not self._has_told_of_waiting:
            self._has_told_of_waiting = True
            self._report("not ready yet: moves wait as long as their clock allows")

    def _report(self, line: str) -> None:
        self._write_line(f"engine: {line}")

    def _tell_failure(self, reason: str) -> None:
        self._tell(f"not available ({reason}): {self._stand_in_moves} instead")

    def _tell(self, line: str) -> None:
        """Report, once, that a stand-in moves."""
        if not self._has_told:
            self._has_told = True
            self._report(line)


class SharedEngine(BackgroundEngine):
    """The Quoridor engine for all games of a program that does not wait for it.

    Stand-ins move until it is ready, and when there is no memory for a search.

    Args:
        limits: limits of each search. If they limit nodes or depth, moves without a time limit wait for the
            engine, so that they depend only on the settings.
        table_mb: as for :class:`EnginePlayer`.
        players: numbers of players to prepare for, the most likely first.
        report: gets a line about each step and about stand-ins, also from other threads; default standard
            error.
        prepare: compiles or loads the engine.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        table_mb: int | None = None,
        *,
        players: Sequence[int] = (2,),
        report: Callable[[str], None] | None = None,
        prepare: Prepare = prepare,
    ) -> None:
        self._limits = limits or Limits()
        self._table_mb = table_mb
        is_patient = (self._limits.nodes, self._limits.depth) != (None, None)
        report = report or Output(sys.stderr).write_line
        super().__init__(report, prepare, players, is_patient=is_patient)

    def player(self, seed: int | None = None) -> EnginePlayer:
        """Return a player for one game."""
        return EnginePlayer(seed, self._limits, self._table_mb, self)


class EnginePlayer(Player[Position, Move]):
    """Plays one game of Quoridor with its own engine.

    Unless a :class:`SharedEngine` creates the player, call :func:`warm_up` before the first game, so that no
    move waits for the compiler.

    Args:
        seed: for reproducible moves under a node or depth limit; None for a random seed.
        limits: limits of each search, in addition to the clock. Without any limit, a move takes one second.
        table_mb: memory for searched positions, in megabytes; see :class:`~quoridor_net.engine.Engine`.
        shared: prepares the engine; None if the engine is always ready and has enough memory.

    Attributes:
        analysis: the result of the last search; None without one.
    """

    def __init__(
        self,
        seed: int | None = None,
        limits: Limits | None = None,
        table_mb: int | None = None,
        shared: SharedEngine | None = None,
    ) -> None:
        self.name = "qnt:engine"
        self._seed = random.randrange(2**31) if seed is None else seed
        self._limits = limits or Limits()
        self._engine = Engine(seed=self._seed, table_mb=table_mb)
        self._shared = shared
        self._stand_in = SimplePlayer(seed)
        self._waited = 0.0
        self.analysis: Analysis | None = None

    async def begin(self, seating: Seating[Position]) -> None:
        """Allocate the tables for a game of this size, unless the engine is shared and may not be ready."""
        self._engine.close()
        self._waited = 0.0
        if self._shared is None:
            size, players = seating.position.size, seating.position.players
            await trio.to_thread.run_sync(self._engine.prepare, size, players, limiter=_limiter())

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the best move found within the limits, or a stand-in's. It can be cancelled at any time."""
        self.analysis = self.last_score = None
        if self._shared is None:
            return await self._search(position, clock)
        if not self._shared.is_ready(position.players) and (move := self._probe_book(position)) is not None:
            return move
        started = trio.current_time()
        affordable = find_affordable_wait(clock, self._waited)
        is_ready = await self._shared.wait(
            self._time_for(position, clock), position.players, affordable=affordable
        )
        waited = trio.current_time() - started
        self._waited += waited
        if not is_ready:
            return await self._stand_in.choose(position, clock)
        try:
            return await self._search(position, clock.after(waited))
        except MemoryError:
            self._engine.close()
            self._shared.tell_no_memory()
            return self._probe_book(position) or await self._stand_in.choose(position, clock)

    async def leave(self) -> None:
        """Free the table."""
        self._engine.close()

    def _probe_book(self, position: Position) -> Move | None:
        """Return the engine's move from the opening book; None if it would search instead."""
        listed = book.probe(position) if book.applies(self._limits) else None
        return None if listed is None else listed[0].move

    def _time_for(self, position: Position, clock: Clock) -> float | None:
        """Return the time that the move should take, in seconds; None without a limit."""
        limits = limits_within(clock, self._limits)
        moves_played = position.ply // position.players
        return allot_time(limits.time, limits.game_time, limits.increment, moves_played)

    async def _search(self, position: Position, clock: Clock) -> Move:
        limits = limits_within(clock, self._limits)

        def search(abandoned: threading.Event) -> Analysis:
            return self._engine.play(position, limits, abandoned=abandoned)

        seconds = search_time(limits, position.ply // position.players)
        self.analysis = await think(search, self._engine.stop, _limiter(seconds))
        self.last_score = self.analysis.score
        return self.analysis.move


class SearchSource(InstantSource):
    """The project's engine."""

    def __init__(self, spec: PlayerSpec, settings: SourceSettings) -> None:
        super().__init__(spec, settings)
        self._limits = spec.thinking.limits(settings.threads)
        self._make = None if settings.engine is None else settings.engine(self._limits)

    @classmethod
    async def warm_up(cls, report: Callable[[str], None]) -> None:
        """Compile or load the engine.

        Raises:
            MemoryError: the limit on the address space is too low.
        """
        await warm_up(lambda step: report(f"engine: {step}"))

    def make(self, seed: int | None) -> Player[Position, Move]:
        """Return the player of one game."""
        return EnginePlayer(seed, self._limits) if self._make is None else self._make(seed)


class ClobberEnginePlayer(Player[clobber.ClobberPosition, clobber.Move]):
    """Plays Clobber with its own engine, which is prepared in the background.

    Until it is ready, the mobility player moves.

    Args:
        seed: for reproducible moves under a node limit; None for a random seed.
        limits: limits of each search, in addition to the clock. Without any limit, a move takes two seconds.
        report: gets a line about each step and about the stand-in, also from another thread.
    """

    def __init__(
        self,
        seed: int | None = None,
        limits: ClobberLimits | None = None,
        report: Callable[[str], None] = ignore,
    ) -> None:
        self.name = "engine"
        self._engine = ClobberEngine(seed)
        self._limits = limits or ClobberLimits(seconds=None)
        self._in_use = threading.Lock()
        self._stand_in = MobilityPlayer(seed)
        self._waited = 0.0
        self._background = BackgroundEngine(report, self._prepare, stand_in_moves="the mobility player moves")

    def start(self) -> None:
        """Start loading the engine. Compiling it, once on each machine, takes minutes."""
        self._background.start()

    async def settle(self) -> bool:
        """Wait until preparing succeeds or fails; return whether the engine is ready."""
        return await self._background.settle()

    async def begin(self, seating: Seating[clobber.ClobberPosition]) -> None:
        """Begin a game; none of its moves has waited yet."""
        self._waited = 0.0

    async def choose(self, position: clobber.ClobberPosition, clock: Clock) -> clobber.Move:
        """Return the best move found in time, or the stand-in's. It can be cancelled at any time."""
        started = trio.current_time()
        affordable = find_affordable_wait(clock, self._waited)
        is_ready = await self._background.wait(clock.move_time, affordable=affordable)
        waited = trio.current_time() - started
        self._waited += waited
        if not is_ready:
            return await self._stand_in.choose(position, clock)
        return await self._search(position, clock.after(waited))

    def _prepare(self, progress: Callable[[str], None], /, *_players: int) -> None:
        progress("compiling or loading (compiling takes minutes, once on each machine)")
        self._engine.warm_up()
        progress("ready")

    async def _search(self, position: clobber.ClobberPosition, clock: Clock) -> clobber.Move:
        limits = clobber_limits_within(clock, self._limits, position.ply // position.players)

        def search(abandoned: threading.Event) -> clobber.Move:
            # A cancelled search may need a moment to stop.
            with self._in_use:
                return self._engine.choose(position, limits, abandoned).move

        return await think(search, self._engine.cancel, _limiter(limits.seconds))


def find_affordable_wait(clock: Clock, waited: float) -> float:
    """Return the seconds that a move can wait for the engine without risk for the clock; 0 without a clock.

    Args:
        clock: the clock of the move.
        waited: seconds that earlier moves of the game have waited.
    """
    waits = []
    if clock.move_time is not None:
        waits.append(min(SHARE_OF_MOVE * clock.move_time, clock.move_time - REMAINING_TIME))
    if clock.game_time is not None:
        share = SHARE_OF_GAME * (clock.game_time + waited) - waited
        waits.append(min(share, clock.game_time - REMAINING_TIME))
    return max(0.0, min(waits, default=0.0))


def limits_within(clock: Clock, limits: Limits) -> Limits:
    """Return ``limits``, with their times reduced to those of ``clock``, less a reserve."""
    return evolve(
        limits,
        time=_smallest(limits.time, _usable(clock.move_time)),
        game_time=_smallest(limits.game_time, clock.game_time),
        increment=limits.increment or clock.increment,
    )


def clobber_limits_within(clock: Clock, limits: ClobberLimits, moves_played: int) -> ClobberLimits:
    """Return ``limits``, with their time reduced to that of ``clock``, less a reserve."""
    move_time = _usable(clock.move_time)
    seconds = _smallest(limits.seconds, allot_time(move_time, clock.game_time, clock.increment, moves_played))
    if seconds is None and limits.nodes is None:
        seconds = CLOBBER_MOVE_TIME
    return evolve(limits, seconds=seconds)


def _usable(move_time: float | None) -> float | None:
    """Return the seconds of a move's time limit that a search may use."""
    if move_time is None:
        return None
    return move_time - min(max(RESERVE * move_time, LEAST_RESERVE), MOST_RESERVE, move_time / 2)


def _smallest(*times: float | None) -> float | None:
    return min((time for time in times if time is not None), default=None)
