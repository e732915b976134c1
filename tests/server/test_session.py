"""A move server and its clients in memory: their conversations, and abuse that must stay harmless."""

from __future__ import annotations

import contextlib
import errno

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from quoridor_net.events import GameEnded, MatchEvent
from quoridor_net.match import MatchSettings, play_match
from quoridor_net.outcome import ForfeitError
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock
from quoridor_net.players.lan import LanPlayer
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.protocols.lan import NEED_DATA, ClientRole, Game, Hello, Iam, Myoushu, Tesuji
from quoridor_net.rules import Move, Position, Termination
from server.session import GAME_TIME
from tests.support.move_server import HELLO_GAME, Served


class ResigningPlayer(SimplePlayer):
    async def choose(self, position: Position, clock: Clock) -> Move:
        raise ForfeitError(Termination.RESIGNED, Translatable("gave up"))


class BrokenPlayer(SimplePlayer):
    async def choose(self, position: Position, clock: Clock) -> Move:
        raise ZeroDivisionError("a bug in a player")


class ThinkingPlayer(SimplePlayer):
    """Thinks until it is stopped."""

    stopped = 0
    left = 0

    async def choose(self, position: Position, clock: Clock) -> Move:
        try:
            await trio.sleep_forever()
        finally:
            ThinkingPlayer.stopped += 1
        raise AssertionError("unreachable")

    async def leave(self) -> None:
        ThinkingPlayer.left += 1


class ListeningPlayer(SimplePlayer):
    """Keeps the results of its games."""

    def __init__(self) -> None:
        super().__init__(seed=1)
        self.results: list[tuple[int | None, Termination]] = []

    async def notify(self, event: MatchEvent[Position, Move]) -> None:
        await super().notify(event)
        if isinstance(event, GameEnded):
            self.results.append((event.result.winner, event.result.termination))


@pytest.mark.parametrize(
    ("reports", "results"),
    {
        "put out after its move": (b"ATARI 1 (4, 1)\nGOTE 1\n", [(2, Termination.ILLEGAL_MOVE)]),
        "last player": (b"GOTE 2\n", [(1, Termination.LAST_PLAYER)]),
        "named twice": (b"GOTE 2\nKIKASHI 1\n", [(1, Termination.LAST_PLAYER)]),
        "put out after all others": (b"GOTE 2\nGOTE 1\n", [(None, Termination.ILLEGAL_MOVE)]),
        "aborted": (b"ATARI 1 (4, 1)\n", []),
    }.values(),
)
async def test_a_player_is_told_how_the_game_ended(
    reports: bytes, results: list[object], nursery: trio.Nursery
) -> None:
    player = ListeningPlayer()
    client = Served(nursery, make_player=lambda: player).client()
    await client.send(HELLO_GAME + reports)
    await client.stream.send_stream.aclose()
    await trio.testing.wait_all_tasks_blocked()
    assert player.results == results


async def game_goes_well(served: Served, settings: MatchSettings | None = None) -> None:
    """Play a game to its end, or to the limit of the settings."""
    players = [LanPlayer(served.connect(), number) for number in (1, 2)]
    for player in players:
        await player.greet()
    result = await play_match(players, settings)
    assert result.termination is (Termination.PLY_LIMIT if settings else Termination.GOAL)


GIVEN_UP = "given up: the client and this server disagree about the game"
CLOSED = "the client closed the connection"

#: Lines of a client, and the end of its connection if it sends nothing more.
ABUSES: dict[str, tuple[bytes, str]] = {
    "garbage": (b"\x00\xff\x1b[2J\n" * 50, CLOSED),
    "endless garbage": (
        b"nonsense\n" * 10_000,
        "the client sent more than 100 lines without meaning: 'nonsense'",
    ),
    "endless greeting": (b"HELLO\n" * 10_000, "the client sent more than 100 lines without meaning: 'HELLO'"),
    "endless line": (
        b"x" * 1_000_000,
        f"the client sent a line of more than 1024 bytes: '{'x' * 77}...'",
    ),
    "half a line": (b"HEL", CLOSED),
    "game of three": (b"HELLO\nGAME 1 a b c\n", CLOSED),
    "game of five": (b"HELLO\nGAME 1 a b c d e\n", CLOSED),
    "wrong seat": (b"HELLO\nGAME 3 a b\n", CLOSED),
    "game before hello": (b"GAME 1 a b\nMYOUSHU\n", CLOSED),
    "request before the game": (b"HELLO\nMYOUSHU\n", CLOSED),
    "impossible move": (HELLO_GAME + b"ATARI 1 (0, 0)\n", GIVEN_UP),
    "impossible move out of turn": (HELLO_GAME + b"ATARI 2 (0, 0)\n", GIVEN_UP),
    "move out of turn": (HELLO_GAME + b"ATARI 2 (4, 7)\n", CLOSED),
    "move of nobody": (HELLO_GAME + b"ATARI 3 (4, 7)\n", GIVEN_UP),
    "off the board": (HELLO_GAME + b"ATARI 1 (99, 99)\n", GIVEN_UP),
    "impossible move before a long line": (HELLO_GAME + b"ATARI 1 (0, 0)\n" + b"x" * 2000, GIVEN_UP),
    "long line after the end": (HELLO_GAME + b"KIKASHI 1\n" + b"x" * 2000, "game over: won"),
    "unreadable move": (HELLO_GAME + b"ATARI 1 e4\n", CLOSED),
    "request out of turn": (b"HELLO\nGAME 2 a:a b:b\nMYOUSHU\n", CLOSED),
    "two requests": (HELLO_GAME + b"MYOUSHU\nMYOUSHU\n", CLOSED),
    "unknown player out": (HELLO_GAME + b"GOTE 4\n", GIVEN_UP),
    "out twice": (b"HELLO\nGAME 1 a b c d\nGOTE 2\nGOTE 2\n", GIVEN_UP),
    "move of a player that is out": (b"HELLO\nGAME 1 a b c d\nGOTE 4\nATARI 4 (7, 4)\n", GIVEN_UP),
    "strange winner": (HELLO_GAME + b"KIKASHI 4\n", "game over: player 4 won"),
    "after the end": (HELLO_GAME + b"KIKASHI 1\nMYOUSHU\nGAME 1 a b\n", "game over: won"),
    "nothing": (b"", CLOSED),
}


@pytest.mark.parametrize("abuse", ABUSES)
async def test_abuse_ends_its_connection(abuse: str, autojump_clock: MockClock) -> None:
    data, ending = ABUSES[abuse]
    async with trio.open_nursery() as nursery:
        served = Served(nursery)
        client = served.client()
        with contextlib.suppress(trio.BrokenResourceError):
            for start in range(0, len(data), 5000):
                await client.send(data[start : start + 5000])
            await client.stream.send_eof()
        await trio.sleep(1)
        assert served.reports[-1] == f"[1] {ending}"
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("chunk", [1, 1_000_000])
@pytest.mark.parametrize("ending", ["close", "stay"])
@pytest.mark.parametrize("abuse", [name for name in ABUSES if not name.startswith("endless")])
async def test_abuse_never_harms_other_games(
    abuse: str, ending: str, chunk: int, autojump_clock: MockClock
) -> None:
    await abuse_and_play(ABUSES[abuse][0], ending, chunk)


@pytest.mark.parametrize("ending", ["close", "stay"])
@pytest.mark.parametrize("abuse", [name for name in ABUSES if name.startswith("endless")])
async def test_endless_abuse_never_harms_other_games(
    abuse: str, ending: str, autojump_clock: MockClock
) -> None:
    await abuse_and_play(ABUSES[abuse][0], ending, 5000)


async def abuse_and_play(data: bytes, ending: str, chunk: int) -> None:
    async def misbehave(stream: trio.abc.HalfCloseableStream) -> None:
        try:
            for start in range(0, len(data), chunk):
                await stream.send_all(data[start : start + chunk])
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return
        if ending == "close":
            await stream.aclose()

    async with trio.open_nursery() as nursery:
        served = Served(nursery)
        for _ in range(3):
            nursery.start_soon(misbehave, served.connect())
        await game_goes_well(served)
        await trio.sleep(1)
        await game_goes_well(served, MatchSettings(ply_limit=4))
        nursery.cancel_scope.cancel()
    assert not [alarm for alarm in served.alarms if "internal error" in alarm]


async def test_a_conversation_follows_the_protocol(nursery: trio.Nursery) -> None:
    """Section "Protocol", from HELLO to KIKASHI; a second HELLO gives IAM again."""
    served = Served(nursery)
    client = served.client()
    await client.send(b"HELLO\n")
    assert await client.line() == "IAM qnt:test\n"
    await client.send(b"hello \r\n")
    assert await client.line() == "IAM qnt:test\n"
    await client.send(b"GAME 1 a:a b:b\nMYOUSHU\n")
    answer = await client.line()
    assert answer == "TESUJI (4, 1)\n"
    await client.send(b"ATARI 1 (4, 1)\nATARI 2 (4,7)\nMYOUSHU\n")
    assert (await client.line()).startswith("TESUJI ")
    await client.send(b"GOTE 2\nKIKASHI 1\n")
    assert await client.line() == ""
    assert served.reports[-1] == "[1] game over: won"


@pytest.mark.parametrize(
    ("report", "alarm"),
    [
        (b"ATARI 1 (0, 0)\n", "reports an impossible move of player 1: (0, 0) is illegal"),
        (b"ATARI 2 (0, 0)\n", "reports an impossible move of player 2: (0, 0) is illegal"),
        (b"ATARI 4 (7, 4)\n", "reports a move of player 4, (7, 4), but there is no player 4"),
        (b"GOTE 4\n", "eliminates player 4, but there is no player 4"),
    ],
)
async def test_an_impossible_report_is_an_alarm(report: bytes, alarm: str, autojump_clock: MockClock) -> None:
    """An ATARI that breaks the rules is logged and ends that game only (docs/decisions.md, Protocol)."""
    async with trio.open_nursery() as nursery:
        served = Served(nursery)
        client = served.client()
        await client.send(HELLO_GAME + report)
        assert await client.line() == "IAM qnt:test\n"
        assert await client.line() == ""
        assert len(served.alarms) == 1
        assert served.alarms[0].startswith(f"[1] ERROR: the client {alarm}")
        await game_goes_well(served)
        nursery.cancel_scope.cancel()


async def test_a_lost_connection_is_reported(nursery: trio.Nursery) -> None:
    class Broken(trio.abc.ReceiveStream):
        async def receive_some(self, max_bytes: int | None = None) -> bytes:
            await trio.lowlevel.checkpoint()
            raise trio.BrokenResourceError from ConnectionResetError(errno.ECONNRESET, "reset")

        async def aclose(self) -> None:
            await trio.lowlevel.checkpoint()

    served = Served(nursery)
    stream = trio.StapledStream(trio.testing.MemorySendStream(), Broken())
    await served.server.serve_connection(stream, "")
    assert served.reports == ["[1] the client lost the connection"]


async def test_a_player_that_gives_up_closes_its_game_only(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery, make_player=ResigningPlayer)
        client = served.client()
        await client.send(HELLO_GAME + b"MYOUSHU\n")
        assert await client.line() == "IAM qnt:test\n"
        assert await client.line() == ""
        assert served.reports[-1] == "[1] the player gave up"
        assert await served.greets()
        nursery.cancel_scope.cancel()


async def test_a_broken_player_ends_its_game_only(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery, make_player=BrokenPlayer)
        client = served.client()
        await client.send(HELLO_GAME + b"MYOUSHU\n")
        await client.line()
        assert await client.line() == ""
        assert served.alarms == ["[1] ERROR: internal error: ZeroDivisionError('a bug in a player')"]
        assert await served.greets()
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("ending", [b"GOTE 1\n", b"GOTE 2\nKIKASHI 1\n", b"KIKASHI 2\n", None])
async def test_thinking_stops_when_the_session_ends(ending: bytes | None, autojump_clock: MockClock) -> None:
    """When the game ends or the client disconnects, the player stops thinking and leaves."""
    ThinkingPlayer.stopped = ThinkingPlayer.left = 0
    async with trio.open_nursery() as nursery:
        served = Served(nursery, make_player=ThinkingPlayer)
        client = served.client()
        await client.send(HELLO_GAME + b"MYOUSHU\n")
        await client.line()
        await trio.sleep(1)
        assert ThinkingPlayer.stopped == 0
        if ending is None:
            await client.stream.aclose()
        else:
            await client.send(ending)
        await trio.sleep(1)
        assert (ThinkingPlayer.stopped, ThinkingPlayer.left) == (1, 1)
        nursery.cancel_scope.cancel()


async def test_games_beyond_the_places_are_refused(autojump_clock: MockClock) -> None:
    """One client too many for --concurrency finds the connection closed before any game begins."""
    async with trio.open_nursery() as nursery:
        served = Served(nursery, games=1)
        first = served.client()
        await first.send(b"HELLO\n")
        assert await first.line() == "IAM qnt:test\n"
        second = served.client()
        await second.send(b"HELLO\n")
        assert await second.line() == ""
        assert served.reports == ["[2] refused: all places for games are taken"]
        await first.stream.aclose()
        await trio.sleep(1)
        assert await served.greets()
        nursery.cancel_scope.cancel()


async def test_a_sleeping_client_gives_its_place_back(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        served = Served(nursery, games=1)
        sleeper = served.client()
        await sleeper.send(b"HELLO\n")
        await trio.sleep(GAME_TIME + 1)
        assert served.reports == [f"[1] the client began no game within {GAME_TIME:g} s"]
        assert await served.greets()
        nursery.cancel_scope.cancel()


async def test_messages_can_arrive_byte_by_byte(autojump_clock: MockClock) -> None:
    """Play a complete game in which every byte travels alone, both ways."""
    async with trio.open_nursery() as nursery:
        served = Served(nursery)
        role, client = ClientRole(), served.client()
        position = Position()
        for message in (Hello(), Game(1, ("a:a", "b:b"))):
            for byte in role.send(message):
                await client.send(bytes([byte]))
            if isinstance(message, Hello):
                role.receive_data((await client.line()).encode())
                assert role.next_event() == Iam("qnt:test")
        for byte in role.send(Myoushu()):
            await client.send(bytes([byte]))
        for byte in (await client.line()).encode():
            assert role.next_event() is NEED_DATA
            role.receive_data(bytes([byte]))
        event = role.next_event()
        assert isinstance(event, Tesuji)
        assert position.is_legal(event.move)
        nursery.cancel_scope.cancel()
