"""Answers ``genmove`` with a player of this project, within the time limits of private commands."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING

import trio

from quoridor_net.players import Clock, Player, Seating
from quoridor_net.players.source import MakePlayer, list_built_in
from quoridor_net.rules import Move, Position

if TYPE_CHECKING:
    from quoridor_net.engine import Analysis
    from quoridor_net.players.engine import SharedEngine

#: The name of the only player that has to be prepared.
ENGINE = "engine"


class Thinker(Player[Position, Move]):
    """Keeps one player per colour that has to move, for the length of a game.

    Args:
        player: the name of a player.
        seed: repeats the same series of games, which differ from each other; None for random ones.
        move_time: time limit per move, in seconds; None leaves it to the player.
        factories: the available players, by name; by default those of this project.
        engine: the engine behind the player ``engine``; None leaves it to ``factories``.
        max_time: maximum time per move in seconds, whatever private commands request.

    Attributes:
        player: the name of the current player.
        factories: the available players, by name.
        move_time: the current time limit per move, in seconds.
        left: remaining time of each colour in the game in seconds, by player number; None without a limit.
    """

    def __init__(
        self,
        player: str,
        seed: int | None = None,
        move_time: float | None = None,
        factories: Mapping[str, MakePlayer] | None = None,
        engine: SharedEngine | None = None,
        max_time: float | None = None,
    ) -> None:
        self.player = player
        self.factories = dict(list_built_in() if factories is None else factories)
        if engine is not None:
            self.factories[ENGINE] = engine.player
        self.move_time = move_time
        self._own_move_time = move_time
        self.left: dict[int, float | None] = {1: None, 2: None}
        self._max_time = max_time
        self._game_time: float | None = None
        self._seeds = None if seed is None else random.Random(seed)
        self._engine = engine
        self._seats: dict[int, Player[Position, Move]] = {}

    async def choose(self, position: Position, clock: Clock) -> Move:
        """Return the player's move, and subtract its time from its own clock."""
        number = _mover(position)
        started = trio.current_time()
        move = await self._ask(position)
        left = self.left[number]
        if left is not None:
            self.left[number] = max(0.0, left - (trio.current_time() - started))
        return move

    async def ready(self) -> None:
        """Wait a moment for the engine if moves have a time limit."""
        if self._moving_engine is not None and (self.move_time is not None or self._game_time is not None):
            await self._moving_engine.linger()

    async def begin(self, seating: Seating[Position]) -> None:
        """Begin a game with full clocks."""
        self.left = {1: self._game_time, 2: self._game_time}
        await self.leave()

    async def suggest(self, position: Position) -> tuple[Move, Analysis | None]:
        """Return the move that the player would make in ``position``, and its analysis.

        No clock runs, so this waits until the engine is ready if it is the player.
        """
        if self._moving_engine is not None:
            await self._moving_engine.settle()
        move = await self._ask(position)
        # Most players have no analysis.
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
            # The player's own limits apply.
            return Clock()
        limits = [limit for limit in (self.move_time, self._max_time) if limit is not None]
        return Clock(min(limits, default=None), left)

    async def set_times(self, game_time: float | None, move_time: float | None) -> None:
        """Limit the time of each colour per game and per move, in seconds; None for no limit.

        The time per move given at the start remains an upper limit.
        """
        self._game_time = game_time
        self.left = {1: game_time, 2: game_time}
        limits = [limit for limit in (move_time, self._own_move_time) if limit is not None]
        self.move_time = min(limits, default=None)

    async def seed(self, seed: int) -> None:
        """Restart the random choices with ``seed``."""
        self._seeds = random.Random(seed)
        await self.leave()

    async def replace(self, player: str) -> None:
        """Switch to another player."""
        self.player = player
        if self._moving_engine is not None:
            self._moving_engine.start()
        await self.leave()

    async def leave(self) -> None:
        """Release the players."""
        seats, self._seats = self._seats, {}
        for player in seats.values():
            await player.leave()


def _mover(position: Position) -> int:
    assert position.turn is not None, "moves are requested only in unfinished games"
    return position.turn
