"""``quoridor tournament run`` and ``resume`` try every entrant first."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from quoridor_net.cli.main import main
from quoridor_net.tournament import Journal, Pairing, RoundPaired, TournamentStarted, read_journal
from quoridor_net.tournament.quoridor.plan import Plan
from tests.support.engine_programs import PYTHON, SLOPPY
from tests.support.loopback import reserve_port

pytestmark = pytest.mark.end_to_end


def tournament(*words: object) -> Result:
    return CliRunner().invoke(main, ["tournament", *map(str, words)])


def document(path: Path) -> Any:
    return json.loads(tournament("show", path, "--format", "json").stdout)


def forget_results(path: Path, games: int) -> None:
    """Restore a journal to its state before the last ``games`` games."""
    with closing(sqlite3.connect(path)) as connection, connection:
        ends = connection.execute(
            "SELECT number, game FROM events WHERE event = 'game_ended' ORDER BY number DESC LIMIT ?",
            (games,),
        ).fetchall()
        first, _ = ends[-1]
        connection.execute("DELETE FROM events WHERE number >= ?", (first,))
        connection.execute("UPDATE sqlite_sequence SET seq = (SELECT max(number) FROM events)")
        connection.executemany("DELETE FROM moves WHERE game = ?", [(game,) for _, game in ends])


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create an engine in a folder of its own, and change to that folder."""
    folder = tmp_path / "engines of ann"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Path(shutil.copy(SLOPPY, folder / "engine.py"))


@pytest.fixture
def tournament_file(engine: Path, tmp_path: Path) -> Path:
    """Create a tournament with one of six games played; an engine plays in four of them."""
    path = tmp_path / "a.db"
    command = f"eve=qtp:{' '.join(PYTHON)} {engine.name} sane"
    result = tournament("run", path, command, "a=simple", "b=simple", "--seed", 1, "--quiet")
    assert result.exit_code == 0, result.output
    forget_results(path, 5)
    return path


def test_commands_run_in_the_folder_in_which_they_were_given(
    tournament_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = tournament("resume", tournament_file, "--quiet")
    assert result.exit_code == 0, result.output
    assert "engine_crash" not in {game["termination"] for game in document(tournament_file)["games"]}
    assert read_journal(tournament_file).addresses[0].startswith(f"qtp:cd '{tmp_path}/engines of ann' && ")


def test_a_missing_engine_stops_resume(
    tournament_file: Path, engine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tournament_file.parent)
    shutil.rmtree(engine.parent)
    before = document(tournament_file)["games"]
    result = tournament("resume", tournament_file, "--quiet")
    assert result.exit_code == 3, result.output
    assert result.stderr.startswith("Error: eve: qtp:cd ")
    assert result.stderr.endswith(f" tournament resume {tournament_file} --start-without\n")
    assert result.stderr.count("\n") == 1
    assert document(tournament_file)["games"] == before


def test_the_others_play_without_a_missing_engine_which_loses_nothing(
    tournament_file: Path, engine: Path
) -> None:
    folder = engine.parent.rename(engine.parent.with_name("elsewhere"))
    result = tournament("resume", tournament_file, "--quiet", "--start-without")
    assert result.exit_code == 4, result.output
    assert "games have no result. Game " in result.stderr
    assert "eve cannot be started: No such file or directory" in result.stderr
    shown = document(tournament_file)
    assert not shown["finished"]
    assert "engine_crash" not in {game["termination"] for game in shown["games"]}
    played = [set(game["seats"]) for game in shown["games"]]
    assert played.count({"a", "b"}) == 2
    # Once it is back, all games are played.
    folder.rename(engine.parent)
    assert tournament("resume", tournament_file, "--quiet").exit_code == 0
    assert len(document(tournament_file)["games"]) == 6


def test_a_new_tournament_begins_without_a_missing_server_only_if_told(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    with reserve_port() as port:
        entrants = ["a=simple", "b=simple", f"late=127.0.0.1:{port}"]
        options = ["--no-show-time", 0.1, "--games", 1, "--quiet", "--seed", 1]
        result = tournament("run", path, *entrants, *options)
        assert result.exit_code == 3
        assert result.stderr.endswith("No game was played. To begin without, add --start-without.\n")
        assert not path.exists()
        result = tournament("run", path, *entrants, *options, "--start-without")
        assert result.exit_code == 0
        last = result.stdout.splitlines()[-1]
        assert last in {f"{name} wins the tournament with 2 points." for name in "ab"}
        games = {frozenset(game["seats"]): game for game in document(path)["games"]}
        assert games[frozenset({"a", "b"})]["plies"] > 0
        assert [game["plies"] for seats, game in games.items() if "late" in seats] == [0, 0]
        # One entrant alone has no game.
        alone = tournament("run", tmp_path / "alone.db", *entrants[1:], *options, "--start-without")
        assert alone.exit_code == 3
        assert alone.stderr.endswith("No game was played, because too few others are there.\n")


async def test_verify_counts_the_games_without_a_result(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Journal.create(path) as journal:
        journal.append(TournamentStarted("quoridor", ("a", "b"), Plan().settings(), ("simple", "random")))
        journal.append(RoundPaired(1, (Pairing(1, 1, (1, 2), 1), Pairing(2, 1, (2, 1), 1))))
        await journal.flush()
    verified = tournament("verify", path)
    assert verified.stdout == "0 games, no faults found. 2 games without a result.\n"


def test_an_absent_server_stops_resume(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with reserve_port() as port:
        assert tournament("run", path, "simple", "random", "--quiet", "--seed", 1).exit_code == 0
        forget_results(path, 2)
        with closing(sqlite3.connect(path)) as connection, connection:
            _point_second_entrant_to(connection, f"127.0.0.1:{port}")
        result = tournament("resume", path, "--quiet")
        assert result.exit_code == 3, result.output
        assert f": 127.0.0.1:{port} cannot be reached: Connection refused. No further game" in result.stderr
        assert document(path)["games"] == []


def _point_second_entrant_to(connection: sqlite3.Connection, address: str) -> None:
    from quoridor_net.tournament.journal.writing import checksum_of

    (line,) = connection.execute("SELECT object FROM events WHERE number = 1").fetchone()
    record = json.loads(line)
    record["addresses"][1] = address
    record["settings"]["no_show_time"] = 0.2
    line = json.dumps(record)
    row = (line, checksum_of(1, line))
    connection.execute("UPDATE events SET object = ?, checksum = ? WHERE number = 1", row)
