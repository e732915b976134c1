"""Real programs, started by the grading: crashes, silence, and programs that play one game."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Protocol

import pytest
import trio
from attrs import evolve

from quoridor_net.grading import run
from quoridor_net.grading.grade import Ending, GradedGame, Mistake
from quoridor_net.grading.run import grade_program
from quoridor_net.grading.subjects import Allowance, EngineProgram, GoneError, RunningServer, StartedServer
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.rules import Position
from tests.grading.programs import SETTINGS
from tests.support.engine_programs import PYTHON, SLOPPY
from tests.support.loopback import reserve_port

pytestmark = pytest.mark.end_to_end

ALLOWANCE = Allowance(move_time=5.0, start_time=20.0, gap=0.0)
EXAMPLE = Path(__file__).parents[2] / "examples" / "move_server.py"

#: A server that greets its connections, and then does what follows.
GREETER = """
import os, socket, sys
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    connection, _ = listener.accept()
    assert connection.recv(100) == b"HELLO\\n"
    connection.sendall(b"IAM ann:%d\\n" % os.getpid())
    connection.recv(100)
"""


class MakeServer(Protocol):
    def __call__(self, program: str, allowance: Allowance = ALLOWANCE) -> StartedServer: ...


@pytest.fixture
def server(tmp_path: Path) -> MakeServer:
    """Return a function that makes a subject of a Python program."""

    def make(program: str, allowance: Allowance = ALLOWANCE) -> StartedServer:
        path = tmp_path / "server.py"
        path.write_text(program, encoding="utf-8")
        return StartedServer([sys.executable, "-I", str(path), "{port}"], allowance)

    return make


async def names_of(subject: StartedServer, games: int = 2) -> list[str]:
    """Return the names that the server gives for this many games, one after another."""
    names = []
    async with subject.open():
        for _ in range(games):
            player = await subject.player()
            names.append(player.name)
            await player.leave()
    return names


async def test_a_server_is_started_once(server: MakeServer) -> None:
    first, second = await names_of(server(GREETER))
    assert first == second


async def test_a_server_that_ends_after_a_game_is_started_again(server: MakeServer) -> None:
    first, second = await names_of(server(GREETER.replace("while True:", "if True:")))
    assert first != second


async def test_a_server_that_accepts_one_connection_only_is_started_again(server: MakeServer) -> None:
    subject = server(
        GREETER.replace("while True:", "if True:") + "import time; time.sleep(60)",
        evolve(ALLOWANCE, start_time=1.5),
    )
    first, second = await names_of(subject)
    assert first != second
    assert subject.remarks == ["did not answer HELLO within 1.5 s, and was restarted"]


async def test_a_server_that_listens_no_more_is_killed_and_started_again(server: MakeServer) -> None:
    program = GREETER.replace("while True:", "if True:") + "    listener.close()\nimport time; time.sleep(60)"
    subject = server(program)
    async with subject.open():
        first = await subject.player()
        await first.leave()
        second = await subject.player()
        with pytest.raises(ProcessLookupError):
            os.kill(int(first.name.partition(":")[2]), 0)
        await second.leave()
    assert not subject.remarks


async def test_nothing_of_a_server_is_left(server: MakeServer) -> None:
    ((_, number),) = [name.split(":") for name in await names_of(server(GREETER), 1)]
    with pytest.raises(ProcessLookupError):
        os.kill(int(number), 0)


@pytest.mark.parametrize(
    ("program", "clause"),
    [
        ("raise ValueError('no port')", "did not listen on port .*, because it .*ValueError: no port"),
        ("", "did not listen on port .*, because it ended with exit status 0"),
        ("import time; time.sleep(60)", "did not listen on port .* within 1 s"),
    ],
)
async def test_a_server_that_does_not_listen_is_gone(server: MakeServer, program: str, clause: str) -> None:
    allowance = ALLOWANCE if "sleep" not in program else evolve(ALLOWANCE, start_time=1.0)
    subject = server(program, allowance)
    async with subject.open():
        with pytest.raises(GoneError, match=clause):
            await subject.player()


async def test_a_program_that_does_not_exist_is_gone(tmp_path: Path) -> None:
    subject = StartedServer([str(tmp_path / "missing"), "{port}"], ALLOWANCE)
    async with subject.open():
        with pytest.raises(GoneError, match=r"cannot be started|because it"):
            await subject.player()


async def test_a_server_that_nobody_started_is_not_available() -> None:
    with reserve_port() as port:
        subject = RunningServer(Endpoint("127.0.0.1", port), evolve(ALLOWANCE, start_time=0.5))
        with pytest.raises(GoneError, match="cannot be reached"):
            await subject.player()
        found = await grade_program(subject, SETTINGS)
    assert found.ending is Ending.UNAVAILABLE
    assert "cannot be reached" in found.detail


async def test_engine_has_the_name_that_it_gives() -> None:
    subject = EngineProgram([*PYTHON, str(SLOPPY), "none"], ALLOWANCE)
    async with subject.open():
        player = await subject.player()
        assert subject.name_of(player) == player.name
        engines = subject._engines
        assert engines is not None
        await engines.introduce(Position(), 10)
        assert subject.name_of(player) == engines.name != ""


async def test_a_server_that_crashes_in_every_check_is_graded_by_its_faults(server: MakeServer) -> None:
    crashing = GREETER.replace("while True:", "if True:").replace("GAME", "") + "raise SystemExit(3)"
    found = await grade_program(server(crashing), SETTINGS)
    assert found.ending is Ending.FAULTS
    assert {str(game.result.termination) for game in found.faults} == {"disconnected"}
    assert "ended with exit status 3" in found.remarks


async def test_the_example_is_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    async def find_nothing(games: list[GradedGame], start: Position, found: list[Mistake]) -> None:
        await trio.lowlevel.checkpoint()

    monkeypatch.setattr(run, "find_mistakes", find_nothing)
    subject = StartedServer([sys.executable, "-I", str(EXAMPLE), "--port", "{port}"], ALLOWANCE)
    found = await grade_program(subject, evolve(SETTINGS, games=2))
    assert found.report is not None
    assert found.report.passed
    assert found.name == "exp:walker"
    assert len(found.games) == 2
    assert found.faults == []
