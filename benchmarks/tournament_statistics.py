"""Time of the tables and ratings of large tournaments: ``python -m benchmarks.tournament_statistics``.

Every row is computed in a separate process, whose peak memory is shown.
"""

from __future__ import annotations

import multiprocessing
import random
import resource
import time

from benchmarks.table import print_table
from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import GameResult, Pairing, crosstable, rate
from quoridor_net.tournament.ratings import expected_score

#: Numbers of entrants and of games.
SIZES = ((2, 1_000), (12, 1_000), (64, 10_000), (1_000, 10_000), (1_000, 100_000))
RESAMPLES = 200
#: Standard deviation of the strengths, and worth of the first move, in Elo.
SPREAD, FIRST_MOVE = 300, 30


def games(entrants: int, number: int) -> list[GameResult]:
    """Return pairs of games between random entrants, with results drawn from the rating model."""
    source = random.Random(1)
    strengths = [source.gauss(0, SPREAD) for _ in range(entrants)]
    results: list[GameResult] = []
    for index in range(number):
        seats = (
            tuple(source.sample(range(1, entrants + 1), 2)) if index % 2 == 0 else results[-1][0].seats[::-1]
        )
        first, second = (strengths[seat - 1] for seat in seats)
        winner = 1 if source.random() < expected_score(first - second + FIRST_MOVE) else 2
        result = Result(winner, Termination.GOAL, "", 60)
        results.append((Pairing(index + 1, 1, seats, index // 2 + 1), result))
    return results


def measure(size: tuple[int, int]) -> tuple[str, ...]:
    """Measure one size; return its row of the table."""
    entrants, number = size
    results = games(entrants, number)
    begun = time.perf_counter()
    crosstable([str(entrant) for entrant in range(entrants)], results)
    after_table = time.perf_counter()
    rate(entrants, results, resamples=1)
    after_fit = time.perf_counter()
    rate(entrants, results, resamples=RESAMPLES)
    seconds = (after_table - begun, after_fit - after_table, time.perf_counter() - after_fit)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (f"{entrants}", f"{number}", *(f"{each:.3f}" for each in seconds), f"{memory:.0f}")


def main() -> None:
    """Measure, and print a table."""
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        rows = pool.map(measure, SIZES, chunksize=1)
    heads = ("entrants", "games", "tables s", "fit s", f"{RESAMPLES} resamples s", "MiB")
    print_table("Statistics of tournaments", heads, rows)


if __name__ == "__main__":
    main()
