"""The soak test of the engine plays games of all kinds, and counts faults."""

from __future__ import annotations

import random
import time

import pytest

from benchmarks.engine_soak import GameKind, SoakTally, draw_rules, main, play, report
from quoridor_net.engine import Limits
from quoridor_net.rules import Jumps, Move, Position, Square, Step

#: More seconds than any move of a test takes.
AMPLE = 60.0


def first(position: Position, _limits: Limits) -> Move:
    return position.legal_moves[0]


def test_games_are_of_all_kinds_and_come_from_the_seed() -> None:
    drawn, again = (
        [draw_rules(source) for _ in range(2000)] for source in (random.Random(1), random.Random(1))
    )
    assert drawn == again
    assert {rules.size for rules in drawn} == set(range(3, 16))
    assert {(rules.players, rules.jumps, rules.has_clock) for rules in drawn} == {
        (players, jumps, has_clock) for players in (2, 4) for jumps in Jumps for has_clock in (False, True)
    }
    assert min(rules.walls for rules in drawn) == 0


@pytest.mark.parametrize("has_clock", [False, True])
def test_a_game_in_time_has_no_faults(has_clock: bool) -> None:
    tally = SoakTally()
    play(GameKind(5, 2, 1, Jumps.OFFICIAL, has_clock), first, random.Random(1), AMPLE, tally)
    assert (tally.games, tally.illegal, tally.late, tally.lost_on_time) == (1, [], 0, 0)
    assert tally.moves > 0
    assert tally.slowest == 0


def test_an_illegal_move_ends_the_game_and_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    tally = SoakTally()
    rules = GameKind(5, 2, 1, Jumps.OFFICIAL, has_clock=False)
    play(
        rules,
        lambda position, _limits: Step(position.pawn(1) or Square(0, 0)),
        random.Random(1),
        AMPLE,
        tally,
    )
    assert (tally.games, tally.moves, len(tally.illegal)) == (1, 1, 1)
    report(tally, 1.0)
    assert f"illegal: {tally.illegal[0]}" in capsys.readouterr().out


def test_a_slow_move_is_late_and_loses_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    readings = iter(range(10_000))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(readings)))
    monkeypatch.setattr(time, "process_time", lambda: 0.0)
    tally = SoakTally()
    play(GameKind(5, 2, 1, Jumps.OFFICIAL, has_clock=True), first, random.Random(1), 0.01, tally)
    assert (tally.moves, tally.late, tally.late_by_processor, tally.lost_on_time) == (1, 1, 0, 1)


@pytest.mark.compiled("engine")
def test_the_engine_plays_fast_games(capsys: pytest.CaptureFixture[str]) -> None:
    # On a busy machine games may be lost on time, which gives exit status 1.
    with pytest.raises(SystemExit) as ended:
        main(["--games", "3", "--move-time", "0.001", "--seed", "4"])
    assert ended.value.code in {0, 1}
    found = dict(line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines() if "  " in line)
    assert (found["games"], found["illegal moves"]) == ("3", "0")
