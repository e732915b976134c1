"""Complete sessions of the engine front end, over streams in memory and over real TCP connections."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest
import trio
from click.testing import CliRunner
from trio.testing import MockClock, memory_stream_pair

from quoridor_net.outcome import ForfeitError
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock, Player, Seating
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.players.source import list_built_in
from quoridor_net.protocols.athens import EngineRole
from quoridor_net.rules import Move, Position, Square, Step, Termination
from server.athens import command
from server.athens.command import MAX_MOVE_TIME
from server.athens.listener import serve_sessions
from server.athens.private import PrivateCommands
from server.athens.session import CHUNK, ControllerSession
from server.athens.thinker import Thinker
from tests.support import preloaded
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.compiled("engine")


def make_session() -> ControllerSession:
    thinker = Thinker("simple", seed=1)
    private = PrivateCommands(thinker)
    return ControllerSession(EngineRole("Test", private.names), thinker, private)


class Stubborn(Player[Position, Move]):
    """Fails with the given error."""

    def __init__(self, answer: Move | Exception) -> None:
        self.answer = answer
        self.has_left = False

    async def choose(self, position: Position, clock: Clock) -> Move:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    async def leave(self) -> None:
        self.has_left = True


async def converse(sent: bytes, session: ControllerSession | None = None) -> bytes:
    """Send all input at once, end it, and return all answers."""
    ours, theirs = memory_stream_pair()
    answered = bytearray()

    async def engine() -> None:
        await (session or make_session()).run(theirs, theirs)
        await theirs.send_eof()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(engine)
        await ours.send_all(sent)
        await ours.send_eof()
        while data := await ours.receive_some():
            answered += data
    return bytes(answered)


class TestInMemory:
    async def test_pipelined_commands_are_answered_in_order(self) -> None:
        sent = b"boardsize 5\nclear_board\nwalls 3\ngenmove black\nplaymove white C2\nwinner\nquit\nname\n"
        assert await converse(sent) == b"=\n\n" * 3 + b"= C4\n\n" + b"=\n\n" + b"= false\n\n" + b"=\n\n"

    async def test_the_end_of_the_input_ends_the_session_after_the_last_answer(self) -> None:
        assert await converse(b"name\nname") == b"= Test\n\n" * 2

    async def test_a_complete_game_is_played(self) -> None:
        answered = await converse(b"genmove black\ngenmove white\n" * 100 + b"winner\n")
        *moves, winner = answered.decode().split("\n\n")[:-1]
        assert winner in {"= true black", "= true white"}
        assert "= pass" in moves
        assert not any(move.startswith("?") for move in moves)

    async def test_a_player_that_gives_up_fails_genmove_and_changes_nothing(self) -> None:
        for answer, told in (
            (
                ForfeitError(Termination.DISCONNECTED, Translatable("lost the connection")),
                b"lost the connection",
            ),
            (Step(Square(0, 0)), b"A9 is illegal: the pawn on E9 cannot get to A9 in one move"),
        ):
            player = Stubborn(answer)
            session = ControllerSession(EngineRole("Test"), player)
            answered = await converse(b"genmove black\nundo\nquit\n", session)
            assert answered == b"? " + told + b"\n\n? cannot undo\n\n=\n\n"
            assert player.has_left

    async def test_the_player_begins_whenever_the_controller_does(self) -> None:
        sizes: list[int] = []

        class Noting(SimplePlayer):
            async def begin(self, seating: Seating[Position]) -> None:
                sizes.append(seating.position.size)

        sent = b"name\nboardsize 5\nplaymove black C4\nname\nclear_board\n"
        await converse(sent, ControllerSession(EngineRole("Test"), Noting()))
        assert sizes == [5, 5]

    async def test_clocks_are_full_after_a_game_was_loaded(self, tmp_path: Path) -> None:
        path = tmp_path / "game.tq1"
        thinker = Thinker("simple")
        private = PrivateCommands(thinker, has_files=True)
        sent = f"playmove black E8\nqn-save_replay {path}\nqn-time_settings 60 0\nqn-time_left black 5\n"
        session = ControllerSession(EngineRole("Test", private.names), thinker, private)
        answered = await converse(f"{sent}qn-load_replay {path}\n".encode(), session)
        assert answered == b"=\n\n" * 5
        assert thinker.left == {1: 60, 2: 60}

    @pytest.mark.parametrize(
        ("sent", "answered"),
        [
            (b"qn-player", "= simple"),
            (b"qn-player random\nqn-player", "=\n\n= random"),
            (b"qn-player nobody", "? unknown player; qn-players lists them"),
            (b"qn-position", "=  /  / e1 e9 / 10 10 / 1"),
            (b"boardsize 3\nwalls 0\nqn-legal_moves white", "=\n\n=\n\n= B2\nA1\nC1"),
            (b"qn-legal_moves", "? syntax error"),
            (b"qn-seed 5", "="),
            (b"qn-seed five", "? syntax error"),
            (b"qn-time_settings 60 2", "="),
            (b"qn-time_settings 60", "? syntax error"),
            (b"qn-time_left black 30", "="),
            (b"qn-time_left 30", "? syntax error"),
            (
                b"walls 0\nqn-analyze white\nundo",
                "=\n\n= move E2\nblack distance 8 walls 0\nwhite distance 8 walls 0\n\n? cannot undo",
            ),
        ],
    )
    async def test_private_commands_are_answered(self, sent: bytes, answered: str) -> None:
        assert (await converse(sent + b"\nname\n")).decode() == f"{answered}\n\n= Test\n\n"

    async def test_the_players_of_the_registry_are_listed(self) -> None:
        assert (await converse(b"qn-players\n")).decode() == "= " + "\n".join(
            sorted(list_built_in())
        ) + "\n\n"


class Timed(SimplePlayer):
    """Records the clocks of its requests."""

    clocks: ClassVar[list[Clock]] = []

    async def choose(self, position: Position, clock: Clock) -> Move:
        self.clocks.append(clock)
        return await super().choose(position, clock)


async def clock_for(thinker: Thinker) -> Clock:
    await thinker.choose(Position(5), Clock())
    return Timed.clocks[-1]


class TestClocks:
    async def test_a_player_gets_its_remaining_time(self) -> None:
        thinker = Thinker("timed", move_time=5, factories={"timed": Timed})
        assert await clock_for(thinker) == Clock(5)
        await thinker.set_times(40, None)
        assert await clock_for(thinker) == Clock(5, 40)
        thinker.left[1] = 10
        assert await clock_for(thinker) == Clock(5, 10)
        # The smaller limit per move counts, so the one from the start still applies.
        for move_time, expected in ((7, 5), (3, 3), (None, 5)):
            await thinker.set_times(None, move_time)
            assert await clock_for(thinker) == Clock(expected)
        await thinker.set_times(40, None)
        thinker.left[1] = 10
        await thinker.begin(Seating(1, ("black", "white"), Position(5)))
        assert await clock_for(thinker) == Clock(5, 40)

    async def test_thinking_counts_against_the_own_clock(self, autojump_clock: MockClock) -> None:
        class Pondering(SimplePlayer):
            async def choose(self, position: Position, clock: Clock) -> Move:
                await trio.sleep(3)
                return await super().choose(position, clock)

        thinker = Thinker("slow", factories={"slow": Pondering})
        await thinker.set_times(40, None)
        await trio.sleep(100)
        for left in (37, 34):
            await thinker.choose(Position(), Clock())
            assert thinker.left == {1: pytest.approx(left), 2: 40}

    @pytest.mark.parametrize(
        ("options", "most"),
        [
            ([], 2**31 - 1),
            (["--port", "0"], MAX_MOVE_TIME),
            (["--port", "0", "--think", str(2 * MAX_MOVE_TIME)], 2 * MAX_MOVE_TIME),
        ],
    )
    async def test_controllers_on_a_port_cannot_make_the_player_think_for_long(
        self, options: list[str], most: float, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        thinkers: list[Thinker] = []

        class Noted(Thinker):
            def __init__(self, *arguments: Any) -> None:
                super().__init__(*arguments)
                thinkers.append(self)

        def run(make_session: Callable[[], ControllerSession], *_others: object) -> int:
            make_session()
            return 0

        monkeypatch.setattr(command, "Thinker", Noted)
        monkeypatch.setattr(command, "run_on_standard_streams", run)
        monkeypatch.setattr(command, "run_on_port", run)
        assert CliRunner().invoke(command.qtp, ["--player", "simple", *options]).exit_code == 0
        await thinkers[0].set_times(None, 2**31 - 1)
        thinkers[0].factories = {"simple": Timed}
        assert await clock_for(thinkers[0]) == Clock(most)

    async def test_private_commands_cannot_exceed_the_time_per_move(self) -> None:
        thinker = Thinker("timed", factories={"timed": Timed}, max_time=10)
        assert await clock_for(thinker) == Clock()
        await thinker.set_times(None, 2**31 - 1)
        assert await clock_for(thinker) == Clock(10)
        await thinker.set_times(2**31 - 1, None)
        assert await clock_for(thinker) == Clock(10, 2**31 - 1)
        await thinker.set_times(None, 3)
        assert await clock_for(thinker) == Clock(3)


class TestOverTcp:
    async def test_sessions_are_independent_and_quit_is_answered_before_the_connection_closes(self) -> None:
        async with trio.open_nursery() as nursery:
            serve = partial(serve_sessions, make_session, 0, "127.0.0.1", sessions=20)
            port = await nursery.start(serve)
            streams = [await trio.open_tcp_stream("127.0.0.1", port) for _ in range(20)]
            for size, stream in enumerate(streams, 3):
                await stream.send_all(b"boardsize %d\nqn-position\nquit\nname\n" % size)
            for size, stream in enumerate(streams, 3):
                answered = b""
                while data := await stream.receive_some():
                    answered += data
                last = b" / 1" if size == 9 else b" / 1 / %d" % size
                assert answered.endswith(last + b"\n\n=\n\n")
                await stream.aclose()
            nursery.cancel_scope.cancel()

    async def test_input_after_quit_does_not_reset_the_connection(self) -> None:
        async with trio.open_nursery() as nursery:
            port = await nursery.start(partial(serve_sessions, make_session, 0, "127.0.0.1"))
            stream = await trio.open_tcp_stream("127.0.0.1", port)
            await stream.send_all(b"name\nquit\n" + b"# nothing\n" * CHUNK)
            answered = b""
            while data := await stream.receive_some():
                answered += data
            assert answered == b"= Test\n\n=\n\n"
            await stream.aclose()
            nursery.cancel_scope.cancel()

    async def test_the_failure_of_a_session_closes_only_that_one(self) -> None:
        complaints: list[str] = []
        sources = iter([Stubborn(ZeroDivisionError("oops")), Stubborn(Step(Square(4, 1)))])

        def make() -> ControllerSession:
            return ControllerSession(EngineRole("Test"), next(sources))

        async with trio.open_nursery() as nursery:
            serve = partial(serve_sessions, make, 0, "127.0.0.1", complaints.append)
            port = await nursery.start(serve)
            for expected in (b"", b"= E8\n\n"):
                stream = await trio.open_tcp_stream("127.0.0.1", port)
                await stream.send_all(b"genmove black\n")
                assert await stream.receive_some() == expected
                await stream.aclose()
            nursery.cancel_scope.cancel()
        assert complaints == ["a session was closed after an internal error: ZeroDivisionError('oops')"]


@pytest.mark.end_to_end
class TestAsAProgram:
    def run(self, *arguments: str, sent: bytes) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "server.athens.command", *arguments]
        return preloaded.run(command, sent=sent, text=False)

    def test_standard_streams_are_served(self) -> None:
        done = self.run("--player", "simple", "-seed", "7", sent=b"name\ngenmove black\nquit\n")
        assert (done.returncode, done.stdout, done.stderr) == (0, b"= Quoridor Net\n\n= E8\n\n=\n\n", b"")

    def test_a_port_in_use_is_a_problem(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            done = self.run("--port", str(taken.getsockname()[1]), sent=b"")
        assert done.returncode == 3
        assert done.stderr.startswith(b"Error: cannot listen on 127.0.0.1, port ")
        assert b"Address already in use. Choose another with --port; 0 picks a free one." in done.stderr
        assert done.stderr.count(b"\n") == 1

    @pytest.mark.skipif(
        not Path("/dev/full").exists(), reason="this system has no device that is always full"
    )
    def test_a_full_disk_is_reported(self) -> None:
        with Path("/dev/full").open("wb") as full:
            command = [sys.executable, "-m", "server.athens.command", "--player", "simple"]
            done = preloaded.run(command, sent=b"name\n", stdout=full, text=False)
        assert done.returncode == 1
        assert done.stderr == b"Error: the answers cannot be written: No space left on device.\n"

    def test_a_closed_output_is_reported(self) -> None:
        command = f"echo name | {sys.executable} -m server.athens.command --player simple >&-"
        done = subprocess.run(["bash", "-c", command], stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
        assert done.returncode == 1
        assert done.stderr == b"Error: the answers cannot be written: standard output is closed.\n"

    @pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no device that never ends")
    def test_an_input_without_a_line_end_is_refused(self) -> None:
        command = [sys.executable, "-m", "server.athens.command", "--player", "simple"]
        with Path("/dev/zero").open("rb") as endless:
            done = preloaded.run(command, stdin=endless, text=False)
        assert (done.returncode, done.stdout) == (1, b"")
        assert done.stderr == b"Error: the input is one line without an end.\n"

    def test_the_engine_answers_and_explains(self) -> None:
        sent = b"boardsize 5\nwalls 2\ngenmove black\nqn-analyze white\nqn-time_settings 0 1\nquit\n"
        done = self.run("--player", "engine", "--depth", "2", "--seed", "1", sent=sent)
        size, walls, move, analysis, times, quit_ = done.stdout.decode().split("\n\n")[:-1]
        assert (done.returncode, size, walls, times, quit_) == (0, "=", "=", "=", "=")
        assert move.startswith("= ")
        words = [line.split()[0] for line in analysis.removeprefix("= ").splitlines()]
        assert words == ["move", "black", "white", "score", "depth", "line"]

    def test_conflicting_options_are_refused(self) -> None:
        done = self.run("--player", "simple", "--depth", "2", sent=b"")
        assert done.returncode == 2
        assert b"--level, --think, --nodes, --depth and --threads need --player engine." in done.stderr
        done = self.run("--lan", "localhost:1", "--player", "random", sent=b"")
        assert done.returncode == 2
        assert b"--lan excludes --player and --think" in done.stderr
        done = self.run("--player", "localhost:1", "--think", "1", sent=b"")
        assert done.returncode == 2
        assert b"--think has no effect with a move server" in done.stderr
        done = self.run("--player", "tcp:localhost:1", sent=b"")
        assert done.returncode == 2
        assert b"--player tcp:localhost:1 already speaks the Athens protocol." in done.stderr
