"""People who play in the browser: seats with secret links, and the player behind each seat."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from typing import Protocol

import trio

from quoridor_net.events import Event, MoveMade, MovesTakenBack
from quoridor_net.notation.lan import LAN, parse_move
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.phrases import text_of
from quoridor_net.players import Clock, DrawAgreedError, Player, Seating, TakeBackError
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Move, Position, explain
from quoridor_net.text import UnparsableError
from quoridor_net.verdicts import VerdictPhrase
from quoridor_net.web.refusals import RefusalPhrase, RefusedError
from quoridor_net.web.turns import Turns

#: Random bytes in a token: 128 bits cannot be guessed.
TOKEN_BYTES = 16

#: Thinking time for a hint, in seconds, and maximum number of concurrent searches for hints.
HINT_TIME = 1.0
MAX_HINTS = 2


class WebPlayer(Player[Position, Move]):
    """A person at a browser, for one game.

    Args:
        name: name of the player.
        adviser: finds hints.
        takes_back: whether the match allows taking moves back.
        turns: queue for hints; shared by all players of a program.

    Attributes:
        gives_hints: whether the person may ask for hints.
    """

    gives_hints = True

    def __init__(
        self,
        name: str,
        adviser: Player[Position, Move] | None = None,
        *,
        takes_back: bool = False,
        turns: Turns | None = None,
    ) -> None:
        self.name = name
        #: Player number; 0 before the game.
        self.number = 0
        self.takes_back = takes_back
        self._adviser = adviser or SimplePlayer(0)
        self._turns = turns or Turns(MAX_HINTS)
        self._position: Position | None = None
        self._answered = trio.Event()
        self._answer: Move | TakeBackError | DrawAgreedError | None = None
        self._resigned = trio.Event()
        self._is_advised = False
        # The player of each ply so far.
        self._movers: list[int] = []
        # Value of ``plies`` when the person last chose a move, and that move until it is taken back.
        self._last_ply = -1
        self._last_move: Move | None = None

    @property
    def plies(self) -> int:
        """The number of plies so far."""
        return len(self._movers)

    @property
    def has_moved(self) -> bool:
        """Whether a move of this player can be taken back."""
        return self.number in self._movers

    @property
    def is_asked(self) -> bool:
        """Whether the match waits for this player."""
        return self._position is not None

    async def begin(self, seating: Seating[Position]) -> None:
        """Remember the player number."""
        self.number = seating.player
        await self._adviser.begin(Seating(seating.player, seating.names, seating.position.copy()))

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Wait until the person makes a move.

        Raises:
            ForfeitError: the person resigned.
            TakeBackError: a move is taken back.
            DrawAgreedError: the players agreed to a draw.
        """
        self._position, self._answered, self._answer = position, trio.Event(), None
        try:
            if not self._resigned.is_set():
                await self._answered.wait()
        finally:
            self._position = None
        return self._take_answer()

    def _take_answer(self) -> Move:
        """Return the person's move, or raise the answer given instead of one."""
        answer = self._answer
        if answer is None:
            raise _resignation()
        if isinstance(answer, TakeBackError | DrawAgreedError):
            raise answer
        self.last_answer = str(answer)
        return answer

    async def notify(self, event: Event) -> None:
        """Count the plies."""
        match event:
            case MoveMade(player):
                self._movers.append(player)
            case MovesTakenBack(plies=plies):
                del self._movers[-plies:]
                self._last_ply, self._last_move = self.plies - 1, None

    async def watch(self) -> ForfeitError:
        """Wait for the person to resign during another player's turn; return the fault."""
        await self._resigned.wait()
        return _resignation()

    async def leave(self) -> None:
        """Release the resources of the adviser."""
        await self._adviser.leave()

    def move(self, text: object, ply: object) -> None:
        """Make the move ``text`` after ``ply`` plies.

        A move that was already made there is ignored: a browser repeats its move after a lost connection,
        because it cannot know whether the move arrived.

        Raises:
            RefusedError: the text is not a move, or the move is illegal or made at the wrong time.
        """
        if not isinstance(text, str) or type(ply) is not int:
            raise RefusedError("malformed", RefusalPhrase.MOVE())
        try:
            move = parse_move(text)
        except UnparsableError as error:
            raise RefusedError("malformed", RefusalPhrase.NO_MOVE(reason=text_of(error))) from None
        if (ply, move) == (self._last_ply, self._last_move):
            return
        if ply <= self._last_ply or ply < self.plies:
            raise RefusedError("stale", RefusalPhrase.STALE())
        position = self._require_position()
        if ply != self.plies:
            raise RefusedError("stale", RefusalPhrase.EARLY())
        reason = position.why_illegal(move)
        if reason is not None:
            raise RefusedError("illegal_move", RefusalPhrase.ILLEGAL(reason=explain(reason, LAN)))
        self._last_ply, self._last_move = ply, move
        self._give(move)

    def take_back(self) -> None:
        """Take back the last move of this player.

        Raises:
            RefusedError: taking back is not possible now.
        """
        if not self.takes_back:
            raise RefusedError("not_possible", RefusalPhrase.NO_TAKEBACK())
        self._require_position()
        if not self.has_moved:
            raise RefusedError("not_possible", RefusalPhrase.NOTHING_TO_TAKE_BACK())
        self._give(TakeBackError())

    def agree(self, answer: TakeBackError | DrawAgreedError) -> None:
        """Give the match an agreement of the players instead of a move.

        Raises:
            RefusedError: the match is not waiting for this player.
        """
        if not self.is_asked:
            raise RefusedError("stale", RefusalPhrase.STALE())
        self._give(answer)

    def resign(self) -> None:
        """Resign the game."""
        self._resigned.set()
        self._answered.set()

    async def hint(self, address: str) -> tuple[Move, int]:
        """Return a suggested move, and the number of plies before it.

        Args:
            address: address of the browser; all addresses have equal shares of the engine.

        Raises:
            RefusedError: it is another player's turn, or a search for a hint is already running.
        """
        if not self.gives_hints:
            raise RefusedError("not_possible", RefusalPhrase.NO_HINT())
        position, ply = self._require_position(), self.plies
        if self._is_advised:
            raise RefusedError("too_fast", RefusalPhrase.HINT_UNDER_WAY())
        self._is_advised = True
        try:
            async with self._turns.turn(address, HINT_TIME):
                if self.plies != ply:
                    raise RefusedError("stale", RefusalPhrase.STALE())
                return await self._adviser.choose(position.copy(), Clock(HINT_TIME)), ply
        finally:
            self._is_advised = False

    def _require_position(self) -> Position:
        if self._position is None:
            raise RefusedError("out_of_turn", RefusalPhrase.NOT_YOUR_TURN())
        return self._position

    def _give(self, answer: Move | TakeBackError | DrawAgreedError) -> None:
        # Messages that arrive before the match continues belong to another ply.
        self._position, self._answer = None, answer
        self._answered.set()


def _resignation() -> ForfeitError:
    return ForfeitError(Termination.RESIGNED, VerdictPhrase.RESIGNED())


class Agreements(Protocol):
    """What the people of a game agree on: :class:`quoridor_net.web.pair.Pair`."""

    def offer(self, seat: Seat, subject: str) -> None:
        """Offer something to the other person."""

    def accept(self, seat: Seat, subject: str) -> None:
        """Accept an offer of the other person."""

    def decline(self, seat: Seat, subject: str) -> None:
        """Decline an offer."""

    def presence(self, seat: Seat) -> AbstractContextManager[None]:
        """Count a browser at ``seat`` while the block lasts."""

    async def follow(self, seat: Seat, send: Callable[[str], Awaitable[None]]) -> None:
        """Send the state for ``seat``, then each new one, until cancelled."""


class Seat:
    """A seat for a person at a browser, in one game after another.

    Args:
        board: number of its board.
        rematch: starts another game when this one is over; None if the person cannot do that alone.
        pair: the agreements with the person on the other seat; None for a seat alone.
    """

    def __init__(
        self, board: int, rematch: Callable[[], None] | None = None, pair: Agreements | None = None
    ) -> None:
        self.rematch = rematch
        self.pair = pair
        #: Part of the link after ``#/seat/``; any browser that knows it may move.
        self.token = f"{board}-{secrets.token_urlsafe(TOKEN_BYTES)}"
        #: The player in the current game; None between games.
        self.player: WebPlayer | None = None
        #: The player number in the current or last game; 0 before the first one.
        self.number = 0
        #: The level of the next game by the person's result: ``won``, ``drawn`` or ``lost``; None if it does
        #: not follow the results.
        self.next_levels: Mapping[str, int] | None = None

    def take(self, player: WebPlayer, number: int) -> None:
        """Give the seat to ``player``, which has this number in a game."""
        self.player, self.number = player, number

    def leave(self) -> None:
        """Free the seat after a game; its number stays, so that pages opened later know their side."""
        self.player = None

    def admits(self, token: str) -> bool:
        """Return whether ``token`` is that of this seat, compared in constant time."""
        # JSON can contain lone surrogates.
        return secrets.compare_digest(token.encode("utf-8", "surrogatepass"), self.token.encode())
