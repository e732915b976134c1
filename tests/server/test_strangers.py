"""No stranger can make an honest player lose: places, time limits, servers that exit after a game."""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys

import pytest
import trio
from attrs import define, field
from trio.testing import MockClock

from quoridor_net.net.places import MAX_WAITING, Places
from quoridor_net.outcome import ForfeitError
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.players.spec import parse_spec
from quoridor_net.rules import Move, Position, Termination
from quoridor_net.ui.console import Console
from server.command import MIN_ENGINE_GAMES, default_games
from server.session import GAME_TIME, HELLO_TIME, IDLE_TIME
from server.source import OWN
from tests.support.move_server import HELLO_GAME, Client, Served
from tests.support.terminal import person

HONEST, STRANGER = "10.0.0.1", "10.0.0.66"
IAM = "IAM qnt:test\n"


class SlowPlayer(SimplePlayer):
    """Takes two hours for a move, and a moment to leave."""

    seconds = 7200.0
    left = 0

    async def choose(self, position: Position, clock: Clock) -> Move:
        await trio.sleep(self.seconds)
        return await super().choose(position, clock)

    async def leave(self) -> None:
        await trio.sleep(1)
        SlowPlayer.left += 1


async def begin(client: Client, rest: bytes = b"") -> None:
    await client.send(HELLO_GAME + rest)
    assert await client.line() == IAM


# The length of connections.


@pytest.mark.parametrize("data", [b"", b"HEL", b"nonsense\n", b"GAME 1 a b\n"])
async def test_connections_without_hello_end(data: bytes, autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery)
        client = served.client()
        await client.send(data)
        started = trio.current_time()
        assert await client.line() == ""
        assert trio.current_time() - started == HELLO_TIME == 15
        assert served.reports[-1] == "[1] the client did not say HELLO within 15 s"
        nursery.cancel_scope.cancel()


async def test_a_hello_that_trickles_in_is_too_slow(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery)
        client = served.client()
        with pytest.raises(trio.BrokenResourceError):
            for _ in range(20):
                await client.send(b" ")
                await trio.sleep(1)
        assert served.reports == ["[1] the client did not say HELLO within 15 s"]
        nursery.cancel_scope.cancel()


async def test_a_second_hello_does_not_prolong_the_time_for_game(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery)
        client = served.client()
        for _ in range(2):
            await client.send(b"HELLO\n")
            assert await client.line() == IAM
            await trio.sleep(GAME_TIME * 0.6)
        assert await client.line() == ""
        assert served.reports == ["[1] the client began no game within 30 s"]
        nursery.cancel_scope.cancel()


async def test_a_game_may_be_longer_than_the_time_for_its_beginning(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        client = Served(nursery).client()
        await begin(client)
        for row in (1, 2, 3):
            await trio.sleep(IDLE_TIME - 1)
            await client.send(b"MYOUSHU\n")
            answer = await client.line()
            await trio.sleep(IDLE_TIME - 1)
            await client.send(answer.replace("TESUJI", "ATARI 1").encode())
            await trio.sleep(IDLE_TIME - 1)
            await client.send(f"ATARI 2 (4, {8 - row})\n".encode())
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    "lines", [b"", b"ATARI 1 (4, 1)\n", b"ATARI 1 (4, 1)\nATARI 2 (4, 7)\n", b"GOTE 2\n"]
)
@pytest.mark.parametrize("idle_time", [60, IDLE_TIME])
async def test_a_silent_game_gives_up_its_place(
    lines: bytes, idle_time: float, autojump_clock: MockClock
) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery, games=1, idle_time=idle_time)
        client = served.client()
        await begin(client)
        await trio.sleep(10)
        await client.send(lines)
        await trio.sleep(idle_time - (0 if lines else 10) - 1)
        assert not await served.greets()
        await trio.sleep(2)
        assert await served.greets()
        assert await client.line() == ""
        assert "[1] closed: silent for too long, and another client needed the place" in served.reports
        nursery.cancel_scope.cancel()


async def test_a_silent_game_continues_while_its_place_is_not_needed(autojump_clock: MockClock) -> None:
    """A client waits for the other players, who can think without a limit."""
    async with trio.open_nursery() as nursery:
        served = Served(nursery, games=2)
        client = served.client()
        await begin(client, b"MYOUSHU\n")
        answer = await client.line()
        await client.send(answer.replace("TESUJI", "ATARI 1").encode())
        await trio.sleep(20 * IDLE_TIME)
        assert await served.greets(), "there is another place"
        await client.send(b"ATARI 2 (4, 7)\nMYOUSHU\n")
        assert (await client.line()).startswith("TESUJI ")
        nursery.cancel_scope.cancel()


async def test_a_game_is_silent_after_the_answer_too(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery, games=1)
        client = served.client()
        await begin(client, b"MYOUSHU\n")
        assert await client.line() == "TESUJI (4, 1)\n"
        await trio.sleep(IDLE_TIME + 1)
        assert await served.greets()
        nursery.cancel_scope.cancel()


async def test_greetings_and_nonsense_do_not_keep_a_place(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery, games=1, idle_time=60)
        client = served.client()
        await begin(client)
        for _ in range(40):
            await client.send(b"HELLO\nnonsense\n")
            await trio.sleep(2)
        assert await served.greets()
        nursery.cancel_scope.cancel()


async def test_a_game_that_waits_for_this_server_keeps_its_place(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery, games=1, make_player=SlowPlayer)
        client = served.client()
        await begin(client, b"MYOUSHU\n")
        await trio.sleep(2 * IDLE_TIME)
        assert not await served.greets()
        assert (await client.line()).startswith("TESUJI ")
        nursery.cancel_scope.cancel()


async def test_a_client_can_wait_for_an_answer_without_limit(autojump_clock: MockClock) -> None:
    """A HELLO meanwhile is answered and keeps the game; a second MYOUSHU is not answered."""
    async with trio.open_nursery() as nursery:
        served = Served(nursery, make_player=SlowPlayer)
        client = served.client()
        await begin(client, b"MYOUSHU\n")
        await trio.sleep(SlowPlayer.seconds / 2)
        await client.send(b"HELLO\nMYOUSHU\n")
        assert await client.line() == IAM
        assert (await client.line()).startswith("TESUJI ")
        assert served.reports[-1] == "[1] ignored 'MYOUSHU': not expected while thinking"
        with trio.move_on_after(IDLE_TIME / 2):
            raise AssertionError(f"one question has one answer, not also {await client.line()!r}")
        nursery.cancel_scope.cancel()


async def test_news_while_an_answer_is_due_set_no_time_limit(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery, make_player=SlowPlayer)
        client = served.client()
        await client.send(b"HELLO\nGAME 1 a b c d\nMYOUSHU\nGOTE 3\n")
        assert await client.line() == IAM
        assert (await client.line()).startswith("TESUJI ")
        nursery.cancel_scope.cancel()


async def test_a_player_leaves_in_order_when_the_server_ends(autojump_clock: MockClock) -> None:
    SlowPlayer.left = 0
    async with trio.open_nursery() as nursery:
        await begin(Served(nursery, make_player=SlowPlayer).client(), b"MYOUSHU\n")
        nursery.cancel_scope.cancel()
    assert SlowPlayer.left == 1


# Places.


async def test_a_second_hello_takes_no_second_place(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery, games=2)
        first = served.client(HONEST)
        for _ in range(3):
            await first.send(b"HELLO\n")
            assert await first.line() == IAM
        assert await served.greets(HONEST)
        assert not await served.greets(HONEST)
        assert served.reports == ["[3] refused: all places for games are taken"]
        await first.send(b"HELLO\n")
        assert await first.line() == IAM, "it needs no further place"
        nursery.cancel_scope.cancel()


async def test_a_server_for_one_game_has_one_place(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery, once=True)
        assert await served.greets(HONEST)
        assert not await served.greets(HONEST)
        assert not await served.greets(STRANGER)
        nursery.cancel_scope.cancel()


async def test_strangers_in_all_places_keep_no_client_out(autojump_clock: MockClock) -> None:
    """24 connections of one machine request moves: four play, and other machines still get a place."""
    async with trio.open_nursery() as nursery:
        served = Served(nursery, make_player=SlowPlayer, games=4)
        strangers = [served.client(STRANGER) for _ in range(24)]
        for stranger in strangers:
            await stranger.send(HELLO_GAME + b"MYOUSHU\n")
            await trio.testing.wait_all_tasks_blocked()
        assert sum("refused" in report for report in served.reports) == 20
        honest = [served.client(f"10.0.0.{number}") for number in range(1, 6)]
        for client in honest[:4]:
            await begin(client, b"MYOUSHU\n")
        await honest[4].send(b"HELLO\n")
        assert await honest[4].line() == "", "there are never more than twice as many games as places"
        for client in honest[:4]:
            assert (await client.line()).startswith("TESUJI ")
        nursery.cancel_scope.cancel()


async def test_a_place_is_free_again_when_its_connection_ends(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery, games=1)
        for _ in range(3):
            client = served.client(STRANGER)
            await begin(client)
            assert not await served.greets(HONEST)
            await client.stream.aclose()
            await trio.sleep(1)
        assert await served.greets(HONEST)
        nursery.cancel_scope.cancel()


async def test_silent_connections_keep_no_client_out(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery)
        quiet = served.client(HONEST)
        strangers = []
        for _ in range(MAX_WAITING + 10):
            strangers.append(served.client(STRANGER))
            await trio.testing.wait_all_tasks_blocked()
        assert len(served.reports) == 11
        assert {report.partition("] ")[2] for report in served.reports} == {
            "closed: too many silent connections"
        }
        assert await strangers[0].line() == "", "the first of them goes first"
        await quiet.send(b"HELLO\n")
        assert await quiet.line() == IAM
        assert await served.greets(HONEST)
        await strangers[-1].send(b"HELLO\n")
        assert await strangers[-1].line() == IAM
        nursery.cancel_scope.cancel()


@define(eq=False)
class Somebody:
    """A connection with only an address."""

    address: str
    sentences: list[str] = field(factory=list)
    is_idle: bool = False

    def turn_away(self, sentence: str) -> None:
        self.sentences.append(sentence)


def test_one_address_may_have_all_places() -> None:
    places = Places(3)
    guests = [Somebody(HONEST) for _ in range(4)]
    assert [places.take(guest) for guest in guests] == [True, True, True, False]


def test_no_place_is_taken_from_a_client_with_only_one() -> None:
    places = Places(2)
    assert [places.take(Somebody(f"10.0.0.{number}")) for number in range(4)] == [True, True, False, False]


def test_the_longest_silent_game_makes_room() -> None:
    places = Places(3)
    guests = [Somebody(HONEST, is_idle=number > 0) for number in range(3)]
    assert all(map(places.take, guests))
    newcomer = Somebody(HONEST)
    assert places.take(newcomer)
    assert [len(guest.sentences) for guest in guests] == [0, 1, 0]
    assert places.take(newcomer), "it has a place already"
    assert [len(guest.sentences) for guest in guests] == [0, 1, 0]


def test_a_guest_that_plays_does_not_wait() -> None:
    """A client with a place is never turned away for others that wait."""
    places = Places(1)
    player = Somebody(STRANGER)
    places.enter(player)
    assert places.take(player)
    guests = [Somebody(STRANGER) for _ in range(MAX_WAITING + 1)]
    for guest in guests:
        places.enter(guest)
    assert [len(guest.sentences) for guest in (player, *guests)] == [0, 1] + [0] * MAX_WAITING


def test_the_number_of_games_depends_on_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 16)
    assert [
        default_games(parse_spec(kind, OWN)) for kind in ("engine", "qtp:x", "human", "simple", "random")
    ] == [
        16,
        16,
        1,
        100,
        100,
    ]
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert default_games(parse_spec("engine", OWN)) == MIN_ENGINE_GAMES == 4


# Servers that exit after a game, and people.


@pytest.mark.parametrize(
    ("lines", "counts"),
    [
        (b"", False),
        (b"HELLO\n", False),
        (HELLO_GAME, False),
        (HELLO_GAME + b"GOTE 2\n", False),
        (HELLO_GAME + b"KIKASHI 2\n", False),
        (HELLO_GAME + b"ATARI 1 (0, 0)\n", False),
        (HELLO_GAME + b"GOTE 2\nKIKASHI 1\n", True),
        (HELLO_GAME + b"GOTE 1\n", True),
        (HELLO_GAME + b"ATARI 1 (4, 1)\n", True),
    ],
)
async def test_a_server_for_one_game_exits_after_it(
    lines: bytes, counts: bool, autojump_clock: MockClock
) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery, once=True)
        ended = trio.Event()

        async def serve() -> None:
            await served.server.serve([])
            ended.set()

        nursery.start_soon(serve)
        client = served.client(STRANGER)
        await client.send(lines)
        await client.stream.send_eof()
        await trio.sleep(1)
        assert ended.is_set() == counts
        if not counts:
            client = served.client(HONEST)
            await begin(client, b"ATARI 1 (4, 1)\n")
            await client.stream.aclose()
            await trio.sleep(1)
            assert ended.is_set()
        nursery.cancel_scope.cancel()


class ResigningPlayer(SimplePlayer):
    async def choose(self, position: Position, clock: Clock) -> Move:
        raise ForfeitError(Termination.RESIGNED, Translatable("resigned"))


async def test_a_server_for_one_game_exits_when_its_player_gives_up(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery, make_player=ResigningPlayer, once=True)
        client = served.client()
        await begin(client, b"MYOUSHU\n")
        with trio.fail_after(10):
            await served.server.serve([])
        nursery.cancel_scope.cancel()


async def test_a_person_is_not_taken_by_a_stranger() -> None:
    """The prompt of a game vanishes with its client, and the next game gets it."""
    reader, writer = os.pipe()
    output = io.StringIO()
    console = Console(reader, output)
    await _be_a_person(console, output, writer)
    os.close(reader)
    os.close(writer)


async def _be_a_person(console: Console, output: io.StringIO, typing: int) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery, make_player=lambda: person(console), games=1, once=True)
        stranger = served.client(STRANGER)
        await begin(stranger, b"MYOUSHU\n")
        await trio.testing.wait_all_tasks_blocked()
        assert output.getvalue().endswith("Game 1, your move (\u25bc1): ")
        await stranger.stream.aclose()
        await trio.testing.wait_all_tasks_blocked()
        assert "Game 1: the game ended without a winner: it was aborted or drawn." in output.getvalue()
        honest = served.client(HONEST)
        await begin(honest, b"MYOUSHU\n")
        await trio.testing.wait_all_tasks_blocked()
        assert output.getvalue().endswith("Game 2, your move (\u25bc1): ")
        os.write(typing, b"e2\n")
        assert await honest.line() == "TESUJI (4, 1)\n"
        nursery.cancel_scope.cancel()


# Descriptors.


@pytest.mark.skipif(sys.platform == "win32", reason="ulimit is for POSIX")
def test_a_shortage_of_descriptors_is_reported_in_one_line() -> None:
    """Run a real server with 24 descriptors and 30 silent connections, without waiting for HELLO_TIME."""
    command = f"ulimit -n 24; exec {sys.executable} -m server --port 0 --host 127.0.0.1 --player random"
    with subprocess.Popen(
        ["/bin/sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        port = int(server.stdout.readline().partition("port ")[2].split()[0])
        connections = [socket.create_connection(("127.0.0.1", port)) for _ in range(30)]
        assert server.stderr.readline() == (
            "WARNING: new connections must wait until others end: Too many open files;"
            " raise the limit (ulimit -n)\n"
        )
        for connection in connections[:-1]:
            connection.close()
        connections[-1].settimeout(10)
        connections[-1].sendall(b"HELLO\n")
        assert connections[-1].recv(100) == b"IAM qnt:random\n"
        connections[-1].close()
        server.terminate()
        assert server.stderr.read() == ""
