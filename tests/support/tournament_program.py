"""``quoridor tournament`` in separate processes, and in this one."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from quoridor_net.cli.main import main
from quoridor_net.tournament import TournamentState
from quoridor_net.tournament.journal import JournalError, read_journal
from tests.support import preloaded
from tests.support.patience import PATIENCE

COMMAND = (sys.executable, "-m", "quoridor_net", "tournament")


@contextmanager
def start_tournament(*words: object, **settings: Any) -> Iterator[subprocess.Popen[str]]:
    """Run a command with readable standard error, and kill it at the end of the context."""
    settings = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE} | settings
    with preloaded.Popen([*COMMAND, *map(str, words)], text=True, **settings) as process:
        try:
            yield process
        finally:
            process.kill()


def finish(*words: object, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return preloaded.run([*COMMAND, *map(str, words)], **settings)


def run_tournament(*words: object) -> Result:
    """Run a command to its end in this process, which saves the time that a process takes to start."""
    return CliRunner().invoke(main, ["tournament", *map(str, words)])


def read_document(path: Path) -> Any:
    """Return the output of ``show`` for a journal."""
    return json.loads(run_tournament("show", path, "--format", "json").stdout)


def read_untimed(path: Path) -> Any:
    """Return the same without the times of moves, which differ between runs."""
    shown = read_document(path)
    for entrant in shown["entrants"]:
        del entrant["average_time"], entrant["longest_time"]
    return shown


def wait_until(
    path: Path, process: subprocess.Popen[str], is_so: Callable[[TournamentState], object]
) -> TournamentState:
    """Wait until ``is_so`` holds for a journal while the program runs, and return its state."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        assert process.poll() is None, process.communicate()
        try:
            state = read_journal(path)
        except JournalError:
            pass
        else:
            if is_so(state):
                return state
        time.sleep(0.05)
    raise AssertionError("the tournament did not get that far in time")


def has_result(state: TournamentState) -> bool:
    """Return whether a game is over and the tournament is not."""
    return bool(state.decided) and not state.is_over
