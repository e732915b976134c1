"""A scripted session for each command of section 4 of the Athens protocol; texts in quotes are its own.

In a script ``>`` is what the controller sends; the lines after it are the response without the blank line
that ends it, each after ``|``. A command without any is not answered.
"""

from __future__ import annotations

from copy import deepcopy

import pytest

from quoridor_net.protocols.athens import (
    COMMANDS,
    NEED_DATA,
    EngineRole,
    Farewell,
    MoveWanted,
    PrivateCommand,
    Reply,
)
from quoridor_net.protocols.common.errors import LocalProtocolError
from quoridor_net.rules import Jumps, Move, Orientation, Square, Step, Wall


def answers(role: EngineRole, sent: bytes, move: Move | None = None) -> bytes:
    """Feed ``sent`` and return everything answered; genmove plays ``move`` or else along a shortest path."""
    role.receive_data(sent)
    answered = b""
    while True:
        match role.next_event():
            case Reply(data) | Farewell(data):
                answered += data
            case MoveWanted(player, position):
                answered += role.play(move or Step(position.shortest_path(player)[1]))
            case PrivateCommand():
                answered += role.succeed(["done"])
            case event:
                assert event is NEED_DATA
                return answered


def play_script(script: str, role: EngineRole | None = None) -> EngineRole:
    role = role or EngineRole("Quoridor Net", ["qn-extra"])
    lines = [line.strip() for line in script.strip().splitlines()]
    starts = [index for index, line in enumerate(lines) if line.startswith(">")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        expected = "".join(f"{line[1:]}\n" for line in lines[start + 1 : end])
        expected += "\n" if expected else ""
        assert answers(role, lines[start][1:].strip().encode() + b"\n").decode() == expected, lines[start]
    return role


SCRIPTS = {
    # "fails never", so whatever follows is ignored.
    "name": """
        > name
        |= Quoridor Net
        > name please
        |= Quoridor Net
        > NAME
        |? unknown command
    """,
    "known_command": """
        > known_command genmove
        |= true
        > known_command qn-extra
        |= true
        > known_command castle
        |= false
        > known_command
        |= false
        > known_command GENMOVE
        |= false
    """,
    # "Include all known commands, including required ones and private extensions", one per row.
    "list_commands": """
        > list_commands
        |= name
        |known_command
        |list_commands
        |quit
        |boardsize
        |clear_board
        |walls
        |playmove
        |playwall
        |genmove
        |undo
        |winner
        |showboard
        |qn-extra
    """,
    # Nothing is answered after it.
    "quit": """
        > quit
        |=
        > name
    """,
    "boardsize": """
        > boardsize 9
        |=
        > boardsize 3
        |=
        > boardsize 25
        |=
        > boardsize 0009
        |=
        > boardsize 2
        |? unacceptable size
        > boardsize 26
        |? unacceptable size
        > boardsize 0
        |? unacceptable size
        > boardsize 2147483647
        |? unacceptable size
        > boardsize 2147483648
        |? syntax error
        > boardsize -9
        |? syntax error
        > boardsize +9
        |? syntax error
        > boardsize nine
        |? syntax error
        > boardsize 9.0
        |? syntax error
        > boardsize
        |? syntax error
        > boardsize 9 9
        |? syntax error
    """,
    "clear_board": """
        > playmove black E8
        |=
        > clear_board
        |=
        > undo
        |? cannot undo
        > playmove black E7
        |? illegal move
        > clear_board now
        |=
    """,
    "walls": """
        > walls 1
        |=
        > playwall white E3 h
        |=
        > playwall white A9 h
        |? illegal move
        > playwall black A9 h
        |=
        > walls 0
        |=
        > playwall black C9 h
        |? illegal move
        > walls 2147483647
        |=
        > playwall black C9 h
        |=
        > walls
        |? syntax error
        > walls many
        |? syntax error
    """,
    "playmove": """
        > playmove black E8
        |=
        > playmove BLACK e7
        |=
        > playmove b E6
        |=
        > playmove White E2
        |=
        > playmove w e3
        |=
        > playmove w E3
        |? illegal move
        > playmove w A1
        |? illegal move
        > playmove w J1
        |? illegal move
        > playmove w E10
        |? illegal move
        > playmove w Z1
        |? syntax error
        > playmove w E0
        |? syntax error
        > playmove w E26
        |? syntax error
        > playmove w 3E
        |? syntax error
        > playmove red E4
        |? syntax error
        > playmove E4
        |? syntax error
        > playmove white
        |? syntax error
        > playmove
        |? syntax error
        > playmove w E4 h
        |? syntax error
        > playmove w E4
        |=
    """,
    # "vertex (northwest of the wall center)".
    "playwall": """
        > playwall white E3 h
        |=
        > playmove white E2
        |=
        > playmove white E3
        |? illegal move
        > playwall BLACK c7 VERTICAL
        |=
        > playwall b C6 v
        |? illegal move
        > playwall b C7 h
        |? illegal move
        > playwall b D7 H
        |=
        > playwall b A1 h
        |? illegal move
        > playwall b I9 h
        |? illegal move
        > playwall b A9 diagonal
        |? syntax error
        > playwall b A9
        |? syntax error
        > playwall A9 h
        |? syntax error
        > playwall b A9h
        |? syntax error
        > playwall
        |? syntax error
        > playwall b a9 horizontal x
        |? syntax error
        > playwall b a9 horizontal
        |=
    """,
    "genmove": """
        > genmove black
        |= E8
        > genmove W
        |= E2
        > genmove w
        |= E3
        > genmove green
        |? syntax error
        > genmove
        |? syntax error
        > undo 3
        |=
        > undo
        |? cannot undo
    """,
    # "If times is greater than moves played or no moves are played. Fails with ... cannot undo".
    "undo": """
        > undo
        |? cannot undo
        > undo 0
        |? cannot undo
        > playmove black E8
        |=
        > playwall white E3 h
        |=
        > undo 3
        |? cannot undo
        > undo 0
        |=
        > undo x
        |? syntax error
        > undo -1
        |? syntax error
        > undo 1 1
        |? syntax error
        > undo
        |=
        > playmove white E2
        |=
        > undo 2
        |=
        > playmove black E8
        |=
    """,
    "winner": """
        > winner
        |= false
        > boardsize 3
        |=
        > playmove white B2
        |=
        > winner
        |= false
        > playmove white A2
        |=
        > playmove white A3
        |=
        > winner
        |= true white
        > playmove black B2
        |? illegal move
        > playwall black A3 h
        |? illegal move
        > genmove black
        |= pass
        > undo
        |=
        > winner
        |= false
        > playmove black B2
        |=
        > playmove black B1
        |=
        > winner
        |= true black
    """,
    "showboard": """
        > boardsize 3
        |=
        > walls 2
        |=
        > playwall white A3 h
        |=
        > playwall black A2 v
        |=
        > showboard
        |=
        |     A   B   C
        |   +---+---+---+
        | 3 |   | B |   | 3   Black walls: 1
        |   +=======+---+
        | 2 |   H   |   | 2   White walls: 1
        |   +---H---+---+
        | 1 |   H W |   | 1
        |   +---+---+---+
        |     A   B   C
    """,
}


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_each_command_answers_as_documented(command: str) -> None:
    play_script(SCRIPTS[command])


def test_unknown_commands_get_the_standard_message() -> None:
    play_script("""
        > castle
        |? unknown command
        > =
        |? unknown command
        > 1 name
        |? unknown command
    """)


@pytest.mark.parametrize(
    ("sent", "answered"),
    [
        pytest.param(b"name\r\n", b"= x\n\n", id="CR is discarded"),
        pytest.param(b"na\rme\n", b"= x\n\n", id="CR anywhere"),
        pytest.param(b"\x00n\x07a\x1bm\x7fe\x0b\n", b"= x\n\n", id="other control characters"),
        pytest.param(b"\t known_command\t \tname\t\n", b"= true\n\n", id="tabs are spaces"),
        pytest.param(b"name # my name\n", b"= x\n\n", id="comment after a command"),
        pytest.param(b"name#\n", b"= x\n\n", id="comment without a space"),
        pytest.param(b"# name\n  # name\n\t#\n", b"", id="comment lines"),
        pytest.param(b"\n\n   \n\t\n\r\n\x00\n", b"", id="empty lines"),
        pytest.param("name # Κουόριντορ\n".encode(), b"= x\n\n", id="any bytes in comments"),
        pytest.param("ναμε\n".encode(), b"? unknown command\n\n", id="any bytes in commands"),
        pytest.param(
            b"known_command\xa0name\n", b"? unknown command\n\n", id="only SPACE and HT separate words"
        ),
        pytest.param(b"name" + b" " * 99999 + b"\n", b"= x\n\n", id="spaces do not make a line long"),
        pytest.param(b"#" * 99999 + b"\n", b"", id="nor do comments"),
        pytest.param(b"x" * 4096 + b"\n", b"? unknown command\n\n", id="as long as can be"),
        pytest.param(b"x" * 4097 + b"\n", b"? syntax error\n\n", id="one character too long"),
        pytest.param(b"x" * 99999 + b"\nname\n", b"? syntax error\n\n= x\n\n", id="too long, and the next"),
        pytest.param(
            b"name\nwinner\nundo\nname\n", b"= x\n\n= false\n\n? cannot undo\n\n= x\n\n", id="pipelined"
        ),
    ],
)
@pytest.mark.parametrize("chunk", [1, 7, 1 << 20])
def test_input_is_preprocessed(sent: bytes, answered: bytes, chunk: int) -> None:
    role = EngineRole("x")
    pieces = [sent[start : start + chunk] for start in range(0, len(sent), chunk)]
    assert b"".join(answers(role, piece) for piece in pieces) == answered


def test_a_line_that_never_ends_takes_no_memory() -> None:
    role = EngineRole("x")
    for _ in range(1000):
        assert answers(role, b"x" * 10_000) == b""
    assert len(role._lines._line) <= 10_000


def test_a_last_line_without_newline_is_answered() -> None:
    role = EngineRole("x")
    assert answers(role, b"name\nname") == b"= x\n\n"
    assert role.receive_end()
    assert answers(role, b"") == b"= x\n\n"
    assert not role.receive_end()


def test_the_state_after_boardsize_is_a_new_game_with_the_default_walls() -> None:
    role = play_script(
        "> boardsize 7\n|=\n> playmove black D6\n|=\n> boardsize 7\n|=\n> undo\n|? cannot undo"
    )
    assert (role.game.size, role.game.walls, role.game.position.walls_left(1)) == (7, 6, 6)


def test_clear_board_keeps_size_and_walls() -> None:
    for order in ("> walls 3\n|=\n> clear_board\n|=", "> clear_board\n|=\n> walls 3\n|="):
        role = play_script(f"> boardsize 5\n|=\n{order}")
        assert [role.game.position.walls_left(player) for player in (1, 2)] == [3, 3]
        assert role.game.size == 5


def test_walls_in_the_middle_of_a_game_count_from_its_beginning_and_undo_agrees() -> None:
    role = play_script("""
        > playwall white E3 h
        |=
        > playwall white A3 h
        |=
        > playmove black E8
        |=
        > walls 5
        |=
    """)
    position = role.game.position
    assert (position.walls_left(1), position.walls_left(2)) == (5, 3)
    assert len(position.walls) == 2
    play_script("> undo 2\n|=", role)
    assert role.game.position.walls_left(2) == 4
    play_script("> walls 0\n|=", role)
    assert [role.game.position.walls_left(player) for player in (1, 2)] == [0, 0]
    assert len(role.game.position.walls) == 1


def test_more_walls_than_fit_count_as_all_that_fit() -> None:
    role = play_script("> walls 2147483647\n|=")
    assert role.game.walls == 2147483647
    assert role.game.position.walls_left(1) == 64


@pytest.mark.parametrize("size", range(3, 26))
def test_every_size_shows_its_coordinates_and_start(size: int) -> None:
    role = EngineRole("x")
    board = answers(role, f"boardsize {size}\nshowboard\n".encode()).decode().split("\n\n")[1].splitlines()
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXY"[:size]
    assert board[1].split() == board[-1].split() == list(letters)
    rows = board[3:-1:2]
    # "The numbers go from 9 to 1, from the top to the bottom", here for every size.
    assert [row.split()[0] for row in rows] == [str(number) for number in range(size, 0, -1)]
    column = board[1].index(letters[size // 2])
    assert rows[0][column] == "B"
    assert rows[-1][column] == "W"
    assert "" not in board


@pytest.mark.parametrize("size", [10, 25])
def test_vertices_of_large_boards_are_understood(size: int) -> None:
    middle = "ABCDEFGHIJKLMNOPQRSTUVWXY"[size // 2]
    play_script(f"""
        > boardsize {size}
        |=
        > playmove black {middle.lower()}{size - 1}
        |=
        > genmove black
        |= {middle}{size - 2}
        > playwall white A{size} v
        |=
        > playwall white A{size - 1} h
        |=
    """)


def test_genmove_takes_walls_and_any_colour() -> None:
    role = EngineRole("x")
    assert answers(role, b"genmove white\n", Wall(4, 6, Orientation.HORIZONTAL)) == b"= E3 horizontal\n\n"
    assert answers(role, b"genmove white\n", Wall(0, 0, Orientation.VERTICAL)) == b"= A9 vertical\n\n"
    assert role.game.position.walls_left(2) == 8


def test_genmove_can_fail_without_changing_anything() -> None:
    role = EngineRole("x")
    role.receive_data(b"genmove black\nwinner\n")
    assert isinstance(role.next_event(), MoveWanted)
    with pytest.raises(LocalProtocolError, match="cannot take a command while thinking"):
        deepcopy(role).next_event()
    with pytest.raises(LocalProtocolError, match="may not send = while thinking"):
        deepcopy(role).succeed()
    assert role.fail("the power\nfailed") == b"? the power failed\n\n"
    assert role.game.history == ()
    assert role.next_event() == Reply(b"= false\n\n")
    with pytest.raises(LocalProtocolError):
        role.play(Step(Square(4, 1)))


def test_the_classroom_jump_rule_is_followed() -> None:
    moves = b"".join(f"playmove black E{row}\nplaymove white E{10 - row}\n".encode() for row in (8, 7, 6))
    sideways = b"playmove black E5\nplaymove black D4\n"
    assert answers(EngineRole("x"), moves + sideways).endswith(b"=\n\n? illegal move\n\n")
    classroom = EngineRole("x", jumps=Jumps.CLASSROOM)
    assert answers(classroom, moves + sideways).endswith(b"=\n\n=\n\n")


def test_private_answers_cannot_break_the_framing() -> None:
    role = EngineRole("x", ["qn-extra"])
    role.receive_data(b"qn-extra a\tb\n")
    assert role.next_event() == PrivateCommand("qn-extra", ("a", "b"))
    assert role.succeed(["one", "", "two\x1b[2J", "é"]) == b"= one\ntwo?[2J\n?\n\n"
