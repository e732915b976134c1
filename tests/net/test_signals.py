"""Interrupted programs end in order, however often Ctrl-C is pressed; ignored signals stay ignored."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import trio
import trio.testing

from quoridor_net.net.signals import SIGNALS, until_signal
from tests.support.engine_programs import sloppy_command
from tests.support.patience import PATIENCE

ROOT = Path(__file__).parents[2]

QUORIDOR = (sys.executable, "-m", "quoridor_net")

#: What sets a handler.
SETTING = {"signal.signal", "trio.open_signal_receiver"}

#: The signals that the doors ignore from the start.
IGNORED = {*SIGNALS, getattr(signal, "SIGTSTP", signal.SIGINT)}

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

PROGRAM = """
import sys
import trio
from quoridor_net.net.signals import until_signal

async def work():
    print("working", flush=True)
    try:
        await trio.sleep_forever()
    finally:
        print("leaving", flush=True)
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(sys.stdin.readline)

print(trio.run(until_signal, work), flush=True)
sys.stdin.readline()
sys.exit(4)
"""


@pytest.mark.end_to_end
@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_further_signals_do_not_disturb_the_end(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for expected in ("working", "leaving"):
            assert program.stdout.readline() == f"{expected}\n"
            program.send_signal(number)
        program.stdin.write("\n")
        program.stdin.flush()
        assert program.stdout.readline() == "None\n"
        program.send_signal(number)
        output, complaints = program.communicate("\n", timeout=PATIENCE)
    assert (program.returncode, output, complaints) == (4, "", "")


@contextmanager
def ignore_signals(numbers: Sequence[int]) -> Iterator[None]:
    before = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@posix
@pytest.mark.parametrize("numbers", [SIGNALS[:1], SIGNALS[1:], SIGNALS])
def test_ignored_signals_stay_ignored(numbers: tuple[int, ...]) -> None:
    async def work() -> str:
        for number in numbers:
            os.kill(os.getpid(), number)
            await trio.testing.wait_all_tasks_blocked(0.01)
        return "done"

    with ignore_signals(numbers):
        assert trio.run(until_signal, work) == "done"
        assert [signal.getsignal(number) for number in numbers] == [signal.SIG_IGN] * len(numbers)


@posix
def test_other_signals_still_take_effect() -> None:
    async def work() -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        await trio.sleep_forever()

    with ignore_signals([signal.SIGINT]):
        before = signal.getsignal(signal.SIGTERM)
        assert trio.run(until_signal, work) is None
        signal.signal(signal.SIGTERM, before)


def test_handlers_are_set_in_one_place() -> None:
    places = set()
    for folder in ("quoridor_net", "server", "client"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
            if "signal" in text and any(ast.unparse(call.func) in SETTING for call in calls):
                places.add(path.relative_to(ROOT).as_posix())
    assert places == {"quoridor_net/net/signals.py"}


DOORS = {
    "serve": ("serve --port 0 --host 127.0.0.1 --player simple", "is ready"),
    "qtp": ("qtp --player simple", "= "),
    "qtp --port": ("qtp --port 0 --player simple", "is ready"),
    "clobber serve": ("clobber serve --port 0 --host 127.0.0.1 --entrants 2", "is ready"),
    "play": ("play simple random --delay 5", "   1 1 "),
    "tournament": ("tournament run a.db simple random --games 10000", "game 1: "),
    "referee": ("referee --verbose 1 --games 1000 --white ENGINE --black ENGINE", "game 1:   1 black"),
    # With two move servers and a display client.
    "demo": ("demo --player simple --delay 5", "   1 1 "),
}


@pytest.mark.end_to_end
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which signals a process ignores")
@pytest.mark.parametrize("door", DOORS)
def test_every_command_leaves_ignored_signals_ignored(door: str, tmp_path: Path) -> None:
    words, ready = DOORS[door]
    command = [sloppy_command("sane") if word == "ENGINE" else word for word in words.split()]
    program = subprocess.Popen(
        ["/bin/sh", "-c", 'trap "" HUP INT TERM TSTP; exec "$@"', "sh", *QUORIDOR, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    try:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write("name\n")
        program.stdin.flush()
        assert any(line.startswith(ready) or ready in line for line in program.stdout)
        ours = list(programs_of(program.pid))
        assert program.pid in ours
        assert [pid for pid in ours if IGNORED - list_ignored(pid)] == []
    finally:
        os.killpg(program.pid, signal.SIGKILL)
        program.communicate()


def programs_of(session: int) -> Iterator[int]:
    """Yield the processes of the quoridor command in a session."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            after_name = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            if int(after_name[3]) == session and b"quoridor_net" in (folder / "cmdline").read_bytes():
                yield int(folder.name)


def list_ignored(pid: int) -> set[int]:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    (line,) = (line for line in status.splitlines() if line.startswith("SigIgn:"))
    mask = int(line.split()[1], 16)
    return {number for number in range(1, 65) if mask >> (number - 1) & 1}
