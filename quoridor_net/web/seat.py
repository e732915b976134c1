"""People who play in the browser: seats, to which a link leads, and the player behind each of them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import trio
from starlette.websockets import WebSocket

from quoridor_net.events import Event, MoveMade, MovesTakenBack
from quoridor_net.notation.lan import LAN, parse_move
from quoridor_net.outcome import ForfeitError, Termination
from quoridor_net.phrases import text_of
from quoridor_net.players import Clock, Player, Seating, TakeBackError
from quoridor_net.players.simple import SimplePlayer
from quoridor_net.rules import Move, Position, explain
from quoridor_net.text import UnparsableError
from quoridor_net.verdicts import VerdictPhrase
from quoridor_net.web.live import LiveGame, encode
from quoridor_net.web.messages import address_of, refuse, sender
from quoridor_net.web.refusals import RefusalPhrase, RefusedError
from quoridor_net.web.turns import Turns

#: Bytes of chance in a token: nobody guesses 128 bits.
TOKEN_BYTES = 16

#: Seconds that are thought about a hint, and most hints that are looked for at once.
HINT_TIME = 1.0
MAX_HINTS = 2


class WebPlayer(Player[Position, Move]):
    """A person at a browser, for one game.

    Args:
        name: how the player is called.
        adviser: finds the moves that are proposed as hints.
        takes_back: whether the match lets moves be taken back.
        turns: at looking for hints; shared by players of the same program.
    """

    def __init__(
        self,
        name: str,
        adviser: Player[Position, Move] | None = None,
        *,
        takes_back: bool = False,
        turns: Turns | None = None,
    ) -> None:
        self.name = name
        #: The number at the board; 0 before the game.
        self.number = 0
        self.takes_back = takes_back
        self._adviser = adviser or SimplePlayer(0)
        self._turns = turns or Turns(MAX_HINTS)
        self._position: Position | None = None
        self._answered = trio.Event()
        self._answer: Move | TakeBackError | None = None
        self._resigned = trio.Event()
        self._is_advised = False
        #: How many were made so far.
        self.plies = 0
        # The number that ``plies`` had when a move was chosen last.
        self._last_ply = -1
        self._own_plies = 0

    async def begin(self, seating: Seating[Position]) -> None:
        """Learn the number at the board."""
        self.number = seating.player
        await self._adviser.begin(Seating(seating.player, seating.names, seating.position.copy()))

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Wait until somebody clicks on a move.

        Raises:
            ForfeitError: the person resigned.
            TakeBackError: the person takes the last move back.
        """
        self._position, self._answered, self._answer = position, trio.Event(), None
        try:
            if not self._resigned.is_set():
                await self._answered.wait()
        finally:
            self._position = None
        return self._taken()

    def _taken(self) -> Move:
        """Return the move that was answered, or raise what was answered instead of one."""
        answer = self._answer
        if answer is None:
            raise _resignation()
        if isinstance(answer, TakeBackError):
            raise answer
        self.last_answer = str(answer)
        return answer

    async def notify(self, event: Event) -> None:
        """Count the plies."""
        match event:
            case MoveMade(player):
                self.plies += 1
                self._own_plies += player == self.number
            case MovesTakenBack(player, plies):
                self.plies -= plies
                # Plies back to the last one of that player are taken back.
                self._own_plies -= player == self.number
                self._last_ply = self.plies - 1

    async def watch(self) -> ForfeitError:
        """Return that the person gives up, if that happens when it is another player's turn."""
        await self._resigned.wait()
        return _resignation()

    async def leave(self) -> None:
        """Free what the adviser holds."""
        await self._adviser.leave()

    def move(self, text: object, ply: object) -> None:
        """Answer with the move that ``text`` names, after ``ply`` plies.

        Raises:
            RefusedError: it is no move, or not legal, or not for now.
        """
        if not isinstance(text, str) or type(ply) is not int:
            raise RefusedError("malformed", RefusalPhrase.MOVE())
        try:
            move = parse_move(text)
        except UnparsableError as error:
            raise RefusedError("malformed", RefusalPhrase.NO_MOVE(reason=text_of(error))) from None
        if ply <= self._last_ply or ply < self.plies:
            raise RefusedError("stale", RefusalPhrase.STALE())
        position = self._asked()
        if ply != self.plies:
            raise RefusedError("stale", RefusalPhrase.EARLY())
        reason = position.why_illegal(move)
        if reason is not None:
            raise RefusedError("illegal_move", RefusalPhrase.ILLEGAL(reason=explain(reason, LAN)))
        self._last_ply = ply
        self._give(move)

    def take_back(self) -> None:
        """Take the last move of this player back.

        Raises:
            RefusedError: that cannot be had.
        """
        if not self.takes_back:
            raise RefusedError("not_possible", RefusalPhrase.NO_TAKEBACK())
        self._asked()
        if not self._own_plies:
            raise RefusedError("not_possible", RefusalPhrase.NOTHING_TO_TAKE_BACK())
        self._give(TakeBackError())

    def resign(self) -> None:
        """Give the game up."""
        self._resigned.set()
        self._answered.set()

    async def hint(self, address: str) -> tuple[Move, int]:
        """Return a move that might be good, and after how many plies.

        Args:
            address: of the browser that asks; others have the same share.

        Raises:
            RefusedError: it is not this player's turn, or a hint is being looked for.
        """
        position, ply = self._asked(), self.plies
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

    def _asked(self) -> Position:
        if self._position is None:
            raise RefusedError("out_of_turn", RefusalPhrase.NOT_YOUR_TURN())
        return self._position

    def _give(self, answer: Move | TakeBackError) -> None:
        # What comes before the match goes on is for another ply.
        self._position, self._answer = None, answer
        self._answered.set()


def _resignation() -> ForfeitError:
    return ForfeitError(Termination.RESIGNED, VerdictPhrase.RESIGNED())


class Seat:
    """A place at which people play in the browser, in one game after another.

    Args:
        game: the number of the game that the link leads to.
        rematch: begins another game when this one is over; None where others do that.
    """

    def __init__(self, game: int, rematch: Callable[[], None] | None = None) -> None:
        self.rematch = rematch
        #: What the link has after ``#/seat/``; whoever knows it may move.
        self.token = f"{game}-{secrets.token_urlsafe(TOKEN_BYTES)}"
        #: The player of the game that is being played; None between games.
        self.player: WebPlayer | None = None

    def admits(self, token: str) -> bool:
        """Return whether ``token`` is that of this seat, in a time that does not tell how nearly."""
        # JSON can hold halves of surrogate pairs.
        return secrets.compare_digest(token.encode("utf-8", "surrogatepass"), self.token.encode())


class Sitting:
    """What one browser may do in a game: nothing, or what the seat does whose token it knows.

    Args:
        socket: the browser.
        game: what it looks at.
        seats: those of the game.
        nursery: where hints are looked for.
    """

    def __init__(
        self, socket: WebSocket, game: LiveGame, seats: Sequence[Seat], nursery: trio.Nursery
    ) -> None:
        self._send = sender(socket)
        self._address = address_of(socket)
        self._game = game
        self._seats = seats
        self._nursery = nursery
        self._seat: Seat | None = None

    async def tell(self) -> None:
        """Tell the browser what it can do, if it has a seat."""
        if self._seat is None:
            return
        player = self._seat.player
        seated = {
            "player": player.number or None if player else None,
            "can_undo": player is not None and player.takes_back,
            "can_hint": player is not None,
            "can_rematch": self._seat.rematch is not None,
        }
        await self._send(encode({"seated": seated}))

    async def handle(self, message: Mapping[str, Any]) -> None:
        """Do what a message asks for.

        Raises:
            RefusedError: it may not, or it cannot be done.
        """
        match message:
            case {"sit": str(token)}:
                self._seat = next((seat for seat in self._seats if seat.admits(token)), None)
                if self._seat is None:
                    raise RefusedError("no_seat", RefusalPhrase.NO_SUCH_SEAT())
                await self.tell()
            case {"move": text, "ply": ply}:
                self._player().move(text, ply)
            case {"resign": True}:
                self._player().resign()
            case {"undo": True}:
                self._player().take_back()
            case {"hint": True}:
                player = self._player()
                self._nursery.start_soon(self._hint, player)
            case {"rematch": True}:
                self._rematch()
            case _:
                raise RefusedError("malformed", RefusalPhrase.UNKNOWN_MESSAGE())

    async def _hint(self, player: WebPlayer) -> None:
        try:
            move, ply = await player.hint(self._address)
        except RefusedError as error:
            await self._send(refuse(error))
        else:
            await self._send(encode({"hint": {"move": str(move), "ply": ply}}))

    def _rematch(self) -> None:
        seat = self._sat()
        if seat.rematch is None or not self._game.is_over:
            raise RefusedError("not_possible", RefusalPhrase.NO_REMATCH())
        seat.rematch()

    def _sat(self) -> Seat:
        if self._seat is None:
            raise RefusedError("no_seat", RefusalPhrase.LOOKING_ON())
        return self._seat

    def _player(self) -> WebPlayer:
        player = self._sat().player
        if player is None or self._game.is_over:
            raise RefusedError("game_over", RefusalPhrase.NO_GAME_NOW())
        return player
