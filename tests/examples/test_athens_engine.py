"""The Athens engine in ``examples/`` follows the rules and the specification."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from quoridor_net.notation import athens
from quoridor_net.rules import Move, Orientation, Position, Square, Step, Wall
from tests.examples.programs import build
from tests.support import preloaded
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.end_to_end


@pytest.fixture(scope="module")
def engine(folder_of_run: Path) -> str:
    """Return the command that starts the engine."""
    (program,) = build("athens_engine.c", folder_of_run)
    return program


def replies(engine: str, *commands: str) -> list[str]:
    """Send lines to the engine; return its replies without their two final newlines."""
    done = subprocess.run(
        [engine],
        input="\n".join(commands).encode("latin-1"),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    *found, rest = done.stdout.decode("ascii").split("\n\n")
    assert rest == ""
    return found


#: Commands of one session, with the expected replies (sections 2 and 4).
SESSION = [
    ("name", "= Example engine in C"),
    ("known_command genmove", "= true"),
    ("known_command resign", "= false"),
    ("known_command", "= false"),
    ("resign", "? unknown command"),
    ("NAME", "? unknown command"),
    ("boardsize", "? syntax error"),
    ("boardsize nine", "? syntax error"),
    ("boardsize 2", "? unacceptable size"),
    ("boardsize 26", "? unacceptable size"),
    ("boardsize 9", "="),
    ("clear_board", "="),
    ("walls 2", "="),
    ("undo", "? cannot undo"),
    ("playmove black e7", "? illegal move"),
    ("playmove black", "? syntax error"),
    ("playmove red e8", "? syntax error"),
    ("playmove black e8 h", "? syntax error"),
    ("playmove black e99", "? syntax error"),
    ("playmove B\tE8\r # a comment", "="),
    ("playmove black e7", "="),
    ("playwall white e3", "? syntax error"),
    ("playwall white e3 across", "? syntax error"),
    ("playwall w E3 HORIZONTAL", "="),
    ("playwall white f3 h", "? illegal move"),
    ("playwall white e3 v", "? illegal move"),
    ("playwall white i3 v", "? illegal move"),
    ("playwall white a1 v", "? illegal move"),
    ("playwall White e\x013 v", "? illegal move"),
    ("playwall white a3 Vertical", "="),
    ("playwall white a7 v", "? illegal move"),
    ("winner", "= false"),
    ("undo 5", "? cannot undo"),
    ("undo few", "? syntax error"),
    ("undo 2", "="),
    ("playwall white a7 v", "="),
    ("undo 3", "="),
    ("genmove", "? syntax error"),
    ("genmove black", "= E8"),
    ("quit", "="),
]


def test_replies_follow_the_specification(engine: str) -> None:
    commands, expected = zip(*SESSION, strict=True)
    assert replies(engine, *commands) == list(expected)


def test_empty_lines_and_comments_get_no_reply(engine: str) -> None:
    assert replies(engine, "", "  \t ", "# clear_board", "winner") == ["= false"]


def test_every_listed_command_is_known(engine: str) -> None:
    listed = replies(engine, "list_commands")[0].removeprefix("= ").splitlines()
    assert len(listed) == 13
    assert replies(engine, *(f"known_command {name}" for name in listed)) == ["= true"] * 13


def test_the_board_has_a1_at_the_bottom_left(engine: str) -> None:
    drawn = replies(engine, "boardsize 3", "playmove white b2", "showboard")[-1]
    assert [line.rstrip() for line in drawn.splitlines()] == [
        "=", " 3 . B .", " 2 . W .", " 1 . . .", "   A B C"
    ]  # fmt: skip


def some_move(source: random.Random, position: Position) -> Move:
    """Return a legal move in half of the cases, and any move in the other."""
    if source.random() < 0.5:
        return source.choice(position.legal_moves)
    pawn = position.pawn(position.turn or 1)
    assert pawn is not None
    if source.random() < 0.5:
        column, row = pawn.column + source.randrange(-2, 3), pawn.row + source.randrange(-2, 3)
        return Step(Square(min(max(column, 0), position.size - 1), min(max(row, 0), position.size - 1)))
    anchors = range(position.size - 1)
    return Wall(source.choice(anchors), source.choice(anchors), source.choice(list(Orientation)))


@pytest.mark.parametrize("size", [3, 5, 8, 9, 25])
def test_the_engine_agrees_with_the_rules_on_legality(engine: str, size: int) -> None:
    """Play games of random moves, legal or not, and then let the engine choose a legal one."""
    source = random.Random(size)
    walls = size
    commands = [f"boardsize {size}"]
    asked: list[tuple[Position, Move | None]] = []
    for _ in range(40):
        position = Position(size, walls=walls)
        commands += ["clear_board", f"walls {walls}"]
        for _ in range(source.randrange(6 * size)):
            move = some_move(source, position)
            player = position.turn
            assert player is not None
            asked.append((position.copy(), move))
            commands.append(athens.format_play(player, move, size))
            if position.is_legal(move):
                position.push(move)
            if position.turn is None:
                break
        if position.turn is not None:
            asked.append((position.copy(), None))
            commands.append(f"genmove {'black' if position.turn == 1 else 'white'}")
    found = [
        reply
        for command, reply in zip(commands, replies(engine, *commands), strict=True)
        if command.startswith(("play", "genmove"))
    ]
    for (position, judged), reply in zip(asked, found, strict=True):
        if judged is None:
            assert position.is_legal(athens.parse_move(reply.removeprefix("= "), size)), position.to_line()
        else:
            assert reply == ("=" if position.is_legal(judged) else "? illegal move"), (
                position.to_line(),
                judged,
            )


def test_the_referee_plays_a_match_with_the_engine(engine: str) -> None:
    ours = f"{sys.executable} -m server.athens.command --player simple"
    words = [sys.executable, "-m", "quoridor_net", "referee", "--white", engine, "--black", ours]
    done = preloaded.run([*words, "--games", "2", "--swap"])
    assert done.returncode == 0, done.stderr
    assert "athens_engine agrees on the winner of 2 of 2 games" in done.stdout


def test_the_checker_finds_nothing(engine: str) -> None:
    words = [sys.executable, "-m", "quoridor_net", "check", "qtp", "--json", "--", engine]
    done = preloaded.run(words)
    assert (done.returncode, done.stderr) == (0, "")
    assert (json.loads(done.stdout)["passed"], json.loads(done.stdout)["findings"]) == (True, [])


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_closed_pipe_does_not_fail_the_checker(engine: str, options: list[str], tmp_path: Path) -> None:
    words = [sys.executable, "-m", "quoridor_net", "check", "qtp", "--junit", str(tmp_path / "report.xml")]
    with preloaded.Popen(
        [*words, *options, "--", engine], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as checker:
        assert checker.stdout is not None
        assert checker.stderr is not None
        checker.stdout.close()
        assert checker.stderr.read() == ""
        assert checker.wait(PATIENCE) == 0
    assert "<testsuite" in (tmp_path / "report.xml").read_text(encoding="utf-8")
