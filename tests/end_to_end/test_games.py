"""Complete games between real processes over loopback sockets."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest
import trio
from click.testing import CliRunner, Result

from quoridor_net.cli.main import main
from quoridor_net.rules import Termination
from quoridor_net.testing.move_servers import Script
from quoridor_net.testing.wire import check_promises, read_transcript
from tests.end_to_end.conftest import StartServer, open_server, run_client
from tests.match.test_hostile_servers import FAULTS
from tests.support import preloaded
from tests.support.loopback import listen_on_loopback
from tests.support.patience import PATIENCE

pytestmark = [pytest.mark.end_to_end, pytest.mark.compiled("engine")]


@pytest.fixture(scope="module")
def opponent() -> Iterator[str]:
    """Return the endpoint of a server for the tests that need any opponent."""
    with open_server("--seed", "1") as server:
        yield server.endpoint


@pytest.mark.parametrize("players", [2, 4])
def test_a_game_is_printed_in_lines(players: int, start_server: StartServer, tmp_path: Path) -> None:
    servers = [start_server("--once", "--seed", str(number)) for number in range(players)]
    log = tmp_path / "wire.log"
    client = run_client(*(server.endpoint for server in servers), "--gap", "0", "--log", str(log))
    assert client.exit_code == 0
    assert client.stderr == ""
    assert "wins: it reached its goal line." in client.stdout.splitlines()[-1]
    check_promises(read_transcript(log.read_text(encoding="ascii")))
    for server in servers:
        status, output = server.end()
        assert status == 0
        assert "game over:" in output


def test_a_game_is_printed_as_json(start_server: StartServer) -> None:
    server = start_server("--seed", "1", "--name", "xyz:twin")
    client = run_client(server.endpoint, server.endpoint, "--gap", "0", "--json")
    events = [json.loads(line) for line in client.stdout.splitlines()]
    assert client.exit_code == 0
    assert events[0]["names"] == ["xyz:twin", "xyz:twin"]
    assert events[-1]["termination"] == "goal"
    assert events[-1]["winner"] in {1, 2}


def test_quiet_prints_the_result_alone(opponent: str) -> None:
    client = run_client(opponent, opponent, "--gap", "0", "--quiet")
    assert client.exit_code == 0
    assert len(client.stdout.splitlines()) == 1


def test_a_server_plays_game_after_game(start_server: StartServer) -> None:
    server = start_server("--player", "random", "--quiet")
    for _ in range(3):
        assert run_client(server.endpoint, server.endpoint, "--gap", "0", "--quiet").exit_code == 0
    server.process.send_signal(signal.SIGTERM)
    assert server.end() == (0, "")


def test_an_absent_server_is_reported(start_server: StartServer) -> None:
    server = start_server("--once")
    gone = start_server("--once")
    gone.process.kill()
    gone.process.wait()
    client = run_client(server.endpoint, gone.endpoint, "--connect-time", "0.3")
    assert client.exit_code == 3
    assert client.stdout == ""
    assert client.stderr.startswith(f"Error: {gone.endpoint} cannot be reached: ")
    # The other server got no game, so it still waits for its only one.
    assert server.process.poll() is None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_aborts_a_game(number: signal.Signals, opponent: str, start_server: StartServer) -> None:
    # --concurrency is 1 for a person, so a second server takes the other seat.
    person = start_server("--player", "human").endpoint
    command = [sys.executable, "-m", "client", person, opponent, "--json"]
    with preloaded.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as client:
        assert client.stdout is not None
        assert json.loads(client.stdout.readline())["event"]
        client.send_signal(number)
        output, errors = client.communicate(timeout=PATIENCE)
    assert client.returncode == 4
    assert json.loads(output.splitlines()[-1])["termination"] == "aborted"
    assert "Traceback" not in errors


def test_a_person_reads_the_verdict_when_the_server_ends(opponent: str, start_server: StartServer) -> None:
    human = start_server("--player", "human", "--name", "me:myself")
    command = [sys.executable, "-m", "client", human.endpoint, opponent, "--json"]
    with preloaded.Popen(command, stdout=subprocess.PIPE, text=True) as client:
        assert human.process.stdout is not None
        assert any("your pawn is" in line for line in human.process.stdout)
        human.process.send_signal(signal.SIGINT)
        ended = json.loads(client.communicate(timeout=PATIENCE)[0].splitlines()[-1])
    assert (ended["winner"], ended["termination"]) == (2, "disconnected")
    _, output = human.end()
    assert "you are out of the game: this server is shutting down.\n" in output
    assert "without a winner" not in output


def test_a_person_types_moves_from_a_pipe(opponent: str, start_server: StartServer) -> None:
    """A script can type moves: wrong ones are explained, and the end of the input resigns."""
    human = start_server("--player", "human", "--once", "--name", "me:myself")
    assert human.process.stdin is not None
    human.process.stdin.write("e9\nnonsense\n(4, 1)\n")
    human.process.stdin.flush()
    human.process.stdin.close()
    human.process.stdin = None
    client = run_client(human.endpoint, opponent, "--json")
    events = [json.loads(line) for line in client.stdout.splitlines()]
    moves = [(event["player"], event["move"]) for event in events if event["event"] == "move_made"]
    assert moves[0][0] == 1
    assert len(moves) == 2
    assert events[-1]["termination"] == "disconnected"
    assert (events[-1]["winner"], client.exit_code) == (2, 0)
    status, output = human.end()
    assert status == 0
    assert "Traceback" not in output


@pytest.mark.parametrize(
    "fault", ["garbage", "illegal step", "endless line", "half a line", "reset", "silence"]
)
def test_a_hostile_server_loses(fault: str, opponent: str) -> None:
    """A sample of the hostile servers over real sockets: the game is decided and the client exits."""
    script, termination = FAULTS[fault]
    output = trio.run(play_against, script, opponent)
    ended = json.loads(output.splitlines()[-1])
    assert (ended["winner"], ended["termination"]) == (2, termination.value)
    assert termination is not Termination.GOAL


async def play_against(script: Script, good: str) -> str:
    async with listen_on_loopback(script) as endpoint:
        arguments = [str(endpoint), good, "--json", "--move-time", "0.5"]
        client = await trio.to_thread.run_sync(preloaded.run, [sys.executable, "-m", "client", *arguments])
    assert client.returncode == 0
    return str(client.stdout)


def moves_of(output: str) -> list[str]:
    """Return number, player and move of each ply, without the times."""
    return [" ".join(line.split()[:4]) for line in output.splitlines() if line[:4].strip().isdigit()]


def play_twice(*words: str) -> None:
    """Run a command twice at the same time, once with lower priority, and compare the moves.

    A game that depends on the load would differ.
    """
    command = [sys.executable, "-m", "quoridor_net", *words]
    with ExitStack() as stack:
        both = [
            stack.enter_context(subprocess.Popen([*before, *command], stdout=subprocess.PIPE, text=True))
            for before in ([], ["nice", "-n", "5"])
        ]
        outputs = [process.communicate(timeout=PATIENCE)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    one, other = map(moves_of, outputs)
    assert one == other
    assert len(one) > 16
    # Two engines may also step back and forth until the game is drawn.
    assert all("wins" in output or "Drawn" in output for output in outputs)


@pytest.mark.parametrize("players", ["2", pytest.param("4", marks=pytest.mark.slow)])
def test_the_same_seed_repeats_the_demo(players: str) -> None:
    play_twice("demo", "--players", players, "--seed", "7")


def test_the_same_seed_repeats_a_game_of_four() -> None:
    """Every engine of a demo loads its kernels, so four of them share a process here."""
    engine = "engine:level=3,nodes=1000"
    play_twice("play", *[engine] * 4, "--seed", "7")


def test_a_saved_game_is_a_correct_replay(opponent: str, tmp_path: Path) -> None:
    replay = tmp_path / "game.qtp"
    client = run_client(opponent, opponent, "--gap", "0", "--quiet", "--save", str(replay))
    assert client.exit_code == 0
    check = CliRunner().invoke(main, ["replay", "check", str(replay)])
    assert (check.exit_code, check.stderr) == (0, "")
    assert "goal" in check.stdout


def test_an_athens_engine_plays_behind_a_move_server(opponent: str, start_server: StartServer) -> None:
    """Run the project's own front end as the engine behind a move server."""
    engine = f"{sys.executable} -m quoridor_net qtp --player simple"
    bridge = start_server("--player", "qtp", "--command", engine, "--once")
    client = run_client(bridge.endpoint, opponent, "--gap", "0", "--quiet")
    assert client.exit_code == 0
    assert "goal" in client.stdout
    assert bridge.end()[0] == 0


@pytest.mark.parametrize(
    "options",
    [
        ["--player", "qtp"],
        ["--command", "x"],
        ["--player", "simple", "--level", "3"],
        ["--player", "qtp", "--command", "'"],
    ],
)
def test_conflicting_options_are_refused(options: list[str]) -> None:
    server = _start_in_vain(options)
    assert server.exit_code == 2
    assert server.stderr.count("Error: ") == 1
    assert "Traceback" not in server.stderr


def test_a_missing_program_is_reported() -> None:
    server = _start_in_vain(["--player", "qtp", "--command", "/no/such/program"])
    assert server.exit_code == 3
    assert server.stderr == "Error: --command: there is no program '/no/such/program' that can be run.\n"


def _start_in_vain(options: list[str]) -> Result:
    return CliRunner().invoke(main, ["serve", "--port", "0", *options])


@pytest.mark.parametrize("options", [[], ["--json"], ["--quiet"]])
@pytest.mark.parametrize("redirection", [">&-", ">/dev/full", "| head -1"])
def test_a_game_continues_without_output(redirection: str, options: list[str], opponent: str) -> None:
    """A closed output, a full disk or a closed pipe ends no game."""
    client = [sys.executable, "-m", "client", opponent, opponent, "--gap", "0", *options]
    command = f"{shlex.join(client)} {redirection}; test ${{PIPESTATUS[0]}} = 0"
    shell = ["bash", "-c", command]
    run = subprocess.run(shell, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert "Traceback" not in run.stderr
    assert run.returncode == 0
    assert len(run.stderr.splitlines()) <= 1


def test_a_server_continues_without_a_reader(start_server: StartServer) -> None:
    server = start_server("--seed", "1")
    assert server.process.stdout is not None
    server.process.stdout.close()
    for _ in range(2):
        client = run_client(server.endpoint, server.endpoint, "--gap", "0", "--quiet")
        assert (client.exit_code, client.stderr) == (0, "")
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(PATIENCE) == 0
    server.process.stdout = None


def test_logs_on_a_full_disk_end_no_game(start_server: StartServer, tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"connection-{number}.log").symlink_to("/dev/full")
    server = start_server("--seed", "1", "--log", str(tmp_path))
    command = [sys.executable, "-m", "client", server.endpoint, server.endpoint]
    options = ["--gap", "0", "--quiet", "--save", "/dev/full"]
    # A process of its own, because the message is a warning, which pytest would catch in this one.
    client = preloaded.run([*command, *options])
    assert client.returncode == 0
    assert client.stderr.count("cannot write /dev/full") == 1


def test_an_earlier_recording_is_kept_when_no_game_begins(tmp_path: Path) -> None:
    recording = tmp_path / "precious.qtp"
    recording.write_text("P 1 E2\n", encoding="ascii")
    arguments = ["--connect-time", "0", "--save", str(recording), "--overwrite"]
    client = run_client("127.0.0.1:1", "127.0.0.1:1", *arguments)
    assert client.exit_code == 3
    assert recording.read_text(encoding="ascii") == "P 1 E2\n"


def test_a_failed_greeting_is_reported_as_json() -> None:
    client = run_client("127.0.0.1:1", "127.0.0.1:1", "--connect-time", "0", "--json")
    event = json.loads(client.stdout)
    assert (client.exit_code, event["event"], len(event["reasons"])) == (3, "not_greeted", 2)


def test_one_attempt_to_connect_is_always_made(opponent: str) -> None:
    assert run_client(opponent, opponent, "--connect-time", "0", "--gap", "0").exit_code == 0


def test_sigterm_ends_the_demo_and_its_processes() -> None:
    command = [sys.executable, "-m", "quoridor_net", "demo", "--delay", "60"]
    with preloaded.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as demo:
        assert demo.stdout is not None
        assert any("Game on" in line for line in demo.stdout), demo.communicate(timeout=PATIENCE)[1]
        children = psutil.Process(demo.pid).children()
        assert len(children) == 3
        demo.send_signal(signal.SIGTERM)
        _, errors = demo.communicate(timeout=PATIENCE)
    assert demo.returncode == 4
    assert "Traceback" not in errors
    _, alive = psutil.wait_procs(children, timeout=PATIENCE)
    assert not alive
