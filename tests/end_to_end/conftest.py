"""Real move servers and clients in processes of their own, on loopback."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from tests.support.patience import PATIENCE

StartServer = Callable[..., "Server"]


class Server:
    """A move server process and the port it listens on."""

    def __init__(self, *options: str) -> None:
        if "--player" not in options:
            # Most of these tests are about anything but how good the moves are.
            options = ("--player", "simple", *options)
        command = [sys.executable, "-m", "server", "--port", "0", "--host", "127.0.0.1", *options]
        self.process = subprocess.Popen(
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
        """Return the exit status and the rest of the output once the process has ended by itself."""
        output, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, output


@pytest.fixture
def start_server() -> Iterator[StartServer]:
    servers: list[Server] = []

    def start(*options: str) -> Server:
        servers.append(Server(*options))
        return servers[-1]

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.process.kill()
        server.process.communicate()


def run_client(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a display client to its end."""
    command = [sys.executable, "-m", "client", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
