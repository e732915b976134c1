"""The game loop: asks players for moves, tells everybody what happens, and limits the time.

The display client and the referee play their games through :func:`play_match`, and so does the Clobber
server. What any of it means is for :class:`~quoridor_net.match.match_game.MatchGame` to say.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Iterable, Sequence
from typing import Generic, cast

import trio
from attrs import evolve

from quoridor_net.events import (
    GameEnded,
    GameStarted,
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
from quoridor_net.players import Player, Seating, TakeBackError
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
        players: by player number, from player 1. The match calls their ``leave``, however it ends.
        settings: how to play; a standard game of Quoridor without time limits unless given.
        listeners: called with every event, in order.

    Returns:
        The result, which is also in the last event.

    Raises:
        OSError: the machine prevented the game, for instance because it cannot start a program. The last
            event gives the reason.
        TypeError: one of ``players`` is not a player.
        ValueError: the game is for another number of players.

    When the match is cancelled, listeners get a :class:`GameEnded` with ``aborted``, the players leave, and
    the cancellation goes on to the caller.
    """
    for player in players:
        if not isinstance(player, Player):
            raise TypeError(f"players are what make_player returns and other Players, not {player!r}")
    return await _Runner(players, settings or MatchSettings(), tuple(listeners)).run()


class _Runner(Generic[P, M]):
    def __init__(
        self,
        players: Sequence[Player[P, M]],
        settings: MatchSettings,
        listeners: tuple[MatchListener[P, M], ...],
    ) -> None:
        start = settings.position or Position(players=len(players))
        # Players get the names as they are, everybody else as they can be shown.
        self._names = tuple(player.name for player in players)
        shown = tuple(map(visible, self._names))
        self._game: MatchGame[P, M] = MatchGame(shown, cast("P", start.copy()), settings)
        self._players = dict(enumerate(players, 1))
        self._settings = settings
        self._listeners = listeners
        # Players that have not left, and the scopes of the tasks that watch them.
        self._watches = {number: trio.CancelScope() for number in self._players}
        # Set when such a task, once started, has ended.
        self._watched: dict[int, trio.Event] = {}
        # Ends the thinking of the player that was asked.
        self._asked = trio.CancelScope()
        self._is_interrupted = False

    async def run(self) -> Result:
        game = self._game
        result = Result(None, Termination.ABORTED, VerdictPhrase.ABORTED(), 0)
        try:
            async with trio.open_nursery() as nursery:
                await self._begin(nursery)
                await self._play()
                nursery.cancel_scope.cancel()
            result = game.result()
        except BaseException as error:
            reason = _reason_to_stop(error)
            if reason is not None:
                result = evolve(result, sentence=VerdictPhrase.VOID(reason=reason))
            raise
        finally:
            if result.is_void:
                result = evolve(result, plies=game.plies)
            # Listeners first: what happened is kept even when a peer makes leaving slow.
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
        self._emit(GameStarted(game.names, start, settings.move_time, settings.ply_limit))
        for number, scope in self._watches.items():
            self._watched[number] = trio.Event()
            watching.start_soon(self._watch, number, scope)
        # The first to move last: it may move at once, and by then the others have to know of the game.
        for number in reversed(game.position.order):
            seating = Seating(int(number), self._names, game.position.copy())
            has_begun = await self._guard(number, self._players[number].begin(seating))
            if not has_begun and settings.ends_at_fault:
                return
        # A server that closes its connection at GAME is seen to do so before the first request fails.
        await trio.lowlevel.checkpoint()

    async def _play(self) -> None:
        game = self._game
        while True:
            await self._announce_faults()
            player = game.turn
            if player is None:
                break
            await self._one_ply(int(player))
        await self._tell(self._end(game.result()))

    def _end(self, result: Result) -> GameEnded[P]:
        game = self._game
        return GameEnded(result, game.names, game.position.copy(), tuple(game.times))

    async def _one_ply(self, number: int) -> None:
        """Ask player ``number`` for a move and play it, or note the player's fault."""
        game, player = self._game, self._players[number]
        await self._guard(number, player.ready())
        if game.has_fault:
            return
        self._emit(MoveRequested(number, game.plies))
        started = trio.current_time()
        move = await self._ask(number, player)
        if move is None:
            return
        seconds = trio.current_time() - started
        # Without waiting: a fault that came behind the move must not be noted before the move is judged.
        passed_over = game.play(number, move, seconds, player.last_answer)
        if passed_over is None:
            return
        # Such a fault is noted before the next player is asked.
        await player.hear_out()
        made = MoveMade(number, move, game.plies, seconds, game.position.copy())
        self._emit(made)
        if not game.is_silenced:
            await self._tell(made)
        for passed in passed_over:
            self._emit(TurnPassed(passed))
        if game.turn is not None and self._settings.delay:
            await trio.sleep(self._settings.delay)

    async def _ask(self, number: int, player: Player[P, M]) -> M | None:
        """Return the answer of player ``number``; None when there is none, and then a fault is noted."""
        game = self._game
        clock = game.clock(number)
        limits = [time for time in (clock.move_time, clock.game_time) if time is not None]
        self._is_interrupted = False
        with deadlines.move_on_after(min(limits, default=math.inf)) as self._asked:
            game.thinking = number
            try:
                # An answer that arrived counts even if the scope was cancelled right after it.
                return await player.choose(game.position.copy(), clock)
            except ForfeitError as fault:
                game.note(number, fault)
                return None
            except TakeBackError:
                if not self._settings.takes_back:
                    raise
                await self._take_back(number)
                return None
            finally:
                game.thinking = None
        if not self._is_interrupted:
            game.note_silence(number)
        return None

    async def _take_back(self, number: int) -> None:
        """Take back the last move of player ``number``, who is asked again after that."""
        plies = self._game.take_back(number)
        if not plies:
            return
        await self._announce(MovesTakenBack(number, plies, self._game.position.copy()))

    async def _watch(self, number: int, scope: trio.CancelScope) -> None:
        # A player can have left before this task first runs; then its scope is cancelled already.
        try:
            with scope:
                fault = await self._players[number].watch()
                if self._game.note(number, fault):
                    self._is_interrupted = True
                    self._asked.cancel()
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

    async def _guard(self, number: int, telling: Awaitable[None]) -> bool:
        """Note the fault that ``telling`` a player something raises; return whether it was told."""
        try:
            await telling
        except NotStartedError as fault:
            # The machine's fault, or that of whoever named the program; not the player's.
            name = self._players[number].name
            raise OSError(None, VerdictPhrase.ABSENCE(name=name, did=fault.sentence)) from fault
        except ForfeitError as fault:
            self._game.note(number, fault)
            return False
        return True

    async def _leave(self, numbers: tuple[int, ...]) -> None:
        for number in numbers:
            self._watches.pop(number).cancel()
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as nursery:
                for number in numbers:
                    nursery.start_soon(self._leave_one, number)

    async def _leave_one(self, number: int) -> None:
        # Two tasks cannot read one connection: the one that watches it must be through.
        if number in self._watched:
            await self._watched[number].wait()
        await self._players[number].leave()

    def _emit(self, event: MatchEvent[P, M]) -> None:
        for listener in self._listeners:
            listener(event)


def _reason_to_stop(error: BaseException) -> str | None:
    """Return why the machine ended a game; None for an error of another kind."""
    cause = first_error(error)
    if (lack := lack_of(cause)) is not None:
        return lack
    return reason_of(cause) if isinstance(cause, OSError) else None
