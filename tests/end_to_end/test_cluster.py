"""``quoridor tournament --dask`` with real schedulers and workers: killed, restarted, interrupted."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest

from quoridor_net.tournament.quoridor.archive import verify
from tests.support import preloaded
from tests.support.engine_programs import sloppy_command, wait_until
from tests.support.loopback import HOST, reserve_port
from tests.support.patience import PATIENCE
from tests.support.tournament_program import read_untimed, run_tournament

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals"),
]

COMMAND = (sys.executable, "-m", "quoridor_net", "tournament")
SCHEDULER = (sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard", "--host", HOST)
WORKER = (sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-dashboard")

#: Most games take at least half a second, so that a test can interrupt them.
FIELD = (f"slow=qtp:{sloppy_command('thinks')}", "simple", "random", "--seed", "5", "--games", "8")


class Programs:
    """The programs of a test, which are ended after it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._begun: list[subprocess.Popen[str]] = []

    def begin(self, *words: object) -> subprocess.Popen[str]:
        process = preloaded.Popen(
            list(map(str, words)),
            cwd=self._folder,
            text=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._begun.append(process)
        return process

    def scheduler(self, port: int) -> subprocess.Popen[str]:
        return self.begin(*SCHEDULER, "--port", port)

    def worker(self, port: int) -> subprocess.Popen[str]:
        return self.begin(*WORKER, f"tcp://{HOST}:{port}")

    def end(self) -> None:
        while self._begun:
            process = self._begun.pop()
            children = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
            process.kill()
            process.communicate()
            for child in children:
                if child.is_running():
                    child.kill()


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    programs = Programs(tmp_path)
    yield programs
    programs.end()


def finish(*words: object) -> subprocess.CompletedProcess[str]:
    return preloaded.run([*COMMAND, *map(str, words)])


def document(path: Path) -> Any:
    shown = read_untimed(path)
    return shown["finished"], shown["entrants"], shown["games"]


def count_decided(path: Path) -> int:
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as connection:
        try:
            query = "SELECT count(*) FROM games WHERE termination IS NOT NULL"
            return int(connection.execute(query).fetchone()[0])
        except sqlite3.OperationalError:
            return 0


def wait_for(games: int, path: Path, manager: subprocess.Popen[str]) -> None:
    """Wait until this many games have a result."""
    wait_until(lambda: count_decided(path) >= games or manager.poll() is not None)
    assert manager.poll() is None, manager.communicate()


def play_undisturbed(folder: Path) -> Any:
    path = folder / "undisturbed.db"
    assert run_tournament("run", path, *FIELD, "--quiet", "--concurrency", 4).exit_code == 0
    return document(path)


def workers_of(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """Return the worker processes of a local cluster."""
    children = psutil.Process(process.pid).children()
    return [child for child in children if "multiprocessing.spawn" in " ".join(child.cmdline())]


def find_playing(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """Return the workers that are playing a game with a program."""
    return [worker for worker in workers_of(process) if worker.children()]


def test_a_local_cluster_plays_the_same_games(tmp_path: Path) -> None:
    there, here = tmp_path / "there.db", tmp_path / "here.db"
    words = ("simple", "random", "random", "--seed", 3)
    done = finish("run", there, *words, "--dask", "local:1")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "The cluster plays 1 game at once.\n"
    assert run_tournament("run", here, *words).exit_code == 0
    assert document(there) == document(here)
    assert verify(there) == []


@pytest.mark.slow
def test_a_killed_worker_costs_no_game(tmp_path: Path, programs: Programs) -> None:
    path = tmp_path / "a.db"
    manager = programs.begin(*COMMAND, "run", path, *FIELD, "--dask", "local:2")
    for games in (1, 6):
        wait_for(games, path, manager)
        wait_until(lambda: len(find_playing(manager)) == 2)
        worker = find_playing(manager)[0]
        engines = worker.children()
        assert engines
        os.kill(worker.pid, signal.SIGKILL)
        assert psutil.wait_procs(engines, PATIENCE)[1] == []
    _, error = manager.communicate(timeout=PATIENCE)
    assert manager.returncode == 0, error
    assert document(path) == play_undisturbed(tmp_path)
    assert verify(path) == []


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_manager_waits_for_a_restarted_scheduler(
    tmp_path: Path, programs: Programs, number: signal.Signals
) -> None:
    path = tmp_path / "a.db"
    with reserve_port() as port:
        scheduler, worker = programs.scheduler(port), programs.worker(port)
        manager = programs.begin(*COMMAND, "run", path, *FIELD, "--dask", f"{HOST}:{port}")
        wait_for(2, path, manager)
        scheduler.send_signal(number)
        scheduler.communicate(timeout=PATIENCE)
        # A worker ends with its scheduler.
        worker.communicate(timeout=PATIENCE)
        scheduler, worker = programs.scheduler(port), programs.worker(port)
        _, error = manager.communicate(timeout=PATIENCE)
    assert manager.returncode == 0, error
    first, *others = error.splitlines()
    assert first.startswith("The cluster plays 1 game at once")
    assert others == [
        "The connection to the scheduler is lost. Retrying for 60 s.",
        "The scheduler is back.",
    ]
    assert document(path) == play_undisturbed(tmp_path)
    assert verify(path) == []


@pytest.mark.slow
def test_a_killed_manager_resumes_with_or_without_a_cluster(tmp_path: Path, programs: Programs) -> None:
    path = tmp_path / "a.db"
    manager = programs.begin(*COMMAND, "run", path, *FIELD, "--dask", "local:2")
    for games, words in ((2, ("--dask", "local:2")), (8, ())):
        wait_for(games, path, manager)
        workers = workers_of(manager)
        manager.kill()
        manager.communicate(timeout=PATIENCE)
        # No process is left that would end them.
        assert psutil.wait_procs(workers, PATIENCE)[1] == []
        manager = programs.begin(*COMMAND, "resume", path, *words)
    _, error = manager.communicate(timeout=PATIENCE)
    assert manager.returncode == 0, error
    assert document(path) == play_undisturbed(tmp_path)
    assert verify(path) == []


@pytest.mark.slow
def test_ctrl_c_ends_manager_and_workers_without_a_traceback(tmp_path: Path, programs: Programs) -> None:
    path = tmp_path / "a.db"
    manager = programs.begin(*COMMAND, "run", path, *FIELD, "--dask", "local:2", "--quiet")
    wait_for(1, path, manager)
    workers = workers_of(manager)
    # A terminal sends Ctrl-C to all of them.
    os.killpg(manager.pid, signal.SIGINT)
    _, error = manager.communicate(timeout=PATIENCE)
    assert manager.returncode == 4
    assert re.fullmatch(rf"Stopped. To continue: \S+ tournament resume {path}\n", error)
    assert psutil.wait_procs(workers, PATIENCE)[1] == []


def test_a_league_is_played_on_a_cluster_and_resumed_without(tmp_path: Path, programs: Programs) -> None:
    path = tmp_path / "a.db"
    words = ("--format", "league", "--dask", "local:1", "--quiet")
    manager = programs.begin(*COMMAND, "run", path, "simple", "random", "random", *words)
    for before in (0, 4):
        wait_for(before + 4, path, manager)
        # It joins while the league is played, and its games are on the cluster, too.
        name = f"late{before}"
        assert run_tournament("add", path, f"{name}=random").output == f"{name} plays from now on.\n"
        os.killpg(manager.pid, signal.SIGINT)
        _, error = manager.communicate(timeout=PATIENCE)
        assert manager.returncode == 0, error
        assert verify(path) == []
        manager = programs.begin(*COMMAND, "resume", path, "--quiet")
    wait_for(count_decided(path) + 4, path, manager)
