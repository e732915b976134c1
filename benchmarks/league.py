"""Simulation of large leagues: ``python -m benchmarks.league [GAMES [RECORDED]]``.

Pairing, runner and state are those of a real league; the games are simulated on a virtual clock, with results
drawn by strengths. One league of GAMES games has no journal, one of RECORDED games has one, with the moves of
a recorded game. Each runs in a separate process.
"""

from __future__ import annotations

import multiprocessing
import random
import resource
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path

import trio
from trio.testing import MockClock

from benchmarks.scale import Scale, players
from benchmarks.table import print_table
from benchmarks.tournament import measure_show
from quoridor_net.match import GameEnded, GameStarted, Listener
from quoridor_net.outcome import Result, Termination
from quoridor_net.players.ladder import LADDER
from quoridor_net.rules import Position
from quoridor_net.tournament import (
    Event,
    GameEvent,
    GameResult,
    Journal,
    Pairing,
    Play,
    Tournament,
    TournamentStarted,
    rate,
)
from quoridor_net.tournament import ratings as tournament_ratings
from quoridor_net.tournament.lobby import Lobby
from quoridor_net.tournament.quoridor.plan import RULES, LeagueTerms, Plan
from quoridor_net.tournament.ratings import expected_score

#: Default numbers of games.
GAMES, RECORDED = 1_000_000, 100_000
#: Number of entrants, including references, and of games at once.
ENTRANTS, CONCURRENCY = 200, 64
#: Mean and standard deviation of the strengths, in Elo.
MEAN, SPREAD = 500.0, 300.0


def draw_strengths() -> list[float]:
    """Return the strengths of the entrants, those of the references first."""
    source = random.Random(1)
    references = [float(rung.elo) for rung in LADDER]
    return references + [source.gauss(MEAN, SPREAD) for _ in range(ENTRANTS - len(references))]


def simulate_games(strengths: list[float]) -> Play:
    """Return a function that simulates games without moves."""
    start = Position()

    async def play(pairing: Pairing, listener: Listener) -> Result:
        chance = random.Random(f"league {pairing.number}")
        first, second = (strengths[entrant - 1] for entrant in pairing.seats)
        winner = 1 if chance.random() < expected_score(first - second) else 2
        result = Result(winner, Termination.GOAL, "It is over.", 63)
        listener(GameStarted(("a", "b"), start, None, 1000))
        await trio.sleep(chance.uniform(60, 600))
        listener(GameEnded(result, ("a", "b"), start))
        return result

    return play


def measure(games: int, is_recorded: bool) -> tuple[str, ...]:
    """Simulate a league; return its row of the table."""
    strengths = draw_strengths()
    fixed: Mapping[int, float] = {number: float(rung.elo) for number, rung in enumerate(LADDER, 1)}
    addresses = (*(rung.spec for rung in LADDER), *(f"h:{number}" for number in range(len(LADDER), ENTRANTS)))
    names = tuple(f"e{number:04}" for number in range(1, ENTRANTS + 1))
    plan = Plan("league", concurrency=CONCURRENCY)
    start = TournamentStarted(RULES, names, plan.settings(), addresses)
    play = players(Scale("", ENTRANTS, plan, 1, (60, 600))) if is_recorded else simulate_games(strengths)
    hours = 0.0
    last: deque[GameResult] = deque(maxlen=LeagueTerms().window * ENTRANTS // 2)

    async def answers(_entrant: int) -> bool:
        return True

    async def run(journal: Journal | None) -> Tournament:
        nonlocal hours

        def listen(event: Event) -> None:
            if isinstance(event, GameEvent) and isinstance(event.event, GameEnded):
                last.append((tournament.state.pairing(event.game), event.event.result))
                if tournament.state.played >= games:
                    tournament.stop()

        tournament = Tournament(
            start,
            plan.format,
            play,
            [listen],
            record=journal,
            concurrency=CONCURRENCY,
            capacities=dict.fromkeys(fixed, CONCURRENCY),
            lobby=Lobby(answers, lambda: fixed),
        )
        begun = trio.current_time()
        await tournament.run()
        hours = (trio.current_time() - begun) / 3600
        return tournament

    size, shown = "", ("", "")
    used = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "league.db"
        if is_recorded:
            with Journal.create(path) as journal:
                tournament = trio.run(run, journal, clock=MockClock(autojump_threshold=0))
            size = f"{path.stat().st_size / 2**20:.0f}"
            seconds, _, memory = measure_show(path, "text", tries=1)
            shown = (f"{seconds:.1f}", f"{memory:.0f}")
        else:
            tournament = trio.run(run, None, clock=MockClock(autojump_threshold=0))
    used = time.process_time() - used
    decided = tournament.state.played
    return (
        "with a journal" if is_recorded else "without a journal",
        f"{decided}",
        f"{hours:.0f}",
        f"{used / decided * 1000:.2f}",
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}",
        size,
        *shown,
        *(("", "") if is_recorded else compare(last, strengths, fixed)),
    )


def compare(
    results: Iterable[GameResult], strengths: list[float], fixed: Mapping[int, float]
) -> tuple[str, str]:
    """Return how far ratings are from strengths, in Elo, and how many intervals contain the strength."""
    scale = tournament_ratings.Scale(fixed, mean=400)
    found = rate(ENTRANTS, results, resamples=1, scale=scale).entrants[len(LADDER) :]
    errors = [rating.elo.value - strengths[rating.entrant - 1] for rating in found]
    inside = sum(rating.elo.low <= strengths[rating.entrant - 1] <= rating.elo.high for rating in found)
    return f"{(sum(error**2 for error in errors) / len(errors)) ** 0.5:.0f}", f"{inside / len(found):.0%}"


HEADS = (
    "league of 200 entrants",
    "games",
    "simulated hours",
    "CPU ms per game",
    "MiB",
    "MiB of journal",
    "show s",
    "show MiB",
    "error in Elo",
    "in interval",
)


def main() -> None:
    """Simulate the leagues, and print a table."""
    given = [int(word) for word in sys.argv[1:]]
    games, recorded = [*given, *(GAMES, RECORDED)[len(given) :]]
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        rows = pool.starmap(measure, [(games, False), (recorded, True)], chunksize=1)
    print_table("Simulated leagues", HEADS, rows)


if __name__ == "__main__":
    main()
