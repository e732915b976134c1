"""A shortage of the machine is reported in one line."""

from __future__ import annotations

import errno
import os

import click
import pytest
from click.testing import CliRunner

from quoridor_net.cli import start as start_module
from quoridor_net.cli.command import command
from quoridor_net.shortage import lack_of


def make_failing(error: BaseException) -> click.Command:
    @command()
    def fail() -> None:
        raise error

    return fail


def os_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (MemoryError(), 4, "out of memory: close other programs or raise the limit (ulimit -v)"),
        (MemoryError("750 MiB are needed"), 4, "750 MiB are needed"),
        (os_error(errno.ENOMEM), 4, "out of memory: close other programs or raise the limit (ulimit -v)"),
        (os_error(errno.EMFILE), 4, "too many open files and connections: raise the limit (ulimit -n)"),
        (os_error(errno.EAGAIN), 4, "cannot start a process: "),
        (RuntimeError("can't start new thread"), 4, "cannot start a thread: "),
        (ImportError("libssl.so.3: failed to map segment from shared object"), 4, "out of memory: "),
        (os_error(errno.ENOSPC), 1, "No space left on device"),
        (ExceptionGroup("both", [ExceptionGroup("one", [MemoryError()])]), 4, "out of memory: "),
    ],
)
def test_a_shortage_is_reported_in_one_line(error: Exception, status: int, words: str) -> None:
    done = CliRunner().invoke(make_failing(error))
    assert done.exit_code == status
    assert done.stderr.startswith(f"Error: {words}")
    assert done.stderr.count("\n") == 1


def test_the_first_error_of_a_group_names_the_shortage() -> None:
    group = ExceptionGroup("two", [os_error(errno.EMFILE), MemoryError()])
    assert lack_of(group) == "too many open files and connections: raise the limit (ulimit -n)"


def test_too_little_memory_to_start_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_module: str) -> None:
        raise MemoryError

    monkeypatch.setattr(start_module, "load", refuse)
    with pytest.raises(SystemExit) as ended:
        start_module.start("server.command")
    assert str(ended.value) == "Error: not enough memory to start: out of memory."
