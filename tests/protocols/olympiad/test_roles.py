"""Both roles of the 2006 protocol, linked in memory: the server between two clients."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import suppress
from copy import deepcopy

import pytest
from attrs import define, field
from hypothesis import given
from hypothesis import strategies as st

from quoridor_net.clobber import ClobberPosition, Colour, Move, parse_move
from quoridor_net.protocols.common.errors import LocalProtocolError, RemoteProtocolError
from quoridor_net.protocols.common.role import MAX_IGNORED, NEED_DATA, Ignored
from quoridor_net.protocols.olympiad.messages import End, Error, Message, Play, Played, Settings, encode
from quoridor_net.protocols.olympiad.roles import ClobberClientRole, ClobberServerRole
from quoridor_net.protocols.olympiad.transitions import (
    CLIENT_RECEIVES,
    CLIENT_SENDS,
    SERVER_RECEIVES,
    SERVER_SENDS,
    ClobberClientState,
    ClobberKind,
    ClobberServerState,
)
from quoridor_net.rules import Termination

A1B1 = parse_move("a1b1")


def receive_events(
    role: ClobberServerRole | ClobberClientRole, data: bytes, chunk: int | None = None
) -> list[Message | Ignored]:
    """Feed ``data`` in chunks and return the events."""
    found: list[Message | Ignored] = []
    for start in range(0, len(data), chunk or len(data) or 1):
        role.receive_data(data[start : start + (chunk or len(data))])
        while (event := role.next_event()) is not NEED_DATA:
            found.append(event)
    return found


def is_in(
    role: ClobberServerRole | ClobberClientRole, state: ClobberServerState | ClobberClientState
) -> bool:
    return role.state is state


def greet_server() -> ClobberServerRole:
    role = ClobberServerRole()
    assert receive_events(role, b"play clobber bob\n") == [Play("bob")]
    return role


def ask_for_move() -> ClobberServerRole:
    role = greet_server()
    assert role.send(Settings(10, 10, begins=True)) == b"10 10 1\n"
    return role


def let_opponent_begin() -> ClobberServerRole:
    role = greet_server()
    assert role.send(Settings(10, 10, begins=False)) == b"10 10 0\n"
    return role


@define
class LinkedPlayer:
    """One client and the server's end of its connection, with what crossed the wire."""

    chunk: int
    random: random.Random
    client: ClobberClientRole = field(factory=ClobberClientRole)
    server: ClobberServerRole = field(factory=ClobberServerRole)
    position: ClobberPosition = field(factory=ClobberPosition.start)
    colour: Colour = Colour.BLACK
    wire: list[bytes] = field(factory=list)
    results: list[bool] = field(factory=list)

    def greet(self, name: str) -> None:
        assert receive_events(self.server, self.client.send(Play(name)), self.chunk) == [Play(name)]

    def deliver(self, message: Message) -> None:
        """Send from the server to the client, which follows the game with its own position."""
        data = self.server.send(message)
        self.wire.append(data)
        (event,) = receive_events(self.client, data, self.chunk)
        assert event == message
        match event:
            case Settings(columns, rows, begins):
                self.position = ClobberPosition.start(columns, rows)
                self.colour = Colour.BLACK if begins else Colour.WHITE
            case Played(move):
                self.position.push(move)
                self.look()

    def answer(self) -> Move:
        """Play random moves of the client; return the server's events."""
        move = self.random.choice(self.position.legal_moves)
        self.position.push(move)
        data = self.client.send(Played(move))
        self.wire.append(data)
        self.look()
        (event,) = receive_events(self.server, data, self.chunk)
        assert event == Played(move)
        return move

    def look(self) -> None:
        """ "The program is expected to understand whether it has lost or won"."""
        if self.position.is_over:
            self.client.finish()
            self.results.append(self.position.winner is self.colour)


def play_game(black: LinkedPlayer, white: LinkedPlayer, columns: int, rows: int) -> Colour:
    """Referee one game between two linked clients and return the winner."""
    position = ClobberPosition.start(columns, rows)
    white.deliver(Settings(columns, rows, begins=False))
    black.deliver(Settings(columns, rows, begins=True))
    mover, waiter = black, white
    while not position.is_over:
        assert (mover.client.state, waiter.client.state) == (
            ClobberClientState.TO_MOVE,
            ClobberClientState.WAITING,
        )
        position.push(mover.answer())
        waiter.deliver(Played(position.history[-1]))
        assert mover.position == waiter.position == position
        mover, waiter = waiter, mover
    for player in (black, white):
        player.server.finish()
        assert player.client.is_between_games
        assert player.server.state is ClobberServerState.IDLE
    assert position.winner is not None
    return position.winner


@pytest.mark.parametrize("chunk", [1, 2, 1000])
def test_linked_roles_play_whole_games_back_to_back(chunk: int) -> None:
    # "the client program is supposed to return to step 2 and start a new game with new settings".
    generator = random.Random(chunk)
    one, other = LinkedPlayer(chunk, generator), LinkedPlayer(chunk, generator)
    one.greet("one")
    other.greet("other")
    for columns, rows in [(10, 10), (5, 4), (1, 2), (2, 13)]:
        for black, white in ((one, other), (other, one)):
            before = len(black.wire), len(white.wire)
            winner = play_game(black, white, columns, rows)
            assert black.results[-1] is (winner is Colour.BLACK)
            assert white.results[-1] is (winner is Colour.WHITE)
            last_to_black, last_to_white = black.wire[-1], white.wire[-1]
            # The final move reaches the loser; the winner's own final move is the last on its wire.
            assert last_to_black == last_to_white
            assert b"end" not in b"".join(black.wire[before[0] :] + white.wire[before[1] :])


def test_a_board_without_a_move_is_lost_by_black_at_once() -> None:
    black, white = LinkedPlayer(1, random.Random(1)), LinkedPlayer(1, random.Random(1))
    black.greet("b")
    white.greet("w")
    black.deliver(Settings(1, 1, begins=True))
    white.deliver(Settings(1, 1, begins=False))
    for player in (black, white):
        player.look()
        player.server.finish()
    assert (black.results, white.results) == ([False], [True])


class TestServer:
    def test_bad_handshake_gets_error_and_nothing_else_ever(self) -> None:
        role = ClobberServerRole()
        with pytest.raises(RemoteProtocolError, match="did not send play clobber NAME") as caught:
            receive_events(role, b"HELLO\n")
        assert caught.value.termination is Termination.UNPARSABLE_MOVE
        assert caught.value.line == "HELLO"
        assert role.send(Error()) == b"error\n"
        assert role.state is ClobberServerState.CLOSED
        assert isinstance(receive_events(role, b"play clobber bob\n")[0], Ignored)
        for message in (Error(), End(), Settings(10, 10, begins=True), Played(A1B1)):
            with pytest.raises(LocalProtocolError):
                deepcopy(role).send(message)

    def test_messages_are_read_liberally(self) -> None:
        role = ClobberServerRole()
        assert receive_events(role, b"\r\n  \nPLAY  Clobber\tBob \r\n") == [Play("Bob")]
        role.send(Settings(10, 10, begins=True))
        assert receive_events(role, b"  A 1   B 1 \r\n") == [Played(A1B1)]

    def test_the_rows_come_first_on_request(self) -> None:
        role = ClobberServerRole(rows_first=True)
        receive_events(role, b"play clobber bob\n")
        assert role.send(Settings(columns=13, rows=2, begins=True)) == b"2 13 1\n"
        client = ClobberClientRole(rows_first=True)
        client.send(Play("bob"))
        assert receive_events(client, b"2 13 1\n") == [Settings(columns=13, rows=2, begins=True)]

    def test_two_lines_at_once_are_an_offence(self) -> None:
        role = ask_for_move()
        role.receive_data(b"a 1 b 1\nc 1 d 1\n")
        assert role.next_event() == Played(A1B1)
        with pytest.raises(RemoteProtocolError) as caught:
            role.next_event()
        assert caught.value.termination is Termination.OUT_OF_TURN
        assert role.send(Error()) == b"error\n"
        assert role.state is ClobberServerState.IDLE

    @pytest.mark.parametrize("line", [b"resign", b"10 10 1", b"end", b"error", b"play clobber bob", b"\xff"])
    def test_an_unparsable_move_is_an_offence(self, line: bytes) -> None:
        role = ask_for_move()
        with pytest.raises(RemoteProtocolError) as caught:
            receive_events(role, line + b"\n")
        assert caught.value.termination is Termination.UNPARSABLE_MOVE
        # Whatever follows in the same breath is dropped, a move included.
        assert isinstance(receive_events(role, b"a 1 b 1\n")[0], Ignored)
        assert role.send(Error()) == b"error\n"

    def test_white_sends_nothing_until_blacks_move_arrives(self) -> None:
        role = let_opponent_begin()
        with pytest.raises(RemoteProtocolError) as caught:
            receive_events(role, b"b 1 a 1\n")
        assert caught.value.termination is Termination.OUT_OF_TURN

    def test_a_late_move_is_dropped_before_the_next_game(self) -> None:
        # The opponent's fault ended the game while this client was thinking.
        role = ask_for_move()
        assert role.send(End()) == b"end\n"
        assert is_in(role, ClobberServerState.LATE)
        assert isinstance(receive_events(role, b"a 1 b 1\n")[0], Ignored)
        assert is_in(role, ClobberServerState.IDLE)
        assert role.send(Settings(10, 10, begins=True)) == b"10 10 1\n"
        assert receive_events(role, b"a 1 b 1\n") == [Played(A1B1)]

    def test_a_confused_losers_move_is_dropped(self) -> None:
        role = let_opponent_begin()
        role.send(Played(A1B1))
        role.finish()
        assert isinstance(receive_events(role, b"b 2 c 2\n")[0], Ignored)
        assert role.state is ClobberServerState.IDLE

    def test_the_end_may_find_a_client_that_just_offended(self) -> None:
        for ending in (Error(), End()):
            role = let_opponent_begin()
            with pytest.raises(RemoteProtocolError):
                receive_events(role, b"x\n")
            assert role.send(Played(A1B1)) == b"a 1 b 1\n"
            role.send(ending)
            assert role.state is ClobberServerState.IDLE

    @pytest.mark.parametrize("data", [b"x" * 2000, b"x" * 2000 + b"\n", b"\n" * 200])
    @pytest.mark.parametrize("make", [ClobberServerRole, greet_server, ask_for_move, let_opponent_begin])
    def test_a_flood_ends_the_conversation(self, make: type[ClobberServerRole], data: bytes) -> None:
        with pytest.raises(RemoteProtocolError) as caught:
            receive_events(make(), data)
        assert caught.value.termination is Termination.FLOODING

    def test_lines_that_are_dropped_are_counted(self) -> None:
        with pytest.raises(RemoteProtocolError) as caught:
            receive_events(greet_server(), b"hello\n" * 200)
        assert caught.value.termination is Termination.FLOODING

    def test_ignored_lines_are_counted_per_game(self) -> None:
        role = greet_server()
        for _ in range(3):
            assert len(receive_events(role, b"hello\n" * MAX_IGNORED)) == MAX_IGNORED
            role.send(Settings(10, 10, begins=True))
            assert receive_events(role, b"a 1 b 1\n") == [Played(A1B1)]
            role.finish()


class TestClient:
    def test_a_client_may_not_send_messages_out_of_turn(self) -> None:
        role = ClobberClientRole()
        with pytest.raises(LocalProtocolError, match="may not send c1 r1 c2 r2 while connected"):
            deepcopy(role).send(Played(A1B1))
        role.send(Play("bob"))
        with pytest.raises(LocalProtocolError, match="may not send play clobber name while greeted"):
            deepcopy(role).send(Play("bob"))
        receive_events(role, b"10 10 0\n")
        with pytest.raises(LocalProtocolError, match="while waiting"):
            role.send(Played(A1B1))

    def test_a_refused_handshake_ends_the_conversation(self) -> None:
        role = ClobberClientRole()
        role.send(Play("bob"))
        assert receive_events(role, b"ERROR \r\n") == [Error()]
        assert role.state is ClobberClientState.REFUSED
        assert not role.is_between_games

    @pytest.mark.parametrize("verdict", [Error(), End()])
    @pytest.mark.parametrize("setting", [b"10 10 1\n", b"10 10 0\n"])
    def test_verdicts_end_the_game_at_once(self, verdict: Error | End, setting: bytes) -> None:
        role = ClobberClientRole()
        role.send(Play("bob"))
        receive_events(role, setting)
        assert is_in(role, ClobberClientState.TO_MOVE) or is_in(role, ClobberClientState.WAITING)
        assert receive_events(role, encode(verdict)) == [verdict]
        assert role.is_between_games
        assert receive_events(role, b"4 5 1\n") == [Settings(4, 5, begins=True)]

    def test_a_verdict_that_crossed_the_winning_move_is_accepted(self) -> None:
        role = ClobberClientRole()
        role.send(Play("bob"))
        receive_events(role, b"1 2 1\n")
        role.send(Played(parse_move("a1a2")))
        role.finish()
        assert receive_events(role, b"error\n") == [Error()]
        assert role.is_between_games

    def test_a_new_game_replaces_one_that_was_dropped(self) -> None:
        role = ClobberClientRole()
        role.send(Play("bob"))
        assert len(receive_events(role, b"10 10 1\n10 10 0\n10 10 0\n10 10 1\n")) == 4

    def test_nonsense_is_ignored_up_to_a_limit(self) -> None:
        role = ClobberClientRole()
        role.send(Play("bob"))
        assert all(isinstance(event, Ignored) for event in receive_events(role, b"hello\na 1 b 1\nend\n"))
        with pytest.raises(RemoteProtocolError) as caught:
            receive_events(role, b"hello\n" * 200)
        assert caught.value.termination is Termination.FLOODING


def hostile_lines() -> st.SearchStrategy[list[bytes]]:
    line = st.one_of(
        st.sampled_from([b"a 1 b 1", b"error", b"end", b"10 10 1", b"10 10 0", b"play clobber x", b""]),
        st.binary(max_size=20).map(lambda data: data.replace(b"\n", b"")),
    )
    return st.lists(line, max_size=12)


@given(
    hostile_lines(),
    st.integers(1, 9),
    st.sampled_from([ClobberServerRole, greet_server, ask_for_move, let_opponent_begin]),
)
def test_no_input_breaks_the_server(lines: list[bytes], chunk: int, make: type[ClobberServerRole]) -> None:
    role = make()
    for line in lines:
        with suppress(RemoteProtocolError):
            receive_events(role, line + b"\n", chunk)
    # Every state in which a client can offend has a way out.
    if role.state in {ClobberServerState.OFFENDING, ClobberServerState.STRANGER}:
        assert role.send(Error()) == b"error\n"


@given(hostile_lines(), st.integers(1, 9))
def test_chunking_changes_nothing(lines: list[bytes], chunk: int) -> None:
    def outcome(size: int) -> Iterator[object]:
        role = ask_for_move()
        data = b"".join(line + b"\n" for line in lines)
        for start in range(0, len(data), size):
            role.receive_data(data[start : start + size])
            while True:
                try:
                    event = role.next_event()
                except RemoteProtocolError as error:
                    yield (error.termination, error.line)
                    continue
                if event is NEED_DATA:
                    break
                yield event

    assert list(outcome(chunk)) == list(outcome(10_000))


def reachable(tables: Iterable[dict[tuple[object, ClobberKind], object]], start: object) -> set[object]:
    seen, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        for table in tables:
            for (before, _), after in table.items():
                if before is state and after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return seen


def test_every_state_of_the_tables_can_be_reached() -> None:
    assert reachable((SERVER_SENDS, SERVER_RECEIVES), ClobberServerState.CONNECTED) == set(ClobberServerState)  # type: ignore[arg-type]
    assert reachable((CLIENT_SENDS, CLIENT_RECEIVES), ClobberClientState.CONNECTED) == set(ClobberClientState)  # type: ignore[arg-type]


def test_the_server_takes_any_line_in_every_state() -> None:
    assert {state for state, kind in SERVER_RECEIVES if kind is ClobberKind.OTHER} == set(ClobberServerState)
