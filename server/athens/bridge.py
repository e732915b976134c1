"""The bridge from an Athens controller to a LAN: a move server of the 2016 protocol as the player."""

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

#: Board sizes of the 2016 protocol, which cannot tell a server any other.
SIZES = range(STANDARD_SIZE, STANDARD_SIZE + 1)

#: Seconds for which connecting is tried again: a controller is waiting for a move meanwhile.
CONNECT_TIME = 1.0

_CONTROLLER = "qnt:controller"


class Bridge(Player[Position, Move]):
    """Asks one move server, as a display client would.

    Athens games may begin with either colour and go back and forth; those of the 2016 protocol begin with the
    player at the top and only go on. So a game that white begins is turned by half a turn, and whatever is no
    continuation of what the server was told begins a new conversation, in which all moves are told again.

    Args:
        endpoint: of the server.
        game: the controller's. Not to be changed.
        gap: minimum delay between two messages that the server does not answer, in seconds.
        networks: where the server may be.
    """

    def __init__(
        self, endpoint: Endpoint, game: AthensGame, gap: float = 0.0, networks: Networks = EVERYBODY
    ) -> None:
        self._endpoint = endpoint
        self._game = game
        self._greeting = Greeting(CONNECT_TIME, gap=gap, networks=networks)
        self._player: LanPlayer | None = None
        # What the server knows: its seat, the moves it was told, and its answer that it was not told yet.
        self._seat = 0
        self._told: list[Ply] = []
        self._answer: list[Ply] = []

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the move of the server.

        Raises:
            ForfeitError: the server cannot be had or breaks its protocol, or its protocol knows no such game.
        """
        assert position.turn is not None
        history = self._game.history
        first = history[0].player if history else position.turn
        plies = [_seated(ply, first) for ply in history]
        seat = 1 if position.turn == first else 2
        position = self._position_after(plies)
        if position.turn != seat:
            raise ForfeitError(Termination.OUT_OF_TURN, Translatable("the move server plays in turn only"))
        try:
            player = await self._player_for(seat, plies)
            after = self._position_after(plies[: len(self._told)])
            for ply in plies[len(self._told) :]:
                assert ply.move is not None
                after.push(ply.move)
                self._told.append(ply)
                await player.notify(MoveMade(ply.player, ply.move, len(self._told), 0.0, after.copy()))
            move = await self._ask(player, position)
        except ForfeitError as fault:
            await self.leave()
            sentence = f"the move server at {self._endpoint} {fault.sentence}"
            raise ForfeitError(fault.termination, Translatable(sentence), fault.line) from None
        self._answer = [Ply(seat, move)]
        return move if first == 1 else _half_a_turn(move)

    def _position_after(self, plies: Sequence[Ply]) -> Position:
        """Return the position in the server's eyes."""
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
        known = self._told + self._answer
        if self._player is not None and seat == self._seat and known == list(plies[: len(known)]):
            return self._player
        await self.leave()
        player = self._player = await greet(self._endpoint, self._greeting, seat)
        names = (player.name, _CONTROLLER) if seat == 1 else (_CONTROLLER, player.name)
        await player.begin(Seating(seat, names, Position(jumps=self._game.jumps)))
        self._seat, self._told, self._answer = seat, [], []
        return player

    async def _ask(self, player: LanPlayer, position: Position) -> Move:
        """Return the answer of the server, or raise what it does wrong instead."""
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
        # An answer that arrived counts, whatever came after it, and whichever of both was noticed first.
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


def _seated(ply: Ply, first: int) -> Ply:
    """Return ``ply`` as the server sees it: whoever moved first is player 1, at the top."""
    assert ply.move is not None
    if first == 1:
        return ply
    return Ply(3 - ply.player, _half_a_turn(ply.move))


def _half_a_turn(move: Move) -> Move:
    return reflect(move, STANDARD_SIZE, columns=True, rows=True)
