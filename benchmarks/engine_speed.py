"""Measure the engine: perft rate, nodes per second, depth, and start-up time.

python -m benchmarks.engine_speed
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from os import environ

import click

from quoridor_net.engine import Engine, Limits, warm_up
from quoridor_net.engine.board.perft import count_sequences
from quoridor_net.rules import Position

READY = "from quoridor_net.engine import warm_up; warm_up()"


def seconds_to_ready(cache: str) -> float:
    """Return the start-up time of a new process with the given cache folder, in seconds."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", READY], check=True, env={**environ, "NUMBA_CACHE_DIR": cache})
    return time.perf_counter() - begun


def positions() -> list[Position]:
    """Return every tenth position of a game, up to ply 30."""
    engine, position = Engine(), Position()
    found = []
    while position.turn is not None and position.ply <= 30:
        if position.ply % 10 == 0:
            found.append(position.copy())
        position.push(engine.play(position, Limits(nodes=20_000)).move)
    return found


def think(name: str, weights: dict[str, int]) -> None:
    """Print depth and speed of a search of one second in each position."""
    engine = Engine(weights=weights, uses_book=False)
    for position in positions():
        engine.clear()
        begun = time.process_time()
        found = engine.play(position, Limits(time=1.0))
        rate = found.nodes / (time.process_time() - begun) / 1e3
        ply = position.ply
        click.echo(
            f"{name}, ply {ply:2}: depth {found.depth:2} after one second, {rate:.0f} thousand nodes/s"
        )


@click.command()
def main() -> None:
    """Print the measurements."""
    with tempfile.TemporaryDirectory() as cache:
        click.echo(f"ready, nothing compiled  {seconds_to_ready(cache):8.2f} s")
        click.echo(f"ready, from disk cache   {seconds_to_ready(cache):8.2f} s")
    warm_up()
    count_sequences(Position(), 2)
    begun = time.perf_counter()
    leaves = count_sequences(Position(), 4)
    click.echo(
        f"perft(4)                 {leaves / (time.perf_counter() - begun) / 1e6:8.0f} million leaves/s"
    )
    think("best-first search", {})
    think("PVS", {"tree": 0})


if __name__ == "__main__":
    main()
