"""The move servers in ``examples/`` follow the rules and the protocol."""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from quoridor_net.notation import lan
from quoridor_net.rules import Illegality, Jumps, Orientation, Position, Square, Wall
from tests.examples.programs import EXAMPLES, HOST, Client, build, run_server
from tests.support import preloaded
from tests.support.positions import crowded_position

pytestmark = pytest.mark.end_to_end

SOURCES = ["move_server.py", "MoveServer.java", "move_server.c", "move_server.ts"]


@pytest.fixture(scope="module")
def start(folder_of_run: Path) -> Iterator[Callable[[str], int]]:
    """Return a function that starts the server of a source once, and returns its port."""
    with ExitStack() as stack:
        yield cache(lambda source: stack.enter_context(run_server(build(source, folder_of_run))))


@pytest.fixture(params=SOURCES)
def port(request: pytest.FixtureRequest, start: Callable[[str], int]) -> int:
    """The port of a running server."""
    return start(request.param)


def display(*ports: int) -> list[dict[str, object]]:
    """Play a game between the servers on ``ports`` by the display client; return its events."""
    addresses = [f"{HOST}:{port}" for port in ports]
    words = [sys.executable, "-m", "client", *addresses, "--gap", "0", "--json"]
    done = preloaded.run(words)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_server_plays_a_game_of_two(port: int) -> None:
    *_, last = display(port, port)
    assert (last["event"], last["termination"]) == ("game_ended", "goal")


def test_servers_in_all_languages_play_a_game_of_four(start: Callable[[str], int]) -> None:
    *_, last = display(*map(start, SOURCES))
    assert (last["event"], last["termination"]) == ("game_ended", "goal")


@pytest.mark.parametrize("source", [*SOURCES, "athens_engine.c"])
def test_every_example_is_short(source: str) -> None:
    lines = (EXAMPLES / source).read_text(encoding="ascii").splitlines()
    assert len(lines) <= (150 if source == "move_server.ts" else 249)


def test_typescript_needs_only_node() -> None:
    text = (EXAMPLES / "move_server.ts").read_text(encoding="ascii")
    imported = re.findall(r"^import .* from \"(.+)\";$", text, re.MULTILINE)
    assert imported == ["node:net"]


def test_python_needs_only_the_standard_library() -> None:
    imports = {
        line.split()[1]
        for line in (EXAMPLES / "move_server.py").read_text(encoding="ascii").splitlines()
        if line.startswith(("import ", "from "))
    }
    assert imports <= set(sys.stdlib_module_names)


def answer(port: int, position: Position) -> str:
    """Return the answer of the server when it is to move in ``position``.

    Reports of moves set up the position. Some are illegal, because servers do not check the moves of others.
    """
    players = len(position.order)
    names = " ".join(f"abc:{number}" for number in range(players))
    # Attribute the walls to players so that each has the right number left.
    builders = [player for player in position.order for _ in range(count_placed(position, player))]
    with Client(port) as client:
        client.send(
            f"GAME {position.turn} {names}",
            *(f"ATARI {player} {wall}" for player, wall in zip(builders, position.walls, strict=True)),
            *(f"ATARI {player} {position.pawn(player)}" for player in position.alive),
            *(f"GOTE {player}" for player in position.order if player not in position.alive),
            "MYOUSHU",
        )
        return client.line()


def count_placed(position: Position, player: int) -> int:
    return (10 if len(position.order) == 2 else 5) - position.walls_left(player)


def with_walls_left(position: Position, source: random.Random) -> Position:
    """Return ``position`` with the walls on it charged to random players."""
    players = len(position.order)
    left = [10 if players == 2 else 5] * players
    for _ in position.walls:
        left[source.choice([player for player in range(players) if left[player]])] -= 1
    pawns = [position.pawn(player) for player in range(1, players + 1)]
    assert position.turn is not None
    return Position.setup(pawns, left, position.walls, position.turn)


def test_moves_are_legal(port: int) -> None:
    source = random.Random(20)
    walls = 0
    for number in range(60):
        crowded = crowded_position(source, 9, 4 if number % 2 else 2, Jumps.OFFICIAL)
        position = with_walls_left(crowded, source)
        if position.legal_moves:
            said = answer(port, position)
            assert said.startswith("TESUJI ")
            move = lan.parse_move(said.removeprefix("TESUJI "))
            assert said == f"TESUJI {move}"
            assert position.is_legal(move), position.to_line()
            walls += isinstance(move, Wall)
    assert walls > 5


def walled_position(source: random.Random, players: int) -> Position:
    """Return a position in which some wall would close a player's last path."""
    while True:
        position = Position(players=players)
        for _ in range(16):
            walls = [move for move in position.legal_moves if isinstance(move, Wall)]
            # Prefer walls near the middle, where they meet each other.
            middle = [wall for wall in walls if 2 <= wall.column <= 5] or walls or position.legal_moves
            position.push(source.choice(middle))
        if any(why_closed(position, wall) for wall in all_walls()):
            return position


def all_walls() -> list[Wall]:
    return [Wall(column, row, way) for column in range(8) for row in range(8) for way in Orientation]


def why_closed(position: Position, wall: Wall) -> bool:
    reason = position.why_illegal(wall)
    return reason is not None and reason.kind is Illegality.NO_PATH


@pytest.mark.parametrize("players", [2, 4])
def test_no_server_closes_the_last_path(port: int, players: int) -> None:
    """Offer each server a wall that would shut in its rival, which only the path rule forbids."""
    source = random.Random(players)
    asked = 0
    while asked < 12:
        position = walled_position(source, players)
        closing = [wall for wall in all_walls() if why_closed(position, wall)]
        wall = source.choice(closing)
        # Move the rivals next to the wall, so that they are closer to their goals and the wall is near them.
        here = position.turn
        assert here is not None
        pawns = [position.pawn(player) for player in range(1, players + 1)]
        near = [
            Square(column, row)
            for column in (wall.column, wall.column + 1)
            for row in (wall.row, wall.row + 1)
        ]
        source.shuffle(near)
        for player in range(1, players + 1):
            if player != here:
                pawns[player - 1] = near.pop()
        left = [position.walls_left(player) for player in range(1, players + 1)]
        try:
            moved = Position.setup(pawns, left, position.walls, here)
        except ValueError:
            # Two pawns share a square, or one is on its goal line.
            continue
        if moved.turn != here or not left[here - 1] or not why_closed(moved, wall):
            continue
        said = answer(port, moved)
        assert moved.is_legal(lan.parse_move(said.removeprefix("TESUJI "))), (moved.to_line(), said)
        asked += 1


def test_a_player_without_a_step_places_a_wall(port: int) -> None:
    # The only way out of the corner leads over two pawns.
    pawns = [Square(0, 0), Square(0, 1), Square(0, 2), Square(8, 4)]
    position = Position.setup(pawns, [5, 4, 5, 5], [Wall(0, 0, Orientation.VERTICAL)], 1)
    assert position.legal_steps == []
    said = answer(port, position)
    assert position.is_legal(lan.parse_move(said.removeprefix("TESUJI "))), said


GREETED = ["HELLO", "GAME 1 abc:me abc:you"]


def test_lines_end_with_cr_lf_too(port: int) -> None:
    with Client(port) as client:
        client.send(*GREETED, "MYOUSHU", end="\r\n")
        assert client.line()[:4] == "IAM "
        assert client.line() == "TESUJI (4, 1)"


def test_single_bytes_and_several_lines_at_once_are_understood(port: int) -> None:
    with Client(port) as client:
        for byte in b"HELLO\nGAME 2 abc:me abc:you\nATARI 1 (4, 1)\nMYOUSHU\n":
            client.send_bytes(bytes([byte]))
        assert client.line()[:4] == "IAM "
        assert client.line().startswith("TESUJI ")
        client.send("HELLO", "ATARI 2 (4, 7)", "MYOUSHU")
        assert client.line()[:4] == "IAM "
        assert client.line().startswith("TESUJI ")


@pytest.mark.parametrize(
    "line",
    [
        "", "SALUTE", "ATARI", "ATARI 1", "ATARI 7 (4, 4)", "ATARI 1 (9, 9)", "ATARI 1 [(8, 0), h]",
        "ATARI 1 (4,", "GOTE 9", "GOTE x", "KIKASHI", "GAME", "GAME 3 a b", "GAME 1 a", "\xff\x00",
        "X" * 5000,
    ],
)  # fmt: skip
def test_invalid_lines_are_ignored(port: int, line: str) -> None:
    with Client(port) as client:
        client.send(*GREETED)
        client.send_bytes(line.encode("latin-1") + b"\n")
        client.send("MYOUSHU")
        assert client.line()[:4] == "IAM "
        assert client.line() == "TESUJI (4, 1)"


def test_spacing_and_case_do_not_matter(port: int) -> None:
    with Client(port) as client:
        client.send(
            "hello", " GAME  1 abc:me   abc:you ", "atari 2  [ (4,0) , H ]", "Atari 1 ( 4 ,0 )", "myoushu "
        )
        assert client.line()[:4] == "IAM "
        # The wall lies below (4, 0) and (5, 0).
        assert client.line() == "TESUJI (3, 0)"


def test_a_player_that_is_out_loses_its_pawn_but_not_its_walls(port: int) -> None:
    with Client(port) as client:
        client.send("GAME 1 a b c d", "ATARI 4 (4, 1)", "GOTE 4", "MYOUSHU")
        assert client.line() == "TESUJI (4, 1)"
        client.send("GAME 1 a b", "ATARI 2 [(4, 0), h]", "GOTE 2", "MYOUSHU")
        assert client.line() == "TESUJI (3, 0)"


def test_the_last_player_continues_to_answer_requests(port: int) -> None:
    with Client(port) as client:
        client.send(*GREETED, "GOTE 2", "MYOUSHU")
        assert client.line()[:4] == "IAM "
        assert client.line() == "TESUJI (4, 1)"


@pytest.mark.parametrize("last", ["KIKASHI 1", "KIKASHI 2", "GOTE 1"])
def test_the_connection_ends_with_the_game_and_the_next_game_begins(port: int, last: str) -> None:
    for _ in range(2):
        with Client(port) as client:
            client.send(*GREETED, last)
            assert client.line()[:4] == "IAM "
            assert client.line() == ""


def test_a_client_that_disconnects_does_not_disturb_others(port: int) -> None:
    with Client(port) as staying:
        staying.send("HELLO")
        with Client(port) as leaving:
            leaving.send(*GREETED, "MYOUSHU")
        assert staying.line()[:4] == "IAM "


def check(*words: str) -> None:
    """Run the checker of move servers, which must find nothing."""
    command = [sys.executable, "-m", "quoridor_net", "check", "server", "--json", *words]
    done = preloaded.run(command)
    assert (done.returncode, done.stderr) == (0, "")
    assert (json.loads(done.stdout)["passed"], json.loads(done.stdout)["findings"]) == (True, [])


def test_the_checker_finds_nothing(port: int) -> None:
    check(f"{HOST}:{port}")


@pytest.mark.parametrize("source", SOURCES)
def test_the_checker_starts_the_server(source: str, folder_of_run: Path) -> None:
    # It starts the server for every check, and one check is enough to see that.
    check("--only", "LAN-101", "--", *build(source, folder_of_run), "--port", "{port}")
