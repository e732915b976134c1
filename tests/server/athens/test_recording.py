"""Saving and loading the game of a session."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from quoridor_net.notation.athens import parse_move
from quoridor_net.protocols.athens import AthensGame
from quoridor_net.protocols.athens.commands import CommandError
from quoridor_net.replay import parse_replay
from server.athens.recording import load_game, save_game


def play_moves(*moves: str, size: int = 9, walls: int = 10) -> AthensGame:
    """Return a game with these moves, written as "b E8" or "w E3 h"."""
    game = AthensGame()
    game.resize(size)
    game.set_walls(walls)
    for move in moves:
        colour, _, text = move.partition(" ")
        game.play(1 if colour == "b" else 2, parse_move(text, size))
    return game


@pytest.mark.parametrize(("size", "walls"), [(9, 10), (7, 3)])
async def test_a_saved_game_is_loaded_unchanged(tmp_path: Path, size: int, walls: int) -> None:
    middle = "ABCDEFG"[size // 2]
    game = play_moves(
        f"b {middle}{size - 1}", f"w {middle}3 h", "b A3 v", f"w {middle}2", size=size, walls=walls
    )
    path = str(tmp_path / "game.qtp")
    await save_game(game, path)
    loaded = AthensGame()
    await load_game(loaded, path)
    assert (loaded.size, loaded.walls, loaded.history) == (game.size, game.walls, game.history)
    assert loaded.position == game.position


async def test_a_game_that_white_begins_is_rotated(tmp_path: Path) -> None:
    """Player 1 of a replay starts at E1 and moves first (section 4 of the design)."""
    path = tmp_path / "game.qtp"
    await save_game(play_moves("w E2", "b E8"), str(path))
    assert "P 1 E2\nP 2 E8\n" in path.read_text(encoding="ascii")
    parse_replay(path.read_text(encoding="ascii"), partial=True)


async def test_colours_out_of_turn_cannot_be_saved(tmp_path: Path) -> None:
    path = tmp_path / "game.qtp"
    with pytest.raises(CommandError, match="a replay cannot record this game"):
        await save_game(play_moves("b E8", "b E7"), str(path))
    assert not await trio.Path(path).exists()


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no endless device")
async def test_an_endless_file_is_not_read_to_its_end() -> None:
    with pytest.raises(CommandError, match="the file is too large"):
        await load_game(AthensGame(), "/dev/zero")


@pytest.mark.parametrize("text", ["", "P 1 E9\n", "hello\n", "# Extension: players 4\nP 1 E2\n"])
async def test_files_that_cannot_be_loaded_change_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.qtp"
    path.write_text(text, encoding="ascii")
    game = play_moves("b E8")
    if text:
        with pytest.raises(CommandError, match=r"cannot load .*bad\.qtp: "):
            await load_game(game, str(path))
        assert len(game.history) == 1


async def test_unusable_files_are_explained(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "no" / "such" / "file")
    with pytest.raises(CommandError, match="no such file"):
        await load_game(AthensGame(), nowhere)
    with pytest.raises(CommandError, match="No such file"):
        await save_game(AthensGame(), nowhere)
    with pytest.raises(CommandError, match="cannot write a\0b: embedded null"):
        await save_game(AthensGame(), "a\0b")


async def test_a_file_is_replaced_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "game.qtp"
    path.write_text("a letter\n", encoding="ascii")
    with pytest.raises(CommandError, match=r"cannot write .*game\.qtp: .* exists"):
        await save_game(play_moves("b E8"), str(path))
    assert path.read_text(encoding="ascii") == "a letter\n"
    await save_game(play_moves("b E8"), str(path), overwrites=True)
    assert "P 1 " in path.read_text(encoding="ascii")
