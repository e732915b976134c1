"""Engine processes where the system has less than Linux."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from quoridor_net.programs import process, unix
from quoridor_net.programs.process import ProgramLimits, start_process


def test_no_engine_starts_without_support_for_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    with pytest.raises(OSError, match="use Linux, macOS or WSL"):
        start_process(["engine"], ProgramLimits())


#: No process has this ID.
NOBODY = 1 << 30


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (unix.open_stream, [-1]),
        (unix.open_terminal, []),
        (unix.hard_limit, ["RLIMIT_AS"]),
        (unix.wait_for_end, [NOBODY]),
        (unix.has_ended, [NOBODY]),
        (unix.peak_memory, []),
        (unix.reap, [NOBODY]),
        (unix.kill_group, [NOBODY]),
        (unix.kill, [NOBODY]),
        (unix.session, []),
        (unix.reap_if_ended, [NOBODY]),
    ],
)
def test_functions_of_unix_are_refused_on_windows(
    function: Callable[..., object], arguments: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(OSError, match="use Linux, macOS or WSL"):
        function(*arguments)


class Queue:
    """A kernel queue of macOS that reports the end of a process, or finds a zombie."""

    def __init__(self, *, is_zombie: bool) -> None:
        self.is_zombie = is_zombie
        self.watched: list[Any] = []
        self.is_open = True

    def control(self, events: list[Any], _most: int, _seconds: float | None) -> None:
        if self.is_zombie:
            raise ProcessLookupError
        self.watched += events

    def close(self) -> None:
        self.is_open = False


@pytest.mark.parametrize("is_zombie", [False, True])
def test_macos_waits_for_an_engine_without_reaping_it(
    monkeypatch: pytest.MonkeyPatch, is_zombie: bool
) -> None:
    queue = Queue(is_zombie=is_zombie)
    monkeypatch.setattr(sys, "platform", "darwin")
    for number, name in enumerate(("KQ_FILTER_PROC", "KQ_EV_ADD", "KQ_EV_ONESHOT", "KQ_NOTE_EXIT")):
        monkeypatch.setattr(select, name, 1 << number, raising=False)
    monkeypatch.setattr(select, "kqueue", lambda: queue, raising=False)

    def event(pid: int, **flags: int) -> SimpleNamespace:
        return SimpleNamespace(pid=pid, **flags)

    monkeypatch.setattr(select, "kevent", event, raising=False)
    unix.wait_for_end(77)
    assert queue.watched == [] if is_zombie else [event(77, filter=1, flags=2 | 4, fflags=8)]
    assert not queue.is_open
    # The system does not watch a zombie, which has ended.
    assert unix.has_ended(77) is is_zombie


def test_macos_is_asked_for_no_limit_that_it_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert process._bound("RLIMIT_AS", 950, 1 << 20, 1024) == "-"
    assert process._bound("RLIMIT_CPU", 10) == "10"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no sessions")
def test_the_session_is_that_of_this_process() -> None:
    assert unix.session() == os.getsid(os.getpid())
