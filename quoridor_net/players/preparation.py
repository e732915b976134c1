"""Has the engine compiled while commands are answered and moves are made already."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import trio

from quoridor_net.engine.limits import STRONGEST, Limits
from quoridor_net.output import Output, ignore
from quoridor_net.rules import Move, Position
from quoridor_net.system import limit_of
from quoridor_net.verdicts import STAND_INS

#: Seconds from the first wait for the engine on during which moves wait, each of them no longer than this
#: share of its time: from its disk cache the engine is ready sooner, and nobody should wait for the compiler.
LONGEST_WAIT = 3.0
SHARE_OF_TIME = 0.2

#: Seconds that commands which begin a game wait for the engine, in all and each: moves with little time could
#: not, and no clock runs yet. Nothing else waits: some controllers give ``name`` two seconds.
START_TIME = 2.0
COMMAND_TIME = 1.0

#: MiB of address space for compiling and playing, with something to spare.
_LEAST_ADDRESS_SPACE = 750

#: What happens while an engine is not ready.
_OTHERS_MOVE = f"{STAND_INS} move"

#: Characters of an error's text worth showing: those of the compiler are pages long.
_MOST_OF_A_REASON = 200


# An interpreter that ends looks for garbage in everything, and the compiler brings so much that this takes
# half a second, for which somebody waits after Ctrl-C.
atexit.register(gc.freeze)

# What compiles the engine, or loads it, in some thread.
_compiling: set[object] = set()


@contextmanager
def _noted_as_compiling() -> Iterator[None]:
    this = object()
    _compiling.add(this)
    try:
        yield
    finally:
        _compiling.discard(this)


def is_compiling() -> bool:
    """Return whether the engine is being compiled: then end the program by ``os._exit``.

    Libraries that are taken down while they compile may crash, and take seconds.
    """
    return bool(_compiling)


def warm_up_engine(progress: Callable[[str], None], *players: int) -> None:
    """Compile the engine or load its compiled code; ``progress`` is told about each step.

    Games of so many ``players`` are prepared, of 2 and 4 unless given.

    Raises:
        MemoryError: the address space is limited to less than that takes.
    """
    limit = _address_space()
    if limit is not None and limit < _LEAST_ADDRESS_SPACE:
        # The compiler does not raise an error when memory runs out, it ends the program.
        raise MemoryError(f"{_LEAST_ADDRESS_SPACE} MiB of address space are needed, {limit} are allowed")
    # The linear algebra that numpy brings reserves address space for each processor, and none of it is
    # used: without this, referees that limit address space would need another limit on each machine.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with _noted_as_compiling():
        # Imported here: only who wants the engine should wait for numba.
        from quoridor_net.engine import warm_up

        warm_up(progress, players or (2, 4))


class WarmUp(Protocol):
    """Makes the engine ready for games of so many players, and tells of each step."""

    def __call__(self, progress: Callable[[str], None], /, *players: int) -> None:
        """Do that, which takes a while."""


class Preparation:
    """Makes the engine ready in a thread, once for all sessions of a program.

    The thread does not keep the program from ending, but see :func:`is_compiling`.

    Args:
        report: is told one line about each step and about what comes of it, partly in the thread.
        warm_up: makes the engine ready; is given what to tell about its steps, and for how many players.
        players: of how many players there will be games, in the order in which they are likely.
        is_patient: whether moves that no time limits wait until the engine is ready, so that nothing but the
            settings decides about them.
        knows_openings: whether the engine, once it is ready, plays known openings without thinking.
        others_move: which stand-in moves meanwhile, with the verb.
    """

    def __init__(
        self,
        report: Callable[[str], None] = ignore,
        warm_up: WarmUp = warm_up_engine,
        *,
        players: Sequence[int] = (2,),
        is_patient: bool = False,
        knows_openings: bool = True,
        others_move: str = _OTHERS_MOVE,
    ) -> None:
        self._report = report
        self._warm_up = warm_up
        self._players = tuple(players)
        self._ready: set[int] = set()
        self._is_patient = is_patient
        self._knows_openings = knows_openings
        self._others_move = others_move
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="preparation", daemon=True)
        self._has_begun = False
        self._has_failed = False
        self._has_told = False
        self._has_told_of_memory = False
        self._deadline: float | None = None
        self._start_time = START_TIME
        self._waiting: set[tuple[int, trio.lowlevel.TrioToken, trio.Event]] = set()

    def is_ready(self, players: int = 2) -> bool:
        """Return whether the engine can be used in games of so many players."""
        return players in self._ready

    def start(self) -> None:
        """Begin, unless that has been done."""
        if self._has_begun:
            return
        self._has_begun = True
        try:
            self._thread.start()
        except RuntimeError as error:  # there is no room for another thread
            self._fail(error)

    def _run(self) -> None:
        try:
            # All of it, so that no program ends in the usual way between two of them.
            with _noted_as_compiling():
                for players in self._players:
                    self._warm_up(self._report, players)
                    with self._lock:
                        self._ready.add(players)
                    self._wake()
        except Exception as error:
            # Whatever is wrong with the compiler or its memory, moves can still be made.
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._has_told = True
        self._report(f"cannot be had ({_reason(error)}): {self._others_move} instead")
        with self._lock:
            self._has_failed = True
        self._wake()

    def _is_settled(self, players: int) -> bool:
        """Return whether it is known by now that the engine can be used by so many players, or cannot."""
        return self._has_failed or players in self._ready or players not in self._players

    def _wake(self) -> None:
        """Have those go on who wait for what is known by now."""
        with self._lock:
            settled = {each for each in self._waiting if self._is_settled(each[0])}
            self._waiting -= settled
        for _, token, event in settled:
            try:
                token.run_sync_soon(event.set)
            except trio.RunFinishedError:
                # Its session is over.
                continue

    async def wait(self, time: float | None, players: int = 2) -> bool:
        """Wait for the engine as long as a move can that has ``time`` seconds; None says without limit.

        Return whether the engine can be used in games of so many players.
        """
        if time is None and self._is_patient:
            return await self.wait_for(None, players)
        now = trio.current_time()
        if self._deadline is None:
            self._deadline = now + LONGEST_WAIT
        rest = max(0.0, self._deadline - now)
        return await self.wait_for(rest if time is None else min(rest, SHARE_OF_TIME * time), players)

    async def linger(self) -> None:
        """Wait a moment for the engine, as a command that begins a game of two does, START_TIME in all."""
        # Patient moves wait themselves.
        if self._is_patient or self._is_settled(2) or self._start_time <= 0:
            return
        started = trio.current_time()
        await self.wait_for(min(COMMAND_TIME, self._start_time))
        self._start_time -= trio.current_time() - started

    async def wait_for(self, seconds: float | None, players: int = 2) -> bool:
        """Wait for the engine, ``seconds`` at most; return whether it can be used by so many players."""
        self.start()
        event = trio.Event()
        mine = (players, trio.lowlevel.current_trio_token(), event)
        with self._lock:
            if self._is_settled(players):
                return self.is_ready(players)
            self._waiting.add(mine)
        try:
            with trio.move_on_after(float("inf") if seconds is None else seconds):
                await event.wait()
        finally:
            with self._lock:
                self._waiting.discard(mine)
        return self.is_ready(players)

    def known(self, position: Position) -> Move | None:
        """Return the move that the engine would make without thinking; None if it would think."""
        if not self._knows_openings:
            return None
        # Imported here: only who wants the engine should wait for it.
        from quoridor_net.engine.book import probe

        listed = probe(position)
        return None if listed is None else listed[0].move

    def tell_who_moves(self) -> None:
        """Say that the engine does not move, once, and not at all if it was told that it never will."""
        if not self._has_told:
            self._has_told = True
            self._report(f"not ready yet: {self._others_move} until then")

    def tell_no_room(self) -> None:
        """Say once that there is no memory for a search."""
        if not self._has_told_of_memory:
            self._has_told_of_memory = True
            self._report(f"no memory is left for a search: {self._others_move} instead")


def prepared_for(
    limits: Limits,
    *,
    players: Sequence[int] = (2,),
    is_quiet: bool = False,
    report: Callable[[str], None] | None = None,
    warm_up: WarmUp = warm_up_engine,
) -> Preparation:
    """Return what prepares for searches within ``limits``.

    Args:
        limits: when searches end.
        players: as for :class:`Preparation`.
        is_quiet: whether nothing is reported.
        report: where lines go; to standard error unless given.
        warm_up: as for :class:`Preparation`.
    """
    is_limited = (limits.nodes, limits.depth) != (None, None)
    tell = report or Output(sys.stderr).write_line
    return Preparation(
        ignore if is_quiet else lambda line: tell(f"engine: {line}"),
        warm_up,
        players=players,
        is_patient=is_limited,
        knows_openings=not is_limited and limits.level == STRONGEST,
    )


def _address_space() -> int | None:
    """Return the MiB of address space that the system allows this program; None without a limit."""
    limit = limit_of("RLIMIT_AS")
    return None if limit is None else limit >> 20


def _reason(error: Exception) -> str:
    """Return what went wrong, on one line."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in str(error)).split())
    if len(text) > _MOST_OF_A_REASON:
        text = f"{text[:_MOST_OF_A_REASON]}..."
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
