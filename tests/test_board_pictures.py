"""Every door draws the picture of its notation, as the documentation shows it."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import pytest
import trio
from attrs import evolve
from click.testing import CliRunner
from trio.testing import MockClock

import client.command
import server.source
from quoridor_net.cli.main import main
from quoridor_net.grading.grade import Mistake
from quoridor_net.grading.html_report import html_report
from quoridor_net.grading.rubric import default_rubric, parse_rubric
from quoridor_net.match import MatchSettings, play_match
from quoridor_net.moves import Move
from quoridor_net.players import Player
from quoridor_net.players.source import SourceSettings
from quoridor_net.players.spec import parse_spec
from quoridor_net.protocols.athens.drawing import draw_board
from quoridor_net.rules import Position
from quoridor_net.rules.diagram import draw, plain
from quoridor_net.rules.picture import BoardPicture
from quoridor_net.ui import DisplayKind, console
from quoridor_net.ui.local_player import LocalPlayer
from tests.grading.grades import whole_grade
from tests.support.board_pictures import MOVES, Reader, documented, expected, position, seen_in_svg

SETTINGS = MatchSettings(Position(), ply_limit=len(MOVES))


def is_shown(picture: BoardPicture, text: str) -> bool:
    """Return whether ``text`` contains the documented drawing, perhaps with a panel beside it."""
    # Each frame of a terminal starts with the cursor at the top left.
    plain_text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text.replace("\x1b[H", "\n"))
    lines = [line.rstrip("\r") for line in plain_text.split("\n")]
    drawing = documented(picture)
    return any(
        all(line.startswith(drawn) for line, drawn in zip(lines[start:], drawing, strict=False))
        for start in range(len(lines) - len(drawing) + 1)
    )


@pytest.mark.parametrize("picture", BoardPicture)
def test_drawings_are_those_of_the_documentation(picture: BoardPicture) -> None:
    assert plain(draw(position(), picture=picture)) == documented(picture)


def test_documented_pictures_are_mirror_images() -> None:
    lan, standard, athens = map(expected, (BoardPicture.LAN, BoardPicture.STANDARD, BoardPicture.ATHENS))
    assert lan.pawns == athens.pawns
    assert lan.walls == athens.walls
    assert standard.rows == athens.rows
    assert {(column, 7 - row, kind) for column, row, kind in lan.walls} == standard.walls
    assert {player: (column, 8 - row) for player, (column, row) in lan.pawns.items()} == standard.pawns


def test_python_and_notebooks_show_standard_notation() -> None:
    assert is_shown(BoardPicture.STANDARD, str(position()))
    assert seen_in_svg(position()._repr_svg_()) == expected(BoardPicture.STANDARD)


@pytest.mark.parametrize("picture", [BoardPicture.LAN, BoardPicture.ATHENS])
def test_grades_show_the_notation_of_the_programs_protocol(picture: BoardPicture) -> None:
    grade = evolve(whole_grade(), picture=picture)
    mistake = Mistake(grade.games[0], 6, position(), MOVES[1], MOVES[1], 0.75, 0.5)
    page = html_report(evolve(grade, mistakes=[mistake]), parse_rubric(default_rubric()).award(grade))
    (drawing,) = re.findall(r"<figcaption>.*?</figcaption>(<svg.*?</svg>)", page, re.DOTALL)
    assert seen_in_svg(drawing) == expected(picture)


def test_athens_engines_show_the_picture_of_athens() -> None:
    *lines, names = draw_board(position())
    assert names.split() == list(expected(BoardPicture.ATHENS).columns)
    # Without the frame, a line of squares or of gaps has the same places as in the documentation.
    inside = [re.split("[|+]", line, maxsplit=1)[1][:35] for line in lines[2:-1]]
    drawn = [
        re.split("│", line, maxsplit=1)[1][:35] for line in documented(BoardPicture.ATHENS) if "│" in line
    ]
    signs = str.maketrans({"▼": "B", "▲": "W", "·": " ", "━": "=", "┃": "H"})

    def without_gaps(lines: list[str]) -> list[str]:
        return [re.sub(r"[|+-]", " ", line) for line in lines]

    assert without_gaps(inside) == [line.translate(signs) for line in drawn]


def test_replay_show_prints_standard_notation(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("1. c3h e8 2. f6v d8 3. e2", encoding="ascii")
    done = CliRunner().invoke(main, ["replay", "show", str(path)])
    assert done.exit_code == 0, done.output
    assert is_shown(BoardPicture.STANDARD, click.unstyle(done.output))


class Desk:
    """A console into which a person typed the moves of one player."""

    def __init__(self, player: int) -> None:
        reader, writer = os.pipe()
        os.write(writer, "".join(f"{move}\n" for move in MOVES[player - 1 :: 2]).encode())
        os.close(writer)
        self._reader = reader
        self.output = io.StringIO()
        self.console = console.Console(reader, self.output)

    def close(self) -> None:
        os.close(self._reader)


@pytest.fixture
def desk() -> Iterator[Desk]:
    with closing(Desk(2)) as desk:
        yield desk


async def test_play_draws_standard_notation(desk: Desk) -> None:
    await play_match([Reader("ann"), LocalPlayer(desk.console, takes_back=False)], SETTINGS)
    assert is_shown(BoardPicture.STANDARD, desk.output.getvalue())


async def test_move_servers_draw_the_notation_of_2016(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "Console", lambda: desk.console)
    settings = SourceSettings()
    async with server.source.open_factory(parse_spec("human", ("human",)), "bob", 1, settings) as factory:
        await play_match([Reader("ann"), factory.make_player()], SETTINGS)
    assert is_shown(BoardPicture.LAN, desk.output.getvalue())


class Screen(io.StringIO):
    """A terminal whose output is kept."""

    def isatty(self) -> bool:
        return True


async def test_display_clients_draw_the_notation_of_2016(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"TERM": "xterm", "COLUMNS": "80", "LINES": "24"}.items():
        monkeypatch.setenv(name, value)

    async def greet() -> list[Player[Position, Move]]:
        return [Reader("ann"), Reader("bob")]

    screen = Screen()
    monkeypatch.setattr("sys.stdout", screen)
    with trio.move_on_after(5):
        settings = MatchSettings(Position())
        await client.command._play(greet, settings, DisplayKind.USUAL, (), str)  # type: ignore[arg-type]
    assert is_shown(BoardPicture.LAN, screen.getvalue())
