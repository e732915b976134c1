"""Training samples: reproducible from a seed, and stored as other programs read them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from quoridor_net.engine.board.convert import load_position, move_of, new_state
from quoridor_net.engine.evaluation.network import new_network
from quoridor_net.engine.evaluation.resizing import BOARD_SIZE
from quoridor_net.engine.evaluation.weights import set_weights
from quoridor_net.engine.mcts.memory import TreeMemory
from quoridor_net.engine.mcts.tree import Playout
from quoridor_net.jit.records import new_record
from quoridor_net.notation.standard import format_move
from quoridor_net.rules import Orientation, Position, Wall
from training.games import SelfPlay
from training.games import main as make_positions
from training.samples import ONE, Samples, address_of, hold_out, new_samples, read, write
from training.self_play import PLIES, RANDOM_NUMBERS, Settings, play

pytestmark = pytest.mark.compiled("engine")


@pytest.fixture(scope="module")
def games() -> Samples:
    """Return the positions of ten games."""
    player = SelfPlay(nodes=80, brief_nodes=20, brief=0.8, odd=0.04, seed=5)
    found = [player.game() for _ in range(10)]
    for number, samples in enumerate(found):
        samples["game"] = number
    return np.concatenate(found)


def test_the_same_seed_makes_the_same_positions(tmp_path: Path) -> None:
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
    assert len(set(both["game"].tolist())) == 16, "games of two files share a number"


def test_another_seed_makes_other_games(games: Samples) -> None:
    other = SelfPlay(nodes=80, brief_nodes=20, brief=0.8, odd=0.04, seed=6).game()
    first = games[games["game"] == 0]
    assert len(first) != len(other) or (first["walls"] != other["walls"]).any()


def test_held_out_games_do_not_depend_on_other_files(tmp_path: Path) -> None:
    files = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for file, count in zip(files, (3, 12), strict=True):
        samples = new_samples(count)
        samples["game"] = samples["value"] = np.arange(count)
        write(file, samples)
    alone = read(files[1:])
    for both in (read(files)[3:], read(files[::-1])[:12]):
        assert (both["value"] == alone["value"]).all()
        assert (hold_out(both["game"]) == hold_out(alone["game"])).all()


def test_a_search_does_not_depend_on_earlier_ones() -> None:
    state, net, memory = new_state(BOARD_SIZE, 2), new_network(BOARD_SIZE), TreeMemory(16)
    playout, settings = new_record(Playout), new_record(Settings)
    state.has_network = 1
    set_weights(state, with_network=True)
    settings.opening, settings.nodes = 4, 100
    samples = new_samples(PLIES)
    load_position(state, Position())
    # With these random numbers all searches have 100 nodes.
    drawn = np.full(RANDOM_NUMBERS, 0.5)
    count = play(state, net, memory.tree, playout, settings, drawn, address_of(samples))
    assert count > 20
    assert samples[count - 1]["wall_count"] > 2
    settings.opening = 0
    for sample in samples[:count]:
        load_position(state, position_of(sample))
        again = new_samples(PLIES)
        play(state, net, memory.tree, playout, settings, drawn, address_of(again))
        for name in ("value", "moves", "shares"):
            assert (again[0][name] == sample[name]).all(), name


def test_samples_agree_with_their_games(games: Samples) -> None:
    assert len(games) > 200
    counted = games["shares"].sum(axis=1)
    is_brief = counted == 0
    assert 0.7 < is_brief.mean() < 0.9, "eight of ten positions are searched briefly"
    # Proven losses have no share.
    assert np.median(counted[~is_brief]) > 0.9 * ONE
    assert (counted <= ONE).all()
    assert (np.diff(games["shares"], axis=1) <= 0).all()
    for game in set(games["game"].tolist()):
        lines = games[games["game"] == game]
        # All positions of a game have the same winner.
        assert len(set((lines["turn"] == lines["won"]).tolist())) == 1
    # A player with a high value usually wins.
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


def test_self_play_fails_when_no_game_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.games.play", lambda *_arguments: 0)
    done = CliRunner().invoke(make_positions, [str(tmp_path / "one.npz"), "--games", "1"])
    assert done.exit_code == 1
    assert done.output == "Error: 1000 games in a row did not end; use more --nodes\n"


@pytest.mark.parametrize(
    ("option", "value"), [("--seed", "-1"), ("--brief", "1.5"), ("--nodes", "1"), ("--games", "0")]
)
def test_invalid_options_are_refused(tmp_path: Path, option: str, value: str) -> None:
    done = CliRunner().invoke(make_positions, [str(tmp_path / "one.npz"), option, value])
    assert done.exit_code == 2
    assert f"Invalid value for '{option}'" in done.output
    assert not list(tmp_path.iterdir())
