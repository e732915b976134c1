"""The tables of both roles, written out once more: state and kind of message, and the state that follows.

The roles and the diagrams of the documentation follow the tables of the code; these here are the protocol's.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from quoridor_net.protocols.common.errors import LocalProtocolError, RemoteProtocolError
from quoridor_net.protocols.common.role import MAX_IGNORED
from quoridor_net.protocols.lan import (
    NEED_DATA,
    ClientRole,
    Game,
    Gote,
    Hello,
    Iam,
    Ignored,
    MessageError,
    Myoushu,
    ServerRole,
    Tesuji,
    parse_message,
)
from quoridor_net.protocols.lan.transitions import (
    CLIENT_RECEIVES,
    CLIENT_SENDS,
    SERVER_RECEIVES,
    SERVER_SENDS,
    ClientState,
    LanKind,
    ServerState,
)
from quoridor_net.rules import Square, Step, Termination

CLIENT_SENT = """
connected   HELLO                  greeting
greeted     GAME                   playing
playing     MYOUSHU                asking
playing     ATARI                  playing
playing     GOTE (another player)  playing
playing     GOTE (this player)     eliminated
playing     KIKASHI                over
asking      GOTE (another player)  asking
asking      GOTE (this player)     eliminated
asking      KIKASHI                over
"""
CLIENT_RECEIVED = """
greeting    IAM                    greeted
asking      TESUJI                 playing
"""
SERVER_SENT = """
greeted     IAM                    greeted
playing     IAM                    playing
thinking    IAM                    thinking
thinking    TESUJI                 playing
"""
SERVER_RECEIVED = """
connected   HELLO                  greeted
greeted     HELLO                  greeted
greeted     GAME                   playing
playing     HELLO                  playing
playing     MYOUSHU                thinking
playing     ATARI                  playing
playing     GOTE (another player)  playing
playing     GOTE (this player)     eliminated
playing     KIKASHI                over
thinking    HELLO                  thinking
thinking    GOTE (another player)  thinking
thinking    GOTE (this player)     eliminated
thinking    KIKASHI                over
"""


@pytest.mark.parametrize(
    ("written", "table"),
    [
        (CLIENT_SENT, CLIENT_SENDS),
        (CLIENT_RECEIVED, CLIENT_RECEIVES),
        (SERVER_SENT, SERVER_SENDS),
        (SERVER_RECEIVED, SERVER_RECEIVES),
    ],
)
def test_the_tables_have_these_transitions(
    written: str, table: Mapping[tuple[ClientState | ServerState, LanKind], ClientState | ServerState]
) -> None:
    rows = {tuple(part.strip() for part in row.split("  ") if part) for row in written.strip().splitlines()}
    assert {(state.value, kind.value, following.value) for (state, kind), following in table.items()} == rows


def server_role(*lines: bytes) -> ServerRole:
    """Return a role that received ``lines`` and found a message in each of them."""
    role = ServerRole()
    for line in lines:
        role.receive_data(line + b"\n")
        assert not isinstance(role.next_event(), Ignored)
    return role


def test_a_server_knows_which_player_it_is_to_the_end() -> None:
    """Only GOTE with its own number puts it out, however many messages came since GAME."""
    role = server_role(b"HELLO", b"GAME 2 a b c d", b"HELLO", b"ATARI 1 (4, 1)", b"MYOUSHU", b"GOTE 3")
    assert (role.player, role.state) == (2, ServerState.THINKING)
    role.receive_data(b"GOTE 2\n")
    assert role.next_event() == Gote(2)
    assert role.state is ServerState.ELIMINATED


def test_a_client_knows_which_player_a_server_is() -> None:
    role = ClientRole()
    role.send(Hello())
    role.receive_data(b"IAM a\n")
    assert role.next_event() == Iam("a")
    role.send(Game(1, ("a", "b")))
    role.send(Myoushu())
    role.send(Gote(2))
    assert (role.player, role.state) == (1, ClientState.ASKING)
    role.send(Gote(1))
    assert role.state is ClientState.ELIMINATED


@pytest.mark.parametrize("ending", [b"GOTE 1", b"KIKASHI 1"])
def test_nothing_is_answered_after_the_end(ending: bytes) -> None:
    role = server_role(b"HELLO", b"GAME 1 a b", b"MYOUSHU", ending)
    role.receive_data(b"MYOUSHU\nHELLO\n")
    assert role.next_event() == Ignored("MYOUSHU", f"not expected while {role.state.value}")
    assert role.next_event() == Ignored("HELLO", f"not expected while {role.state.value}")
    with pytest.raises(LocalProtocolError):
        role.send(Tesuji(Step(Square(4, 1))))


@pytest.mark.parametrize(
    "line", [b"GAME 3 a b", b"GAME 4 a b", b"GAME 0 a b", b"GAME 5 a b c d", b"GAME 1 a b c", b"GAME 1 a"]
)
def test_a_game_with_a_wrong_seat_or_number_of_names_is_rejected(line: bytes) -> None:
    with pytest.raises(MessageError):
        parse_message(line)


@pytest.mark.parametrize("line", [b"nonsense", b"", b"HELLO", b"MYOUSHU"])
def test_too_many_meaningless_lines_are_a_flood(line: bytes) -> None:
    """MAX_IGNORED of them are allowed, one more is a flood; a first HELLO is none of them."""
    role = server_role(b"HELLO")
    role.receive_data((line + b"\n") * MAX_IGNORED)
    for _ in range(MAX_IGNORED):
        assert role.next_event() is not NEED_DATA
    assert role.next_event() is NEED_DATA
    role.receive_data(line + b"\n")
    with pytest.raises(RemoteProtocolError) as caught:
        role.next_event()
    assert caught.value.termination is Termination.FLOODING


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b" \t\n"])
def test_too_many_blank_lines_from_a_server_are_a_flood(blank: bytes) -> None:
    role = ClientRole()
    role.send(Hello())
    role.receive_data(blank * MAX_IGNORED)
    assert role.next_event() is NEED_DATA
    role.receive_data(b"IAM a\n")
    assert role.next_event() == Iam("a")
    role.receive_data(blank)
    with pytest.raises(RemoteProtocolError) as caught:
        role.next_event()
    assert caught.value.termination is Termination.FLOODING
