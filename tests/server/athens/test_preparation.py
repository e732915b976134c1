"""Answers and moves while the engine is being compiled."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair

from quoridor_net.engine import Limits, ready
from quoridor_net.players import Clock
from quoridor_net.players.engine import (
    COMMAND_TIME,
    LONGEST_WAIT,
    LONGEST_WAIT_BY_CLOCK,
    EnginePlayer,
    SharedEngine,
)
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.protocols.athens import EngineRole
from quoridor_net.rules import Move, Orientation, Position, Square, Step, Wall
from server.athens.private import PrivateCommands
from server.athens.session import ControllerSession
from server.athens.thinker import Thinker
from tests.support.patience import PATIENCE

NOT_READY = "engine: not ready yet: known openings and the simple player move until then"
WAITING = "engine: not ready yet: moves wait as long as their clock allows"
ENGINES_MOVE = Wall(0, 0, Orientation.HORIZONTAL)


@pytest.fixture(autouse=True)
def _search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the engine always place the same wall."""

    async def search(_player: EnginePlayer, _position: Position, _clock: Clock) -> Move:
        return ENGINES_MOVE

    monkeypatch.setattr(EnginePlayer, "_search", search)


class Compiler:
    """Blocks until the test lets it finish."""

    def __init__(self, error: Exception | None = None, *, is_done: bool = False) -> None:
        self.error = error
        self.has_begun = threading.Event()
        self.may_end = threading.Event()
        if is_done:
            self.may_end.set()

    def __call__(self, progress: Callable[[str], None], /, *_players: int) -> None:
        progress("compiling")
        self.has_begun.set()
        assert self.may_end.wait(60)
        if self.error is not None:
            raise self.error


class Table:
    """A game on a small board without known openings, and the engine that is being compiled for it."""

    def __init__(
        self, compiler: Compiler, size: int = 5, move_time: float | None = None, *, is_patient: bool = False
    ) -> None:
        self.told: list[str] = []
        limits = Limits(nodes=100) if is_patient else Limits()
        self.engine = SharedEngine(limits, report=self.told.append, prepare=compiler)
        self.engine.start()
        assert compiler.has_begun.wait(60)
        self.thinker = Thinker("engine", 1, move_time, engine=self.engine)
        self.position = Position(size)

    async def move(self) -> Move:
        return await self.thinker.choose(self.position.copy(), Clock())


@pytest.mark.threads
class TestWhileCompiling:
    async def test_known_openings_are_played_at_once(self, autojump_clock: MockClock) -> None:
        table = Table(Compiler(), size=9)
        started = trio.current_time()
        assert await table.move() == Step(Square(4, 1))
        assert (trio.current_time(), table.told) == (started, ["engine: compiling"])

    @pytest.mark.parametrize(
        ("move_time", "waits", "longest", "told"),
        [
            (None, LONGEST_WAIT, LONGEST_WAIT, [NOT_READY]),
            (2, 0.36, 2.16, [NOT_READY]),
            (5, 2.5, 15, [WAITING, NOT_READY]),
            (100, 50, LONGEST_WAIT_BY_CLOCK, [WAITING, NOT_READY]),
        ],
    )
    async def test_the_simple_player_moves_after_a_wait_that_the_time_allows(
        self,
        autojump_clock: MockClock,
        move_time: float | None,
        waits: float,
        longest: float,
        told: list[str],
    ) -> None:
        table = Table(Compiler(), move_time=move_time)
        started = trio.current_time()
        assert await table.move() == await SimplePlayer(0).choose(table.position.copy(), Clock())
        assert trio.current_time() - started == pytest.approx(waits)
        for _ in range(5):
            await table.move()
        # All moves together wait for a limited time, and each report comes once.
        assert trio.current_time() - started == pytest.approx(longest)
        assert table.told == ["engine: compiling", *told]

    async def test_repeatable_moves_wait_for_the_engine(self, autojump_clock: MockClock) -> None:
        compiler = Compiler()
        table = Table(compiler, is_patient=True)
        moves: list[Move] = []

        async def move() -> None:
            moves.append(await table.move())

        async with trio.open_nursery() as nursery:
            nursery.start_soon(move)
            await trio.sleep(100)
            assert moves == []
            compiler.may_end.set()
        assert (moves, table.told) == ([ENGINES_MOVE], ["engine: compiling"])

    async def test_a_clock_ends_the_patience(self, autojump_clock: MockClock) -> None:
        table = Table(Compiler(), is_patient=True, move_time=1)
        assert await table.move() != ENGINES_MOVE

    @pytest.mark.parametrize("times", [b"", b"qn-time_settings 60 1\n"])
    async def test_only_the_beginning_of_a_game_waits_a_little(
        self, autojump_clock: MockClock, times: bytes
    ) -> None:
        table = Table(Compiler(), move_time=None if times else 1)
        private = PrivateCommands(table.thinker)
        session = ControllerSession(EngineRole("Test", private.names), table.thinker, private)
        ours, theirs = memory_stream_pair()
        took: list[float] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(session.run, theirs, theirs)
            for command in (
                *(b"name\n", b"list_commands\n", b"known_command genmove\n", times or b"winner\n"),
                *(b"boardsize 5\n", b"clear_board\n", b"walls 3\n", b"playmove black C4\n", b"name\n"),
            ):
                started = trio.current_time()
                await ours.send_all(command)
                assert (await ours.receive_some()).startswith(b"=")
                took.append(trio.current_time() - started)
            nursery.cancel_scope.cancel()
        assert took == pytest.approx([0] * 4 + [COMMAND_TIME] * 2 + [0] * 3)

    async def test_an_analysis_waits_for_the_engine(self) -> None:
        compiler = Compiler()
        table = Table(compiler)
        threading.Timer(0.05, compiler.may_end.set).start()
        assert await table.thinker.suggest(table.position.copy()) == (ENGINES_MOVE, None)


@pytest.mark.threads
class TestOnceItIsOver:
    async def test_the_engine_takes_over_during_a_game(self) -> None:
        compiler = Compiler()
        table = Table(compiler, move_time=0.01)
        assert await table.move() != ENGINES_MOVE
        compiler.may_end.set()
        assert await table.engine.settle()
        assert await table.move() == ENGINES_MOVE

    async def test_switching_to_the_engine_compiles_in_the_background(self) -> None:
        told: list[str] = []
        compiler = Compiler(is_done=True)
        engine = SharedEngine(report=told.append, prepare=compiler)
        thinker = Thinker("simple", engine=engine)
        assert told == []
        await thinker.replace("engine")
        await engine.settle()
        assert (await thinker.choose(Position(5), Clock()), told) == (ENGINES_MOVE, ["engine: compiling"])

    async def test_a_failure_is_one_line_and_stand_ins_move(self) -> None:
        compiler = Compiler(ValueError("bad\nbyte\x1b[31m" + "x" * 1000), is_done=True)
        table = Table(compiler, is_patient=True)
        assert await table.move() == await SimplePlayer(0).choose(table.position.copy(), Clock())
        reason = "ValueError: bad byte [31m" + "x" * 187 + "..."
        others = "known openings and the simple player move instead"
        assert table.told == ["engine: compiling", f"engine: not available ({reason}): {others}"]

    async def test_too_little_address_space_is_noticed_before_the_compiler_aborts(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ready, "_address_space", lambda: 500)
        with pytest.raises(MemoryError, match="750 MiB of address space are needed, but the limit is 500"):
            ready.prepare(lambda _line: None)


#: The program with a compiler that never finishes.
ENDLESS = """
import importlib, sys, time
program = importlib.import_module("server.athens.command")
def prepare(progress, *players):
    progress("compiling")
    while True:
        time.sleep(0.001)
engine = importlib.import_module("quoridor_net.players.engine")
engine.SharedEngine.__init__.__kwdefaults__["prepare"] = prepare
program.qtp(sys.argv[1:], prog_name="quoridor qtp")
"""

#: The same without slow imports.
LIGHT = f"""
import sys
for heavy in ("numba", "numpy", "rich", "prompt_toolkit"):
    sys.modules[heavy] = None
{ENDLESS}
"""

#: Exit status and standard error; the program may exit before the thread reports anything.
QUIET_ENDS = ((0, b""), (0, b"engine: compiling\n"))

#: The program when numba cannot be imported.
BROKEN = """
import sys
sys.modules["numba"] = None
from server.athens.command import qtp
qtp(sys.argv[1:], prog_name="quoridor qtp")
"""


@pytest.mark.end_to_end
class TestAsAProgram:
    def run(self, program: str, sent: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-c", program, "--player", "engine", *options]
        return subprocess.run(command, input=sent, capture_output=True, timeout=PATIENCE, check=False)

    @pytest.mark.parametrize("options", [(), ("--think", "1")])
    def test_the_name_is_given_before_anything_heavy_is_loaded(self, options: tuple[str, ...]) -> None:
        """Only the preparation may load numba; answering must not."""
        done = self.run(LIGHT, b"name\nlist_commands\nquit\n", *options)
        assert done.stdout.startswith(b"= Quoridor Net\n\n= name\n")
        assert (done.returncode, done.stderr) in QUIET_ENDS

    @pytest.mark.parametrize("sent", [b"boardsize 5\nname\nquit\n", b"boardsize 5\nname\n"])
    def test_it_answers_and_quits_while_compiling(self, sent: bytes) -> None:
        done = self.run(ENDLESS, sent)
        assert (done.returncode, done.stderr) in QUIET_ENDS
        assert done.stdout.startswith(b"=\n\n= Quoridor Net\n\n")

    def test_a_port_is_served_and_interrupted_while_compiling(self) -> None:
        command = [sys.executable, "-c", ENDLESS, "--player", "engine", "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as served:
            assert served.stdout is not None
            assert b"is ready on port" in served.stdout.readline()
            served.send_signal(signal.SIGINT)
            try:
                _, complaints = served.communicate(timeout=PATIENCE)
            finally:
                served.kill()
        assert (served.returncode, complaints) in QUIET_ENDS

    def test_without_a_compiler_stand_ins_move(self) -> None:
        done = self.run(BROKEN, b"boardsize 5\ngenmove black\nquit\n", "--think", "0.1")
        assert (done.returncode, done.stdout) == (0, b"=\n\n= C4\n\n=\n\n")
        (failure,) = done.stderr.decode().splitlines()
        assert failure.startswith("engine: not available (ModuleNotFoundError: ")
        assert failure.endswith("): known openings and the simple player move instead")
