"""One connection of a move server: from HELLO to the end of its game."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import trio
from attrs import frozen
from trio.abc import Stream

from quoridor_net.lan import (
    NEED_DATA,
    Atari,
    FollowedGame,
    Game,
    Gote,
    Hello,
    Iam,
    Ignored,
    ImpossibleReport,
    Kikashi,
    Message,
    Myoushu,
    ServerRole,
    Tesuji,
)
from quoridor_net.lan.transcript import Transcript
from quoridor_net.players import Eliminated, Moved, News, Over, Player, PlayerFault, Seating
from quoridor_net.players.sockets import connection_faults, send_in_time
from quoridor_net.rules import Jumps, Position
from quoridor_net.wire import RemoteProtocolError

CHUNK = 4096

#: Seconds from HELLO to GAME. A client that greeted and then went to sleep must not keep a place for ever.
GAME_TIME = 30.0


def _say_nothing(_sentence: str) -> None:
    """Report to nobody."""


@frozen
class ServerSettings:
    """What a move server does.

    Attributes:
        name: the name it gives in IAM.
        make_player: makes the player for each game.
        jumps: the jump rule of all games.
        games: most games at the same time.
        once: end after the first game.
        report: told, in one line each, what people at the server want to know.
        alarm: told what they have to know: something is wrong with a client or with this server.
        transcript: where all lines of all connections are noted.
    """

    name: str
    make_player: Callable[[], Player]
    jumps: Jumps = Jumps.OFFICIAL
    games: int = 100
    once: bool = False
    report: Callable[[str], None] = _say_nothing
    alarm: Callable[[str], None] = _say_nothing
    transcript: Transcript | None = None


class Session:
    """Serves one client.

    Args:
        stream: the connection. The caller closes it.
        number: number of the connection, for people and the transcript.
        settings: those of the server.
        take_place: called at HELLO; returns whether there is room for another game.

    Attributes:
        has_place: whether this session holds one of the server's places for games.
        game: the game, once it was begun.
    """

    def __init__(
        self, stream: Stream, number: int, settings: ServerSettings, take_place: Callable[[], bool]
    ) -> None:
        self.has_place = False
        self.game: FollowedGame | None = None
        self._stream = stream
        self._number = number
        self._settings = settings
        self._take_place = take_place
        self._role = ServerRole()
        self._player: Player | None = None
        self._ending = "the server ends"
        # Ends the session when GAME does not come; and, by cancelling it, for every other reason.
        self._scope = trio.CancelScope()

    async def run(self) -> None:
        """Converse until the game or the connection ends. Nothing that a client does makes this raise."""
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    await self._converse(nursery)
            if self._scope.cancelled_caught and trio.current_time() >= self._scope.deadline:
                self._ending = f"the client began no game within {GAME_TIME:g} s"
        finally:
            if self._player is not None:
                with trio.CancelScope(shield=True):
                    await self._player.leave()
            self._report(self._ending)

    async def _converse(self, nursery: trio.Nursery) -> None:
        try:
            with self._blaming("client"):
                await self._exchange(nursery)
        except RemoteProtocolError as error:
            self._end(f"the client {error.sentence}: '{error.line}'")
        except ImpossibleReport as error:
            self._settings.alarm(f"[{self._number}] ERROR: the client {error}")
            self._end("given up: the client and this server disagree about the game")

    async def _exchange(self, nursery: trio.Nursery) -> None:
        while not self._scope.cancel_called:
            event = self._role.next_event()
            if event is NEED_DATA:
                await self._receive()
            elif isinstance(event, Ignored):
                self._report(f"ignored '{event.line}': {event.sentence}")
            else:
                await self._handle(event, nursery)

    async def _handle(self, message: Message, nursery: trio.Nursery) -> None:
        match message:
            case Hello():
                await self._greet()
            case Game():
                await self._begin(message)
            case Myoushu():
                self._think(nursery)
            case Atari() | Gote() | Kikashi():
                await self._follow(message)

    async def _greet(self) -> None:
        if not self.has_place:
            self.has_place = self._take_place()
            if not self.has_place:
                self._end("refused: all places for games are taken")
                return
            self._scope.deadline = trio.current_time() + GAME_TIME
        await self._send(Iam(self._settings.name))

    async def _begin(self, message: Game) -> None:
        self._scope.deadline = math.inf
        self.game = game = FollowedGame(message, self._settings.jumps)
        self._player = self._settings.make_player()
        self._report(f"game of {len(game.names)}: player {game.player} of {', '.join(game.names)}")
        with self._blaming("player"):
            await self._player.begin(Seating(game.player, game.names, game.position.copy()))

    def _think(self, nursery: trio.Nursery) -> None:
        game = self._in_game()
        game.expect_turn_of(game.player, "asked for a move,")
        nursery.start_soon(self._answer, game.position.copy())

    async def _answer(self, position: Position) -> None:
        assert self._player is not None, "GAME came before MYOUSHU"
        move = None
        with self._blaming("player"):
            move = await self._player.choose(position)
        if move is not None:
            with self._blaming("client"):
                await self._send(Tesuji(move))

    async def _follow(self, report: Atari | Gote | Kikashi) -> None:
        game = self._in_game()
        game.follow(report)
        match report:
            case Atari(player, move):
                await self._tell(Moved(player, move))
            case Gote(player):
                await self._tell(Eliminated(player))
                if player == game.player:
                    self._end("this player was put out of the game")
                else:
                    self._report(f"player {player} was put out of the game")
            case Kikashi(player):
                await self._tell(Over(player))
                self._end("game over: won" if player == game.player else f"game over: player {player} won")

    def _in_game(self) -> FollowedGame:
        assert self.game is not None, "the role lets nothing of a game through before GAME"
        return self.game

    async def _tell(self, news: News) -> None:
        assert self._player is not None, "the role lets nothing of a game through before GAME"
        with self._blaming("player"):
            await self._player.notice(news)

    async def _receive(self) -> None:
        with connection_faults:
            data = bytes(await self._stream.receive_some(CHUNK))
        if not data:
            self._end("the client closed the connection")
            return
        if self._settings.transcript is not None:
            self._settings.transcript.to_server(self._number, data)
        self._role.receive_data(data)

    async def _send(self, message: Iam | Tesuji) -> None:
        data = self._role.send(message)
        if self._settings.transcript is not None:
            self._settings.transcript.to_client(self._number, data)
        await send_in_time(self._stream, data)

    @contextmanager
    def _blaming(self, who: str) -> Iterator[None]:
        """End the session for a fault of the player behind this server, or of the client."""
        try:
            yield
        except PlayerFault as fault:
            self._end(f"the {who} {fault.sentence}")

    def _end(self, sentence: str) -> None:
        """End the session; the first reason counts."""
        if not self._scope.cancel_called:
            self._ending = sentence
            self._scope.cancel()

    def _report(self, sentence: str) -> None:
        self._settings.report(f"[{self._number}] {sentence}")
