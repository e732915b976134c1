"""A tournament with twelve faulty move servers on real sockets ends by itself, with fair results."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
import trio

from quoridor_net.tournament.journal import read_journal
from quoridor_net.tournament.quoridor.archive import verify
from tests.support.faulty_servers import FaultyServer, check_verdicts, faulty_servers
from tests.support.loopback import HOST, reserve_port
from tests.support.tournament_program import COMMAND


async def listen(server: FaultyServer, port: int, serving: trio.Nursery) -> None:
    """Listen on a port while the server is up; connections outlast it."""
    accept = partial(trio.serve_listeners, handler_nursery=serving)
    while True:
        async with trio.open_nursery() as accepting:
            if server.is_up():
                (listener,) = await trio.open_tcp_listeners(port, host=HOST)
                accepting.start_soon(accept, server.serve, [listener])
                await until(lambda: not server.is_up())
            else:
                await until(server.is_up)
            accepting.cancel_scope.cancel()


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until the condition holds."""
    while not is_so():  # noqa: ASYNC110 - nobody could set an event
        await trio.sleep(0.05)


@pytest.mark.slow
def test_twelve_faulty_servers_play_over_real_sockets(tmp_path: Path) -> None:
    # It takes longer than the limit of other asynchronous tests.
    trio.run(play_and_check, tmp_path / "a.db")


async def play_and_check(path: Path) -> None:
    began = trio.current_time()
    # Between one and two timeouts for an absent entrant.
    servers = faulty_servers(0.2, lambda: 5 <= trio.current_time() - began < 8, greets=True)
    words: list[object] = ["--games", 1, "--concurrency", 6, "--move-time", 1.5, "--no-show-time", 2]
    with ExitStack() as stack:
        ports = [stack.enter_context(reserve_port()) for _ in servers]
        async with trio.open_nursery() as nursery:
            for server, port in zip(servers, ports, strict=True):
                nursery.start_soon(listen, server, port, nursery)
            entrants = [f"{server.name}={HOST}:{port}" for server, port in zip(servers, ports, strict=True)]
            command = [*COMMAND, "run", str(path), *entrants, *map(str, words)]
            run = await trio.run_process(command, capture_stdout=True, capture_stderr=True, check=False)
            nursery.cancel_scope.cancel()
    assert run.returncode == 0, run.stderr
    check_verdicts(read_journal(path), servers)
    assert verify(path) == []
