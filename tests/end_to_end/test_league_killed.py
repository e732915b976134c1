"""A league that is killed (kill -9) keeps every result, while organisers change it between the kills."""

from __future__ import annotations

import random
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from quoridor_net.tournament import TournamentState
from quoridor_net.tournament.journal import read_journal
from quoridor_net.tournament.quoridor.archive import verify
from quoridor_net.tournament.quoridor.leaderboard import Leaderboard
from tests.end_to_end.conftest import StartServer
from tests.support.tournament_program import run_tournament, start_tournament, wait_until

if sys.platform == "win32":
    pytest.skip("needs POSIX signals", allow_module_level=True)

#: The built-in players are references. The last entrant never answers: nothing listens on port 1.
FIELD = ("simple", "random", "ghost=127.0.0.1:1")
OPTIONS = (
    *("--format", "league", "--concurrency", 3, "--start-without", "--no-show-time", 5),
    *("--clock", "60+1", "--first-move-time", 90, "--repetition", 2, "--ply-limit", 80, "--window", 10),
)


def change(path: Path, state: TournamentState, address: str, chance: random.Random) -> None:
    """Make a random change of an organiser to a league that is not being played."""
    words: tuple[object, ...]
    match chance.choice(["award", "leave", "renew", "nothing"]):
        case "award" if state.pending:
            pairing = chance.choice(state.pending)
            words = ("award", path, pairing.number, state.entrants[chance.choice(pairing.seats) - 1])
        case "leave":
            left = state.is_withdrawn(state.entrants.index("c") + 1)
            words = ("add", path, f"c={address}") if left else ("withdraw", path, "c")
        case "renew":
            words = ("renew", path, "b", f"{len(state.decided)}")
        case _:
            return
    done = run_tournament(*words)
    assert done.exit_code == 0, done.output


def has_more_results(known: int, state: TournamentState) -> bool:
    return len(state.decided) > known


def check(path: Path, before: TournamentState) -> TournamentState:
    """Check the journal of a killed league against an earlier state; return its state."""
    state = read_journal(path)
    assert before.decided.items() <= state.decided.items()
    assert verify(path) == []
    ghost = state.entrants.index("ghost") + 1
    assert not any(ghost in state.pairing(game).seats for game in range(1, state.last_game + 1))
    with Leaderboard.open(path) as board:
        rows = board.read()
    assert sum(row.played for row in rows) == 2 * len(state.decided)
    assert sum(row.won + row.drawn + row.lost for row in rows) == 2 * len(state.decided)
    return state


def play_and_kill(path: Path, kills: int, chance: random.Random, start_server: StartServer) -> None:
    b, c = (start_server().endpoint for _ in range(2))
    command: tuple[object, ...] = (
        "run",
        path,
        *FIELD,
        f"b={b},games=2",
        f"c={c}",
        *OPTIONS,
        "--seed",
        chance.randrange(10**6),
    )
    state = TournamentState()
    for _ in range(kills):
        with start_tournament(*command) as process:
            known = len(state.decided)
            wait_until(path, process, partial(has_more_results, known))
            # At a random moment, which no state of the journal decides.
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(chance.random() / 2)
            process.kill()
            process.communicate()
        state = check(path, state)
        change(path, state, c, chance)
        state = check(path, state)
        command = ("resume", path, "--start-without")
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name]


def test_a_league_killed_a_few_times_loses_nothing(tmp_path: Path, start_server: StartServer) -> None:
    play_and_kill(tmp_path / "league.db", 3, random.Random(3), start_server)


@pytest.mark.slow
@pytest.mark.timeout(2400)
def test_a_league_killed_a_hundred_times_loses_nothing(tmp_path: Path, start_server: StartServer) -> None:
    play_and_kill(tmp_path / "league.db", 100, random.Random(4), start_server)
