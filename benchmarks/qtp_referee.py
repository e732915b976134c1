"""Cost of the Athens protocol: ``python -m benchmarks.qtp_referee``.

Prints games per second of the referee with trivial engines at several concurrencies, and microseconds per
command over a pipe to the engine front end, compared with a program that echoes the same bytes.

With ``--against FOLDER`` it instead compares the referee with that of another version, whose files are in
that folder. Both play in turn, because other programs on the machine change the rates more than the versions.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import trio

from benchmarks.table import print_table
from client.referee.referee import Referee
from client.referee.settings import RefereeSettings
from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.link import open_link

TRIVIAL = (sys.executable, "-S", "-E", str(Path(__file__).with_name("trivial_engine.py")))
#: With the simple player, because the engine would still be loading.
FRONT_END = (sys.executable, "-m", "server.athens.command", "--player", "simple")

#: Plies of each game of two trivial engines.
PLIES = 16

#: A program that repeatedly reads as many bytes as its first argument says, and writes the second argument.
ECHO = """
import os, sys
size, reply = int(sys.argv[1]), sys.argv[2].encode().decode("unicode_escape").encode()
while data := os.read(0, size):
    os.write(1, reply)
"""

#: A program that plays as many games as a line of its input says, at the concurrency that follows.
WORKER = """
import sys
from benchmarks.qtp_referee import games_per_second
for line in sys.stdin:
    games, concurrency = map(int, line.split())
    print(games_per_second(games, concurrency, is_kept=True), flush=True)
"""

#: Number of comparisons with another version.
COMPARISONS = 15

GAMES = 200
GAMES_RESTARTED = 30
COMMANDS = 2000
ROUNDS = 5

#: Commands to time, and the replies of the front end, which the echo gives too.
SCRIPT = ((b"winner\n", b"= false\n\n"), (b"playmove black E8\nundo\n", b"=\n\n=\n\n"))


def games_per_second(games: int, concurrency: int, *, is_kept: bool) -> float:
    """Return the games per second of the referee with trivial engines."""
    address = EngineAddress(TRIVIAL)
    settings = RefereeSettings(address, address, games=games, concurrency=concurrency, is_kept=is_kept)
    referee = Referee(settings)
    start = time.perf_counter()
    trio.run(referee.run)
    seconds = time.perf_counter() - start
    assert len(referee.records) == games
    assert all(record.at_fault is None and record.result.plies == PLIES for record in referee.records)
    return games / seconds


@contextmanager
def run_program(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program with pipes to its input and from its output."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    try:
        yield process
    finally:
        assert process.stdin is not None
        process.stdin.close()
        assert process.stdout is not None
        process.stdout.close()
        process.wait()


def microseconds_per_exchange(process: subprocess.Popen[bytes], sent: bytes, reply: bytes) -> float:
    """Return the time from writing ``sent`` to the end of ``reply``, in microseconds."""
    assert process.stdin is not None
    assert process.stdout is not None
    start = time.perf_counter()
    for _ in range(COMMANDS):
        process.stdin.write(sent)
        missing = len(reply)
        while missing:
            missing -= len(process.stdout.read(missing) or b"")
    return (time.perf_counter() - start) / COMMANDS * 1e6


async def microseconds_per_ask() -> float:
    """Return the time of one command to a trivial engine through our controller, in microseconds."""
    async with open_link(EngineAddress(TRIVIAL)) as link:
        await link.ask("boardsize 9")
        start = time.perf_counter()
        for _ in range(COMMANDS):
            await link.ask("winner")
        return (time.perf_counter() - start) / COMMANDS * 1e6


def stay_on_one_processor() -> None:
    """Keep this program, and those that it starts, on one processor where the system can do that.

    Waking another processor can cost more than a command, so that ratios would depend on where programs run.
    """
    if sys.platform == "linux":
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def figures(rate: float, alone: float) -> tuple[str, str, str]:
    """Return games per second, microseconds per ply, and the ratio to the rate at concurrency 1."""
    return f"{rate:.1f}", f"{1e6 / rate / PLIES:.0f}", f"{rate / alone:.2f}"


def compare(folder: Path) -> None:
    """Print the rates of this version and of the one in ``folder``, and their ratios."""
    here = Path(__file__).parents[1]
    with ExitStack() as stack:
        workers = [
            stack.enter_context(
                subprocess.Popen(
                    (sys.executable, "-P", "-c", WORKER),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    bufsize=1,
                    env={**os.environ, "PYTHONPATH": str(version)},
                )
            )
            for version in (here, folder.resolve())
        ]
        rows = []
        for concurrency in (1, 4):
            pairs = [tuple(_ask_rate(worker, concurrency) for worker in workers) for _ in range(COMPARISONS)]
            ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
            low, middle, high = statistics.quantiles(our / their for our, their in pairs)
            rates = [f"{ours:.1f}", f"{theirs:.1f}"]
            rows.append([str(concurrency), *rates, f"{middle:.2f}", f"{low:.2f} to {high:.2f}"])
    print_table(
        f"Referee with two trivial Python engines, {COMPARISONS} comparisons of {GAMES} games",
        ["concurrency", "games/s", "other version", "ratio", "middle half"],
        rows,
    )


def _ask_rate(worker: subprocess.Popen[str], concurrency: int) -> float:
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(f"{GAMES} {concurrency}\n")
    return float(worker.stdout.readline())


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="another version to compare with")
    against: Path | None = parser.parse_args().against
    if against is not None:
        compare(against)
        return
    rows = []
    alone = 0.0
    for concurrency in (1, 2, 4):
        rate = games_per_second(GAMES, concurrency, is_kept=True)
        alone = alone or rate
        rows.append([f"kept running, concurrency {concurrency}", *figures(rate, alone)])
    rate = games_per_second(GAMES_RESTARTED, 1, is_kept=False)
    rows.append(["restarted for each game, concurrency 1", *figures(rate, alone)])
    print_table(
        f"Referee with two trivial Python engines, {PLIES} plies per game",
        ["engines", "games/s", "µs/ply", "ratio to concurrency 1"],
        rows,
    )
    stay_on_one_processor()
    rows = []
    for sent, reply in SCRIPT:
        escaped = reply.decode().replace("\n", "\\n")
        bare_echo = (sys.executable, "-S", "-c", ECHO, str(len(sent)), escaped)
        with run_program(FRONT_END) as engine, run_program(bare_echo) as echo:
            pairs = [
                (microseconds_per_exchange(engine, sent, reply), microseconds_per_exchange(echo, sent, reply))
                for _ in range(ROUNDS)
            ]
        ours, bare = (statistics.median(column) for column in zip(*pairs, strict=True))
        name = sent.decode().strip().replace("\n", " + ")
        rows.append([name, f"{ours:.1f}", f"{bare:.1f}", f"{ours / bare:.2f}"])
    print_table("Commands over a pipe", ["commands", "front end, µs", "bare echo, µs", "ratio"], rows)
    asked = trio.run(microseconds_per_ask)
    with run_program(TRIVIAL) as engine:
        bare = microseconds_per_exchange(engine, b"winner\n", b"=\n\n")
    print_table(
        "One command to a trivial engine",
        ["", "µs", "ratio"],
        [
            ["through our controller (trio)", f"{asked:.1f}", f"{asked / bare:.2f}"],
            ["through a bare pipe", f"{bare:.1f}", "1.00"],
        ],
    )


if __name__ == "__main__":
    main()
