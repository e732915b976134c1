"""What differs between operating systems is looked up, not assumed."""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from quoridor_net import system


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make the module see Windows; return its msvcrt, whose ``busy`` counts attempts that fail."""
    msvcrt: Any = ModuleType("msvcrt")
    msvcrt.LK_NBLCK = 2
    msvcrt.busy = 0
    msvcrt.locked = []

    def lock_bytes(descriptor: int, mode: int, size: int) -> None:
        assert (mode, size) == (msvcrt.LK_NBLCK, 1)
        if msvcrt.busy:
            msvcrt.busy -= 1
            raise PermissionError(errno.EACCES, "Permission denied")
        msvcrt.locked.append(descriptor)

    msvcrt.locking = lock_bytes
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    monkeypatch.setattr(sys, "platform", "win32")
    return msvcrt


def test_signals_that_the_system_lacks_are_left_out() -> None:
    assert system.signals("SIGINT", "SIGNONE") == (signal.SIGINT,)


def test_a_locked_file_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "_RETRY", 0.0)
    waited: list[str] = []
    with (tmp_path / "lock").open("wb") as first, (tmp_path / "lock").open("wb") as second:

        def on_wait() -> None:
            waited.append("once")
            first.close()

        system.lock(first, lambda: waited.append("never"))
        system.lock(second, on_wait)
    assert waited == ["once"]


def test_windows_locks_files_too(windows: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float | str] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    windows.busy = 3
    with (tmp_path / "lock").open("wb") as file:
        system.lock(file, lambda: waited.append("once"))
        assert (windows.locked, waited) == ([file.fileno()], ["once", 0.1, 0.1])


def test_a_file_that_cannot_be_locked_is_an_error_of_the_system(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", None)
    with (tmp_path / "lock").open("wb") as file, pytest.raises(OSError, match="not implemented"):
        system.lock(file, lambda: None)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
def test_an_infinite_limit_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    soft = [resource.RLIM_INFINITY, 256]
    monkeypatch.setattr(resource, "getrlimit", lambda _limit: (soft.pop(0), resource.RLIM_INFINITY))
    assert system.limit_of("RLIMIT_NOFILE") is None
    assert system.limit_of("RLIMIT_NOFILE") == 256


def test_there_are_no_limits_without_the_resource_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    assert system.limit_of("RLIMIT_NOFILE") is None


def test_windows_has_words_for_errors_of_sockets(windows: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    words = {10061: "The target machine actively refused it. ", 9999: "not a socket", 10000: "a socket"}
    monkeypatch.setattr("ctypes.FormatError", words.get, raising=False)
    assert system.error_text(10061) == "The target machine actively refused it"
    assert system.error_text(10000) == "a socket"
    assert system.error_text(9999) != "not a socket"
    assert system.error_text(errno.ENOENT) == os.strerror(errno.ENOENT)


@pytest.mark.parametrize(
    ("platform", "variable"),
    [("linux", "XDG_STATE_HOME"), ("darwin", "XDG_STATE_HOME"), ("win32", "LOCALAPPDATA")],
)
def test_each_system_has_a_folder_for_states(
    platform: str, variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert system.find_state_folder() == tmp_path / ".local/state/quoridor-net"
    monkeypatch.setenv(variable, str(tmp_path / "state"))
    assert system.find_state_folder() == tmp_path / "state/quoridor-net"


def test_commands_are_quoted_for_the_shell_of_the_system(windows: Any) -> None:
    assert system.command_line(["quoridor", "--opening", "e2 e8"]) == 'quoridor --opening "e2 e8"'


def test_commands_are_quoted_for_other_shells() -> None:
    assert system.command_line(["quoridor", "--opening", "e2 e8"]) == "quoridor --opening 'e2 e8'"
