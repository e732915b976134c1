"""Building and starting the programs in ``examples/``."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import pytest

from tests.support.patience import PATIENCE

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
#: What `npm ci` installs.
NODE_MODULES = ROOT / "node_modules"
HOST = "127.0.0.1"


def tool(*names: str) -> str:
    """Return the first of these programs that is installed; skip the test if none is."""
    for name in names:
        if found := shutil.which(name):
            return found
    pytest.skip(f"{' or '.join(names)} is not installed")


def run(*words: str | Path) -> None:
    """Run a compiler, which must print nothing."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def build(source: str, folder: Path) -> list[str]:
    """Build the example ``source`` in ``folder``, and return its command line; skip without a compiler."""
    path = EXAMPLES / source
    if path.suffix == ".py":
        return [sys.executable, "-I", str(path)]
    if path.suffix == ".java":
        runtime = tool("java")
        run(tool("javac"), "-Xlint:all", "-Werror", "-d", folder, path)
        # These options make the virtual machine start quickly with few threads.
        return [runtime, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", str(folder), path.stem]
    if path.suffix == ".ts":
        return [tool("node"), str(compile_typescript(path, folder))]
    program = folder / path.stem
    run(tool("cc", "gcc"), "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-o", program, path)
    return [str(program)]


def find_typescript() -> Path:
    """Return the path of the TypeScript compiler; skip the test if it is not installed."""
    compiler = NODE_MODULES / "typescript" / "bin" / "tsc"
    if not compiler.exists():
        pytest.skip("the TypeScript compiler is not installed; run `npm ci`")
    return compiler


def compile_typescript(path: Path, folder: Path) -> Path:
    """Compile ``path`` in ``folder``, and return the JavaScript; skip without the compiler."""
    # In the folder, because package.json of this project decides the kind of modules in its own folders.
    source = shutil.copy(path, folder)
    run(
        *(tool("node"), find_typescript(), "--strict", "--target", "es2022", "--module", "nodenext"),
        *("--types", "node", "--typeRoots", NODE_MODULES / "@types", "--skipLibCheck", source),
    )
    return folder / f"{path.stem}.js"


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
