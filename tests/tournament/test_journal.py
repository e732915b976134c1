"""The journal holds everything, survives a crash at any byte, and is refused when it is damaged."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from quoridor_net.match import MoveRequested, TurnPassed
from quoridor_net.outcome import Result, Termination
from quoridor_net.tournament import (
    Event,
    GameEvent,
    Journal,
    JournalError,
    StateError,
    TournamentEnded,
    TournamentResumed,
    TournamentStarted,
    read_journal,
    round_robin,
)
from tests.support.tournament_events import ended, moved, sealed, started, state_after

OPENED = TournamentStarted(
    "clobber", ("ann", "bob"), round_robin(2, 2), {"board": "10x10", "move_time": 30.0}
)
WON = Result(1, Termination.NO_MOVES, "ann wins: bob has no move.", 1)
FORFEIT = Result(2, Termination.UNPARSABLE_MOVE, "ann wins: bob sent “é”.", 0, "\\xe9")
EVENTS: tuple[Event, ...] = (
    OPENED,
    started(1),
    moved(1),
    ended(1, WON),
    started(2),
    TournamentResumed(),
    started(2),
    ended(2, FORFEIT),
    TournamentEnded(),
)


def write(path: Path, *events: Event) -> None:
    with Journal.create(path) as journal:
        for event in events:
            journal.append(event)


def test_everything_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(path, *EVENTS)
    state = read_journal(path)
    assert state.plan == OPENED
    assert state.decided == {1: WON, 2: FORFEIT}
    assert state.is_over
    assert state.pending == ()


def test_lines_are_json_with_a_time_and_there_at_once(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal.create(path) as journal:
        for count, event in enumerate(EVENTS, 1):
            journal.append(event)
            lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            assert len(lines) == count
    assert all(line["time"].endswith("+00:00") for line in lines)
    assert lines[0]["entrants"] == ["ann", "bob"]
    assert lines[0]["pairings"] == [[1, 1, 2], [2, 2, 1]]
    assert list(lines[2]) == [
        *("event", "time", "game", "player", "move", "ply", "seconds", "position", "crc32")
    ]
    assert lines[0]["version"] == 3


def test_requests_for_a_move_are_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(path, *EVENTS[:2], GameEvent(1, MoveRequested(1, 0)), GameEvent(1, TurnPassed(2)), *EVENTS[2:])
    kinds = [json.loads(line)["event"] for line in path.read_bytes().splitlines()]
    assert kinds[:4] == ["tournament_started", "game_started", "turn_passed", "move_made"]
    assert read_journal(path).is_over


def test_a_crash_at_any_byte_loses_one_line_at_most(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(path, *EVENTS)
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for length in range(first, len(whole)):
        path.write_bytes(whole[:length])
        journal, state = Journal.resume(path)
        with journal:
            # A line that lacks only its line feed is whole.
            survived = whole[: length + 1].count(b"\n")
            assert path.read_bytes() == b"".join(whole.splitlines(keepends=True)[:survived])
            assert state.decided == state_after(EVENTS[:survived]).decided
            if not state.is_over:
                journal.append(TournamentResumed())
        assert len(read_journal(path).pending) == len(state.pending)


def test_games_that_were_going_on_are_pending() -> None:
    state = state_after(EVENTS[:5])
    assert state.running == {2: 0}
    assert [pairing.number for pairing in state.pending] == [2]
    state.apply(TournamentResumed())
    assert state.running == {}


def test_a_game_can_end_before_it_starts() -> None:
    state = state_after((OPENED, ended(1, FORFEIT)))
    assert state.decided == {1: FORFEIT}
    assert state.running == {}


def test_games_are_counted_from_1() -> None:
    with pytest.raises(StateError, match="there is no game 0"):
        state_after((OPENED, started(0)))


def test_a_void_game_stays_pending_and_keeps_no_tournament_open() -> None:
    void = Result(None, Termination.ABORTED, "The game was aborted.", 0)
    state = state_after((OPENED, started(1), ended(1, void)))
    assert len(state.pending) == 2
    with pytest.raises(StateError, match="games without a result"):
        state.apply(TournamentEnded())
    for event in (started(2), ended(2, FORFEIT), TournamentEnded()):
        state.apply(event)
    assert state.is_over


@pytest.mark.parametrize(
    "events",
    [
        (started(1),),
        (OPENED, OPENED),
        (OPENED, started(3)),
        (OPENED, started(1), ended(1, WON), ended(1, WON)),
        (ended(1, WON),),
        (OPENED, ended(3, WON)),
        (OPENED, moved(1)),
        (OPENED, started(1), ended(1, WON), started(1)),
        (OPENED, started(1), moved(1, ply=2)),
        (OPENED, started(1), moved(1, player=3)),
        (OPENED, started(1), ended(1, Result(3, Termination.GOAL, "Who?", 0))),
        (OPENED, TournamentEnded()),
        (OPENED, started(1), ended(1, WON), TournamentEnded()),
        (*EVENTS, started(1)),
        (*EVENTS, TournamentResumed()),
    ],
)
def test_events_that_contradict_each_other(events: tuple[Event, ...], tmp_path: Path) -> None:
    with pytest.raises(StateError):
        state_after(events)
    path = tmp_path / "journal.jsonl"
    write(path, *events)
    with pytest.raises(JournalError, match=f"line {len(events)} contradicts"):
        read_journal(path)


def test_no_flipped_bit_changes_anything_silently(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(path, *EVENTS)
    whole, state = path.read_bytes(), state_after(EVENTS)
    unnoticed = []
    for bit in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        try:
            read = read_journal(path)
        except JournalError:
            continue
        assert vars(read) == vars(state)
        unnoticed.append(bit)
    assert not unnoticed


def records(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a journal of all events as objects."""
    write(path, *EVENTS)
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_a_line_without_a_checksum(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write(path, *EVENTS[:2])
    with path.open("ab") as file:
        file.write(b'{"event": "tournament_resumed", "time": ""}\n')
    with pytest.raises(JournalError, match=r"line 3 is damaged.*it has no checksum"):
        read_journal(path)


@pytest.mark.parametrize("version", [1, 2])
def test_journals_of_the_first_versions_are_refused(version: int, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    old = {"event": "opened", "time": "", "format": version, "game": "clobber", "entrants": ["ann", "bob"]}
    path.write_bytes(sealed(old) if version == 2 else json.dumps(old).encode() + b"\n")
    with pytest.raises(JournalError) as error:
        Journal.resume(path)
    assert str(error.value) == (
        f"{path} is a journal of version {version}, and this program reads version 3:"
        " use the program that wrote it"
    )


def test_unknown_values_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lines = [sealed(record | {"spectators": 3}) for record in records(tmp_path / "first.jsonl")]
    path.write_bytes(b"".join(lines))
    assert read_journal(path).decided == {1: WON, 2: FORFEIT}


@pytest.mark.parametrize(
    ("number", "changes", "reason"),
    [
        (0, {"version": 99}, "is a journal of version 99, and this program reads version 3"),
        (0, {"version": True}, "version is missing, out of range or not a whole number"),
        (0, {"entrants": ["ann"]}, "entrants names fewer than two"),
        (0, {"entrants": ["ann", "ann"]}, "or one twice"),
        (0, {"entrants": ["ann", ""]}, "a name in entrants is empty or cannot be shown"),
        (0, {"entrants": ["ann", "\x1b[2J"]}, "a name in entrants is empty or cannot be shown"),
        (0, {"entrants": ["ann", "b\u202eob"]}, "a name in entrants is empty or cannot be shown"),
        (0, {"entrants": ["ann", ["bob"]]}, "a name in entrants is empty or cannot be shown"),
        (0, {"entrants": "ann"}, "entrants is missing or not a list"),
        (0, {"pairings": []}, "pairings is empty"),
        (0, {"pairings": [[]]}, "game 1 in pairings is not a round and at least two entrants"),
        (0, {"pairings": [[1, 1]]}, "game 1 in pairings is not a round and at least two entrants"),
        (0, {"pairings": [[1, 1, 1]]}, "game 1 in pairings is not between entrants"),
        (0, {"pairings": [[1, 1, 2], [1, 3, 1]]}, "game 2 in pairings is not between entrants"),
        (0, {"pairings": [[1, 1, True]]}, "game 1 in pairings is not a round"),
        (0, {"pairings": [[0, 1, 2]]}, "game 1 in pairings is not a round"),
        (0, {"rules": 1}, "rules is missing or not text"),
        (0, {"settings": []}, "settings is missing or not a JSON object"),
        (0, {"settings": {"columns": [10]}}, "a setting is neither text, number"),
        (0, {"settings": {"move_time": float("inf")}}, "Infinity is not a number"),
        (1, {"game": "1"}, "game is missing, out of range or not a whole number"),
        (1, {"game": 10**4000}, "game is missing, out of range"),
        (1, {"event": 3}, "event is missing or not text"),
        (2, {"seconds": float("nan")}, "NaN is not a number"),
        (2, {"player": None}, "player is missing, out of range"),
        (3, {"winner": 0}, "winner is missing, out of range"),
        (3, {"winner": True}, "winner is missing, out of range"),
        (3, {"winner": float("-inf")}, "-Infinity is not a number"),
        (3, {"termination": "boredom"}, "the termination 'boredom' is unknown"),
        (3, {"termination": []}, "termination is missing or not text"),
        (3, {"plies": 1.5}, "plies is missing, out of range or not a whole number"),
        (3, {"line": None}, "line is missing or not text"),
        (3, {"event": "exploded"}, "the event 'exploded' is unknown"),
    ],
)
def test_values_that_cannot_be(number: int, changes: dict[str, Any], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lines = records(tmp_path / "first.jsonl")
    lines[number] |= changes
    path.write_bytes(b"".join(map(sealed, lines[: number + 1])))
    with pytest.raises(JournalError) as error:
        read_journal(path)
    assert reason in str(error.value)
    assert len(str(error.value)) < 300
    if "version 99" not in reason:
        assert f"line {number + 1} is damaged" in str(error.value)


def test_a_result_needs_its_winner(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lines = records(tmp_path / "first.jsonl")
    del lines[3]["winner"]
    path.write_bytes(b"".join(map(sealed, lines)))
    with pytest.raises(JournalError, match=r"line 4 is damaged.*winner is missing"):
        read_journal(path)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"garbage", "it is not JSON"),
        (b"", "it is not JSON"),
        (b"[]", "it is not a JSON object"),
        (b"{}", "it has no checksum"),
        (b'{"event": "game_started", "time": "", "game": 1, "game": 2}', "a name occurs twice"),
        (b'{"event": "game_started", "time": "", "game": 1' + b"0" * 5000 + b"}", "it is not JSON"),
        (b"\xff", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
    ],
)
def test_a_damaged_line_is_named(line: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    whole = b"".join(map(sealed, records(tmp_path / "first.jsonl")[:3]))
    for more in (b"", sealed({"event": "tournament_ended", "time": ""})):
        path.write_bytes(whole + line + b"\n" + more)
        with pytest.raises(JournalError, match="line 4 is damaged") as error:
            read_journal(path)
        assert reason in str(error.value)


class Stingy(io.FileIO):
    """A file on a disk that takes a few bytes at a time."""

    def write(self, data: Any) -> int:
        return super().write(bytes(data)[:7])


def test_a_line_that_is_written_in_parts_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "open", lambda path, mode, buffering=-1: Stingy(path, mode))  # noqa: ARG005
    path = tmp_path / "journal.jsonl"
    write(path, *EVENTS)
    assert read_journal(path).is_over


def test_what_decides_is_forced_onto_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.jsonl"
    synced: list[int] = []
    # What is on the disk by then, in lines.
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(path.read_bytes().count(b"\n")))
    write(path, *EVENTS)
    # The start, two results and the end.
    assert synced == [1, 4, 8, 9]


def test_journals_that_begin_together_have_names_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "clobber-20260315-140210.jsonl"
    journals = [Journal.create_beside(path) for _ in range(3)]
    for journal in journals:
        journal.close()
    assert [journal.path.name for journal in journals] == [
        "clobber-20260315-140210.jsonl",
        "clobber-20260315-140210-2.jsonl",
        "clobber-20260315-140210-3.jsonl",
    ]
    with pytest.raises(JournalError, match="cannot be written: No such file"):
        Journal.create_beside(tmp_path / "nowhere" / "journal.jsonl")


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with pytest.raises(JournalError, match="cannot be read: No such file"):
        Journal.resume(path)
    path.write_bytes(b"")
    with pytest.raises(JournalError, match="holds no tournament"):
        Journal.resume(path)
    with pytest.raises(JournalError, match="exists: continue it with --resume"):
        Journal.create(path)
    with pytest.raises(JournalError, match="cannot be written"):
        Journal.create(tmp_path / "nowhere" / "journal.jsonl")
