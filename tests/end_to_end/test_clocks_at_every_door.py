"""Every command that referees games enforces the same time limits with the same verdicts."""

from __future__ import annotations

import json
import re
import socket
import sys
import threading
from collections.abc import Callable, Iterator
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

#: The doors, with each kind of player that can be slow. SILENT is an engine that never answers genmove,
#: LISTENING one behind a port, MUTE a move server that never moves.
DOORS = {
    "referee": ["referee", "--black", "SILENT", "--white", "SILENT", "--size", "3", "--no-seed"],
    "referee tcp": ["referee", "--black", "LISTENING", "--white", "SILENT", "--size", "3", "--no-seed"],
    "tournament run": ["tournament", "run", "FILE", "qtp:SILENT", "simple", "--size", "3", "--games", "1"],
    "tournament run tcp": ["tournament", "run", "FILE", "LISTENING", "simple", "--size", "3", "--games", "1"],
    "tournament run lan": ["tournament", "run", "FILE", "MUTE", "simple", "--games", "1"],
    "play": ["play", "qtp:SILENT", "simple", "--size", "3"],
    "play tcp": ["play", "LISTENING", "simple", "--size", "3"],
    "play lan": ["play", "MUTE", "simple"],
    "display": ["display", "MUTE", "MUTE"],
}

LIMITS = {
    "--clock 0.3": "used up its clock of 0.3 s",
    "--clock 0.3+0.2": "used up its clock of 0.3+0.2 s",
    "--clock 60 --move-time 0.3": "did not answer within 0.3 s",
    "--clock 60+1 --move-time 60 --first-move-time 0.3": "did not make its first move within 0.3 s",
}


def serve_mutely(peer: socket.socket) -> None:
    """Greet a display client, and then never move."""
    peer.recv(100)
    peer.sendall(b"IAM mut:bot\n")
    while peer.recv(4096):
        pass


def answer_silently(peer: socket.socket) -> None:
    """Answer the commands of the Athens protocol, except for a move."""
    for line in peer.makefile("r", encoding="ascii"):
        command = line.split()[0]
        if command != "genmove":
            peer.sendall(f"= {'mut' if command == 'name' else ''}\n\n".encode())


@contextmanager
def listen(serve: Callable[[socket.socket], None]) -> Iterator[str]:
    """Serve connections one after another, also the one that asks for the name."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            with suppress(OSError):
                while True:
                    peer, _ = listener.accept()
                    with peer, suppress(ConnectionError):
                        serve(peer)

        thread = threading.Thread(target=accept)
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
        made = [values.get(word, word) for word in words]
        for at, word in enumerate(words):
            kind, comma, own = word.partition(",")
            if kind == "MUTE":
                made[at] = stack.enter_context(listen(serve_mutely)) + comma + own
            elif kind == "LISTENING":
                made[at] = f"tcp:{stack.enter_context(listen(answer_silently))}{comma}{own}"
        done = CliRunner().invoke(main, made)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.output


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("limits", LIMITS)
def test_doors_agree_on_a_player_that_is_too_slow(limits: str, door: str, tmp_path: Path) -> None:
    printed = run([*DOORS[door], *limits.split()], tmp_path)
    assert re.search(rf" {re.escape(LIMITS[limits])}\. \[too_slow, 0 ", printed) or (
        door.startswith("tournament run") and LIMITS[limits] in printed
    ), printed


@pytest.mark.parametrize("door", ["tournament run tcp", "tournament run lan", "play tcp", "play lan"])
def test_doors_agree_on_the_own_clock_of_a_player(door: str, tmp_path: Path) -> None:
    words = [f"{word},clock=0.3+0.2" if word in {"MUTE", "LISTENING"} else word for word in DOORS[door]]
    printed = run([*words, "--clock", "60"], tmp_path)
    assert "used up its clock of 0.3+0.2 s" in printed, printed


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
    comments = re.findall(r"^[PW] .*\n# [0-9.]+ s, [0-9.]+ s left(, score [+-][0-9.]+)?$", text, re.MULTILINE)
    assert len(comments) == shown["games"][0]["plies"]
    assert len(list(filter(None, comments))) == len(comments) // 2  # the engine moves second
    assert "no faults found" in run(["tournament", "verify", file], tmp_path)
    assert run(["replay", "check", "--extended", str(saved / "game-1.qtp")], tmp_path).count(": correct,")
