"""Every door that reads a text file: the same files are read, and the others refused in the same words."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
from click.testing import CliRunner

from quoridor_net.cli.main import main
from quoridor_net.protocols.athens import AthensGame
from quoridor_net.protocols.athens.commands import CommandError
from quoridor_net.replay import ReplayError, read
from quoridor_net.text_file import (
    TextFileError,
    decode,
    read_text,
    reason_for,
    standard_input,
    unify_line_ends,
)
from server.athens.recording import load_game

#: Words of commands around the name of a file, the exit status for bad contents, and good contents.
RUN = ("tournament", "run", "nothing.db", "simple", "random", "--dry-run")
ENGINES = ("--white", sys.executable, "--black", sys.executable)
GAME = "P 1 E2\nP 2 E8\n"
COMMANDS: dict[str, tuple[tuple[str, ...], int, str]] = {
    "replay check": (("replay", "check", "--partial", "FILE"), 1, GAME),
    "replay info": (("replay", "info", "FILE"), 1, GAME),
    "replay convert": (("replay", "convert", "--to", "standard", "--partial", "FILE"), 1, GAME),
    "replay show": (("replay", "show", "FILE"), 1, GAME),
    "analyze": (("analyze", "FILE"), 1, ""),
    "check replay": (("check", "replay", "--partial", "--json", "FILE"), 1, GAME),
    "tournament run --openings": ((*RUN, "--openings", "FILE"), 2, "e2 e8\n# another\ne2 d9\n"),
    "tournament run --config": ((*RUN, "--config", "FILE"), 2, 'format = "swiss"\nrounds = 1\n'),
    "referee --openings": (("referee", *ENGINES, "--openings", "FILE"), 2, ""),
}


def outcome_of(door: str, file: str, data: bytes | None = None) -> tuple[int, str]:
    """Return the exit status of a command and its output; ``data`` is its standard input."""
    words = [file if word == "FILE" else word for word in COMMANDS[door][0]]
    done = CliRunner().invoke(main, words, input=data)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def load(file: str) -> str:
    """Return an Athens engine's message about the file of ``loadgame``."""
    with pytest.raises(CommandError) as caught:
        trio.run(load_game, AthensGame(), file)
    return str(caught.value)


def read_as_library(file: str) -> str:
    with pytest.raises((OSError, ReplayError)) as caught:
        read(file)
    error = caught.value
    return reason_for(error) if isinstance(error, OSError) else str(error)


#: All readers of files such as :data:`REFUSED`; each returns its message about the file.
DOORS: dict[str, Callable[[str], str]] = {
    **{door: lambda file, door=door: outcome_of(door, file)[1] for door in COMMANDS},  # type: ignore[misc]
    "loadgame": load,
    "replay.read": read_as_library,
}

LATIN_1 = "the file is not UTF-8, but probably Latin-1 or Windows-1252: save it as UTF-8"
UTF_16 = "the file is encoded in UTF-16: save it as UTF-8"
REFUSED = {
    "UTF-16": ("e2 e8\n".encode("utf-16"), 1, 1, UTF_16),
    "UTF-16 without a mark": ("e2 e8\n".encode("utf-16-be"), 1, 1, UTF_16),
    "Latin-1": ("# one\r\n# J\xfcrgen\n".encode("latin-1"), 2, 4, LATIN_1),
    "no text": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 1, 1, "the file is not text (UTF-8)"),
}


@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.parametrize("door", DOORS)
def test_every_door_refuses_other_encodings_in_the_same_words(door: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    data, line, column, sentence = REFUSED[kind]
    path.write_bytes(data)
    said = DOORS[door](str(path))
    assert sentence in said
    place = f"{path}:{line}:{column}" if door in COMMANDS else f"line {line}, column {column}"
    assert f"{place}: {sentence}" in said
    if door in COMMANDS:
        assert outcome_of(door, str(path))[0] == COMMANDS[door][1]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no endless device")
@pytest.mark.parametrize("door", DOORS)
def test_no_door_reads_an_endless_file_to_its_end(door: str) -> None:
    assert re.search(r"the file is too large: more than (64 MiB|4 MiB|256 KiB)", DOORS[door]("/dev/zero"))


@pytest.mark.parametrize("door", DOORS)
def test_every_door_reports_missing_files_and_folders(door: str, tmp_path: Path) -> None:
    for path, reason in (
        (tmp_path / "nothing", "no such file"),
        (tmp_path, "it is a folder, not a file"),
    ):
        said = DOORS[door](str(path))
        assert reason in said
        if door in COMMANDS:
            assert f"{path}: the file cannot be read: {reason}" in said
            # Only checks continue with the next file.
            status = 1 if door in {"replay check", "check replay"} else 2
            assert outcome_of(door, str(path))[0] == status


@pytest.mark.parametrize("door", [door for door, (_, _, good) in COMMANDS.items() if good])
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda text: text, id="LF"),
        pytest.param(lambda text: text.replace("\n", "\r\n"), id="CR LF"),
        pytest.param(lambda text: text.replace("\n", "\r"), id="CR"),
        pytest.param(lambda text: "\ufeff" + text, id="byte order mark"),
    ],
)
def test_every_door_reads_marks_and_line_ends(
    door: str, change: Callable[[str], str], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The checks are by the letter of the document: a line ends with LF or CR LF."""
    path = tmp_path / "file"
    path.write_bytes(change(COMMANDS[door][2]).encode())
    status, output = outcome_of(door, str(path))
    is_lone_return = request.node.callspec.id.startswith("CR-")
    if is_lone_return and door in {"replay check", "check replay"}:
        assert (status, "a carriage return inside a line" in output) == (1, True)
    else:
        assert status == 0, output


@pytest.mark.parametrize("door", [door for door in COMMANDS if door.startswith(("replay", "check"))])
def test_a_dash_is_standard_input(door: str) -> None:
    assert outcome_of(door, "-", GAME.encode())[0] == 0
    data, line, column, sentence = REFUSED["Latin-1"]
    status, output = outcome_of(door, "-", data)
    assert (status, f"<stdin>:{line}:{column}: {sentence}" in output) == (1, True)


def test_a_closed_standard_input_is_an_error_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(OSError, match="it is closed"):
        standard_input()


def test_a_pipe_is_read_as_shells_make_them_of_commands(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"\xef\xbb\xbfe2 e8\r\n")
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert read_text(pipe, 100) == "e2 e8\r\n"


def test_a_file_may_be_as_long_as_its_limit() -> None:
    assert decode(b"x" * 1024, 1024) == "x" * 1024
    with pytest.raises(TextFileError, match="line 1, column 1: the file is too large: more than 1 KiB"):
        decode(b"x" * 1025, 1024)
    with pytest.raises(TextFileError, match="more than 1 MiB"):
        decode(b"x" * ((1 << 20) + 1), 1 << 20)


def test_only_bytes_are_decoded() -> None:
    with pytest.raises(TypeError, match="the contents of a file must be bytes, not 'e2 e8'"):
        decode("e2 e8", 100)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "guess"),
    [
        # Mostly ASCII.
        (b"ab\xe9", "probably Latin-1"),
        (b"a\xe9", "is not text"),
        (b"a\x80", "is not text"),
        (b"\0a\0b", "UTF-16"),
        (b"a\0b\0", "UTF-16"),
    ],
)
def test_the_encoding_of_a_file_is_guessed(data: bytes, guess: str) -> None:
    with pytest.raises(TextFileError, match=guess):
        decode(data, 100)


def test_two_bytes_are_too_few_for_a_guess() -> None:
    assert decode(b"\0a", 100) == "\0a"


def test_folders_have_a_reason_of_their_own_on_every_system(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    # Windows denies the permission to open a folder.
    denied = errno.EACCES, "Permission denied"
    assert reason_for(PermissionError(*denied, str(tmp_path))) == "it is a folder, not a file"
    for error in (PermissionError(*denied, str(file)), PermissionError(*denied)):
        assert reason_for(error) == "Permission denied"
    assert reason_for(OSError(errno.EIO, "Input/output error", str(tmp_path))) == "Input/output error"
    assert reason_for(OSError("it is closed")) == "it is closed"


def test_all_line_ends_become_one() -> None:
    assert unify_line_ends("a\r\nb\rc\nd\u2028e\r\r\n") == "a\nb\nc\nd\u2028e\n\n"
