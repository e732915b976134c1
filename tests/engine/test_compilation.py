"""The kernels are compiled by programs of their own, and by the caller where there can be none."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from quoridor_net.engine import compilation, warm_up
from quoridor_net.engine.compilation import load_kernels
from quoridor_net.jit import cache
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.compiled("engine")


@pytest.fixture
def incomplete(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mark the code as not compiled; existing files are still loaded."""
    monkeypatch.setattr(cache.KernelCache, "is_complete", lambda _cache, _use: False)


def list_progress() -> list[str]:
    """Return the progress of compiling, without lines about waits for other tests that compile."""
    lines: list[str] = []
    warm_up(lines.append)
    return [line for line in lines if not line.startswith("waiting for another program")]


@pytest.mark.usefixtures("incomplete")
@pytest.mark.parametrize("processors", [1, 2])
def test_every_part_is_reported_once_before_it_is_compiled(
    processors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    lines = list_progress()
    for parts, seconds, end in ((7, 10, "ready"), (3, 5, "ready for 4 players")):
        steps, lines = lines[:parts], lines[parts:]
        assert lines.pop(0) == end
        numbers = range(1, parts + 1)
        assert [line.split(":")[0] for line in steps] == [
            f"compiling {number} of {parts} [{'#' * (number - 1)}{'.' * (parts - number + 1)}]"
            for number in numbers
        ]
        assert len({line.split(":")[1].split(" (")[0] for line in steps}) == parts
        notes = [line.partition(" (about ")[2] for line in steps]
        assert notes == [f"{seconds} seconds in total; progress is kept)"] + [""] * (parts - 1)
    assert lines == []


def test_kernels_are_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    load_kernels(2)
    monkeypatch.setattr(compilation, "_PARTS", {})
    load_kernels(2)


@pytest.mark.usefixtures("incomplete")
def test_where_no_process_can_be_started_this_one_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: Any, **_options: Any) -> None:
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert list_progress() == ["ready", "ready for 4 players"]


def test_a_program_that_compiles_ends_with_its_parent() -> None:
    command = [sys.executable, "-m", "quoridor_net.engine.compilation", *["evaluation"] * 10_000]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stdout.readline() == "evaluation\n"
        program.stdin.close()
        assert program.wait() == 1


#: Runs statements, each in a thread, at once. If that takes longer than the first argument, in seconds, it
#: ends and says where each thread stands.
IN_THREADS = """
import faulthandler, os, sys, threading
import quoridor_net

faulthandler.dump_traceback_later(float(sys.argv.pop(1)), exit=True)
begin = threading.Barrier(len(sys.argv) - 1)

def run(statement):
    begin.wait()
    exec(statement, {})
    # In one piece, unlike print.
    os.write(1, b"done\\n")

threads = [threading.Thread(target=run, args=(statement,)) for statement in sys.argv[1:]]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


@pytest.mark.end_to_end
def test_threads_may_load_the_engine_at_once() -> None:
    statements = [
        "from quoridor_net.engine import warm_up; warm_up()",
        *(
            "from quoridor_net import Engine, Limits, Position\n"
            f"Engine().play(Position(players={players}), Limits(nodes=50))"
            for players in (2, 4)
        ),
        "from quoridor_net.clobber.engine import ClobberEngine; ClobberEngine(1).warm_up()",
    ]
    command = [sys.executable, "-c", IN_THREADS, str(PATIENCE), *statements]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not found.stderr, found.stderr
    assert found.stdout == "done\n" * len(statements)
