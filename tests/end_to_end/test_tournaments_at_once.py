"""Two tournaments at once do not disturb each other, even if both use one move server."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from quoridor_net.tournament.quoridor.archive import verify
from tests.end_to_end.conftest import StartServer
from tests.support import preloaded
from tests.support.patience import PATIENCE
from tests.support.tournament_program import read_untimed, run_tournament, start_tournament

ENGINE = (
    f"qtp:{sys.executable} -c 'from quoridor_net.cli.main import main; main()' qtp --player simple --seed 3"
)


def read_results(path: Path) -> Any:
    shown = read_untimed(path)
    return shown["entrants"], shown["games"]


def test_tournaments_share_programs_and_a_folder(tmp_path: Path) -> None:
    # With one game at a time, the same engine processes play the same games.
    words = (f"e={ENGINE}", "simple", "random", "--seed", 7, "--concurrency", 1, "--size", 5)
    alone, one, other = (tmp_path / f"{name}.db" for name in ("alone", "one", "other"))
    assert run_tournament("run", alone, *words).exit_code == 0
    with start_tournament("run", one, *words) as first, start_tournament("run", other, *words) as second:
        for process in (first, second):
            _, error = process.communicate(timeout=PATIENCE)
            assert process.returncode == 0, error
    assert read_results(one) == read_results(other) == read_results(alone)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["alone.db", "one.db", "other.db"]


def test_tournaments_take_turns_at_one_move_server(tmp_path: Path, start_server: StartServer) -> None:
    server = start_server("--concurrency", "1").endpoint
    paths = [tmp_path / f"{name}.db" for name in ("one", "other")]
    words = (f"s={server}", "simple", "--games", 6, "--no-show-time", PATIENCE, "--gap", 0)
    with (
        start_tournament("run", paths[0], *words) as first,
        start_tournament("run", paths[1], *words) as second,
    ):
        for process in (first, second):
            _, error = process.communicate(timeout=PATIENCE)
            assert process.returncode == 0, error
    for path in paths:
        _, games = read_results(path)
        assert [game["termination"] for game in games] == ["goal"] * 6
        assert verify(path) == []


def test_default_names_of_clobber_tournaments_do_not_collide(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "quoridor_net"]
    command += ["clobber", "serve", "--port", "0", "--host", "127.0.0.1", "--entrants", "2"]
    servers = [preloaded.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    try:
        names = set()
        for server in servers:
            assert server.stdout is not None
            line = server.stdout.readline()
            found = re.search(r"Journal: (\S+\.db)\.", line)
            assert found is not None, line
            names.add(found[1])
        assert len(names) == 3
        assert names == {file.name for file in tmp_path.glob("*.db")}
    finally:
        for server in servers:
            server.kill()
            server.communicate()
