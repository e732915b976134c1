"""``quoridor tournament`` in real processes: killed, stopped, and controlled from other terminals."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from quoridor_net.tournament.quoridor.archive import verify
from tests.end_to_end.conftest import StartServer
from tests.support.engine_programs import sloppy_command
from tests.support.patience import PATIENCE
from tests.support.tournament_program import (
    finish,
    has_result,
    read_document,
    run_tournament,
    start_tournament,
    wait_until,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")

#: Players that wait in every move, so that a tournament lasts but needs little processor time.
SLOW_FIELD = tuple(f"{name}=qtp:{sloppy_command('thinks')}" for name in "abcd")

FIELD = ("simple", "a=simple", "random", "b=random", "--seed", "5", "--concurrency", "2")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it_with_the_command_to_resume(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "a.db"
    with start_tournament("run", path, *FIELD, "--games", 200) as process:
        wait_until(path, process, has_result)
        process.send_signal(number)
        _, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == 4
    assert re.fullmatch(rf"Stopped. To continue: \S+ tournament resume {path}\n", error)
    assert verify(path) == []


@pytest.mark.parametrize("is_asked", [True, False])
def test_a_league_is_done_when_it_is_stopped(tmp_path: Path, is_asked: bool) -> None:
    path = tmp_path / "a.db"
    with start_tournament("run", path, "simple", "random", "--size", 3, "--format", "league") as process:
        wait_until(path, process, has_result)
        if is_asked:
            assert finish("stop", path).returncode == 0
        else:
            process.send_signal(signal.SIGTERM)
        _, error = process.communicate(timeout=PATIENCE)
    # So that systemd, for instance, does not start it again.
    assert process.returncode == 0
    assert re.fullmatch(rf"Stopped. To continue: \S+ tournament resume {path}\n", error)


@pytest.mark.parametrize("gathers", [False, True])
def test_games_and_byes_are_announced_before_the_first(tmp_path: Path, gathers: bool) -> None:
    field = ("a=simple", "b=simple", "c=random", "d=random")
    words = (tmp_path / "a.db", *field, "--format", "swiss", "--rounds", 1)
    apart = [word for pair in ("a,b", "a,c", "b,c") for word in ("--apart", pair)]
    page = ("--web", "localhost:0", *(["--gather"] if gathers else []))
    with start_tournament("run", *words, *apart, *page, stdout=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        if gathers:
            link = _read_address(process.stderr.readline(), "Confirm teams and start the tournament here: ")
            assert _ask(link, "start") == {"ok": True}
        assert process.stdout.readline().startswith("2 games of 4 entrants, 1 at once: about ")
        assert process.stdout.readline().startswith("In each round, at least 2 of 4 entrants have byes")
        assert process.stdout.readline().startswith("Round 1: b, c have byes")


def _read_address(line: str, before: str) -> str:
    assert line.startswith(before)
    return line.removeprefix(before).strip()


def _ask(link: str, request: str, **values: str) -> Any:
    """Return the answer to a request of the holder of the lecturer's link."""
    address, _, token = link.partition("#/signup/")
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "Origin": address.rstrip("/"),
    }
    sent = urllib.request.Request(f"{address}{request}", json.dumps(values).encode(), headers)
    with urllib.request.urlopen(sent, timeout=PATIENCE) as answer:
        return json.load(answer)


def test_a_team_signs_up_in_a_resumed_league(tmp_path: Path, start_server: StartServer) -> None:
    path = tmp_path / "a.db"
    with start_tournament("run", path, "simple", "random", "--format", "league") as process:
        wait_until(path, process, has_result)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    with start_tournament("resume", path, "--web", "localhost:0", "--gather", "--yes") as process:
        assert process.stderr is not None
        link = _read_address(process.stderr.readline(), "Confirm teams here: ")
        assert _ask(link, "signup", name="ann", address=start_server().endpoint)["ok"]
        assert _ask(link, "signup/confirm", name="ann") == {"ok": True}
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert "ann" in [entrant["name"] for entrant in read_document(path)["entrants"]]
    assert verify(path) == []


def test_a_finished_tournament_stays_in_the_browser(tmp_path: Path) -> None:
    pytest.importorskip("starlette")
    path = tmp_path / "a.db"
    assert run_tournament("run", path, "simple", "random", "--size", 3, "--quiet").exit_code == 0
    with start_tournament("resume", path, "--web", "localhost:0") as process:
        assert process.stderr is not None
        _, _, address = process.stderr.readline().strip().partition("In the browser: ")
        with urllib.request.urlopen(f"{address}tournament.json", timeout=PATIENCE) as answer:
            assert json.load(answer)["finished"] is True
        assert process.stderr.readline().startswith("Done. The page stays open at ")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert verify(path) == []


def test_other_terminals_control_it_and_a_second_manager_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with start_tournament("run", path, *SLOW_FIELD, "--concurrency", 2, "--games", 1000) as process:
        wait_until(path, process, has_result)
        second = run_tournament("resume", path)
        assert second.exit_code == 2
        assert "is being played by another program" in second.stderr
        # All parts of the output are from the same moment.
        assert run_tournament("verify", path).exit_code == 0
        assert run_tournament("set", path, "--concurrency", 4).exit_code == 0
        assert run_tournament("withdraw", path, "nobody").exit_code == 1
        assert run_tournament("withdraw", path, "b").exit_code == 0
        assert finish("stop", path).returncode == 0
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 4
    assert verify(path) == []
    # Its running games were finished, and it plays no others.
    unfinished = [game for game in read_document(path)["unfinished"] if "b" in game["seats"]]
    assert {game["status"] for game in unfinished} == {"unplayed"}
