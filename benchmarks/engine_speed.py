"""Measure the engine: perft rate, nodes a second, depth, and how long it takes to get ready.

python benchmarks/engine_speed.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from os import environ

import click

from quoridor_net.engine import Limits, Searcher, warm_up
from quoridor_net.engine.perft import count_sequences
from quoridor_net.rules import Position

READY = "from quoridor_net.engine import warm_up; warm_up()"


def seconds_to_ready(cache: str) -> float:
    """Return how long a new process takes to be ready with the given folder for compiled code."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", READY], check=True, env={**environ, "NUMBA_CACHE_DIR": cache})
    return time.perf_counter() - begun


@click.command()
@click.option("--nodes", default=2_000_000, help="Nodes for each position.")
def main(nodes: int) -> None:
    """Print a table."""
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
    searcher = Searcher()
    position = Position()
    for ply in range(31):
        if ply % 10 == 0:
            searcher.clear()
            begun = time.process_time()
            found = searcher.choose(position, Limits(nodes=nodes))
            rate = found.nodes / (time.process_time() - begun) / 1e3
            click.echo(f"ply {ply:2}: depth {found.depth:2} after {nodes} nodes, {rate:.0f} thousand nodes/s")
        position.push(searcher.choose(position, Limits(nodes=20_000)).move)


if __name__ == "__main__":
    main()
