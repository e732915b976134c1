"""The game loop of Clobber: asks players for moves, asks the rules about them, tells everybody.

It is the referee of the 2006 protocol: whatever is wrong with a move, or with who should make it, counts as
an illegal move and ends the game at once.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Iterable

import trio
from attrs import frozen

from quoridor_net.clobber import Colour, Move, Position
from quoridor_net.net import deadlines
from quoridor_net.outcome import ForfeitError, Result
from quoridor_net.players import Clock
from quoridor_net.players.clobber import ClobberPlayer, Moved, Over, PlayerEvent
from quoridor_net.rules import Termination

#: Seats in results: black, who begins, is player 1.
SEATS = {Colour.BLACK: 1, Colour.WHITE: 2}


@frozen
class GameStarted:
    """Both players know that the game begins.

    Attributes:
        names: black's and white's.
        position: the position before the first move.
    """

    names: tuple[str, str]
    position: Position


@frozen
class MoveMade:
    """A legal move.

    Attributes:
        colour: who made it.
        move: the move.
        ply: its number, from 1.
        seconds: how long the player took.
        position: the position after it.
    """

    colour: Colour
    move: Move
    ply: int
    seconds: float
    position: Position


@frozen
class GameEnded:
    """The game is over; nothing happens after this.

    Attributes:
        result: how it ended; black is player 1, white player 2.
        names: black's and white's.
        position: the last position.
        line: the offending line when a fault decided, made printable; else empty.
    """

    result: Result
    names: tuple[str, str]
    position: Position
    line: str


Event = GameStarted | MoveMade | GameEnded

#: A listener is called with every event of a game, in order. The positions in events are shared between
#: listeners and must not be changed.
Listener = Callable[[Event], None]


async def play_clobber(
    black: ClobberPlayer,
    white: ClobberPlayer,
    position: Position,
    move_time: float | None = None,
    listeners: Iterable[Listener] = (),
) -> Result:
    """Play one game and return its result.

    Args:
        black: who begins.
        white: the other one.
        position: the position to start from. It is copied.
        move_time: seconds a player has for each move; None for no limit.
        listeners: called with every event, in order.

    Returns:
        The result, which is also in the last event.

    When the game is cancelled, listeners get a :class:`GameEnded` with ``aborted``, and the cancellation goes
    on to the caller.
    """
    return await _Game(black, white, position.copy(), move_time, tuple(listeners)).run()


class _Game:
    def __init__(
        self,
        black: ClobberPlayer,
        white: ClobberPlayer,
        position: Position,
        move_time: float | None,
        listeners: tuple[Listener, ...],
    ) -> None:
        self._players = {Colour.BLACK: black, Colour.WHITE: white}
        self._names = (black.name, white.name)
        self._position = position
        self._move_time = move_time
        self._listeners = listeners
        # The first fault decides the game.
        self._fault: tuple[Colour, ForfeitError] | None = None
        self._thinking: trio.CancelScope | None = None

    async def run(self) -> Result:
        result = Result(None, Termination.ABORTED, "The game was aborted.", self._position.ply)
        line = ""
        try:
            await self._begin()
            async with trio.open_nursery() as nursery:
                for colour in self._players:
                    nursery.start_soon(self._watch, colour)
                await self._play()
                nursery.cancel_scope.cancel()
            result = self._result()
            if self._fault is not None and result.termination.is_fault:
                line = self._fault[1].line
        finally:
            self._emit(GameEnded(result, self._names, self._position.copy(), line))
        return result

    async def _begin(self) -> None:
        async with trio.open_nursery() as nursery:
            for colour, player in self._players.items():
                nursery.start_soon(self._guard, colour, player.ready())
        if self._fault is not None:
            return
        self._emit(GameStarted(self._names, self._position.copy()))
        # White first: black may answer at once, and white has to know by then that there is a game.
        for colour in (Colour.WHITE, Colour.BLACK):
            if self._fault is None:
                await self._guard(colour, self._players[colour].begin(colour, self._position.copy()))

    async def _play(self) -> None:
        position = self._position
        while self._fault is None and not position.is_over:
            await self._one_ply(position.turn)
        # A move that won has won, whatever came behind it on the same connection.
        offender = self._fault[0] if self._fault is not None and not self._is_decided else None
        winner = position.winner if offender is None else offender.other
        await self._tell(Over(winner, offender))

    @property
    def _is_decided(self) -> bool:
        """Whether the rules decided the game; one that never began is decided by who did not come."""
        return self._position.is_over and (self._fault is None or self._position.ply > 0)

    async def _one_ply(self, colour: Colour) -> None:
        """Ask ``colour`` for a move and play it, or note the player's fault."""
        started = trio.current_time()
        move = await self._ask(colour)
        if move is None:
            return
        reason = self._position.why_illegal(move)
        if reason is not None:
            sentence = f"played {move}, which is illegal: {reason}"
            self._note(
                colour, ForfeitError(Termination.ILLEGAL_MOVE, sentence, self._players[colour].last_answer)
            )
            return
        self._position.push(move)
        seconds = trio.current_time() - started
        self._emit(MoveMade(colour, move, self._position.ply, seconds, self._position.copy()))
        # No move is sent into a game that a fault has ended: it would only ask for an answer.
        if self._fault is None or self._position.is_over:
            await self._tell(Moved(colour, move))

    async def _ask(self, colour: Colour) -> Move | None:
        """Return the answer of ``colour``; None when there is none, and then a fault is noted."""
        player = self._players[colour]
        limit = math.inf if self._move_time is None else self._move_time
        with deadlines.move_on_after(limit) as scope:
            self._thinking = scope
            try:
                # An answer that arrived counts even if the scope was cancelled right after it.
                return await player.choose(self._position.copy(), Clock(self._move_time))
            except ForfeitError as fault:
                self._note(colour, fault)
            finally:
                self._thinking = None
        if self._fault is None:
            self._note(colour, ForfeitError(Termination.TOO_SLOW, f"did not answer within {limit:g} s"))
        return None

    async def _watch(self, colour: Colour) -> None:
        self._note(colour, await self._players[colour].watch())

    def _note(self, colour: Colour, fault: ForfeitError) -> None:
        if self._fault is None:
            self._fault = (colour, fault)
            if self._thinking is not None:
                self._thinking.cancel()

    async def _tell(self, event: PlayerEvent) -> None:
        for colour, player in self._players.items():
            await self._guard(colour, player.notify(event))

    async def _guard(self, colour: Colour, telling: Awaitable[None]) -> None:
        try:
            await telling
        except ForfeitError as fault:
            self._note(colour, fault)

    def _result(self) -> Result:
        position = self._position
        if self._is_decided:
            winner = position.winner
            assert winner is not None, "a game that is over has a winner"
            sentence = f"{self._called(winner)} wins: {self._called(winner.other)} has no move."
            return Result(SEATS[winner], Termination.NO_MOVES, sentence, position.ply)
        assert self._fault is not None, "only the rules or a fault end a game"
        offender, fault = self._fault
        sentence = f"{self._called(offender.other)} wins: {self._called(offender)} {fault.sentence}."
        return Result(SEATS[offender.other], fault.termination, sentence, position.ply)

    def _called(self, colour: Colour) -> str:
        return f"{self._names[SEATS[colour] - 1]} ({colour})"

    def _emit(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)
