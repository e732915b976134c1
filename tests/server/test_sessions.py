"""A move server and its clients, in memory: what each of them may do, and what it cannot break."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import attrs
import pytest
import trio
import trio.testing
from trio.testing import MockClock

from quoridor_net.lan import NEED_DATA, ClientRole, Game, Hello, Iam, Myoushu, Tesuji
from quoridor_net.match import play_match
from quoridor_net.players import Player, PlayerFault
from quoridor_net.players.lan import LanPlayer
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Move, Position, Termination
from server.listener import MoveServer
from server.session import GAME_TIME, ServerSettings


class ResigningPlayer(SimplePlayer):
    async def choose(self, position: Position) -> Move:
        raise PlayerFault(Termination.RESIGNED, "gave up")


class BrokenPlayer(SimplePlayer):
    async def choose(self, position: Position) -> Move:
        raise ZeroDivisionError("a bug in a player")


class ThinkingPlayer(SimplePlayer):
    """Thinks until it is stopped."""

    stopped = 0
    left = 0

    async def choose(self, position: Position) -> Move:
        try:
            await trio.sleep_forever()
        finally:
            ThinkingPlayer.stopped += 1
        raise AssertionError("unreachable")

    async def leave(self) -> None:
        ThinkingPlayer.left += 1


@attrs.define
class Fixture:
    """A server in memory and the connections made to it."""

    nursery: trio.Nursery
    reports: list[str] = attrs.field(factory=list)
    alarms: list[str] = attrs.field(factory=list)
    make_player: Callable[[], Player] = lambda: SimplePlayer(seed=3)
    games: int = 100
    once: bool = False
    server: MoveServer = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        settings = ServerSettings(
            "qn:test",
            self.make_player,
            games=self.games,
            once=self.once,
            report=self.reports.append,
            alarm=self.alarms.append,
        )
        self.server = MoveServer(settings)

    def connect(self) -> trio.StapledStream[trio.testing.MemorySendStream, trio.testing.MemoryReceiveStream]:
        ours, theirs = trio.testing.memory_stream_pair()
        self.nursery.start_soon(self.server.serve_connection, theirs)
        return ours


class Client:
    """A client that a test drives line by line."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self.role = ClientRole()

    async def send(self, data: bytes) -> None:
        await self.stream.send_all(data)

    async def line(self) -> str:
        """Return the next line of the server; '' when it closed the connection."""
        data = b""
        while not data.endswith(b"\n"):
            chunk = await self.stream.receive_some(1)
            if not chunk:
                return data.decode()
            data += chunk
        return data.decode()


HELLO_GAME = b"HELLO\nGAME 1 a:a b:b\n"


async def game_goes_well(fixture: Fixture) -> None:
    players = [LanPlayer(fixture.connect(), number) for number in (1, 2)]
    for player in players:
        await player.greet()
    result = await play_match(players)
    assert result.termination is Termination.GOAL


ABUSES: dict[str, bytes] = {
    "garbage": b"\x00\xff\x1b[2J\n" * 50,
    "endless garbage": b"nonsense\n" * 10_000,
    "endless line": b"x" * 1_000_000,
    "half a line": b"HEL",
    "game of three": b"HELLO\nGAME 1 a b c\n",
    "game of five": b"HELLO\nGAME 1 a b c d e\n",
    "wrong seat": b"HELLO\nGAME 3 a b\n",
    "game before hello": b"GAME 1 a b\nMYOUSHU\n",
    "request before the game": b"HELLO\nMYOUSHU\n",
    "impossible move": HELLO_GAME + b"ATARI 1 (0, 0)\n",
    "move out of turn": HELLO_GAME + b"ATARI 2 (4, 7)\n",
    "off the board": HELLO_GAME + b"ATARI 1 (99, 99)\n",
    "unreadable move": HELLO_GAME + b"ATARI 1 e4\n",
    "request out of turn": b"HELLO\nGAME 2 a:a b:b\nMYOUSHU\n",
    "two requests": HELLO_GAME + b"MYOUSHU\nMYOUSHU\n",
    "unknown player out": HELLO_GAME + b"GOTE 4\n",
    "out twice": b"HELLO\nGAME 1 a b c d\nGOTE 2\nGOTE 2\n",
    "strange winner": HELLO_GAME + b"KIKASHI 4\n",
    "after the end": HELLO_GAME + b"KIKASHI 1\nMYOUSHU\nGAME 1 a b\n",
    "nothing": b"",
}


CLOSED = "the client closed the connection"
GIVEN_UP = "given up: the client and this server disagree about the game"
#: How each abuse ends when the client closes after it, and what the server calls an error of the client.
ENDINGS: dict[str, tuple[str, str]] = {
    "garbage": (CLOSED, ""),
    "endless garbage": ("the client sent more than 100 lines without meaning: 'nonsense'", ""),
    "endless line": (f"the client sent a line of more than 1024 bytes: '{'x' * 77}...'", ""),
    "half a line": (CLOSED, ""),
    "game of three": (CLOSED, ""),
    "game of five": (CLOSED, ""),
    "wrong seat": (CLOSED, ""),
    "game before hello": (CLOSED, ""),
    "request before the game": (CLOSED, ""),
    "impossible move": (
        GIVEN_UP,
        (
            "reports an impossible move of player 1: (0, 0) is illegal:"
            " the pawn on (4, 0) cannot get to (0, 0) in one move"
        ),
    ),
    "move out of turn": (
        GIVEN_UP,
        "reports a move of player 2, (4, 7), but it is the turn of player 1",
    ),
    "off the board": (
        GIVEN_UP,
        (
            "reports an impossible move of player 1: (99, 99) is illegal:"
            " (99, 99) is off the board: squares go from (0, 0) to (8, 8)"
        ),
    ),
    "unreadable move": (CLOSED, ""),
    "request out of turn": (GIVEN_UP, "asked for a move, but it is the turn of player 1"),
    "two requests": (CLOSED, ""),
    "unknown player out": (
        GIVEN_UP,
        "puts player 4 out of the game, but there is no player 4 in a game of 2",
    ),
    "out twice": (GIVEN_UP, "puts player 2 out of the game, but player 2 is not in the game any more"),
    "strange winner": ("game over: player 4 won", ""),
    "after the end": ("game over: won", ""),
    "nothing": (CLOSED, ""),
}


@pytest.mark.parametrize("abuse", ABUSES)
async def test_abuse_ends_as_it_deserves(abuse: str, autojump_clock: MockClock) -> None:
    data = ABUSES[abuse]
    async with trio.open_nursery() as nursery:
        fixture = Fixture(nursery)
        stream = fixture.connect()
        # A server that has had enough does not read the rest.
        with contextlib.suppress(trio.BrokenResourceError):
            for start in range(0, len(data), 5000):
                await stream.send_all(data[start : start + 5000])
        await trio.sleep(1)
        with contextlib.suppress(trio.BrokenResourceError):
            await stream.send_eof()
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    ending, error = ENDINGS[abuse]
    assert fixture.reports[-1] == f"[1] {ending}"
    assert fixture.alarms == ([f"[1] ERROR: the client {error}"] if error else [])


@pytest.mark.parametrize("chunk", [1, 1_000_000])
@pytest.mark.parametrize("ending", ["close", "reset", "stay"])
@pytest.mark.parametrize("abuse", [name for name in ABUSES if not name.startswith("endless")])
async def test_abuse_never_harms_other_games(
    abuse: str, ending: str, chunk: int, autojump_clock: MockClock
) -> None:
    await abuse_and_play(ABUSES[abuse], ending, chunk)


@pytest.mark.parametrize("ending", ["close", "reset", "stay"])
@pytest.mark.parametrize("abuse", [name for name in ABUSES if name.startswith("endless")])
async def test_endless_abuse_never_harms_other_games(
    abuse: str, ending: str, autojump_clock: MockClock
) -> None:
    await abuse_and_play(ABUSES[abuse], ending, 5000)


async def abuse_and_play(data: bytes, ending: str, chunk: int) -> None:
    async def misbehave(stream: trio.abc.HalfCloseableStream) -> None:
        try:
            for start in range(0, len(data), chunk):
                await stream.send_all(data[start : start + chunk])
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return
        if ending == "close":
            await stream.aclose()
        elif ending == "reset":
            await trio.aclose_forcefully(stream)

    async with trio.open_nursery() as nursery:
        fixture = Fixture(nursery)
        for _ in range(3):
            nursery.start_soon(misbehave, fixture.connect())
        await game_goes_well(fixture)
        await trio.sleep(1)
        await game_goes_well(fixture)
        nursery.cancel_scope.cancel()
    assert not [alarm for alarm in fixture.alarms if "internal error" in alarm]


async def test_a_conversation(nursery: trio.Nursery) -> None:
    """Section "Protocol", from HELLO to KIKASHI; a second HELLO gives IAM again."""
    fixture = Fixture(nursery)
    client = Client(fixture.connect())
    await client.send(b"HELLO\n")
    assert await client.line() == "IAM qn:test\n"
    await client.send(b"hello \r\n")
    assert await client.line() == "IAM qn:test\n"
    await client.send(b"GAME 1 a:a b:b\nMYOUSHU\n")
    answer = await client.line()
    assert answer == "TESUJI (4, 1)\n"
    await client.send(b"ATARI 1 (4, 1)\nATARI 2 (4,7)\nMYOUSHU\n")
    assert (await client.line()).startswith("TESUJI ")
    await client.send(b"GOTE 2\nKIKASHI 1\n")
    assert await client.line() == ""
    assert fixture.reports[-1] == "[1] game over: won"


@pytest.mark.parametrize(
    ("report", "alarm"),
    [
        (b"ATARI 1 (0, 0)\n", "reports an impossible move of player 1: (0, 0) is illegal"),
        (b"ATARI 2 (4, 7)\n", "reports a move of player 2, (4, 7), but it is the turn of player 1"),
        (b"GOTE 4\n", "puts player 4 out of the game, but there is no player 4"),
    ],
)
async def test_what_cannot_have_happened_is_an_alarm(
    report: bytes, alarm: str, autojump_clock: MockClock
) -> None:
    """An ATARI its rules find impossible is logged loudly and ends that game only (DESIGN section 5)."""
    async with trio.open_nursery() as nursery:
        fixture = Fixture(nursery)
        client = Client(fixture.connect())
        await client.send(HELLO_GAME + report)
        assert await client.line() == "IAM qn:test\n"
        assert await client.line() == ""
        assert len(fixture.alarms) == 1
        assert fixture.alarms[0].startswith(f"[1] ERROR: the client {alarm}")
        await game_goes_well(fixture)
        nursery.cancel_scope.cancel()


async def test_a_player_that_gives_up_closes_its_game_only(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        fixture = Fixture(nursery, make_player=ResigningPlayer)
        client = Client(fixture.connect())
        await client.send(HELLO_GAME + b"MYOUSHU\n")
        assert await client.line() == "IAM qn:test\n"
        assert await client.line() == ""
        assert fixture.reports[-1] == "[1] the player gave up"
        assert await greeted(fixture)
        nursery.cancel_scope.cancel()


async def test_a_broken_player_ends_its_game_only(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        fixture = Fixture(nursery, make_player=BrokenPlayer)
        client = Client(fixture.connect())
        await client.send(HELLO_GAME + b"MYOUSHU\n")
        await client.line()
        assert await client.line() == ""
        assert fixture.alarms == ["[1] ERROR: internal error: ZeroDivisionError('a bug in a player')"]
        assert await greeted(fixture)
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("ending", [b"GOTE 1\n", b"GOTE 2\nKIKASHI 1\n", b"KIKASHI 2\n", None])
async def test_whoever_thinks_is_stopped(ending: bytes | None, autojump_clock: MockClock) -> None:
    """When the game ends or the client goes away, the player stops thinking and leaves."""
    ThinkingPlayer.stopped = ThinkingPlayer.left = 0
    async with trio.open_nursery() as nursery:
        fixture = Fixture(nursery, make_player=ThinkingPlayer)
        client = Client(fixture.connect())
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


async def test_places_for_games(autojump_clock: MockClock) -> None:
    """--games: a client too many is told so by the closed connection before any game begins."""
    async with trio.open_nursery() as nursery:
        fixture = Fixture(nursery, games=1)
        first = Client(fixture.connect())
        await first.send(b"HELLO\n")
        assert await first.line() == "IAM qn:test\n"
        second = Client(fixture.connect())
        await second.send(b"HELLO\n")
        assert await second.line() == ""
        assert fixture.reports == ["[2] refused: all places for games are taken"]
        await first.stream.aclose()
        await trio.sleep(1)
        assert await greeted(fixture)
        nursery.cancel_scope.cancel()


async def test_a_sleeping_client_gives_its_place_back(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        fixture = Fixture(nursery, games=1)
        sleeper = Client(fixture.connect())
        await sleeper.send(b"HELLO\n")
        await trio.sleep(GAME_TIME + 1)
        assert fixture.reports == [f"[1] the client began no game within {GAME_TIME:g} s"]
        assert await greeted(fixture)
        nursery.cancel_scope.cancel()


async def greeted(fixture: Fixture) -> bool:
    client = Client(fixture.connect())
    await client.send(b"HELLO\n")
    return await client.line() == "IAM qn:test\n"


async def test_one_byte_at_a_time(autojump_clock: MockClock) -> None:
    """A whole game in which every byte travels alone, both ways."""
    async with trio.open_nursery() as nursery:
        fixture = Fixture(nursery)
        role, client = ClientRole(), Client(fixture.connect())
        position = Position()
        for message in (Hello(), Game(1, ("a:a", "b:b"))):
            for byte in role.send(message):
                await client.send(bytes([byte]))
            if isinstance(message, Hello):
                role.receive_data((await client.line()).encode())
                assert role.next_event() == Iam("qn:test")
        for byte in role.send(Myoushu()):
            await client.send(bytes([byte]))
        for byte in (await client.line()).encode():
            assert role.next_event() is NEED_DATA
            role.receive_data(bytes([byte]))
        event = role.next_event()
        assert isinstance(event, Tesuji)
        assert position.is_legal(event.move)
        nursery.cancel_scope.cancel()
