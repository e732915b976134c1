"""Building and starting the programs in ``examples/``."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

import pytest

from tests.docs.pages import commands
from tests.support.once import do_once
from tests.support.patience import PATIENCE

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
#: What `npm ci` installs.
NODE_MODULES = ROOT / "node_modules"
#: The commands that build the examples.
BUILDS = [shown for shown in commands(EXAMPLES / "README.md") if re.match(r"javac|cc |npx tsc ", shown.text)]
#: Options that the tests add for each compiler.
STRICT = {"cc": ["-Werror"], "javac": ["-Xlint:all", "-Werror"], "npx": ["--strict"]}
#: The programs that run those that are not native, by suffix.
RUNTIMES = {".java": "java", ".ts": "node"}
HOST = "127.0.0.1"


def tool(*names: str) -> str:
    """Return the first of these programs that is installed; skip the test if none is."""
    for name in names:
        if found := shutil.which(name):
            return found
    pytest.skip(f"{' or '.join(names)} is not installed")


def build(source: str, folder: Path) -> list[str]:
    """Build the example ``source`` by the command of their README, and return its command line.

    A compiler must print nothing, even if asked to warn of more. A test without the compiler is skipped. Only
    the first call builds in a ``folder``, also for other processes.
    """
    path = EXAMPLES / source
    if path.suffix == ".py":
        return [sys.executable, "-I", str(path)]
    compiler, *words = next(shown.text.split() for shown in BUILDS if shown.text.endswith(f" {source}"))
    command = [tool(compiler), *words, *STRICT[compiler]]
    runtime = tool(RUNTIMES[path.suffix]) if path.suffix in RUNTIMES else ""
    if path.suffix == ".ts" and not (NODE_MODULES / "typescript").exists():
        pytest.skip("the TypeScript compiler is not installed; run `npm ci`")
    own = folder / source
    do_once(own / "built", source, lambda: compile_in(own, path, command))
    program = own / path.stem
    match path.suffix:
        case ".java":
            # These options make the virtual machine start quickly with few threads.
            fast = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
            return [runtime, *fast, "-cp", str(own), path.stem]
        case ".ts":
            return [runtime, f"{program}.js"]
        case _:
            return [str(program)]


def compile_in(folder: Path, path: Path, command: list[str]) -> None:
    """Copy the source ``path`` to ``folder`` and run a compiler there, which must print nothing."""
    shutil.copy(path, folder)
    if path.suffix == ".ts":
        # The command before this one installs them.
        with suppress(FileExistsError):
            (folder / "node_modules").symlink_to(NODE_MODULES)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@contextmanager
def run_server(command: list[str]) -> Iterator[int]:
    """Start a move server; yield its port."""
    with subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            ready = re.fullmatch(r"ex\w:walker is ready on port (\d+)\n", process.stdout.readline())
            assert ready is not None
            yield int(ready[1])
            assert process.poll() is None, "the server has ended"
        finally:
            process.kill()


class Client:
    """A connection to a move server on ``port``."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection((HOST, port), timeout=PATIENCE)
        self._lines = self._socket.makefile("rb")

    def send(self, *lines: str, end: str = "\n") -> None:
        """Send all lines at once."""
        self.send_bytes("".join(f"{line}{end}" for line in lines).encode())

    def send_bytes(self, data: bytes) -> None:
        self._socket.sendall(data)

    def line(self) -> str:
        """Return the next line of the server without its line feed; empty once the connection is closed."""
        line = self._lines.readline().decode()
        assert line.endswith("\n") or not line
        return line.removesuffix("\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()
        self._socket.close()
