"""A machine that vanishes loses its own game, and nobody else loses: the system watches every connection."""

from __future__ import annotations

import math
import re
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing
from starlette.applications import Starlette
from trio.abc import Stream
from trio.testing import MockClock

from client.clobber.session import ClobberSession, ClosingReason
from quoridor_net.check.launching import ADDRESS, launch_client
from quoridor_net.events import Event
from quoridor_net.match import GameEnded, MatchSettings, PlayerOut, play_match
from quoridor_net.net.accepting import serve_connections
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.net.sockets import KEEPALIVE, UNACKNOWLEDGED, _options
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.players import Clock, Player
from quoridor_net.players.greeting import Greeting, connect, greet
from quoridor_net.players.lan import LanPlayer
from quoridor_net.players.simple import MobilityPlayer, SimplePlayer
from quoridor_net.players.spec import parse_spec
from quoridor_net.programs.address import EngineAddress
from quoridor_net.programs.link import open_link
from quoridor_net.protocols.athens import EngineRole
from quoridor_net.rules import Move, Position
from quoridor_net.testing import Vanishing
from quoridor_net.tournament import Pairing
from quoridor_net.tournament.quoridor.roster import open_roster
from quoridor_net.tournament.quoridor.terms import GameTerms
from quoridor_net.web.serving import serve_browsers
from server.athens.connection import ControllerStream
from server.athens.listener import serve_sessions
from server.athens.session import ControllerSession
from server.clobber.lobby import Lobby
from server.clobber.tournament import Terms
from server.listener import MoveServer
from server.session import ServerSettings
from tests.support.clobber_tournament import play_tournament
from tests.support.loopback import listen_on_loopback
from tests.support.move_server import Served

HOST = "127.0.0.1"

#: Longer than people think about a move.
HOURS = 3 * 3600.0


# The options set on both ends of every connection.


def is_watched(stream: trio.SocketStream) -> bool:
    """Return whether the system looks for a vanished peer, also while data are unacknowledged."""
    idle, interval, count = KEEPALIVE
    values = {
        "TCP_KEEPIDLE": idle,
        "TCP_KEEPINTVL": interval,
        "TCP_KEEPCNT": count,
        "TCP_USER_TIMEOUT": 1000 * UNACKNOWLEDGED,
    }
    return stream.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) != 0 and all(
        stream.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) == value
        for name, value in values.items()
        if hasattr(socket, name)
    )


Door = Callable[[trio.Nursery, list[trio.SocketListener]], Awaitable[None]]


async def move_server(nursery: trio.Nursery, listeners: list[trio.SocketListener]) -> None:
    server = MoveServer(ServerSettings("ann:bot", SimplePlayer))
    nursery.start_soon(server.serve, listeners)


async def clobber_server(nursery: trio.Nursery, listeners: list[trio.SocketListener]) -> None:
    lobby = Lobby(Terms(4, 4, 5.0))
    nursery.start_soon(serve_connections, lobby.serve_connection, listeners, print)


async def web_site(nursery: trio.Nursery, listeners: list[trio.SocketListener]) -> None:
    async def serve() -> None:
        async with serve_browsers(Starlette(), listeners, print):
            await trio.sleep_forever()

    nursery.start_soon(serve)


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> trio.MemoryReceiveChannel[trio.SocketStream]:
    """Give the connections that any listener accepts."""
    put, take = trio.open_memory_channel[trio.SocketStream](10)
    accept = trio.SocketListener.accept

    async def accept_and_note(listener: trio.SocketListener) -> trio.SocketStream:
        stream = await accept(listener)
        put.send_nowait(stream)
        return stream

    monkeypatch.setattr(trio.SocketListener, "accept", accept_and_note)
    return take


@pytest.mark.parametrize("door", [move_server, clobber_server, web_site])
async def test_every_server_watches_its_clients(
    door: Door, connections: trio.MemoryReceiveChannel[trio.SocketStream]
) -> None:
    listeners = await trio.open_tcp_listeners(0, host=HOST)
    async with trio.open_nursery() as nursery:
        await door(nursery, listeners)
        async with await trio.open_tcp_stream(HOST, listeners[0].socket.getsockname()[1]):
            stream = await connections.receive()
            await trio.testing.wait_all_tasks_blocked()
            assert is_watched(stream)
            nursery.cancel_scope.cancel()


async def test_athens_sessions_watch_their_controllers(
    connections: trio.MemoryReceiveChannel[trio.SocketStream],
) -> None:
    async with trio.open_nursery() as nursery:
        serve = partial(serve_sessions, lambda: ControllerSession(EngineRole("Test"), Thinker()), 0, HOST)
        async with await trio.open_tcp_stream(HOST, await nursery.start(serve)):
            stream = await connections.receive()
            await trio.testing.wait_all_tasks_blocked()
            assert is_watched(stream)
            nursery.cancel_scope.cancel()


async def test_the_checker_watches_the_client_it_starts(
    connections: trio.MemoryReceiveChannel[trio.SocketStream],
) -> None:
    # Where the next word stands for a program: all it does is to connect.
    code = "import socket, sys; h, _, p = sys.argv[1].rpartition(':'); socket.create_connection((h, int(p)))"
    launch = launch_client([sys.executable, "-c", code, ADDRESS], 30.0)
    async with launch(1):
        assert is_watched(await connections.receive())


async def hang(stream: trio.SocketStream) -> None:
    await stream.receive_some()
    await stream.send_all(b"IAM abc:d\n")
    await trio.sleep_forever()


@asynccontextmanager
async def as_display_client(endpoint: Endpoint) -> AsyncIterator[trio.SocketStream]:
    player = await greet(endpoint, Greeting())
    assert isinstance(player._stream, trio.SocketStream)
    yield player._stream
    await trio.aclose_forcefully(player._stream)


@asynccontextmanager
async def as_clobber_client(endpoint: Endpoint) -> AsyncIterator[trio.SocketStream]:
    async with await connect(endpoint, 1.0) as stream:
        yield stream


@asynccontextmanager
async def as_referee(endpoint: Endpoint) -> AsyncIterator[trio.SocketStream]:
    async with open_link(EngineAddress(host=endpoint.host, port=endpoint.port)) as link:
        stream = link._carrier.receive
        assert isinstance(stream, trio.SocketStream)
        yield stream
        await trio.aclose_forcefully(stream)


@pytest.mark.parametrize("door", [as_display_client, as_clobber_client, as_referee])
async def test_every_client_watches_its_server(
    door: Callable[[Endpoint], AsyncIterator[trio.SocketStream]],
) -> None:
    async with listen_on_loopback(hang) as endpoint, door(endpoint) as stream:  # type: ignore[attr-defined]
        assert is_watched(stream)


def test_no_connection_is_made_or_accepted_elsewhere() -> None:
    """Only the code tested above creates sockets, so that no connection lacks the options."""
    root = Path(__file__).parent.parent
    found = {
        path.relative_to(root).as_posix()
        for folder in ("quoridor_net", "server", "client")
        for path in (root / folder).rglob("*.py")
        if re.search(
            r"trio\.(open_tcp|serve)_\w+[(,]|trio\.SocketListener\(", path.read_text(encoding="utf-8")
        )
    }
    assert found == {
        "quoridor_net/net/sockets.py",
        "quoridor_net/net/listening.py",
        # Listens for the one program that it starts.
        "quoridor_net/check/launching.py",
    }


@pytest.mark.parametrize(
    ("platform", "option"),
    [("darwin", (socket.IPPROTO_TCP, 0x80, 60)), ("win32", (socket.IPPROTO_TCP, 5, 60))],
)
def test_systems_without_a_user_timeout_have_another_name_for_it(
    platform: str, option: tuple[int, int, int]
) -> None:
    assert option in _options(platform)
    assert option not in _options("linux")


# What comes of it.


class Thinker(Player[Position, Move]):
    """Is never done."""

    def __init__(self) -> None:
        self.has_left = trio.Event()

    async def choose(self, position: Position, clock: Clock) -> Move:
        await trio.sleep_forever()

    async def leave(self) -> None:
        self.has_left.set()


async def play_with_a_vanishing_first_player(
    players: int, noticed_after: float, idle_time: float = 600.0, move_time: float | None = None
) -> tuple[list[Event], list[str], list[float]]:
    """Play between move servers; the first one vanishes when asked for its first move.

    Return the events, what the other servers report, and when players were out.
    """
    events: list[Event] = []
    times: list[float] = []

    def note(event: Event) -> None:
        events.append(event)
        if isinstance(event, PlayerOut):
            times.append(trio.current_time() - started)

    async with trio.open_nursery() as nursery:
        others = Served(nursery, idle_time=idle_time)
        seats = [LanPlayer(Vanishing(Served(nursery).connect(), b"MYOUSHU", noticed_after), 1)]
        seats += [LanPlayer(others.connect(), number) for number in range(2, players + 1)]
        for seat in seats:
            await seat.greet()
        started = trio.current_time()
        with trio.move_on_after(HOURS):
            await play_match(seats, MatchSettings(move_time=move_time), [note])
        nursery.cancel_scope.cancel()
    return events, others.reports, times


def outs(events: list[Event]) -> list[tuple[int, Termination]]:
    return [(event.player, event.fault.termination) for event in events if isinstance(event, PlayerOut)]


@pytest.mark.parametrize("players", [2, 4])
async def test_the_client_eliminates_the_player_whose_machine_vanished(
    players: int, autojump_clock: MockClock
) -> None:
    # The others would lose patience first if silence alone ended their games.
    events, _, times = await play_with_a_vanishing_first_player(players, UNACKNOWLEDGED, idle_time=30)
    assert outs(events) == [(1, Termination.DISCONNECTED)]
    assert times == [pytest.approx(UNACKNOWLEDGED)]
    end = events[-1]
    assert isinstance(end, GameEnded)
    assert end.result.winner != 1


@pytest.mark.parametrize("players", [2, 4])
async def test_the_move_time_finds_a_machine_that_no_system_misses(
    players: int, autojump_clock: MockClock
) -> None:
    """As behind a proxy that stops forwarding but still acknowledges data."""
    events, _, times = await play_with_a_vanishing_first_player(players, math.inf, 30.0, move_time=45.0)
    assert outs(events) == [(1, Termination.TOO_SLOW)]
    assert times == [pytest.approx(45.0)]


@pytest.mark.parametrize("players", [2, 4])
async def test_waiting_for_another_player_is_not_a_fault(players: int, autojump_clock: MockClock) -> None:
    events, reports, _ = await play_with_a_vanishing_first_player(players, math.inf)
    assert outs(events) == []
    assert not any("silent" in report for report in reports)


async def test_a_move_server_ends_the_game_of_a_client_that_vanished(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery, games=1)
        ours, theirs = trio.testing.memory_stream_pair()
        vanishing = Vanishing(theirs, b"TESUJI", UNACKNOWLEDGED)
        nursery.start_soon(served.server.serve_connection, vanishing, "")
        await ours.send_all(b"HELLO\nGAME 1 a b\nMYOUSHU\n")
        await trio.sleep(UNACKNOWLEDGED - 1)
        assert not await served.greets()
        await trio.sleep(2)
        assert "[1] the client lost the connection" in served.reports
        assert await served.greets()
        nursery.cancel_scope.cancel()


async def test_an_athens_session_ends_when_its_controller_vanished(autojump_clock: MockClock) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    connection = ControllerStream(Vanishing(theirs, b"Test", UNACKNOWLEDGED))
    source = Thinker()
    await ours.send_all(b"name\n")
    started = trio.current_time()
    with pytest.raises(trio.BrokenResourceError):
        await ControllerSession(EngineRole("Test"), source).run(
            connection, connection, connection.wait_until_gone
        )
    assert trio.current_time() - started == pytest.approx(UNACKNOWLEDGED)
    assert source.has_left.is_set()


async def test_a_referee_finds_an_engine_whose_machine_vanished(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, _ = trio.testing.memory_stream_pair()

    async def connect_there(*_: object) -> Stream:
        return Vanishing(ours, b"genmove", UNACKNOWLEDGED)

    monkeypatch.setattr("quoridor_net.programs.link.connect", connect_there)
    started = trio.current_time()
    async with open_link(EngineAddress(host="there", port=1)) as link:
        with pytest.raises(ForfeitError) as caught:
            await link.ask("genmove black")
    assert caught.value.termination is Termination.DISCONNECTED
    assert caught.value.sentence == "lost the connection before its first answer"
    assert trio.current_time() - started == pytest.approx(UNACKNOWLEDGED)


async def clobber(stream: Stream, name: str) -> None:
    await ClobberSession(stream, MobilityPlayer(1), name).run()


@pytest.mark.parametrize(
    ("noticed_after", "move_time", "termination"),
    [(UNACKNOWLEDGED, 300.0, Termination.DISCONNECTED), (math.inf, 20.0, Termination.TOO_SLOW)],
)
async def test_the_clobber_server_judges_the_client_whose_machine_vanished(
    noticed_after: float, move_time: float, termination: Termination, autojump_clock: MockClock
) -> None:
    pairs = 0

    async def pair() -> tuple[Stream, Stream]:
        nonlocal pairs
        pairs += 1
        here, there = trio.testing.memory_stream_pair()
        # The first one vanishes when its first game begins.
        return Vanishing(here, b"4 4", noticed_after) if pairs == 1 else here, there

    played = await play_tournament(
        [partial(clobber, name="gone"), partial(clobber, name="here")],
        games=1,
        terms=Terms(4, 4, move_time),
        connect=pair,
    )
    result = played.state.decided[1]
    assert (result.winner, result.termination) == (2, termination)


async def test_a_clobber_client_finds_that_its_server_vanished(autojump_clock: MockClock) -> None:
    ours, _ = trio.testing.memory_stream_pair()
    started = trio.current_time()
    session = ClobberSession(Vanishing(ours, b"play clobber", UNACKNOWLEDGED), MobilityPlayer(1), "ann")
    assert await session.run() is not ClosingReason.NORMAL
    assert trio.current_time() - started == pytest.approx(UNACKNOWLEDGED)


async def test_a_tournament_forfeits_the_game_of_the_entrant_whose_machine_vanished(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery)

        async def connect_there(_host: str, port: int, _seconds: float) -> Stream:
            stream = served.connect()
            return Vanishing(stream, b"MYOUSHU", UNACKNOWLEDGED) if port == 1 else stream

        monkeypatch.setattr("quoridor_net.net.sockets.connect", connect_there)
        events: list[Event] = []
        async with open_roster(GameTerms(move_time=None)) as roster:
            for entrant in ("gone=there:1", "here=there:2"):
                await roster.add(parse_spec(entrant))
            assert await roster.introduce() == {}
            started = trio.current_time()
            result = await roster.play(Pairing(1, 1, (2, 1)), events.append)
            assert trio.current_time() - started < 2 * UNACKNOWLEDGED
        assert (result.winner, result.termination) == (1, Termination.DISCONNECTED)
        assert outs(events) == [(2, Termination.DISCONNECTED)]
        nursery.cancel_scope.cancel()


@pytest.mark.skipif(sys.platform != "linux", reason="network namespaces are Linux's")
def test_the_system_gives_up_a_connection_whose_data_stay_unacknowledged() -> None:
    """In a network of its own, which is taken down while data are on their way."""
    with suppress(FileNotFoundError):
        done = trio.run(
            partial(trio.run_process, ["unshare", "-n", "true"], check=False, capture_stderr=True)
        )
        if done.returncode == 0:
            trio.run(_lose_the_network)
            return
    pytest.skip("only root may make network namespaces, with unshare(1)")


async def _lose_the_network() -> None:
    command = ["unshare", "-n", sys.executable, str(Path(__file__).parent / "support" / "lost_network.py")]
    done = await trio.run_process(command, capture_stdout=True)
    assert done.stdout == b"lost the connection\n"
