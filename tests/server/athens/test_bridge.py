"""The bridge: an Athens controller plays with a move server of the 2016 protocol."""

from __future__ import annotations

import itertools
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
import trio

from quoridor_net.net.endpoint import Endpoint
from quoridor_net.notation.athens import format_move, parse_move
from quoridor_net.outcome import ForfeitError
from quoridor_net.players import Clock, Player
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.protocols.athens import AthensGame, EngineRole, Reply
from quoridor_net.rules import Move, Position
from server.athens.bridge import SIZES, Bridge
from server.listener import MoveServer
from server.session import ServerSettings
from tests.support.loopback import listen_on_loopback, reserve_port


@asynccontextmanager
async def run_server(
    make_player: Callable[[], Player[Position, Move]],
) -> AsyncIterator[tuple[int, list[str]]]:
    """Run a move server; yield its port and its reports."""
    reports: list[str] = []
    server = MoveServer(ServerSettings("test:server", make_player, report=reports.append))
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.serve, listeners)
        yield listeners[0].socket.getsockname()[1], reports
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def serve_answers(*lines: bytes) -> AsyncIterator[int]:
    """Run a server that answers the first reads with these lines and then disconnects; yield its port."""

    async def answer(stream: trio.SocketStream) -> None:
        for line in lines:
            await stream.receive_some()
            await stream.send_all(line)

    async with listen_on_loopback(answer) as endpoint:
        yield endpoint.port


def bridge_to(port: int, host: str = "127.0.0.1", gap: float = 0.0) -> tuple[Bridge, AthensGame]:
    game = AthensGame()
    return Bridge(Endpoint(host, port), game, gap), game


async def genmove(bridge: Bridge, game: AthensGame, player: int) -> str:
    position = game.position_for(player)
    assert position is not None
    move = await bridge.choose(position.copy(), Clock())
    game.play(player, move)
    return format_move(move)


async def test_the_server_plays_one_side() -> None:
    for server_side in (1, 2):
        async with run_server(lambda: SimplePlayer(3)) as (port, reports):
            (bridge, game), other = bridge_to(port), SimplePlayer(4)
            for player in itertools.cycle((1, 2)):
                if player == server_side:
                    await genmove(bridge, game, player)
                else:
                    game.play(player, await other.choose(game.position.copy(), Clock()))
                if game.position.winner is not None:
                    break
            await bridge.leave()
        # One conversation was enough, and all moves in it were legal.
        assert sum("game of 2" in report for report in reports) == 1
        assert not any("impossible" in report or "ignored" in report for report in reports)


async def test_white_can_begin() -> None:
    async with run_server(lambda: SimplePlayer(3)) as (port, _):
        bridge, game = bridge_to(port)
        assert await genmove(bridge, game, 2) == "E2"
        game.play(1, parse_move("E8"))
        await genmove(bridge, game, 2)
        await bridge.leave()


async def test_walls_are_rotated_both_ways_when_white_begins() -> None:
    heard: list[bytes] = []

    async def answer(stream: trio.SocketStream) -> None:
        waiting = b""
        while data := await stream.receive_some():
            *lines, waiting = (waiting + data).split(b"\n")
            heard.extend(lines)
            for line in lines:
                if line in TURNED_ANSWERS:
                    await stream.send_all(TURNED_ANSWERS[line])

    async with listen_on_loopback(answer) as endpoint:
        bridge, game = bridge_to(endpoint.port, endpoint.host)
        # Counted from the controller's top left, this is at column 1, row 6.
        game.play(2, parse_move("B3 horizontal"))
        assert await genmove(bridge, game, 1) == "H2 vertical"
        await bridge.leave()
    assert heard == [b"HELLO", b"GAME 2 qnt:controller abc:d", b"ATARI 1 [(6, 1), h]", b"MYOUSHU"]


#: The server's wall is at the top left for it, and at the bottom right for the controller.
TURNED_ANSWERS = {b"HELLO": b"IAM abc:d\n", b"MYOUSHU": b"TESUJI [(0, 0), v]\n"}


async def test_going_back_begins_a_new_conversation() -> None:
    async with run_server(lambda: SimplePlayer(3)) as (port, reports):
        bridge, game = bridge_to(port)
        await genmove(bridge, game, 1)
        game.undo(1)
        game.play(1, parse_move("D9"))
        game.play(2, parse_move("E2"))
        await genmove(bridge, game, 1)
        await bridge.leave()
    assert sum("game of 2" in report for report in reports) == 2


def test_controllers_may_only_choose_the_board_of_the_protocol() -> None:
    role = EngineRole("bridge", sizes=SIZES)
    role.receive_data(b"boardsize 8\nboardsize 10\nboardsize 9\n")
    answers = []
    while isinstance(event := role.next_event(), Reply):
        answers.append(event.data[:1])
    assert answers == [b"?", b"?", b"="]


async def test_games_outside_the_protocol_are_refused() -> None:
    bridge, game = bridge_to(1)
    game.play(1, parse_move("E8"))
    with pytest.raises(ForfeitError, match="plays in turn only"):
        await genmove(bridge, game, 1)
    game.play(1, parse_move("E7"))
    with pytest.raises(ForfeitError, match="knows moves in turn only"):
        await genmove(bridge, game, 2)
    game.clear()
    game.set_walls(7)
    with pytest.raises(ForfeitError, match="plays with 10 walls, not 7"):
        await genmove(bridge, game, 1)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ((b"IAM x\n",), r"the move server at .* (closed|lost) the connection"),
        ((b"IAM x\n", b"\n", b"TESUJI nowhere\n"), "sent an unreadable line"),
        ((b"GOTE 1\n",), "sent something else when its name"),
    ],
)
async def test_a_server_that_breaks_its_protocol_is_reported(lines: tuple[bytes, ...], sentence: str) -> None:
    async with serve_answers(*lines) as port:
        bridge, game = bridge_to(port, gap=0.05)
        with pytest.raises(ForfeitError, match=sentence):
            await genmove(bridge, game, 1)
        await bridge.leave()


@pytest.mark.parametrize("run", range(10))
async def test_an_answer_followed_by_a_close_counts(run: int) -> None:
    """Both arrive before either is read, as when a program exits; which is noticed first varies."""

    async def serve(stream: trio.SocketStream) -> None:
        await stream.receive_some()
        await stream.send_all(b"IAM abc:d\n")
        while b"MYOUSHU" not in await stream.receive_some():
            pass
        # Not send_all, because it lets others read before it returns.
        os.write(stream.socket.fileno(), b"TESUJI (4, 1)\n")
        stream.socket.shutdown(socket.SHUT_WR)
        await stream.receive_some()

    async with listen_on_loopback(serve) as endpoint:
        bridge, game = bridge_to(endpoint.port, endpoint.host)
        assert await genmove(bridge, game, 1) == "E8"
        await bridge.leave()


async def test_an_unreachable_server_is_reported() -> None:
    with reserve_port() as port:
        bridge, game = bridge_to(port)
        with pytest.raises(
            ForfeitError,
            match=rf"the move server at 127\.0\.0\.1:{port} cannot be reached: Connection refused",
        ):
            await genmove(bridge, game, 1)
