"""A display client does not count the time in which it was stopped itself."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack

import psutil
import pytest

from tests.support import preloaded
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.end_to_end

MOVE_TIME = 0.5


class LineSocket:
    """A move server's end of one connection, line by line."""

    def __init__(self, listener: socket.socket) -> None:
        self._socket, _ = listener.accept()
        self._socket.settimeout(PATIENCE)
        self._lines = self._socket.makefile("r", encoding="ascii")

    def expect(self, start: str) -> None:
        line = self._lines.readline()
        assert line.startswith(start), line

    def say(self, line: str) -> None:
        self._socket.sendall(f"{line}\n".encode("ascii"))

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


def test_a_move_that_came_while_the_client_was_stopped_is_in_time() -> None:
    with ExitStack() as stack:
        listeners = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        endpoints = [f"127.0.0.1:{listener.getsockname()[1]}" for listener in listeners]
        command = [sys.executable, "-m", "client", *endpoints, "--move-time", str(MOVE_TIME), "--json"]
        client = stack.enter_context(preloaded.Popen(command, stdout=subprocess.PIPE, text=True))
        stack.callback(client.kill)
        servers = []
        for listener in listeners:
            listener.settimeout(PATIENCE)
            servers.append(server := LineSocket(listener))
            stack.callback(server.close)
            server.expect("HELLO")
            server.say("IAM abc:name")
        for server in servers:
            server.expect("GAME")
        servers[0].expect("MYOUSHU")
        client.send_signal(signal.SIGSTOP)
        process = psutil.Process(client.pid)
        while process.status() != psutil.STATUS_STOPPED:
            time.sleep(0.01)
        servers[0].say("TESUJI (4, 1)")
        time.sleep(1.5 * MOVE_TIME)
        client.send_signal(signal.SIGCONT)
        servers[0].expect("ATARI 1 (4, 1)")
        # The other connection is lost, so that the game ends.
        servers[1].close()
        output, _ = client.communicate(timeout=PATIENCE)
    ended = json.loads(output.splitlines()[-1])
    assert (ended["winner"], ended["termination"], ended["plies"]) == (1, "disconnected", 1)
