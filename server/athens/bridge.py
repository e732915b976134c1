"""The bridge from an Athens controller to a LAN, with a move server of the 2016 protocol as the player."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence

import trio

from quoridor_net.events import MoveMade
from quoridor_net.net.endpoint import Endpoint
from quoridor_net.net.networks import EVERYBODY, Networks
from quoridor_net.outcome import ForfeitError
from quoridor_net.phrases import Translatable
from quoridor_net.players import Clock, Player, Seating
from quoridor_net.players.greeting import Greeting, greet
from quoridor_net.players.lan import LanPlayer
from quoridor_net.protocols.athens import AthensGame
from quoridor_net.rules import (
    STANDARD_SIZE,
    STANDARD_WALLS,
    IllegalMoveError,
    Move,
    Ply,
    Position,
    Termination,
)
from quoridor_net.rules.symmetry import reflect

#: Board sizes of the 2016 protocol, which cannot transmit any other.
SIZES = range(STANDARD_SIZE, STANDARD_SIZE + 1)

#: Retry the connection for this many seconds; short, because a controller is waiting for a move.
CONNECT_TIME = 1.0

_CONTROLLER = "qnt:controller"


class Bridge(Player[Position, Move]):
    """Asks one move server for moves, as a display client would.

    Either colour may begin an Athens game, and moves can be taken back. In the 2016 protocol, the player at
    the top begins and games only move forward. So a game that white begins is rotated by 180 degrees. A game
    that does not continue the moves sent so far needs a new conversation, in which all moves are sent again.

    Args:
        endpoint: address of the server.
        game: the controller's game, which is only read.
        gap: minimum delay between messages that the server does not answer, in seconds.
        networks: networks in which the server may be.
    """

    def __init__(
        self, endpoint: Endpoint, game: AthensGame, gap: float = 0.0, networks: Networks = EVERYBODY
    ) -> None:
        self._endpoint = endpoint
        self._game = game
        self._greeting = Greeting(CONNECT_TIME, gap=gap, networks=networks)
        self._player: LanPlayer | None = None
        # The server's seat, the moves sent to it, and its last answer, which is not sent back yet.
        self._seat = 0
        self._sent: list[Ply] = []
        self._answer: list[Ply] = []

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the move of the server.

        Raises:
            ForfeitError: the server is unreachable or breaks its protocol, or the protocol excludes the game.
        """
        assert position.turn is not None
        history = self._game.history
        first = history[0].player if history else position.turn
        plies = [_convert(ply, first) for ply in history]
        seat = 1 if position.turn == first else 2
        position = self._position_after(plies)
        if position.turn != seat:
            raise ForfeitError(Termination.OUT_OF_TURN, Translatable("the move server plays in turn only"))
        try:
            player = await self._player_for(seat, plies)
            after = self._position_after(plies[: len(self._sent)])
            for ply in plies[len(self._sent) :]:
                assert ply.move is not None
                after.push(ply.move)
                self._sent.append(ply)
                await player.notify(MoveMade(ply.player, ply.move, len(self._sent), 0.0, after.copy()))
            move = await self._ask(player, position)
        except ForfeitError as fault:
            await self.leave()
            sentence = f"the move server at {self._endpoint} {fault.sentence}"
            raise ForfeitError(fault.termination, Translatable(sentence), fault.line) from None
        self._answer = [Ply(seat, move)]
        return move if first == 1 else _rotate(move)

    def _position_after(self, plies: Sequence[Ply]) -> Position:
        """Return the position as the server sees it."""
        standard, walls = STANDARD_WALLS[2], self._game.walls
        if walls != standard:
            sentence = f"the move server plays with {standard} walls, not {walls}"
            raise ForfeitError(Termination.REFUSED_GAME, Translatable(sentence))
        position = Position(jumps=self._game.jumps)
        try:
            for ply in plies:
                assert ply.move is not None
                if position.turn != ply.player:
                    sentence = "the move server knows moves in turn only"
                    raise ForfeitError(Termination.OUT_OF_TURN, Translatable(sentence))
                position.push(ply.move)
        except IllegalMoveError as error:
            raise ForfeitError(Termination.ILLEGAL_MOVE, Translatable(str(error))) from None
        return position

    async def _player_for(self, seat: int, plies: Sequence[Ply]) -> LanPlayer:
        known = self._sent + self._answer
        if self._player is not None and seat == self._seat and known == list(plies[: len(known)]):
            return self._player
        await self.leave()
        player = self._player = await greet(self._endpoint, self._greeting, seat)
        names = (player.name, _CONTROLLER) if seat == 1 else (_CONTROLLER, player.name)
        await player.begin(Seating(seat, names, Position(jumps=self._game.jumps)))
        self._seat, self._sent, self._answer = seat, [], []
        return player

    async def _ask(self, player: LanPlayer, position: Position) -> Move:
        """Return the answer of the server.

        Raises:
            ForfeitError: the server breaks its protocol instead.
        """
        outcomes: list[Move | ForfeitError] = []

        async def note(outcome: Awaitable[Move | ForfeitError], scope: trio.CancelScope) -> None:
            outcomes.append(await outcome)
            scope.cancel()

        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(note, player.watch(), nursery.cancel_scope)
                nursery.start_soon(note, player.choose(position, Clock()), nursery.cancel_scope)
        except* ForfeitError as group:
            outcomes += [error for error in group.exceptions if isinstance(error, ForfeitError)]
        # An answer counts, whatever arrived after it, and whichever of the two was noticed first.
        for outcome in outcomes:
            if not isinstance(outcome, ForfeitError):
                return outcome
        assert isinstance(outcomes[0], ForfeitError)
        raise outcomes[0]

    async def leave(self) -> None:
        """End the conversation."""
        player, self._player = self._player, None
        if player is not None:
            await player.leave()


def _convert(ply: Ply, first: int) -> Ply:
    """Return ``ply`` as the server sees it: the player that moves first is player 1, at the top."""
    assert ply.move is not None
    if first == 1:
        return ply
    return Ply(3 - ply.player, _rotate(ply.move))


def _rotate(move: Move) -> Move:
    return reflect(move, STANDARD_SIZE, columns=True, rows=True)
