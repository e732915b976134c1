"""Preparation of the engine: compiles or loads its kernels, in the background if needed."""

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

#: Minimum address space for compiling and playing, in MiB, with some reserve.
_LEAST_ADDRESS_SPACE = 750

#: Maximum characters of an error's text, because the compiler's are pages long.
_LONGEST_REASON = 200

# At exit the interpreter searches all objects for garbage. The compiler creates enough for the user to
# wait half a second after Ctrl-C.
atexit.register(gc.freeze)

# One object per thread that compiles or loads the engine.
_compiling: set[object] = set()

# One thread at a time, so that the next one finds the compiled code.
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
    """Return whether the engine is being compiled; if so, end the program with ``os._exit``.

    A normal exit takes seconds while a thread compiles, and may crash.
    """
    return bool(_compiling)


class Prepare(Protocol):
    """A function that prepares the engine for games of these numbers of players and reports each step."""

    def __call__(self, progress: Callable[[str], None], /, *players: int) -> None:
        """Prepare the engine, and return when it is ready."""


def prepare(progress: Callable[[str], None], /, *players: int) -> None:
    """Compile the engine or load its compiled code, and return when it is ready.

    Args:
        progress: gets a line about each step.
        players: numbers of players to prepare for; 2 and 4 by default.

    Raises:
        MemoryError: the limit of the address space is too low.
    """
    limit = _address_space()
    if limit is not None and limit < _LEAST_ADDRESS_SPACE:
        # The compiler ends the program when memory runs out, instead of raising an error.
        raise MemoryError(f"{_LEAST_ADDRESS_SPACE} MiB of address space are needed, but the limit is {limit}")
    # numpy's linear algebra reserves address space for each processor, though the engine does not use it.
    # Without this, a referee's limit of address space would depend on the machine.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with _note_compiling(), _preparing:
        # Imported late, so that only programs with an engine wait for numba.
        from quoridor_net.engine import warm_up

        warm_up(progress, players or (2, 4))


class Readiness:
    """The preparation of the engine in a thread, once for all games of a program.

    The thread does not keep the program from ending, but see :func:`is_compiling`.

    Args:
        report: gets a line about each step, in the thread.
        prepare: prepares the engine.
        players: numbers of players to prepare for, the most likely first.
        on_failure: gets the reason in one line, without a full stop, if preparation fails.
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
        """Return whether the engine can play games with this many players."""
        return players in self._ready

    def is_settled(self, players: int = 2) -> bool:
        """Return whether the engine is ready for this many players, or has failed."""
        return self._has_failed or players in self._ready or players not in self._players

    def start(self) -> None:
        """Start the preparation, unless it has started."""
        if self._has_begun:
            return
        self._has_begun = True
        try:
            threading.Thread(target=self._run, name="engine", daemon=True).start()
        except RuntimeError as error:  # the system allows no further thread
            self._fail(error)

    @contextmanager
    def call_when_settled(self, players: int, call: Callable[[], None]) -> Iterator[None]:
        """Call ``call`` once the engine is settled, at once or from another thread, within the block only."""
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
            # Around all steps, so that no program exits normally between two of them.
            with _note_compiling():
                for players in self._players:
                    self._prepare(self._report, players)
                    with self._lock:
                        self._ready.add(players)
                    self._call_waiting()
        except Exception as error:
            # Whatever went wrong, the program can continue without the engine.
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
    """Return this program's limit of address space, in MiB; None without a limit."""
    limit = limit_of("RLIMIT_AS")
    return None if limit is None else limit >> 20


def _describe(error: Exception) -> str:
    """Return the error on one line."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in str(error)).split())
    if len(text) > _LONGEST_REASON:
        text = f"{text[:_LONGEST_REASON]}..."
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
