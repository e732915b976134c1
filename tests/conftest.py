"""What all tests share."""

from __future__ import annotations

import functools
import gc
import importlib
import inspect
import os
import signal
from collections.abc import Awaitable, Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import settings

from quoridor_net.cli import leaving, unexpected
from tests.support.kernels import compile_kernels, find_packages
from tests.support.patience import PATIENCE

# The tests' matrices are small: threads that wait for one another cost more than they save. Programs that
# tests start choose for themselves.
with pytest.MonkeyPatch.context() as patch:
    patch.setenv("OPENBLAS_NUM_THREADS", "1")
    importlib.import_module("numpy")

# Shared machines are slow at times: no test fails for the time one example takes.
settings.register_profile("default", deadline=None)
settings.load_profile("default")

# A command that fails for a mistake of ours shows where, and tests that look for tracebacks find it.
os.environ.setdefault(unexpected.TRACEBACK, "1")

# A background job of a script is started with Ctrl-C ignored, which programs started by tests would inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

#: PATIENCE by the virtual clock, which jumps there as soon as nothing else can happen: a test in memory
#: that hangs fails at once.
VIRTUAL_PATIENCE = 10**7


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return how many workers ``-n auto`` means: more than processors, because tests wait for programs."""
    return (os.cpu_count() or 1) + 4


@pytest.fixture(autouse=True)
def ends_in_the_usual_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no command end the tests' own process at once, because a test before it left the engine loading."""
    monkeypatch.setattr(leaving, "is_compiling", lambda: False)


@pytest.fixture(autouse=True, scope="session")
def own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what programs note about their user out of the home of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def folder_of_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of this test run share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spare the garbage collector the modules and tests, which stay: it would scan them again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every asynchronous test a time limit of its own, far below that of the whole process."""
    for item in items:
        # The virtual clock jumps while a thread is at work: such tests have the limit of the process only.
        if item.get_closest_marker("threads") is not None:
            continue
        if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
            is_virtual = not {"autojump_clock", "mock_clock"}.isdisjoint(item.fixturenames)
            item.obj = limit_time(item.obj, VIRTUAL_PATIENCE if is_virtual else PATIENCE)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Compile what the tests need that will run, before the time of the first of them begins."""
    if not session.config.option.collectonly:
        compile_kernels(find_packages(session.items), session.config.rootpath)


def limit_time(test: Callable[..., Awaitable[None]], seconds: float) -> Callable[..., Awaitable[None]]:
    @functools.wraps(test)
    async def run_within_limits(**arguments: Any) -> None:
        with trio.fail_after(seconds):
            await test(**arguments)

    return run_within_limits
