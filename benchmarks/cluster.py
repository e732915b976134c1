"""Speed-up by a Dask cluster: ``python -m benchmarks.cluster``.

Plays tournaments of two in this process alone and with worker processes of this machine. Workers add cores
where Python is busy, and nothing where the engine's compiled search already uses them all. The manager's cost
per game shows how many workers on other machines it could keep busy.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import trio
from attrs import frozen

from benchmarks.qtp_referee import TRIVIAL
from benchmarks.table import print_table
from quoridor_net.output import ignore
from quoridor_net.players.source import warm_up
from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament import Journal, TournamentState
from quoridor_net.tournament.quoridor.cluster import open_cluster
from quoridor_net.tournament.quoridor.cluster_address import ClusterAddress
from quoridor_net.tournament.quoridor.manager import Manager
from quoridor_net.tournament.quoridor.plan import Plan
from quoridor_net.tournament.quoridor.terms import GameTerms

#: Two entrants, and their number of games.
PLAYERS = {
    "simple": (("simple", "simple"), 100),
    "engine, 1,000 nodes per move": (("engine:nodes=1000", "engine:nodes=1000"), 8),
    "programs, restarted per game on workers": ((f"qtp:{' '.join(TRIVIAL)}",) * 2, 100),
}
#: Default numbers of workers; 0 for no cluster.
WORKERS = (0, 1, 2)


@frozen
class Measured:
    """Games per second, processor time of this process per game in milliseconds, and plies per game."""

    rate: float
    busy: float
    plies: float


def play(entrants: Sequence[str], games: int, workers: int) -> Measured:
    """Play a tournament of two, with one game at once per worker or, without workers, per processor."""
    at_once = workers or os.cpu_count() or 1
    plan = Plan(games=games, terms=GameTerms(seed=1), concurrency=at_once)
    field = tuple(map(parse_spec, entrants))
    seconds = used = 0.0

    async def run(manager: Manager) -> None:
        nonlocal seconds, used
        begun, used = time.perf_counter(), time.process_time()
        await manager.run([])
        seconds, used = time.perf_counter() - begun, time.process_time() - used

    async def run_there(journal: Journal, state: TournamentState) -> None:
        async with open_cluster(ClusterAddress(workers=workers)) as cluster:
            with tempfile.TemporaryDirectory() as folder, Journal.create(Path(folder) / "first.db") as first:
                # The first games of a worker include imports and compilation.
                warm = Plan(games=4 * workers, terms=plan.terms, concurrency=at_once)
                await Manager(first, TournamentState(), warm, field, cluster=cluster).run([])
            await run(Manager(journal, state, plan, field, cluster=cluster))

    with tempfile.TemporaryDirectory() as folder, Journal.create(Path(folder) / "games.db") as journal:
        state = TournamentState()
        if workers:
            trio.run(run_there, journal, state)
        else:
            trio.run(run, Manager(journal, state, plan, field))
    plies = sum(result.plies for result in state.decided.values())
    return Measured(games / seconds, 1000 * used / games, plies / games)


def main() -> None:
    """Measure, and print a table."""
    rows = []
    numbers = tuple(map(int, sys.argv[1:])) or WORKERS
    trio.run(warm_up, [parse_spec("engine")], ignore)
    for title, (entrants, games) in PLAYERS.items():
        alone = 0.0
        for workers in numbers:
            found = play(entrants, games, workers)
            alone = alone or found.rate
            where = f"{workers} workers" if workers else "no cluster"
            figures = (f"{found.rate:.1f}", f"{found.rate / alone:.2f}")
            rows.append((f"{title}: {where}", *figures, f"{found.busy:.1f}", f"{found.plies:.0f}"))
    heads = ("players", "games/s", "ratio to first", "CPU ms here per game", "plies")
    print_table(f"Tournaments of two on {os.cpu_count()} processors", heads, rows)


if __name__ == "__main__":
    main()
