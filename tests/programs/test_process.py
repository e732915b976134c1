"""Killing the processes of an engine continues until none is left, even if they fork meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio

from quoridor_net.programs import process, unix
from quoridor_net.programs.orphans import list_processes
from quoridor_net.programs.process import QUIET_PASSES, EngineProcess, ProgramLimits, start_process
from tests.support.patience import PATIENCE

GROUP = 77

#: How often a process is missed when processes are listed. Each is forked by the one before it, after
#: that one was listed and before it is killed.
MISSED = {11: 0, 12: 0, 13: QUIET_PASSES - 1, 14: 0}

#: The guard's commands for a folder in which every process is a file with the number of times it is missed.
COMMANDS = """
grep() {
    for name in [0-9]*; do
        [ -e "$name" ] || continue
        read -r missed <"$name"
        if [ "$missed" -gt 0 ]; then echo $((missed - 1)) >"$name"; else echo "/proc/$name/environ"; fi
    done
}
kill() {
    echo "$2" >>killed
    rm -f "$2"
    [ ! -e "child-of-$2" ] || mv "child-of-$2" $(($2 + 1))
}
"""


def test_the_guard_kills_processes_forked_meanwhile(tmp_path: Path) -> None:
    for pid, missed in MISSED.items():
        name = f"child-of-{pid - 1}" if pid - 1 in MISSED else str(pid)
        (tmp_path / name).write_text(f"{missed}\n")
    _, _, rest = process._LAUNCHER.partition("/bin/sh -c '")
    script, _, _ = rest.partition("' sh")
    command = ["/bin/sh", "-c", COMMANDS + script, "sh", "mark", str(GROUP)]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=PATIENCE)
    killed = [int(line) for line in (tmp_path / "killed").read_text().split()]
    assert killed == [*MISSED, -GROUP]


def end_engine(monkeypatch: pytest.MonkeyPatch, find_marked: Callable[[str], Iterator[int]]) -> None:
    """Kill an engine and the processes that are found; none of them is a child of this program."""

    def nobodys_child(_pid: int, _options: int) -> None:
        raise ChildProcessError

    monkeypatch.setattr(process, "_find_marked", find_marked)
    monkeypatch.setattr(process, "_find_hidden", lambda: iter(()))
    monkeypatch.setattr(os, "waitpid", nobodys_child)
    monkeypatch.setattr(unix, "open_stream", lambda _descriptor: None)
    popen: Any = SimpleNamespace(pid=GROUP, returncode=None)
    EngineProcess(popen, "mark", (-1, -1, -1, -1)).kill()


def test_ending_an_engine_kills_processes_forked_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    killed: list[int] = []
    living = {11: MISSED[11]}

    def yield_living(_mark: str) -> Iterator[int]:
        for pid in list(living):
            if living[pid] > 0:
                living[pid] -= 1
            else:
                yield pid

    def kill(pid: int, _number: int) -> None:
        killed.append(pid)
        del living[pid]
        if pid + 1 in MISSED:
            living[pid + 1] = MISSED[pid + 1]

    monkeypatch.setattr(os, "getpgid", lambda pid: pid)
    monkeypatch.setattr(os, "kill", kill)
    monkeypatch.setattr(os, "killpg", lambda pid, _number: killed.append(-pid))
    end_engine(monkeypatch, yield_living)
    assert killed == [-GROUP, *MISSED]


def test_members_of_the_killed_group_that_are_still_dying_have_not_escaped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    killed: list[int] = []
    passes = iter([[GROUP + 1], [GROUP + 1], [], []])
    monkeypatch.setattr(os, "getpgid", lambda _pid: GROUP)
    monkeypatch.setattr(os, "killpg", lambda pid, _number: killed.append(-pid))
    # A fifth pass would raise StopIteration.
    end_engine(monkeypatch, lambda _mark: iter(next(passes)))
    assert killed == 3 * [-GROUP]
    assert next(passes, None) is None, "a single quiet pass can miss a process"


async def test_a_machine_without_threads_can_wait_for_programs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def no_thread(*_arguments: object, **_options: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(trio.to_thread, "run_sync", no_thread)
    program = start_process(["sh", "-c", "exit 3"], ProgramLimits())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(program.drain_stderr)
        await program.wait()
    await program.close()
    assert program.status is not None
    assert program.status.code == 3


@pytest.mark.end_to_end
async def test_the_output_of_a_program_can_be_read_after_its_end() -> None:
    program = start_process(["echo", "bye"], ProgramLimits())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(program.drain_stderr)
        nursery.start_soon(program.wait)
        await program.ended.wait()
        assert await program.stdout.receive_some() == b"bye\n"
        nursery.cancel_scope.cancel()
    await program.close()
    with pytest.raises(trio.ClosedResourceError):
        await program.stdin.send_all(b"more")


def test_a_system_without_proc_lists_no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> Iterator[Any]:
        raise FileNotFoundError(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert list_processes() == []


@pytest.mark.end_to_end
@pytest.mark.skipif(sys.platform == "darwin", reason="macOS cannot limit the address space")
@pytest.mark.parametrize(
    ("limits", "memory", "seconds"),
    [(ProgramLimits(), 950 << 10, 7 * 24 * 3600), (ProgramLimits(memory=150, cpu=9), 150 << 10, 9)],
)
async def test_the_system_knows_the_limits_of_a_program(
    limits: ProgramLimits, memory: int, seconds: int
) -> None:
    # The shell prints the address space in KiB.
    program = start_process(["sh", "-c", "ulimit -v; ulimit -t"], limits)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(program.drain_stderr)
        nursery.start_soon(program.wait)
        printed = b""
        with trio.fail_after(PATIENCE):
            while printed.count(b"\n") < 2 and (data := await program.stdout.receive_some()):
                printed += data
    await program.close()
    assert list(map(int, printed.split())) == [memory, seconds]
