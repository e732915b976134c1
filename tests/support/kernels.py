"""The kernels of both engines, compiled before the first test that needs them.

As a program, this module compiles all of them. Run it before several test processes start, because each
would compile the kernels that Python compiles on import.

Compiling takes a minute on an idle machine. Otherwise it would distort the timing of the first test that
needs a kernel, and parallel test processes would all compile the same kernels.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.support.once import do_once

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
    for package in sorted(packages):
        command = [sys.executable, "-c", WARM_UP[package]]
        warm_up = functools.partial(subprocess.run, command, cwd=root, check=False)
        do_once(root / ".pytest_cache" / f"kernels-{package}", run, warm_up)


def main() -> None:
    """Compile the kernels of both engines at once."""
    programs = [subprocess.Popen([sys.executable, "-c", code]) for code in WARM_UP.values()]
    for program in programs:
        program.wait()


if __name__ == "__main__":
    main()
