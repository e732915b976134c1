"""One connection of a Clobber client: from the handshake to the end of the tournament."""

from __future__ import annotations

import enum
import math
from collections import Counter
from collections.abc import Callable

import trio
from attrs import frozen
from trio.abc import Stream

from quoridor_net.clobber import ClobberPosition, ClobberSquare, Colour, Move
from quoridor_net.events import GameEnded, GameStarted, MoveMade
from quoridor_net.match.match_game import DEFAULT_PLY_LIMIT
from quoridor_net.net import deadlines
from quoridor_net.net.connection import Connection
from quoridor_net.net.errors import first_error
from quoridor_net.outcome import ForfeitError, Result, Termination
from quoridor_net.output import ignore
from quoridor_net.players import Clock, Player, Seating
from quoridor_net.protocols.common.errors import RemoteProtocolError
from quoridor_net.protocols.common.role import Ignored
from quoridor_net.protocols.common.transcript import Transcript
from quoridor_net.protocols.olympiad.messages import End, Error, Message, Play, Played, Settings
from quoridor_net.protocols.olympiad.roles import ClobberClientRole
from quoridor_net.protocols.olympiad.transitions import ClobberClientState
from quoridor_net.tournament import GameEvent

#: Silence of the server, in seconds, before the user gets a hint at the cause.
HINT_TIME = 10.0

#: The protocol has no message for giving up, so the client sends a move that is illegal on every board.
GIVING_UP = Move(ClobberSquare(0, 0), ClobberSquare(0, 0))


class ClobberOutcome(enum.Enum):
    """The outcome of a game for this client."""

    WON = "won"
    LOST = "lost"
    #: The server began another game, or closed, before this one was over.
    BROKEN_OFF = "broken off"

    def __str__(self) -> str:
        return self.value


class ClosingReason(enum.Enum):
    """The reason why a connection ended."""

    #: The server closed it between two games, as it does at the end of a tournament.
    NORMAL = "the tournament is over"
    REFUSED = "the server refused this client, or the tournament had already begun"
    UNPLAYED = (
        "the server closed the connection before the first game. The tournament was cancelled,"
        " or this is not a Clobber server (a Quoridor move server does the same)"
    )
    SILENT = (
        "the server started no game in time. Check that it is a Clobber server, not a Quoridor move server"
    )
    BROKEN = "the connection was lost during a game"
    MISBEHAVED = "the server sent an invalid message"
    LEFT = "there is no more input"


@frozen
class Remarked:
    """A remark for the user, as a complete sentence."""

    sentence: str


#: A game can end twice, with different outcomes, because a verdict may cross the last move.
SessionEvent = GameEvent | Remarked


class ClobberSession:
    """Plays all games that the server begins.

    Args:
        stream: the connection. The caller closes it.
        player: chooses the moves.
        name: the name for the handshake.
        rows_first: whether the first number of ``m n b`` counts the rows.
        start_time: timeout for the first game, in seconds.
        listener: called with every event. Games count from 1.
        transcript: records all lines.

    Attributes:
        outcomes: outcomes of finished games, by number.
        colour: colour of this player in the current game.
    """

    def __init__(
        self,
        stream: Stream,
        player: Player[ClobberPosition, Move],
        name: str,
        *,
        rows_first: bool = False,
        start_time: float = math.inf,
        listener: Callable[[SessionEvent], None] = ignore,
        transcript: Transcript | None = None,
    ) -> None:
        self.outcomes: dict[int, ClobberOutcome] = {}
        self._player = player
        self._name = name
        self._start_time = start_time
        self._tell = listener
        self._role = ClobberClientRole(rows_first=rows_first)
        self._connection = Connection(stream, self._role, transcript)
        self._game = 0
        self._begun = trio.Event()
        self.colour = Colour.BLACK
        self._position = ClobberPosition.start()
        self._moved_at = 0.0
        self._thinking = trio.CancelScope()
        self._scope = trio.CancelScope()
        self._farewell = ClosingReason.BROKEN

    @property
    def tally(self) -> Counter[ClobberOutcome]:
        """Number of games by outcome."""
        return Counter(self.outcomes.values())

    async def run(self) -> ClosingReason:
        """Play until the connection ends, and return the reason."""
        with self._scope:
            try:
                await self._connection.send(Play(self._name))
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._await_first_game)
                    await self._converse(nursery)
                    nursery.cancel_scope.cancel()
            except* ForfeitError as group:
                self._remark(f"The server {first_error(group)}.")
        if not self._role.is_between_games and self._game and self._game not in self.outcomes:
            await self._end(ClobberOutcome.BROKEN_OFF, self._farewell.value, Termination.ABORTED)
        return self._farewell

    async def _await_first_game(self) -> None:
        """Remark on a silent server, and give up after the timeout, because PLAY has no reply."""
        with deadlines.move_on_after(self._start_time):
            with deadlines.move_on_after(HINT_TIME):
                await self._begun.wait()
            if not self._begun.is_set():
                self._remark(
                    "No game yet. The server may be waiting for other entrants. If it is a Quoridor move"
                    " server, it will never answer."
                )
            await self._begun.wait()
            return
        self._farewell = ClosingReason.SILENT
        self._scope.cancel()

    async def _converse(self, nursery: trio.Nursery) -> None:
        while True:
            try:
                event = await self._connection.next_event()
            except RemoteProtocolError as error:
                self._remark(f"The server {error.sentence}: '{error.line}'")
                self._farewell = ClosingReason.MISBEHAVED
                return
            except ForfeitError:
                # A server that exits may reset the connection instead of closing it.
                event = None
            if event is None:
                self._farewell = self._why_closed()
                return
            if isinstance(event, Ignored):
                self._remark(f"Ignored the line '{event.line}': {event.sentence}.")
            else:
                await self._handle(event, nursery)
                if self._role.state is ClobberClientState.REFUSED:
                    self._farewell = ClosingReason.REFUSED
                    return

    def _why_closed(self) -> ClosingReason:
        if self._role.state is ClobberClientState.GREETED:
            return ClosingReason.UNPLAYED
        return ClosingReason.NORMAL if self._role.is_between_games else ClosingReason.BROKEN

    async def _handle(self, message: Message, nursery: trio.Nursery) -> None:
        self._thinking.cancel()
        match message:
            case Settings():
                await self._begin(message)
            case Played(move):
                await self._follow(move)
            case Error() if self._game:
                await self._end(ClobberOutcome.LOST, "the server rejected the move, or it arrived too late")
            case End():
                await self._end(ClobberOutcome.WON, "the opponent broke the rules")
        if self._role.state is ClobberClientState.TO_MOVE:
            self._thinking = trio.CancelScope()
            nursery.start_soon(self._think, self._thinking)

    async def _begin(self, settings: Settings) -> None:
        if self._game and self._game not in self.outcomes:
            await self._end(ClobberOutcome.BROKEN_OFF, "the server began another game", Termination.ABORTED)
        self._game += 1
        self._begun.set()
        self.colour = Colour.BLACK if settings.begins else Colour.WHITE
        self._position = ClobberPosition.start(settings.columns, settings.rows)
        # The protocol transmits neither the name of the opponent nor a limit.
        started = GameStarted((), self._position.copy(), None, DEFAULT_PLY_LIMIT)
        self._tell(GameEvent(self._game, started))
        self._moved_at = trio.current_time()
        await self._player.begin(Seating(self.colour, (), self._position.copy()))
        await self._check_for_end()

    async def _follow(self, move: Move) -> None:
        """Play the opponent's move."""
        reason = self._position.why_illegal(move)
        if reason is None:
            await self._play(self.colour.other, move)
            return
        columns, rows = self._position.columns, self._position.rows
        self._remark(
            f"The opponent played {move}, but {reason}, so this game cannot continue."
            f" If {columns} columns and {rows} rows are swapped, use --rows-first."
        )
        self._role.finish()
        await self._end(
            ClobberOutcome.BROKEN_OFF, "the opponent's move is impossible here", Termination.ABORTED
        )

    async def _think(self, scope: trio.CancelScope) -> None:
        move = GIVING_UP
        with scope:
            try:
                move = await self._player.choose(self._position.copy(), Clock())
            except ForfeitError as fault:
                if fault.termination is not Termination.RESIGNED:
                    self._farewell = ClosingReason.LEFT
                    self._scope.cancel()
                    return
        if scope.cancel_called:
            return
        data = self._role.send(Played(move))
        # Play the move before sending it, because the answer may arrive before sending returns.
        if move != GIVING_UP:
            await self._play(self.colour, move)
        await self._connection.send_data(data)

    async def _play(self, colour: Colour, move: Move) -> None:
        self._position.push(move)
        seconds, self._moved_at = trio.current_time() - self._moved_at, trio.current_time()
        made = MoveMade(colour, move, self._position.ply, seconds, self._position.copy())
        self._tell(GameEvent(self._game, made))
        await self._player.notify(made)
        await self._check_for_end()

    async def _check_for_end(self) -> None:
        """Check by the rules whether the game is over, because no message says so."""
        winner = self._position.winner
        if winner is None or self._role.is_between_games:
            return
        self._role.finish()
        if winner is self.colour:
            await self._end(ClobberOutcome.WON, "the opponent has no move", Termination.NO_MOVES)
        else:
            await self._end(ClobberOutcome.LOST, "you have no move", Termination.NO_MOVES)

    async def _end(
        self, outcome: ClobberOutcome, sentence: str, termination: Termination = Termination.PUT_OUT
    ) -> None:
        is_news = self._game not in self.outcomes
        self.outcomes[self._game] = outcome
        winner = {ClobberOutcome.WON: self.colour, ClobberOutcome.LOST: self.colour.other}.get(outcome)
        result = Result(winner, termination, sentence, self._position.ply)
        ended = GameEnded(result, (), self._position.copy())
        self._tell(GameEvent(self._game, ended))
        if is_news:
            await self._player.notify(ended)

    def _remark(self, sentence: str) -> None:
        self._tell(Remarked(sentence))
