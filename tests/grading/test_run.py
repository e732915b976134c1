"""Whatever a program does, the result is a grade that says what happened."""

from __future__ import annotations

import pytest
import trio
from attrs import evolve

from quoridor_net.check.findings import CheckVerdict
from quoridor_net.grading import run
from quoridor_net.grading.grade import Ending, Grade, GradedGame, Mistake
from quoridor_net.grading.run import GIVE_UP, GradeSettings, grade_program
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.players import Player
from quoridor_net.players.random import RandomPlayer
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.players.spec import PlayerSpec
from quoridor_net.rules import Move, Position
from quoridor_net.verdicts import VerdictPhrase
from tests.grading.programs import (
    SETTINGS,
    Program,
    Scripted,
    fail_to_start,
    jump_across,
    never_started,
    think_forever,
)


@pytest.fixture(autouse=True)
def no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the analysis, which needs the engine."""

    async def find_nothing(games: list[GradedGame], start: Position, found: list[Mistake]) -> None:
        await trio.lowlevel.checkpoint()

    monkeypatch.setattr(run, "find_mistakes", find_nothing)


async def grade(program: Program, settings: GradeSettings = SETTINGS, **others: object) -> Grade:
    found = await grade_program(program, settings, **others)  # type: ignore[arg-type]
    assert not program.is_open
    return found


async def test_a_sound_program_gets_a_level(autojump_clock: trio.testing.MockClock) -> None:
    lines: list[str] = []
    found = await grade(Program(), evolve(SETTINGS, games=8), report=lines.append)
    assert found.ending is Ending.KNOWN
    assert found.placement is not None
    assert found.placement.games == len(found.games) == 8
    assert found.checks == {CheckVerdict.PASSED: 1}
    assert found.faults == []
    assert found.name == "qnt:simple"
    assert found.times.moves == sum(len(game.plies) - game.opening for game in found.games) // 2 + 1
    assert lines[:2] == ["Checking.", "HELLO and IAM: passed"]
    assert lines[-2].startswith("game 8 against ")
    # Both colours, from the same opening.
    for first, second in zip(found.games[::2], found.games[1::2], strict=True):
        assert (first.seat, second.seat) == (1, 2)
        assert first.opponent == second.opponent
        assert first.plies[: first.opening] == second.plies[: second.opening]
        assert first.opening > 0


async def test_opponents_are_ready_before_the_first_game(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    ready: list[tuple[list[str], list[str]]] = []

    async def note(specs: list[PlayerSpec], _report: object) -> None:
        await trio.lowlevel.checkpoint()
        ready.append(([spec.address for spec in specs], lines[:]))

    monkeypatch.setattr(run, "warm_up", note)
    await grade(Program(), report=lines.append)
    ((opponents, before),) = ready
    assert opponents == [rung.spec for rung in SETTINGS.ladder]
    assert not any(line.startswith("game ") for line in before)


async def test_the_same_seed_gives_the_same_grade(autojump_clock: trio.testing.MockClock) -> None:
    grades = [await grade(Program(SimplePlayer), evolve(SETTINGS, seed=seed, games=4)) for seed in (5, 5, 6)]
    games = [[(game.opponent, game.result, game.plies) for game in each.games] for each in grades]
    assert games[0] == games[1] != games[2]


async def test_openings_and_seeds_do_not_depend_on_the_program(
    autojump_clock: trio.testing.MockClock,
) -> None:
    one = await grade(Program(), evolve(SETTINGS, games=4))
    other = await grade(Program(RandomPlayer), evolve(SETTINGS, games=4))
    for mine, theirs in zip(one.games, other.games, strict=True):
        assert mine.plies[: mine.opening] == theirs.plies[: theirs.opening]


async def test_a_program_that_loses_all_games_by_faults_is_not_asked_for_more(
    autojump_clock: trio.testing.MockClock,
) -> None:
    found = await grade(Program(lambda _: Scripted(jump_across)))
    assert found.ending is Ending.FAULTS
    assert not found.is_partial
    assert len(found.games) == len(found.faults) == GIVE_UP
    assert {game.result.termination for game in found.faults} == {Termination.ILLEGAL_MOVE}
    assert all("which is illegal" in game.fault for game in found.faults)
    assert found.placement is not None
    assert found.placement.level < 0.5


async def test_a_program_that_never_answers_costs_six_move_times(
    autojump_clock: trio.testing.MockClock,
) -> None:
    started = trio.current_time()
    found = await grade(Program(lambda _: Scripted(think_forever)))
    assert found.ending is Ending.FAULTS
    assert {game.result.termination for game in found.faults} == {Termination.TOO_SLOW}
    assert found.faults[0].fault == "did not answer within 10 s"
    assert trio.current_time() - started == pytest.approx(60, abs=1)


async def test_a_fault_costs_its_game_only(autojump_clock: trio.testing.MockClock) -> None:
    found = await grade(
        Program(lambda game: Scripted(jump_across) if game == 3 else SimplePlayer(game)),
        evolve(SETTINGS, games=8),
    )
    assert [game.number for game in found.faults] == [3]
    assert len(found.games) == 8


async def test_resigning_is_no_fault(autojump_clock: trio.testing.MockClock) -> None:
    async def resign(position: Position) -> Move:
        raise ForfeitError(Termination.RESIGNED, VerdictPhrase.RESIGNED())

    found = await grade(Program(lambda _: Scripted(resign)))
    assert found.faults == []
    assert found.ending is Ending.KNOWN


async def test_games_of_a_program_that_is_gone_stay(autojump_clock: trio.testing.MockClock) -> None:
    def players(game: int) -> Player[Position, Move]:
        return SimplePlayer(game) if game < 4 else never_started(game)

    found = await grade(Program(players))
    assert found.ending is Ending.GONE
    assert found.is_partial
    assert found.detail == "cannot be reached: Connection refused"
    assert [game.number for game in found.games] == [1, 2, 3]
    assert found.placement is not None


async def test_a_program_that_cannot_be_started_is_not_available(
    autojump_clock: trio.testing.MockClock,
) -> None:
    program = Program(before_check=fail_to_start)
    found = await grade(program)
    assert (found.ending, found.games, found.placement) == (Ending.UNAVAILABLE, [], None)
    assert found.detail == "cannot be started: No such file or directory"
    assert program.games == 0


async def test_a_program_without_a_check_that_could_run_plays_no_games(
    autojump_clock: trio.testing.MockClock,
) -> None:
    program = Program(verdict=CheckVerdict.SKIPPED)
    lines: list[str] = []
    found = await grade(program, report=lines.append)
    assert lines == ["Checking."]
    assert (found.ending, found.detail) == (Ending.UNAVAILABLE, "no answer")
    assert program.games == 0


async def test_a_program_that_fails_checks_plays_games(autojump_clock: trio.testing.MockClock) -> None:
    found = await grade(Program(verdict=CheckVerdict.FAILED), evolve(SETTINGS, games=2))
    assert found.checks == {CheckVerdict.FAILED: 1}
    assert len(found.games) == 2


async def test_time_ends_the_games_and_the_finished_ones_count(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def think(position: Position) -> Move:
        await trio.sleep(1)
        return position.legal_steps[0]

    found = await grade(Program(lambda _: Scripted(think)), evolve(SETTINGS, seconds=60))
    assert found.ending is Ending.TIME
    assert not found.is_partial
    assert 0 < len(found.games) < 8


async def test_an_interruption_of_the_check_leaves_its_findings(
    autojump_clock: trio.testing.MockClock,
) -> None:
    stop = trio.CancelScope()

    async def interrupt() -> None:
        stop.cancel()
        await trio.sleep_forever()

    program = Program(before_check=interrupt)
    found = await grade(program, stop=stop)
    assert found.ending is Ending.INTERRUPTED
    assert found.report is not None
    assert found.report.is_interrupted
    assert program.games == 0


async def test_an_interruption_of_the_games_leaves_the_finished_ones(
    autojump_clock: trio.testing.MockClock,
) -> None:
    stop = trio.CancelScope()

    def players(game: int) -> Player[Position, Move]:
        if game == 4:
            stop.cancel()
            return Scripted(think_forever)
        return SimplePlayer(game)

    found = await grade(Program(players), stop=stop)
    assert found.ending is Ending.INTERRUPTED
    assert [game.number for game in found.games] == [1, 2, 3]
    assert found.placement is not None


async def test_a_void_game_is_played_again(autojump_clock: trio.testing.MockClock) -> None:
    async def break_down(position: Position) -> Move:
        raise ForfeitError(Termination.ABORTED, VerdictPhrase.NO_MOVE())

    found = await grade(
        Program(lambda game: Scripted(break_down) if game == 2 else SimplePlayer(game)),
        evolve(SETTINGS, games=2),
    )
    assert [game.number for game in found.games] == [1, 2]
    assert found.ending is Ending.GAMES


async def test_games_that_stay_void_make_the_grade_partial(autojump_clock: trio.testing.MockClock) -> None:
    async def break_down(position: Position) -> Move:
        raise ForfeitError(Termination.ABORTED, VerdictPhrase.NO_MOVE())

    found = await grade(Program(lambda _: Scripted(break_down)))
    assert (found.ending, found.games) == (Ending.GONE, [])
    assert found.detail.startswith("could not finish a game: ")
