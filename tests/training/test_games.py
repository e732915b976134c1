"""Positions to learn from: made anew from the same seed, and written as the other programs read them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from quoridor_net.engine.board.convert import move_of
from quoridor_net.engine.evaluation.resizing import BOARD_SIZE
from quoridor_net.notation.standard import format_move
from quoridor_net.rules import Orientation, Position, Wall
from training.games import SelfPlay
from training.games import main as make_positions
from training.samples import ONE, Samples, read

pytestmark = pytest.mark.compiled("engine")


@pytest.fixture(scope="module")
def games() -> Samples:
    """Return the positions of ten games."""
    player = SelfPlay(nodes=80, brief_nodes=20, brief=0.8, odd=0.04, seed=5, weights={})
    found = [player.game() for _ in range(10)]
    for number, samples in enumerate(found):
        samples["game"] = number
    return np.concatenate(found)


def test_positions_are_made_anew_from_the_same_seed(tmp_path: Path) -> None:
    files = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for file in files:
        done = CliRunner().invoke(make_positions, [str(file), "--games", "8", "--nodes", "80", "--seed", "3"])
        assert done.exit_code == 0
        assert done.output.startswith("8 games, ")
    one, two = (read([file]) for file in files)
    assert (one == two).all()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.npz", "two.npz"]
    both = read(files)
    assert len(both) == 2 * len(one)
    assert len(set(both["game"].tolist())) == 16, "no two files have games of the same number"


def test_positions_have_what_is_learned_from(games: Samples) -> None:
    assert len(games) > 200
    counted = games["shares"].sum(axis=1)
    is_brief = counted == 0
    assert 0.7 < is_brief.mean() < 0.9, "eight of ten positions are searched briefly"
    # Moves that turned out to lose do not count.
    assert np.median(counted[~is_brief]) > 0.9 * ONE
    assert (counted <= ONE).all()
    assert (np.diff(games["shares"], axis=1) <= 0).all()
    assert (abs(games["value"]) <= ONE).all()
    for game in set(games["game"].tolist()):
        lines = games[games["game"] == game]
        # Whoever won did so in all positions.
        assert len(set((lines["turn"] == lines["won"]).tolist())) == 1
    # Who is thought to win does, more often than not.
    is_sure = abs(games["value"]) > 0.7 * ONE
    assert ((games["value"] > 0) == games["won"])[is_sure].mean() > 0.7


def position_of(sample: Any) -> Position:
    walls: dict[Orientation, list[str]] = {way: [] for way in Orientation}
    for number in sample["walls"][: sample["wall_count"]].tolist():
        wall = move_of(number, BOARD_SIZE)
        assert isinstance(wall, Wall)
        walls[wall.orientation].append(format_move(wall)[:2])
    across, along = ("".join(walls[way]) for way in (Orientation.HORIZONTAL, Orientation.VERTICAL))
    pawns = " ".join(format_move(move_of(pawn, BOARD_SIZE)) for pawn in sample["pawns"].tolist())
    left = " ".join(map(str, sample["walls_left"].tolist()))
    return Position.from_line(f"{across} / {along} / {pawns} / {left} / {sample['turn'] + 1}")


def test_positions_are_legal_and_so_are_their_moves(games: Samples) -> None:
    for sample in games[::7]:
        position = position_of(sample)
        moves = [move_of(move, BOARD_SIZE) for move in sample["moves"].tolist() if move >= 0]
        assert all(map(position.is_legal, moves))


def test_games_that_never_end_are_not_played_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.games.play", lambda *_arguments: 0)
    done = CliRunner().invoke(make_positions, [str(tmp_path / "one.npz"), "--games", "1"])
    assert done.exit_code == 1
    assert done.output == "Error: no game comes to an end; let more nodes be searched\n"


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
