"""Feeds targets with inputs, and notices those that raise, are slow, or do not end."""

from __future__ import annotations

import random
import signal
import time
import traceback
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import define

from benchmarks.fuzz.corpus import kept_inputs
from benchmarks.fuzz.failures import keep
from benchmarks.fuzz.inputs import Inputs
from benchmarks.fuzz.report import FuzzReport
from benchmarks.fuzz.target import Target

#: Seconds of processor time for an input of up to :data:`benchmarks.fuzz.inputs.LONGEST` bytes.
LIMIT = 0.1

#: Seconds after which an input is given up; it may take twice as many.
PATIENCE = 10.0

#: An input that took long is tried so many times more: another program may have been the reason.
RETRIES = 3

#: Reproducers kept of each kind of failure.
KEPT = 3

#: Inputs that a target is fed in a row, while its code is in the processor's caches.
ROW = 64

#: Bytes in which :class:`Seen` has a bit for each input.
SEEN_BYTES = 1 << 28


class TakesTooLong(BaseException):
    """An input was given up. Not an Exception, so that no parser catches it."""


class Watch:
    """Gives up an input that is still running when two ticks of a clock have passed.

    One clock for all inputs costs less than a timer for each of them.
    """

    def __init__(self) -> None:
        # Odd while an input is running.
        self.moment = 0
        self._before = 0

    def start(self) -> None:
        """Start the clock, where there is one."""
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, lambda _signal, _frame: self.tick())
            signal.setitimer(signal.ITIMER_REAL, PATIENCE, PATIENCE)

    def tick(self) -> None:
        """Give up the input that is running if it was running a tick ago."""
        if self.moment % 2 and self.moment == self._before:
            raise TakesTooLong
        self._before = self.moment


#: Signals belong to the process, and so does the clock.
WATCH = Watch()


class Seen:
    """Which inputs were fed already.

    Args:
        bits: :data:`SEEN_BYTES` of them, zero at first, which processes may share.
    """

    def __init__(self, bits: memoryview) -> None:
        self._bits = bits

    def is_new(self, target: int, data: bytes) -> bool:
        """Return whether a target gets an input for the first time, and remember it.

        One in some that are new is taken for one that was there: those that share a bit.
        """
        number = zlib.crc32(data, target) % (8 * SEEN_BYTES)
        index, bit = number >> 3, 1 << (number & 7)
        is_new = not self._bits[index] & bit
        self._bits[index] |= bit
        return is_new


def attempt(target: Target, data: bytes, clock: Callable[[], float] = time.perf_counter) -> tuple[float, str]:
    """Feed one input; return the seconds it took and what went wrong, empty if nothing."""
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
    """Feed one input, again if it took longer than what is ``usual``, or allowed.

    Returns:
        the seconds it took, of processor time if they are more than usual, and what went wrong.
    """
    seconds, wrong = attempt(target, data)
    if not wrong and seconds > min(usual, limit):
        seconds = min(attempt(target, data, time.process_time)[0] for _ in range(RETRIES))
        if seconds > limit:
            wrong = "slow"
    return seconds, wrong


@define
class Fed:
    """A target, what makes its inputs, and the seconds of processor time they have taken."""

    number: int
    target: Target
    inputs: Inputs
    seconds: float = 0.0


class Feeder:
    """Feeds some targets, all of them for the same time.

    Args:
        targets: to feed; those that are fast get more inputs.
        seed: of the inputs. Every target has choices of its own, so that its inputs are the same again.
        limit: seconds of processor time for one input.
        folder: for inputs that fail.
        seen: inputs that are not fed again.
    """

    def __init__(self, targets: Sequence[Target], seed: int, limit: float, folder: Path, seen: Seen) -> None:
        self._limit = limit
        self._folder = folder
        self._seen = seen
        self._fed = []
        for number, target in enumerate(targets):
            source = random.Random(f"{seed} {target.name}")
            samples = [*target.samples(source), *kept_inputs(target.name)]
            self._fed.append(Fed(number, target, Inputs(source, samples, target.words)))
        self._slowest = dict.fromkeys((target.name for target in targets), 0.0)
        self._times_failed: dict[str, int] = {}

    def feed(self, inputs: int, seconds: float) -> FuzzReport:
        """Feed so many inputs, or for so many seconds, whatever comes first."""
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
            # An input costs a little even where all of a row were there before.
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
