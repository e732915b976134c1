"""Flushed events survive in the journal, and only one program at a time holds it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from quoridor_net.match import GameEnded, MoveRequested, PlayerOut, TurnPassed
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.phrases import Translatable
from quoridor_net.rules import Position
from quoridor_net.tournament import (
    EntrantAway,
    EntrantBack,
    EntrantJoined,
    EntrantRenewed,
    EntrantReturned,
    EntrantWithdrawn,
    Event,
    GameEvent,
    Journal,
    JournalError,
    Pairing,
    RoundPaired,
    SettingChanged,
    TournamentEnded,
    TournamentResumed,
    TournamentStarted,
    read_journal,
)
from quoridor_net.tournament.formats import RoundRobin
from quoridor_net.tournament.journal.errors import GoneError, HeldError
from quoridor_net.tournament.journal.lock import ManagerLock
from tests.support.tournament_events import NAMES, end_game, make_move, pair_all, start_game, state_after

WON = Result(1, Termination.GOAL, "ann wins: it reached its goal line.", 1)
FORFEIT = Result(2, Termination.UNPARSABLE_MOVE, "bob wins: ann sent “é”.", 0, "\\xe9")
VOID = Result(None, Termination.ABORTED, "The game was aborted.", 1)
JUNK = ForfeitError(Termination.UNPARSABLE_MOVE, Translatable("sent junk"), "\\xe9", "Usual cause: none.")
OUT = PlayerOut(1, JUNK, Position())
EVENTS: tuple[Event, ...] = (
    TournamentStarted("quoridor", NAMES, {"seed": 7, "gap": 0.5}, ("h:1", "h:2")),
    *pair_all(RoundRobin(2), 2),
    start_game(1),
    make_move(1),
    end_game(1, WON),
    start_game(2),
    make_move(2),
    end_game(2, VOID),
    SettingChanged("seed", 8),
    TournamentResumed(),
    EntrantJoined("cid", "h:3"),
    EntrantWithdrawn(3),
    EntrantReturned(3, "h:4"),
    EntrantAway(2, "It does not answer."),
    EntrantBack(2),
    EntrantRenewed(3, "2.0", "h:5", 12.5),
    EntrantAway(3, "It does not answer."),
    EntrantWithdrawn(3),
    start_game(2),
    GameEvent(2, OUT),
    end_game(2, FORFEIT),
    TournamentEnded(),
)


async def write(path: Path, *events: Event) -> None:
    with Journal.create(path) as journal:
        for event in events:
            journal.append(event)
        await journal.flush()


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def files_in(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()]


async def test_everything_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    await write(path, *EVENTS)
    assert vars(read_journal(path)) == vars(state_after(EVENTS))
    # No other file is left.
    assert files_in(tmp_path) == ["event.db"]


async def test_tables_are_formatted_for_display(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    await write(path, *EVENTS)
    assert rows(path, "SELECT rules, settings FROM tournaments") == [("quoridor", '{"seed": 8, "gap": 0.5}')]
    assert rows(path, "SELECT number, name, address, joined_round FROM entrants") == [
        (1, "ann", "h:1", 1), (2, "bob", "h:2", 1), (3, "cid", "h:5", 3)
    ]  # fmt: skip
    query = "SELECT number, round, pair, attempts, winner, termination, line, plies FROM games"
    assert rows(path, query) == [
        (1, 1, 1, 1, 1, "goal", "", 1),
        (2, 2, 1, 2, 2, "unparsable_move", "\\xe9", 0),
    ]
    assert rows(path, "SELECT * FROM seats") == [
        (1, 1, 1, 1.0),
        (1, 2, 2, 0.0),
        (2, 1, 2, 0.0),
        (2, 2, 1, 1.0),
    ]
    # The moves of the void attempt are not kept.
    assert rows(path, "SELECT * FROM moves") == [(1, 1, 1, "(4, 1)", 0.25, 9.75, 35)]
    assert rows(path, "SELECT game, seat, ply, termination, line FROM faults") == [
        (2, 1, 0, "unparsable_move", "\\xe9")
    ]
    assert rows(path, "SELECT name, played, points, won, drawn, lost FROM scores") == [
        ("ann", 2, 2.0, 2, 0, 0), ("bob", 2, 0.0, 0, 0, 2), ("cid", 0, 0.0, 0, 0, 0)
    ]  # fmt: skip
    kinds = [kind for (kind,) in rows(path, "SELECT event FROM events ORDER BY number")]
    assert kinds[:4] == ["tournament_started", "round_paired", "round_paired", "game_started"]
    assert "move_made" not in kinds


async def test_a_bye_counts_for_every_game_of_its_round(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    start = TournamentStarted("hex", ("ann", "bob", "cid"))
    games = (Pairing(1, 1, (1, 2), 1), Pairing(2, 1, (2, 1), 1))
    await write(path, start, RoundPaired(1, games, (3, 3)), start_game(1), make_move(1), end_game(1, WON))
    assert rows(path, "SELECT * FROM byes") == [(1, 3, 2.0)]
    assert rows(path, "SELECT name, played, points, won FROM scores") == [
        ("ann", 1, 1.0, 1), ("bob", 1, 0.0, 0), ("cid", 0, 2.0, 0)
    ]  # fmt: skip
    assert [bye.entrant for bye in read_journal(path).byes] == [3, 3]


async def test_events_without_information_are_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    await write(path, *EVENTS[:4], GameEvent(1, MoveRequested(1, 0)), GameEvent(1, TurnPassed(2)))
    assert rows(path, "SELECT count(*) FROM events") == [(4,)]


async def test_only_unflushed_events_can_be_lost(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    with Journal.create(path) as journal:
        for count, event in enumerate(EVENTS, 1):
            journal.append(event)
            await journal.flush()
            assert vars(read_journal(path)) == vars(state_after(without_moves(EVENTS[:count])))


def without_moves(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the state that a reader sees; moves are in the journal once their game is over."""
    return tuple(event for event in events if event not in (make_move(1), make_move(2)))


async def test_concurrent_flushes_are_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "event.db"
    with Journal.create(path) as journal:
        commits: list[int] = []
        write = journal._write

        def count_and_write(changes: list[tuple[str, tuple[object, ...]]]) -> None:
            commits.append(len(changes))
            write(changes)

        monkeypatch.setattr(journal, "_write", count_and_write)
        async with trio.open_nursery() as nursery:
            for event in EVENTS:
                journal.append(event)
                nursery.start_soon(journal.flush)
    assert len(commits) == 1
    assert read_journal(path).is_over


async def test_a_journal_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    for count in range(1, len(EVENTS)):
        path.unlink(missing_ok=True)
        known = without_moves(EVENTS[:count])
        await write(path, *EVENTS[:count])
        journal, state = Journal.resume(path)
        with journal:
            assert vars(state) == vars(state_after(known))
            if not any(event in EVENTS[:count] for event in EVENTS[4:]):
                # No game is running, so the next event is valid.
                for event in EVENTS[count:]:
                    journal.append(event)
                await journal.flush()
                assert vars(read_journal(path)) == vars(state_after(EVENTS))


async def test_only_one_program_has_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    with Journal.create(path) as journal:
        journal.append(EVENTS[0])
        await journal.flush()
        holder = rf"is being played by another program \(process {os.getpid()} on"
        with pytest.raises(JournalError, match=holder):
            Journal.resume(path)
        code = "import pathlib, sys; from quoridor_net.tournament import Journal"
        code += "; Journal.resume(pathlib.Path(sys.argv[1]))"
        command = [sys.executable, "-c", code, str(path)]
        other = await trio.run_process(command, check=False, capture_stderr=True)
        assert b"is being played by another program" in other.stderr
    journal, _ = Journal.resume(path)
    journal.close()


async def test_a_program_that_was_killed_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    await write(path, EVENTS[0])
    code = """if True:
        import os, pathlib, signal, sys
        from quoridor_net.tournament import Journal
        held = Journal.resume(pathlib.Path(sys.argv[1]))
        os.kill(os.getpid(), signal.SIGKILL)
    """
    killed = await trio.run_process([sys.executable, "-c", code, str(path)], check=False)
    assert killed.returncode == -9
    journal, state = Journal.resume(path)
    with journal:
        assert state.entrants == NAMES
    assert files_in(tmp_path) == ["event.db"]


async def test_journals_created_at_once_have_different_names(tmp_path: Path) -> None:
    path = tmp_path / "clobber-20260315-140210.db"
    journals = [Journal.create_beside(path) for _ in range(3)]
    names = [journal.path.name for journal in journals]
    for journal in journals:
        journal.close()
    stem = "clobber-20260315-140210"
    assert names == [f"{stem}.db", f"{stem}-2.db", f"{stem}-3.db"]
    with pytest.raises(JournalError, match=r"event\.db cannot be opened: check that the folder exists"):
        Journal.create_beside(tmp_path / "nowhere" / "event.db")


async def test_a_name_that_another_program_is_about_to_use_is_left_to_it(tmp_path: Path) -> None:
    path = tmp_path / "clobber.db"
    other = ManagerLock.take(path)
    with Journal.create_beside(path) as journal:
        assert journal.path.name == "clobber-2.db"
    other.release()


def test_taking_a_lock_is_retried_when_it_is_released_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = ManagerLock.take(tmp_path / "event.db")
    connect = sqlite3.connect

    class Late(sqlite3.Connection):
        """Keep the file open while it is removed."""

        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            if statement == "BEGIN IMMEDIATE":
                monkeypatch.setattr("sqlite3.connect", connect)
                before.release()
            return super().execute(statement, *values)

    monkeypatch.setattr("sqlite3.connect", partial(connect, factory=Late))
    lock = ManagerLock.take(tmp_path / "event.db")
    with pytest.raises(HeldError):
        ManagerLock.take(tmp_path / "event.db")
    lock.release()


def test_programs_that_compete_for_a_lock_only_see_that_it_is_held(tmp_path: Path) -> None:
    inside: list[int] = []

    def take_and_release(taker: int) -> None:
        for _ in range(10):
            lock = None
            while lock is None:
                with suppress(HeldError):
                    lock = ManagerLock.take(tmp_path / "event.db")
            inside.append(taker)
            assert inside == [taker]
            inside.clear()
            lock.release()

    with ThreadPoolExecutor(4) as executor:
        assert list(executor.map(take_and_release, range(4))) == [None] * 4


async def test_a_full_disk_is_reported_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    with Journal.create(path) as journal:
        for event in EVENTS[:4]:
            journal.append(event)
        await journal.flush()
        pages = journal._connection.execute("PRAGMA page_count").fetchone()[0]
        journal._connection.execute(f"PRAGMA max_page_count = {pages}")
        long = Result(1, Termination.GOAL, "ann wins. " * 9999, 1)
        journal.append(GameEvent(1, GameEnded(long, NAMES, Position())))
        with pytest.raises(JournalError, match="cannot be written: the disk is full"):
            await journal.flush()
        assert read_journal(path).decided == {}
        journal._connection.execute("PRAGMA max_page_count = 1073741823")
        await journal.flush()
    assert read_journal(path).decided == {1: long}


async def test_transcripts_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    with Journal.create(path) as journal:
        for event in EVENTS[:3]:
            journal.append(event)
        journal.keep_transcript(1, 2, "first")
        journal.keep_transcript(1, 2, "again")
        await journal.flush()
    assert rows(path, "SELECT game, seat, text FROM transcripts") == [(1, 2, "again")]


@pytest.mark.parametrize(
    "leave",
    [
        lambda path: path.touch(),
        # A program killed before its first event leaves such a file.
        lambda path: _kill_after(path, "Journal.create(path)"),
        lambda path: _kill_after(path, "connect(path, is_new=True)"),
    ],
)
async def test_a_journal_without_events_is_reused(leave: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    leave(path)
    assert path.exists()
    with pytest.raises(JournalError, match=r"contains no tournament, .*: start it again"):
        Journal.resume(path)
    await write(path, *EVENTS)
    assert read_journal(path).is_over
    assert files_in(tmp_path) == ["event.db"]
    with pytest.raises(JournalError, match="exists: resume it"):
        Journal.create(path)


def _kill_after(path: Path, statement: str) -> None:
    code = f"""if True:
        import os, pathlib, signal, sys
        from quoridor_net.tournament.journal import Journal
        from quoridor_net.tournament.journal.reading import connect
        path = pathlib.Path(sys.argv[1])
        held = {statement}
        os.kill(os.getpid(), signal.SIGKILL)
    """
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == -9


def test_an_empty_journal_is_removed(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "event.db"):
        assert files_in(tmp_path)
    assert files_in(tmp_path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit to the size of files")
@pytest.mark.parametrize("limit", [0, 100, 4096, 8192, 30_000])
def test_a_start_that_fails_leaves_nothing(limit: int, tmp_path: Path) -> None:
    code = """if True:
        import pathlib, resource, signal, sys
        from quoridor_net.tournament.journal import Journal, JournalError
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
        try:
            Journal.create(pathlib.Path(sys.argv[1]))
        except JournalError as error:
            print(error)
    """
    words = [sys.executable, "-c", code, str(tmp_path / "event.db"), str(limit)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "event.db cannot be" in done.stdout, done.stderr
    assert files_in(tmp_path) == []


@pytest.mark.parametrize("content", [b"x", b"garbage" * 999])
def test_other_files_are_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    path.write_bytes(content)
    with pytest.raises(JournalError, match="exists: resume it"):
        Journal.create(path)
    assert path.read_bytes() == content
    assert files_in(tmp_path) == ["event.db"]


async def test_a_machine_without_threads_still_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_thread(*_arguments: object, **_options: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(trio.to_thread, "run_sync", no_thread)
    path = tmp_path / "a.db"
    await write(path, EVENTS[0])
    assert rows(path, "SELECT count(*) FROM events") == [(1,)]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps open files")
@pytest.mark.parametrize("is_replaced", [False, True])
async def test_a_removed_journal_is_noticed(tmp_path: Path, *, is_replaced: bool) -> None:
    path = tmp_path / "a.db"
    with Journal.create(path) as journal:
        journal.append(EVENTS[0])
        await journal.flush()
        path.rename(tmp_path / "b.db")
        if is_replaced:
            path.write_text("another one", encoding="utf-8")
        journal.append(EVENTS[1])
        sentence = "a.db was removed or replaced while the tournament was played"
        for call in (journal.flush, journal.requests):
            with pytest.raises(GoneError, match=sentence):
                await call()
    assert path.exists() == is_replaced
