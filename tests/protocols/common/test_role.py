"""The ERROR state, which is the same in every protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from quoridor_net.clobber import parse_move
from quoridor_net.outcome import Termination
from quoridor_net.protocols import athens, lan
from quoridor_net.protocols.common.errors import LocalProtocolError, RemoteProtocolError
from quoridor_net.protocols.common.role import ERROR, MAX_IGNORED, NEED_DATA, Role
from quoridor_net.protocols.olympiad import roles as clobber
from quoridor_net.protocols.olympiad.messages import Error, Play, Played, Settings
from quoridor_net.protocols.olympiad.transitions import ClobberServerState
from quoridor_net.rules import Square, Step

FLOOD = b"x" * 100_000
STEP = Step(Square(4, 1))


def make_greeted_client() -> lan.ClientRole:
    role = lan.ClientRole()
    role.send(lan.Hello())
    role.receive_data(b"IAM a\n")
    role.next_event()
    role.send(lan.Game(1, ("a", "b")))
    return role


def make_asked_controller() -> athens.ControllerRole:
    role = athens.ControllerRole()
    role.send("genmove black")
    return role


@pytest.mark.parametrize(
    "make",
    [
        make_greeted_client,
        lan.ServerRole,
        clobber.ClobberServerRole,
        clobber.ClobberClientRole,
        make_asked_controller,
    ],
)
def test_nothing_is_read_after_an_error_of_the_peer(make: Callable[[], Role[Any, Any, Any]]) -> None:
    role = make()
    role.receive_data(FLOOD)
    with pytest.raises(RemoteProtocolError, match="a line of more than") as first:
        role.next_event()
    assert role.state is ERROR
    role.receive_data(b"\nHELLO\n")
    with pytest.raises(RemoteProtocolError) as again:
        role.next_event()
    assert again.value is first.value is role.error


@pytest.mark.parametrize(
    ("role", "send"),
    [
        (lan.ClientRole(), lambda role: role.send(lan.Myoushu())),
        (lan.ServerRole(), lambda role: role.send(lan.Tesuji(STEP))),
        (clobber.ClobberServerRole(), lambda role: role.send(Settings(10, 10, begins=True))),
        (clobber.ClobberClientRole(), lambda role: role.send(Played(parse_move("a1b1")))),
        (clobber.ClobberClientRole(), lambda role: role.finish()),
        (athens.ControllerRole(), lambda role: role.send("two\nlines")),
        (athens.EngineRole("x"), lambda role: role.play(STEP)),
        (athens.EngineRole("x"), lambda role: role.succeed()),
    ],
)
def test_nothing_works_after_an_error_of_ours(role: Any, send: Any) -> None:
    assert role.next_event() is NEED_DATA
    with pytest.raises(LocalProtocolError) as first:
        send(role)
    assert role.state is ERROR
    for use in (send, lambda role: role.next_event()):
        with pytest.raises(LocalProtocolError) as again:
            use(role)
        assert again.value is first.value is role.error


def test_allowed_messages_are_refused_after_an_error_of_ours() -> None:
    role = clobber.ClobberClientRole()
    with pytest.raises(LocalProtocolError) as first:
        role.finish()
    with pytest.raises(LocalProtocolError) as again:
        role.send(Play("bob"))
    assert again.value is first.value


def test_the_verdict_can_be_sent_after_an_error_of_the_peer() -> None:
    client = make_greeted_client()
    client.receive_data(b"TESUJI (4, 1)\n")
    with pytest.raises(RemoteProtocolError, match="when none was expected"):
        client.next_event()
    assert client.send(lan.Gote(1)) == b"GOTE 1\n"
    assert client.state is ERROR

    server = clobber.ClobberServerRole()
    server.receive_data(FLOOD)
    with pytest.raises(RemoteProtocolError):
        server.next_event()
    assert server.send(Error()) == b"error\n"


def test_a_conversation_continues_after_an_error_in_the_table() -> None:
    role = clobber.ClobberServerRole()
    role.receive_data(b"play clobber bob\n")
    role.next_event()
    role.send(Settings(10, 10, begins=True))
    role.receive_data(b"resign\n")
    with pytest.raises(RemoteProtocolError) as caught:
        role.next_event()
    assert caught.value.termination is Termination.UNPARSABLE_MOVE
    assert role.state is ClobberServerState.OFFENDING
    assert role.error is None


def test_ignored_lines_are_limited() -> None:
    role = lan.ServerRole()
    role.receive_data(b"nonsense\n" * (MAX_IGNORED + 1))
    for _ in range(MAX_IGNORED):
        assert isinstance(role.next_event(), lan.Ignored)
    with pytest.raises(RemoteProtocolError, match="lines without meaning"):
        role.next_event()
    assert role.state is ERROR
