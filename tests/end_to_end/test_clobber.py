"""The Clobber programs in real processes, with real sockets and signals."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from click.testing import CliRunner

from quoridor_net.cli.main import main
from quoridor_net.tournament import TournamentStarted, crosstable, read_journal
from tests.support import preloaded
from tests.support.loopback import HOST, reserve_port
from tests.support.patience import PATIENCE
from tests.support.tournament_events import write_journal

pytestmark = pytest.mark.end_to_end

ROOT = Path(__file__).parents[2]


class Programs:
    """Starts programs and ends all of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._stack = ExitStack()

    def start(
        self, module: str, *options: str, environment: Mapping[str, str] = MappingProxyType({}), **more: Any
    ) -> subprocess.Popen[str]:
        process = preloaded.Popen(
            [sys.executable, "-m", module, *options],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **({"stdin": subprocess.DEVNULL} | more),
        )
        self._stack.enter_context(process)
        self._stack.callback(process.kill)
        return process

    def serve(self, *options: str, **more: Any) -> tuple[subprocess.Popen[str], int]:
        """Start a server and return it with its port."""
        server = self.start("server.clobber", "--port", "0", "--host", HOST, *options, **more)
        assert server.stdout is not None
        ready = re.search(r"ready on port (\d+)", server.stdout.readline())
        assert ready is not None, server.communicate(timeout=PATIENCE)[1]
        return server, int(ready[1])

    def play(self, port: int, *options: str, **more: Any) -> subprocess.Popen[str]:
        return self.start("client.clobber", f"{HOST}:{port}", *options, **more)

    def close(self) -> None:
        self._stack.close()


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    programs = Programs(tmp_path)
    yield programs
    programs.close()


def finish(process: subprocess.Popen[str], status: int = 0) -> str:
    out, err = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in err
    assert process.returncode == status, err
    return out


def test_four_clients_play_a_tournament(programs: Programs, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    server, port = programs.serve(
        "--entrants", "4", "--rounds", "2", "--board", "5x5", "--journal", str(journal)
    )
    players = {f"c{number}": ("mobility" if number % 2 else "random") for number in range(4)}
    clients = {
        name: programs.play(port, "--name", name, "--player", player, "--json")
        for name, player in players.items()
    }
    views = {name: finish(client) for name, client in clients.items()}
    output = finish(server)

    state = read_journal(journal)
    assert state.is_over
    # "every pair plays --rounds N games with colours alternating".
    pairs = Counter(tuple(sorted(pairing.seats)) for pairing, _ in state.results())
    assert len(pairs) == 6
    assert set(pairs.values()) == {2}
    assert len({pairing.seats for pairing, _ in state.results()}) == 12
    # The table and each client's own results.
    table = crosstable(state.entrants, state.results())
    for row in table.rows:
        ends = [json.loads(line) for line in views[row.name].splitlines()]
        outcomes = Counter(end["outcome"] for end in ends if end["event"] == "game_ended")
        assert (outcomes["won"], outcomes["lost"]) == (row.won, row.lost)
        assert row.played == 6
        assert row.forfeited == 0
        assert re.search(rf"^ *{row.rank}\. +{row.name} .* {row.points:g} ", output, re.MULTILINE)
    assert sum(row.points for row in table.rows) == 12


def test_an_interrupted_tournament_is_resumed(programs: Programs, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    server, port = programs.serve(
        "--entrants", "2", "--rounds", "4", "--board", "2x2", "--journal", str(journal)
    )
    fast = programs.play(port, "--name", "bob", "--player", "random")
    # A client that plays black in the first game and then sleeps.
    with socket.create_connection((HOST, port)) as slow:
        slow.sendall(b"play clobber bob\n")
        assert server.stdout is not None
        for line in server.stdout:
            if "game 2:" in line:
                break
            if slow.recv(100).endswith(b"1\n"):
                slow.sendall(b"bad move\n")
        server.send_signal(signal.SIGTERM)
        _, err = server.communicate(timeout=PATIENCE)
        assert server.returncode == 4
        assert err.startswith("Aborted. To resume: ")
        assert err.endswith(f" clobber serve --port 0 --resume {journal}\n")
    fast.communicate(timeout=PATIENCE)
    before = read_journal(journal).decided
    assert before

    server, port = programs.serve("--resume", str(journal))
    clients = [programs.play(port, "--name", "bob", "--player", "random") for _ in range(2)]
    for client in clients:
        assert f"{4 - len(before)} games" in finish(client)
    assert "bob#2" in finish(server)
    state = read_journal(journal)
    assert state.is_over
    assert state.pending == ()
    assert {game: state.decided[game] for game in before} == before
    # Resuming a finished tournament shows the tables without waiting for clients.
    again = programs.start("server.clobber", "--port", "0", "--resume", str(journal))
    assert "bob#2" in finish(again)


def test_a_person_plays_a_program(programs: Programs) -> None:
    server, port = programs.serve("--entrants", "2", "--rounds", "2", "--board", "1x2", "--quiet")
    person = programs.play(port, "--name", "person", "--player", "human", stdin=subprocess.PIPE)
    assert person.stdin is not None
    person.stdin.write("?\nmoves\na2a1\nhello\nA 1 a 2\n")
    person.stdin.flush()
    program = programs.play(port, "--player", "random", "--connect-time", "20")
    finish(program)
    shown = finish(person)
    finish(server)
    assert "You cannot play a2a1: it is black's turn and the stone on a2 is white." in shown
    assert "'hello' is not a move: expected two squares like a1b1 or a 1 b 1. Type ? for help" in shown
    assert "2 games: 1 won, 1 lost." in shown


def test_a_tournament_runs_with_its_output_closed(programs: Programs, tmp_path: Path) -> None:
    journal, log = tmp_path / "journal.db", tmp_path / "wire"
    server, port = programs.serve(
        "--entrants", "2", "--rounds", "1", "--board", "2x1", "--journal", str(journal), "--log", str(log)
    )
    assert server.stdout is not None
    server.stdout.close()
    clients = [programs.play(port, "--player", "random", "--quiet") for _ in range(2)]
    assert sorted(finish(client) for client in clients) == ["1 game: 1 lost.\n", "1 game: 1 won.\n"]
    assert server.wait(PATIENCE) == 0
    assert read_journal(journal).is_over
    # The same two lines to and from each side, and the final move to the loser.
    connections = [log / "connection-1.log", log / "connection-2.log"]
    assert sorted(log.iterdir()) == connections
    lines = [line.split("] ", 1)[1] for path in connections for line in path.read_text().splitlines()]
    assert sorted(line.split(" ", 1)[1] for line in lines) == sorted(
        [r"b'play clobber random\n'"] * 2 + [r"b'2 1 0\n'", r"b'2 1 1\n'"] + [r"b'a 1 b 1\n'"] * 2
    )


@pytest.mark.parametrize("redirection", [">&-", ">/dev/full"])
def test_a_tournament_continues_without_output(redirection: str, tmp_path: Path) -> None:
    """Neither a closed output nor a full disk for the output ends a tournament."""
    journal = tmp_path / "journal.db"
    with reserve_port() as port:
        serve = f"-m server.clobber --host {HOST} --port {port} --entrants 2 --board 3x2 --journal {journal}"
        play = f"-m client.clobber {HOST}:{port} --player random"
        command = "".join(f"{sys.executable} {play} {redirection} & " for _ in range(2))
        command += f"{sys.executable} {serve} {redirection}; status=$?; wait; exit $status"
        run = subprocess.run(
            ["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    assert (run.returncode, "Traceback" in run.stderr) == (0, False), run.stderr
    assert read_journal(journal).is_over


def test_a_journal_that_cannot_be_written_ends_the_tournament(programs: Programs, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    journal = tmp_path / "journal.db"
    # Under the limit, Python would also truncate the bytecode of the modules and keep it for later runs.
    server, port = programs.serve(
        "--entrants", "2", "--board", "6x6", "--rounds", "200", "--journal", str(journal),
        environment={"PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000)),
    )  # fmt: skip
    clients = [programs.play(port, "--player", "random") for _ in range(2)]
    _, err = server.communicate(timeout=PATIENCE)
    assert server.returncode == 4
    reason = "cannot be read or written: disk I/O error"
    assert err.startswith(f"Error: {journal} {reason}. To resume: ")
    assert err.endswith(f" clobber serve --port 0 --resume {journal}\n")
    for client in clients:
        client.communicate(timeout=PATIENCE)
        # The server left during a game or between two.
        assert client.returncode in {0, 4}
    # The data written before is as complete as after any other crash.
    state = read_journal(journal)
    assert state.games == 200
    assert len(state.pending) > 0


def test_a_client_gives_up_on_a_move_server(programs: Programs) -> None:
    server = programs.start("server", "--port", "0", "--host", HOST, "--player", "simple")
    assert server.stdout is not None
    ready = re.search(r"ready on port (\d+)", server.stdout.readline())
    assert ready is not None
    client = programs.play(int(ready[1]), "--player", "random", "--start-time", "0.5")
    out, err = client.communicate(timeout=PATIENCE)
    assert (client.returncode, out) == (3, "")
    advice = "Check that it is a Clobber server, not a Quoridor move server."
    assert err == f"Error: the server started no game in time. {advice}\n"


def test_a_shortage_of_descriptors_is_one_line(programs: Programs) -> None:
    resource = pytest.importorskip("resource")
    server, port = programs.serve(
        "--entrants", "2", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
    )
    assert server.stderr is not None
    with ExitStack() as strangers:
        for _ in range(60):
            strangers.enter_context(socket.create_connection((HOST, port)))
        line = server.stderr.readline()
    assert line.startswith("WARNING: new connections must wait until others end: Too many open files")
    server.send_signal(signal.SIGTERM)
    _, err = server.communicate(timeout=PATIENCE)
    assert (server.returncode, err) == (4, "Aborted before the first game.\n")
    assert list(programs.folder.glob("*.db")) == []


def test_a_person_that_leaves_forfeits_at_once(programs: Programs) -> None:
    server, port = programs.serve("--entrants", "2", "--board", "3x3")
    person = programs.play(port, "--player", "human", stdin=subprocess.DEVNULL)
    program = programs.play(port, "--player", "random")
    finish(server)
    finish(program)
    _, err = person.communicate(timeout=PATIENCE)
    assert (person.returncode, err) == (4, "You left.\n")


def test_enter_begins_with_the_present_clients(programs: Programs) -> None:
    pty = pytest.importorskip("pty")
    keyboard, terminal = pty.openpty()
    # Take all names that a server could choose by the clock in the next minutes.
    for second in range(300):
        name = f"clobber-{datetime.now() + timedelta(seconds=second):%Y%m%d-%H%M%S}.db"
        (programs.folder / name).touch()
    try:
        server = programs.start(
            "server.clobber", "--port", "0", "--host", HOST, "--board", "3x3", stdin=terminal
        )
        assert server.stdout is not None
        ready = re.search(r"ready on port (\d+).* Journal: (\S+-2.db)", server.stdout.readline())
        assert ready is not None
        assert server.stdout.readline().startswith("Press Enter")
        os.write(keyboard, b"\n")
        clients = [programs.play(int(ready[1]), "--player", "random") for _ in range(2)]
        for _ in clients:
            assert " has joined, " in server.stdout.readline()
        os.write(keyboard, b"\n")
        for client in clients:
            finish(client)
        out, err = server.communicate(timeout=PATIENCE)
    finally:
        os.close(keyboard)
        os.close(terminal)
    assert err == "Not yet: a tournament needs two entrants.\n"
    assert "(2 of 2 games)" in out
    assert server.returncode == 0
    assert read_journal(programs.folder / ready[2]).is_over


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--board", "5"], 2, "'5' is not a board: expected COLUMNSxROWS, each from 1 to 26, as in 10x10."),
        (["--board", "0x5"], 2, "'0x5' is not a board"),
        (["--move-time", "inf"], 2, "is not in the range"),
        (["--resume", "nowhere"], 2, "File 'nowhere' does not exist."),
        (
            ["--resume", "notes.txt", "--rounds", "3"],
            2,
            "--rounds cannot be combined with --resume, which takes it from the journal.",
        ),
        (["--resume", "notes.txt"], 2, "notes.txt is not the journal of a tournament."),
        (
            ["--entrants", "2", "--journal", "notes.txt"],
            2,
            "notes.txt exists: resume it, or choose another file",
        ),
        (["--quiet", "--json"], 2, "exclude each other"),
        (["--entrants", "201"], 2, "201 is not in the range 2<=x<=200"),
        (["--entrants", "2", "--host", "256.1.1.1"], 3, "cannot listen on 256.1.1.1"),
        ([], 2, "The input is not a terminal, so nobody can press Enter. Give the number of clients"),
    ],
)
def test_the_server_explains_its_refusals(
    options: list[str], status: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("hello\nworld\n")
    refused = CliRunner().invoke(main, ["clobber", "serve", "--port", "0", *options])
    assert refused.exit_code == status
    assert message in refused.stderr
    assert "Traceback" not in refused.stderr
    assert "ready" not in refused.stdout
    assert not list(tmp_path.glob("clobber-*.db"))


def test_a_journal_of_another_game_is_refused(programs: Programs, tmp_path: Path) -> None:
    path = tmp_path / "chess.db"
    write_journal(path, TournamentStarted("chess", ("a", "b")))
    before = path.read_bytes()
    process = programs.start("server.clobber", "--port", "0", "--resume", path.name)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert "the file is not the journal of a Clobber tournament." in err
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["localhost"], 2, "'localhost' is an address without a port"),
        (["localhost:1", "--name", "a b"], 2, "the name 'a b' contains a space: write 'a_b'"),
        (["localhost:1", "--player", "random", "--think", "3"], 2, "--think needs --player engine"),
        (["localhost:1", "--player", "human", "--json"], 2, "would hide the board from you"),
        (["localhost:1", "--start-time", "inf"], 2, "inf is not in the range"),
        (["localhost:1", "--player", "random", "--connect-time", "0"], 3, "localhost:1 cannot be reached"),
    ],
)
def test_the_client_explains_its_refusals(options: list[str], status: int, message: str) -> None:
    refused = CliRunner().invoke(main, ["clobber", "play", *options])
    assert refused.exit_code == status
    assert message in refused.stderr
    assert "Traceback" not in refused.stderr
