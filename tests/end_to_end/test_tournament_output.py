"""A tournament is played to its end even if its output cannot be written."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE
from tests.support.tournament_program import read_document, start_tournament, wait_until

if sys.platform == "win32":
    pytest.skip("needs pseudo-terminals", allow_module_level=True)

import fcntl
import pty

STOP, GO_ON = b"\x13", b"\x11"  # Ctrl-S and Ctrl-Q

#: Enough games that their results fill a small pipe, and their moves a terminal.
GAMES = 60
WORDS = ("simple", "random", "--games", GAMES, "--size", "5", "--seed", "1")
PIPE = 4096


@contextmanager
def terminal() -> Iterator[tuple[int, int]]:
    """Yield both ends of a pseudo-terminal: the person's and the program's."""
    person, program = pty.openpty()
    try:
        yield person, program
    finally:
        os.close(person)


def read_all(descriptor: int) -> bytes:
    """Return the whole output of the program."""
    data = b""
    while True:
        try:
            chunk = os.read(descriptor, 65536)
        except OSError:
            # The error on Linux when no process has the other end of the terminal open.
            return data
        if not chunk:
            return data
        data += chunk


@pytest.mark.parametrize(("keys", "options"), [(STOP, ()), (b"", ("--json",))])
def test_a_hung_terminal_stops_no_game(tmp_path: Path, keys: bytes, options: tuple[str, ...]) -> None:
    path = tmp_path / "a.db"
    with terminal() as (person, program):
        os.write(person, keys)
        words = ("run", path, *WORDS, *options)
        with start_tournament(*words, stdin=program, stdout=program, stderr=program) as process:
            os.close(program)
            wait_until(path, process, lambda state: state.is_over)
            os.write(person, GO_ON)
            assert b"random" in read_all(person)
            assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_full_pipe_stops_no_game(tmp_path: Path, options: tuple[str, ...]) -> None:
    path = tmp_path / "a.db"
    reading, writing = os.pipe()
    if sys.platform == "linux":
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, PIPE)
    with start_tournament("run", path, *WORDS, *options, stdout=writing, stderr=writing) as process:
        os.close(writing)
        wait_until(path, process, lambda state: state.is_over)
        # A late reader misses nothing.
        lines = read_all(reading).decode().splitlines()
        assert process.wait(PATIENCE) == 0
    os.close(reading)
    if options:
        kinds = [json.loads(line)["event"] for line in lines]
        assert (kinds[0], kinds[-1]) == ("tournament_started", "tournament_ended")
        assert kinds.count("game_ended") == GAMES
    else:
        assert sum(line.startswith("game ") for line in lines) == 2 * GAMES


def test_a_full_disk_for_the_output_stops_no_game(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with (
        Path("/dev/full").open("w") as full,
        start_tournament("run", path, "simple", "random", stdout=full) as process,
    ):
        _, error = process.communicate(timeout=PATIENCE)
    assert (process.returncode, error) == (
        0,
        "Error: cannot write the output: No space left on device. The game continues without it.\n",
    )
    assert read_document(path)["finished"]


def test_a_closed_pipe_stops_no_game(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    reading, writing = os.pipe()
    os.close(reading)
    with start_tournament("run", path, "simple", "random", stdout=writing) as process:
        os.close(writing)
        _, error = process.communicate(timeout=PATIENCE)
    assert (process.returncode, error) == (0, "")
    assert read_document(path)["finished"]
