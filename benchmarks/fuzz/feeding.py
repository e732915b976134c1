"""Feeding of targets with inputs, and detection of inputs that raise, are slow, or do not end."""

from __future__ import annotations

import random
import signal
import time
import traceback
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import define

from benchmarks.fuzz.corpus import read_kept_inputs
from benchmarks.fuzz.failures import keep
from benchmarks.fuzz.inputs import Inputs
from benchmarks.fuzz.report import FuzzReport
from benchmarks.fuzz.target import Target

#: Default processor time limit of an input of up to :data:`benchmarks.fuzz.inputs.LONGEST` bytes, in seconds.
LIMIT = 0.1

#: Interval of the clock that gives inputs up, in seconds; an input runs for at most two intervals.
PATIENCE = 10.0

#: Number of retries of a slow input, because another program may have been the reason.
RETRIES = 3

#: Number of inputs kept per kind of failure.
KEPT = 3

#: Number of inputs in a row for one target, while its code is in the processor's caches.
ROW = 64

#: Size of the bit array of :class:`Seen`, in bytes.
SEEN_BYTES = 1 << 28


class TakesTooLong(BaseException):
    """Raised in an input that is given up. Not an Exception, so that no parser catches it."""


class Watch:
    """A clock that gives up an input at the second tick during its run.

    One clock for all inputs costs less than a timer per input.
    """

    def __init__(self) -> None:
        # Odd while an input is running.
        self.moment = 0
        self._before = 0

    def start(self) -> None:
        """Start the clock if the platform has one."""
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, lambda _signal, _frame: self.tick())
            signal.setitimer(signal.ITIMER_REAL, PATIENCE, PATIENCE)

    def tick(self) -> None:
        """Give up the running input if it already ran at the previous tick."""
        if self.moment % 2 and self.moment == self._before:
            raise TakesTooLong
        self._before = self.moment


#: One clock per process, because signals belong to the process.
WATCH = Watch()


class Seen:
    """The set of inputs fed so far.

    Args:
        bits: :data:`SEEN_BYTES` bytes, zero at first, which processes may share.
    """

    def __init__(self, bits: memoryview) -> None:
        self._bits = bits

    def is_new(self, target: int, data: bytes) -> bool:
        """Return whether an input is new for a target, and add it.

        A few new inputs count as seen, because they share a bit with another one.
        """
        number = zlib.crc32(data, target) % (8 * SEEN_BYTES)
        index, bit = number >> 3, 1 << (number & 7)
        is_new = not self._bits[index] & bit
        self._bits[index] |= bit
        return is_new


def attempt(target: Target, data: bytes, clock: Callable[[], float] = time.perf_counter) -> tuple[float, str]:
    """Feed one input; return its time in seconds, and the failure (empty if none)."""
    wrong = ""
    WATCH.moment += 1
    begun = clock()
    try:
        target.run(data)
    except TakesTooLong:
        wrong = "given up"
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        wrong = f"{type(error).__name__} {Path(where.filename).name}:{where.lineno}"
    seconds = clock() - begun
    WATCH.moment += 1
    return seconds, wrong


def examine(target: Target, data: bytes, limit: float, usual: float = 0.0) -> tuple[float, str]:
    """Feed one input, and repeat it if it took longer than ``usual`` or ``limit``.

    Returns:
        Its time in seconds (processor time if it was repeated), and the failure (empty if none).
    """
    seconds, wrong = attempt(target, data)
    if not wrong and seconds > min(usual, limit):
        seconds = min(attempt(target, data, time.process_time)[0] for _ in range(RETRIES))
        if seconds > limit:
            wrong = "slow"
    return seconds, wrong


@define
class Fed:
    """A target with the source of its inputs and the processor time that they took, in seconds."""

    number: int
    target: Target
    inputs: Inputs
    seconds: float = 0.0


class Feeder:
    """A feeder of targets, which gives each the same time.

    Args:
        targets: the targets; fast ones get more inputs.
        seed: seed of the inputs. Each target has its own random generator, so its inputs are reproducible.
        limit: processor time limit per input, in seconds.
        folder: folder for failing inputs.
        seen: inputs not to feed again.
    """

    def __init__(self, targets: Sequence[Target], seed: int, limit: float, folder: Path, seen: Seen) -> None:
        self._limit = limit
        self._folder = folder
        self._seen = seen
        self._fed = []
        for number, target in enumerate(targets):
            source = random.Random(f"{seed} {target.name}")
            samples = [*target.samples(source), *read_kept_inputs(target.name)]
            self._fed.append(Fed(number, target, Inputs(source, samples, target.words)))
        self._slowest = dict.fromkeys((target.name for target in targets), 0.0)
        self._times_failed: dict[str, int] = {}

    def feed(self, inputs: int, seconds: float) -> FuzzReport:
        """Feed ``inputs`` inputs, but for at most ``seconds`` seconds."""
        report = FuzzReport()
        end = time.monotonic() + seconds
        while inputs > 0 and time.monotonic() < end:
            fed = min(self._fed, key=lambda each: each.seconds)
            made = (fed.inputs.next() for _ in range(min(ROW, inputs)))
            row = [data for data in made if self._seen.is_new(fed.number, data)]
            inputs -= len(row)
            begun = time.process_time()
            self._feed_row(fed.target, row, report)
            spent = time.process_time() - begun
            # Charge a little even if no input of the row was new, so that other targets get their turn.
            fed.seconds += spent + 1e-6
            report.inputs[fed.target.name] += len(row)
            report.seconds[fed.target.name] += spent
        report.slowest |= self._slowest
        return report

    def _feed_row(self, target: Target, row: Sequence[bytes], report: FuzzReport) -> None:
        for data in row:
            usual = self._slowest[target.name]
            seconds, wrong = examine(target, data, self._limit, usual)
            self._slowest[target.name] = max(usual, seconds)
            if wrong:
                self._fail(f"{target.name}: {wrong}", target, data, report)

    def _fail(self, kind: str, target: Target, data: bytes, report: FuzzReport) -> None:
        report.failures[kind] += 1
        times = self._times_failed[kind] = self._times_failed.get(kind, 0) + 1
        if times <= KEPT:
            print(f"{kind}: {keep(self._folder, target.name, data)}", flush=True)
