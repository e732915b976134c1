"""The game loop: asks players for moves, asks the rules about them, tells everybody.

The display client and the referee play their games of Quoridor through :func:`play_match`. Clobber has a
loop of its own, :func:`~quoridor_net.match.clobber.play_clobber`: its referee has other rules about faults.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Iterable, Sequence

import trio
from attrs import evolve, frozen

from quoridor_net.match.events import (
    Event,
    GameEnded,
    GameStarted,
    Listener,
    MoveMade,
    MoveRequested,
    PlayerOut,
    TurnPassed,
)
from quoridor_net.net import deadlines
from quoridor_net.notation.lan import LAN
from quoridor_net.outcome import ForfeitError, Result
from quoridor_net.players import Clock, Eliminated, Moved, Over, Player, PlayerEvent, Seating
from quoridor_net.rules import IllegalMoveError, Move, Position, Termination, explain

DEFAULT_PLY_LIMIT = 1000


@frozen
class MatchSettings:
    """How a match is played.

    Attributes:
        position: the position to start from; a standard start unless given. It is copied.
        move_time: seconds a player has for each move; None for no limit.
        game_time: seconds a player has for all its moves together; None for no limit.
        ply_limit: the game is drawn when so many plies were made without a decision.
        delay: seconds from a move to the next request, so that people can watch.
    """

    position: Position | None = None
    move_time: float | None = None
    ply_limit: int = DEFAULT_PLY_LIMIT
    delay: float = 0.0
    game_time: float | None = None


async def play_match(
    players: Sequence[Player[Position, Move]],
    settings: MatchSettings | None = None,
    listeners: Iterable[Listener] = (),
) -> Result:
    """Play one game and return its result.

    Args:
        players: by player number, from player 1; 2 or 4 of them. The match calls their ``leave``, however
            it ends.
        settings: how to play; a standard game without time limits unless given.
        listeners: called with every event, in order.

    Returns:
        The result, which is also in the last event.

    When the match is cancelled, listeners get a :class:`GameEnded` with ``aborted``, the players leave, and
    the cancellation goes on to the caller.
    """
    return await _Match(players, settings or MatchSettings(), tuple(listeners)).run()


class _Match:
    def __init__(
        self,
        players: Sequence[Player[Position, Move]],
        settings: MatchSettings,
        listeners: tuple[Listener, ...],
    ) -> None:
        position = settings.position or Position(players=len(players))
        if position.players != len(players):
            raise ValueError(f"{len(players)} players cannot play a game for {position.players}")
        self._position = position.copy()
        self._players = dict(enumerate(players, 1))
        self._names = tuple(player.name for player in players)
        self._settings = settings
        self._listeners = listeners
        self._plies = 0
        # Players that have not left, and the scopes of the tasks that watch them.
        self._watches = {number: trio.CancelScope() for number in self._players}
        # Faults that came and were not announced yet, oldest first.
        self._faults: dict[int, ForfeitError] = {}
        self._announced: tuple[int, ForfeitError] | None = None
        # Seconds of the game time that each player has left.
        game_time = math.inf if settings.game_time is None else settings.game_time
        self._time_left = dict.fromkeys(self._players, game_time)
        # The player that is thinking, and the scope that ends its thinking.
        self._asked: tuple[int, trio.CancelScope] | None = None
        self._interrupted = False

    async def run(self) -> Result:
        result = Result(None, Termination.ABORTED, "The game was aborted.", 0)
        try:
            async with trio.open_nursery() as nursery:
                for number, scope in self._watches.items():
                    nursery.start_soon(self._watch, number, scope)
                result = await self._play()
                for scope in self._watches.values():
                    scope.cancel()
        finally:
            if result.termination.is_void:
                result = evolve(result, plies=self._plies)
            # Listeners first: what happened is kept even when a peer makes leaving slow.
            self._emit(GameEnded(result, self._names, self._position.copy()))
            await self._leave(tuple(self._watches))
        return result

    async def _play(self) -> Result:
        settings, position = self._settings, self._position
        self._emit(GameStarted(self._names, position.copy(), settings.move_time, settings.ply_limit))
        for number, player in self._players.items():
            seating = Seating(number, self._names, position.copy())
            await self._guard(number, player.begin(seating))
        while True:
            await self._announce_faults()
            if position.turn is None or self._plies >= settings.ply_limit:
                break
            await self._one_ply(position.turn)
        result = self._result()
        await self._tell(Over(result.winner))
        return result

    async def _one_ply(self, number: int) -> None:
        """Ask player ``number`` for a move and play it, or note the player's fault."""
        player = self._players[number]
        await player.ready()
        if self._faults:
            return
        self._emit(MoveRequested(number, self._plies))
        started = trio.current_time()
        move = await self._ask(number, player)
        if move is None:
            return
        seconds = trio.current_time() - started
        self._time_left[number] -= seconds
        try:
            self._position.push(move)
        except IllegalMoveError as error:
            reason = explain(error.reason, LAN, names_option=True)
            sentence = f"played {move}, which is illegal: {reason}"
            line = player.last_answer
            self._note(number, ForfeitError(Termination.ILLEGAL_MOVE, sentence, line, move=move))
            return
        self._plies += 1
        self._emit(MoveMade(number, move, self._plies, seconds, self._position.copy()))
        await self._tell(Moved(number, move))
        for passed in self._passed_over(number):
            self._emit(TurnPassed(passed))
        if self._position.turn is not None and self._settings.delay:
            await trio.sleep(self._settings.delay)

    async def _ask(self, number: int, player: Player[Position, Move]) -> Move | None:
        """Return the answer of player ``number``; None when there is none, and then a fault is noted."""
        move_time = math.inf if self._settings.move_time is None else self._settings.move_time
        time_left = max(0.0, self._time_left[number])
        self._interrupted = False
        clock = Clock(self._settings.move_time, None if math.isinf(time_left) else time_left)
        with deadlines.move_on_after(min(move_time, time_left)) as scope:
            self._asked = (number, scope)
            try:
                # An answer that arrived counts even if the scope was cancelled right after it.
                return await player.choose(self._position.copy(), clock)
            except ForfeitError as fault:
                self._note(number, fault)
            finally:
                self._asked = None
        if not self._interrupted and number not in self._faults:
            sentence = f"did not answer within {move_time:g} s"
            if time_left < move_time:
                sentence = f"used up its {self._settings.game_time:g} s for the game"
            self._note(number, ForfeitError(Termination.TOO_SLOW, sentence))
        return None

    async def _watch(self, number: int, scope: trio.CancelScope) -> None:
        # A player can have left before this task first runs; then its scope is cancelled already.
        with scope:
            self._note(number, self._in_context(number, await self._players[number].watch()))

    def _in_context(self, number: int, fault: ForfeitError) -> ForfeitError:
        """Return the fault of player ``number`` with who was thinking: some programs do not wait for long."""
        if fault.termination is not Termination.DISCONNECTED or self._asked is None:
            return fault
        asked, _ = self._asked
        if asked == number:
            return fault
        sentence = f"{fault.sentence}, while player {asked} was thinking"
        return ForfeitError(fault.termination, sentence, fault.line, fault.hint)

    def _note(self, number: int, fault: ForfeitError) -> None:
        """Keep a fault until it can be announced; stop the player that thinks if it need not go on.

        Nothing is sent to a player that was asked until it answered (docs/decisions.md, Protocol), so the
        fault of a player that is not on turn waits for that answer, unless it decides the game.
        """
        if number not in self._position.alive or number in self._faults:
            return
        self._faults[number] = fault
        if self._asked is None:
            return
        asked, scope = self._asked
        others = [other for other in self._position.alive if other not in self._faults and other != asked]
        if number == asked or not others:
            self._interrupted = True
            scope.cancel()

    async def _announce_faults(self) -> None:
        while self._faults and self._position.turn is not None:
            number, fault = next(iter(self._faults.items()))
            del self._faults[number]
            self._announced = (number, fault)
            self._position.eliminate(number)
            position = self._position.copy()
            self._emit(
                PlayerOut(
                    number, fault.termination, fault.sentence, fault.line, position, fault.hint, fault.move
                )
            )
            await self._tell(Eliminated(number))
            await self._leave((number,))

    async def _tell(self, event: PlayerEvent[Move]) -> None:
        for number in tuple(self._watches):
            await self._guard(number, self._players[number].notify(event))

    async def _guard(self, number: int, telling: Awaitable[None]) -> None:
        try:
            await telling
        except ForfeitError as fault:
            self._note(number, fault)

    async def _leave(self, numbers: tuple[int, ...]) -> None:
        for number in numbers:
            self._watches.pop(number).cancel()
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as nursery:
                for number in numbers:
                    nursery.start_soon(self._players[number].leave)

    def _passed_over(self, mover: int) -> list[int]:
        """Return the players between ``mover`` and the player to move, who have no legal move."""
        position = self._position
        if position.turn is None:
            return []
        order = [player for player in position.order if player in {mover, *position.alive}]
        start = order.index(mover) + 1
        following = order[start:] + order[:start]
        return following[: following.index(position.turn)]

    def _result(self) -> Result:
        position = self._position
        if position.ending is None:
            limit = self._settings.ply_limit
            sentence = f"Drawn: no decision within {limit} {'ply' if limit == 1 else 'plies'}."
            return Result(None, Termination.PLY_LIMIT, sentence, self._plies)
        if position.winner is None:
            return Result(None, position.ending, "Drawn: nobody has a legal move.", self._plies)
        winner = self._called(position.winner)
        if position.ending is Termination.GOAL:
            sentence = f"{winner} wins: it reached its goal line."
            return Result(position.winner, position.ending, sentence, self._plies)
        assert self._announced is not None, "only a fault leaves one player"
        number, fault = self._announced
        ending = position.ending if position.players > 2 else fault.termination
        sentence = f"{winner} wins: {self._called(number)} {fault.sentence}."
        return Result(position.winner, ending, sentence, self._plies)

    def _called(self, number: int) -> str:
        return f"{self._names[number - 1]} (player {number})"

    def _emit(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)
