"""Series of games between test engines in real processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trio

from client.referee.games import Side
from client.referee.referee import Referee
from client.referee.report import LiveReport, document, summary
from client.referee.settings import RefereeSettings
from quoridor_net.advice import format_command
from quoridor_net.clocks import GameClock
from quoridor_net.match import GameEnded, MoveMade
from quoridor_net.notation.standard import parse_move
from quoridor_net.programs.process import EngineProcess, start_process
from quoridor_net.replay import parse_replay
from quoridor_net.rules import Move
from quoridor_net.tournament import Event, GameEvent, Score
from tests.support.engine_programs import PROGRAM, sloppy

pytestmark = pytest.mark.end_to_end


async def referee(white: str, black: str, **settings: object) -> Referee:
    judge = Referee(RefereeSettings(sloppy(white), sloppy(black), **settings))  # type: ignore[arg-type]
    await judge.run()
    return judge


def score(judge: Referee) -> Score:
    assert judge.results.score is not None
    return judge.results.score


async def test_games_run_at_the_same_time() -> None:
    judge = await referee("sane", "lower_case", games=10, concurrency=4, swap=True)
    assert [record.pairing.number for record in judge.records] == list(range(1, 11))
    # White wins every game, so the engines win in turn.
    assert score(judge) == Score(5, 0, 5)
    assert judge.names == {Side.WHITE: "Sloppy", Side.BLACK: "Sloppy#2"}


async def test_control_characters_in_a_name_are_escaped() -> None:
    judge = await referee("paints_name", "sane")
    name = judge.names[Side.WHITE]
    assert name.startswith(r"\x9b2J Sloppyyyyy")
    assert len(name) == 80


async def test_a_broken_engine_loses_and_the_series_continues() -> None:
    judge = await referee("sane", "raises", games=3)
    assert score(judge) == Score(3, 0, 0)
    assert {record.at_fault for record in judge.records} == {Side.BLACK}
    assert {record.result.line for record in judge.records} == {"RuntimeError: I give up"}


async def test_engines_get_the_openings(tmp_path: Path) -> None:
    opening = tuple(parse_move(word) for word in ("a1h", "h8v"))
    start = RefereeSettings(sloppy("sane"), sloppy("sane")).start
    for move in opening:
        start.push(move)
    moves: list[Move] = []

    def listen(event: Event) -> None:
        match event:
            case GameEvent(1, MoveMade(move=move)):
                moves.append(move)

    settings = RefereeSettings(
        sloppy("sane"), sloppy("sane"), openings=((1, opening),), save=tmp_path, seed=3
    )
    judge = Referee(settings)
    await judge.run((listen,))
    [record] = judge.records
    assert record.result.plies == len(moves) == 16
    replay = parse_replay(await trio.Path(record.replay).read_text(encoding="ascii"))
    assert [ply.move for ply in replay.plies] == [*opening, *moves]


async def test_verdicts_name_squares_as_the_engines_do() -> None:
    told: list[str] = []

    def listen(event: Event) -> None:
        match event:
            case GameEvent(1, GameEnded(result=result)):
                told.append(result.sentence)

    judge = Referee(RefereeSettings(sloppy("sane"), sloppy("illegal")))
    await judge.run((listen,))
    sentence = judge.records[0].result.sentence
    assert sentence.endswith("played E5, which is illegal: the pawn on E9 cannot get to E5 in one move.")
    assert told == [sentence]


async def test_games_prevented_by_the_machine_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **named: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("quoridor_net.programs.link.start_process", refuse)
    judge = await referee("sane", "sane", games=2)
    assert score(judge) == Score(0, 0, 0, void=2)
    assert "not counted: 2 games" in summary(judge)
    assert judge.records[0].result.sentence.startswith("The game does not count: cannot start a process")


async def test_a_void_game_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = []

    def refuse_once(*arguments: Any, **named: Any) -> EngineProcess:
        starts.append(arguments)
        if len(starts) == 1:
            raise OSError(11, "Resource temporarily unavailable")
        return start_process(*arguments, **named)

    monkeypatch.setattr("quoridor_net.programs.link.start_process", refuse_once)
    judge = await referee("sane", "sane", games=2)
    assert score(judge) == Score(2, 0, 0)
    assert len(starts) == 3


async def test_a_crash_in_a_later_game_of_a_process_has_that_game_played_again() -> None:
    told: list[str] = []
    live = LiveReport(told.append, verbosity=1)
    judge = Referee(RefereeSettings(sloppy("sane"), sloppy("crashes_in_second_game"), games=3, seed=1))
    await judge.run((live,), (live.record,))
    assert score(judge) == Score(3, 0, 0)
    assert [remark.partition("in a later game, ")[2] for remark in judge.remarks] == [
        "so each game gets a new process"
    ]
    [line] = [line for line in told if "[aborted, " in line]
    assert line == (
        f"game 2: The game does not count: {PROGRAM}#2(black) (player 1) was killed by SIGABRT on"
        " 'playmove white E2' in a process that had already played a game. [aborted, 2 plies]"
    )


async def test_two_engines_that_play_one_game_only_finish_their_series() -> None:
    judge = await referee("crashes_in_second_game", "crashes_in_second_game", games=3)
    assert score(judge) == Score(3, 0, 0)


async def test_a_game_of_used_processes_is_not_called_repeatable() -> None:
    told: list[str] = []
    judge = Referee(RefereeSettings(sloppy("sane"), sloppy("raises"), games=2, seed=1))
    await judge.run((), (LiveReport(told.append).record,))
    assert [record.is_repeatable for record in judge.records] == [True, False]
    first, second = (line.partition(f": {format_command('referee')}")[0] for line in told)
    assert first == "game 1: to play it again"
    assert second == (
        "game 2: it may go differently, because the process of white had played before;"
        " to play it with new processes"
    )


async def test_engines_are_asked_for_the_winner() -> None:
    told: list[str] = []
    judge = Referee(RefereeSettings(sloppy("sane"), sloppy("says_black")))
    await judge.run((), (LiveReport(told.append).record,))
    [record] = judge.records
    assert [part.agrees for part in record.parts] == [False, True]
    assert told == ["game 1: black disagrees: it answered '= true black' to winner"]
    assert f"{PROGRAM}#2 agrees on the winner of 0 of 1 game" in summary(judge)


@pytest.mark.parametrize(("habit", "agrees"), [("says_true", True), ("no_blank", True), ("raises", None)])
async def test_agreement_is_counted(habit: str, agrees: bool | None) -> None:
    judge = await referee("sane", habit)
    assert judge.records[0].part(Side.BLACK).agrees is agrees


async def test_an_engine_that_ignores_winner_is_asked_once() -> None:
    judge = await referee("sane", "silent_on_winner", games=3)
    assert score(judge) == Score(3, 0, 0)
    assert [remark.partition("winner ")[2] for remark in judge.remarks] == [
        "did not answer 'winner' within 2 s at the end of a game"
    ]


async def test_engines_with_the_command_get_their_limits(tmp_path: Path) -> None:
    await referee("sane", "knows_limits", log=tmp_path, clock=GameClock(50), move_time=0.5)
    sent = [
        await trio.Path(tmp_path / f"{side}-1.log").read_text(encoding="ascii") for side in ("black", "white")
    ]
    assert [text.count(r"C->S1 b'qn-time_settings 50 1\n'") for text in sent] == [1, 0]


async def test_names_tell_the_colour_of_the_game() -> None:
    judge = await referee("raises", "raises", games=2, swap=True)
    first, second = (record.result.sentence for record in judge.records)
    assert first.startswith(f"{PROGRAM}#1(white) (player 2) wins: {PROGRAM}#2(black) (player 1) ended")
    assert second.startswith(f"{PROGRAM}#2(white) (player 2) wins: {PROGRAM}#1(black) (player 1) ended")


async def test_every_process_has_a_transcript(tmp_path: Path) -> None:
    await referee("sane", "raises", games=2, log=tmp_path)
    names = sorted(path.name for path in [*tmp_path.iterdir()])  # noqa: ASYNC240 - a handful of names
    assert names == ["black-1.log", "black-2.log", "white-1.log"]
    lines = (await trio.Path(tmp_path / "white-1.log").read_text(encoding="ascii")).splitlines()
    assert lines[0].endswith(r"C->S1 b'boardsize 9\n'")
    assert lines[1].endswith(r"S1->C b'=\n'")


async def test_cancelled_games_keep_their_records_and_kill_the_engines() -> None:
    judge = Referee(RefereeSettings(sloppy("sane"), sloppy("hangs")))
    with trio.move_on_after(0.5) as scope:
        await judge.run()
    assert scope.cancelled_caught
    assert judge.records == []


def test_a_series_stopped_before_it_began_has_a_summary() -> None:
    judge = Referee(RefereeSettings(sloppy("sane"), sloppy("sane")))
    assert "0 won, 0 drawn, 0 lost" in summary(judge)[0]
    assert document(judge)["pentanomial"] == [0] * 5
