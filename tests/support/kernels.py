"""The kernels of both engines, compiled before the first test that needs them.

Compiling takes a minute on an idle machine. A test that met with it would measure that and not what it is
about, and several processes that compile at the same time would do the same work again and again.
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
except ImportError:  # Windows: whoever comes second there compiles as well.
    fcntl = None  # type: ignore[assignment]

#: How the kernels of a package are compiled, or found compiled.
WARM_UP = {
    "engine": "from quoridor_net.engine import warm_up; warm_up()",
    "clobber": "from quoridor_net.clobber.engine import ClobberEngine; ClobberEngine().warm_up()",
}


def wanted(items: Iterable[pytest.Item]) -> set[str]:
    """Return the packages whose kernels these tests need, by their marks ``compiled``."""
    return {str(package) for item in items for mark in item.iter_markers("compiled") for package in mark.args}


def compile_kernels(packages: Iterable[str], root: Path) -> None:
    """Compile the kernels of ``packages``, one process of a test run for all of them.

    It may take as long as it takes. What cannot be compiled is told by the tests.
    """
    # The name of this run, where several processes share its tests.
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", "")
    folder = root / ".pytest_cache"
    for package in sorted(packages):
        with _locked(folder / f"kernels-{package}") as done_by:
            if not run or done_by.read() != run:
                subprocess.run([sys.executable, "-c", WARM_UP[package]], cwd=root, check=False)
                done_by.seek(0)
                done_by.truncate()
                done_by.write(run)


@contextmanager
def _locked(path: Path) -> Iterator[IO[str]]:
    """Open ``path``, which is made where it does not exist, for one process at a time."""
    path.parent.mkdir(exist_ok=True)
    with path.open("a+", encoding="ascii") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        yield file
