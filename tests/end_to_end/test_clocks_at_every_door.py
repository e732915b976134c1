"""Every command that referees games enforces the same time limits with the same verdicts."""

from __future__ import annotations

import json
import re
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from quoridor_net.cli.main import main
from tests.support.engine_programs import sloppy_command
from tests.support.patience import PATIENCE

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(sys.platform == "win32", reason="engine programs do not run on Windows"),
]

#: The doors; SILENT is an engine that never answers genmove, MUTE a move server that never moves.
DOORS = {
    "referee": ["referee", "--black", "SILENT", "--white", "SILENT", "--size", "3", "--no-seed"],
    "tournament run": ["tournament", "run", "FILE", "qtp:SILENT", "simple", "--size", "3", "--games", "1"],
    "play": ["play", "qtp:SILENT", "simple", "--size", "3"],
    "display": ["display", "MUTE", "MUTE"],
}

LIMITS = {
    "--clock 0.3": "used up its clock of 0.3 s",
    "--clock 0.3+0.2": "used up its clock of 0.3+0.2 s",
    "--clock 60 --move-time 0.3": "did not answer within 0.3 s",
    "--clock 60+1 --move-time 60 --first-move-time 0.3": "did not make its first move within 0.3 s",
}


def serve_one(listener: socket.socket) -> None:
    """Greet a display client, and then never move."""
    with suppress(OSError):
        peer, _ = listener.accept()
        with peer:
            peer.recv(100)
            peer.sendall(b"IAM mut:bot\n")
            while peer.recv(4096):
                pass


@contextmanager
def mute_server() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve_one, args=(listener,))
        thread.start()
        try:
            yield f"127.0.0.1:{listener.getsockname()[1]}"
        finally:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            thread.join(PATIENCE)


def run(words: list[str], folder: Path) -> str:
    silent = sloppy_command("hangs")
    with ExitStack() as stack:
        values = {"SILENT": silent, "qtp:SILENT": f"qtp:{silent}", "FILE": str(folder / "t.db")}
        made = [
            stack.enter_context(mute_server()) if word == "MUTE" else values.get(word, word) for word in words
        ]
        done = CliRunner().invoke(main, made)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.output


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("limits", LIMITS)
def test_doors_agree_on_a_player_that_is_too_slow(limits: str, door: str, tmp_path: Path) -> None:
    printed = run([*DOORS[door], *limits.split()], tmp_path)
    assert re.search(rf" {re.escape(LIMITS[limits])}\. \[too_slow, 0 ", printed) or (
        door == "tournament run" and LIMITS[limits] in printed
    ), printed


def test_a_journal_has_the_clocks_and_the_time_of_each_move(tmp_path: Path) -> None:
    file, saved = str(tmp_path / "t.db"), tmp_path / "games"
    words = ["tournament", "run", file, "simple", "slow=engine:level=1,clock=50+0.5", "--size", "3"]
    limits = ["--clock", "0.3+0.2", "--first-move-time", "60"]
    events = list(map(json.loads, run([*words, *limits, "--json"], tmp_path).splitlines()))
    started = next(event for event in events if event["event"] == "game_started")
    assert (started["clocks"], started["first_move_time"]) == ([[0.3, 0.2], [50.0, 0.5]], 60.0)
    shown = json.loads(run(["tournament", "show", file, "--format", "json"], tmp_path))
    settings = shown["settings"]
    assert (settings["clock"], settings["first_move_time"], settings["move_time"]) == ("0.3+0.2", 60.0, None)
    run(["tournament", "games", file, "--save", str(saved)], tmp_path)
    text = (saved / "game-1.qtp").read_text(encoding="utf-8")
    moves = re.findall(r"^[PW] .*\n# [0-9]+\.[0-9]{3} s$", text, re.MULTILINE)
    assert len(moves) == shown["games"][0]["plies"]
    assert "no faults found" in run(["tournament", "verify", file], tmp_path)
    assert run(["replay", "check", "--extended", str(saved / "game-1.qtp")], tmp_path).count(": correct,")
