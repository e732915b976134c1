"""Compiles the engine's kernels or loads them, in the background if need be; knows whether that is done."""

from __future__ import annotations

import atexit
import gc
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from quoridor_net.output import ignore
from quoridor_net.system import limit_of

#: MiB of address space for compiling and playing, with something to spare.
_LEAST_ADDRESS_SPACE = 750

#: Characters of an error's text worth showing: those of the compiler are pages long.
_LONGEST_REASON = 200

# At exit an interpreter searches all objects for garbage. The compiler makes so many that this takes half a
# second, which a user waits after Ctrl-C.
atexit.register(gc.freeze)

# One object for each thread that compiles or loads the engine.
_compiling: set[object] = set()

# One thread at a time: the next one finds what the one before it compiled.
_preparing = threading.Lock()


@contextmanager
def _note_compiling() -> Iterator[None]:
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


class Prepare(Protocol):
    """Makes the engine ready for games of these numbers of players; reports each step."""

    def __call__(self, progress: Callable[[str], None], /, *players: int) -> None:
        """Do that, and return when it is done."""


def prepare(progress: Callable[[str], None], /, *players: int) -> None:
    """Compile the engine or load its compiled code, and return when it is ready.

    Args:
        progress: gets a line about each step.
        players: for games of how many players; 2 and 4 unless given.

    Raises:
        MemoryError: the address space is limited to less than that takes.
    """
    limit = _address_space()
    if limit is not None and limit < _LEAST_ADDRESS_SPACE:
        # The compiler does not raise an error when memory runs out, it ends the program.
        raise MemoryError(f"{_LEAST_ADDRESS_SPACE} MiB of address space are needed, {limit} are allowed")
    # The linear algebra in numpy reserves address space for each processor and uses none of it. Without
    # this, referees that limit address space would need another limit on each machine.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with _note_compiling(), _preparing:
        # Imported here: only programs with an engine should wait for numba.
        from quoridor_net.engine import warm_up

        warm_up(progress, players or (2, 4))


class Readiness:
    """Makes the engine ready in a thread, once for all games of a program.

    The thread does not keep the program from ending, but see :func:`is_compiling`.

    Args:
        report: gets a line about each step, in the thread.
        prepare: makes the engine ready.
        players: for games of how many players, in the order in which they are likely.
        on_failure: gets the reason in one line, without a full stop, if the engine will never be ready.
    """

    def __init__(
        self,
        report: Callable[[str], None] = ignore,
        prepare: Prepare = prepare,
        players: Sequence[int] = (2,),
        on_failure: Callable[[str], None] = ignore,
    ) -> None:
        self._report = report
        self._on_failure = on_failure
        self._has_failed = False
        self._prepare = prepare
        self._players = tuple(players)
        self._ready: set[int] = set()
        self._lock = threading.Lock()
        self._has_begun = False
        self._waiting: dict[object, tuple[int, Callable[[], None]]] = {}

    def is_ready(self, players: int = 2) -> bool:
        """Return whether the engine can play games of this many players."""
        return players in self._ready

    def is_settled(self, players: int = 2) -> bool:
        """Return whether the engine is ready for this many players, or never will be."""
        return self._has_failed or players in self._ready or players not in self._players

    def start(self) -> None:
        """Begin, unless that has been done."""
        if self._has_begun:
            return
        self._has_begun = True
        try:
            threading.Thread(target=self._run, name="engine", daemon=True).start()
        except RuntimeError as error:  # there is no room for another thread
            self._fail(error)

    @contextmanager
    def calling_when_settled(self, players: int, call: Callable[[], None]) -> Iterator[None]:
        """Call ``call`` once the engine is settled, from another thread or at once, within the block only."""
        self.start()
        key = object()
        with self._lock:
            is_settled = self.is_settled(players)
            if not is_settled:
                self._waiting[key] = players, call
        if is_settled:
            call()
        try:
            yield
        finally:
            with self._lock:
                self._waiting.pop(key, None)

    def _run(self) -> None:
        try:
            # All of it, so that no program ends in the usual way between two steps.
            with _note_compiling():
                for players in self._players:
                    self._prepare(self._report, players)
                    with self._lock:
                        self._ready.add(players)
                    self._call_waiting()
        except Exception as error:
            # Whatever is wrong with the compiler or its memory, the program can go on without the engine.
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._on_failure(_describe(error))
        with self._lock:
            self._has_failed = True
        self._call_waiting()

    def _call_waiting(self) -> None:
        with self._lock:
            keys = [key for key, (players, _) in self._waiting.items() if self.is_settled(players)]
            calls = [self._waiting.pop(key)[1] for key in keys]
        for call in calls:
            call()


def _address_space() -> int | None:
    """Return the MiB of address space that the system allows this program; None without a limit."""
    limit = limit_of("RLIMIT_AS")
    return None if limit is None else limit >> 20


def _describe(error: Exception) -> str:
    """Return what went wrong, on one line."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in str(error)).split())
    if len(text) > _LONGEST_REASON:
        text = f"{text[:_LONGEST_REASON]}..."
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
