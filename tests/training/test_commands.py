"""Every training command rebuilds its file, at a tiny size and under another name."""

from __future__ import annotations

import random
import runpy
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from quoridor_net.clobber import learned
from quoridor_net.engine.book import book_key
from quoridor_net.engine.maxn.network import COLUMNS, UNITS
from quoridor_net.engine.maxn.styles import GAIN, NAMES, TRAITS
from quoridor_net.notation.standard import parse_move
from quoridor_net.replay import Replay, Setting, format_game
from quoridor_net.rules import Position
from quoridor_net.tournament.quoridor.openings import parse_openings
from tests.support.class_games import write_games
from training import shipped
from training.__main__ import COMMANDS, main
from training.styles import STYLE_OF

pytestmark = pytest.mark.compiled("engine", "clobber")


def run(*arguments: str | Path) -> str:
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of training games."""
    file = tmp_path_factory.mktemp("games") / "games.npz"
    run("games", file, "--games", "2", "--nodes", "60")
    return file


def test_help_lists_every_command() -> None:
    overview = run("--help")
    for command in COMMANDS.values():
        assert command.summary in overview


def test_every_shipped_file_is_where_its_command_writes() -> None:
    learned = (shipped.NETWORK, shipped.SEAT_NETWORK, shipped.STYLES, shipped.CLOBBER)
    for file in (*learned, shipped.BOOK, shipped.BALANCED):
        assert file.is_file()


def test_weights_prints_the_linear_evaluation(games: Path) -> None:
    lines = run("weights", games).splitlines()
    assert lines[0].split()[1] == "positions,"
    fitted = dict(item.split("=") for item in lines[1].split(","))
    assert fitted["lead"] == "1600"
    assert "wall_10" in fitted
    without = run("weights", games, "--without", "rows").splitlines()[1]
    assert "rows=0" in without.split(",")


def test_seat_network_beats_guessing_and_is_reproducible(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.npz", "two.npz")]
    for file in files:
        small = ("--games", "4", "--nodes", "4", "--passes", "60", "--out", file)
        lines = run("seat-network", *small).splitlines()
        assert lines[0].split()[1] == "positions,"
        # A uniform guess has a log-loss of ln 4, which is 1.39.
        assert float(lines[0].split()[3].rstrip(",")) < 1.2
    with np.load(files[0]) as one, np.load(files[1]) as two:
        assert {name: one[name].shape for name in one} == {"columns": (COLUMNS, UNITS), "output": (UNITS,)}
        assert all((one[name] == two[name]).all() for name in one)


def test_every_style_prefers_moves_towards_the_goal(tmp_path: Path) -> None:
    file = tmp_path / "styles.npz"
    lines = run("styles", "--games", "35", "--nodes", "4", "--out", file).splitlines()
    assert [line.split(":")[0] for line in lines] == list(dict.fromkeys(STYLE_OF.values()))
    with np.load(file) as found:
        assert found["weights"].shape == (len(NAMES), TRAITS)
        # All styles prefer moves towards the goal.
        assert (found["weights"][:, GAIN] > 0).all()


def test_styles_of_programs_are_fitted_to_their_recorded_games(tmp_path: Path) -> None:
    write_games(tmp_path)
    file = tmp_path / "styles.npz"
    lines = run("styles", "--recorded", tmp_path, "--out", file).splitlines()
    programs = [name for name in NAMES if name.startswith("class_")]
    assert [line.split(":")[0] for line in lines] == programs
    with np.load(file) as found, np.load(shipped.STYLES) as before:
        for number, name in enumerate(NAMES):
            is_kept = bool((found["weights"][number] == before["weights"][number]).all())
            assert is_kept == (name not in programs)


@pytest.mark.parametrize(
    ("game", "complaint"),
    [("P 1 E2", "the game is unfinished"), ("", "cannot read"), ("P 1 E9", "cannot read")],
)
def test_files_without_games_of_four_are_refused(game: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "1.qtp").write_text(game)
    done = CliRunner().invoke(
        main, ["styles", "--recorded", str(tmp_path), "--out", str(tmp_path / "new.npz")]
    )
    assert done.exit_code == 1
    assert complaint in done.output


def test_recorded_games_of_two_are_refused(tmp_path: Path) -> None:
    source, position = random.Random(1), Position(3, 2, 0)
    while position.turn is not None:
        position.push(source.choice(position.legal_moves))
    replay = Replay(Setting(size=3, walls=0), tuple(position.history))
    (tmp_path / "1.qtp").write_text(format_game(replay), "ascii")
    done = CliRunner().invoke(
        main, ["styles", "--recorded", str(tmp_path), "--out", str(tmp_path / "new.npz")]
    )
    assert done.exit_code == 1
    assert "1.qtp is not a game of four on a board of 7 or 9 or 11" in done.output


def test_a_folder_without_games_of_a_program_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        main, ["styles", "--recorded", str(tmp_path), "--out", str(tmp_path / "new.npz")]
    )
    assert done.exit_code == 1
    assert "no player of style class_a has played" in done.output


def test_one_game_of_four_players_is_too_few(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        main, ["seat-network", "--games", "1", "--nodes", "4", "--out", str(tmp_path / "network.npz")]
    )
    assert done.exit_code == 1
    assert "play more games" in done.output


def test_a_damaged_file_of_games_is_refused_in_one_sentence(games: Path, tmp_path: Path) -> None:
    content = games.read_bytes()
    file = tmp_path / "games.npz"
    for place in range(100, len(content) - 150, len(content) // 40):
        file.write_bytes(content[:place] + bytes([content[place] ^ 255]) + content[place + 1 :])
        done = CliRunner().invoke(main, ["weights", str(file)])
        assert done.exit_code == 1
        assert done.output == f"Error: {file} does not contain games; run: python -m training games FILE\n"


@pytest.mark.parametrize("content", [b"", b"no games", b"PK\x03\x04"])
def test_a_file_without_games_is_refused_in_one_sentence(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "games.npz"
    file.write_bytes(content)
    done = CliRunner().invoke(main, ["weights", str(file)])
    assert done.exit_code == 1
    assert done.output == f"Error: {file} does not contain games; run: python -m training games FILE\n"


def test_one_game_is_too_few(tmp_path: Path) -> None:
    file = tmp_path / "games.npz"
    run("games", file, "--games", "1", "--nodes", "60")
    done = CliRunner().invoke(main, ["weights", str(file)])
    assert done.exit_code == 1
    assert "play more games" in done.output


@pytest.mark.parametrize(
    "command",
    [["book"], ["balanced"], ["puzzles"], ["clobber"], ["games"], ["seat-network"], ["styles"]],
    ids=lambda command: str(command[0]),
)
def test_a_missing_output_folder_is_refused(command: list[str], tmp_path: Path) -> None:
    target = str(tmp_path / "missing" / "file")
    done = CliRunner().invoke(main, [*command, *([] if command == ["games"] else ["--out"]), target])
    assert done.exit_code == 2
    assert f"the folder {tmp_path / 'missing'} does not exist" in done.output


def test_a_file_without_positions_is_refused_as_a_book(tmp_path: Path) -> None:
    file = tmp_path / "book.txt"
    file.write_text("nonsense; e2 1 1\n")
    done = CliRunner().invoke(main, ["book", "--again", str(file), "--out", str(tmp_path / "new.txt")])
    assert done.exit_code == 2
    assert "is not an opening book" in done.output
    assert not (tmp_path / "new.txt").exists()


def test_an_unknown_term_is_refused(games: Path) -> None:
    done = CliRunner().invoke(main, ["weights", str(games), "--without", "nonsense"])
    assert done.exit_code == 2
    assert "unknown term: nonsense" in done.output


def test_the_trained_network_has_the_shapes_of_the_shipped_one(games: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed: pip install -e '.[learn]'")
    out = tmp_path / "network.npz"
    run("network", games, "--out", out, "--passes", "1", "--batch", "16")
    with np.load(out) as made, np.load(shipped.NETWORK) as before:
        assert {name: made[name].shape for name in made} == {name: before[name].shape for name in before}


def test_threads_prepare_the_same_steps_in_the_same_order(games: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed: pip install -e '.[learn]'")
    from training.network import Feed
    from training.samples import read

    samples = read([games])
    one, two = (list(Feed(samples, 8, seed=5).steps(9)) for _ in range(2))
    assert len(one) == 9
    for ahead, again in zip(one, two, strict=True):
        # Each step has examples for the value, and for the policy.
        assert [len(seen["won"]) for seen in ahead] == [8, 2]
        for seen, other in zip(ahead, again, strict=True):
            assert all(bool((seen[name] == other[name]).all()) for name in seen)


def test_the_book_has_legal_replies_from_the_start(tmp_path: Path) -> None:
    out = tmp_path / "book.txt"
    run("book", "--plies", "1", "--nodes", "40000", "--replies", "2", "--out", out)
    lines = out.read_text("ascii").splitlines()
    assert book_key(Position())[0] in {line.split(";")[0] for line in lines}
    for line in lines:
        text, answer = line.split("; ")
        assert Position.from_line(text).is_legal(parse_move(answer.split()[0], 9))


def test_balanced_openings_can_be_parsed(tmp_path: Path) -> None:
    out = tmp_path / "balanced.txt"
    run("balanced", "--count", "1", "--seed", "10", "--out", out)
    text = out.read_text("ascii")
    assert "python -m training balanced --count 1 --seed 10" in text
    assert len(parse_openings(text, Position())) == 1


def test_clobber_writes_a_module_with_new_weights(tmp_path: Path) -> None:
    out = tmp_path / "learned.py"
    assert run("clobber", "--games", "2", "--rounds", "1", "--out", out).startswith("round 1: ")
    made = runpy.run_path(str(out))
    assert isinstance(made["TEMPO"], int)
    assert made["WORTH"] != learned.WORTH


def test_chances_prints_the_scale() -> None:
    assert ", scale " in run("chances", "--games", "3", "--nodes", "20", "--kind", "3")
