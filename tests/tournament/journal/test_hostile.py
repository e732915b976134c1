"""Journals from another person are read in bounded time, or refused in one line."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import trio
from click.testing import CliRunner, Result

from quoridor_net.cli.main import main
from quoridor_net.tournament import Journal, Pairing, RoundPaired, TournamentStarted
from quoridor_net.tournament.journal import JournalError, is_vacant, reading
from quoridor_net.tournament.journal.lock import ManagerLock, is_held
from quoridor_net.tournament.journal.writing import checksum_of
from quoridor_net.tournament.quoridor.plan import Plan


def tournament(*words: object) -> Result:
    return CliRunner().invoke(main, ["tournament", *map(str, words)])


async def write(path: Path, settings: dict[str, object] | None = None, *addresses: str) -> None:
    """Write the journal of a tournament of two before its first game."""
    with Journal.create(path) as journal:
        start = TournamentStarted(
            "quoridor",
            ("ann", "bob"),
            Plan().settings() | (settings or {}),  # type: ignore[arg-type]
            addresses or ("simple", "random"),
        )
        journal.append(start)
        journal.append(RoundPaired(1, (Pairing(1, 1, (1, 2), 1), Pairing(2, 1, (2, 1), 1))))
        await journal.flush()


#: An endless query, whose rows would fill any disk.
ENDLESS = (
    "WITH RECURSIVE endless(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM endless) SELECT n FROM endless"
)


@pytest.mark.parametrize(
    "statement",
    [
        f"ALTER TABLE events RENAME TO other; CREATE VIEW events AS {ENDLESS}",
        f"DROP VIEW scores; CREATE VIEW scores AS {ENDLESS}",
        "CREATE TRIGGER more AFTER INSERT ON events BEGIN DELETE FROM games; END",
        "ALTER TABLE moves ADD COLUMN more TEXT AS (hex(zeroblob(1 << 30)))",
        "CREATE INDEX more ON events (hex(object))",
        "CREATE VIRTUAL TABLE more USING fts5(text)",
        "CREATE TABLE more (n)",
    ],
)
async def test_tables_that_are_not_those_of_a_journal_are_refused(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "a.db"
    await write(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statement)
    for words in (("show", path), ("verify", path), ("resume", path), ("stop", path)):
        result = tournament(*words)
        assert result.exit_code in {1, 2}, result.output
        assert "its tables differ from those of a journal" in result.stderr
    assert not is_vacant(path)


async def test_cyclic_pages_do_not_trap_a_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.db"
    await write(path)
    monkeypatch.setattr(reading, "_OPENING_STEPS", reading._STEPS_AT_ONCE)
    monkeypatch.setattr(reading, "_STEPS_FOR_EACH_BYTE", 0)
    with (
        pytest.raises(JournalError, match="reading it would take too long"),
        reading.explain_errors(path),
        closing(reading.open_to_read(path)) as connection,
    ):
        connection.execute(f"SELECT sum(n) FROM ({ENDLESS})").fetchone()


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"format": "dance"}, "unknown format 'dance'"),
        ({"rounds": 0}, "rounds is not an integer"),
        ({"players": 3}, "players is not 2 or 4"),
        ({"players": 4}, "the format round-robin is not for 4 players"),
        ({"format": "four-player"}, "the format four-player is not for 2 players"),
        ({"format": "four-player", "players": 4}, "four-player games need at least 4 entrants"),
        ({"format": "swiss", "rounds": 100_000}, "can play at most 1 round"),
        ({"elo0": 5, "elo1": 5}, "the first Elo difference must be below the second"),
        ({"elo0": -1e9, "elo1": 5}, "must be within"),
        ({"move_time": 1e308}, "move_time is not a number of seconds from 0 to 1e+06"),
        ({"walls": -1}, "walls is not an integer"),
    ],
)
async def test_settings_out_of_range_are_one_line(
    tmp_path: Path, settings: dict[str, object], reason: str
) -> None:
    path = tmp_path / "a.db"
    await write(path, settings)
    commands = (
        ["show"],
        ["show", "--format", "html"],
        ["games", "--save", tmp_path / "g"],
        ["verify"],
        ["resume"],
    )
    for command, *words in commands:
        result = tournament(command, path, *words)
        assert result.exit_code in {1, 2}, (command, result.output)
        assert isinstance(result.exception, SystemExit)
        assert reason in result.stderr


def test_a_name_that_looks_like_an_address_is_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("file:a.db")
    lock = ManagerLock.take(path)
    assert is_held(path)
    lock.release()
    assert not is_held(path)
    assert not list(tmp_path.iterdir())


@pytest.mark.end_to_end
def test_commands_of_another_user_are_listed_and_not_run(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    run = tmp_path / "was run"
    trio.run(write, path, None, "simple", f"qtp:touch '{run}'")
    result = tournament("resume", path, "--quiet")
    assert result.exit_code == 2
    assert f"  qtp:cd {Path.cwd()} && touch '{run}'\n" in result.stderr
    assert "If you trust them, add --yes." in result.stderr
    assert not run.exists()
    # Status 3, because the command ends at once, unlike an engine.
    assert tournament("resume", path, "--quiet", "--yes").exit_code == 3
    assert run.exists()
    # The agreement holds only for this file at this path.
    assert tournament("resume", path, "--quiet").exit_code == 3
    elsewhere = path.rename(tmp_path / "b.db")
    assert tournament("resume", elsewhere, "--quiet").exit_code == 2


async def test_a_damaged_cell_or_page_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await write(path)
    data = path.read_bytes()
    for place in range(16, len(data), 509):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
        result = tournament("show", path)
        assert isinstance(result.exception, SystemExit | type(None))
        assert result.exit_code == 0 or len(result.stderr.splitlines()) <= 4


async def test_an_event_with_any_value_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await write(path)
    with closing(sqlite3.connect(path)) as connection:
        (line,) = connection.execute("SELECT object FROM events WHERE number = 2").fetchone()
        values: tuple[object, ...] = (None, -1, 10**9, 10**30, "x", [[]], [[1, 1, 1, 1]], [[1, 1, 10**9, 2]])
        for name in ("round", "games", "byes"):
            for value in values:
                changed = json.dumps(json.loads(line) | {name: value})
                row = (changed, checksum_of(2, changed))
                with connection:
                    connection.execute("UPDATE events SET object = ?, checksum = ? WHERE number = 2", row)
                result = tournament("show", path)
                assert isinstance(result.exception, SystemExit | type(None))


#: Files in place of the lock of a tournament.
MANAGER = "CREATE TABLE manager (host TEXT, process INTEGER, since TEXT)"
ENDLESS_INSERT = (
    "INSERT INTO manager WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r)"
    " SELECT x, x, x FROM r"
)
LOCKS = (
    f"{MANAGER}; CREATE TRIGGER more AFTER INSERT ON manager BEGIN {ENDLESS_INSERT}; END",
    f"CREATE VIEW manager AS {ENDLESS}",
    "CREATE TABLE manager (n)",
    "CREATE TABLE other (n)",
)
NO_DATABASE = b"not a database, but long enough to look like one\n" * 50


@pytest.mark.parametrize("statement", [*LOCKS, None, NO_DATABASE])
@pytest.mark.parametrize("words", [("resume",), ("withdraw", "ann")])
async def test_a_foreign_file_in_place_of_the_lock_is_named_and_kept(
    tmp_path: Path, statement: str | bytes | None, words: tuple[str, ...]
) -> None:
    path, lock = tmp_path / "a.db", tmp_path / "a.db-manager"
    await write(path)
    if statement is None:
        lock.mkdir()
    elif isinstance(statement, bytes):
        lock.write_bytes(statement)
    else:
        with closing(sqlite3.connect(lock)) as connection:
            connection.executescript(statement)
    before = lock.read_bytes() if lock.is_file() else None
    command, *arguments = words
    result = await trio.to_thread.run_sync(lambda: tournament(command, path, *arguments))
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith(f"Error: {lock} ")
    assert (lock.read_bytes() if lock.is_file() else None) == before


async def test_a_lock_with_unprintable_contents_is_reported_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await write(path)
    with closing(sqlite3.connect(tmp_path / "a.db-manager", isolation_level=None)) as holder:
        holder.execute(MANAGER)
        holder.execute("INSERT INTO manager VALUES (char(27) || '[2J', 'x', x'00ff')")
        holder.execute("BEGIN IMMEDIATE")
        result = await trio.to_thread.run_sync(lambda: tournament("resume", path))
    assert result.exit_code == 2
    assert "is being played by another program (process x on \\x1b[2J, since " in result.stderr
