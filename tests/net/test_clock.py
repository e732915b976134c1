"""The clock of all time limits: it runs while the process could run, and stands still while it is stopped."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import trio
import trio.lowlevel
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.clocks import GameClock
from quoridor_net.match import MatchSettings
from quoridor_net.match.match_game import MatchGame
from quoridor_net.net.clock import BEAT, SHORTEST_STOP, RunningClock, run
from quoridor_net.rules import Move, Position
from tests.support import preloaded
from tests.support.engine_programs import sloppy_command


class Machine:
    """A machine with a process that waits, computes and is stopped."""

    def __init__(self) -> None:
        self.real = 1000.0
        self.used = 0.0
        self.clock = RunningClock(lambda: self.real, lambda: self.used)

    def wait(self, seconds: float) -> None:
        """Wait for something that comes in ``seconds``, as trio does."""
        end = self.clock.current_time() + seconds
        while (rest := self.clock.deadline_to_sleep_time(end)) > 1e-9:
            self.real += rest
            self.clock.current_time()

    def compute(self, seconds: float) -> None:
        self.real += seconds
        self.used += seconds

    def stop(self, seconds: float) -> None:
        self.real += seconds


@pytest.fixture
def machine() -> Machine:
    return Machine()


def test_waiting_counts(machine: Machine) -> None:
    before = machine.clock.current_time()
    machine.wait(600)
    assert machine.clock.current_time() - before == pytest.approx(600)


@pytest.mark.parametrize("seconds", [0.5, 5.0, 36_000.0])
def test_a_stop_between_two_waits_does_not_count(machine: Machine, seconds: float) -> None:
    before = machine.clock.current_time()
    machine.wait(3)
    machine.stop(seconds)
    machine.wait(2)
    assert machine.clock.current_time() - before == pytest.approx(5)


def test_a_stop_during_a_wait_counts_one_beat_at_most(machine: Machine) -> None:
    before = machine.clock.current_time()
    assert machine.clock.deadline_to_sleep_time(before + 30) == BEAT
    machine.stop(5)
    assert machine.clock.current_time() - before == pytest.approx(BEAT)


def test_each_of_several_stops_is_left_out(machine: Machine) -> None:
    before = machine.clock.current_time()
    for _ in range(10):
        machine.wait(1)
        machine.stop(2)
    assert machine.clock.current_time() - before == pytest.approx(10)


@given(
    st.lists(
        st.tuples(st.floats(0, 30), st.lists(st.floats(0.5, 1e5), max_size=2), st.floats(0, 30)), max_size=20
    ),
    st.floats(0, 5),
)
def test_stops_never_run_the_clock_of_a_game(
    turns: list[tuple[float, list[float], float]], increment: float
) -> None:
    machine = Machine()
    game: MatchGame[Position, Move] = MatchGame(
        ("ann", "bob"), Position(), MatchSettings(clock=GameClock(1500, increment))
    )
    thought = {1: 0.0, 2: 0.0}
    moves = {1: 0, 2: 0}
    for before, stops, after in turns:
        player = game.turn
        assert player is not None
        asked = machine.clock.current_time()
        machine.wait(before)
        for stop in stops:
            machine.stop(stop)
            machine.wait(0.01)
        machine.wait(after)
        thought[player] += before + 0.01 * len(stops) + after
        moves[player] += 1
        here = game.position.pawn(player)
        assert here is not None
        step = next(move for move in game.position.legal_steps if move.square.column != here.column)
        game.play(player, step, machine.clock.current_time() - asked, "")
    for player in (1, 2):
        left = 1500 + increment * moves[player] - thought[player]
        assert game.left(player) == pytest.approx(left, abs=1e-6)


def test_computing_counts(machine: Machine) -> None:
    before = machine.clock.current_time()
    machine.compute(7)
    assert machine.clock.current_time() - before == pytest.approx(7)


def test_waiting_for_a_turn_on_a_busy_machine_counts(machine: Machine) -> None:
    before = machine.clock.current_time()
    for _ in range(100):
        machine.stop(SHORTEST_STOP)
        machine.clock.current_time()
    assert machine.clock.current_time() - before == pytest.approx(100 * SHORTEST_STOP)


def test_a_stop_after_much_computing_is_noticed(machine: Machine) -> None:
    for _ in range(100):
        machine.compute(1)
        machine.clock.current_time()
    before = machine.clock.current_time()
    machine.stop(5)
    assert machine.clock.current_time() == before


def test_the_clock_never_runs_backwards(machine: Machine) -> None:
    times = []
    for number in range(50):
        machine.stop(number * 0.05)
        times.append(machine.clock.current_time())
        machine.wait(0.07 * (number % 3))
        times.append(machine.clock.current_time())
    assert times == sorted(times)


def test_a_time_limit_leaves_out_a_stop() -> None:
    clock = RunningClock()

    async def wait() -> float:
        with trio.move_on_after(0.3) as scope:
            await trio.sleep(0.05)
            # Not computing, like a process that is stopped.
            time.sleep(0.6)  # noqa: ASYNC251
            await trio.sleep(0.05)
        assert not scope.cancelled_caught
        return trio.current_time()

    trio.run(wait, clock=clock)
    assert clock.stopped > 0.5


def test_work_gets_its_arguments_and_returns_its_outcome() -> None:
    async def add(one: int, other: int) -> int:
        await trio.lowlevel.checkpoint()
        return one + other

    assert run(add, 1, 2) == 3


def test_every_command_that_limits_time_runs_with_this_clock() -> None:
    root = Path(__file__).parents[2]
    files = [
        path for folder in ("quoridor_net", "client", "server") for path in (root / folder).rglob("*.py")
    ]
    found = {str(path.relative_to(root)) for path in files if "trio.run(" in path.read_text(encoding="utf-8")}
    # The last two only listen for a moment.
    assert found == {"quoridor_net/net/clock.py", "quoridor_net/cli/web.py", "quoridor_net/cli/doctor.py"}


@pytest.mark.end_to_end
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="Windows cannot stop processes")
def test_the_time_of_a_stopped_referee_is_not_charged() -> None:
    stop = 3.0
    command = [sys.executable, "-m", "quoridor_net", "referee", "--verbose", "1", "--maximum_time", "2.5"]
    command += ["--size", "3"]
    engine = sloppy_command("ponders")
    with preloaded.Popen(
        [*command, "--white", engine, "--black", engine], stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        lines = iter(program.stdout.readline, "")
        told = [next(line for line in lines if "   1 black" in line)]
        # Until white thinks.
        time.sleep(0.1)
        os.kill(program.pid, signal.SIGSTOP)
        time.sleep(stop)
        os.kill(program.pid, signal.SIGCONT)
        told += lines
    output = "".join(told)
    assert "[goal, 4 plies]" in output
    [total] = re.findall("^total time .*", output, re.MULTILINE)
    thought = [float(seconds) for seconds in re.findall(r"#\d (\d+\.\d+) s", total)]
    assert len(thought) == 2
    assert sum(thought) < stop
