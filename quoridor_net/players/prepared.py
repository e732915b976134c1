"""The project's engines in programs that begin to play before their kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from quoridor_net import clobber
from quoridor_net.engine import Limits
from quoridor_net.output import ignore
from quoridor_net.players.base import Clock, Player, Seating
from quoridor_net.players.engine import ClobberEnginePlayer, EnginePlayer, limits_within
from quoridor_net.players.preparation import Preparation
from quoridor_net.players.simple import MobilityPlayer, SimplePlayer
from quoridor_net.rules import Move, Position


class PreparedPlayer(Player[Position, Move]):
    """Plays one game: with the engine once it is ready, before that known openings and the simple player.

    Args:
        preparation: makes the engine ready.
        seed: as for :class:`EnginePlayer`, and for the simple player.
        limits: when a search ends.
        table_mb: as for :class:`EnginePlayer`.
    """

    def __init__(
        self,
        preparation: Preparation,
        seed: int | None = None,
        limits: Limits | None = None,
        table_mb: int | None = None,
    ) -> None:
        self.name = "qnt:engine"
        self._preparation = preparation
        self._simple = SimplePlayer(seed)
        self._engine = EnginePlayer(seed, limits, table_mb)
        self._limits = limits or Limits()
        self._seating: Seating[Position] | None = None

    async def begin(self, seating: Seating[Position]) -> None:
        """Keep the seating for the engine, which cannot be made before it is ready."""
        self._seating = evolve(seating, position=seating.position.copy())

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the engine's move, or what stands in for it."""
        preparation = self._preparation
        if not preparation.is_ready(position.players):
            move = preparation.known(position)
            if move is not None:
                return move
            if not await preparation.wait(limits_within(clock, self._limits).time, position.players):
                preparation.tell_who_moves()
                return await self._simple.choose(position, clock)
        if self._seating is not None:
            seating, self._seating = self._seating, None
            await self._engine.begin(seating)
        return await self._engine.choose(position, clock)

    async def leave(self) -> None:
        """Free the table of the engine."""
        await self._engine.leave()


class PreparedClobberPlayer(Player[clobber.Position, clobber.Move]):
    """Plays Clobber: with the engine once it is ready, before that as :class:`MobilityPlayer`.

    Args:
        engine: the engine, which is prepared in a thread.
        report: gets one line about each step, partly in that thread.
        seed: for the mobility player.

    Attributes:
        preparation: makes the engine ready, at the latest from the first move on.
    """

    def __init__(
        self, engine: ClobberEnginePlayer, report: Callable[[str], None] = ignore, seed: int | None = None
    ) -> None:
        self.name = engine.name
        self._engine = engine
        self._stand_in = MobilityPlayer(seed)
        self.preparation = Preparation(
            report, self._warm_up, knows_openings=False, others_move="the mobility player moves"
        )

    def _warm_up(self, progress: Callable[[str], None], /, *_players: int) -> None:
        progress("being prepared, which takes minutes the first time on a machine")
        self._engine.warm_up()
        progress("ready")

    async def choose(self, position: clobber.Position, clock: Clock) -> clobber.Move:
        """Return the engine's move, or that of its stand-in."""
        if await self.preparation.wait(clock.move_time):
            return await self._engine.choose(position, clock)
        self.preparation.tell_who_moves()
        return await self._stand_in.choose(position, clock)
