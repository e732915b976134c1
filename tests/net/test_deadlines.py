"""Input that arrives before a timeout counts, however late it is read.

A process that was stopped and goes on sees the answer and the end of the time at once. Here a clock that
jumps takes the place of the stop; ``tests/end_to_end/test_stopped.py`` stops a process for real.
"""

from __future__ import annotations

import math
import os

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from client.clobber.session import ClobberSession, ClosingReason, Remarked
from quoridor_net.clobber import ClobberPosition
from quoridor_net.match import MatchSettings, play_match
from quoridor_net.net import deadlines
from quoridor_net.net.sockets import SEND_TIME, send_in_time
from quoridor_net.outcome import ForfeitError
from quoridor_net.players import Clock
from quoridor_net.players.greeting import Greeting, greet_all
from quoridor_net.players.lan import LanPlayer
from quoridor_net.players.olympiad import OlympiadPlayer
from quoridor_net.players.random import RandomPlayer as ClobberRandom
from quoridor_net.players.simple import MobilityPlayer, SimplePlayer
from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.link import SECOND_CHANCE, open_link
from quoridor_net.protocols.athens import AthensGame
from quoridor_net.rules import Termination
from server.athens.bridge import Bridge
from server.clobber.lobby import HELLO_TIME as CLOBBER_HELLO_TIME
from tests.support.loopback import Handler, listen_on_loopback

#: Longer than every time limit here.
STOPPED = 1000.0

#: More than is read at once before an answer comes.
BLANKS = (b" " * 1000 + b"\n") * 9


def answer_during_stop(clock: MockClock, data: bytes, seconds: float = STOPPED) -> Handler:
    """Return a server that answers the first line while everybody else is stopped for ``seconds``."""

    async def handler(stream: trio.SocketStream) -> None:
        await stream.receive_some(100)
        # Not send_all, which lets other tasks run before it returns.
        os.write(stream.socket.fileno(), data)
        clock.jump(seconds)
        # Whatever comes next, this server leaves.
        await stream.receive_some(100)

    return handler


async def hang_up(stream: trio.abc.Stream) -> None:
    """Read what is left, and close when the other side did."""
    while await stream.receive_some(100):
        pass
    await stream.aclose()


async def test_a_first_game_that_arrived_is_not_missing(mock_clock: MockClock) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    remarks: list[object] = []

    async def serve() -> None:
        await theirs.receive_some(100)
        # Not send_all, which lets other tasks run before it returns.
        ours.receive_stream.put_data(b"1 2 0\n")
        mock_clock.jump(STOPPED)
        await theirs.send_eof()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        session = ClobberSession(ours, ClobberRandom(1), "bob", start_time=5, listener=remarks.append)
        farewell = await session.run()
        await ours.aclose()
    assert farewell is not ClosingReason.SILENT
    assert not any(isinstance(event, Remarked) for event in remarks)


async def test_an_arrived_move_is_not_late(mock_clock: MockClock) -> None:
    ours, theirs = trio.testing.memory_stream_pair()

    async def serve() -> None:
        await theirs.receive_some(100)
        await theirs.send_all(b"IAM slow:reader\n")
        while b"MYOUSHU" not in await theirs.receive_some(100):
            pass
        await theirs.send_all(b"TESUJI (4, 1)\n")
        mock_clock.jump(STOPPED)
        await hang_up(theirs)

    player = LanPlayer(ours, 1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        await player.greet()
        result = await play_match([player, SimplePlayer(1)], MatchSettings(move_time=5, ply_limit=1))
    assert result.termination is Termination.PLY_LIMIT


async def test_an_arrived_clobber_move_is_not_late(mock_clock: MockClock) -> None:
    ours, theirs = trio.testing.memory_stream_pair()

    async def serve() -> None:
        await theirs.receive_some(100)
        await theirs.send_all(b"a 1 a 2\n")
        mock_clock.jump(STOPPED)

    player = OlympiadPlayer(ours, 1, move_time=5)
    async with trio.open_nursery() as nursery:
        await theirs.send_all(b"play clobber late\n")
        await player.greet()
        nursery.start_soon(serve)
        nursery.start_soon(player.listen)
        settings = MatchSettings(ClobberPosition.start(1, 2), 5, ends_at_fault=True)
        result = await play_match([player, MobilityPlayer(1)], settings)
        nursery.cancel_scope.cancel()
    assert (result.winner, result.termination) == (1, Termination.NO_MOVES)


async def test_an_arrived_clobber_handshake_is_not_late(mock_clock: MockClock) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    player = OlympiadPlayer(ours, 1, move_time=5)
    async with trio.open_nursery() as nursery:

        async def greet() -> None:
            with deadlines.fail_after(CLOBBER_HELLO_TIME):
                await player.greet()

        nursery.start_soon(greet)
        await trio.testing.wait_all_tasks_blocked()
        for chunk in (b"play ", b"clobber late\n"):
            await theirs.send_all(chunk)
        mock_clock.jump(STOPPED)
    assert player.name == "late"


async def test_an_arrived_name_is_not_late(mock_clock: MockClock) -> None:
    handler = answer_during_stop(mock_clock, BLANKS + b"IAM good:server\n")
    async with listen_on_loopback(handler) as endpoint:
        (player,) = await greet_all([endpoint], Greeting(hello_time=5))
        await player.leave()
    assert player.name == "good:server"


async def test_an_arrived_name_is_not_late_for_a_bridge(mock_clock: MockClock) -> None:
    handler = answer_during_stop(mock_clock, BLANKS + b"IAM good:server\n", Greeting().hello_time + 1)
    async with listen_on_loopback(handler) as endpoint:
        game = AthensGame()
        bridge = Bridge(endpoint, game)
        position = game.position_for(1)
        assert position is not None
        with pytest.raises(ForfeitError, match="closed the connection"):
            await bridge.choose(position, Clock())


async def test_an_arrived_answer_of_an_engine_is_not_late(mock_clock: MockClock) -> None:
    async with (
        listen_on_loopback(answer_during_stop(mock_clock, b"= trivial\n\n")) as endpoint,
        open_link(EngineAddress(host=endpoint.host, port=endpoint.port)) as link,
    ):
        assert (await link.ask("name", 2.0)).text == "trivial"


async def test_an_arrived_second_answer_of_an_engine_is_not_late(mock_clock: MockClock) -> None:
    async def handler(stream: trio.SocketStream) -> None:
        await stream.receive_some(100)
        await stream.send_all(b"=\n\n")
        # The first answer is read, and the second awaited.
        await deadlines.take_input()
        os.write(stream.socket.fileno(), b"= E8\n\n")
        mock_clock.jump(SECOND_CHANCE + 1)
        await stream.receive_some(100)

    async with (
        listen_on_loopback(handler) as endpoint,
        open_link(EngineAddress(host=endpoint.host, port=endpoint.port)) as link,
    ):
        assert (await link.ask("genmove black")).text == "E8"


class Reluctant(trio.abc.SendStream):
    """Takes the first half, and the second when it may; in between everybody is stopped."""

    def __init__(self, clock: MockClock) -> None:
        self.taken = b""
        self._clock = clock

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        half = len(data) // 2
        self.taken += bytes(data[:half])
        self._clock.jump(SEND_TIME + 1)
        await trio.lowlevel.checkpoint()
        self.taken += bytes(data[half:])

    async def wait_send_all_might_not_block(self) -> None:
        await trio.lowlevel.checkpoint()

    async def aclose(self) -> None:
        await trio.lowlevel.checkpoint()


async def test_a_peer_that_can_take_the_rest_has_not_stopped_reading(mock_clock: MockClock) -> None:
    stream = Reluctant(mock_clock)
    _, receiver = trio.testing.memory_stream_one_way_pair()
    await send_in_time(trio.StapledStream(stream, receiver), b"KIKASHI 1\n")
    assert stream.taken == b"KIKASHI 1\n"


async def test_the_time_is_up_without_input(mock_clock: MockClock) -> None:
    mock_clock.rate = 1e4
    start = trio.current_time()
    with deadlines.move_on_after(10) as scope:
        await trio.sleep_forever()
    assert scope.cancelled_caught
    assert trio.current_time() - start >= 10
    with pytest.raises(trio.TooSlowError), deadlines.fail_after(5):
        await trio.sleep_forever()


async def test_limits_end_in_their_own_order(autojump_clock: MockClock) -> None:
    ended: list[float] = []

    async def wait(seconds: float) -> None:
        with deadlines.move_on_after(seconds):
            await trio.sleep_forever()
        ended.append(trio.current_time())

    async with trio.open_nursery() as nursery:
        for seconds in (3, 1, 2):
            nursery.start_soon(wait, seconds)
        with deadlines.move_on_after(0.5):
            await trio.sleep(0.25)
    assert ended == [pytest.approx(1), pytest.approx(2), pytest.approx(3)]


async def test_an_infinite_limit_can_be_cancelled() -> None:
    with deadlines.move_on_after(float("inf")) as scope:
        scope.cancel()
        await trio.sleep_forever()
    assert scope.cancelled_caught


async def test_a_restarted_limit_ends_at_its_new_time(autojump_clock: MockClock) -> None:
    start = trio.current_time()
    limit = deadlines.Limit(1)
    with limit:
        await trio.sleep(0.5)
        limit.restart(2)
        await trio.sleep(1.5)
        limit.restart(float("inf"))
        await trio.sleep(10)
        limit.restart(1)
        await trio.sleep_forever()
    assert limit.is_up
    assert trio.current_time() - start == pytest.approx(13)


async def test_a_limit_restarted_by_input_is_not_up(mock_clock: MockClock) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    limit = deadlines.Limit(5)

    async def listen() -> None:
        while await ours.receive_some(100):
            limit.restart(2 * STOPPED)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(listen)
        with limit as scope:
            await trio.testing.wait_all_tasks_blocked()
            await theirs.send_all(b"MYOUSHU\n")
            mock_clock.jump(STOPPED)
            await deadlines.take_input()
            await deadlines.take_input()
        await theirs.aclose()
    assert not limit.is_up
    assert not scope.cancelled_caught


async def test_an_alarm_rings_once_at_its_latest_time(autojump_clock: MockClock) -> None:
    rung: list[float] = []
    started = trio.current_time()
    alarm = deadlines.Alarm(lambda: rung.append(trio.current_time() - started))
    alarm.restart(5)
    await trio.sleep(3)
    alarm.restart(10)
    await trio.sleep(20)
    assert rung == [pytest.approx(13, abs=0.01)]
    alarm.restart(1)
    alarm.restart(math.inf)
    await trio.sleep(20)
    assert len(rung) == 1
