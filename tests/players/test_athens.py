"""Games against sloppy or broken engines as real processes: each verdict names the fault.

What sloppy engines write is listed from those of the Athens course.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from quoridor_net.events import Event, MoveMade
from quoridor_net.match import GameEnded, MatchSettings, PlayerOut, play_match
from quoridor_net.outcome import Result
from quoridor_net.players.athens import AthensPlayer
from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.process import ProgramLimits
from quoridor_net.programs.source import EngineSettings, EngineSource, open_engines
from quoridor_net.rules import Position, Termination
from tests.support import engine_programs
from tests.support.engine_programs import SLOPPY, find_marked, wait_until
from tests.support.loopback import listen_on_loopback
from tests.support.patience import PATIENCE
from tests.support.sources import open_players

pytestmark = pytest.mark.end_to_end


@pytest.fixture(autouse=True)
def _check_leftovers() -> object:
    yield
    # A killed process may take a moment to vanish.
    wait_until(lambda: not find_marked(os.getpid()))
    assert find_marked(os.getpid()) == []


def sloppy(habit: str, **settings: object) -> EngineSettings:
    return EngineSettings(engine_programs.sloppy(habit), **settings)  # type: ignore[arg-type]


async def play(
    black: EngineSource, white: EngineSource, move_time: float = 10.0, size: int = 9
) -> tuple[Result, list[PlayerOut[Position]]]:
    outs: list[PlayerOut[Position]] = []

    def listen(event: Event) -> None:
        if isinstance(event, PlayerOut):
            outs.append(event)

    settings = MatchSettings(Position(size, walls=10), move_time)
    players = [AthensPlayer(black, "black"), AthensPlayer(white, "white")]
    return await play_match(players, settings, [listen]), outs


async def play_against_sane(
    habit: str, move_time: float = 10.0, **settings: object
) -> tuple[Result, list[PlayerOut[Position]]]:
    async with open_engines(sloppy("sane")) as sane, open_engines(sloppy(habit, **settings)) as broken:
        return await play(broken, sane, move_time)


@pytest.mark.parametrize(
    "habit",
    [
        "sane",
        "no_blank",
        "blank_first",
        "one_newline",
        "many_newlines",
        "cr_lf",
        "lower_case",
        "prompt",
        "debug_lines",
        "replies_twice",
        "words_after",
        "control_characters",
        "split_reply",
        "complains_first",
        "split_by_blank_line",
        "comment_inside",
        "one_byte_at_a_time",
        "screams",
        "nameless",
        "empty_name",
        "silent_on_name",
        "ignores_quit",
    ],
)
async def test_sloppy_engines_play_to_the_end(habit: str) -> None:
    async with open_engines(sloppy(habit)) as black, open_engines(sloppy("sane")) as white:
        for _ in range(2):
            result, _ = await play(black, white)
            assert (result.winner, result.termination, result.plies) == (2, Termination.GOAL, 16)
        assert (black.remarks, white.remarks) == ([], [])


async def test_an_engine_answers_while_spectators_learn_of_a_move(tmp_path: Path) -> None:
    last: list[str] = []

    def listen(event: Event) -> None:
        if isinstance(event, MoveMade):
            log = (tmp_path / "black-1.log", tmp_path / "white-1.log")[event.player % 2]
            last.append(log.read_text(encoding="ascii").splitlines()[-1].partition(" C->S1 ")[2])

    async with (
        open_engines(sloppy("sane", log=tmp_path / "black")) as black,
        open_engines(sloppy("sane", log=tmp_path / "white")) as white,
    ):
        players = [AthensPlayer(black, "black"), AthensPlayer(white, "white")]
        await play_match(players, MatchSettings(Position(walls=10), 10.0), [listen])
    assert len(last) == 16
    assert all(line.startswith("b'playmove ") for line in last)


async def test_an_engine_that_does_not_flush_gets_a_terminal() -> None:
    settings = EngineSettings(
        EngineAddress(
            ("/usr/bin/env", "-u", "PYTHONUNBUFFERED", sys.executable, str(SLOPPY), "block_buffered")
        ),
        start_time=2.0,
    )
    async with open_engines(settings) as black, open_engines(sloppy("sane")) as white:
        result, _ = await play(black, white)
        assert (result.winner, result.termination) == (2, Termination.GOAL)
        # The process without a terminal has been let go.
        nurseries = trio.lowlevel.current_task().child_nurseries[-2:]
        assert [len(nursery.child_tasks) for nursery in nurseries] == [1, 1]
        assert [remark.partition("block_buffered ")[2] for remark in black.remarks] == [
            "does not flush its output, so it is given a terminal"
        ]


FAULTS = {
    "crashes_on_clear_board": (Termination.ENGINE_CRASH, "was killed by SIGSEGV on 'clear_board'"),
    "raises": (Termination.ENGINE_CRASH, "ended with exit status 1 on 'genmove black'"),
    "ends": (Termination.ENGINE_CRASH, "ended with exit status 0 on 'genmove black'"),
    "leaves_when_idle": (Termination.ENGINE_CRASH, "ended with exit status 3"),
    "refuses_size": (Termination.REFUSED_GAME, "refused 'boardsize 9'"),
    "refuses_moves": (
        Termination.REFUSED_MOVE,
        "refused a legal move: 'playmove white E2'",
    ),
    "knows_no_moves": (
        Termination.REFUSED_MOVE,
        "did not understand a legal move: 'playmove white E2'",
    ),
    "illegal": (Termination.ILLEGAL_MOVE, "played (4, 4), which is illegal: "),
    "illegal_wall": (Termination.ILLEGAL_MOVE, "played [(0, 8), h], which is illegal: "),
    "off_board": (Termination.UNPARSABLE_MOVE, "did not answer with a move: "),
    "garbage": (Termination.UNPARSABLE_MOVE, "did not answer with a move: "),
    "empty": (Termination.UNPARSABLE_MOVE, "gave an empty answer to 'genmove black'"),
    "fails": (Termination.UNPARSABLE_MOVE, "answered genmove with an error"),
    "resigns": (Termination.RESIGNED, "resigned"),
    "floods": (Termination.FLOODING, "wrote more than 8 MiB at once"),
    "endless_line": (Termination.FLOODING, "wrote a line of more than 65536 bytes"),
}


@pytest.mark.parametrize("habit", FAULTS)
async def test_each_fault_gets_its_verdict_and_sentence(habit: str) -> None:
    result, [out] = await play_against_sane(habit)
    termination, sentence = FAULTS[habit]
    assert (result.winner, result.termination) == (2, termination)
    assert out.fault.sentence.startswith(sentence)


async def test_the_offending_line_is_kept() -> None:
    _, [out] = await play_against_sane("garbage")
    assert out.fault.line == "= my best move"
    _, [out] = await play_against_sane("raises")
    assert out.fault.line == "RuntimeError: I give up"


@pytest.mark.parametrize("habit", ["hangs", "ignores_signals", "forks", "escapes", "burns_time"])
async def test_engines_that_hang_lose_on_time_and_vanish(habit: str) -> None:
    result, [out] = await play_against_sane(habit, move_time=0.5)
    assert (result.winner, result.termination) == (2, Termination.TOO_SLOW)
    assert out.fault.sentence == "did not answer within 0.5 s"


async def test_a_silent_engine_loses_on_time() -> None:
    async with open_engines(sloppy("silent", start_time=0.5)) as silent, open_engines(sloppy("sane")) as sane:
        result, [out] = await play(silent, sane)
    assert (result.winner, result.termination) == (2, Termination.TOO_SLOW)
    assert out.fault.sentence == "did not answer 'boardsize 9' within 0.5 s"
    assert silent.remarks == []


async def test_memory_is_limited_by_the_system() -> None:
    result, [out] = await play_against_sane("fills_memory", limits=ProgramLimits(memory=150))
    assert (result.winner, result.termination) == (2, Termination.MEMORY_LIMIT)
    sentence = "ran out of its 150 MiB of memory and ended with exit status 1 on 'genmove black'"
    assert out.fault.sentence == sentence


async def test_memory_of_this_program_is_not_counted_as_that_of_an_engine() -> None:
    _ballast = bytearray(200 << 20)
    result, [out] = await play_against_sane("raises", limits=ProgramLimits(memory=150))
    assert (result.winner, result.termination) == (2, Termination.ENGINE_CRASH)
    assert out.fault.sentence.startswith("ended with exit status 1")


async def test_a_java_virtual_machine_without_room_gets_a_hint() -> None:
    _, [out] = await play_against_sane("needs_room", limits=ProgramLimits(memory=150))
    assert (out.fault.termination, out.fault.line) == (
        Termination.MEMORY_LIMIT,
        "Could not reserve enough space",
    )
    assert out.fault.sentence.endswith(
        "on 'genmove black' (a Java virtual machine reserves more memory than it uses: try --memory-limit 0)"
    )


async def test_the_same_remark_is_kept_only_once() -> None:
    async with open_engines(sloppy("sane")) as source:
        source.remark("coughs")
        source.remark("coughs")
        assert len(source.remarks) == 1


async def test_an_engine_may_report_that_a_stand_in_moves() -> None:
    async with open_engines(sloppy("has_stand_in")) as black, open_engines(sloppy("sane")) as white:
        await play(black, white)
    assert [remark.partition("has_stand_in ")[2] for remark in black.remarks] == [
        "says 'engine: not ready: known openings and the simple player move'"
    ]


async def test_processor_time_is_limited_by_the_system() -> None:
    result, [out] = await play_against_sane("burns_time", limits=ProgramLimits(cpu=1))
    assert (result.winner, result.termination) == (2, Termination.TOO_SLOW)
    assert (
        out.fault.sentence == "used up its 1 s of processor time and was killed by SIGKILL on 'genmove black'"
    )


async def test_a_missing_program_makes_the_game_void() -> None:
    nowhere = EngineSettings(EngineAddress(("./no-such-engine",)))
    events: list[Event] = []
    with pytest.RaisesGroup(OSError, flatten_subgroups=True, allow_unwrapped=True):
        async with open_engines(nowhere) as missing, open_engines(sloppy("sane")) as sane:
            await play_match([AthensPlayer(missing), AthensPlayer(sane)], None, [events.append])
    ended = events[-1]
    assert isinstance(ended, GameEnded)
    assert ended.result.is_void
    sentence = "The game does not count: no-such-engine could not be run and ended with exit status 127"
    assert ended.result.sentence.startswith(sentence)


async def test_a_program_that_ends_as_a_missing_one_in_its_game_loses_it() -> None:
    command = ("sh", "-c", 'for n in 1 2 3 4; do read -r _; printf "=\\n\\n"; done; read -r _; exit 127')
    async with (
        open_engines(EngineSettings(EngineAddress(command))) as source,
        open_engines(sloppy("sane")) as sane,
    ):
        result, [out] = await play(source, sane)
    assert (result.winner, result.termination) == (2, Termination.ENGINE_CRASH)
    assert out.fault.sentence.startswith("could not be run and ended with exit status 127")


async def test_engines_get_a_short_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    monkeypatch.setenv("LC_TIME", "C")
    async with open_engines(sloppy("tells_environment")) as source:
        engine = await source.acquire(Position(), 10)
        source.release(engine)
    assert engine.name == "PATH LC_TIME PYTHONUNBUFFERED"


async def test_an_engine_that_crashes_in_its_second_game_is_restarted() -> None:
    async with open_engines(sloppy("crashes_on_second_game")) as black, open_engines(sloppy("sane")) as white:
        for _ in range(3):
            result, _ = await play(black, white)
            assert result.termination is Termination.GOAL
        assert len(black.remarks) == 1
        assert "was killed by SIGABRT on 'boardsize 9' before another game" in black.remarks[0]


@pytest.mark.parametrize("seat", [0, 1])
async def test_a_crash_in_a_later_game_of_a_process_makes_that_game_void(seat: int) -> None:
    async with open_engines(sloppy("crashes_in_second_game")) as odd, open_engines(sloppy("sane")) as sane:
        sources = (odd, sane) if seat == 0 else (sane, odd)
        first, void, *others = [(await play(*sources))[0] for _ in range(4)]
        assert [result.termination for result in (first, *others)] == [Termination.GOAL] * 3
        assert (void.winner, void.termination) == (None, Termination.ABORTED)
        assert "was killed by SIGABRT on '" in void.sentence
        assert void.sentence.endswith("in a process that had already played a game.")
        assert len(odd.remarks) == 1
        assert odd.remarks[0].endswith("in a later game, so each game gets a new process")


async def test_a_crash_in_the_first_game_of_a_process_costs_the_game() -> None:
    async with open_engines(sloppy("raises")) as odd, open_engines(sloppy("sane")) as sane:
        for _ in range(2):
            result, _ = await play(odd, sane)
            assert (result.winner, result.termination) == (2, Termination.ENGINE_CRASH)


async def test_an_engine_that_refuses_its_second_game_is_not_asked_again(tmp_path: Path) -> None:
    async with open_engines(sloppy("refuses_second_game", log=tmp_path / "engine")) as source:
        engines = [await source.acquire(Position(), 10) for _ in range(3)]
        for engine in engines:
            source.release(engine)
        # Those that wait would refuse it, too.
        fresh = await source.acquire(Position(), 10)
        assert fresh not in engines
        source.release(fresh)
        assert len(source.remarks) == 1
    asked = [(tmp_path / f"engine-{number}.log").read_text().count("boardsize") for number in (1, 2, 3, 4)]
    assert sorted(asked) == [1, 1, 1, 2]


async def test_engines_are_kept_between_games_by_default() -> None:
    for is_kept in (True, False):
        async with open_engines(sloppy("sane", is_kept=is_kept)) as black:
            first = await black.acquire(Position(), 10)
            black.release(first)
            second = await black.acquire(Position(), 10)
            assert (first is second) is is_kept
            black.release(second)


async def test_stopped_engines_play_no_other_game() -> None:
    async with open_engines(sloppy("sane")) as black:
        playing = await black.acquire(Position(), 10)
        await black.prepare()
        black.close()
        engine = await black.acquire(Position(), 10)
        await wait_all_tasks_blocked()
        assert (await engine.link.ask("name")).is_success
        black.release(engine)
        black.release(playing)
        with trio.fail_after(PATIENCE):
            await playing.gone.wait()


@pytest.mark.parametrize("size", [5, 12, 25])
async def test_other_sizes_are_played(size: int) -> None:
    async with open_engines(sloppy("sane")) as black, open_engines(sloppy("lower_case")) as white:
        result, _ = await play(black, white, size=size)
    assert (result.winner, result.plies) == (2, 2 * (size - 1))


async def test_cancelling_a_match_kills_the_engines() -> None:
    async with open_engines(sloppy("forks")) as black, open_engines(sloppy("sane")) as white:
        with trio.move_on_after(0.5) as scope:
            await play(black, white, move_time=60)
        assert scope.cancelled_caught


async def test_an_engine_that_closes_its_tcp_connection_loses() -> None:
    async def hang_up(stream: trio.SocketStream) -> None:
        await stream.receive_some()
        await stream.send_all(b"=\n\n")
        # Closing before the next command arrives would reset the connection.
        await stream.receive_some()

    async with (
        listen_on_loopback(hang_up) as endpoint,
        open_players(f"tcp:{endpoint}") as factory,
        open_engines(sloppy("sane")) as white,
    ):
        players = [factory(None), AthensPlayer(white)]
        result = await play_match(players, MatchSettings(move_time=5))
        assert (result.winner, result.termination) == (2, Termination.DISCONNECTED)
        assert result.sentence.endswith("closed the connection on 'clear_board'.")
