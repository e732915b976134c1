"""Verdicts on an engine that ended, from its status, its use of resources and its last words."""

from __future__ import annotations

import io
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from quoridor_net.outcome import ForfeitError, NotStartedError
from quoridor_net.phrases import Translatable
from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.last_words import KEPT_LINES
from quoridor_net.programs.link import _ProcessCarrier, open_link
from quoridor_net.programs.process import ProcessEnd, ProgramLimits
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.rules import Termination
from tests.support.engine_programs import PYTHON

LIMITS = ProgramLimits(memory=1000, cpu=60)
WHEN = Translatable("on 'genmove'")


class Ended:
    """A process that has ended, or has closed its output without an end."""

    stdin = stdout = close = None

    def __init__(self, status: ProcessEnd | None, words: bytes) -> None:
        self.status = status
        self.words = words
        self.ended = trio.Event()
        if status is not None:
            self.ended.set()

    async def last_words(self) -> bytes:
        await trio.lowlevel.checkpoint()
        return self.words


@pytest.mark.parametrize(
    ("status", "words", "termination", "sentence"),
    [
        (None, b"", "engine_crash", "closed its output on 'genmove'"),
        (ProcessEnd(3, 100, 1), b"", "engine_crash", "ended with exit status 3 on 'genmove'"),
        (ProcessEnd(-11, 100, 1), b"", "engine_crash", "was killed by SIGSEGV on 'genmove'"),
        (ProcessEnd(1, 860, 1), b"", "memory_limit", "ran out of its 1000 MiB of memory and ended with "),
        (ProcessEnd(1, 840, 1), b"", "engine_crash", "ended with exit status 1 on 'genmove'"),
        (ProcessEnd(1, 9, 1), b"MemoryError\n", "memory_limit", "ran out of its 1000 MiB of memory and "),
        (ProcessEnd(0, 999, 1), b"bad_alloc\n", "engine_crash", "ended with exit status 0 on 'genmove'"),
        (ProcessEnd(-9, 9, 59.5), b"", "too_slow", "used up its 60 s of processor time and was killed by "),
        (ProcessEnd(-9, 9, 58.5), b"", "engine_crash", "was killed by SIGKILL on 'genmove'"),
        (ProcessEnd(0, 9, 59.5), b"", "engine_crash", "ended with exit status 0 on 'genmove'"),
        (ProcessEnd(127, 9, 0), b"", "engine_crash", "could not be run and ended with exit status 127 on "),
    ],
)
async def test_an_end_has_its_reason(
    status: ProcessEnd | None, words: bytes, termination: str, sentence: str, autojump_clock: MockClock
) -> None:
    process: Any = Ended(status, words)
    fault = await _ProcessCarrier(process, LIMITS).explain_end(WHEN, (), "", has_answered=True)
    assert fault.termination is Termination(termination)
    assert fault.sentence.startswith(sentence)
    # It had started, so the game counts.
    assert not isinstance(fault, NotStartedError)


@pytest.mark.parametrize(
    ("status", "words", "has_answered", "is_started"),
    [
        (127, b"", False, False),
        (127, b"", True, True),
        (1, b"sh: 1: Cannot fork\n", False, False),
        (1, b"sh: 1: Cannot fork\n", True, True),
        (1, b"sh: 1: syntax error\n", False, True),
        (1, b"my fork is missing\n", False, True),
    ],
)
async def test_a_program_that_did_not_start_loses_no_game(
    status: int, words: bytes, has_answered: bool, is_started: bool
) -> None:
    process: Any = Ended(ProcessEnd(status, 1, 0), words)
    fault = await _ProcessCarrier(process, LIMITS).explain_end(WHEN, (), "", has_answered=has_answered)
    assert isinstance(fault, NotStartedError) != is_started
    assert fault.line == words.decode().strip()


@pytest.mark.parametrize(
    ("memory", "noise", "words", "is_advised"),
    [
        (9, (), b"Error occurred during initialization of VM\nout of memory\n", True),
        (900, ("java 21",), b"", True),
        (9, (), b"Java\n", False),
        (9, (), b"MemoryError\n", False),
    ],
)
async def test_only_a_java_virtual_machine_without_memory_gets_advice(
    memory: float, noise: tuple[str, ...], words: bytes, is_advised: bool
) -> None:
    process: Any = Ended(ProcessEnd(1, memory, 0), words)
    fault = await _ProcessCarrier(process, LIMITS).explain_end(WHEN, noise, "", has_answered=True)
    assert ("try --memory-limit 0" in fault.sentence) == is_advised
    # Without last words, the last other line is quoted.
    assert fault.line == (words.decode().splitlines() or list(noise))[-1]


#: The last words of a Java program, with more lines than a log keeps.
JAVA = b'Exception in thread "main" java.lang.StackOverflowError\n' + b"\tat Board.go(Board.java:5)\n" * 20


async def test_exception_of_an_engine_is_named() -> None:
    process: Any = Ended(ProcessEnd(1, 1, 0), JAVA)
    fault = await _ProcessCarrier(process, LIMITS).explain_end(WHEN, (), "", has_answered=True)
    assert fault.line == (
        'Exception in thread "main" java.lang.StackOverflowError (at Board.go(Board.java:5))'
    )


@pytest.mark.end_to_end
async def test_log_of_an_engine_keeps_its_last_lines() -> None:
    file = io.StringIO()
    program = f"import sys; input(); sys.stderr.write({JAVA.decode()!r}); sys.exit(1)"
    address = EngineAddress((*PYTHON, "-c", program))
    async with open_link(address, transcript=Transcript(file, lambda: 0.0)) as link:
        with pytest.raises(ForfeitError, match="ended with exit status 1") as caught:
            await link.ask("genmove black")
    assert "StackOverflowError" in caught.value.line
    lines = [line for line in file.getvalue().splitlines() if "standard error" in line]
    assert lines == [r"[   0.000] --- standard error: b'\tat Board.go(Board.java:5)\n'"] * KEPT_LINES
