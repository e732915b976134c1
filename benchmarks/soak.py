"""Soak test of move servers and display clients: ``python -m benchmarks.soak --minutes 60``.

Starts two move servers and plays games between them. With ``--faults``, strangers also connect, send invalid
messages and disconnect, and some games use connections that delay, cut or dribble. Prints games and faults,
and for memory and descriptors of the servers and of this program (the clients) the first and last values and
the slope per hour. ``--output FILE`` writes every measurement as CSV, and a plot if matplotlib is installed.
"""

from __future__ import annotations

import csv
import importlib.util
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import click
import psutil
import trio
from attrs import Factory, define, frozen

from benchmarks.table import print_table
from quoridor_net.match import play_match
from quoridor_net.net.errors import LOST
from quoridor_net.outcome import ForfeitError
from quoridor_net.players.lan import LanPlayer

HOST = "127.0.0.1"

#: Share of measurements left out of the slopes, because programs grow when they start.
BEGINNING = 0.25

#: Messages of strangers.
NONSENSE = (
    b"", b"HELLO", b"HELLO\n", b"GAME 1 a b\n", b"HELLO\nGAME 1 a b\n", b"HELLO\nGAME 9\n",
    b"HELLO\nGAME 1 a b\nMYOUSHU\n", b"HELLO\nGAME 1 a b\nATARI 1 (4, 7)\n",
    b"\xff" * 5000, b"X\n" * 300, b"\n" * 3000,
)  # fmt: skip


@frozen
class Measurement:
    """Resources of a program at one time.

    Attributes:
        program: name of the program.
        seconds: time since the start.
        games: number of finished games.
        memory: resident memory, in MiB.
        descriptors: number of open descriptors.
    """

    program: str
    seconds: float
    games: int
    memory: float
    descriptors: int


@define
class Counts:
    """Games by termination, and faults by kind."""

    games: Counter[str] = Factory(Counter)
    faults: Counter[str] = Factory(Counter)


@contextmanager
def move_server(errors: IO[str], *options: str) -> Iterator[tuple[psutil.Process, int]]:
    """Run a move server that writes its errors to a file; yield its process and its port."""
    words = ["--player", "simple", "--quiet", "--host", HOST, "--port", "0", *options]
    command = [sys.executable, "-m", "server", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
        assert process.stdout is not None
        ready = process.stdout.readline()
        found = re.search(r"port (\d+)", ready)
        if found is None:
            raise click.ClickException(f"a move server did not start: {ready!r}")
        try:
            yield psutil.Process(process.pid), int(found[1])
        finally:
            process.terminate()


class Relay:
    """Connections to a server that inject faults.

    Args:
        port: port of the server.
        source: random generator of all choices.
        faults: counter of the injected faults.
    """

    def __init__(self, port: int, source: random.Random, faults: Counter[str]) -> None:
        self._port = port
        self._source = source
        self._faults = faults
        # Bytes in both directions before the connection is cut.
        self._left = 1 << 60

    async def open(self, fault: str, task_status: trio.TaskStatus[trio.abc.Stream]) -> None:
        """Connect, start with a stream for the caller, and relay its data until either side ends."""
        ours, theirs = await _pair()
        server = await trio.open_tcp_stream(HOST, self._port)
        self._faults[fault] += 1
        task_status.started(ours)
        if fault == "cut":
            self._left = self._source.randrange(3000)
        async with theirs, server, trio.open_nursery() as nursery:
            nursery.start_soon(self._carry, theirs, server, fault, nursery.cancel_scope)
            nursery.start_soon(self._carry, server, theirs, fault, nursery.cancel_scope)

    async def _carry(
        self, source: trio.abc.Stream, target: trio.abc.Stream, fault: str, scope: trio.CancelScope
    ) -> None:
        try:
            async for data in source:
                self._left -= len(data)
                if self._left < 0:
                    break
                if fault == "delayed":
                    await trio.sleep(self._source.random() * 0.02)
                pieces = [data[at : at + 1] for at in range(len(data))] if fault == "dribbled" else [data]
                for piece in pieces:
                    await target.send_all(piece)
        except LOST:
            pass
        scope.cancel()


async def _pair() -> tuple[trio.SocketStream, trio.SocketStream]:
    ours, theirs = trio.socket.socketpair()
    return trio.SocketStream(ours), trio.SocketStream(theirs)


class Soak:
    """A soak test.

    Args:
        ports: ports of the move servers.
        seed: seed of all random choices.
        has_faults: whether to inject faults.
    """

    def __init__(self, ports: Sequence[int], seed: int, *, has_faults: bool) -> None:
        self.counts = Counts()
        self._ports = ports
        self._source = random.Random(seed)
        self.has_faults = has_faults

    async def play_games(self) -> None:
        """Play games until cancelled."""
        while True:
            async with trio.open_nursery() as nursery:
                await self._play_one(nursery)
                nursery.cancel_scope.cancel()

    async def _play_one(self, nursery: trio.Nursery) -> None:
        count = self._source.choice((2, 2, 4))
        players: list[LanPlayer] = []
        try:
            for number in range(1, count + 1):
                port = self._source.choice(self._ports)
                fault = "none"
                if self.has_faults and self._source.random() < 0.3:
                    fault = self._source.choice(("delayed", "dribbled", "cut"))
                stream: trio.abc.Stream
                if fault == "none":
                    stream = await trio.open_tcp_stream(HOST, port)
                else:
                    relay = Relay(port, self._source, self.counts.faults)
                    stream = await nursery.start(relay.open, fault)
                players.append(LanPlayer(stream, number))
                await players[-1].greet()
            result = await play_match(players)
            self.counts.games[str(result.termination)] += 1
        except ForfeitError as error:
            self.counts.games[f"not started: {error.termination}"] += 1
        finally:
            with trio.CancelScope(shield=True, deadline=trio.current_time() + 5):
                for player in players:
                    await player.leave()

    async def disturb(self) -> None:
        """Connect repeatedly as a stranger, until cancelled."""
        while True:
            port, said = self._source.choice(self._ports), self._source.choice(NONSENSE)
            stream = await trio.open_tcp_stream(HOST, port)
            async with stream:
                self.counts.faults["stranger"] += 1
                try:
                    await stream.send_all(said)
                    with trio.move_on_after(self._source.random() * 0.1):
                        async for _ in stream:
                            pass
                except LOST:
                    pass
                if self._source.random() < 0.5:
                    await trio.aclose_forcefully(stream)
            await trio.sleep(0.02)


async def watch(
    soak: Soak, programs: dict[str, psutil.Process], interval: float, found: list[Measurement]
) -> None:
    """Measure all programs every ``interval`` seconds, until cancelled."""
    begun = time.monotonic()
    while True:
        for name, process in programs.items():
            if process.status() == psutil.STATUS_ZOMBIE:
                raise click.ClickException(f"{name} ended unexpectedly")
            found.append(
                Measurement(
                    name,
                    time.monotonic() - begun,
                    soak.counts.games.total(),
                    process.memory_info().rss / 2**20,
                    process.num_fds(),
                )
            )
        await trio.sleep(interval)


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the least-squares slope of ``points``; 0 if it is undefined."""
    if len(points) < 2:
        return 0.0
    middle = [sum(values) / len(points) for values in zip(*points, strict=True)]
    spread: float = sum((first - middle[0]) ** 2 for first, _ in points)
    if not spread:
        return 0.0
    shared: float = sum((first - middle[0]) * (second - middle[1]) for first, second in points)
    return shared / spread


async def run(
    soak: Soak, workers: int, seconds: float, programs: dict[str, psutil.Process]
) -> list[Measurement]:
    """Play for ``seconds`` seconds; return the measurements."""
    found: list[Measurement] = []
    with trio.move_on_after(seconds):
        async with trio.open_nursery() as nursery:
            for _ in range(workers):
                nursery.start_soon(soak.play_games)
            if soak.has_faults:
                nursery.start_soon(soak.disturb)
            nursery.start_soon(watch, soak, programs, max(0.2, seconds / 400), found)
    return found


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    default=10.0,
    show_default=True,
    help="Duration, in minutes.",
)
@click.option(
    "--workers", type=click.IntRange(1), default=4, show_default=True, help="Number of concurrent games."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Random seed.")
@click.option("--faults", is_flag=True, help="Inject strangers, cuts, delays and dribbling.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="CSV file of measurements.")
def main(minutes: float, workers: int, seed: int, faults: bool, output: Path | None) -> None:
    """Play games and watch memory and descriptors; exit with status 1 if a server fails."""
    with ExitStack() as stack:
        errors = stack.enter_context(tempfile.TemporaryFile("w+"))
        servers = [stack.enter_context(move_server(errors, "--seed", str(number))) for number in (1, 2)]
        programs = {f"server {number}": process for number, (process, _) in enumerate(servers, 1)}
        programs["clients"] = psutil.Process()
        soak = Soak([port for _, port in servers], seed, has_faults=faults)
        found = trio.run(run, soak, workers, minutes * 60, programs)
        errors.seek(0)
        lines = errors.readlines()
    show(soak.counts, found, programs, minutes)
    if output is not None:
        write(output, found)
    internal = [line for line in lines if "internal error" in line or "Traceback" in line]
    print(f"The servers wrote {len(lines)} error lines, {len(internal)} of them about internal errors.")
    sys.exit(1 if internal else 0)


def show(
    counts: Counts, found: Sequence[Measurement], programs: dict[str, psutil.Process], minutes: float
) -> None:
    """Print the tables of games, faults and resources."""
    print(f"{counts.games.total():,} games in {minutes:g} minutes, {counts.faults.total():,} faults")
    for title, head, counter in (("Games", "end", counts.games), ("Faults", "fault", counts.faults)):
        rows = [[name, f"{times:,}"] for name, times in counter.most_common()]
        if rows:
            print_table(title, [head, "times"], rows)
    rows = []
    for name in programs:
        mine = [each for each in found if each.program == name]
        late = mine[int(BEGINNING * len(mine)) :]
        for label, unit in (("memory", "MiB"), ("descriptors", "")):
            points = [(each.seconds / 3600, float(getattr(each, label))) for each in late]
            values = [value for _, value in points]
            rows.append(
                [
                    name,
                    f"{label} {unit}".strip(),
                    *(f"{value:.1f}" for value in (values[0], values[-1], max(values))),
                    f"{slope(points):+.2f}",
                ]
            )
    print_table("Resources", ["program", "resource", "first", "last", "maximum", "slope per hour"], rows)


def write(path: Path, found: Sequence[Measurement]) -> None:
    """Write all measurements, and a plot if matplotlib is installed."""
    with path.open("w", newline="", encoding="ascii") as file:
        table = csv.writer(file)
        table.writerow(["program", "seconds", "games", "memory", "descriptors"])
        table.writerows(
            [each.program, f"{each.seconds:.1f}", each.games, f"{each.memory:.2f}", each.descriptors]
            for each in found
        )
    if importlib.util.find_spec("matplotlib") is None:
        print(f"Wrote {path}. Install matplotlib for a plot.")
        return
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(2, 1, sharex=True, figsize=(9, 7))
    for name in dict.fromkeys(each.program for each in found):
        mine = [each for each in found if each.program == name]
        minutes = [each.seconds / 60 for each in mine]
        axes[0].plot(minutes, [each.memory for each in mine], label=name)
        axes[1].plot(minutes, [each.descriptors for each in mine], label=name)
    axes[0].set_ylabel("memory, MiB")
    axes[1].set_ylabel("descriptors")
    axes[1].set_xlabel("minutes")
    axes[0].legend()
    figure.savefig(path.with_suffix(".png"))
    print(f"Wrote {path} and {path.with_suffix('.png')}.")


if __name__ == "__main__":
    main()
