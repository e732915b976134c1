"""Cost of a game over the 2016 protocol: ``python -m benchmarks.lan_game``.

Compares games over loopback TCP with the same bytes over a bare trio echo. Prints microseconds per ply and
games per minute, with client and servers in one process and in three; then start-up times of the move server
and its memory per connection.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence

import psutil
import trio
from attrs import define

from benchmarks.table import print_table
from quoridor_net.match import play_match
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.net.sockets import tune
from quoridor_net.players import Clock, Player
from quoridor_net.players.base import instant
from quoridor_net.players.greeting import Greeting, greet_all
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.protocols.lan import Atari, Myoushu, Tesuji, encode
from quoridor_net.rules import Move, Position
from server.listener import MoveServer
from server.session import ServerSettings

GAMES = 60
STARTS = 7
LOOPBACK = "127.0.0.1"

#: Time without growth after which the memory of a server counts as stable, in seconds.
SETTLED = 1.0


@define
class ReplayingPlayer(Player[Position, Move]):
    """A player that repeats the moves of a recorded game, so that its choices cost nothing."""

    moves: Sequence[Move]
    name: str = "bench:replay"

    @instant
    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the recorded move at this ply."""
        return self.moves[position.ply]


async def record_game() -> list[Move]:
    """Play a game between two simple players; return its moves."""
    moves: list[Move] = []
    position = Position()
    players = {1: SimplePlayer(1), 2: SimplePlayer(2)}
    while position.turn is not None:
        move = await players[position.turn].choose(position.copy(), Clock())
        position.push(move)
        moves.append(move)
    return moves


def time_rules(moves: Sequence[Move]) -> float:
    """Return seconds per ply for checking and making each move three times, as client and servers do."""
    start = time.perf_counter()
    for _ in range(GAMES):
        for _ in range(3):
            position = Position()
            for move in moves:
                position.push(move)
    return (time.perf_counter() - start) / (GAMES * len(moves))


async def time_echo(moves: Sequence[Move]) -> float:
    """Return seconds per ply for sending the bytes of the game over bare trio streams."""

    async def answer(stream: trio.SocketStream) -> None:
        tune(stream)
        ours = iter(answers[(await stream.receive_some(1))[0] - 49])
        async for data in stream:
            if data.endswith(b"MYOUSHU\n"):
                await stream.send_all(next(ours))

    answers = [[encode(Tesuji(move)) for _ in range(GAMES) for move in moves[parity::2]] for parity in (0, 1)]
    reports = [encode(Atari(ply % 2 + 1, move)) for ply, move in enumerate(moves)]
    request = encode(Myoushu())
    async with trio.open_nursery() as nursery:
        listeners = await trio.open_tcp_listeners(0, host=LOOPBACK)
        port = listeners[0].socket.getsockname()[1]
        nursery.start_soon(trio.serve_listeners, answer, listeners)
        streams = [await trio.open_tcp_stream(LOOPBACK, port) for _ in range(2)]
        for number, stream in enumerate(streams, 1):
            tune(stream)
            await stream.send_all(str(number).encode())
        start = time.perf_counter()
        for _ in range(GAMES):
            for ply, report in enumerate(reports):
                await streams[ply % 2].send_all(request)
                await streams[ply % 2].receive_some(4096)
                for stream in streams:
                    await stream.send_all(report)
        seconds = time.perf_counter() - start
        nursery.cancel_scope.cancel()
    return seconds / (GAMES * len(moves))


async def time_games(endpoints: Sequence[Endpoint], plies: int) -> tuple[float, float]:
    """Return seconds per ply and games per minute of whole games, including greeting and leaving."""
    start = time.perf_counter()
    for _ in range(GAMES):
        players = await greet_all(endpoints, Greeting())
        result = await play_match(players)
        assert result.plies == plies
    seconds = time.perf_counter() - start
    return seconds / (GAMES * plies), 60 * GAMES / seconds


async def serve(moves: Sequence[Move], task_status: trio.TaskStatus[int]) -> None:
    """Serve the recorded game on a free port."""
    listeners = await trio.open_tcp_listeners(0, host=LOOPBACK)
    settings = ServerSettings("bench:replay", lambda: ReplayingPlayer(moves))
    task_status.started(listeners[0].socket.getsockname()[1])
    await MoveServer(settings).serve(listeners)


async def games_in_one_process(moves: Sequence[Move]) -> tuple[float, float]:
    """Return the figures of :func:`time_games` with client and servers in this process."""
    async with trio.open_nursery() as nursery:
        port: int = await nursery.start(serve, moves)
        figures = await time_games([Endpoint(LOOPBACK, port)] * 2, len(moves))
        nursery.cancel_scope.cancel()
    return figures


def serve_alone() -> None:
    """Run one server of the recorded game, as a separate process."""

    async def announce() -> None:
        moves = await record_game()
        async with trio.open_nursery() as nursery:
            print(await nursery.start(serve, moves), flush=True)

    trio.run(announce)


async def games_in_three_processes(moves: Sequence[Move]) -> tuple[float, float]:
    """Return the figures of :func:`time_games` with one process per server."""
    command = [sys.executable, "-c", "from benchmarks.lan_game import serve_alone; serve_alone()"]
    servers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    try:
        endpoints = [Endpoint(LOOPBACK, int(server.stdout.readline())) for server in servers if server.stdout]
        return await time_games(endpoints, len(moves))
    finally:
        for server in servers:
            server.terminate()
            server.communicate()


def time_start() -> list[tuple[str, float]]:
    """Return the median time from the start of each process to its first line, in seconds."""
    python = [sys.executable, "-m", "server"]
    return [
        ("python -c pass", _median_start([sys.executable, "-c", "print()"])),
        ("python -c 'import trio'", _median_start([sys.executable, "-c", "import trio; print()"])),
        ("server --help", _median_start([*python, "--help"])),
        ("server to its ready line", _median_start([*python, "--port", "0", "--host", LOOPBACK])),
    ]


def _median_start(command: list[str]) -> float:
    times = []
    for _ in range(STARTS):
        start = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            times.append(time.perf_counter() - start)
            process.terminate()
    return sorted(times)[STARTS // 2]


async def settle(process: psutil.Process) -> int:
    """Wait until the memory of a process is stable; return it in bytes."""
    before, now = 0, process.memory_info().rss
    while now != before:
        await trio.sleep(SETTLED)
        before, now = now, process.memory_info().rss
    return int(now)


async def measure_memory(connections: int) -> int:
    """Return the memory that idle connections add to a move server, in bytes.

    The server uses the simple player, because the engine would still be loading.
    """
    command = [sys.executable, "-m", "server", "--port", "0", "--host", LOOPBACK, "--player", "simple"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline().split(" port ")[1].split()[0])
        server = psutil.Process(process.pid)
        before = await settle(server)
        streams = [await trio.open_tcp_stream(LOOPBACK, port) for _ in range(connections)]
        # Once the last connection is answered, the server has accepted all of them.
        await streams[-1].send_all(b"HELLO\n")
        await streams[-1].receive_some(100)
        held = await settle(server) - before
        for stream in streams:
            await stream.aclose()
        process.terminate()
    return int(held)


async def main() -> None:
    """Print all tables."""
    moves = await record_game()
    rules = time_rules(moves)
    echo = await time_echo(moves)
    one, one_rate = await games_in_one_process(moves)
    three, three_rate = await games_in_three_processes(moves)
    floor = echo + rules
    print_table(
        f"A game of {len(moves)} plies over loopback TCP, {GAMES} times",
        ["", "us/ply", "over echo + rules", "games/min"],
        [
            ["bare trio echo of the same bytes", f"{echo * 1e6:.0f}", "", ""],
            ["rules, three times", f"{rules * 1e6:.0f}", "", ""],
            [
                "client and servers in one process",
                f"{one * 1e6:.0f}",
                f"{one / floor:.2f}",
                f"{one_rate:.0f}",
            ],
            [
                "client and servers in three",
                f"{three * 1e6:.0f}",
                f"{three / floor:.2f}",
                f"{three_rate:.0f}",
            ],
        ],
    )
    print_table(
        f"Start-up, median of {STARTS}",
        ["", "ms"],
        [[name, f"{seconds * 1e3:.0f}"] for name, seconds in time_start()],
    )
    rows = []
    # A server closes some of more than 64 connections without a game.
    for connections in (1, 10, 60):
        held = await measure_memory(connections)
        rows.append([str(connections), f"{held / 1024:.0f}", f"{held / 1024 / connections:.1f}"])
    print_table("Memory of a move server", ["idle connections", "KiB added", "KiB each"], rows)


if __name__ == "__main__":
    trio.run(main)
