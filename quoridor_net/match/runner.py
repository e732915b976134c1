"""The game loop: ask players for moves, notify all players of events, and enforce time limits.

The display client, the referee and the Clobber server play their games with :func:`play_match`.
:class:`~quoridor_net.match.match_game.MatchGame` decides about faults and results.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Iterable, Sequence
from typing import Generic, cast

import trio

from quoridor_net.events import (
    GameEnded,
    MatchEvent,
    MatchListener,
    MoveMade,
    MoveRequested,
    MovesTakenBack,
    PlayerOut,
    TurnPassed,
)
from quoridor_net.match.match_game import M, MatchGame, MatchSettings, P
from quoridor_net.net import deadlines
from quoridor_net.net.errors import first_error
from quoridor_net.outcome import ForfeitError, NotStartedError, Result, Termination
from quoridor_net.players import DrawAgreedError, Player, Seating, TakeBackError
from quoridor_net.rules import Position
from quoridor_net.shortage import lack_of
from quoridor_net.text import visible
from quoridor_net.verdicts import VerdictPhrase, reason_of


async def play_match(
    players: Sequence[Player[P, M]],
    settings: MatchSettings | None = None,
    listeners: Iterable[MatchListener[P, M]] = (),
) -> Result:
    """Play one game and return its result.

    Args:
        players: by player number, from player 1. The match always calls their ``leave``.
        settings: settings of the match; default a standard game of Quoridor without time limits.
        listeners: called with every event, in order.

    Returns:
        The result, which is also in the last event.

    Raises:
        OSError: the machine prevented the game, for example because it cannot start a program. The last event
            gives the reason.
        TypeError: one of ``players`` is not a player.
        ValueError: the game is for another number of players.

    On cancellation, listeners get a :class:`GameEnded` with ``aborted``, the players leave, and the
    cancellation propagates to the caller.
    """
    for player in players:
        if not isinstance(player, Player):
            raise TypeError(f"players must be Player objects, as make_player returns, not {player!r}")
    return await _Runner(players, settings or MatchSettings(), tuple(listeners)).run()


class _Runner(Generic[P, M]):
    def __init__(
        self,
        players: Sequence[Player[P, M]],
        settings: MatchSettings,
        listeners: tuple[MatchListener[P, M], ...],
    ) -> None:
        start = settings.position or Position(players=len(players))
        # Players get the names as they are, listeners with escapes for invisible characters.
        self._names = tuple(player.name for player in players)
        shown = tuple(map(visible, self._names))
        self._game: MatchGame[P, M] = MatchGame(shown, cast("P", start.copy()), settings)
        self._players = dict(enumerate(players, 1))
        self._settings = settings
        self._listeners = listeners
        # The scopes of the tasks that watch players, for all players that have not left.
        self._watches = {number: trio.CancelScope() for number in self._players}
        # Set when the task has ended, for all tasks that were started.
        self._watched: dict[int, trio.Event] = {}
        # The time limit of the player that is thinking, and whether a fault has cancelled it.
        self._limit = deadlines.Limit(math.inf)
        self._is_interrupted = False
        # The last player asked, its move and its thinking time; None once the move is made.
        self._answer: tuple[int, M, float] | None = None

    async def run(self) -> Result:
        game = self._game
        result: Result | None = None
        reason: str | None = None
        try:
            async with trio.open_nursery() as nursery:
                await self._begin(nursery)
                await self._play()
                nursery.cancel_scope.cancel()
            result = game.result()
        except BaseException as error:
            reason = _reason_to_stop(error)
            raise
        finally:
            if result is None:
                sentence = VerdictPhrase.ABORTED() if reason is None else VerdictPhrase.VOID(reason=reason)
                result = Result(None, Termination.ABORTED, sentence, game.plies)
            # Listeners first, so that the result is kept even if a peer makes leaving slow.
            self._emit(self._end(result))
            await self._leave(tuple(self._watches))
        return result

    async def _begin(self, watching: trio.Nursery) -> None:
        game, settings = self._game, self._settings
        async with trio.open_nursery() as nursery:
            for number, player in self._players.items():
                nursery.start_soon(self._guard, number, player.ready())
        if game.is_silenced:
            return
        start = game.position.copy()
        self._emit(settings.announce(game.names, start))
        for number, scope in self._watches.items():
            self._watched[number] = trio.Event()
            watching.start_soon(self._watch, number, scope)
        # The first player to move begins last, because it may move at once, and the others must know the
        # game.
        for number in reversed(game.position.order):
            seating = Seating(int(number), self._names, game.position.copy())
            has_begun = await self._guard(number, self._players[number].begin(seating))
            if not has_begun and settings.ends_at_fault:
                return
        # Notice a server that disconnects at GAME before the first request fails.
        await trio.lowlevel.checkpoint()

    async def _play(self) -> None:
        is_on = True
        while is_on:
            # One scope for as many plies as possible, because each costs more than the rules of a ply.
            with self._limit:
                while is_on and not self._limit.is_up and not self._is_interrupted:
                    is_on = await self._one_ply()
            if is_on:
                self._limit, self._is_interrupted = deadlines.Limit(math.inf), False
        await self._tell(self._end(self._game.result()))

    def _end(self, result: Result) -> GameEnded[P]:
        game = self._game
        return GameEnded(result, game.names, game.position.copy(), tuple(game.times))

    async def _one_ply(self) -> bool:
        """Announce the last move, if any, and ask for the next one; return whether the game continues."""
        game = self._game
        if self._answer is not None:
            (number, move, seconds), self._answer = self._answer, None
            await self._make(number, move, seconds)
        if game.has_fault:
            await self._announce_faults()
        turn = game.turn
        if turn is None:
            return False
        number = int(turn)
        await self._guard(number, self._players[number].ready())
        if not game.has_fault:
            self._emit(MoveRequested(number, game.plies, game.left(number)))
            await self._ask(number)
        return True

    async def _make(self, number: int, move: M, seconds: float) -> None:
        """Make a move of player ``number`` and announce it, or note the fault if it is illegal."""
        game, player = self._game, self._players[number]
        # No await before this: a fault after the move must not be noted before the move is judged.
        passed_over = game.play(number, move, seconds, player.last_answer)
        if passed_over is None:
            return
        # Note such a fault before asking the next player.
        await player.hear_out()
        made = MoveMade(
            number, move, game.plies, seconds, game.position.copy(), game.left(number), player.last_score
        )
        is_told = not game.is_silenced
        if is_told:
            for other in self._watches:
                if other != number:
                    await self._guard(other, self._players[other].send_ahead(made))
        self._emit(made)
        if is_told:
            await self._tell(made)
        for passed in passed_over:
            self._emit(TurnPassed(passed))
        if self._settings.delay and game.turn is not None:
            await trio.sleep(self._settings.delay)

    async def _ask(self, number: int) -> None:
        """Keep the answer of player ``number``, or note its fault, or take a move back.

        Raises:
            TypeError: the player answered None, which would have it asked again for ever.
        """
        game, player = self._game, self._players[number]
        clock = game.clock(number)
        limit = game.limit(number)
        started = trio.current_time()
        self._limit.restart_until(math.inf if limit is None else started + limit)
        game.thinking = number
        try:
            # An answer counts even if the scope is cancelled right after it.
            move = await player.choose(game.position.copy(), clock)
        except ForfeitError as fault:
            game.note(number, fault)
        except TakeBackError as wish:
            if not self._settings.takes_back:
                raise
            # Otherwise taking moves back would stop the clock.
            game.spend(number, trio.current_time() - started)
            await self._take_back(number if wish.player is None else wish.player)
        except DrawAgreedError:
            if not self._settings.agrees_draws:
                raise
            game.agree_draw()
        except trio.Cancelled:
            if self._limit.is_up:
                game.note_silence(number)
            raise
        else:
            if move is None:
                raise TypeError(f"{player.name} chose None, which is not a move")
            self._answer = number, move, trio.current_time() - started
        finally:
            self._limit.restart_until(math.inf)
            game.thinking = None

    async def _take_back(self, number: int) -> None:
        """Take back the last move of player ``number``, which is then asked again."""
        plies = self._game.take_back(number)
        if not plies:
            return
        await self._announce(MovesTakenBack(number, plies, self._game.position.copy()))

    async def _watch(self, number: int, scope: trio.CancelScope) -> None:
        # If the player left before this task first runs, its scope is already cancelled.
        try:
            with scope:
                fault = await self._players[number].watch()
                if self._game.note(number, fault):
                    self._is_interrupted = True
                    self._limit.scope.cancel()
        finally:
            self._watched[number].set()

    async def _announce_faults(self) -> None:
        while (announced := self._game.announce()) is not None:
            number, fault = announced
            await self._announce(PlayerOut(number, fault, self._game.position.copy(), self._game.plies))
            await self._leave((number,))

    async def _announce(self, event: MatchEvent[P, M]) -> None:
        self._emit(event)
        await self._tell(event)

    async def _tell(self, event: MatchEvent[P, M]) -> None:
        for number in tuple(self._watches):
            await self._guard(number, self._players[number].notify(event))

    async def _guard(self, number: int, call: Awaitable[None]) -> bool:
        """Await ``call`` of a player and note the fault that it raises; return whether it succeeded."""
        try:
            await call
        except NotStartedError as fault:
            # Not the player's fault, but that of the machine or the user who named the program.
            name = self._players[number].name
            raise OSError(None, VerdictPhrase.ABSENCE(name=name, did=fault.sentence)) from fault
        except ForfeitError as fault:
            self._game.note(number, fault)
            return False
        return True

    async def _leave(self, numbers: tuple[int, ...]) -> None:
        for number in numbers:
            self._watches.pop(number).cancel()
        async with trio.open_nursery() as nursery:
            nursery.cancel_scope.shield = True
            for number in numbers:
                nursery.start_soon(self._leave_one, number)

    async def _leave_one(self, number: int) -> None:
        # Wait for the watching task to end, because two tasks cannot read one connection.
        if number in self._watched:
            await self._watched[number].wait()
        await self._players[number].leave()

    def _emit(self, event: MatchEvent[P, M]) -> None:
        for listener in self._listeners:
            listener(event)


def _reason_to_stop(error: BaseException) -> str | None:
    """Return why the machine stopped a game; None for any other error."""
    cause = first_error(error)
    if (lack := lack_of(cause)) is not None:
        return lack
    return reason_of(cause) if isinstance(cause, OSError) else None
