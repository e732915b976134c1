"""Answers ``genmove`` with a player of this project, within the time that private commands set."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import trio

from quoridor_net.frontend.session import MoveSource
from quoridor_net.players import Player, Seating
from quoridor_net.players.registry import FACTORIES, PlayerFactory
from quoridor_net.qtp import MoveWanted, QtpGame
from quoridor_net.rules import Move, Position

if TYPE_CHECKING:
    from quoridor_net.engine import Analysis

#: A game is taken to last so many more moves of the player when its time is shared out.
MOVES_TO_GO = 20


@runtime_checkable
class TimedPlayer(Protocol):
    """A player that can be told how long to think.

    Attributes:
        move_time: seconds for the next move; None when only other limits count.
    """

    move_time: float | None


@runtime_checkable
class AnalysingPlayer(Protocol):
    """A player that can tell what its last move is worth.

    Attributes:
        analysis: what its last search found; None before the first.
    """

    analysis: Analysis | None


def prepare_player(name: str, progress: Callable[[str], None] = lambda _line: None) -> None:
    """Do what a player needs once, so that no move waits for it; ``progress`` is told about long steps."""
    if name == "engine":
        # The linear algebra that numpy brings reserves address space for each processor, and none of it is
        # used: without this, referees that limit address space would need another limit on each machine.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        # Imported here: only who wants the engine should wait for numba.
        from quoridor_net.engine import warm_up

        warm_up(progress)


class Thinker(MoveSource):
    """Holds one player for each colour that was asked for, from one beginning of a game to the next.

    Args:
        player: the name of a player.
        factories: the players there are, by name; those of the registry unless given.
        seed: for the same games in the same order, which differ from each other; None for others every time.
        move_time: seconds for a move; None leaves it to the player.

    Attributes:
        player: likewise; so is ``move_time``.
        left: seconds each colour has for the rest of the game, by player number; None without a limit.
    """

    def __init__(
        self,
        player: str,
        seed: int | None = None,
        move_time: float | None = None,
        factories: Mapping[str, PlayerFactory] = FACTORIES,
    ) -> None:
        self.player = player
        self.factories = factories
        self.move_time = move_time
        self.left: dict[int, float | None] = {1: None, 2: None}
        self._game_time: float | None = None
        self._seeds = None if seed is None else random.Random(seed)
        self._seats: dict[int, Player] = {}
        self._game_number: int | None = None

    async def choose(self, wanted: MoveWanted, game: QtpGame) -> Move:
        """Return the player's move, and take the time it needed from its clock."""
        await self.meet(game)
        started = trio.current_time()
        move = await self._think(wanted.player, wanted.position)
        left = self.left[wanted.player]
        if left is not None:
            self.left[wanted.player] = max(0.0, left - (trio.current_time() - started))
        return move

    async def meet(self, game: QtpGame) -> None:
        """Begin anew, with full clocks, if the game did."""
        if game.number == self._game_number:
            return
        self._game_number = game.number
        self.left = {1: self._game_time, 2: self._game_time}
        await self.leave()

    async def suggest(self, player: int, position: Position) -> tuple[Move, Analysis | None]:
        """Return the move that ``player`` would make in ``position``, and its reasons; no clock runs."""
        move = await self._think(player, position)
        seat = self._seats[player]
        return move, seat.analysis if isinstance(seat, AnalysingPlayer) else None

    async def _think(self, number: int, position: Position) -> Move:
        player = self._seats.get(number)
        if player is None:
            seed = None if self._seeds is None else self._seeds.randrange(2**31)
            player = self.factories[self.player](seed)
            names = ("black", "white")
            await player.begin(Seating(number, names, position.copy()))
            self._seats[number] = player
        time = self._time_for(number)
        if time is not None and isinstance(player, TimedPlayer):
            player.move_time = time
        return await player.choose(position)

    def _time_for(self, number: int) -> float | None:
        left = self.left[number]
        share = None if left is None else left / MOVES_TO_GO
        limits = [limit for limit in (self.move_time, share) if limit is not None]
        return min(limits, default=None)

    async def set_times(self, game_time: float | None, move_time: float | None) -> None:
        """Limit the time of each colour: seconds for a whole game and for a move; None for no limit."""
        self._game_time = game_time
        self.left = {1: game_time, 2: game_time}
        self.move_time = move_time
        # A player that was told a time would keep to it when there is no limit any more.
        await self.leave()

    async def seed(self, seed: int) -> None:
        """Begin anew with ``seed``."""
        self._seeds = random.Random(seed)
        await self.leave()

    async def replace(self, player: str) -> None:
        """Let another player answer from now on."""
        await trio.to_thread.run_sync(prepare_player, player)
        self.player = player
        await self.leave()

    async def leave(self) -> None:
        """Let the players go."""
        seats, self._seats = self._seats, {}
        for player in seats.values():
            await player.leave()
