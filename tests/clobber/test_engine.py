"""The engine plays legally, in time, and wins; choices can be cancelled and reproduced."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest

from benchmarks.clobber_engine import (
    ClobberTally,
    Player,
    least_moves_move,
    most_mobile_move,
    play_game,
    random_move,
)
from quoridor_net.clobber import ClobberPosition, Colour
from quoridor_net.clobber.engine import ClobberChoice, ClobberEngine, ClobberLimits
from quoridor_net.clobber.solver import OutcomeClass, Solver
from quoridor_net.jit.clock import TELLS_TIME

pytestmark = pytest.mark.compiled("clobber")


@pytest.fixture(scope="module")
def engine() -> ClobberEngine:
    engine = ClobberEngine(seed=1)
    engine.warm_up()
    return engine


def boards() -> list[ClobberPosition]:
    source = random.Random(7)
    found = []
    for columns, rows in ((1, 2), (26, 1), (1, 26), (3, 3), (10, 10), (13, 9), (26, 26)):
        position = ClobberPosition.start(columns, rows)
        for _ in range(source.randrange(4)):
            if not position.is_over:
                position.push(source.choice(position.legal_moves))
        if not position.is_over:
            found.append(position)
    return found


def test_importing_the_engine_does_not_import_numba() -> None:
    # Importing numba takes most of a second.
    code = (
        "import sys, quoridor_net.clobber, quoridor_net.clobber.engine;"
        "print([name for name in ('numba', 'numpy', 'trio') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("position", boards(), ids=repr)
def test_boards_of_all_sizes_get_a_legal_move(engine: ClobberEngine, position: ClobberPosition) -> None:
    before = str(position)
    choice = engine.choose(position, ClobberLimits(seconds=None, nodes=50))
    assert position.is_legal(choice.move)
    assert str(position) == before


def test_a_proof_holds_to_the_end_of_the_game(engine: ClobberEngine) -> None:
    for size in (4, 6, 10):
        position = ClobberPosition.start(size, size)
        known: Colour | None = None
        while not position.is_over:
            choice = engine.choose(position, ClobberLimits(seconds=None, nodes=100))
            # A proof holds under perfect play of the winner, and here the engine plays both sides.
            assert known in {None, choice.winner}
            known = choice.winner
            position.push(choice.move)
        assert position.winner is known


def test_neither_side_is_sure_to_win_from_the_start(engine: ClobberEngine) -> None:
    score = engine.choose(ClobberPosition.start(10, 10), ClobberLimits(seconds=None, nodes=500)).score
    assert score is not None
    # In log-odds: five would be a win in 149 games of 150.
    assert abs(score) < 5


def test_choices_with_a_node_limit_are_reproducible() -> None:
    choices: list[list[ClobberChoice]] = []
    for _ in range(2):
        engine = ClobberEngine(seed=3)
        position = ClobberPosition.start(8, 8)
        found = []
        for _ in range(5):
            found.append(engine.choose(position, ClobberLimits(seconds=None, nodes=60)))
            position.push(found[-1].move)
        choices.append(found)
    assert [choice.move for choice in choices[0]] == [choice.move for choice in choices[1]]
    assert [choice.nodes for choice in choices[0]] == [choice.nodes for choice in choices[1]]


def test_a_won_position_is_won(engine: ClobberEngine) -> None:
    solver = Solver()
    source = random.Random(11)
    for columns, rows in ((2, 8), (4, 4), (5, 3), (1, 16)):
        position = ClobberPosition.start(columns, rows)
        assert solver.outcome(position) is OutcomeClass.FIRST_PLAYER
        while not position.is_over:
            if position.side is Colour.BLACK:
                choice = engine.choose(position, ClobberLimits(seconds=None))
                # Proven without a heuristic search.
                assert (choice.winner, choice.score, choice.depth) == (Colour.BLACK, None, 0)
                position.push(choice.move)
            else:
                position.push(source.choice(position.legal_moves))
        assert position.winner is Colour.BLACK


def test_a_lost_position_is_known_to_be_lost(engine: ClobberEngine) -> None:
    choice = engine.choose(ClobberPosition.start(3, 4), ClobberLimits(seconds=None, nodes=100_000))
    assert choice.winner is Colour.WHITE


def test_cancel_ends_a_choice_without_limits(engine: ClobberEngine) -> None:
    position = ClobberPosition.start()
    found: list[ClobberChoice] = []
    thread = threading.Thread(
        target=lambda: found.append(engine.choose(position, ClobberLimits(seconds=None)))
    )
    thread.start()
    # A cancel before the choice starts has no effect, so repeat it until the thread has ended.
    while thread.is_alive():
        engine.cancel()
        thread.join(0.01)
    assert position.is_legal(found[0].move)
    engine.cancel()
    assert engine.choose(position, ClobberLimits(seconds=None, nodes=500)).depth >= 1


def test_an_abandoned_choice_ends_however_early_it_was_cancelled(engine: ClobberEngine) -> None:
    # Here the cancel comes before the choice, as it can before a thread has started.
    abandoned = threading.Event()
    abandoned.set()
    engine.cancel()
    choice = engine.choose(ClobberPosition.start(), ClobberLimits(seconds=None), abandoned)
    assert ClobberPosition.start().is_legal(choice.move)


def test_kernels_stop_themselves_in_time(engine: ClobberEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    if not TELLS_TIME:
        pytest.skip("kernels cannot tell the time here: timers stop them")
    monkeypatch.delattr(threading, "Timer")
    choice = engine.choose(ClobberPosition.start(), ClobberLimits(seconds=0.05))
    assert choice.seconds > 0.005


def test_timers_stop_kernels_that_cannot_tell_the_time(
    engine: ClobberEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quoridor_net.jit.clock.TELLS_TIME", False)
    choice = engine.choose(ClobberPosition.start(), ClobberLimits(seconds=0.05))
    assert ClobberPosition.start().is_legal(choice.move)


def test_a_second_choice_at_a_time_is_refused(engine: ClobberEngine) -> None:
    thread = threading.Thread(
        target=lambda: engine.choose(ClobberPosition.start(), ClobberLimits(seconds=None))
    )
    thread.start()
    refused = False
    while not refused and thread.is_alive():
        try:
            engine.choose(ClobberPosition.start(), ClobberLimits(seconds=None, nodes=1))
        except RuntimeError as error:
            refused = "already choosing" in str(error)
    while thread.is_alive():
        engine.cancel()
        thread.join(0.01)
    assert refused


def test_a_finished_game_is_refused(engine: ClobberEngine) -> None:
    with pytest.raises(ValueError, match="the game is over"):
        engine.choose(ClobberPosition.start(1, 1))


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"seconds": "1"}, "seconds must be a number above 0, not '1'"),
        ({"seconds": 0.0}, "seconds must be a number above 0, not 0.0"),
        ({"seconds": -1.0}, "seconds must be a number above 0, not -1.0"),
        ({"seconds": float("nan")}, "seconds must be a number above 0, not nan"),
        ({"seconds": float("inf")}, "seconds must be a number above 0, not inf"),
        ({"seconds": True}, "seconds must be a number above 0, not True"),
        ({"nodes": 0}, "nodes must be a whole number above 0, not 0"),
        ({"nodes": 1.5}, "nodes must be a whole number above 0, not 1.5"),
        ({"nodes": True}, "nodes must be a whole number above 0, not True"),
    ],
)
def test_invalid_limits_are_refused(limits: dict[str, Any], message: str) -> None:
    is_wrong_type = any(type(value) in {bool, str} or value == 1.5 for value in limits.values())
    with pytest.raises(TypeError if is_wrong_type else ValueError, match=message):
        ClobberLimits(**limits)


def test_a_node_limit_replaces_the_default_time_limit() -> None:
    assert ClobberLimits().seconds == 1.0
    assert ClobberLimits(nodes=2000).seconds is None
    assert ClobberLimits(2.0, nodes=2000).seconds == 2.0
    assert ClobberLimits(seconds=None).seconds is None


def test_warm_up_reports_progress() -> None:
    steps: list[tuple[str, float]] = []
    ClobberEngine().warm_up(lambda step, part: steps.append((step, part)))
    parts = [part for _, part in steps]
    assert parts == sorted(parts)
    assert (len(steps) > 5, parts[0], steps[-1]) == (True, 0.0, ("ready", 1.0))


def test_choices_respect_the_time_limit(engine: ClobberEngine) -> None:
    # Measure processor time, because wall-clock time means little on a busy machine.
    for position in (ClobberPosition.start(), ClobberPosition.start(7, 7), ClobberPosition.start(26, 26)):
        start = time.process_time()
        engine.choose(position, ClobberLimits(seconds=0.3))
        assert time.process_time() - start < 0.3


@pytest.mark.parametrize("opponent", [random_move, most_mobile_move, least_moves_move])
def test_the_engine_beats_one_ply_players(engine: ClobberEngine, opponent: Player) -> None:
    tally = ClobberTally()
    for number in range(2):
        play_game(
            engine, opponent, list(Colour)[number], ClobberLimits(seconds=None, nodes=400), tally, number
        )
    assert (tally.wins, tally.illegal) == (2, 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("opponent", "least"), [(random_move, 0.95), (most_mobile_move, 0.9), (least_moves_move, 0.9)]
)
def test_the_engine_beats_one_ply_players_nearly_always(
    engine: ClobberEngine, opponent: Player, least: float
) -> None:
    tally = ClobberTally()
    for number in range(100):
        play_game(engine, opponent, list(Colour)[number % 2], ClobberLimits(0.1), tally, number)
    assert tally.illegal == 0
    assert tally.wins / tally.games >= least


@pytest.mark.slow
def test_a_thousand_fast_games_have_no_fault(engine: ClobberEngine) -> None:
    tally = ClobberTally()
    for number in range(1000):
        play_game(engine, random_move, list(Colour)[number % 2], ClobberLimits(0.1), tally, number)
    assert (tally.games, tally.illegal, tally.late) == (1000, 0, 0)


def test_learned_worth_is_symmetric() -> None:
    from quoridor_net.clobber.patterns import PATTERNS, encode_patterns, pattern_classes, read_worth

    worth, tempo = read_worth()
    assert len(worth) == PATTERNS
    digits = np.arange(PATTERNS)[:, None] // 3 ** np.arange(9) % 3
    powers = 3 ** np.arange(9)
    exchanged = (np.array([0, 2, 1])[digits] * powers).sum(1)
    turned = (np.rot90(digits.reshape(-1, 3, 3), axes=(1, 2)).reshape(-1, 9) * powers).sum(1)
    mirrored = (digits.reshape(-1, 3, 3)[:, :, ::-1].reshape(-1, 9) * powers).sum(1)
    assert (worth[exchanged] == -worth).all()
    assert (worth[turned] == worth).all()
    assert (worth[mirrored] == worth).all()
    assert (worth[digits[:, 4] == 0] == 0).all()
    assert abs(tempo) < 1000
    classes, sign, count = pattern_classes()
    # Every learned number is the worth of some pattern.
    assert set(classes[sign != 0].tolist()) == set(range(count))
    assert "".join(encode_patterns(np.arange(count))).isascii()
