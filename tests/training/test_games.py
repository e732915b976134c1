"""Positions to learn from: made anew from the same seed, and written as the other programs read them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from training.examples import read
from training.games import main as make_positions

pytestmark = pytest.mark.compiled("engine")


def test_positions_are_made_anew_from_the_same_seed(tmp_path: Path) -> None:
    files = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for file in files:
        done = CliRunner().invoke(make_positions, [str(file), "--games", "2", "--nodes", "80", "--seed", "3"])
        assert done.exit_code == 0
        assert done.output.startswith("2 games, ")
    one, two = (read([file]) for file in files)
    assert len(one.game) > 20
    assert (one.moves == two.moves).all()
    assert (one.score == two.score).all()
    counted = one.shares.sum(axis=1)
    is_brief = counted == 0
    assert 0.4 < is_brief.mean() < 0.8, "six of ten positions are thought about briefly"
    assert counted[~is_brief] == pytest.approx(1, abs=1e-5)
    assert (one.shares[:, 0] >= one.shares[:, 1]).all()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.npz", "two.npz"]


@pytest.mark.parametrize(
    ("weights", "error"),
    [("nonsense=1", "there is no weight called nonsense"), ("advice=much", "is not name=value")],
)
def test_positions_are_not_made_with_weights_there_are_none_of(
    tmp_path: Path, weights: str, error: str
) -> None:
    done = CliRunner().invoke(make_positions, [str(tmp_path / "one.npz"), "--weights", weights])
    assert done.exit_code == 2
    assert error in done.output
    assert not list(tmp_path.iterdir())
