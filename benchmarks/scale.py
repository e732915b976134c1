"""Simulation of very large tournaments: ``python -m benchmarks.scale [GAMES]``.

Schedule, runner, state and journal are those of a real tournament. Only the games are simulated: they take
time on a virtual clock, which jumps to the next event, repeat the moves of one recorded game, and have
results drawn by strengths. Every tournament runs in a separate process, whose peak memory is shown.
"""

from __future__ import annotations

import multiprocessing
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

import trio
from attrs import evolve, frozen
from trio.testing import MockClock

from benchmarks.table import print_table
from benchmarks.tournament import measure_show, one_game
from quoridor_net import match
from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import Journal, Pairing, Play, Tournament, TournamentStarted
from quoridor_net.tournament.formats import Field, Format, Round
from quoridor_net.tournament.quoridor.plan import RULES, Plan
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.tournament.ratings import expected_score

#: Default number of games between engines.
ENGINE_GAMES = 100_000
#: Standard deviation of the strengths, in Elo.
SPREAD = 200


@frozen
class Scale:
    """A tournament to simulate.

    Attributes:
        title: name in the table.
        entrants: number of entrants.
        plan: format, and number of concurrent games.
        capacity: maximum number of concurrent games per entrant.
        seconds: shortest and longest duration of a game.
    """

    title: str
    entrants: int
    plan: Plan
    capacity: int
    seconds: tuple[float, float]


class Timed(Format):
    """A format that measures the time of its pairings.

    Attributes:
        longest: processor time of the slowest round, in seconds.
    """

    def __init__(self, form: Format) -> None:
        self._format = form
        self.needs_results, self.watches_results = form.needs_results, form.watches_results
        self.longest = 0.0

    def next_round(self, field: Field) -> Round | None:
        """Pair the next round, and measure the time."""
        begun = time.process_time()
        made = self._format.next_round(field)
        self.longest = max(self.longest, time.process_time() - begun)
        return made


def players(scale: Scale) -> Play:
    """Return a function that simulates the games of a tournament on a virtual clock."""
    source = random.Random(1)
    strengths = [source.gauss(0, SPREAD) for _ in range(scale.entrants)]
    start, *events = one_game("simple")
    ended = events.pop()
    assert isinstance(ended, match.GameEnded)
    plies = sum(isinstance(event, match.MoveMade) for event in events)

    async def play(pairing: Pairing, listener: match.Listener) -> Result:
        chance = random.Random(pairing.number)
        first, second = (strengths[entrant - 1] for entrant in pairing.seats)
        winner = 1 if chance.random() < expected_score(first - second) else 2
        result = Result(winner, Termination.GOAL, f"Player {winner} wins: it reached its goal line.", plies)
        listener(start)
        await trio.sleep(chance.uniform(*scale.seconds))
        for event in events:
            listener(event)
        listener(evolve(ended, result=result))
        return result

    return play


def measure(scale: Scale) -> tuple[str, ...]:
    """Simulate a tournament; return its row of the table."""
    names = tuple(f"e{number:04}" for number in range(1, scale.entrants + 1))
    start = TournamentStarted(RULES, names, scale.plan.settings(), ("simple",) * scale.entrants)
    form = Timed(scale.plan.format)
    capacities = dict.fromkeys(range(1, scale.entrants + 1), scale.capacity)
    play = players(scale)
    hours = 0.0

    async def run(journal: Journal) -> Tournament:
        nonlocal hours
        tournament = Tournament(
            start, form, play, record=journal, concurrency=scale.plan.concurrency, capacities=capacities
        )
        begun = trio.current_time()
        await tournament.run()
        hours = (trio.current_time() - begun) / 3600
        return tournament

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scale.db"
        begun, used = time.perf_counter(), time.process_time()
        with Journal.create(path) as journal:
            tournament = trio.run(run, journal, clock=MockClock(autojump_threshold=0))
        seconds, used = time.perf_counter() - begun, time.process_time() - used
        decided = len(tournament.state.decided)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        size = path.stat().st_size / 2**20
        show_seconds, show_used, show_memory = measure_show(path, "text", tries=1)
    return (
        scale.title,
        f"{decided}",
        f"{hours:.1f}",
        f"{seconds:.0f}",
        f"{used / decided * 1000:.2f}",
        f"{form.longest:.2f}",
        f"{memory:.0f}",
        f"{size:.0f}",
        f"{show_seconds:.1f}",
        f"{show_used:.1f}",
        f"{show_memory:.0f}",
    )


HEADS = (
    "tournament",
    "games",
    "simulated hours",
    "s here",
    "CPU ms per game",
    "CPU s of longest pairing",
    "MiB",
    "MiB of journal",
    "show s",
    "show CPU s",
    "show MiB",
)


def main() -> None:
    """Simulate the tournaments, and print a table."""
    engine_games = int(sys.argv[1]) if len(sys.argv) > 1 else ENGINE_GAMES
    swiss = Plan("swiss", rounds=10, games=1, terms=GameTerms(seed=1), concurrency=500)
    field = Plan(games=engine_games // 45, terms=GameTerms(seed=1), concurrency=64)
    scales = (
        Scale("Swiss of 1,000 move servers", 1000, swiss, 1, (60, 900)),
        Scale("round robin of 10 engines, 64 games at once", 10, field, 64, (20, 120)),
    )
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        rows = pool.map(measure, scales, chunksize=1)
    print_table("Simulated tournaments", HEADS, rows)


if __name__ == "__main__":
    main()
