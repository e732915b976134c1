"""The kernels of both engines, compiled before the first test that needs them.

As a program, this module compiles all of them. Run it before several test processes start, because each
would compile the kernels that Python compiles on import.

Compiling takes a minute on an idle machine. Otherwise it would distort the timing of the first test that
needs a kernel, and parallel test processes would all compile the same kernels.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

try:
    import fcntl
except ImportError:  # Windows: parallel processes compile the same kernels there.
    fcntl = None  # type: ignore[assignment]

#: Code that compiles the kernels of a package or loads them from the cache.
WARM_UP = {
    "engine": "from quoridor_net.engine import warm_up; warm_up(print)",
    "clobber": "from quoridor_net.clobber.engine import ClobberEngine; ClobberEngine().warm_up()",
}


def find_packages(items: Iterable[pytest.Item]) -> set[str]:
    """Return the packages whose kernels these tests need, according to their marks ``compiled``."""
    return {str(package) for item in items for mark in item.iter_markers("compiled") for package in mark.args}


def compile_kernels(packages: Iterable[str], root: Path) -> None:
    """Compile the kernels of ``packages`` once per test run, even if several processes share it.

    There is no time limit, and errors are left to the tests.
    """
    # Identifies the test run if several processes share it.
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", "")
    folder = root / ".pytest_cache"
    for package in sorted(packages):
        with _lock_file(folder / f"kernels-{package}") as done_by:
            if not run or done_by.read() != run:
                subprocess.run([sys.executable, "-c", WARM_UP[package]], cwd=root, check=False)
                done_by.seek(0)
                done_by.truncate()
                done_by.write(run)


@contextmanager
def _lock_file(path: Path) -> Iterator[IO[str]]:
    """Open ``path`` for one process at a time, and create it if needed."""
    path.parent.mkdir(exist_ok=True)
    with path.open("a+", encoding="ascii") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        yield file


def main() -> None:
    """Compile the kernels of both engines at once."""
    programs = [subprocess.Popen([sys.executable, "-c", code]) for code in WARM_UP.values()]
    for program in programs:
        program.wait()


if __name__ == "__main__":
    main()
