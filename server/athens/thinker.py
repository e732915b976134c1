"""Answers ``genmove`` with a player of this project, within the time that private commands set."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING

import trio

from quoridor_net.players import Clock, Player, Seating
from quoridor_net.players.source import MakePlayer, built_in
from quoridor_net.rules import Move, Position

if TYPE_CHECKING:
    from quoridor_net.engine import Analysis
    from quoridor_net.players.engine import SharedEngine

#: The name of the one player that has to be made ready.
ENGINE = "engine"


class Thinker(Player[Position, Move]):
    """Has one player for each colour that was asked for, from one beginning of a game to the next.

    Args:
        player: the name of a player.
        seed: for the same games in the same order, which differ from each other; None for others every time.
        move_time: seconds for a move; None leaves it to the player.
        factories: the players there are, by name; those of this project unless given.
        engine: what the player ``engine`` is made from; None leaves it to ``factories``.
        most_time: seconds that no move may take longer than, whatever private commands ask for.

    Attributes:
        player: likewise; so are ``factories`` and ``move_time``.
        left: seconds each colour has for the rest of the game, by player number; None without a limit.
    """

    def __init__(
        self,
        player: str,
        seed: int | None = None,
        move_time: float | None = None,
        factories: Mapping[str, MakePlayer] | None = None,
        engine: SharedEngine | None = None,
        most_time: float | None = None,
    ) -> None:
        self.player = player
        self.factories = dict(built_in() if factories is None else factories)
        if engine is not None:
            self.factories[ENGINE] = engine.player
        self.move_time = move_time
        self._own_move_time = move_time
        self.left: dict[int, float | None] = {1: None, 2: None}
        self._most_time = most_time
        self._game_time: float | None = None
        self._seeds = None if seed is None else random.Random(seed)
        self._engine = engine
        self._seats: dict[int, Player[Position, Move]] = {}

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the player's move, and take the time it needed from its own clock."""
        number = _mover(position)
        started = trio.current_time()
        move = await self._ask(position)
        left = self.left[number]
        if left is not None:
            self.left[number] = max(0.0, left - (trio.current_time() - started))
        return move

    async def ready(self) -> None:
        """Wait a moment for the engine if the moves will have limited time."""
        if self._moving_engine is not None and (self.move_time is not None or self._game_time is not None):
            await self._moving_engine.linger()

    async def begin(self, seating: Seating[Position]) -> None:
        """Begin a game with full clocks."""
        self.left = {1: self._game_time, 2: self._game_time}
        await self.leave()

    async def suggest(self, position: Position) -> tuple[Move, Analysis | None]:
        """Return the move that the player would make in ``position``, and its reasons.

        No clock runs, so this waits until the engine is ready, if it is the player.
        """
        if self._moving_engine is not None:
            await self._moving_engine.settle()
        move = await self._ask(position)
        # Most players have none.
        return move, getattr(self._seats[_mover(position)], "analysis", None)

    @property
    def _moving_engine(self) -> SharedEngine | None:
        """The engine if it is the player; None otherwise."""
        return self._engine if self.player == ENGINE else None

    async def _ask(self, position: Position) -> Move:
        number = _mover(position)
        player = self._seats.get(number)
        if player is None:
            seed = None if self._seeds is None else self._seeds.randrange(2**31)
            player = self.factories[self.player](seed)
            await player.begin(Seating(number, ("black", "white"), position.copy()))
            self._seats[number] = player
        return await player.choose(position, self._clock_for(number))

    def _clock_for(self, number: int) -> Clock:
        left = self.left[number]
        if self.move_time is None and left is None:
            # Whatever limits the player itself has.
            return Clock()
        limits = [limit for limit in (self.move_time, self._most_time) if limit is not None]
        return Clock(min(limits, default=None), left)

    async def set_times(self, game_time: float | None, move_time: float | None) -> None:
        """Limit the time of each colour: seconds for a whole game and for a move; None for no limit.

        The time for a move that the player was started with stays the most it takes.
        """
        self._game_time = game_time
        self.left = {1: game_time, 2: game_time}
        limits = [limit for limit in (move_time, self._own_move_time) if limit is not None]
        self.move_time = min(limits, default=None)

    async def seed(self, seed: int) -> None:
        """Begin anew with ``seed``."""
        self._seeds = random.Random(seed)
        await self.leave()

    async def replace(self, player: str) -> None:
        """Let another player answer from now on."""
        self.player = player
        if self._moving_engine is not None:
            self._moving_engine.start()
        await self.leave()

    async def leave(self) -> None:
        """Let the players go."""
        seats, self._seats = self._seats, {}
        for player in seats.values():
            await player.leave()


def _mover(position: Position) -> int:
    assert position.turn is not None, "moves are asked for in games that are not over"
    return position.turn
