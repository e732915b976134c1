"""A changed byte of a journal is reported or harmless; no command shows partial results."""

from __future__ import annotations

import random
import struct
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from quoridor_net.cli.main import main
from quoridor_net.replay import RecordFormat, format_game
from quoridor_net.tournament.journal import Journal, JournalError, read_journal
from quoridor_net.tournament.quoridor.archive import GameError, read_games, verify
from quoridor_net.tournament.quoridor.plan import Plan, format_of
from quoridor_net.tournament.results import Results

PAGE = 4096


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A finished tournament."""
    path = tmp_path_factory.mktemp("damage") / "a.db"
    words = ["run", str(path), "simple", "random", "random", "--seed", "3", "--size", "5", "--quiet"]
    result = CliRunner().invoke(main, ["tournament", *words])
    assert result.exit_code == 0, result.output
    return path.read_bytes()


def show_journal(path: Path) -> object:
    """Return the output of ``show``."""
    state = read_journal(path)
    return Results.of(state, format_of(state)).document()


def extract_replays(path: Path) -> object:
    """Return the output of ``games``."""
    state = read_journal(path)
    plan = Plan.of(state.settings)
    return [format_game(game.replay(plan), RecordFormat.REPLAY) for game in read_games(path, state)]


def resume_tournament(path: Path) -> object:
    """Return the results that a resumed tournament starts from."""
    journal, state = Journal.resume(path)
    journal.close()
    return Results.of(state, format_of(state)).document()


def outcome(read: Callable[[Path], object], data: bytes, path: Path) -> object:
    """Return the result of reading a file with these contents; None if it is refused in one line."""
    for name in path.parent.glob(f"{path.name}*"):
        name.unlink()
    path.write_bytes(data)
    try:
        return read(path)
    except (JournalError, GameError) as error:
        reason = str(error)
    assert reason
    assert reason.isprintable()
    return None


def structure(data: bytes) -> Iterator[int]:
    """Yield the offsets of SQLite's structural bytes: headers of pages and rows."""
    for start in range(0, len(data), PAGE):
        header = start + (100 if start == 0 else 0)
        rows, content = struct.unpack_from(">HH", data, header + 3)
        yield from range(header, header + 8 + 2 * min(rows, 8))
        yield from range(start + content, min(start + content + 8, start + PAGE))


def damage_copies(data: bytes, count: int) -> Iterator[bytes]:
    """Yield this many copies with one changed byte, a structural one in every second copy."""
    chance = random.Random(1)
    sensitive = sorted(set(structure(data)))
    for number in range(count):
        place = chance.choice(sensitive) if number % 2 else chance.randrange(len(data))
        byte = data[place]
        value = chance.choice([byte ^ 1, byte ^ 1 << chance.randrange(8), byte - 1, 0, 255]) % 256
        yield data[:place] + bytes([value]) + data[place + 1 :]


def check(whole: bytes, path: Path, count: int) -> None:
    """Damage ``whole`` this many times."""
    expected = {
        read: outcome(read, whole, path) for read in (show_journal, extract_replays, resume_tournament)
    }
    assert None not in expected.values()
    assert outcome(verify, whole, path) == []
    noticed = Counter[str]()
    for data in damage_copies(whole, count):
        for read, right in expected.items():
            found = outcome(read, data, path)
            assert found in (None, right)
            noticed[read.__name__] += found is None
        noticed["verify"] += outcome(verify, data, path) != []
    # Otherwise no copy was damaged.
    assert noticed["verify"] > noticed["extract_replays"] > noticed["show_journal"] > count // 20


def test_a_changed_byte_is_reported_or_harmless(whole: bytes, tmp_path: Path) -> None:
    check(whole, tmp_path / "a.db", 120)


@pytest.mark.slow
def test_many_changed_bytes_are_reported_or_harmless(whole: bytes, tmp_path: Path) -> None:
    check(whole, tmp_path / "a.db", 6000)


def test_a_missing_end_is_reported(whole: bytes, tmp_path: Path) -> None:
    for length in (*range(0, len(whole), 4999), *range(PAGE, len(whole), PAGE)):
        for read in (show_journal, extract_replays, resume_tournament, verify):
            assert outcome(read, whole[:length], tmp_path / "a.db") is None
