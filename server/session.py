"""One connection of a move server: from HELLO to the end of its game."""

from __future__ import annotations

import math
from collections.abc import Callable

import trio
from attrs import frozen
from trio.abc import Stream

from quoridor_net.events import Event, GameEnded, MoveMade, PlayerOut
from quoridor_net.net import deadlines
from quoridor_net.net.connection import Connection
from quoridor_net.net.networks import EVERYBODY, Networks
from quoridor_net.net.places import Places
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.output import ignore
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock, Player, Seating
from quoridor_net.protocols.common.errors import RemoteProtocolError
from quoridor_net.protocols.common.transcript import OpenTranscript, Transcript, no_transcript
from quoridor_net.protocols.lan import (
    Atari,
    FollowedGame,
    Game,
    Gote,
    Hello,
    Iam,
    Ignored,
    ImpossibleReportError,
    Kikashi,
    Message,
    Myoushu,
    ServerRole,
    Tesuji,
)
from quoridor_net.protocols.lan.transitions import ServerState
from quoridor_net.rules import Jumps, Move, Position
from quoridor_net.text import visible
from quoridor_net.verdicts import VerdictPhrase

#: Timeout for HELLO after the connection, in seconds.
HELLO_TIME = 15.0

#: Timeout for GAME after HELLO, in seconds. A client that greets and falls asleep must not keep its place.
GAME_TIME = 30.0

#: Silence, in seconds, before a game gives up its place to a client that needs one. Silence alone ends no
#: game, because a client waits for the other players as long as its own limits allow.
IDLE_TIME = 600.0


@frozen
class ServerSettings:
    """The settings of a move server.

    Attributes:
        name: the name it sends in IAM.
        make_player: creates the player of each game.
        jumps: the jump rule of all games.
        games: maximum number of games at the same time.
        once: whether to exit after the first game.
        networks: networks from which clients are served.
        idle_time: silence, in seconds, before a game gives up its place to another client; time in which
            this server owes an answer does not count.
        report: called with lines that the person at the server may want to read.
        alarm: called with lines that they must read, because a client or this server is faulty.
        open_transcript: opens the transcript of each connection.
    """

    name: str
    make_player: Callable[[], Player[Position, Move]]
    jumps: Jumps = Jumps.OFFICIAL
    games: int = 100
    once: bool = False
    networks: Networks = EVERYBODY
    idle_time: float = IDLE_TIME
    report: Callable[[str], None] = ignore
    alarm: Callable[[str], None] = ignore
    open_transcript: OpenTranscript = no_transcript


class Session:
    """Serves one client.

    Args:
        stream: the connection. The caller closes it.
        number: number of the connection, for reports and the transcript.
        settings: the server's settings.
        places: the server's places; the session holds one from HELLO to its end.
        address: address of the client.
        transcript: records all lines.
    """

    def __init__(
        self,
        stream: Stream,
        number: int,
        settings: ServerSettings,
        places: Places,
        address: str,
        transcript: Transcript | None,
    ) -> None:
        self.address = address
        #: Whether a game reached its end or its first move. A client that only begins a game has not played.
        self.was_played = False
        self._game: FollowedGame | None = None
        self._names: tuple[str, ...] = ()
        self._moved_at = 0.0
        self._number = number
        self._settings = settings
        self._places = places
        self._is_greeted = False
        self._role = ServerRole()
        self._connection = Connection(stream, self._role, transcript, number, is_server=True)
        self._player: Player[Position, Move] | None = None
        self._ending = "the server is shutting down"
        # Why this player lost, once the session knows.
        self._fault: ForfeitError | None = None
        # Whether a move of the player is due.
        self._is_asked = False
        #: Whether the game may give up its place to another client.
        self.is_idle = False
        # The limit ends the session if no game begins in time; its scope ends it for every other reason.
        self._patience = deadlines.Limit(math.inf)
        self._scope = self._patience.scope
        self._silence = deadlines.Alarm(self._become_idle)
        self._lateness = "", 0.0

    async def run(self) -> None:
        """Converse until the game or the connection ends. No client can make this raise."""
        self._places.enter(self)
        try:
            with self._patience:
                self._wait_at_most(HELLO_TIME, "did not say HELLO within")
                async with trio.open_nursery() as nursery:
                    await self._converse(nursery)
            if self._patience.is_up:
                self._ending = "the client {} {:g} s".format(*self._lateness)
        finally:
            self._silence.restart(math.inf)
            self._places.leave(self)
            if self._player is not None:
                with trio.CancelScope(shield=True):
                    await self._tell_of_the_end()
                    await self._player.leave()
            self._report(self._ending)

    def turn_away(self, sentence: str) -> None:
        """End the session for the reason in ``sentence``."""
        self._end(sentence)

    def _wait_at_most(self, seconds: float, lateness: str) -> None:
        """End the session in ``seconds`` unless called again; report ``lateness`` as the reason."""
        self._patience.restart(seconds)
        self._lateness = lateness, seconds

    def _wait_for_news(self) -> None:
        self._watch_silence(self._settings.idle_time)

    def _watch_silence(self, seconds: float) -> None:
        """Mark the game as idle after ``seconds`` of silence; ``math.inf`` for never."""
        self.is_idle = False
        self._silence.restart(seconds)

    def _become_idle(self) -> None:
        self.is_idle = True

    async def _converse(self, nursery: trio.Nursery) -> None:
        try:
            await self._exchange(nursery)
        except RemoteProtocolError as error:
            self._end(f"the client {error.sentence}: '{error.line}'")
        except ForfeitError as fault:
            self._end(f"the client {fault.sentence}")
        except ImpossibleReportError as error:
            self._alarm(f"ERROR: the client {error}")
            self._end("given up: the client and this server disagree about the game")

    async def _exchange(self, nursery: trio.Nursery) -> None:
        while not self._scope.cancel_called:
            event = await self._connection.next_event()
            if event is None:
                self._end("the client closed the connection")
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
                await self._move(nursery)
            case Atari() | Gote() | Kikashi():
                await self._follow(message)

    async def _greet(self) -> None:
        if not self._places.take(self):
            self._end("refused: all places for games are taken")
            return
        if not self._is_greeted:
            self._is_greeted = True
            self._wait_at_most(GAME_TIME, "began no game within")
        await self._connection.send(Iam(self._settings.name))

    async def _begin(self, message: Game) -> None:
        self._patience.restart(math.inf)
        self._wait_for_news()
        game = FollowedGame(message, self._settings.jumps, self._warn)
        self._player = self._settings.make_player()
        names = self._names = tuple(map(visible, game.names))
        try:
            await self._player.begin(Seating(game.player, names, game.position.copy()))
        except ForfeitError as fault:
            # The game has not begun.
            self._give_up(fault)
            return
        self._game, self._moved_at = game, trio.current_time()
        self._report(f"game of {len(game.names)}: player {game.player} of {', '.join(names)}")

    async def _move(self, nursery: trio.Nursery) -> None:
        game = self._in_game()
        if game.is_walkover:
            await self._connection.send(Tesuji(game.walkover_step()))
            self._wait_for_news()
            return
        position = game.take_request()
        self._is_asked = True
        if self._player is not None and self._player.is_instant:
            await self._answer(position)
            return
        # While an answer is due, the client is expected to be silent.
        self._watch_silence(math.inf)
        nursery.start_soon(self._answer, position)

    async def _answer(self, position: Position) -> None:
        assert self._player is not None, "GAME came before MYOUSHU"
        try:
            move = await self._player.choose(position, Clock())
        except ForfeitError as fault:
            self.was_played = True
            self._give_up(fault)
            return
        self._is_asked = False
        self._wait_for_news()
        try:
            await self._connection.send(Tesuji(move))
        except ForfeitError as fault:
            self._end(f"the client {fault.sentence}")

    async def _follow(self, report: Atari | Gote | Kikashi) -> None:
        game = self._in_game()
        game.follow(report)
        match report:
            case Atari(player, move):
                self.was_played = True
                thought, self._moved_at = trio.current_time() - self._moved_at, trio.current_time()
                await self._tell(MoveMade(player, move, game.moves, thought, game.position.copy()))
            case Gote(player) if player == game.player:
                self.was_played = True
                self._fault = self._likely_fault()
                self._end("this player was put out of the game")
            case Gote(player):
                await self._tell_of_elimination(
                    player, ForfeitError(Termination.PUT_OUT, VerdictPhrase.PUT_OUT())
                )
                also = ": won, unless the client continues" if game.is_walkover else ""
                self._report(f"player {player} was put out of the game{also}")
            case Kikashi(player):
                self.was_played |= player == game.decided_winner
                if player <= len(self._names):
                    await self._tell(GameEnded(self._result(player), self._names, game.position.copy()))
                self._end("game over: won" if player == game.player else f"game over: player {player} won")
        if self._role.state is ServerState.PLAYING:
            self._wait_for_news()

    async def _tell_of_the_end(self) -> None:
        """Tell the player the result as far as it is known here, if the client did not name a winner."""
        game = self._game
        if game is None or game.winner is not None:
            return
        if not self._scope.cancel_called:
            # The client will treat this as a lost connection.
            self._fault = ForfeitError(Termination.DISCONNECTED, VerdictPhrase.SERVER_ENDS())
        is_out = game.player not in game.position.alive
        if self._fault is not None and (is_out or game.is_walkover or game.position.ending is None):
            if not is_out:
                game.follow(Gote(game.player))
            await self._tell_of_elimination(game.player, self._fault)
            result = self._loss(self._fault)
        elif game.decided_winner is not None:
            result = self._result(game.decided_winner)
        else:
            return
        await self._tell(GameEnded(result, self._names, game.position.copy()))

    def _result(self, winner: int) -> Result:
        game = self._in_game()
        if game.position.ending is Termination.GOAL:
            sentence = VerdictPhrase.GOAL(winner=self._name_seat(winner))
            return Result(winner, Termination.GOAL, sentence, game.moves)
        sentence = VerdictPhrase.LAST_PLAYER(winner=self._name_seat(winner))
        return Result(winner, Termination.LAST_PLAYER, sentence, game.moves)

    def _loss(self, fault: ForfeitError) -> Result:
        """Return the result of a game that this player lost by ``fault``; others may play on."""
        game = self._in_game()
        winner, loser, did = game.decided_winner, self._name_seat(game.player), fault.sentence
        if winner is None or winner == game.player:
            return Result(None, fault.termination, VerdictPhrase.LOSS(loser=loser, did=did), game.moves)
        sentence = VerdictPhrase.FAULT(winner=self._name_seat(winner), loser=loser, did=did)
        return Result(winner, fault.termination, sentence, game.moves, fault.line)

    def _likely_fault(self) -> ForfeitError:
        """Guess the fault that eliminated this player, because the protocol does not transmit it."""
        if self._is_asked:
            return ForfeitError(Termination.TOO_SLOW, VerdictPhrase.TOOK_TOO_LONG())
        return ForfeitError(Termination.ILLEGAL_MOVE, VerdictPhrase.MOVE_REFUSED())

    def _name_seat(self, player: int) -> Translatable:
        return VerdictPhrase.SEAT(name=self._names[player - 1], seat=Position.seat_names[player - 1])

    def _in_game(self) -> FollowedGame:
        assert self._game is not None, "the role rejects messages of a game before GAME"
        return self._game

    async def _tell_of_elimination(self, player: int, fault: ForfeitError) -> None:
        game = self._in_game()
        await self._tell(PlayerOut(player, fault, game.position.copy(), game.moves))

    async def _tell(self, event: Event) -> None:
        assert self._player is not None, "the role rejects messages of a game before GAME"
        try:
            await self._player.notify(event)
        except ForfeitError as fault:
            self._give_up(fault)

    def _give_up(self, fault: ForfeitError) -> None:
        """End the session because the player failed; report the last line that it wrote."""
        line = f": {fault.line!r}" if fault.line else ""
        if not self._scope.cancel_called:
            self._fault = fault
        self._end(f"the player {fault.sentence}{line}")

    def _end(self, sentence: str) -> None:
        """End the session; only the first reason counts."""
        if not self._scope.cancel_called:
            self._ending = sentence
            self._scope.cancel()

    def _warn(self, sentence: str) -> None:
        self._alarm(f"WARNING: the client {sentence}")

    def _alarm(self, sentence: str) -> None:
        self._settings.alarm(f"[{self._number}] {sentence}")

    def _report(self, sentence: str) -> None:
        self._settings.report(f"[{self._number}] {sentence}")
