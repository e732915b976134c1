"""Cost of spectators in browsers: ``python -m benchmarks.web``.

A real site on loopback shows a game between simple players, while another process holds spectators, some of
which have stopped reading. Prints the pace of the game with and without them, the server's time per spectator
and move when each move is sent separately, bytes, memory, and the time to shut down. Compared runs alternate,
and medians count, because other programs share the machine.
"""

from __future__ import annotations

import base64
import gc
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager

import click
import psutil
import trio

from benchmarks.table import print_table
from quoridor_net.match import Event, MatchSettings, MoveMade, play_match
from quoridor_net.net.endpoint import Endpoint, parse_endpoint
from quoridor_net.net.listening import listen
from quoridor_net.output import ignore
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.web.address import WebAddress
from quoridor_net.web.bundle import load_assets, load_page
from quoridor_net.web.live import LiveGame
from quoridor_net.web.sites import watch
from quoridor_net.web.texts import texts_of

SPECTATORS = 200
STALLED = 20

#: Rounds, seconds per round, and seconds between moves: at full speed, and slow enough to send each move
#: separately.
FAST = (4, 12.0, 0.0)
SLOW = (2, 17.0, 2.0)


async def hold_spectators(where: Endpoint) -> None:
    """Hold the spectators until the site ends."""
    connecting = trio.CapacityLimiter(20)

    async def look(number: int) -> None:
        async with connecting:
            raw = trio.socket.socket()
            is_stalled = number < STALLED
            if is_stalled:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            await raw.connect((where.host, where.port))
            key = base64.b64encode(os.urandom(16)).decode()
            await trio.SocketStream(raw).send_all(
                f"GET /boards/1/live HTTP/1.1\r\nHost: {where}\r\nOrigin: http://{where}\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Extensions: permessage-deflate\r\n"
                f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
            )
            await raw.recv(1)
        if is_stalled:
            await trio.sleep_forever()
        while await raw.recv(65536):
            pass

    async with trio.open_nursery() as nursery:
        for number in range(SPECTATORS):
            nursery.start_soon(look, number)


@contextmanager
def spectators(where: Endpoint) -> Iterator[None]:
    """Connect all spectators during the block."""
    arguments = [sys.executable, "-m", "benchmarks.web", "--spectate", str(where)]
    with subprocess.Popen(arguments) as process:
        try:
            yield
        finally:
            process.kill()


@asynccontextmanager
async def serve_game(live: LiveGame) -> AsyncIterator[Endpoint]:
    """Serve a game on loopback during the block."""
    address = WebAddress("127.0.0.1", await listen("127.0.0.1", 0))
    async with address.open(watch(live), ignore):
        yield Endpoint("127.0.0.1", address.listeners[0].socket.getsockname()[1])


@asynccontextmanager
async def open_game(live: LiveGame, *, is_watched: bool) -> AsyncIterator[None]:
    """Serve a game during the block, with all spectators if ``is_watched``."""
    async with serve_game(live) as where:
        if not is_watched:
            yield
            return
        with spectators(where):
            while live.spectators < SPECTATORS:  # noqa: ASYNC110 - a site does not announce spectators
                await trio.sleep(0.05)
            yield


class PlyCounter:
    """A listener of a match that counts plies."""

    def __init__(self) -> None:
        self.plies = 0

    def __call__(self, event: Event) -> None:
        """Count a move."""
        self.plies += isinstance(event, MoveMade)


async def measure(seconds: float, delay: float, *, is_watched: bool) -> tuple[float, float, float]:
    """Play for ``seconds``; return plies per second, processor time per ply and shutdown time, in seconds."""
    live, pace = LiveGame(), PlyCounter()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(open_game(live, is_watched=is_watched))
        # Collect the garbage of the connections now, so that the games do not pay for it.
        gc.collect()
        started, used = time.perf_counter(), time.process_time()
        with trio.move_on_after(seconds):
            while True:
                players = [SimplePlayer(pace.plies), SimplePlayer(pace.plies + 1)]
                await play_match(players, MatchSettings(delay=delay), [live, pace])
        wall, processor = time.perf_counter() - started, time.process_time() - used
        ended = time.perf_counter()
    return pace.plies / wall, processor / pace.plies, time.perf_counter() - ended


async def compare(
    rounds: int, seconds: float, delay: float
) -> tuple[list[tuple[float, float, float]], list[tuple[float, float, float]]]:
    """Measure alternately without and with spectators; return the two lists of figures."""
    alone, seen = [], []
    for _ in range(rounds):
        alone.append(await measure(seconds, delay, is_watched=False))
        seen.append(await measure(seconds, delay, is_watched=True))
    return alone, seen


def median(measured: list[tuple[float, float, float]], index: int) -> float:
    """Return the median of one of the figures."""
    return statistics.median(figures[index] for figures in measured)


async def page_load() -> tuple[int, int, int]:
    """Return the number of files of a page, and their bytes, plain and as sent."""
    files = {f"/static/{name}": asset.body for name, asset in load_assets().items()}
    files |= {"/": load_page().encode(), "/texts/en.json": json.dumps(texts_of("en")).encode()}
    async with serve_game(LiveGame()) as where:
        travelled = sum([await _bytes_of(where, path) for path in files])
    return len(files), sum(map(len, files.values())), travelled


async def _bytes_of(where: Endpoint, path: str) -> int:
    async with await trio.open_tcp_stream(where.host, where.port) as stream:
        request = (
            f"GET {path} HTTP/1.1\r\nHost: {where}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"
        )
        await stream.send_all(request.encode())
        count = 0
        while data := await stream.receive_some(65536):
            count += len(data)
    return count


async def move_sizes() -> tuple[float, int]:
    """Return the mean and the maximum size of the message of a move, in bytes."""
    live, sizes = LiveGame(), list[int]()

    async def note(text: str) -> None:
        sizes.append(len(text))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(live.follow, note, trio.lowlevel.checkpoint)
        await play_match([SimplePlayer(1), SimplePlayer(2)], MatchSettings(delay=0.02), [live])
        nursery.cancel_scope.cancel()
    # The first message is the start of the game.
    return statistics.mean(sizes[1:]), max(sizes[1:])


async def run() -> None:
    """Measure everything, and print the tables."""
    memory = psutil.Process()
    before = memory.memory_info().rss
    alone, seen = await compare(*FAST)
    rows = [
        (name, f"{factor * median(alone, index):.0f}", f"{factor * median(seen, index):.0f}", f"{ratio:.3f}")
        for name, factor, index, ratio in (
            ("plies per second", 1, 0, median(seen, 0) / median(alone, 0)),
            ("processor time per ply, us", 1e6, 1, median(alone, 1) / median(seen, 1)),
        )
    ]
    title = f"A game at full speed, with {SPECTATORS} spectators, {STALLED} of them stalled"
    print_table(title, ("", "alone", "watched", "ratio"), rows)
    ends = [figures[2] for figures in seen]
    alone, seen = await compare(*SLOW)
    cost = (median(seen, 1) - median(alone, 1)) / (SPECTATORS - STALLED)
    grown = (memory.memory_info().rss - before) / 2**20
    files, plain, travelled = await page_load()
    mean, most = await move_sizes()
    print_table(
        "Costs",
        ("of", "figure"),
        [
            ("processor time per spectator and move, us", f"{1e6 * cost:.0f}"),
            ("longest shutdown of the site, s", f"{max(ends):.2f}"),
            ("memory added, MiB", f"{grown:.1f}"),
            ("files of a page", f"{files}"),
            ("size of a page, KB", f"{plain / 1000:.1f}"),
            ("size of a page as sent, KB", f"{travelled / 1000:.1f}"),
            ("mean size of a move message, bytes", f"{mean:.0f}"),
            ("maximum size of a move message, bytes", f"{most}"),
        ],
    )


@click.command()
@click.option("--spectate", metavar="HOST:PORT", help="Site that gets the spectators, without a measurement.")
def main(spectate: str | None) -> None:
    """Measure the cost of spectators in browsers, and print tables."""
    if spectate is None:
        trio.run(run)
    else:
        trio.run(hold_spectators, parse_endpoint(spectate))


if __name__ == "__main__":
    main()
