"""Cost of a tournament apart from its players: ``python -m benchmarks.tournament``.

Prints games per second of whole tournaments with a journal on disk, the time of the journal per ply, and the
time and memory of ``quoridor tournament show`` for a large tournament. For ratings see
``benchmarks.tournament_statistics``.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import trio
from attrs import evolve

from benchmarks.qtp_referee import TRIVIAL
from benchmarks.table import print_table
from benchmarks.tournament_statistics import games
from quoridor_net import match
from quoridor_net.players.source import make_player
from quoridor_net.players.spec import parse_spec
from quoridor_net.tournament import (
    GameEvent,
    Journal,
    Pairing,
    RoundPaired,
    TournamentStarted,
    TournamentState,
)
from quoridor_net.tournament.quoridor.manager import Manager
from quoridor_net.tournament.quoridor.plan import RULES, Plan
from quoridor_net.tournament.quoridor.terms import GameTerms

CONCURRENCIES = (1, 2, 4, 8)
#: Two entrants, and their number of games.
PLAYERS = {
    "random, built in": (("random", "random"), 100),
    "simple, built in": (("simple", "simple"), 200),
    "programs, kept running": ((f"qtp:{' '.join(TRIVIAL)}",) * 2, 500),
}

#: Number of games for the measurement of the journal.
JOURNAL_GAMES = 300

#: Entrants and games of the tournament to show, and the number of runs. The best time counts, because other
#: programs can only add to it.
ENTRANTS, SHOWN_GAMES = 64, 10_000
TRIES = 5


def games_per_second(
    folder: Path, entrants: Sequence[str], games_played: int, concurrency: int
) -> tuple[float, float, float]:
    """Return games per second, games per second of this process's processor time, and plies per game."""
    plan = Plan(games=games_played, terms=GameTerms(seed=1), concurrency=concurrency)
    with Journal.create(folder / f"{time.monotonic_ns()}.db") as journal:
        manager = Manager(journal, TournamentState(), plan, tuple(map(parse_spec, entrants)))
        begun, used = time.perf_counter(), time.process_time()
        trio.run(manager.run, [])
        seconds, used = time.perf_counter() - begun, time.process_time() - used
    decided = manager.state.decided
    assert len(decided) == games_played
    plies = sum(result.plies for result in decided.values())
    return games_played / seconds, games_played / used, plies / games_played


def one_game(name: str) -> list[match.Event]:
    """Play a built-in player against itself; return the events of the game."""
    events: list[match.Event] = []

    async def play() -> None:
        await match.play_match([make_player(name, seed) for seed in (1, 2)], None, [events.append])

    trio.run(play)
    return events


def microseconds_per_ply(folder: Path) -> tuple[float, float]:
    """Return the journal's time per ply: in the thread of the games, and including the writing thread."""
    events = one_game("simple")
    pairings = tuple(Pairing(number, 1, (1, 2)) for number in range(1, JOURNAL_GAMES + 1))
    taken = 0.0

    async def write(journal: Journal) -> None:
        nonlocal taken
        journal.append(TournamentStarted(RULES, ("ann", "bob"), Plan().settings(), ("simple", "simple")))
        journal.append(RoundPaired(1, pairings))
        for pairing in pairings:
            begun = time.perf_counter()
            for event in events:
                journal.append(GameEvent(pairing.number, event))
            taken += time.perf_counter() - begun
            await journal.flush()

    with Journal.create(folder / "journal.db") as journal:
        begun = time.perf_counter()
        trio.run(write, journal)
        seconds = time.perf_counter() - begun
    plies = sum(isinstance(event, match.MoveMade) for event in events)
    each = 1e6 / (JOURNAL_GAMES * plies)
    return taken * each, seconds * each


def make_large(path: Path) -> int:
    """Write the journal of a large tournament of identical games; return the plies per game."""
    names = tuple(f"e{number:02}" for number in range(1, ENTRANTS + 1))
    results = games(ENTRANTS, SHOWN_GAMES)
    *events, ended = one_game("simple")
    assert isinstance(ended, match.GameEnded)

    async def write(journal: Journal) -> None:
        journal.append(TournamentStarted(RULES, names, Plan().settings(), ("simple",) * ENTRANTS))
        journal.append(RoundPaired(1, tuple(pairing for pairing, _ in results)))
        for pairing, result in results:
            for event in events:
                journal.append(GameEvent(pairing.number, event))
            journal.append(GameEvent(pairing.number, evolve(ended, result=result)))
            if pairing.number % 100 == 0:
                await journal.flush()
        await journal.flush()

    with Journal.create(path) as journal:
        trio.run(write, journal)
    return sum(isinstance(event, match.MoveMade) for event in events)


def measure_show(path: Path, form: str, tries: int = TRIES) -> tuple[float, float, float]:
    """Show a journal; return the best time and processor time in seconds, and the peak memory in MiB."""
    command = (sys.executable, "-m", "quoridor_net", "tournament", "show", str(path), "--format", form)
    best, used, memory = float("inf"), float("inf"), 0.0
    for _ in range(tries):
        begun = time.perf_counter()
        silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
        process = os.posix_spawn(sys.executable, command, os.environ, file_actions=silent)
        _, status, usage = os.wait4(process, 0)
        assert status == 0
        best = min(best, time.perf_counter() - begun)
        used = min(used, usage.ru_utime + usage.ru_stime)
        memory = max(memory, usage.ru_maxrss / 1024)
    return best, used, memory


def main() -> None:
    """Measure everything, and print the tables."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = []
        for title, (entrants, games_played) in PLAYERS.items():
            alone = 0.0
            for concurrency in CONCURRENCIES:
                rate, busy, plies = games_per_second(folder, entrants, games_played, concurrency)
                alone = alone or rate
                figures = (f"{rate:.0f}", f"{rate / alone:.2f}", f"{busy:.0f}", f"{plies:.0f}")
                rows.append((f"{title}, concurrency {concurrency}", *figures))
        heads = ("players", "games/s", "ratio to concurrency 1", "games per CPU second here", "plies")
        print_table("Tournaments of two", heads, rows)
        here, whole = microseconds_per_ply(folder)
        print_table(
            "Journal, flushed after every game",
            ("", "µs per ply"),
            [("thread of the games", f"{here:.1f}"), ("with the writing thread", f"{whole:.1f}")],
        )
        path = folder / "large.db"
        plies = make_large(path)
        shows = []
        for form in ("text", "json", "markdown"):
            seconds, used, memory = measure_show(path, form)
            shows.append((f"--format {form}", f"{seconds:.2f}", f"{used:.2f}", f"{memory:.0f}"))
        title = f"quoridor tournament show, {ENTRANTS} entrants, {SHOWN_GAMES} games of {plies} plies"
        print_table(title, ("", "s", "CPU s", "MiB"), shows)


if __name__ == "__main__":
    main()
