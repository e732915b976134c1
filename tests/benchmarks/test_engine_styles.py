"""The measurement of how well the opponent model predicts players of recorded games."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.engine_styles import main, mean_and_error, predict
from tests.support.class_games import PARTS, write_games
from training.styles import Choices

pytestmark = pytest.mark.compiled("engine")


def choices_of(chosen: list[int], games: list[int]) -> Choices:
    """Return choices between two moves with one trait: 1 in the first, 0 in the second."""
    count = len(chosen)
    numbers = np.array(games, dtype=np.int64)
    starts = 2 * np.arange(count)
    return Choices(np.tile([[1.0], [0.0]], (count, 1)), starts, starts + chosen, numbers, 0 * numbers)


def test_styles_are_inferred_within_each_game() -> None:
    # One style never plays the second move, the other plays both alike.
    styles = np.array([[50.0], [0.0]])
    shares = np.exp(predict(choices_of([0, 0, 1, 1, 0], [7, 7, 7, 7, 8]), styles))
    # One in ten of the weight stays spread evenly: 0.05 + 0.9 * 2/3 after one move.
    assert shares[:2] == pytest.approx([0.75, 0.65 + 0.35 / 2])
    assert shares[2] == pytest.approx((0.05 + 0.9 / 5) / 2)
    # The exclusive style would never have played that, and nothing is known in the next game.
    assert shares[3] > 0.45
    assert shares[4] == pytest.approx(0.75)


def test_errors_are_those_of_means_of_games() -> None:
    # Equally long games with means of 0, 1 and 5: the error of their mean is sqrt(7 / 3).
    values, games = np.array([-1.0, 1.0, 0.0, 2.0, 4.0, 6.0]), np.array([0, 0, 1, 1, 5, 5])
    assert mean_and_error(values, games) == "2.000 ± 1.528"


def test_tables_have_every_player(tmp_path: Path) -> None:
    write_games(tmp_path)
    done = CliRunner().invoke(main, [str(tmp_path)])
    assert done.exit_code == 0, done.output
    habits, likelihoods = (
        {line.split()[0]: line.split() for line in part.splitlines()[2:]}
        for part in done.output.split("\n\n")[1::2]
    )
    assert set(PARTS) <= set(habits)
    # The runner only runs.
    assert habits["E"][3:] == ["0", "%", "0", "%", "–", "–", "–", "100", "%"]
    for name in PARTS:
        uniform, best, league = (float(likelihoods[name][column]) for column in (1, 4, 7))
        assert uniform < min(best, league) < 0


def test_a_program_without_games_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, [str(tmp_path)])
    assert done.exit_code == 1
    assert "player A is missing in half of the games" in done.output
