"""The controller's side: events from the output of correct and sloppy engines, in chunks of any size."""

from __future__ import annotations

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.protocols.athens import (
    NEED_DATA,
    ControllerRole,
    EmptyAnswer,
    EngineRole,
    Farewell,
    Noise,
    Refusal,
    Reply,
    Response,
    is_understood,
    parse_boolean_answer,
    parse_genmove_answer,
)
from quoridor_net.protocols.athens.controller_role import MAX_OUTPUT, ControllerEvent
from quoridor_net.protocols.common.errors import LocalProtocolError, RemoteProtocolError
from quoridor_net.rules import Orientation, Square, Step, Termination, Wall
from quoridor_net.text import UnparsableError


def events(role: ControllerRole, data: bytes, chunk: int = 1 << 20) -> list[ControllerEvent]:
    found: list[ControllerEvent] = []
    for start in range(0, len(data), chunk):
        role.receive_data(data[start : start + chunk])
        while (event := role.next_event()) is not NEED_DATA:
            assert not isinstance(event, type(NEED_DATA))
            found.append(event)
    return found


def ask(command: str, output: bytes, chunk: int = 1 << 20) -> list[ControllerEvent]:
    role = ControllerRole()
    role.send(command)
    return events(role, output, chunk)


@pytest.mark.parametrize("chunk", [1, 3, 1 << 20])
@pytest.mark.parametrize(
    ("command", "output", "is_success", "text"),
    [
        ("clear_board", b"=\n\n", True, ""),
        ("clear_board", b"= \r\n\r\n", True, ""),
        ("clear_board", b"= done\n\n", True, "done"),
        ("boardsize 99", b"? unacceptable size\n\n", False, "unacceptable size"),
        ("boardsize 99", b"?unacceptable size\n", False, "unacceptable size"),
        ("genmove black", b"= E8\n\n", True, "E8"),
        ("genmove black", b"=E8\n", True, "E8"),
        ("genmove black", b"\n\n = \tE5  v\n\n", True, "E5  v"),
        ("genmove black", b"= \nE8\n\n", True, "E8"),
        ("winner", b"= true white\n\n", True, "true white"),
        ("winner", b"false\n", True, "false"),
        ("winner", b"True black\n\n", True, "True black"),
        ("winner", b"? false\n\n", True, "false"),
        ("winner", b"? unknown command\n\n", False, "unknown command"),
        ("known_command x", b"= True\n\n", True, "True"),
        ("name", b"= IP Quoridor\n\n", True, "IP Quoridor"),
        ("list_commands", b"= name\nquit\n\n", True, "name\nquit"),
        ("list_commands", b"=\nname\nquit\n\n", True, "name\nquit"),
        ("showboard", b"? no board\n\n", False, "no board"),
    ],
)
def test_responses_are_understood(
    command: str, output: bytes, is_success: bool, text: str, chunk: int
) -> None:
    responses = [event for event in ask(command, output, chunk) if isinstance(event, Response)]
    assert [(each.command, each.is_success, each.text) for each in responses] == [(command, is_success, text)]


def test_lines_outside_of_a_response_are_noise() -> None:
    output = b"hello\n\n# note\neval = 5\n> = E8\nnodes 99\n= again\n"
    assert ask("genmove black", output) == [
        Noise("hello"),
        Noise("# note"),
        Noise("eval = 5"),
        Response("genmove black", True, "E8", "> = E8"),
        Noise("nodes 99"),
        Noise("= again"),
    ]


def test_an_answer_that_came_too_early_is_not_taken_for_the_next_one() -> None:
    role = ControllerRole()
    role.send("clear_board")
    role.receive_data(b"=\n\n=\n\n")
    assert isinstance(role.next_event(), Response)
    role.send("genmove black")
    assert events(role, b"= E8\n\n") == [Noise("="), Response("genmove black", True, "E8", "= E8")]


@pytest.mark.parametrize("rest", [b"= E8\n\n", b"E8\n", b"thinking\nE8\n\n"])
def test_the_real_answer_may_follow_an_empty_one(rest: bytes) -> None:
    first, *others, last = ask("genmove black", b"=\n\n" + rest)
    assert first == EmptyAnswer("genmove black", "=")
    assert isinstance(last, Response)
    assert last.text == "E8"
    assert all(isinstance(other, Noise) for other in others)


@pytest.mark.parametrize("rest", [b"=E5\n\n", b"?no\n\n =E5", b"thinking\n= E5\n\n"])
def test_an_answer_may_follow_a_refusal_to_move(rest: bytes) -> None:
    first, *_, last = ask("genmove black", b"? illegal placement\n\n" + rest + b"\n")
    assert first == Refusal(Response("genmove black", False, "illegal placement", "? illegal placement"))
    assert isinstance(last, Response)
    assert (last.is_success, last.text) == (True, "E5")


@pytest.mark.parametrize(
    ("complaint", "understood"),
    [
        ("illegal move", True),
        ("cannot: unknown reason", True),
        ("", True),
        ("unknown command", False),
        ("Syntax Error!", False),
        ("ERROR unknown_command playwall", True),
        ("unknown_command playwall", False),
    ],
)
def test_complaints_about_the_command_differ_from_those_about_the_move(
    complaint: str, understood: bool
) -> None:
    assert is_understood(complaint) is understood


def test_only_one_command_can_be_pending() -> None:
    role = ControllerRole()
    assert role.send("genmove black") == b"genmove black\n"
    with pytest.raises(LocalProtocolError, match="must be answered before"):
        deepcopy(role).send("winner")
    role.give_up()
    for command in ("", " ", "a\nb", "é"):
        with pytest.raises(LocalProtocolError, match="is not a command"):
            ControllerRole().send(command)
    assert role.send("winner") == b"winner\n"


def test_floods_are_noticed_and_take_no_memory() -> None:
    with pytest.raises(RemoteProtocolError, match="a line of more than 65536 bytes") as long_line:
        ask("genmove black", b"x" * 70_000, 4096)
    with pytest.raises(RemoteProtocolError, match="wrote more than 8 MiB at once") as much:
        ask("genmove black", (b"x" * 99 + b"\n") * (MAX_OUTPUT // 100 + 1), 4096)
    assert long_line.value.termination is much.value.termination is Termination.FLOODING


def test_the_output_limit_restarts_for_each_command() -> None:
    role = ControllerRole()
    noise = (b"x" * 59_999 + b"\n") * (MAX_OUTPUT * 2 // 3 // 60_000)
    for _ in range(2):
        role.send("genmove black")
        found = events(role, noise + b"= E8\n", 1 << 16)
        assert found[-1] == Response("genmove black", True, "E8", "= E8")


@given(st.binary(max_size=300), st.sampled_from(["name", "genmove black", "winner", "walls 1", "showboard"]))
def test_no_output_does_any_harm(output: bytes, command: str) -> None:
    responses = [event for event in ask(command, output) if isinstance(event, Response)]
    assert len(responses) <= 1
    whole = [event for event in ask(command, output, 1) if isinstance(event, Response)]
    assert whole == responses


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("E8", Step(Square(4, 1))),
        ("e8", Step(Square(4, 1))),
        ("E8.", Step(Square(4, 1))),
        ("E5 v", Wall(4, 4, Orientation.VERTICAL)),
        ("A5 H", Wall(0, 4, Orientation.HORIZONTAL)),
        ("E5 vertical", Wall(4, 4, Orientation.VERTICAL)),
        ("a2 HORIZONTAL", Wall(0, 7, Orientation.HORIZONTAL)),
        ("e2h", Wall(4, 7, Orientation.HORIZONTAL)),
        ("E5 v winrate:0.87", Wall(4, 4, Orientation.VERTICAL)),
        ("E5 winrate 0.87 v", Step(Square(4, 4))),
        ("RESIGN", "resign"),
    ],
)
def test_genmove_answers_are_parsed(text: str, move: object) -> None:
    assert parse_genmove_answer(text, 9) == move


@pytest.mark.parametrize("text", ["", "pass", "J1", "E10", "E0", "5E", "E", "(4, 1)", "E 5"])
def test_invalid_genmove_answers_are_rejected(text: str) -> None:
    with pytest.raises(UnparsableError):
        parse_genmove_answer(text, 9)


def test_boolean_answers_are_parsed() -> None:
    assert [parse_boolean_answer(text) for text in ("true white", "T", "False", "f")] == [
        True,
        True,
        False,
        False,
    ]
    with pytest.raises(UnparsableError):
        parse_boolean_answer("truely")


def test_both_sides_agree_when_linked_in_memory() -> None:
    """Whatever our engine answers, our controller takes as one response without noise."""
    engine, controller = EngineRole("Linked"), ControllerRole()
    for command in (
        "name",
        "list_commands",
        "known_command undo",
        "boardsize 25",
        "boardsize 2",
        "clear_board",
        "walls 3",
        "playwall white B24 h",
        "playmove black M1",
        "showboard",
        "winner",
        "undo",
        "undo",
        "nonsense",
        "quit",
    ):
        engine.receive_data(controller.send(command))
        reply = engine.next_event()
        assert isinstance(reply, Reply | Farewell)
        [response] = events(controller, reply.data)
        assert isinstance(response, Response)
        assert response.is_success == (reply.data[:1] == b"=")
