"""Move servers in real processes, and display clients, on loopback."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest
from click.testing import CliRunner, Result

from quoridor_net.cli.main import main
from tests.support import preloaded
from tests.support.patience import PATIENCE

StartServer = Callable[..., "Server"]


class Server:
    """A move server process and its port."""

    def __init__(self, *options: str) -> None:
        if "--player" not in options:
            # Most of these tests do not depend on good moves.
            options = ("--player", "simple", *options)
        command = [sys.executable, "-m", "server", "--port", "0", "--host", "127.0.0.1", *options]
        self.process = preloaded.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout is not None
        ready = re.search(r"is ready on port (\d+)", self.process.stdout.readline())
        assert ready is not None
        self.port = int(ready[1])

    @property
    def endpoint(self) -> str:
        return f"127.0.0.1:{self.port}"

    def end(self) -> tuple[int, str]:
        """Wait until the process exits by itself; return its exit status and the rest of its output."""
        output, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, output


@contextmanager
def open_server(*options: str) -> Iterator[Server]:
    """Run a server, and kill it at the end of the context if it still runs."""
    server = Server(*options)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
        server.process.communicate()


@pytest.fixture
def start_server() -> Iterator[StartServer]:
    with ExitStack() as stack:
        yield lambda *options: stack.enter_context(open_server(*options))


def run_client(*arguments: str) -> Result:
    """Run a display client to its end, in this process, which spares it the start."""
    return CliRunner().invoke(main, ["display", *arguments])
