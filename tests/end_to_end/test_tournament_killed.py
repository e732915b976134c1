"""A tournament that is killed (kill -9) or finds the disk full ends with the same results as any other."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quoridor_net.outcome import Result
from quoridor_net.tournament import TournamentState
from quoridor_net.tournament.journal import read_journal
from quoridor_net.tournament.quoridor.archive import read_games, verify
from quoridor_net.tournament.quoridor.leaderboard import Leaderboard
from tests.support.engine_programs import sloppy_command
from tests.support.patience import PATIENCE
from tests.support.tournament_program import (
    finish,
    has_result,
    read_untimed,
    run_tournament,
    start_tournament,
    wait_until,
)

if sys.platform == "win32":
    pytest.skip("needs POSIX signals and limits", allow_module_level=True)

import resource

FIELD = ("simple", "a=simple", "random", "b=random", "c=random")
TWO = ("simple", "a=simple")
#: References of a league play only others, and only others have versions.
BOTS = tuple(f"{name}=qtp:{sloppy_command('sane')}" for name in ("bot", "robot"))
TOURNAMENTS: dict[str, tuple[object, ...]] = {
    "round-robin": (*FIELD, "--games", 14, "--concurrency", 3),
    "gauntlet": (*FIELD, "--format", "gauntlet", "--games", 40),
    "swiss": (*FIELD, "--format", "swiss", "--games", 24, "--concurrency", 2),
    "wishes": (
        *(*FIELD, "--format", "swiss", "--games", 24, "--bye", "a=2", "--apart", "b,c", "--pair", "c,a"),
        *("--clock", "60+1", "--first-move-time", 90, "--repetition", 3),
    ),
    "knockout": (*FIELD, "--format", "knockout", "--games", 30, "--concurrency", 2),
    "four-player": (*FIELD, "--format", "four-player", "--rounds", 60, "--size", 7),
    "openings": (*TWO, "--games", 120, "--openings", "balanced", "--concurrency", 2),
    "sprt": (*TWO, "--games", 160, "--sprt", 0, 5, "--concurrency", 3),
}


def read_results(path: Path) -> Any:
    """Return every table and every move."""
    state = read_journal(path)
    moves = [[move[:2] for move in game.moves] for game in read_games(path, state)]
    return read_untimed(path), moves


def play_and_kill(path: Path, words: tuple[object, ...], kills: int, chance: random.Random) -> int:
    """Play a tournament and kill it up to ``kills`` times; return the number of kills."""
    command: tuple[object, ...] = ("run", path, *words)
    for count in range(kills):
        with start_tournament(*command) as process:
            patience = 0.0
            if count == 0:
                # Soon, because the tournament may be over quickly.
                wait_until(path, process, has_result)
            else:
                # Starting takes part of this time.
                patience = 0.2 + chance.random()
            try:
                process.wait(patience)
            except subprocess.TimeoutExpired:
                process.kill()
            else:
                return count
        command = ("resume", path)
    assert run_tournament("resume", path).exit_code == 0
    return kills


def check(words: tuple[object, ...], folder: Path, kills: int, chance: random.Random) -> int:
    """Compare a killed tournament with an undisturbed one; return the number of kills."""
    words = (*words, "--seed", chance.randrange(10**6))
    whole, path = folder / "whole.db", folder / "killed.db"
    for name in folder.iterdir():
        name.unlink()
    assert run_tournament("run", whole, *words).exit_code == 0
    count = play_and_kill(path, words, kills, chance)
    assert read_results(path) == read_results(whole)
    assert verify(path) == []
    assert sorted(file.name for file in folder.iterdir()) == ["killed.db", "whole.db"]
    return count


def test_a_manager_killed_a_few_times_loses_nothing(tmp_path: Path) -> None:
    words = (*FIELD, "--format", "swiss", "--games", 8, "--concurrency", 2)
    assert check(words, tmp_path, 3, random.Random(1)) > 0


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_manager_killed_at_a_hundred_moments_loses_nothing(tmp_path: Path) -> None:
    chance = random.Random(2)
    kills = 0
    while kills < 100:
        for words in TOURNAMENTS.values():
            kills += check(words, tmp_path, 10, chance)


def award(state: TournamentState, chance: random.Random) -> tuple[object, ...]:
    """Return a request to award a game that has not started, if there is one."""
    waiting = [pairing for pairing in state.pending if pairing.number not in state.running]
    if not waiting:
        return ()
    pairing = waiting[-1]
    return "award", pairing.number, state.entrants[chance.choice(pairing.seats) - 1]


def come_or_go(state: TournamentState, chance: random.Random) -> tuple[object, ...]:
    """Return a request to withdraw an entrant, or to bring back the one that left."""
    (left,) = [number for number in range(1, 6) if state.is_withdrawn(number)] or [0]
    if left:
        return "add", state.entrants[left - 1]
    return "withdraw", chance.choice(state.entrants[: len(FIELD)])


def renew(state: TournamentState, chance: random.Random) -> tuple[object, ...]:
    """Return a request to announce a new version of one of the entrants that are not references."""
    return "renew", chance.choice(state.entrants[len(FIELD) :]), f"{len(state.decided)}"


def choose(state: TournamentState, chance: random.Random) -> tuple[object, ...]:
    """Return a request for a pairing of the next round."""
    return "pair", ",".join(chance.sample(state.entrants, 2))


#: Tournaments, and the requests of the organiser.
CHANGED: dict[str, tuple[tuple[object, ...], tuple[Callable[..., tuple[object, ...]], ...]]] = {
    "awards": ((*FIELD, "--games", 200, "--concurrency", 3, "--clock", "60+1", "--repetition", 3), (award,)),
    "pairings": (
        (
            *(*FIELD, *(f"{letter}=random" for letter in "defgh"), "--format", "swiss", "--rounds", 9),
            *("--games", 30, "--concurrency", 2, "--bye", "a=2,4", "--apart", "b,c"),
        ),
        (choose, award),
    ),
    "league": (
        (*FIELD, *BOTS, "--format", "league", "--concurrency", 3, "--first-move-time", 60, "--repetition", 3),
        (come_or_go, renew),
    ),
}


def check_changes(kind: str, path: Path, kills: int, chance: random.Random) -> int:
    """Kill a tournament right after each answer to an organiser; return the number of kills."""
    words, requests = CHANGED[kind]
    command: tuple[object, ...] = ("run", path, *words, "--seed", chance.randrange(10**6))
    known: dict[int, Result] = {}

    def has_more(state: TournamentState) -> bool:
        return len(state.decided) > len(known)

    for count in range(kills):
        with start_tournament(*command) as process:
            state = wait_until(path, process, has_more)
            assert known.items() <= state.decided.items()
            possible = [request for make in requests if (request := make(state, chance))]
            if not possible:
                # The tournament is almost over.
                return count
            name, *arguments = chance.choice(possible)
            answer = run_tournament(name, path, *arguments)
            process.kill()
        command = ("resume", path)
        state = read_journal(path)
        assert known.items() <= state.decided.items()
        known.update(state.decided)
        if answer.exit_code:
            # The game has started meanwhile, or the opponent asked for a bye.
            assert name in {"award", "pair"}, answer.output
            assert re.search("is (?:running|over|cancelled)|asked for a bye|last round", answer.output), (
                answer.output
            )
        elif name == "award":
            number, winner = int(str(arguments[0])), arguments[1]
            seat = known[number].winner
            assert seat is not None
            assert state.entrants[state.pairing(number).seats[seat - 1] - 1] == winner
        elif name in {"withdraw", "add"}:
            number = state.entrants.index(str(arguments[0])) + 1
            assert state.is_withdrawn(number) == (name == "withdraw")
        elif name == "renew":
            with Leaderboard.open(path) as board:
                assert arguments[1] in {row.version for row in board.read()}
        if state.is_over:
            return count
    assert verify(path) == []
    if kind == "league":
        with Leaderboard.open(path) as board:
            assert sum(row.played for row in board.read()) == 2 * len(known)
    return kills


@pytest.mark.parametrize("kind", CHANGED)
def test_an_answer_to_an_organiser_survives_a_kill(kind: str, tmp_path: Path) -> None:
    assert check_changes(kind, tmp_path / "a.db", 2, random.Random(3)) > 0


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", CHANGED)
def test_answers_to_an_organiser_survive_many_kills(kind: str, tmp_path: Path) -> None:
    chance = random.Random(4)
    kills = 0
    while kills < 34:
        kills += check_changes(kind, tmp_path / f"{kills}.db", 34 - kills, chance)


def full_disk(size: int) -> dict[str, Any]:
    """Return arguments of ``Popen`` for a program whose files are limited to ``size`` bytes."""
    return {
        "preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
        # Under the limit, Python would leave truncated bytecode behind.
        "env": {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    }


WORDS = ("simple", "random", "--games", 40, "--size", 5, "--seed", 3, "--concurrency", 2)


@pytest.mark.parametrize("size", [100, 30_000])
def test_a_full_disk_at_the_start_is_reported(size: int, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    refused = finish("run", path, *WORDS, **full_disk(size))
    assert refused.returncode == 1
    assert refused.stderr.splitlines()[-1].startswith(f"Error: {path} cannot be ")
    assert "Traceback" not in refused.stderr
    assert not path.exists()
    assert run_tournament("run", path, "simple", "random", "--size", 3).exit_code == 0


def test_a_tournament_resumes_whenever_a_full_disk_has_space_again(tmp_path: Path) -> None:
    whole, path = tmp_path / "whole.db", tmp_path / "a.db"
    assert run_tournament("run", whole, *WORDS).exit_code == 0
    command: tuple[object, ...] = ("run", path, *WORDS)
    known = stops = 0
    for size in range(90_000, 10**6, 120_000):
        with start_tournament(*command, **full_disk(size)) as process:
            _, error = process.communicate(timeout=PATIENCE)
        command = ("resume", path)
        results = len(read_journal(path).decided)
        # Nothing is lost.
        assert results >= known
        known = results
        if process.returncode == 0:
            break
        stops += 1
        assert process.returncode == 1, error
        first, second = error.splitlines()
        assert first.startswith(f"Error: {path} cannot be ")
        assert re.fullmatch(rf"Stopped. To continue: \S+ tournament resume {path}", second)
        assert verify(path) == []
    assert stops >= 2
    assert run_tournament("resume", path).exit_code == 0
    assert read_results(path) == read_results(whole)
