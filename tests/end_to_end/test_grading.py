"""``quoridor grade`` over real processes: a whole grade, and one that is interrupted."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from quoridor_net.cli.main import main
from tests.examples.programs import HOST, build, run_server
from tests.support import preloaded
from tests.support.patience import PATIENCE

pytestmark = [pytest.mark.end_to_end, pytest.mark.compiled("engine")]

ROOT = Path(__file__).parents[2]
WORDS = ["grade", "server", "--gap", "0", "--json"]
GRADE = [sys.executable, "-m", "quoridor_net", *WORDS]


def without_times(text: str) -> dict[str, Any]:
    """Return the grade in JSON without what differs from run to run."""
    document: dict[str, Any] = json.loads(text)
    del document["time"]
    return document


def test_the_same_seed_gives_the_same_grade() -> None:
    # One server for both, because a server of the command's own would start 40 times for each.
    with run_server(build("move_server.py", ROOT)) as port:
        words = ["--games", "2", f"{HOST}:{port}"]
        done = preloaded.run([*GRADE, *words], cwd=ROOT)
        assert done.returncode == 0, done.stderr
        # In this process, which has loaded the engine.
        again = CliRunner().invoke(main, [*WORDS, *words])
        assert again.exit_code == 0, again.stderr
    grades = [without_times(output) for output in (done.stdout, again.stdout)]
    assert grades[0] == grades[1]
    assert grades[0]["conformance"]["passed"]
    assert grades[0]["ending"] == "games"
    assert len(grades[0]["games"]) == 2
    assert all(game["moves"] for game in grades[0]["games"])


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_an_interruption_leaves_a_partial_grade() -> None:
    with (
        run_server(build("move_server.py", ROOT)) as port,
        preloaded.Popen(
            [*GRADE, f"{HOST}:{port}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
        ) as process,
    ):
        try:
            assert process.stderr is not None
            assert process.stdout is not None
            while "game 1 against" not in (line := process.stderr.readline()):
                assert line, "the grading ended"
            process.send_signal(signal.SIGINT)
            document = json.loads(process.stdout.read())
            process.stderr.read()
            assert process.wait(PATIENCE) == 4
        finally:
            process.kill()
    assert document["partial"]
    assert document["ending"] == "interrupted"
    assert document["games"]
    assert document["conformance"]["passed"]
